"""The book of solved Connect Four positions: connect4_book.npz, made by `ai.lab.make_connect4_book`.

It holds the keys of positions with few discs, one of each pair of mirror images, in ascending order, and their values
as `ai.solvers.connect4_kernels` defines both. Positions in which the side to move wins at once are left out.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from games.storage import write_atomic

FILE = Path(__file__).with_name("connect4_book.npz")


@dataclass(frozen=True)
class Book:
    """Sorted `keys` (int64) and the `values` (int8) of the positions."""

    keys: Any
    values: Any

    def value(self, key: int) -> int | None:
        """Return the value of the position with `key`; None if it is not in the book."""
        place = int(np.searchsorted(self.keys, key))
        if place < len(self.keys) and self.keys[place] == key:
            return int(self.values[place])
        return None

    @staticmethod
    def of(values: dict[int, int]) -> Book:
        """Return the book of these values by key."""
        keys = sorted(values)
        return Book(np.array(keys, np.int64), np.array([values[key] for key in keys], np.int8))

    def as_dict(self) -> dict[int, int]:
        return dict(zip(self.keys.tolist(), self.values.tolist(), strict=True))

    def save(self, file: Path = FILE) -> None:
        """Write the book: differences of keys are small numbers, which are packed well. Raise `OSError`."""
        packed = io.BytesIO()
        np.savez_compressed(packed, steps=np.diff(self.keys, prepend=0), values=self.values)
        write_atomic(file, packed.getvalue())


def load(file: Path = FILE) -> Book:
    """Read a book; an empty one if there is no file. Raise `OSError` or `ValueError`."""
    if not file.is_file():
        return Book(np.zeros(0, np.int64), np.zeros(0, np.int8))
    with np.load(file) as data:
        return Book(np.cumsum(data["steps"]), data["values"])


@cache
def book() -> Book:
    """The book that comes with the program."""
    return load()
