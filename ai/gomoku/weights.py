"""Weights of evaluation and move ordering, in weights.npz as `ai.lab.tune` fits them.

The file has an array ``rule/colour/field`` for each field of `Weights` and a sentence ``rule/note``. If a rule has
weights for one colour only, both colours share them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.arrays import read_arrays
from ai.gomoku.kernels.layout import CELLS, HIDDEN, SETS, STRIDE, THREATS, VECTOR

FITTED = str(Path(__file__).with_name("weights.npz"))
NEAR = 6
FAR = (NEAR + 1) * (NEAR + 2) // 2
"""The distance class beyond `NEAR` rows or columns."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """The weights of one colour when it is to move.

    Evaluation: `moving` and `waiting` are the values of a set of patterns (`patterns.combinations`) for the side
    to move and for the opponent, the vectors its contribution to the network's inputs; `threat` is the value of the
    flags of `kernels.evaluate.threats`, `tempo` the bonus of the side to move. The network's integers have
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
def load_weights(file: str) -> dict[int, tuple[Weights, Weights]]:
    """Return black's and white's weights by rule. Raise `ValueError` with a sentence if `file` cannot be read."""
    weights = {}
    try:
        arrays = read_arrays(Path(file))
        for rule in {int(name.split("/")[0]) for name in arrays}:
            black = _decoded(arrays, f"{rule}/0")
            weights[rule] = black, _decoded(arrays, f"{rule}/1") if f"{rule}/1/tempo" in arrays else black
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is damaged"
        raise ValueError(f"The engine's weights in “{file}” cannot be read: {reason}.") from error
    return weights


def weights_of(rule: int, file: str = FITTED) -> tuple[Weights, Weights]:
    """Return black's and white's weights for `rule` from `file`. Raise `ValueError` with a sentence."""
    weights = load_weights(file)
    if rule not in weights:
        raise ValueError(f"The engine's weights in “{file}” are not for this rule.")
    return weights[rule]


def _decoded(arrays: Mapping[str, npt.NDArray[Any]], prefix: str) -> Weights:
    """Raise `KeyError` for a missing field and `ValueError` for a wrong shape."""
    decoded: dict[str, npt.NDArray[Any]] = {}
    for name, shape in _SHAPES.items():
        values = arrays[f"{prefix}/{name}"]
        if values.shape != shape:
            raise ValueError(f"{prefix}/{name} has the shape {values.shape}.")
        if values.dtype.kind not in "fiu" or not np.isfinite(values).all():
            raise ValueError(f"{prefix}/{name} is not finite.")
        decoded[name] = values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
    return Weights(**decoded)
