"""Weights of evaluation and move ordering: those fitted by `ai.lab.tune` in weights.npz, or hand-made ones.

The file has an array ``rule/colour/field`` for each field of `Weights` and a sentence ``rule/note``. If a rule has
weights for one colour only, both colours share them.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.gomoku import patterns as p
from ai.gomoku.kernels.layout import CELLS, HIDDEN, SETS, STRIDE, THREATS, VECTOR
from games.storage import write_atomic

FITTED = str(Path(__file__).with_name("weights.npz"))
HAND_MADE = "none"
"""Given instead of a file name: use the hand-made weights."""

PATTERN_WORTH = (0, 0, 1, 3, 5, 12, 16, 14, 38, 48, 42, 60, 110, 200)
"""Hand-made worth of a pattern at a cell, by pattern."""

CLASS_WORTH = {p.TWO_TWO: 12, p.THREE_PLUS: 12, p.THREE_THREE: 45, p.FOUR_PLUS: 15, p.FOUR_THREE: 70, p.OPEN_FOUR: 60}

OWN_BONUS = (0, 0, 20, 60, 40, 120, 180, 400, 250, 330, 900, 2000, 4000, 0, 100, 0)
OTHER_BONUS = (0, 0, 10, 35, 20, 80, 130, 300, 120, 200, 700, 1500, 3000, 0, 60, 0)
"""Move ordering bonus for making and for preventing each class."""

NEAR = 6
FAR = (NEAR + 1) * (NEAR + 2) // 2
"""The distance class beyond `NEAR` rows or columns."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """The weights of one colour when it is to move.

    Evaluation: `moving` and `waiting` are the worth of a set of patterns (`patterns.combinations`) to the side to
    move and to the other, the vectors their contribution to the network's inputs; `threat` is the worth of the bits
    of `kernels.evaluate.threats`, `tempo` the bonus of the side to move. The network's integers have
    `layout.VECTOR_BITS` (inputs and their bias) or `layout.UNIT_BITS` (hidden units) fractional bits.

    Move ordering: `making` and `preventing` rank a move by its set of patterns, `near_last` and `near_own` by its
    distance class (`distances`) from the opponent's last move and from the mover's own.
    """

    moving: Floats
    waiting: Floats
    tempo: Floats
    threat: Floats
    moving_vectors: Ints
    waiting_vectors: Ints
    input_bias: Ints
    hidden_weights: Ints
    hidden_bias: Ints
    output_weights: Floats
    making: Ints
    preventing: Ints
    near_last: Ints
    near_own: Ints


_SHAPES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("moving", "waiting", "making", "preventing"), (SETS,)),
    **dict.fromkeys(("moving_vectors", "waiting_vectors"), (SETS, VECTOR)),
    **dict.fromkeys(("near_last", "near_own"), (FAR + 1,)),
    "tempo": (1,),
    "threat": (THREATS,),
    "input_bias": (2 * VECTOR,),
    "hidden_weights": (2 * VECTOR, HIDDEN),
    "hidden_bias": (HIDDEN,),
    "output_weights": (HIDDEN,),
}


@cache
def distances() -> Ints:
    """Return the distance class of each difference of two cells, starting at -CELLS.

    The class depends on the larger and the smaller of the distances in rows and in columns.
    """
    difference = np.arange(-CELLS, CELLS)
    rows = np.abs((difference + STRIDE // 2) // STRIDE)
    columns = np.abs((difference + STRIDE // 2) % STRIDE - STRIDE // 2)
    larger, smaller = np.maximum(rows, columns), np.minimum(rows, columns)
    return np.where(larger > NEAR, FAR, larger * (larger + 1) // 2 + smaller)


@cache
def hand_made(forbidding: bool) -> Weights:
    """Return the hand-made weights of a colour; `forbidding` is black in renju."""
    sets = p.combinations()
    classes = [p.class_of(patterns, forbidding) for patterns in sets]
    worth = [
        sum(PATTERN_WORTH[pattern] for pattern in patterns) + CLASS_WORTH.get(p.class_of(patterns, False), 0)
        for patterns in sets
    ]
    near = np.zeros(FAR + 1, np.int64)
    return Weights(
        moving=np.array(worth, np.float64),
        waiting=np.array(worth) * 0.9,
        tempo=np.array([20.0]),
        threat=np.zeros(THREATS),
        moving_vectors=np.zeros((SETS, VECTOR), np.int64),
        waiting_vectors=np.zeros((SETS, VECTOR), np.int64),
        input_bias=np.zeros(2 * VECTOR, np.int64),
        hidden_weights=np.zeros((2 * VECTOR, HIDDEN), np.int64),
        hidden_bias=np.zeros(HIDDEN, np.int64),
        output_weights=np.zeros(HIDDEN),
        making=np.array(worth, np.int64) + np.array(OWN_BONUS)[classes],
        preventing=np.array(worth, np.int64) + np.array(OTHER_BONUS)[[p.class_of(s, False) for s in sets]],
        near_last=near,
        near_own=near,
    )


@cache
def weights_of(rule: int, file: str = FITTED) -> tuple[Weights, Weights]:
    """Return black's and white's weights for `rule` from `file`, or the hand-made ones if it has none.

    Raise `ValueError` with a sentence for a file that cannot be read.
    """
    try:
        fitted = _loads(_read(file)) if file != HAND_MADE else {}
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is damaged"
        raise ValueError(f"The engine's weights in “{file}” cannot be read: {reason}.") from error
    return fitted.get(rule) or (hand_made(rule == p.RENJU), hand_made(False))


def save(file: Path, rule: int, note: str, colours: list[Weights]) -> None:
    """Replace the weights of `rule` in `file`, creating it if necessary."""
    arrays: dict[str, Any] = _arrays(file.read_bytes()) if file.is_file() else {}
    arrays = {name: values for name, values in arrays.items() if not name.startswith(f"{rule}/")}
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


@cache
def _read(file: str) -> bytes:
    return Path(file).read_bytes()


def _arrays(data: bytes) -> dict[str, npt.NDArray[Any]]:
    with np.load(io.BytesIO(data)) as arrays:
        return {name: arrays[name] for name in arrays.files}


@cache
def _loads(data: bytes) -> dict[int, tuple[Weights, Weights]]:
    """Return black's and white's weights by rule."""
    arrays = _arrays(data)
    weights = {}
    for rule in sorted({int(name.split("/")[0]) for name in arrays}):
        black = _decoded(arrays, f"{rule}/0")
        weights[rule] = (black, _decoded(arrays, f"{rule}/1") if f"{rule}/1/tempo" in arrays else black)
    return weights


def _decoded(arrays: dict[str, npt.NDArray[Any]], prefix: str) -> Weights:
    """Raise `KeyError` for a missing field and `ValueError` for a wrong shape."""
    decoded: dict[str, npt.NDArray[Any]] = {}
    for name, shape in _SHAPES.items():
        values = arrays[f"{prefix}/{name}"]
        if values.shape != shape:
            raise ValueError(f"{prefix}/{name} has the shape {values.shape}.")
        decoded[name] = values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
    return Weights(**decoded)
