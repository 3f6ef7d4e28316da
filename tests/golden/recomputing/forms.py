# SPDX-License-Identifier: BSD-3-Clause
"""sphere/rhs_vectors.json: derivatives of n unit vectors with kinetic energy 1/2 m_ij(q) q_i'.q_j',
potential U(q) and forces f_i, from Lagrange's equations with one multiplier for each |q_i| = 1:
    sum_j m_ij q_j'' + s_i q_i = f_i - U_qi + 1/2 (m_kl)_qi q_k'.q_l' - sum_j m_ij' q_j',
    q_i.q_i'' = -|q_i'|^2,
a linear system in q'', s. From q'' follow omega' = q x q'', and by the product rule the derivatives of
    mu_i = (1 - q_i q_i^T) sum_j m_ij q_j',   pi_i = q_i x sum_j m_ij q_j'.
D3's four forms, with their projections and products, are not used.
"""

import json

from .compare import Comparison
from .decimals import D, cos, cross, derivative, dot, exp, sin, solve

G = D("9.81")


def triples(x):
    return [x[i:i + 3] for i in range(0, len(x), 3)]


def chain_matrix(n):
    """m_i = 1 + i/3, l_i = 1 - i/7, the inertia of a chain; the weights of U."""
    m, l = [1 + D(i) / 3 for i in range(n)], [1 - D(i) / 7 for i in range(n)]
    b = [[l[i] * l[j] * sum(m[max(i, j):]) for j in range(n)] for i in range(n)]
    return b, [G * l[i] * sum(m[i:]) for i in range(n)]


def inertia(kind, n, q):
    b, _ = chain_matrix(n)
    if kind == "chain":
        return b
    q = triples(q)
    mean = sum((sin(x[1]) for x in q), D(0)) / n

    def entry(i, j):
        if i == j:
            a = D("0.3") * q[i][0] + q[i][2]
            return b[i][i] * (1 + D("0.2") * a * a) + D("0.1") * mean + D("0.3")
        return b[i][j] * (D("0.6") + D("0.2") * dot(q[i], q[j]) + D("0.1") * cos(q[i][2] + q[j][2]))

    return [[entry(i, j) for j in range(n)] for i in range(n)]


def potential(kind, n, q):
    weights, q = chain_matrix(n)[1], triples(q)
    U = sum((w * x[2] for w, x in zip(weights, q)), D(0))
    if kind == "conf":
        U = U + sum((exp(D("0.3") * q[i][0]) * q[(i + 1) % n][1] for i in range(n)), D(0))
    return U


def momenta(M, n, v):
    """sum_j m_ij v_j, one list."""
    v = triples(v)
    return [sum((M[i][j] * v[j][k] for j in range(n)), D(0)) for i in range(n) for k in range(3)]


def accelerations(kind, n, q, v, f):
    M = inertia(kind, n, q)
    N = 3 * n
    moved = derivative(lambda z: momenta(inertia(kind, n, z), n, v), q, v)  # sum_j m_ij' v_j
    right = []
    for a in range(N):
        unit = [D(a == b) for b in range(N)]
        lagrangian = lambda z: dot(v, momenta(inertia(kind, n, z), n, v)) / 2 - potential(kind, n, z)
        right.append(f[a] + derivative(lagrangian, q, unit) - moved[a])
    rows = []
    for a in range(N):
        i, k = divmod(a, 3)
        row = [D(0)] * (N + n)
        for j in range(n):
            row[3 * j + k] = M[i][j]
        row[N + i] = q[a]
        rows.append(row)
    for i in range(n):
        row = [D(0)] * (N + n)
        row[3 * i:3 * i + 3] = q[3 * i:3 * i + 3]
        rows.append(row)
        right.append(-dot(v[3 * i:3 * i + 3], v[3 * i:3 * i + 3]))
    return solve(rows, right)[:N]


def quantities(kind, n, z):
    """(mu, pi) of z = (q, v)."""
    q, v = z[:3 * n], z[3 * n:]
    p = triples(momenta(inertia(kind, n, q), n, v))
    mu = [a - x * dot(q_i, p_i) for q_i, p_i in zip(triples(q), p) for a, x in zip(p_i, q_i)]
    return mu, [x for q_i, p_i in zip(triples(q), p) for x in cross(q_i, p_i)]


def recompute(folder, everything):
    result = Comparison(25, "1e-24")
    for case in json.loads((folder / "sphere/rhs_vectors.json").read_text())["cases"]:
        n, kind = case["n"], case["kind"]
        q, v, omega, f = ([D(x) for x in case[key]] for key in ("q", "qdot", "omega", "f"))
        result.add([x for a, b in zip(triples(q), triples(v)) for x in cross(a, b)], case["omega"])
        vdot = accelerations(kind, n, q, v, f)
        result.add(vdot, case["qddot"])
        result.add([x for a, b in zip(triples(q), triples(vdot)) for x in cross(a, b)], case["omegadot"])
        mu, pi = quantities(kind, n, [*q, *v])
        result.add(mu, case["mu"])
        result.add(pi, case["pi"])
        for which, key in ((0, "mudot"), (1, "pidot")):
            rate = derivative(lambda z: quantities(kind, n, z)[which], [*q, *v], [*v, *vdot])
            result.add(rate, case[key])
        result.add(inertia(kind, n, q), case["M"])
    return result.report("sphere/rhs_vectors")
