"""Weights of evaluation and move ordering, in weights.npz as `ai.lab.tune` fits them, and the tables made of them.

The file has an array ``rule/colour/field`` for each field of `Weights` and a sentence ``rule/note``. If a rule has
weights for one colour only, both colours share them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.core.score import Score
from ai.gomoku.kernels import layout
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.layout import CELLS, HIDDEN, KINDS, SETS, STRIDE, THREATS, VECTOR
from ai.gomoku.kernels.parameters import PARAMETERS
from ai.system.arrays import read_arrays
from ai.system.compiler.jit import fill, new_record

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
    to move and for the opponent, the vectors its contribution to the network's inputs. `both` and its vectors are the
    same for the classes of a cell, 16 * the mover's + the opponent's. `threat` is the value of the flags of
    `kernels.evaluate.threats`, `tempo` the bonus of the side to move. The network's integers have `layout.VECTOR_BITS`
    (inputs and their bias) or `layout.UNIT_BITS` (hidden units) fractional bits.

    Move ordering: `making` and `preventing` rank a move by its set of patterns, `near_last` and `near_own` by its
    distance class (`distances`) from the opponent's last move and from the mover's own.
    """

    moving: Floats
    waiting: Floats
    tempo: Floats
    threat: Floats
    moving_vectors: Ints
    waiting_vectors: Ints
    both: Floats
    both_vectors: Ints
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
    "both": (KINDS,),
    "both_vectors": (KINDS, 2 * VECTOR),
    "tempo": (1,),
    "threat": (THREATS,),
    "input_bias": (2 * VECTOR,),
    "hidden_weights": (2 * VECTOR, HIDDEN),
    "hidden_bias": (HIDDEN,),
    "output_weights": (HIDDEN,),
}
_LATER = ("both", "both_vectors")
"""Zero in files that do not have them: weights were fitted without them before version 0.25.0."""


@cache
def distances() -> Ints:
    """Return an array of the distance classes of all differences of two cells; the first is for the difference -CELLS.

    The class depends on the larger and the smaller of the distances in rows and in columns.
    """
    difference = np.arange(-CELLS, CELLS)
    rows = np.abs((difference + STRIDE // 2) // STRIDE)
    columns = np.abs((difference + STRIDE // 2) % STRIDE - STRIDE // 2)
    larger, smaller = np.maximum(rows, columns), np.minimum(rows, columns)
    return np.where(larger > NEAR, FAR, larger * (larger + 1) // 2 + smaller)


@cache
def load_weights(file: str) -> dict[int, tuple[Weights, Weights]]:
    """Return black's and white's weights by rule, from the arrays in `file`. Raise `ValueError` with a sentence if
    `file` cannot be read."""
    weights = {}
    try:
        arrays = read_arrays(Path(file))
        for rule in {int(name.split("/")[0]) for name in arrays}:
            black = _decode(arrays, f"{rule}/0")
            weights[rule] = black, _decode(arrays, f"{rule}/1") if f"{rule}/1/tempo" in arrays else black
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is damaged"
        raise ValueError(f"The engine's weights in “{file}” cannot be read: {reason}.") from error
    return weights


def weights_of(rule: int, file: str = FITTED) -> tuple[Weights, Weights]:
    """Return black's and white's weights for `rule` from `file`. Raise `ValueError` with a sentence if it cannot be
    read or has none."""
    weights = load_weights(file)
    if rule not in weights:
        raise ValueError(f"The engine's weights in “{file}” are not for this rule.")
    return weights[rule]


def _decode(arrays: Mapping[str, npt.NDArray[Any]], prefix: str) -> Weights:
    """Return the weights whose arrays have names that begin with `prefix`. Raise `KeyError` for a missing array and
    `ValueError` for a wrong one."""
    decoded: dict[str, npt.NDArray[Any]] = {}
    arrays = {f"{prefix}/{name}": np.zeros(_SHAPES[name], np.int64) for name in _LATER} | dict(arrays)
    for name, shape in _SHAPES.items():
        values = arrays[f"{prefix}/{name}"]
        if values.shape != shape:
            raise ValueError(f"{prefix}/{name} has the shape {values.shape}.")
        if values.dtype.kind not in "fiu" or not np.isfinite(values).all():
            raise ValueError(f"{prefix}/{name} is not finite.")
        decoded[name] = values.astype(np.float64 if values.dtype.kind == "f" else np.int64)
    return Weights(**decoded)


# Fill the read-only record of the kernels (`kernels.layout.TABLES`) for a rule, a board size and weights.


def cell_of(move: int, size: int) -> int:
    """Convert a move of a `size` × `size` board (row * size + column) to a cell of the kernels' padded board."""
    row, column = divmod(move, size)
    return (row + layout.EDGE) * layout.STRIDE + column + layout.EDGE


def move_of(cell: int, size: int) -> int:
    """Convert a cell of the kernels' padded board to a move of a `size` × `size` board."""
    row, column = divmod(cell, layout.STRIDE)
    return (row - layout.EDGE) * size + column - layout.EDGE


def to_score(score: int) -> Score:
    """Convert a kernel's score, which encodes wins differently, into a `Score`."""
    if score > layout.PROVEN:
        return Score.win_in(layout.WIN - score)
    return Score.loss_in(layout.WIN + score) if score < -layout.PROVEN else Score(score)


def build(rule: int, size: int, weights: str = FITTED, changed: dict[str, int] | None = None) -> Any:
    """Return the tables of the kernels for a rule and board size, with some of `PARAMETERS` changed. They are cached
    and shared: do not write to them."""
    return _build(rule, size, weights, tuple((PARAMETERS | (changed or {})).items()))


@lru_cache(maxsize=8)
def _build(rule: int, size: int, weights: str, parameters: tuple[tuple[str, int], ...]) -> Any:
    """Return a new record of tables for a rule, size, file of weights and parameters."""
    tb = new_record(layout.TABLES)
    tb.rule, tb.size, tb.reach = rule, size, p.reach(rule)
    left, right, pattern = p.sides(rule)
    fill(tb.left, left)
    fill(tb.right, right)
    fill(tb.pattern, pattern)
    for kind in range(p.THREE, p.FIVE + 1):
        tb.count_unit[kind] = 1 << (layout.COUNT_BITS * max(0, kind - layout.FIRST_COUNTED))
    _fill_weights(tb, weights_of(rule, weights), rule == p.RENJU)
    for name, value in parameters:
        setattr(tb, name, value)
    _fill_geometry(tb, size)
    dice = random.Random(20261121)
    fill(tb.zobrist, [dice.getrandbits(60) for _ in range(2 * layout.CELLS)])
    tb.turn_key = dice.getrandbits(60)
    fill(tb.reduction, _reductions())
    return tb


def _fill_weights(tb: Any, colours: tuple[Weights, Weights], forbidding: bool) -> None:
    """Write the weights of black and white into the tables `tb`. With `forbidding`, the rule has forbidden points for
    black, and each colour has weights of its own."""
    black, white = colours
    if forbidding:  # otherwise the colours share them, which halves the cache footprint
        tb.white, tb.white_vectors = layout.COMBINATIONS, layout.SETS * layout.WORDS
    fill(tb.kind, np.concatenate([p.class_table(forbidding), p.class_table(False)]))
    fill(tb.set, p.combination_index())
    words = []
    for mover, waiter in ((black, white), (white, black)):
        moving = np.column_stack([mover.moving_vectors, _to_fixed_point(mover.moving)])
        waiting = np.column_stack([waiter.waiting_vectors, _to_fixed_point(waiter.waiting)])
        words.append(np.column_stack([_pack(half, layout.LANES, layout.LANE_BITS) for half in (moving, waiting)]))
    fill(tb.vectors, np.concatenate(words).ravel())
    by_black, by_white = (_words_of_classes(one) for one in colours)
    white_first = np.arange(KINDS).reshape(p.CLASSES, p.CLASSES).T.ravel()  # as in the kernels
    fill(tb.both, np.concatenate([by_black[white_first], by_white]).ravel())
    tb.both_mask = KINDS - 1 if any(words.any() for words in (by_black, by_white)) else 0
    fill(tb.input_bias, np.concatenate([one.input_bias for one in colours]))
    fill(tb.hidden_weights, np.concatenate([_pack(one.hidden_weights, 2, 32).ravel() for one in colours]))
    fill(tb.hidden_bias, np.concatenate([_pack(one.hidden_bias << layout.UNIT_BITS, 2, 32) for one in colours]))
    fill(tb.output_weights, _to_fixed_point(np.concatenate([one.output_weights for one in colours])))
    ranks = (black.making, white.making, black.preventing, white.preventing)
    fill(tb.rank, np.concatenate(ranks))
    fill(tb.tempo, _to_fixed_point(np.concatenate([one.tempo for one in colours])))
    fill(tb.threat, _to_fixed_point(np.concatenate([one.threat for one in colours])))
    fill(tb.near_last, black.near_last[distances()])
    fill(tb.near_own, black.near_own[distances()])


def _words_of_classes(weights: Weights) -> Ints:
    """Return what each pair of classes adds to the accumulator, as rows of words."""
    moving = np.column_stack([weights.both_vectors[:, :VECTOR], _to_fixed_point(weights.both)])
    waiting = np.column_stack([weights.both_vectors[:, VECTOR:], np.zeros(KINDS, np.int64)])
    return np.column_stack([_pack(half, layout.LANES, layout.LANE_BITS) for half in (moving, waiting)])


def _pack(values: Ints, lanes: int, bits: int) -> Ints:
    """Pack the values along the last axis into words: `lanes` values to a word, `bits` apart."""
    words: Ints = (values.reshape(*values.shape[:-1], -1, lanes) << (bits * np.arange(lanes))).sum(axis=-1)
    return words


def _to_fixed_point(values: Floats) -> Ints:
    """Convert to integers in units of 2**-SCORE_BITS, rounded."""
    return np.rint(values * (1 << layout.SCORE_BITS)).astype(np.int64)


@cache
def _reductions() -> npt.NDArray[np.int64]:
    """Return late move reductions in hundredths of a ply, indexed by 64 * depth + move number."""
    logarithm = np.log(np.maximum(1, np.arange(64)))
    return np.rint(100 * np.outer(logarithm, logarithm) / 1.9).astype(np.int64).ravel()


def _fill_geometry(tb: Any, size: int) -> None:
    """Write into the tables `tb` the cells of the board, how far it is from one to the next in each direction, the
    number of the line through each cell in each direction, and the cell's place in that line."""
    rows, columns = (part.ravel() for part in np.indices((size, size)))
    cells = (rows + layout.EDGE) * layout.STRIDE + columns + layout.EDGE
    line_of, place_of = np.zeros((4, layout.CELLS), np.int64), np.zeros((4, layout.CELLS), np.int64)
    line_of[:, cells] = (rows, columns, columns - rows + size - 1, columns + rows)
    place_of[:, cells] = (columns, rows, columns, columns)
    fill(tb.line_of, line_of.ravel())
    fill(tb.place_of, place_of.ravel())
    fill(tb.step, (1, layout.STRIDE, layout.STRIDE + 1, 1 - layout.STRIDE))
    fill(tb.cells, cells)
    tb.cell_count = len(cells)
