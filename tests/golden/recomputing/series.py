# SPDX-License-Identifier: BSD-3-Clause
"""Taylor series of the solution of z' = f(z), f polynomial, in fixed-point arithmetic.

f is written with +, -, * on `Series` and rational constants; every operation becomes a node that
gives its next coefficient when those it is made of have theirs.
"""

import math
from fractions import Fraction

from .fixed import BITS, at, last, number

ORDER = 40


class Series:
    def __init__(self, tape, rule):
        self.c, self.tape, self.rule = [], tape, rule
        tape.append(self)

    def __add__(self, other):
        if isinstance(other, Series):
            return Series(self.tape, lambda k: self.c[k] + other.c[k])
        constant = number_of(other)
        return Series(self.tape, lambda k: self.c[k] + (constant if k == 0 else 0))

    def __mul__(self, other):
        if isinstance(other, Series):
            return Series(self.tape, lambda k: last(self.c, other.c))
        factor = Fraction(other)
        return Series(self.tape, lambda k: self.c[k] * factor.numerator // factor.denominator)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return other + -self


def number_of(fraction):
    fraction = Fraction(fraction)
    return (fraction.numerator << BITS) // fraction.denominator


class Flow:
    """The solution of z' = f(z) through the numbers `start`."""

    def __init__(self, f, start):
        self.tape, self.time, self.value = [], 0, list(start)
        self.state = [Series([], None) for _ in start]
        for s in self.state:
            s.tape = self.tape
        self.slope = f(*self.state)

    def to(self, text):
        """The state at a later time, a decimal string."""
        end = number(text)
        while self.time < end:
            self.expand()
            h = min(self.longest(), end - self.time)
            self.value = [at(s.c, h) for s in self.state]
            self.time += h
        return self.value

    def expand(self):
        for node in self.tape:
            node.c.clear()
        for s, z in zip(self.state, self.value):
            s.c[:] = [z]
        for k in range(ORDER):
            for node in self.tape:
                node.c.append(node.rule(k))
            for s, f in zip(self.state, self.slope):
                s.c.append(f.c[k] // (k + 1))

    def longest(self):
        """A step whose last terms are 2^-10 units, 2^-(BITS + 10)."""
        rate = max(math.log2(abs(s.c[k]) + 1) / k for s in self.state for k in (ORDER - 1, ORDER))
        return int(2.0 ** (BITS - rate - 10 / ORDER))
