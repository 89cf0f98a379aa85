"""Positions of self-play as arrays, in batches for gradient descent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.gomoku.kernels import patterns as p

_BATCH = 1024

Floats = npt.NDArray[np.float64]
Data = dict[str, npt.NDArray[Any]]
SETS = p.combinations()


@dataclass
class Counted:
    """Sets of patterns in the positions of a batch: `counts` times `sets` in `rows`, which begin at `starts`."""

    rows: npt.NDArray[np.int64]
    sets: npt.NDArray[np.int64]
    counts: Floats
    starts: npt.NDArray[np.int64]

    def sums(self, by_set: Floats) -> Floats:
        """Sum the rows of `by_set` for each position."""
        sums: Floats = np.add.reduceat(by_set[self.sets] * self.counts[:, None], self.starts, axis=0)
        return sums

    def by_set(self, by_row: Floats) -> Floats:
        """Transpose: sum, for each set, the rows of `by_row` that contain it."""
        width = by_row.shape[1]
        places = self.sets[:, None] * width + np.arange(width)
        values = by_row[self.rows] * self.counts[:, None]
        return summed(places.ravel(), values.ravel(), len(SETS) * width).reshape(-1, width)


@dataclass
class Batch:
    """A batch of consecutive positions; `starts` index their first cells in the flat columns of `flat`."""

    rows: slice
    flat: slice
    starts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    cache: dict[str, Counted] = field(default_factory=dict)

    def sums(self, by_cell: Floats) -> Floats:
        sums: Floats = np.add.reduceat(by_cell, self.starts)
        return sums

    def spread(self, by_row: Floats) -> Floats:
        rows: Floats = np.repeat(by_row, self.lengths)
        return rows

    def counted(self, data: Data, name: str) -> Counted:
        """Count each set of the column `name` in each position, once."""
        if name not in self.cache:
            rows = np.repeat(np.arange(len(self.lengths)), self.lengths)
            keys, counts = np.unique(rows * len(SETS) + data[name][self.flat], return_counts=True)
            rows, sets = np.divmod(keys, len(SETS))
            starts = np.searchsorted(rows, np.arange(len(self.lengths)))
            self.cache[name] = Counted(rows, sets, counts.astype(np.float64), starts)
        return self.cache[name]


def batches(data: Data) -> list[Batch]:
    """Yield all positions in batches of a few thousand."""
    lengths = data["lengths"].astype(np.int64)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    batches = []
    for first in range(0, len(lengths), _BATCH):
        last = min(first + _BATCH, len(lengths))
        starts = ends[first:last] - ends[first]
        batches.append(Batch(slice(first, last), slice(ends[first], ends[last]), starts, lengths[first:last]))
    return batches


def load(files: Sequence[Path]) -> Data:
    """Load the positions of all files, shuffled to mix games in a batch."""
    loaded = [np.load(file) for file in files]
    data = {name: np.concatenate([part[name] for part in loaded]) for name in loaded[0].files}
    order = np.random.default_rng(2).permutation(np.flatnonzero(data["lengths"]))
    return chosen(data, order)


def chosen(data: Data, rows: npt.NDArray[np.int64]) -> Data:
    """Select the positions `rows`, in that order."""
    lengths = data["lengths"].astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    taken = lengths[rows]
    shift = np.repeat(starts[rows] - (np.cumsum(taken) - taken), taken)
    cells = shift + np.arange(taken.sum())
    flat = ("cells", "tried", "moving", "waiting")
    return {name: column[cells if name in flat else rows] for name, column in data.items()}


def summed(places: npt.NDArray[Any], values: Floats, length: int) -> Floats:
    """Sum the `values` at each place."""
    return np.bincount(places, values, length).astype(np.float64)
