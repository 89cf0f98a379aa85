"""Patterns: the shape that a stone on an empty cell would make, in tables indexed by the cells around it.

The key of a line window is the contents of the `2 * reach` cells around a cell, two bits each (0 empty, 1 black,
2 white, 3 off the board). `pattern_table` gives the pattern of each key for both colours; `class_table` combines the
four patterns of a cell into its class.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

FREESTYLE, STANDARD, RENJU = 0, 1, 2

# Patterns, from nothing to five: B is blocked on one side, F is free; the digit is the number of stones.
DEAD, OVERLINE, B1, F1, B2, F2, F2_STRONG, B3, F3, F3_STRONG, B4, DOUBLE_B4, F4, F5 = range(14)
PATTERNS = 14

# Classes of cells.
NONE, WEAK, TWO, TWO_TWO, BLOCKED_THREE, THREE, THREE_PLUS, THREE_THREE = range(8)
FOUR, FOUR_PLUS, FOUR_THREE, OPEN_FOUR, FIVE, FORBIDDEN, PERHAPS = range(8, 15)
"""`OPEN_FOUR` is any move that makes two fives possible. Only for black in renju: `FORBIDDEN` moves, and `PERHAPS`
forbidden ones: double threes whose threes have yet to be proven real."""
CLASSES = 16
SIDES = 128
"""Upper bound on the number of equivalence classes of the cells on one side of a cell (`sides`)."""

EMPTY, OWN, OTHER = 0, 1, 2

Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]


def reach(rule: int) -> int:
    """How many cells on each side of a cell affect its pattern: one more where an overline is not five."""
    return 4 if rule == FREESTYLE else 5


def _rows(cells: npt.NDArray[np.int8], exact: bool) -> tuple[npt.NDArray[np.int64], Bools]:
    """For windows with an own stone in the middle: length of the row through it, and whether that is a five."""
    own, span = cells == OWN, cells.shape[1] // 2
    left, right = own[:, span - 1 :: -1], own[:, span + 1 :]
    length = np.ones(len(cells), np.int64)
    for side in (left, right):
        length += np.logical_and.accumulate(side, axis=1).sum(axis=1)
    five: Bools = length == 5 if exact else length >= 5
    return length, five


@cache
def _own_patterns(span: int, exact: bool) -> Bytes:
    """Pattern of every window of `span` cells a side, indexed in base 3 (EMPTY, OWN, OTHER) with the leftmost cell as
    the lowest digit. With `exact`, an overline is not five.

    A pattern depends on those that one more stone makes, so windows are handled from the fullest on.
    """
    numbers = np.arange(3 ** (2 * span))
    digits = [(numbers // 3**place % 3).astype(np.int8) for place in range(2 * span)]
    cells = np.stack([*digits[:span], np.full_like(digits[0], OWN), *digits[span:]], axis=1)
    length, five = _rows(cells, exact)
    table = np.where(five, F5, np.where(length >= 6, OVERLINE, DEAD)).astype(np.uint8)
    gaps = (cells == EMPTY).sum(axis=1)
    for gap_count in range(1, 2 * span + 1):
        lines = np.flatnonzero((gaps == gap_count) & (length < 5))
        near = [at for at in range(span - 4, span + 5) if at != span]
        following = np.stack(
            [
                np.where(cells[lines, at] == EMPTY, table[(lines + 3 ** (at - (at > span))) % len(table)], DEAD)
                for at in near
            ]
        )
        table[lines] = _from_following(following, np.array(near), length[lines])
    return table


def _from_following(following: Bytes, near: npt.NDArray[np.int64], length: npt.NDArray[np.int64]) -> Bytes:
    """Patterns of windows that become `following` with one more own stone at `near`: rows by `near`, a column each."""

    def can_become(*patterns: int) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = np.isin(following, patterns).sum(axis=0)
        return found

    fives, straight_fours, threes = can_become(F5), can_become(F4), can_become(F3, F3_STRONG)
    places = np.where(following == F5, near[:, None], -1)
    apart = places.max(axis=0) - np.where(places < 0, 99, places).min(axis=0)
    rules = (
        (fives == 1, B4),
        (fives > 1, np.where((apart == 5) & (length == 4), F4, DOUBLE_B4)),
        (straight_fours == 1, F3),
        (straight_fours > 1, F3_STRONG),
        (can_become(B4, DOUBLE_B4) > 0, B3),
        (threes > 2, F2_STRONG),
        (threes > 0, F2),
        (can_become(B3) > 0, B2),
        (can_become(F2, F2_STRONG) > 0, F1),
        (can_become(B2) > 0, B1),
    )
    choices = [np.broadcast_to(found, fives.shape) for _, found in rules]
    return np.select([met for met, _ in rules], choices, DEAD).astype(np.uint8)


def _numbers(span: int, wide: int, colour: int) -> npt.NDArray[np.int64]:
    """For each key of `wide` cells a side, the base 3 index of its `span` inner cells a side for `colour`."""
    codes = np.array([EMPTY, OWN if colour == 0 else OTHER, OTHER if colour == 0 else OWN, OTHER])
    keys = np.arange(4**wide)
    left, right = np.zeros_like(keys), np.zeros_like(keys)
    for place in range(span):
        left += codes[(keys >> (2 * (wide - span + place))) & 3] * 3**place
        right += codes[(keys >> (2 * place)) & 3] * 3 ** (span + place)
    return (right[:, None] + left[None, :]).ravel()


@cache
def pattern_table(rule: int) -> Bytes:
    """Black's pattern in the low four bits and white's in the high, by key.

    The lowest two bits of a key are the leftmost cell.
    """
    wide = reach(rule)
    exact = (rule != FREESTYLE, rule == STANDARD)
    parts = [
        _own_patterns(wide if exact[colour] else 4, exact[colour])[
            _numbers(wide if exact[colour] else 4, wide, colour)
        ]
        for colour in (0, 1)
    ]
    return (parts[0] | (parts[1] << 4)).astype(np.uint8)


@cache
def sides(rule: int) -> tuple[Bytes, Bytes, Bytes]:
    """`pattern_table` compressed to fit into a processor's cache: the equivalence class of the cells to the left and
    of those to the right, and the patterns by left * SIDES + right.

    Cells beyond a stone mostly make no difference, so there are few equivalence classes.
    """
    span = 1 << (2 * reach(rule))
    table = pattern_table(rule).reshape(span, span)  # right, left
    left, right = _numbered(table.T), _numbered(table)
    patterns = np.zeros((SIDES, SIDES), np.uint8)
    patterns[left[None, :], right[:, None]] = table
    return left, right, patterns.ravel()


def _numbered(rows: Bytes) -> Bytes:
    """A number for each row, the same for equal rows. Sorting all rows at once would hold the GIL too long."""
    known: dict[bytes, int] = {}
    return np.array([known.setdefault(row.tobytes(), len(known)) for row in rows], np.uint8)


@cache
def class_of(patterns: tuple[int, ...], forbidding: bool) -> int:
    """The class of a cell with these four patterns; `forbidding` for black in renju."""
    count = [patterns.count(pattern) for pattern in range(PATTERNS)]
    threes = count[F3] + count[F3_STRONG]
    fours = count[B4] + count[F4] + 2 * count[DOUBLE_B4]
    twos = count[F2] + count[F2_STRONG]
    if count[F5]:
        return FIVE
    if forbidding and (count[OVERLINE] or fours > 1):
        return FORBIDDEN
    if forbidding and threes > 1:
        return PERHAPS
    if count[F4] or fours > 1:
        return OPEN_FOUR
    if fours:
        return FOUR_THREE if threes else FOUR_PLUS if count[B3] or twos else FOUR
    if threes:
        return THREE_THREE if threes > 1 else THREE_PLUS if count[B3] or twos else THREE
    if count[B3]:
        return BLOCKED_THREE
    if twos:
        return TWO_TWO if twos > 1 else TWO
    return WEAK if any(count[pattern] for pattern in (B1, F1, B2)) else NONE


def combinations() -> list[tuple[int, ...]]:
    """Every set of four patterns, sorted; indices in this list are the features of the evaluation."""
    return list(combinations_with_replacement(range(PATTERNS), 4))


@cache
def combination_index() -> npt.NDArray[np.int32]:
    """For four patterns of four bits each, in any order, the index of their set in `combinations()`."""
    codes = np.arange(1 << 16)
    parts = np.sort(np.stack([(codes >> (4 * direction)) & 15 for direction in range(4)]), axis=0)
    places = np.zeros(1 << 16, np.int32)
    for place, (a, b, c, d) in enumerate(combinations()):
        places[((a * 16 + b) * 16 + c) * 16 + d] = place
    index: npt.NDArray[np.int32] = places[((parts[0] * 16 + parts[1]) * 16 + parts[2]) * 16 + parts[3]]
    return index


@cache
def class_table(forbidding: bool) -> Bytes:
    """The class of a cell by its four patterns, four bits each."""
    classes = np.array([class_of(combination, forbidding) for combination in combinations()], np.uint8)
    return classes[combination_index()]
