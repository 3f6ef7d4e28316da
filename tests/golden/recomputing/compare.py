# SPDX-License-Identifier: BSD-3-Clause
"""Numbers computed anew beside the digits of a file."""

from .decimals import D as Decimal
from .fixed import ONE


class Comparison:
    """Differences in units of the last digit that a file gives.

    A number that was rounded to so many significant digits differs by half a unit at most. Where the
    file is less accurate than it has digits, `accuracy` is what it is said to have.
    """

    def __init__(self, digits, accuracy="1e-40"):
        self.largest, self.count = Decimal(0), 0
        self.digits, self.accuracy = digits, Decimal(accuracy)

    def add(self, computed, given):
        """Fixed-point numbers or Decimals against the strings of a file, in any nesting."""
        if isinstance(given, list):
            if len(given) == 1 and len(computed) != 1:  # [[x, y, z]] of a single pendulum
                given = given[0]
            if len(given) != len(computed):
                raise ValueError(f"{len(given)} numbers in the file, {len(computed)} computed")
            for c, g in zip(computed, given):
                self.add(c, g)
            return
        value = Decimal(computed) / ONE if isinstance(computed, int) else computed
        written = Decimal(given)
        size = written if written else Decimal("1e-10")  # 0 is meant to be exact
        unit = Decimal(10) ** (size.adjusted() + 1 - self.digits)
        self.largest = max(self.largest, (abs(value - written) - self.accuracy) / unit)
        self.count += 1

    def report(self, name):
        good = self.count > 0 and self.largest <= Decimal("0.501")
        print(f"{'ok     ' if good else 'DIFFERS'} {name:48} {self.count:5} numbers, largest "
              f"difference {self.largest:.2e} of a last digit", flush=True)
        return good
