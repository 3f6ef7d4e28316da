# SPDX-License-Identifier: BSD-3-Clause
"""The motions of golden/frames: equations of motion [MATH 1.6], [MATH 4] made polynomial by further
unknowns (sines, cosines, exponentials, reciprocals obey differential equations of their own).

The files were made by extrapolation of Hamel's equations. Here nothing is taken from them but the
times: parameters and initial data are those of the table below.
"""

import json
from fractions import Fraction as Rational

from .compare import Comparison
from .decimals import D, cos, sin
from .fixed import ONE, number, times
from .series import Flow

DIGITS = 28


class Motion:
    """f, start: z' = f(z); q, xi, p: what the file has, as functions of z."""

    def __init__(self, f, start, q, xi, p):
        self.f, self.start, self.q, self.xi, self.p = f, [number(x) for x in start], q, xi, p


def linear(rows, x):
    """Fixed-point product of a rational matrix and a vector."""
    return [sum(Rational(m) * v for m, v in zip(row, x)).__floor__() for row in rows]


def sleigh(a, v0, omega0):
    """m = I = 1: v' = a omega^2, (1 + a^2) omega' = -a v omega; blade at (x, y)."""
    a = Rational(a)
    inertia = 1 + a * a

    def f(x, y, theta, v, omega, s, c):
        return [v * c, v * s, 1 * omega, a * omega * omega, -a / inertia * v * omega, c * omega,
                -s * omega]

    return Motion(f, ["0", "0", "0", v0, omega0, "0", "1"], lambda z: z[:3], lambda z: z[3:5],
                  lambda z: linear([[1, 0], [0, inertia]], z[3:5]))


def knife_edge():
    """g sin(incline) = 2, m = I = 1: v' = 2 cos phi."""
    def f(x, y, phi, v, omega, s, c):
        return [v * c, v * s, 1 * omega, 2 * c, 0 * omega, c * omega, -s * omega]

    return Motion(f, ["0", "0", "0", "0", "1.3", "0", "1"], lambda z: z[:3], lambda z: z[3:5],
                  lambda z: z[3:5])


def rolling_disk():
    """m = 1, R = 1/2, I = 1/5, J = 1/10: the wheel turns at 2 rad/s, its plane at 1 rad/s."""
    def f(x, y, theta, phi, w, v, s, c):
        return [Rational(1, 2) * w * c, Rational(1, 2) * w * s, 1 * w, 1 * v, 0 * w, 0 * v, c * v,
                -s * v]

    return Motion(f, ["0", "0", "0", "0.3", "2", "1", str(sin(D("0.3"))), str(cos(D("0.3")))],
                  lambda z: z[:4], lambda z: z[4:6],
                  lambda z: linear([[Rational(9, 20), 0], [0, Rational(1, 10)]], z[4:6]))


def lynch_zenkov():
    """a = 1, b = 1/2 + 2r, U = 2r^2 + r/2. With k = a xi1 + b xi2:
    mu1' = (a - b') k xi2 + b' k xi2 - U' = k xi2 - U',   mu2' = -(a - b') k xi1 = k xi1;
    xi = (mu1 - a e, mu2 - b e) with k = (a mu1 + b mu2)/(1 + a^2 + b^2).
    Unknowns besides: e^g, w = 1/(1 + a^2 + b^2).
    """
    def velocity(r, mu1, mu2, w, multiply):
        b = 2 * r + Rational(1, 2) if not isinstance(r, int) else 2 * r + ONE // 2
        k = multiply(w, mu1 + multiply(b, mu2))
        return b, k, mu1 - k, mu2 - multiply(b, k)

    def f(r, g, s, mu1, mu2, e, w):
        b, k, xi1, xi2 = velocity(r, mu1, mu2, w, lambda x, y: x * y)
        return [xi1, xi2, -(e * k), k * xi2 - 4 * r + Rational(-1, 2), k * xi1, e * xi2,
                -4 * (b * xi1) * (w * w)]

    w0 = D(1) / (2 + D("0.9") ** 2)
    xi = lambda z: list(velocity(z[0], z[3], z[4], z[6], times)[2:])
    return Motion(f, ["0.2", "0", "0", "1.01", "1.719", "1", str(w0)], lambda z: z[:3], xi,
                  lambda z: z[3:5])


def kepler():
    """r'' = r theta'^2 - 1/r^2, xi = (r', r theta'); with u = 1/r."""
    def f(r, theta, radial, transverse, u):
        return [1 * radial, transverse * u, transverse * transverse * u - u * u,
                -(radial * transverse * u), -(u * u) * radial]

    return Motion(f, ["1", "0", "0", "1.2", "1"], lambda z: z[:2], lambda z: z[2:4],
                  lambda z: z[2:4])


def attitude(R, xi):
    """R' = R xi^, row by row: Gamma' = Gamma x xi."""
    return [R[3 * i + (j + 1) % 3] * xi[(j + 2) % 3] - R[3 * i + (j + 2) % 3] * xi[(j + 1) % 3]
            for i in range(3) for j in range(3)]


def cross(a, b):
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]


IDENTITY = ["1", "0", "0", "0", "1", "0", "0", "0", "1"]


def euler_top():
    """mu = J xi, mu' = mu x xi, J = diag(1, 2, 3)."""
    def f(*z):
        xi = [Rational(1, 1) * z[9], Rational(1, 2) * z[10], Rational(1, 3) * z[11]]
        return attitude(z[:9], xi) + cross(z[9:], xi)

    xi = lambda z: linear([[1, 0, 0], [0, Rational(1, 2), 0], [0, 0, Rational(1, 3)]], z[9:])
    return Motion(f, IDENTITY + ["1", "2", "3"], lambda z: z[:9], xi, lambda z: z[9:])


def lagrange_start():
    """Rz(phi) Rx(theta) Rz(psi), phi = 0.3, theta = 1, psi = 0.2."""
    def about(axis, angle):
        c, s = cos(D(angle)), sin(D(angle))
        R = [[D(i == j) for j in range(3)] for i in range(3)]
        i, j = (axis + 1) % 3, (axis + 2) % 3
        R[i][i], R[i][j], R[j][i], R[j][j] = c, -s, s, c
        return R

    def product(A, B):
        return [[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]

    R = product(product(about(2, "0.3"), about(0, "1")), about(2, "0.2"))
    return [x for row in R for x in row]


def lagrange_top():
    """J = diag(1, 1, 3/2), weight 1 at chi = e3: mu' = mu x xi + Gamma x chi, Gamma = row 3 of R."""
    def f(*z):
        xi = [1 * z[9], 1 * z[10], Rational(2, 3) * z[11]]
        m = cross(z[9:], xi)
        return attitude(z[:9], xi) + [m[0] + z[7], m[1] - z[6], m[2]]

    xi = lambda z: linear([[1, 0, 0], [0, 1, 0], [0, 0, Rational(2, 3)]], z[9:])
    return Motion(f, [str(x) for x in lagrange_start()] + ["0.5", "0.3", "2"], lambda z: z[:9], xi,
                  lambda z: z[9:])


def suslov():
    """xi3 = 0: rows 1, 2 of J xi' = mu x xi, that is 2 xi1' = -mu3 xi2, 3 xi2' = mu3 xi1."""
    def f(*z):
        xi = [z[9], z[10], 0 * z[9]]
        mu3 = Rational(1, 2) * z[9] + Rational(1, 4) * z[10]
        return attitude(z[:9], xi) + [Rational(-1, 2) * (mu3 * z[10]), Rational(1, 3) * (mu3 * z[9])]

    return Motion(f, IDENTITY + ["1", "0.7"], lambda z: z[:9], lambda z: z[9:],
                  lambda z: linear([[2, 0], [0, 3]], z[9:]))


MOTIONS = {
    "euler_top": euler_top,
    "kepler_polar": kepler,
    "knife_edge_incline": knife_edge,
    "lagrange_top": lagrange_top,
    "lynch_zenkov_A": lynch_zenkov,
    "rolling_disk": rolling_disk,
    "sleigh_balanced": lambda: sleigh("0", "1", "1"),
    "sleigh_unbalanced": lambda: sleigh("0.5", "-0.8", "0.3"),
    "suslov": suslov,
}


def compare(name, data, last_time):
    motion, result = MOTIONS[name](), Comparison(DIGITS)
    z = motion.start
    for key in ("q", "xi", "p"):
        result.add(getattr(motion, key)(z), data["init"][key])
    flow = Flow(motion.f, motion.start)
    for state in data["continuous"]:
        if float(state["t"]) > last_time:
            break
        z = flow.to(state["t"])
        q, xi, p = motion.q(z), motion.xi(z), motion.p(z)
        result.add(q, state["q"])
        result.add(xi, state["xi"])
        result.add(p, state["p"])
        for key in ("xi_analytic", "xi_closed_form"):  # the same by elementary and elliptic functions
            if key in state:
                result.add(xi, state[key])
        if "closed_form" in state:
            result.add([*xi, q[2]], [state["closed_form"][k] for k in ("v", "omega", "theta")])
        reached = state["t"]
    return result.report(f"frames/{name}, t <= {reached}")


def recompute(folder, everything):
    files = sorted(p.stem for p in (folder / "frames").glob("*.json"))
    assert files == sorted([*MOTIONS, "discrete_dla_del_half"]), files
    good = True
    for name in MOTIONS:
        data = json.loads((folder / f"frames/{name}.json").read_text())
        good &= compare(name, data, float("inf") if everything else 5.0)
    return good
