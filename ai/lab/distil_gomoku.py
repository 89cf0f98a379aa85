"""Train the network for gomoku with what the engine found in positions.

    nice -n 19 python -m ai.lab.distil_gomoku FOLDER --hours 2

FOLDER/games-*.jsonl are games that `ai.lab.label_gomoku games` has labelled. Every twentieth game is not learned from;
FOLDER/curve.jsonl tells every few minutes how the network agrees with the engine in these: how often the engine's move
is the first choice (`top1`) or among five (`top5`), and the mean error of the value, beside the losses. Positions of
the exam, and their images, are left out of both.

Stop it at any time: it goes on from the last checkpoint. FOLDER/weights.npz, a moving average, is to be copied to
ai/network/weights/gomoku.npz.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np

from ai.gomoku.book import SIZE
from ai.lab.gomoku_labels import EXAM, IMAGES, Labels, among_first, games_of, labels_of, split
from ai.lab.network.selfplay import Shape, apply
from ai.lab.network.training import Rates, Samples, Training

CELLS = SIZE * SIZE
SHAPE = Shape(SIZE, SIZE, CELLS, 24, 3, local=True)

_BATCH = 128
_STEPS = 20  # from one look at the clock to the next
_CHUNK = 256  # positions evaluated at once


class Distillation(Training):
    """A training run with the labels in `folder`. Raise `ValueError` if there are none."""

    def __init__(self, folder: Path, hours: float, shape: Shape = SHAPE, exam: Path = EXAM) -> None:
        super().__init__(folder, hours, shape, Rates(), ())
        files = [list(games_of(file)) for file in sorted(folder.glob("games-*.jsonl"))]
        self.labels, self.held_out = split(files, labels_of(games_of(exam) if exam.is_file() else ()))
        if not (len(self.labels.moves) and len(self.held_out.moves)):
            raise ValueError(f"There are not enough labelled games in “{folder}”.")
        self.resume()
        self._dice = np.random.default_rng(int(self.progress["steps"]))
        self._apply = jax.jit(apply)

    def iterate(self) -> None:
        self.learn(self._batches())

    def _batches(self) -> Iterator[Samples]:
        for _ in range(_STEPS):
            chosen = self.labels.chosen(self._dice.integers(len(self.labels.moves), size=_BATCH))
            seen = chosen.turned(self._dice.integers(len(IMAGES), size=_BATCH))
            yield Samples(seen.planes(), np.eye(CELLS, dtype=np.float32)[seen.moves], seen.values)

    def figures(self) -> dict[str, float]:
        logits, values = self.answers(self.held_out)
        return {
            "top1": among_first(logits, self.held_out, 1),
            "top5": among_first(logits, self.held_out, 5),
            "value_error": float(np.mean(np.abs(values - self.held_out.values))),
        }

    def answers(self, labels: Labels) -> tuple[Any, Any]:
        """Return logits and values of the averaged weights."""
        planes = labels.planes()
        parts = [
            [np.asarray(part) for part in self._apply(self.learned.average, planes[first : first + _CHUNK])]
            for first in range(0, len(planes), _CHUNK)
        ]
        logits, values = (np.concatenate(column) for column in zip(*parts, strict=True))
        return logits, values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hours", type=float, default=2.0)
    given = parser.parse_args()
    Distillation(given.folder, given.hours).run()


if __name__ == "__main__":
    main()
