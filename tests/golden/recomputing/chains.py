# SPDX-License-Identifier: BSD-3-Clause
"""Motions of chains: unit vectors q_i along the links, positions x_i = x_{i-1} + l_i q_i, e3 up.

With the pull T_i of link i on mass i along -q_i, Newton's equations of neighbours give
    l_i q_i'' = a_i - a_{i-1},   a_i = (T_{i+1} q_{i+1} - T_i q_i)/m_i - g e3,   a_0 = 0,
and q_i.q_i'' = -|q_i'|^2 the tensions, a tridiagonal system in c_i = q_i.q_{i+1}:
    T_{i-1} c_{i-1}/m_{i-1} - T_i (1/m_{i-1} + 1/m_i) + T_{i+1} c_i/m_i = -l_i |q_i'|^2
(for i = 1 without 1/m_0, and with g q_1.e3 on the right). All is polynomial in q, q', T, so that
Taylor series follow term by term; every term of T is one solution of the same system. The files have
series of positions in 60 digits (sphere/), extrapolation in quadruple precision (chain_refs/).
"""

import json
import math

from . import fixed
from .compare import Comparison
from .fixed import BITS, ONE, at, cross, last, number, over, times


class Chain:
    def __init__(self, masses, lengths, g, q, omega, order=42, bits=BITS + 10):
        """`bits`: a step's last terms are 2^-bits."""
        self.n, self.g, self.order, self.bits = len(masses), g, order, bits
        self.l = lengths
        self.inverse = [over(ONE, m) for m in masses]
        self.q = [list(x) for x in q]
        self.v = [cross(w, x) for w, x in zip(omega, q)]
        self.time = 0

    def to(self, end):
        """The state (q, omega) at a later time, a fixed-point number."""
        while self.time < end:
            q, v = self.series()
            h = min(self.longest(q), end - self.time)
            self.q = [[at(s, h) for s in x] for x in q]
            self.v = [[at(s, h) for s in x] for x in v]
            self.time += h
        return self.q, [cross(x, w) for x, w in zip(self.q, self.v)]

    def longest(self, q):
        """A step whose last terms are as small as said."""
        K = self.order
        size = max(abs(s[k]) ** (1.0 / k) if abs(s[k]) < 1 << 1000 else math.inf
                   for x in q for s in x for k in (K - 1, K) if s[k])
        return int(2.0 ** (BITS + (BITS - self.bits) / K) / size)

    def series(self):
        """Taylor coefficients of q and q'."""
        n, w, g = self.n, self.inverse, self.g
        q = [[[x] for x in row] for row in self.q]
        v = [[[x] for x in row] for row in self.v]
        c, T = [[] for _ in range(n - 1)], [[] for _ in range(n)]
        pull = [[[], [], []] for _ in range(n)]  # T_i q_i
        eliminated = None
        for k in range(self.order):
            for i in range(n - 1):
                c[i].append(sum(last(x, y) for x, y in zip(q[i], q[i + 1])))
            if k == 0:
                eliminated = self.eliminate([x[0] for x in c])
            # what is known of the equations for the k-th coefficients
            right = []
            for i in range(n):
                known = -times(self.l[i], sum(last(x, x) for x in v[i]))
                if i == 0:
                    known += times(g, q[0][2][k])
                right.append(known)
            if k:
                for i in range(n - 1):  # c_i0 T_k is for the solver
                    tail = c[i][1:]
                    right[i] -= times(w[i], last(tail, T[i + 1]))
                    right[i + 1] -= times(w[i], last(tail, T[i]))
            for series, value in zip(T, self.solve(eliminated, right)):
                series.append(value)
            for i in range(n):
                for j in range(3):
                    pull[i][j].append(last(T[i], q[i][j]))
            before = [0, 0, 0]
            for i in range(n):
                for j in range(3):
                    a = pull[i + 1][j][k] - pull[i][j][k] if i + 1 < n else -pull[i][j][k]
                    a = times(w[i], a) - (g if j == 2 and k == 0 else 0)
                    q[i][j].append(v[i][j][k] // (k + 1))
                    v[i][j].append(over(a - before[j], self.l[i]) // (k + 1))
                    before[j] = a
        return q, v

    def eliminate(self, c):
        """Thomas's algorithm: couplings, reciprocal pivots."""
        n, w = self.n, self.inverse
        coupling = [times(w[i], c[i]) for i in range(n - 1)]
        reciprocal = []
        for i in range(n):
            pivot = -w[i] - (w[i - 1] if i else 0)
            if i:
                pivot -= times(times(coupling[i - 1], coupling[i - 1]), reciprocal[-1])
            reciprocal.append(over(ONE, pivot))
        return coupling, reciprocal

    def solve(self, eliminated, right):
        coupling, reciprocal = eliminated
        y = list(right)
        for i in range(1, self.n):
            y[i] -= times(coupling[i - 1], times(y[i - 1], reciprocal[i - 1]))
        for i in reversed(range(self.n)):
            if i + 1 < self.n:
                y[i] -= times(coupling[i], y[i + 1])
            y[i] = times(y[i], reciprocal[i])
        return y


def compare_motion(folder, name, last_time):
    data = json.loads((folder / f"sphere/{name}.json").read_text())
    numbers = lambda rows: [[number(x) for x in row] for row in rows]
    start = data["states"][0]
    chain = Chain([number(x) for x in data["m"]], [number(x) for x in data["l"]],
                  number(data["g"]), numbers(start["q"]), numbers(start["omega"]))
    result = Comparison(27)
    for state in data["states"]:
        if float(state["t"]) > last_time:
            break
        q, omega = chain.to(number(state["t"]))
        result.add(q, state["q"])
        result.add(omega, state["omega"])
        reached = state["t"]
    return result.report(f"sphere/{name}, t <= {reached}")


def compare_ends(path, accuracy="2e-27", order=42, bits=BITS + 10):
    """Positions of the masses at the end; m = l = 1, g = 9.81, all q and omega alike."""
    lines = path.read_text().split("\n")
    n, T = (int(x) for x in lines[0].split())
    s = fixed.root(ONE // 2)
    w = number("0.4")
    chain = Chain([ONE] * n, [ONE] * n, number("9.81"), [[s, 0, -s]] * n, [[w, 0, w]] * n, order, bits)
    q, _ = chain.to(T * ONE)
    result = Comparison(26, accuracy)
    x = [0, 0, 0]
    for row, line in zip(q, lines[1:n + 1]):
        x = [a + b for a, b in zip(x, row)]
        result.add(x, line.split())
    if result.count != 3 * n:
        raise ValueError(f"{path}: {result.count} numbers of {n} masses")
    return result.report(f"chain_refs/{path.stem}")


def recompute(folder, everything):
    good = compare_motion(folder, "chain5", math.inf if everything else 0.25)
    good &= compare_motion(folder, "double_regular", math.inf if everything else 1.0)
    wanted = {"n1_T10": 1, "n2_T10": 0, "n10_T2": 0, "n10_T10": 0, "n100_T1": 0, "n1000_T1": 0}
    files = folder / "chain_refs"
    if sorted(p.stem for p in files.glob("*.txt")) != sorted(wanted):
        raise ValueError(f"{files} has other files than {', '.join(wanted)}")
    for name, quick in wanted.items():
        if everything or quick:
            # Of 1000 links half the digits are known, for which steps ten times as long will do.
            how = ("3e-16", 30, 90) if name == "n1000_T1" else ()
            good &= compare_ends(files / f"{name}.txt", *how)
    return good
