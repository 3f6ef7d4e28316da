# SPDX-License-Identifier: BSD-3-Clause
"""When two numbers at round-off are alike, for pages that show them.

Round-off is what is left of a quantity that is kept: it depends on the order of operations, so on the
compiler and on the C library, and its digits mean nothing. Its magnitude does: a quantity that was kept
to 1e-15 and is kept to 1e-13 now is worse.

Shared by tools/measured and tests/docs.
"""

LIMIT = 1e-12  # both numbers below: round-off. Drifts of a million steps stay below, errors of methods do not.
ZERO = 1e-16   # what 0 stands for: half an ulp of 1


def alike(a, b, factor):
    """Are they of one magnitude? 0 is as good as half an ulp; signs do not count."""
    a, b = abs(a), abs(b)
    low, high = min(a, b), max(a, b)
    return high <= factor * (low or ZERO)
