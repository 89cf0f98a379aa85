"""Labelled gomoku games as arrays: what the network learns from, and how well it agrees with the engine.

`ai.lab.label_gomoku` makes the games. No stone is searched for here, so that no engine is needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.gomoku.book import SIZE, SYMMETRIES, turned
from ai.score import Score
from ai.win_probability import win_probability
from games.position import Position
from games.registry import setup

Array = npt.NDArray[Any]
Label = tuple[int, int, int | None]
"""Ply, best move, and score for the side to move; None where one move was forced and nothing was searched."""

EXAM = Path(__file__).with_name("gomoku_exam.jsonl")

_HELD_OUT = 20

IMAGES = np.array([[turned(cell, how) for cell in range(SIZE * SIZE)] for how in SYMMETRIES])
"""The image of each cell by each symmetry."""


@dataclass
class Game:
    """The moves of a game, and the labels of some of its positions."""

    moves: list[int]
    labels: list[Label] = field(default_factory=list)

    def line(self) -> str:
        return json.dumps({"moves": self.moves, "labels": self.labels}, separators=(",", ":")) + "\n"

    def position(self, ply: int) -> Position:
        """Return the position after `ply` moves."""
        position = setup("gomoku").start()
        for move in self.moves[:ply]:
            position = position.play(move)
        return position


def games_of(file: Path) -> Iterator[Game]:
    """Yield the games of the whole lines of a file, which may be growing."""
    for line in file.read_text(encoding="ascii").splitlines(keepends=True):
        if line.endswith("\n"):
            found = json.loads(line)
            yield Game(found["moves"], [(ply, move, score) for ply, move, score in found["labels"]])


class Labels(NamedTuple):
    """Positions: the board (count, cells) with 1 for the side to move and 2 for the other, the engine's move, and its
    expected result for the side to move, -1 to 1."""

    boards: Array
    moves: Array
    values: Array

    def chosen(self, which: Array) -> Labels:
        return Labels(*(array[which] for array in self))

    def planes(self) -> Array:
        boards = self.boards.reshape(-1, SIZE, SIZE)
        return np.stack([boards == 1, boards == 2], axis=-1)

    def turned(self, how: Array) -> Labels:
        """Return the images by the symmetries with the numbers `how`, one a position."""
        boards = np.empty_like(self.boards)
        np.put_along_axis(boards, IMAGES[how], self.boards, axis=1)
        return Labels(boards, IMAGES[how, self.moves], self.values)

    def keys(self) -> list[bytes]:
        """Return a key of each position, which is the same for all its images."""
        count = len(self.moves)
        images = [self.turned(np.full(count, how)).boards for how in range(len(IMAGES))]
        return [min(board.tobytes() for board in boards) for boards in zip(*images, strict=True)]

    def without(self, others: Labels) -> Labels:
        """Return those that are not among the `others`, nor their images."""
        known = set(others.keys())
        return self.chosen(np.array([key not in known for key in self.keys()], bool))


def labels_of(games: Iterable[Game]) -> Labels:
    """Return all labels of the games that have a value."""
    boards, moves, values = [], [], []
    for game in games:
        for (ply, move, _score), value in zip(game.labels, _values(game), strict=True):
            if value is not None:
                board = np.zeros(SIZE * SIZE, np.int8)
                for side in (0, 1):
                    board[game.moves[side:ply:2]] = 1 + (ply + side) % 2
                boards.append(board)
                moves.append(move)
                values.append(value)
    return Labels(
        np.array(boards, np.int8).reshape(-1, SIZE * SIZE), np.array(moves, int), np.array(values, np.float32)
    )


def _values(game: Game) -> list[float | None]:
    """Return the expected results for the side to move. That of a forced move is the one after it; None if nothing is
    known after it."""
    freestyle, values = setup("gomoku"), list[float | None]()
    after: dict[int, float] = {}
    for ply, _move, score in reversed(game.labels):
        if score is not None:
            mate = Score(score).mate
            after[ply] = 2 * win_probability(freestyle, score, mate, ply) - 1
        elif ply + 1 in after:
            after[ply] = -after[ply + 1]
        values.append(after.get(ply))
    return values[::-1]


def split(files: Iterable[list[Game]], exam: Labels) -> tuple[Labels, Labels]:
    """Return the labels to learn from, and those of every `_HELD_OUT`th game of each file; no position, nor an image of
    it, is among both, or in the `exam`."""
    games = [numbered for file in files for numbered in enumerate(file)]
    learned, held_out = (
        labels_of(game for number, game in games if (number % _HELD_OUT == 0) == held) for held in (False, True)
    )
    held_out = held_out.without(exam)
    return learned.without(exam).without(held_out), held_out


def distinct(games: Iterable[Game], others: Labels, count: int) -> list[Game]:
    """Return the games with the first `count` labels of positions that differ from each other and from the `others`,
    and from all their images."""
    known, found = set(others.keys()), []
    for game in games:
        chosen = Game(game.moves)
        for label in game.labels:
            (key,) = labels_of([Game(game.moves, [label])]).keys()
            if key not in known and len(chosen.labels) < count:
                known.add(key)
                chosen.labels.append(label)
        count -= len(chosen.labels)
        found += [chosen] if chosen.labels else []
    return found


def among_first(logits: Array, labels: Labels, count: int) -> float:
    """Return the share of positions in which the engine's move is among the `count` empty cells with the greatest
    logits."""
    logits = np.where(labels.boards == 0, logits, -np.inf)
    chosen = np.take_along_axis(logits, labels.moves[:, None], axis=1)
    return float(np.mean((logits >= chosen).sum(axis=1) <= count))
