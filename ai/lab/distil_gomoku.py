"""Train the network for gomoku with what the engine found in positions.

    nice -n 19 python -m ai.lab.distil_gomoku FOLDER --hours 2

It learns from the games in ai/lab/labels, and from FOLDER/games-*.jsonl, which `ai.lab.label_gomoku games` labels.
Every twentieth game is not learned from; FOLDER/curve.jsonl tells every few minutes how the network agrees with the
engine in these: how often the engine's move is the first choice (`top1`) or among five (`top5`), and the mean error of
the value, beside the losses. Positions of the exam, and their images, are left out of both. JAX uses a GPU if there is
one; the positions then stay on it.

Stop it at any time: it goes on from the last checkpoint. FOLDER/weights.npz, a moving average, is to be copied to
ai/network/weights/gomoku.npz.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ai.gomoku.book import SIZE
from ai.lab.gomoku_labels import EXAM, IMAGES, Labels, among_first, games_of, labels_of, split
from ai.lab.network.selfplay import Shape, apply
from ai.lab.network.training import Rates, Samples, Training

CELLS = SIZE * SIZE
SHAPE = Shape(SIZE, SIZE, CELLS, 32, 4, local=True)

LABELS = sorted(Path(__file__).with_name("labels").glob("freestyle*.jsonl.xz"))
"""Packed games: `freestyle-12k.jsonl.xz` are those of `label_gomoku games --nodes 12000`, the others of
`ai.lab.deep_labels`."""

_BATCH = 1024
_STEPS = 10  # from one look at the clock to the next
_CHUNK = 256  # positions evaluated at once
_SOURCES = jnp.asarray(np.argsort(IMAGES, axis=1))  # the cell that each cell of an image comes from


class Distillation(Training):
    """A training run with the labels in `folder` and in `packed`. Raise `ValueError` if there are none."""

    def __init__(
        self, folder: Path, hours: float, shape: Shape = SHAPE, packed: Sequence[Path] = (), exam: Path = EXAM
    ) -> None:
        super().__init__(folder, hours, shape, Rates(), ())
        files = [list(games_of(file)) for file in (*packed, *sorted(folder.glob("games-*.jsonl")))]
        self.labels, self.held_out = split(files, labels_of(games_of(exam) if exam.is_file() else ()))
        if not (len(self.labels.moves) and len(self.held_out.moves)):
            raise ValueError(f"There are not enough labelled games in “{folder}”.")
        self.resume()
        self._key = jax.random.key(int(self.progress["steps"]))
        self._learned_from = jax.tree.map(jnp.asarray, self.labels)
        self._draw = jax.jit(draw)
        self._apply = jax.jit(apply)

    def iterate(self) -> None:
        self.learn(self._batches())

    def _batches(self) -> Iterator[Samples]:
        for _ in range(_STEPS):
            self._key, key = jax.random.split(self._key)
            yield self._draw(self._learned_from, key)

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


def draw(labels: Labels, key: Any) -> Samples:
    """Return `_BATCH` of the positions, drawn at random, each turned by a random symmetry."""
    which, how = jax.random.split(key)
    places = jax.random.randint(which, (_BATCH,), 0, len(labels.moves))
    turns = jax.random.randint(how, (_BATCH,), 0, len(IMAGES))
    boards = jnp.take_along_axis(labels.boards[places], _SOURCES[turns], axis=1)
    moves = jnp.asarray(IMAGES)[turns, labels.moves[places]]
    planes = jnp.stack([boards == 1, boards == 2], axis=-1).reshape(-1, SIZE, SIZE, 2)
    return Samples(planes, jax.nn.one_hot(moves, CELLS), labels.values[places])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hours", type=float, default=2.0)
    given = parser.parse_args()
    Distillation(given.folder, given.hours, packed=LABELS).run()


if __name__ == "__main__":
    main()
