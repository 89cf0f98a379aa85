"""Fills the tables that the kernels read: geometry, patterns, worths and the order of moves."""

from __future__ import annotations

import json
import random
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.gomoku import kernels as k
from ai.gomoku import patterns as p
from ai.gomoku.jit import fill, new_record
from ai.gomoku.kernels import CELLS, COMBINATIONS, EDGE, STRIDE, TABLES

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
    k.RFP: 50,
    k.RAZOR: 90,
    k.FUTILITY: 60,
    k.LMP_BASE: 4,
    k.LMP_SCALE: 40,
    k.NULL_BASE: 3,
    k.NULL_SLOPE: 4,
    k.LEAF_VCF: 12,
    k.RAZOR_VCF: 100,
    k.IIR: 4,
    k.RFP_DEPTH: 6,
    k.LMP_DEPTH: 16,
    k.LEAF_FOURS: 3,
    k.LMR: 200,
    k.ROOT_LMR: 150,
}
"""Margins and bounds of the search, found in matches (ai/gomoku/STRENGTH.md)."""


def cell_of(move: int, size: int) -> int:
    """The cell of a `Position`'s move (row * size + column)."""
    row, column = divmod(move, size)
    return (row + EDGE) * STRIDE + column + EDGE


def move_of(cell: int, size: int) -> int:
    row, column = divmod(cell, STRIDE)
    return (row - EDGE) * size + column - EDGE


@cache
def hand_made() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
    """Worth of each combination to the side to move and to the other, and of the move itself."""
    made = [
        sum(PATTERN_WORTH[pattern] for pattern in combination) + CLASS_WORTH.get(p.class_of(combination, False), 0)
        for combination in p.combinations()
    ]
    worth = np.array(made, np.int64)
    return worth, worth * 9 // 10, 20


@cache
def worths(rule: int, weights: str = FITTED) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
    """Worth of each combination to the side to move and to the other, and of the move itself: those for `rule`
    in the file `weights`, or the hand-made ones where it has none."""
    known = json.loads(Path(weights).read_text()) if weights != HAND_MADE and Path(weights).is_file() else {}
    if str(rule) in known:
        data = known[str(rule)]
        return np.array(data["moving"], np.int64), np.array(data["waiting"], np.int64), int(data["tempo"])
    return hand_made()


def build(rule: int, size: int, weights: str = FITTED, knobs: dict[int, int] | None = None) -> Any:
    """The tables for one rule and board size. They are shared, and not to be written to."""
    return _build(rule, size, weights, tuple(sorted((KNOBS | (knobs or {})).items())))


@lru_cache(maxsize=8)
def _build(rule: int, size: int, weights: str, knobs: tuple[tuple[int, int], ...]) -> Any:
    tb = new_record(TABLES)
    tb.rule, tb.size, tb.reach = rule, size, p.reach(rule)
    fill(tb.pattern, p.pattern_table(rule))
    fill(tb.kind, np.concatenate([p.class_table(rule == p.RENJU), p.class_table(False)]))
    moving, waiting, tempo = worths(rule, weights)
    places = p.combination_index()
    fill(tb.worth, ((moving << 32) + waiting)[places])
    fill(tb.rank, (hand_made()[0])[places])
    fill(tb.own_bonus, OWN_BONUS)
    fill(tb.other_bonus, OTHER_BONUS)
    tb.tempo = tempo
    fill(tb.knob, [dict(knobs).get(number, 0) for number in range(16)])
    _geometry(tb, size)
    dice = random.Random(20261121)
    fill(tb.zobrist, [dice.getrandbits(60) for _ in range(2 * CELLS)])
    tb.turn_key = dice.getrandbits(60)
    fill(tb.reduction, _reductions())
    return tb


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


assert COMBINATIONS == 1 << 16
