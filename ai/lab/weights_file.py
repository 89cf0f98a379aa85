"""Write files of weights: those that `ai.lab.tune` has fitted, and hand-made ones to begin with.

    python -m ai.lab.weights_file weights.npz

writes the hand-made weights of all rules, for the first self-play after a change of the patterns.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.layout import HIDDEN, SETS, THREATS, VECTOR
from ai.gomoku.weights import FAR, Weights
from games.storage import write_atomic

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
