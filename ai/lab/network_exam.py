"""Positions with known results, by which a network is measured while it is trained."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.network.network import planes_of
from ai.solvers.connect4_kernels import NO_LIMIT, STATE, solve
from ai.system.compiler.jit import new_record, new_table
from games.connect4 import WIDTH, Connect4Position
from games.position import FIRST, Position
from games.registry import setup
from games.storage import write_atomic

Array = npt.NDArray[Any]

_ILLEGAL = -2  # instead of the result of a move: 1 a win, 0 a draw, -1 a loss
_COUNT = 1000  # positions of Connect Four
_LEAST, _MOST = 12, 28  # discs of each
_TABLE_MB = 128


class Exam(NamedTuple):
    """Positions in which not every move has the same result: their planes, and the result of each move."""

    planes: Array
    results: Array

    def agreement(self, logits: Array) -> float:
        """Return the share of positions in which the legal move with the greatest logit keeps the best result."""
        chosen = np.where(self.results == _ILLEGAL, -np.inf, logits).argmax(axis=1)
        return float(np.mean(self.results[np.arange(len(chosen)), chosen] == self.results.max(axis=1)))

    def chance(self) -> float:
        """Return the expected agreement of a random legal move."""
        legal = self.results != _ILLEGAL
        best = self.results == self.results.max(axis=1, keepdims=True)
        return float(np.mean(best.sum(axis=1) / legal.sum(axis=1)))

    def value_error(self, values: Array) -> float:
        """Return the mean absolute difference of values and exact results."""
        return float(np.mean(np.abs(values - self.results.max(axis=1))))


def exam(game: str, file: Path) -> Exam:
    """Return the exam in `file`; make it first if it is not there, which takes a minute.

    For Connect Four it has `_COUNT` positions of games by chance, for tic-tac-toe all positions.
    """
    if not file.is_file():
        questions = list(_connect4() if game == "connect4" else _tictactoe())
        planes, results = (np.array(column) for column in zip(*questions, strict=True))
        data = io.BytesIO()
        np.savez_compressed(data, planes=planes, results=results.astype(np.int8))
        write_atomic(file, data.getvalue())
    with np.load(file) as arrays:
        return Exam(arrays["planes"], arrays["results"])


def _question(position: Position, width: int, results: list[int]) -> Iterator[tuple[Array, list[int]]]:
    """Yield the position if its moves differ in their results."""
    if len(set(results) - {_ILLEGAL}) > 1:
        yield planes_of(position, width), results


def _results(position: Position, moves: int, value: Callable[[Position], int]) -> list[int]:
    """Return the result of each move for the side to move; `value` solves a position that goes on."""
    legal = set(position.legal_moves())
    found = []
    for move in range(moves):
        after = position.play(move) if move in legal else None
        if after is None:
            found.append(_ILLEGAL)
        elif after.outcome is not None:
            found.append(0 if after.outcome.winner is None else 1)
        else:
            found.append(-value(after))
    return found


def _by_chance(discs: int, dice: random.Random) -> Connect4Position:
    """Return a position of a game that goes on, after so many moves by chance."""
    while True:
        position = setup("connect4").start()
        while position.outcome is None and position.ply < discs:
            position = position.play(dice.choice(list(position.legal_moves())))
        if position.outcome is None:
            assert isinstance(position, Connect4Position)
            return position


def _connect4() -> Iterator[tuple[Array, list[int]]]:
    state, table, dice = new_record(STATE), new_table(_TABLE_MB << 17), random.Random(1)
    state.node_limit = NO_LIMIT

    def value(position: Position) -> int:
        assert isinstance(position, Connect4Position)
        own, other = position.first, position.second
        if position.turn != FIRST:
            own, other = other, own
        return int(np.sign(solve(state, table, own, own | other, -1, 1)))

    found = 0
    while found < _COUNT:
        position = _by_chance(dice.randint(_LEAST, _MOST), dice)
        for question in _question(position, WIDTH, _results(position, WIDTH, value)):
            found += 1
            yield question


def _tictactoe() -> Iterator[tuple[Array, list[int]]]:
    known: dict[Any, list[int]] = {}

    def value(position: Position) -> int:
        if position.key not in known:
            known[position.key] = _results(position, 9, value)
            positions.append(position)
        return max(known[position.key])

    positions: list[Position] = []
    value(setup("tictactoe").start())
    for position in positions:
        yield from _question(position, 3, known[position.key])
