"""Fills the tables that the kernels read: geometry, patterns, worths and the order of moves."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.gomoku import patterns as p
from ai.gomoku.jit import fill, new_record
from ai.gomoku.kernels import knobs
from ai.gomoku.kernels.layout import (
    ANYWHERE,
    CELLS,
    COMBINATIONS,
    COUNT_BITS,
    EDGE,
    FIRST_ANYWHERE,
    FIRST_COUNTED,
    HALF_WORDS,
    HIDDEN,
    LANE_BITS,
    LANES,
    SETS,
    STRIDE,
    TABLES,
    THREATS,
    UNIT_BITS,
    VECTOR,
    WORDS,
    WORTH_BITS,
)

FITTED = str(Path(__file__).with_name("weights.json"))
HAND_MADE = "none"
"""In place of a file of weights."""

PATTERN_WORTH = (0, 0, 1, 3, 5, 12, 16, 14, 38, 48, 42, 60, 110, 200)
"""Hand-made worth of a pattern at a cell, by pattern; the fitted weights replace it."""

CLASS_WORTH = {p.TWO_TWO: 12, p.THREE_PLUS: 12, p.THREE_THREE: 45, p.FOUR_PLUS: 15, p.FOUR_THREE: 70, p.OPEN_FOUR: 60}

OWN_BONUS = (0, 0, 20, 60, 40, 120, 180, 400, 250, 330, 900, 2000, 4000, 0, 100, 0)
OTHER_BONUS = (0, 0, 10, 35, 20, 80, 130, 300, 120, 200, 700, 1500, 3000, 0, 60, 0)
"""By class: what a move is worth in the order of moves for making, and for preventing, it."""


KNOBS = {
    knobs.RFP: 50,
    knobs.RAZOR: 90,
    knobs.LMP_BASE: 4,
    knobs.LMP_SCALE: 40,
    knobs.NULL_BASE: 3,
    knobs.NULL_SLOPE: 4,
    knobs.LEAF_VCF: 5,
    knobs.RAZOR_VCF: 100,
    knobs.IIR: 4,
    knobs.RFP_DEPTH: 6,
    knobs.LMP_DEPTH: 16,
    knobs.LEAF_FOURS: 3,
    knobs.LMR: 200,
    knobs.ROOT_LMR: 150,
    knobs.BEYOND: 0,
    knobs.LEAF_WHERE: FIRST_ANYWHERE,
    knobs.RAZOR_WHERE: ANYWHERE,
    knobs.KEEP_LEAF: 1,
    knobs.KILLER: 120,
    knobs.COUNTER: 90,
    knobs.HISTORY: 16,
}
"""Margins and bounds of the search, found in matches (ai/gomoku/STRENGTH.md)."""


def cell_of(move: int, size: int) -> int:
    """The cell of a `Position`'s move (row * size + column)."""
    row, column = divmod(move, size)
    return (row + EDGE) * STRIDE + column + EDGE


def move_of(cell: int, size: int) -> int:
    row, column = divmod(cell, STRIDE)
    return (row - EDGE) * size + column - EDGE


Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """What the stones are worth to one colour when it is to move: `moving` its own and `waiting` the other's, by set
    of patterns (`patterns.combinations`); `threat` by what `kernels.threats` tells of it and of the other; `tempo`
    for being to move; and the network of `kernels.judge`, in its units.

    And what a move of its is worth trying: `making` by what it makes, `preventing` by
    what it prevents, and by how far it is (`distances`) from the last move and from its own last."""

    moving: Floats
    waiting: Floats
    tempo: float
    threat: Floats
    moving_vectors: Ints
    waiting_vectors: Ints
    shift: Ints
    mixing: Ints
    mixing_shift: Ints
    out: Floats
    making: Ints
    preventing: Ints
    near_last: Ints
    near_own: Ints


NEAR = 6
FAR = (NEAR + 1) * (NEAR + 2) // 2
"""The class of all that is farther away than `NEAR` rows or columns."""


@cache
def distances() -> npt.NDArray[np.int64]:
    """For each difference of two cells, from -CELLS on, the class of how far apart they are: by the larger and the
    smaller of their distances in rows and columns."""
    difference = np.arange(-CELLS, CELLS)
    rows = np.abs((difference + STRIDE // 2) // STRIDE)
    columns = np.abs((difference + STRIDE // 2) % STRIDE - STRIDE // 2)
    larger, smaller = np.maximum(rows, columns), np.minimum(rows, columns)
    return np.where(larger > NEAR, FAR, larger * (larger + 1) // 2 + smaller)


@cache
def hand_made(forbidding: bool) -> Weights:
    """For a colour, with `forbidding` black in renju."""
    sets = p.combinations()
    classes = [p.class_of(patterns, forbidding) for patterns in sets]
    plain = [sum(PATTERN_WORTH[pattern] for pattern in patterns) for patterns in sets]
    worth = [
        known + CLASS_WORTH.get(p.class_of(patterns, False), 0) for known, patterns in zip(plain, sets, strict=True)
    ]
    near = np.zeros(FAR + 1, np.int64)
    return Weights(
        moving=np.array(worth, np.float64),
        waiting=np.array(worth) * 0.9,
        tempo=20,
        threat=np.zeros(THREATS),
        moving_vectors=np.zeros((SETS, VECTOR), np.int64),
        waiting_vectors=np.zeros((SETS, VECTOR), np.int64),
        shift=np.zeros(2 * VECTOR, np.int64),
        mixing=np.zeros((2 * VECTOR, HIDDEN), np.int64),
        mixing_shift=np.zeros(HIDDEN, np.int64),
        out=np.zeros(HIDDEN),
        making=np.array(worth, np.int64) + np.array(OWN_BONUS)[classes],
        preventing=np.array(worth, np.int64) + np.array(OTHER_BONUS)[[p.class_of(s, False) for s in sets]],
        near_last=near,
        near_own=near,
    )


@cache
def weights_of(rule: int, file: str = FITTED) -> tuple[Weights, Weights]:
    """Black's and white's weights for `rule`: those in `file`, or the hand-made ones where it has none, as `HAND_MADE`
    has none at all. Raises `ValueError` with a sentence for a file that cannot be read."""
    try:
        fitted = _fitted(file) if file != HAND_MADE else {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is damaged"
        raise ValueError(f"The engine's weights in “{file}” cannot be read: {reason}.") from error
    return fitted.get(rule) or (hand_made(rule == p.RENJU), hand_made(False))


@cache
def _fitted(file: str) -> dict[int, tuple[Weights, Weights]]:
    """What `file` has, by rule. Numbers are made by functions of ours, between which other threads may run: else
    the window would stand still for as long as it takes to read them all."""
    whole, real = lambda text: int(text), lambda text: float(text)  # noqa: PLW0108 (int and float are not ours)
    known = json.loads(Path(file).read_text(), parse_int=whole, parse_float=real)
    colours = {int(rule): [_decoded(colour) for colour in one["colours"]] for rule, one in known.items()}
    return {rule: (each[0], each[-1]) for rule, each in colours.items()}


def _decoded(colour: dict[str, Any]) -> Weights:
    return Weights(**{name: np.array(value) for name, value in colour.items()} | {"tempo": colour["tempo"]})


def build(rule: int, size: int, weights: str = FITTED, changed: dict[int, int] | None = None) -> Any:
    """The tables for one rule and board size, with the knobs that are `changed`; shared and read-only."""
    return _build(rule, size, weights, tuple(sorted((KNOBS | (changed or {})).items())))


@lru_cache(maxsize=8)
def _build(rule: int, size: int, weights: str, values: tuple[tuple[int, int], ...]) -> Any:
    tb = new_record(TABLES)
    tb.rule, tb.size, tb.reach = rule, size, p.reach(rule)
    left, right, pattern = p.sides(rule)
    fill(tb.left, left)
    fill(tb.right, right)
    fill(tb.pattern, pattern)
    for kind in range(p.THREE, p.FIVE + 1):
        tb.count_unit[kind] = 1 << (COUNT_BITS * max(0, kind - FIRST_COUNTED))
    _fill_weights(tb, weights_of(rule, weights), rule == p.RENJU)
    fill(tb.knob, [dict(values).get(number, 0) for number in range(knobs.KNOB_COUNT)])
    _geometry(tb, size)
    dice = random.Random(20261121)
    fill(tb.zobrist, [dice.getrandbits(60) for _ in range(2 * CELLS)])
    tb.turn_key = dice.getrandbits(60)
    fill(tb.reduction, _reductions())
    return tb


def _fill_weights(tb: Any, colours: tuple[Weights, Weights], forbidding: bool) -> None:
    places = p.combination_index()
    black, white = colours
    if forbidding:  # else the colours are alike, and there is half as much to read
        tb.white, tb.white_vectors = COMBINATIONS, SETS * WORDS
    fill(tb.kind, np.concatenate([p.class_table(forbidding), p.class_table(False)]))
    fill(tb.set, places)
    words = []
    for mover, waiter in ((black, white), (white, black)):
        moving = np.column_stack([mover.moving_vectors, _fine(mover.moving)])
        waiting = np.column_stack([waiter.waiting_vectors, _fine(waiter.waiting)])
        words.append(np.column_stack([_packed(moving), _packed(waiting)]))
    fill(tb.vectors, np.concatenate(words).ravel())
    fill(tb.input_bias, np.concatenate([one.shift for one in colours]))
    fill(tb.hidden_weights, np.concatenate([_paired(one.mixing) for one in colours]))
    fill(tb.hidden_bias, np.concatenate([_paired(one.mixing_shift << UNIT_BITS) for one in colours]))
    fill(tb.output_weights, _fine(np.concatenate([one.out for one in colours])))
    ranks = (black.making, white.making, black.preventing, white.preventing)
    fill(tb.rank, np.concatenate([rank[places] for rank in ranks]))
    fill(tb.tempo, _fine(np.array([one.tempo for one in colours])))
    fill(tb.threat, _fine(np.concatenate([one.threat for one in colours])))
    fill(tb.near_last, black.near_last[distances()])
    fill(tb.near_own, black.near_own[distances()])


def _packed(vectors: Ints) -> Ints:
    """Rows of lanes as rows of words."""
    found: Ints = (vectors.reshape(len(vectors), HALF_WORDS, LANES) << (LANE_BITS * np.arange(LANES))).sum(axis=2)
    return found


def _paired(units: Ints) -> Ints:
    """The numbers of hidden units, of which two are in a word."""
    pairs = units.reshape(-1, 2)
    found: Ints = pairs[:, 0] + (pairs[:, 1] << 32)
    return found


def _fine(worth: Floats) -> Ints:
    """In the unit in which the kernels add."""
    return np.rint(worth * (1 << WORTH_BITS)).astype(np.int64)


@cache
def _reductions() -> npt.NDArray[np.int64]:
    """Plies less for a move, by 64 * depth + its place among the moves."""
    logarithm = np.log(np.maximum(1, np.arange(64)))
    reductions: npt.NDArray[np.int64] = (0.4 + logarithm[:, None] * logarithm[None, :] / 1.9).astype(np.int64)
    return reductions.ravel()


def _geometry(tb: Any, size: int) -> None:
    """The line through each cell in each direction, and the cell's place in it."""
    rows, columns = (part.ravel() for part in np.indices((size, size)))
    cells = (rows + EDGE) * STRIDE + columns + EDGE
    line_of, place_of = np.zeros((4, CELLS), np.int64), np.zeros((4, CELLS), np.int64)
    line_of[:, cells] = (rows, columns, columns - rows + size - 1, columns + rows)
    place_of[:, cells] = (columns, rows, columns, columns)
    fill(tb.line_of, line_of.ravel())
    fill(tb.place_of, place_of.ravel())
    fill(tb.step, (1, STRIDE, STRIDE + 1, 1 - STRIDE))
    fill(tb.cells, cells)
    tb.cell_count = len(cells)
