"""Labelled gomoku games as arrays: what the network learns from, and how well it agrees with the engine.

`ai.lab.label_gomoku` and `ai.lab.deep_labels` make the games. No stone is searched for here, so that no engine is
needed.
"""

from __future__ import annotations

import io
import json
import lzma
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.core.score import Score, win_probability
from ai.gomoku.book import SIZE, SYMMETRIES, transform
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.layout import HIDDEN, KINDS, SETS, THREATS, VECTOR
from ai.gomoku.tables import FAR, Weights
from games.position import Position
from games.registry import setup
from games.storage import write_atomic

Array = npt.NDArray[Any]
Label = tuple[int, int, int | None]
"""Ply, best move, and score for the side to move; None where one move was forced and nothing was searched."""

EXAM = Path(__file__).with_name("gomoku_exam.jsonl")

_HELD_OUT = 20

IMAGES = np.array([[transform(cell, how) for cell in range(SIZE * SIZE)] for how in SYMMETRIES])
"""The image of each cell by each symmetry."""


@dataclass
class Game:
    """The moves of a game, the labels of some of its positions, and its result for black, 1, 0 or -1, if it is kept."""

    moves: list[int]
    labels: list[Label] = field(default_factory=list)
    result: int | None = None

    def line(self) -> str:
        return json.dumps({"moves": self.moves, "labels": self.labels}, separators=(",", ":")) + "\n"

    def position(self, ply: int) -> Position:
        """Return the position after `ply` moves."""
        position = setup("gomoku").start()
        for move in self.moves[:ply]:
            position = position.play(move)
        return position


def games_of(file: Path) -> Iterator[Game]:
    """Yield the games of the whole lines of a file, which may be growing, or packed with xz."""
    text = lzma.decompress(file.read_bytes()) if file.suffix == ".xz" else file.read_bytes()
    for line in text.decode("ascii").splitlines(keepends=True):
        if line.endswith("\n") and "moves" in (found := json.loads(line)):
            labels = [(ply, move, score) for ply, move, score in found["labels"]]
            yield Game(found["moves"], labels, found.get("result"))


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


# Write files of weights: those that `ai.lab.tune` has fitted, and hand-made ones to begin with.
#
#     python -m ai.lab.gomoku_labels weights.npz
#
# writes the hand-made weights of all rules, for the first self-play after a change of the patterns.


PATTERN_WORTH = (0, 0, 1, 3, 5, 12, 16, 14, 38, 48, 42, 60, 110, 200)
"""Hand-made value of a pattern at a cell, by pattern."""

CLASS_WORTH = {p.TWO_TWO: 12, p.THREE_PLUS: 12, p.THREE_THREE: 45, p.FOUR_PLUS: 15, p.FOUR_THREE: 70, p.OPEN_FOUR: 60}

OWN_BONUS = (0, 0, 20, 60, 40, 120, 180, 400, 250, 330, 900, 2000, 4000, 0, 100, 0)
OTHER_BONUS = (0, 0, 10, 35, 20, 80, 130, 300, 120, 200, 700, 1500, 3000, 0, 60, 0)
"""Move ordering bonus for making and for preventing each class."""


@cache
def hand_made(forbidding: bool) -> Weights:
    """Return the hand-made weights of a colour; `forbidding` is black in renju."""
    sets = p.combinations()
    classes = [p.class_of(patterns, forbidding) for patterns in sets]
    values = [
        sum(PATTERN_WORTH[pattern] for pattern in patterns) + CLASS_WORTH.get(p.class_of(patterns, False), 0)
        for patterns in sets
    ]
    near = np.zeros(FAR + 1, np.int64)
    return Weights(
        moving=np.array(values, np.float64),
        waiting=np.array(values) * 0.9,
        tempo=np.array([20.0]),
        threat=np.zeros(THREATS),
        moving_vectors=np.zeros((SETS, VECTOR), np.int64),
        waiting_vectors=np.zeros((SETS, VECTOR), np.int64),
        both=np.zeros(KINDS),
        both_vectors=np.zeros((KINDS, 2 * VECTOR), np.int64),
        input_bias=np.zeros(2 * VECTOR, np.int64),
        hidden_weights=np.zeros((2 * VECTOR, HIDDEN), np.int64),
        hidden_bias=np.zeros(HIDDEN, np.int64),
        output_weights=np.zeros(HIDDEN),
        making=np.array(values, np.int64) + np.array(OWN_BONUS)[classes],
        preventing=np.array(values, np.int64) + np.array(OTHER_BONUS)[[p.class_of(s, False) for s in sets]],
        near_last=near,
        near_own=near,
    )


def save(file: Path, rule: int, note: str, colours: Sequence[Weights]) -> None:
    """Replace the weights of `rule` in `file`, creating it if necessary."""
    arrays: dict[str, Any] = {}
    if file.is_file():
        with np.load(file) as old:
            arrays = {name: old[name] for name in old.files if not name.startswith(f"{rule}/")}
    arrays[f"{rule}/note"] = np.array(note)
    for number, colour in enumerate(colours):
        arrays |= {f"{rule}/{number}/{name}": _compact(values) for name, values in asdict(colour).items()}
    data = io.BytesIO()
    np.savez_compressed(data, **arrays)
    write_atomic(file, data.getvalue())


def _compact(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert to the smallest type that holds the values: two decimals are safe in 32 bits."""
    if values.dtype.kind == "f":
        return values.astype(np.float32)
    small = values.astype(np.int16)
    return small if (small == values).all() else values.astype(np.int32)


def main() -> None:
    for rule in (p.FREESTYLE, p.STANDARD, p.RENJU):
        save(Path(sys.argv[1]), rule, "hand-made", (hand_made(rule == p.RENJU), hand_made(False)))


if __name__ == "__main__":
    main()
