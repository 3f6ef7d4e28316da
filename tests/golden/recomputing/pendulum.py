# SPDX-License-Identifier: BSD-3-Clause
"""The spherical pendulum with G = g/r, unit vector q and angular velocity omega in space,
    q' = omega x q,   omega' = -G q x e3,
and in the body frame of [D0 (17)], [D0 (18)],
    Gamma' = Gamma x Omega,   Omega' = G (Gamma2, -Gamma1, 0):
polynomial differential equations, whose Taylor series follow from products of series. They are
summed to order 42 with steps of 0.2/sqrt(G). The files have orders 40 and 46 of another form, and
elliptic functions.
"""

import json
import math

from .compare import Comparison
from .fixed import ONE, at, cross, dot, last, number, over, root, times

ORDER, DIGITS = 42, 27


def cross_term(a, b):
    """The last coefficient of a x b for series a, b (a list for each component)."""
    return [last(a[i - 2], b[i - 1]) - last(a[i - 1], b[i - 2]) for i in range(3)]


def space(G, q, omega, k):
    return cross_term(omega, q), [-times(G, q[1][k]), times(G, q[0][k]), 0]


def body(G, Gamma, Omega, k):
    return cross_term(Gamma, Omega), [times(G, Gamma[1][k]), -times(G, Gamma[0][k]), 0]


def advance(form, G, h, first, second):
    """One step h of the Taylor series of (first, second)."""
    a, b = [[x] for x in first], [[x] for x in second]
    for k in range(ORDER):
        for series, derivative in zip((a, b), form(G, a, b, k)):
            for component, value in zip(series, derivative):
                component.append(value // (k + 1))
    return [at(s, h) for s in a], [at(s, h) for s in b]


def flow(form, G, first, second, times_wanted):
    """Yields the state at each of the times, given as decimal strings in ascending order."""
    now = 0
    longest = over(number("0.2"), root(G))
    for text in times_wanted:
        span = number(text) - now
        steps = -(-span // longest)
        for i in range(steps):
            h = span * (i + 1) // steps - span * i // steps
            first, second = advance(form, G, h, first, second)
        now += span
        yield first, second


def attitude(Gamma):
    """Rows of R0: b1, Gamma x b1, Gamma with b1 = unit(e1 - Gamma (Gamma . e1)); [MATH 5.3]."""
    b1 = [(ONE if i == 0 else 0) - times(Gamma[i], Gamma[0]) for i in range(3)]
    length = root(dot(b1, b1))
    b1 = [over(x, length) for x in b1]
    return [b1, cross(Gamma, b1), Gamma]


def document_start(sign):
    """Data of D0, section VII, Gamma made a unit vector: (q, omega), (Gamma, Omega)."""
    Gamma = [number("0.3"), number("0.2"), sign * root(number("0.87"))]
    Omega = [number("0.6"), 0, 0]
    R = attitude(Gamma)
    return ([row[2] for row in R], [dot(row, Omega) for row in R]), (Gamma, Omega)


def compare_states(name, states, G, space_start, body_start, limit):
    states = [s for s in states if float(s["t"]) <= limit]
    wanted = [s["t"] for s in states]
    result = Comparison(DIGITS)
    for s, (q, omega) in zip(states, flow(space, G, *space_start, wanted)):
        result.add(q, s["q"])
        result.add(omega, s["omega"])
    if body_start and "Gamma_body" in states[0]:
        for s, (Gamma, Omega) in zip(states, flow(body, G, *body_start, wanted)):
            result.add(Gamma, s["Gamma_body"])
            result.add(Omega, s["Omega_body"])
    return result.report(f"{name}, t <= {wanted[-1]}")


def midpoint_step(G, h, Gamma, Omega):
    """The implicit midpoint rule of the body form, which is D0's integrator [MATH 5.1]."""
    Gamma_mid, Omega_mid = Gamma, Omega
    for _ in range(400):  # a contraction by about h
        previous = Gamma_mid, Omega_mid
        slope = cross(Gamma_mid, Omega_mid)
        Gamma_mid = [x + times(h, d) // 2 for x, d in zip(Gamma, slope)]
        Omega_mid = [Omega[0] + times(h, times(G, Gamma_mid[1])) // 2,
                     Omega[1] - times(h, times(G, Gamma_mid[0])) // 2, Omega[2]]
        if (Gamma_mid, Omega_mid) == previous:
            break
    return ([2 * m - x for m, x in zip(Gamma_mid, Gamma)], [2 * m - x for m, x in zip(Omega_mid, Omega)])


def document_data(folder):
    """Gamma as printed, not quite a unit vector; p = m r^2 Omega."""
    data = json.loads((folder / "spherical_pendulum_doc000.json").read_text())
    inertia = times(number("9.8"), number("9.8"))
    Gamma, Omega = [number(x) for x in data["init"]["q"]], [number("0.6"), 0, 0]
    result = Comparison(28)
    states = flow(body, ONE, Gamma, Omega, [s["t"] for s in data["continuous"]])
    for s, (Gamma_t, Omega_t) in zip(data["continuous"], states):
        result.add(Gamma_t, s["q"])
        result.add([times(inertia, x) for x in Omega_t[:2]], s["p"])
    good = result.report("spherical_pendulum_doc000, continuous")

    result = Comparison(28)
    node = data["discrete_hamel_node"]
    h, step = number(node["h"]), 0
    for n, s in sorted(node["steps"].items(), key=lambda item: int(item[0])):
        while step < int(n):
            Gamma, Omega = midpoint_step(ONE, h, Gamma, Omega)
            step += 1
        result.add(Gamma, s["q"])
        result.add([times(inertia, x) for x in Omega[:2]], s["p"])
    return result.report(f"spherical_pendulum_doc000, {step} steps") and good


def end_of_the_benchmark(folder):
    """benchmark/references: the bob at t = 10, from sphpend_doc000.json; l = 9.8."""
    states = json.loads((folder / "sphpend_doc000.json").read_text())["states"]
    (q,) = [s["q"][0] for s in states if float(s["t"]) == 10.0]
    path = folder.parent.parent / "benchmark/references/spherical_pendulum_T10.txt"
    first, second = path.read_text().strip().split("\n")
    if first != "1 10":
        raise ValueError(f"{path}: {first}")
    result = Comparison(26)
    result.add([times(number("9.8"), number(x)) for x in q], second.split())
    return result.report("benchmark/references/spherical_pendulum_T10")


def recompute(folder, everything):
    limit = math.inf if everything else 200.0
    good = True
    for name, sign in (("sphpend_doc000", -1), ("sphpend_above", 1)):
        data = json.loads((folder / f"{name}.json").read_text())
        good &= compare_states(name, data["states"], ONE, *document_start(sign), limit)

    data = json.loads((folder / "sphpend_southpole.json").read_text())
    start = data["states"][0]  # given in few digits
    start = [[number(x) for x in start[key][0]] for key in ("q", "omega")]
    G = over(number(data["g"]), number(data["l"][0]))
    good &= compare_states("sphpend_southpole", data["states"], G, start, None, limit)

    data = json.loads((folder / "sphpend_exact_long.json").read_text())
    for case, sign in zip(data["cases"], (-1, 1)):
        good &= compare_states(f"sphpend_exact_long, {case['case']}", case["states"], ONE,
                               *document_start(sign), limit)
    good &= end_of_the_benchmark(folder)
    return document_data(folder) and good
