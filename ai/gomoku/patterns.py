"""What a stone on an empty cell would make, looked up by what surrounds the cell.

A line through a cell is seen as the `2 * reach` cells around it, two bits each (0 empty, 1 black, 2 white,
3 off the board). For each such surrounding `pattern_table` tells the pattern that a stone of either colour on
the cell would make; for the four patterns of a cell `class_table` tells what they amount to together.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

FREESTYLE, STANDARD, RENJU = 0, 1, 2

# Patterns, from nothing to five: B is blocked on one side, F is free. The number is the stones it would have.
DEAD, OVERLINE, B1, F1, B2, F2, F2_STRONG, B3, F3, F3_STRONG, B4, DOUBLE_B4, F4, F5 = range(14)
PATTERNS = 14

# What the four patterns of a cell amount to.
NONE, WEAK, TWO, TWO_TWO, BLOCKED_THREE, THREE, THREE_PLUS, THREE_THREE = range(8)
FOUR, FOUR_PLUS, FOUR_THREE, OPEN_FOUR, FIVE, FORBIDDEN, PERHAPS = range(8, 15)
"""`OPEN_FOUR` is any move that makes two fives possible. Only for black in renju: `FORBIDDEN` for certain,
and `PERHAPS` for a double three, whose threes have yet to be proven real."""
CLASSES = 16

EMPTY, OWN, OTHER = 0, 1, 2

Bytes = npt.NDArray[np.uint8]


def reach(rule: int) -> int:
    """How many cells on each side of a cell matter: one more where six in a row is not five."""
    return 4 if rule == FREESTYLE else 5


class _Lines:
    """Classifies lines of `2 * span + 1` cells with a stone of one's own in the middle.

    A line is a tuple of `EMPTY`, `OWN` and `OTHER`; with `exact`, six or more are no five.
    """

    def __init__(self, span: int, exact: bool) -> None:
        self.span = span
        self.exact = exact
        self._known: dict[tuple[int, ...], int] = {}

    def pattern(self, line: tuple[int, ...]) -> int:
        found = self._known.get(line)
        if found is None:
            found = self._known[line] = self._classify(line)
        return found

    def _run(self, line: tuple[int, ...]) -> tuple[int, int]:
        """First and last index of the row through the middle."""
        first = last = self.span
        while first > 0 and line[first - 1] == OWN:
            first -= 1
        while last < len(line) - 1 and line[last + 1] == OWN:
            last += 1
        return first, last

    def _five(self, line: tuple[int, ...]) -> bool:
        first, last = self._run(line)
        return last - first == 4 if self.exact else last - first >= 4

    def _classify(self, line: tuple[int, ...]) -> int:
        first, last = self._run(line)
        if self._five(line):
            return F5
        if last - first >= 5:
            return OVERLINE
        near = range(self.span - 4, self.span + 5)
        following = {at: (*line[:at], OWN, *line[at + 1 :]) for at in near if line[at] == EMPTY}
        fives = [at for at, after in following.items() if self._five(after)]
        if fives:
            straight = fives[-1] - fives[0] == 5 and last - first == 3
            return B4 if len(fives) == 1 else F4 if straight else DOUBLE_B4
        return self._from_following([self.pattern(after) for after in following.values()])

    @staticmethod
    def _from_following(patterns: list[int]) -> int:
        """The pattern of a line that can become any of `patterns` with one more stone."""
        best = max(patterns, default=DEAD)
        if F4 in patterns:
            return F3 if patterns.count(F4) == 1 else F3_STRONG
        if best in (B4, DOUBLE_B4):
            return B3
        threes = patterns.count(F3) + patterns.count(F3_STRONG)
        if threes:
            return F2 if threes < 3 else F2_STRONG
        steps = ((B3, B2), (F2_STRONG, F1), (F2, F1), (B2, B1))
        return next((lower for higher, lower in steps if higher in patterns), DEAD)


@cache
def _own_patterns(span: int, exact: bool) -> Bytes:
    """Pattern of every surrounding in base 3 (EMPTY, OWN, OTHER), the leftmost cell as the lowest digit."""
    lines = _Lines(span, exact)
    table = np.zeros(3 ** (2 * span), np.uint8)
    for number in range(len(table)):
        digits, rest = [], number
        for _ in range(2 * span):
            rest, digit = divmod(rest, 3)
            digits.append(digit)
        table[number] = lines.pattern((*digits[:span], OWN, *digits[span:]))
    return table


def _numbers(span: int, wide: int, colour: int) -> npt.NDArray[np.int64]:
    """For each key of `wide` cells a side, the base 3 number of its `span` inner cells a side for `colour`."""
    keys = np.arange(4 ** (2 * wide), dtype=np.int64)
    codes = np.array([EMPTY, OWN if colour == 0 else OTHER, OTHER if colour == 0 else OWN, OTHER])
    numbers = np.zeros_like(keys)
    for place, cell in enumerate(range(wide - span, wide + span)):
        numbers += codes[(keys >> (2 * cell)) & 3] * 3**place
    return numbers


def pattern_table(rule: int) -> Bytes:
    """Black's pattern in the low four bits and white's in the high, by the key of a surrounding.

    The lowest two bits of a key are the cell farthest to the left.
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


def class_of(patterns: tuple[int, ...], forbidding: bool) -> int:
    """What four patterns amount to; `forbidding` for black in renju."""
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
    """Every set of four patterns, sorted; their places in this list are the features of the evaluation."""
    return list(combinations_with_replacement(range(PATTERNS), 4))


@cache
def combination_index() -> npt.NDArray[np.int32]:
    """For four patterns of four bits each, in any order, the place of their set in `combinations()`."""
    codes = np.arange(1 << 16)
    parts = np.sort(np.stack([(codes >> (4 * direction)) & 15 for direction in range(4)]), axis=0)
    places = np.full(1 << 16, 0, np.int32)
    known = {combination: place for place, combination in enumerate(combinations())}
    number = ((parts[0] * 16 + parts[1]) * 16 + parts[2]) * 16 + parts[3]
    lookup = np.zeros(1 << 16, np.int32)
    for (a, b, c, d), place in known.items():
        lookup[((a * 16 + b) * 16 + c) * 16 + d] = place
    places[:] = lookup[number]
    return places


def class_table(forbidding: bool) -> Bytes:
    """The class of a cell by its four patterns, four bits each."""
    classes = np.array([class_of(combination, forbidding) for combination in combinations()], np.uint8)
    return classes[combination_index()]
