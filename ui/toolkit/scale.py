"""The scale of an axis, without pixels: round numbers from one end to the other."""

from __future__ import annotations

import math
from dataclasses import dataclass

_ROUND = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Scale:
    """From `low` to `high`, both multiples of `step`."""

    low: float
    high: float
    step: float

    @classmethod
    def over(cls, low: float, high: float, most: int, least: float = 0.0) -> Scale:
        """Return the finest scale from `low` to `high` with steps of 1, 2 or 5 times a power of ten, at least `least`,
        of which at most `most` are between the two."""
        wanted = max((high - low) / most, least, 1e-9)
        power = 10.0 ** math.floor(math.log10(wanted) + 1e-9)
        step = next(power * digit for digit in _ROUND if power * digit >= wanted * (1 - 1e-9))
        return cls(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, step)

    @property
    def marks(self) -> list[float]:
        count = round((self.high - self.low) / self.step)
        return [self.low + number * self.step for number in range(count + 1)]

    def share(self, value: float) -> float:
        """Where a value lies, from 0 at the low end to 1."""
        return (value - self.low) / (self.high - self.low or 1)
