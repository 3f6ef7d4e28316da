# SPDX-License-Identifier: BSD-3-Clause
"""Fixed-point numbers: integers in units of 2^-BITS. 180 bits are 54 digits."""

import math
import operator

BITS = 180
ONE = 1 << BITS


def number(text):
    """A decimal string."""
    digits, _, exponent = str(text).partition("e")
    whole, _, fraction = digits.partition(".")
    scale = int(exponent or 0) - len(fraction)
    value = int(whole + fraction) << BITS
    return value * 10**scale if scale >= 0 else value // 10**-scale


def times(a, b):
    return a * b >> BITS


def over(a, b):
    return (a << BITS) // b


def root(a):
    return math.isqrt(a << BITS)


def cross(a, b):
    return [times(a[i - 2], b[i - 1]) - times(a[i - 1], b[i - 2]) for i in range(3)]


def dot(a, b):
    return sum(times(x, y) for x, y in zip(a, b))


def last(x, y):
    """The last coefficient of the product of two series of equal length."""
    return sum(map(operator.mul, x, reversed(y))) >> BITS


def at(series, h):
    """The value of a series at h."""
    value = 0
    for coefficient in reversed(series):
        value = coefficient + times(value, h)
    return value
