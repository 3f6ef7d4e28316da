# SPDX-License-Identifier: BSD-3-Clause
"""Decimals of 60 digits with sine and cosine, derivatives in one direction, linear systems."""

import decimal
import functools

D = decimal.Decimal
decimal.getcontext().prec = 60


@functools.lru_cache(maxsize=256)  # derivatives in several directions ask for the same
def sin_cos(x):
    """Taylor series at x/2^12, then the angle doubled twelve times."""
    with decimal.localcontext() as context:
        context.prec += 12
        y = x / 4096
        s, c, term, k = D(0), D(0), D(1), 0
        while abs(term) > D(10) ** -context.prec:
            if k % 2:
                s += term if k % 4 == 1 else -term
            else:
                c += term if k % 4 == 0 else -term
            k += 1
            term = term * y / k
        for _ in range(12):
            s, c = 2 * s * c, c * c - s * s
    return +s, +c


natural_exponential = functools.lru_cache(maxsize=256)(D.exp)


class Dual:
    """A number and its derivative in one direction."""

    __slots__ = ("v", "d")

    def __init__(self, v, d=D(0)):
        self.v, self.d = v, d

    def __add__(self, o):
        return Dual(self.v + o.v, self.d + o.d) if isinstance(o, Dual) else Dual(self.v + o, self.d)

    def __mul__(self, o):
        if isinstance(o, Dual):
            return Dual(self.v * o.v, self.d * o.v + self.v * o.d)
        return Dual(self.v * o, self.d * o)

    def __truediv__(self, o):
        if isinstance(o, Dual):
            return Dual(self.v / o.v, (self.d - self.v / o.v * o.d) / o.v)
        return Dual(self.v / o, self.d / o)

    def __rtruediv__(self, o):
        return Dual(D(o)) / self

    def __neg__(self):
        return Dual(-self.v, -self.d)

    def __sub__(self, o):
        return self + -o

    def __rsub__(self, o):
        return -self + o

    __radd__, __rmul__ = __add__, __mul__


def sin(x):
    if isinstance(x, Dual):
        s, c = sin_cos(x.v)
        return Dual(s, c * x.d)
    return sin_cos(x)[0]


def cos(x):
    if isinstance(x, Dual):
        s, c = sin_cos(x.v)
        return Dual(c, -s * x.d)
    return sin_cos(x)[1]


def exp(x):
    if isinstance(x, Dual):
        e = exp(x.v)
        return Dual(e, e * x.d)
    return natural_exponential(x)


def derivative(f, x, direction):
    """d/de f(x + e direction) at e = 0, f of a list, with a number or a list as value."""
    y = f([Dual(a, b) for a, b in zip(x, direction)])
    part = lambda value: value.d if isinstance(value, Dual) else D(0)
    return [part(value) for value in y] if isinstance(y, list) else part(y)


def solve(A, b):
    """Gauss's elimination with the largest pivots of the columns."""
    n, rows = len(b), [list(row) + [x] for row, x in zip(A, b)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    x = [D(0)] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
