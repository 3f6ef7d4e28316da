# SPDX-License-Identifier: BSD-3-Clause
"""The sequences of golden/frames: discrete Hamel [MATH 2.2], discrete Lagrange-d'Alembert
[MATH 3.2], discrete Euler-Lagrange [MATH 3.1] and half nodes [MATH 3.3].

A system is a Lagrangian L(q, v) and its fields u_j(q); derivatives are taken with dual numbers, and
the right side is [MATH 1.3], without structure functions. Steps are solved by iteration, a contraction
by about h/2. The tops, in nine redundant coordinates, have mu and F from [MATH 1.6].
"""

import json

from .compare import Comparison
from .decimals import D, cos, cross, derivative, dot, exp, sin, solve
from .frames import MOTIONS, lagrange_start

H = D("0.1")
SMALL = D("1e-45")


def fixed_point(step, start):
    """y = step(y), by iteration; y a list of numbers."""
    y = start
    for _ in range(400):
        z = step(y)
        if all(abs(a - b) <= SMALL * (1 + abs(b)) for a, b in zip(z, y)):
            return z
        y = z
    raise ArithmeticError("the iteration does not converge")


class System:
    """L(q, v) with admissible fields u_1, ..., u_m."""

    def __init__(self, L, fields, averaged=None):
        self.L, self.fields, self.averaged = L, fields, averaged

    def velocity(self, q, xi):
        fields = self.fields(q)
        return [sum(x * u[i] for x, u in zip(xi, fields)) for i in range(len(q))]

    def gradient(self, q, v):
        """L_q, L_v."""
        n = len(q)
        unit = [[D(i == j) for j in range(2 * n)] for i in range(2 * n)]
        g = [derivative(lambda z: self.L(z[:n], z[n:]), [*q, *v], e) for e in unit]
        return g[:n], g[n:]

    def mu(self, q, xi):
        Lv = self.gradient(q, self.velocity(q, xi))[1]
        return [dot(Lv, u) for u in self.fields(q)]

    def force(self, q, xi):
        """F_j = <L_q, u_j> + <L_v, Du_j v>."""
        v = self.velocity(q, xi)
        Lq, Lv = self.gradient(q, v)
        return [dot(Lq, u) + dot(Lv, derivative(lambda z: self.fields(z)[j], q, v))
                for j, u in enumerate(self.fields(q))]

    def quasi_velocity(self, q, mu):
        """mu is linear in xi."""
        m = len(mu)
        columns = [self.mu(q, [D(i == j) for i in range(m)]) for j in range(m)]
        return solve([[c[i] for c in columns] for i in range(m)], mu)


class Top:
    """R' = R xi^, mu' = mu x xi + w Gamma x chi, the first m components; xi beyond is zero."""

    def __init__(self, J, weight, m):
        self.J, self.weight, self.m = [[D(x) for x in row] for row in J], D(weight), m

    def velocity(self, R, xi):
        xi = [*xi, D(0)][:3]
        return [x for i in range(3) for x in cross(R[3 * i:3 * i + 3], xi)]

    def mu(self, R, xi):
        xi = [*xi, D(0)][:3]
        return [dot(row, xi) for row in self.J][:self.m]

    def force(self, R, xi):
        xi = [*xi, D(0)][:3]
        turning = cross([dot(row, xi) for row in self.J], xi)
        torque = cross(R[6:9], [D(0), D(0), self.weight])
        return [a + b for a, b in zip(turning, torque)][:self.m]

    def quasi_velocity(self, R, mu):
        return solve([row[:self.m] for row in self.J[:self.m]], mu)


def half_step(system, h, q, p, xi):
    """(q_mid, xi) of [MATH 2.2]: q_mid = q + h/2 psi xi, mu(q_mid, xi) = p + h/2 F."""
    n = len(q)

    def improve(y):
        mid, xi = y[:n], y[n:]
        mu = [a + h / 2 * f for a, f in zip(p, system.force(mid, xi))]
        mid = [a + h / 2 * v for a, v in zip(q, system.velocity(mid, xi))]
        return [*mid, *system.quasi_velocity(mid, mu)]

    y = fixed_point(improve, [*q, *xi])
    return y[:n], y[n:]


def hamel(system, h, q, xi):
    """Yields q, p, xi_node, q_mid, xi_mid after each step."""
    p = system.mu(q, xi)
    while True:
        mid, xi = half_step(system, h, q, p, xi)
        p = [a + h * f for a, f in zip(p, system.force(mid, xi))]
        q = [2 * m - a for m, a in zip(mid, q)]
        yield q, p, system.quasi_velocity(q, p), mid, xi


def dla(system, h, q, p, fields):
    """Yields (q, P) of [MATH 3.2]; v = fields(q, v) xi."""
    n = len(q)
    v = [D(0)] * n
    while True:
        here = system.fields(q)

        def improve(v):
            mid = [a + h / 2 * b for a, b in zip(q, v)]
            Lq = system.gradient(mid, v)[0]
            allowed = fields(q, v)
            columns = [system.gradient(mid, u)[1] for u in allowed]  # L_v is linear in v
            # <u_j(q), L_v> = P_j + h/2 <u_j(q), L_q>
            xi = solve([[dot(u, c) for c in columns] for u in here],
                       [a + h / 2 * dot(u, Lq) for a, u in zip(p, here)])
            return [sum(x * u[i] for x, u in zip(xi, allowed)) for i in range(n)]

        v = fixed_point(improve, v)
        Lq, Lv = system.gradient([a + h / 2 * b for a, b in zip(q, v)], v)
        q = [a + h * b for a, b in zip(q, v)]
        p = [dot(u, Lv) + h / 2 * dot(u, Lq) for u in system.fields(q)]
        yield [*q, *p]


def half_nodes(system, h, q, xi, rule):
    """Yields (q_mid, xi) of [MATH 3.3], the startup first."""
    if rule == "avg":
        for _, _, _, mid, xi in hamel(system, h, q, xi):
            yield [*mid, *xi]
    mid, xi = half_step(system, h, q, system.mu(q, xi), xi)
    n = len(q)
    while True:
        yield [*mid, *xi]
        base = [a + h / 2 * f for a, f in zip(system.mu(mid, xi), system.force(mid, xi))]

        def improve(y):
            centre = [(a + b) / 2 for a, b in zip(mid, y[:n])]
            mean = [(a + b) / 2 for a, b in zip(xi, y[n:])]
            end = [a + h * v for a, v in zip(mid, system.velocity(centre, mean))]
            mu = [a + h / 2 * f for a, f in zip(base, system.force(end, y[n:]))]
            return [*end, *system.quasi_velocity(end, mu)]

        y = fixed_point(improve, [*mid, *xi])
        mid, xi = y[:n], y[n:]


# --- systems [MATH 4] -------------------------------------------------------------------------------

def sleigh(a):
    a = D(a)

    def L(q, v):
        s, c = sin(q[2]), cos(q[2])
        x, y = v[0] - a * s * v[2], v[1] + a * c * v[2]
        return (x * x + y * y + v[2] * v[2]) / 2

    def averaged(q, end):  # they vanish on the one-form -sin theta dx + cos theta dy, averaged
        s, c = [(f(q[2]) + f(end[2])) / 2 for f in (sin, cos)]
        return [[c, s, D(0)], [D(0), D(0), D(1)]]

    return System(L, heading, averaged)


def heading(q):
    return [[cos(q[2]), sin(q[2]), D(0)], [D(0), D(0), D(1)]]


def lynch_zenkov():
    def L(q, v):
        s = exp(-q[1]) * v[2]
        return (v[0] * v[0] + v[1] * v[1] + s * s) / 2 - 2 * q[0] * q[0] - q[0] / 2

    one_form = lambda q: (exp(q[1]), exp(q[1]) * (D("0.5") + 2 * q[0]))  # ds + A dr + B dg
    fields = lambda A, B: [[D(1), D(0), -A], [D(0), D(1), -B]]
    averaged = lambda q, end: fields(*[(x + y) / 2 for x, y in zip(one_form(q), one_form(end))])
    return System(L, lambda q: fields(*one_form(q)), averaged)


def rolling_disk():
    L = lambda q, v: (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 5 + v[3] * v[3] / 10) / 2
    fields = lambda q: [[cos(q[3]) / 2, sin(q[3]) / 2, D(1), D(0)], [D(0), D(0), D(0), D(1)]]
    return System(L, fields)


def kepler():
    L = lambda q, v: (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]) / 2 + 1 / q[0]
    return System(L, lambda q: [[D(1), D(0)], [D(0), 1 / q[0]]])


def knife_edge():
    return System(lambda q, v: (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 + 2 * q[0], heading)


def henon_heiles():
    def L(q, v):
        x, y = q
        return (v[0] * v[0] + v[1] * v[1] - x * x - y * y) / 2 - x * x * y + y * y * y / 3

    return System(L, lambda q: [[D(1), D(0)], [D(0), D(1)]])


IDENTITY = [D(i == j) for i in range(3) for j in range(3)]
SYSTEMS = {  # with q and xi at the start
    "euler_top": (Top([[1, 0, 0], [0, 2, 0], [0, 0, 3]], 0, 3), IDENTITY, "1 1 1"),
    "kepler_polar": (kepler(), "1 0", "0 1.2"),
    "knife_edge_incline": (knife_edge(), "0 0 0", "0 1.3"),
    "lagrange_top": (Top([[1, 0, 0], [0, 1, 0], [0, 0, "1.5"]], 1, 3), lagrange_start(), None),
    "lynch_zenkov_A": (lynch_zenkov(), "0.2 0 0", "0.1 0.9"),
    "rolling_disk": (rolling_disk(), "0 0 0 0.3", "2 1"),
    "sleigh_balanced": (sleigh("0"), "0 0 0", "1 1"),
    "sleigh_unbalanced": (sleigh("0.5"), "0 0 0", "-0.8 0.3"),
    "suslov": (Top([["2", "0", "0.5"], ["0", "3", "0.25"], ["0.5", "0.25", "4"]], 0, 2), IDENTITY,
               "1 0.7"),
    "henon_heiles": (henon_heiles(), "0.1 -0.2", "0.3 0.25"),
}
assert set(MOTIONS) < set(SYSTEMS)


def system_and_start(name):
    system, q, xi = SYSTEMS[name]
    numbers = lambda x: [D(t) for t in x.split()] if isinstance(x, str) else x
    return system, numbers(q), numbers(xi) or [D("0.5"), D("0.3"), D(4) / 3]


def after(sequence, wanted):
    """Pairs (item of the file, value of the sequence after so many steps)."""
    done = 0
    for count, item in sorted(wanted.items(), key=lambda pair: int(pair[0])):
        for _ in range(int(count) - done):
            value = next(sequence)
        done = int(count)
        yield item, value


def compare_nodes(name, node, most):
    system, q, xi = system_and_start(name)
    assert D(node["h"]) == H
    result = Comparison(28)
    wanted = {n: s for n, s in node["steps"].items() if int(n) <= most}
    for state, values in after(hamel(system, H, q, xi), wanted):
        for key, value in zip(("q", "p", "xi_node", "q_prev_half", "xi_prev_half"), values):
            result.add(value, state[key])
    return result.report(f"frames/{name}, {max(map(int, wanted))} steps of hamel")


KEYS = {
    "sleigh_unbalanced": "sleigh_unbalanced h=0.1 state (x,y,theta,P1,P2), P_j=<u_j(q_k),D2Ld>",
    "sleigh_balanced": "sleigh_balanced h=0.1",
    "lynch_zenkov_A": "lynch_zenkov_A h=0.1 state (r,g,s,P1,P2)",
    "knife_edge_incline": "knife h=0.1",
    "henon_heiles": "HenonHeiles DEL midpoint h=0.1 state (x,y,px,py)",
}
HALF = "sleigh_unbalanced half-node (slides) h=0.1: startup (q_1/2,xi_01) then steps"


def compare_sequences(data, most):
    assert set(data) == {HALF, *KEYS.values()}
    result = Comparison(17)
    for name, key in KEYS.items():
        system, q, xi = system_and_start(name)
        rules = data[key] if name != "henon_heiles" else {"mid": data[key]}
        for rule, wanted in rules.items():
            if rule == "avg":
                fields = lambda q, v: system.averaged(q, [a + H * b for a, b in zip(q, v)])
            else:
                alpha = D("0.5") if rule == "mid" else D(rule)
                fields = lambda q, v: system.fields([a + alpha * H * b for a, b in zip(q, v)])
            sequence = dla(system, H, q, system.mu(q, xi), fields)
            for state, value in after(sequence, {n: s for n, s in wanted.items() if int(n) <= most}):
                result.add(value, state)
    system, q, xi = system_and_start("sleigh_unbalanced")
    for rule in ("avg", "mid"):
        sequence = half_nodes(system, H, q, xi, rule)
        result.add(next(sequence), data[HALF]["startup"])
        wanted = {n: s for n, s in data[HALF][rule].items() if int(n) <= most}
        for state, value in after(sequence, wanted):
            result.add(value, state)
    return result.report(f"frames/discrete_dla_del_half, {most} steps")


def recompute(folder, everything):
    good, most = True, 100 if everything else 10
    for name in MOTIONS:
        data = json.loads((folder / f"frames/{name}.json").read_text())
        good &= compare_nodes(name, data["discrete_hamel_node"], most)
    data = json.loads((folder / "frames/discrete_dla_del_half.json").read_text())
    return compare_sequences(data, most) and good
