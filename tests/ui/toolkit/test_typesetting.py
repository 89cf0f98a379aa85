"""Text is broken into lines where a line may end."""

from __future__ import annotations

import pygame
import pytest

from ui.toolkit.theme import PALETTES, Theme
from ui.toolkit.typesetting import even_columns, pieces, width_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("所以答案是“否”。", ["所", "以", "答", "案", "是", "“否”。"]),
        ("深度（d 层）不变", ["深", "度", "（d ", "层）", "不", "变"]),
        ("it is “known”, not new", ["it ", "is ", "“known”, ", "not ", "new"]),
        ("手「三々」、チェック", ["手", "「三々」、", "チェッ", "ク"]),
        ("«ход» — 5", ["«ход» ", "— ", "5"]),
        ("", []),
    ],
)
def test_quotation_marks_stood_alone_at_the_ends_of_lines(text: str, expected: list[str]) -> None:
    """A Chinese line ended with an opening mark, or began with a closing one, a Japanese one with a small kana."""
    assert pieces(text) == expected


def test_a_line_began_with_a_percent_sign() -> None:
    assert pieces("a prior of 30 %, tried") == ["a ", "prior ", "of ", "30 %, ", "tried"]


def test_a_long_word_in_one_of_even_columns_was_cut_beside_short_ones() -> None:
    """“Крестики” was cut in the position editor, between “Оба” and “Ластик”."""
    pygame.font.init()
    theme, row = Theme(PALETTES["ink"], 1.0, "ru"), pygame.Rect(10, 0, 288, 36)
    even = even_columns(theme, row, ["Оба", "Белые", "Белые", "Оба"], 6)
    assert max(place.width for place in even) - min(place.width for place in even) <= 1
    texts = ["Оба", "Крестики", "Нолики", "Ластик"]
    places = even_columns(theme, row, texts, 6)
    assert (places[0].left, places[-1].right) == (row.left, row.right)
    assert all(place.width >= width_of(theme, text, 16) + 8 for place, text in zip(places, texts, strict=True))
