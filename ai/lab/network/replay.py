"""The positions to learn from: moves of games until their results are known, then the newest of all positions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.lab.network.selfplay import Moves

Array = npt.NDArray[Any]


class Samples(NamedTuple):
    """Positions: planes (batch, height, width, 2), policies (batch, moves), and results for the side to move."""

    planes: Array
    policies: Array
    values: Array


class Unfinished:
    """The moves of games in progress. A game has at most `longest` plies."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._moves: Moves | None = None

    def add(self, moves: Moves) -> tuple[Samples, int]:
        """Return the recorded positions of the games that have ended, and the number of these games."""
        ended = int(np.sum(moves.last))
        if self._moves is not None:
            moves = Moves(*(np.concatenate(pair) for pair in zip(self._moves, moves, strict=True)))
        values, known = results(moves.rewards, moves.last)
        chosen = known & moves.recorded
        samples = Samples(moves.planes[chosen], moves.policies[chosen], values[chosen])
        rest = moves._replace(recorded=moves.recorded & ~known)
        self._moves = Moves(*(array[-self._longest :] for array in rest))
        return samples, ended


def results(rewards: Array, last: Array) -> tuple[Array, Array]:
    """Return the result for the side to move at each (ply, game), and whether it is known: whether that game ends."""
    values, known = np.zeros(rewards.shape, np.float32), np.zeros(rewards.shape, bool)
    value, ends = np.zeros(rewards.shape[1:], np.float32), np.zeros(rewards.shape[1:], bool)
    for ply in reversed(range(len(rewards))):
        value = np.where(last[ply], rewards[ply], -value)
        ends = ends | last[ply]
        values[ply], known[ply] = value, ends
    return values, known


class Replay:
    """The newest `size` positions. `mirror` gives the move that mirrors each move from left to right."""

    def __init__(self, size: int, mirror: Array) -> None:
        self._size, self._mirror = size, mirror
        self._samples: Samples | None = None

    def __len__(self) -> int:
        return 0 if self._samples is None else len(self._samples.values)

    @property
    def samples(self) -> Samples | None:
        return self._samples

    def add(self, new: Samples) -> None:
        parts = [Samples(new.planes.astype(bool), new.policies.astype(np.float16), new.values.astype(np.int8))]
        if self._samples is not None:
            parts.insert(0, self._samples)
        self._samples = Samples(*(np.concatenate(arrays)[-self._size :] for arrays in zip(*parts, strict=True)))

    def draw(self, count: int, size: int, dice: np.random.Generator) -> Samples:
        """Return `count` batches of `size` positions, each mirrored or not by chance."""
        assert self._samples is not None
        places = dice.integers(len(self), size=(count, size))
        planes, policies, values = (array[places] for array in self._samples)
        turned = dice.random((count, size)) < 0.5
        planes = np.where(turned[..., None, None, None], planes[:, :, :, ::-1], planes)
        policies = np.where(turned[..., None], policies[..., self._mirror], policies)
        return Samples(planes, policies.astype(np.float32), values.astype(np.float32))
