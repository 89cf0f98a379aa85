"""Patterns of lines against common knowledge of the game."""

from __future__ import annotations

import numpy as np
import pytest

from ai.gomoku.kernels import patterns as p


def key(line: str) -> int:
    """The key of a drawn line around its middle cell: ``x`` black, ``o`` white, ``#`` edge, ``.`` empty."""
    cells = line[: len(line) // 2] + line[len(line) // 2 + 1 :]
    codes = {".": 0, "x": 1, "o": 2, "#": 3}
    return sum(codes[cell] << (2 * place) for place, cell in enumerate(cells))


def black(rule: int, line: str) -> int:
    return int(p.pattern_table(rule)[key(line)]) & 15


def white(rule: int, line: str) -> int:
    return int(p.pattern_table(rule)[key(line)]) >> 4


FREE = [
    ("....*....", p.F1),
    ("..xx*xx..", p.F5),
    (".xxx*....", p.F4),
    ("oxxx*....", p.B4),
    ("oxxx*o...", p.DEAD),
    ("..xx*.x..", p.B4),
    ("x.xx*.x..", p.DOUBLE_B4),
    ("...x*x...", p.F3_STRONG),
    ("..ox*x...", p.B3),
    ("##.x*x.##", p.B3),
    ("###x*x.##", p.DEAD),
    ("...x*....", p.F2_STRONG),
    ("x.xx*....", p.B4),
    ("..x.*x...", p.F3),
    ("xxxx*....", p.F5),
]


EXACT = [
    (".xxxx*....#", p.F5),
    ("xxxxx*....#", p.OVERLINE),
    (".xxxx*x....", p.OVERLINE),
    ("..xxx*x....", p.F5),
    ("..xxx*.....", p.F4),
    ("x.xxx*.....", p.B4),
    (".xxx.*xx...", p.B3),
]
BY_RULE = {p.FREESTYLE: FREE, p.STANDARD: EXACT, p.RENJU: EXACT}


@pytest.mark.parametrize(
    ("rule", "line", "pattern"), [(rule, *case) for rule, cases in BY_RULE.items() for case in cases]
)
def test_patterns_of_lines(rule: int, line: str, pattern: int) -> None:
    assert black(rule, line) == pattern
    if rule != p.RENJU:
        assert white(rule, line.translate(str.maketrans("xo", "ox"))) == pattern


def test_a_four_whose_ends_would_make_six_is_no_open_four() -> None:
    assert black(p.STANDARD, "x.xxx*.x...") in (p.DEAD, p.B4)
    assert black(p.FREESTYLE, ".xxx*.x..") in (p.F4, p.DOUBLE_B4)


def test_white_in_renju_wins_with_six() -> None:
    assert white(p.RENJU, ".oooo*o....") == p.F5


@pytest.mark.parametrize("rule", [p.FREESTYLE, p.STANDARD, p.RENJU])
def test_a_line_read_backwards_is_the_same(rule: int) -> None:
    table = p.pattern_table(rule)
    dice = np.random.default_rng(3)
    wide = p.reach(rule)
    for number in dice.integers(0, len(table), 3000):
        cells = [(int(number) >> (2 * place)) & 3 for place in range(2 * wide)]
        backwards = sum(cell << (2 * place) for place, cell in enumerate(reversed(cells)))
        assert table[number] == table[backwards]


def test_more_stones_of_the_other_side_never_help() -> None:
    table = p.pattern_table(p.FREESTYLE) & 15
    dice = np.random.default_rng(4)
    for number in dice.integers(0, len(table), 3000):
        for place in range(8):
            if (int(number) >> (2 * place)) & 3 == 0:
                assert table[int(number) | (2 << (2 * place))] <= table[number]


CLASSES = [
    ((p.F3, p.F3_STRONG, p.DEAD, p.DEAD), p.THREE_THREE, p.PERHAPS),
    ((p.B4, p.B4, p.DEAD, p.DEAD), p.OPEN_FOUR, p.FORBIDDEN),
    ((p.DOUBLE_B4, p.DEAD, p.DEAD, p.DEAD), p.OPEN_FOUR, p.FORBIDDEN),
    ((p.B4, p.F3, p.DEAD, p.DEAD), p.FOUR_THREE, p.FOUR_THREE),
    ((p.B4, p.F3, p.F3, p.DEAD), p.FOUR_THREE, p.PERHAPS),
    ((p.F5, p.OVERLINE, p.B4, p.B4), p.FIVE, p.FIVE),
    ((p.OVERLINE, p.DEAD, p.DEAD, p.DEAD), p.NONE, p.FORBIDDEN),
    ((p.F4, p.DEAD, p.DEAD, p.DEAD), p.OPEN_FOUR, p.OPEN_FOUR),
    ((p.DEAD,) * 4, p.NONE, p.NONE),
]


@pytest.mark.parametrize(("patterns", "free", "restricted"), CLASSES)
def test_classes(patterns: tuple[int, ...], free: int, restricted: int) -> None:
    assert p.class_of(patterns, False) == free
    assert p.class_of(patterns, True) == restricted
    code = sum(pattern << (4 * place) for place, pattern in enumerate(reversed(patterns)))
    assert p.class_table(False)[code] == free
    assert p.class_table(True)[code] == restricted
