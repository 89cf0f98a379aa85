"""Text is broken into lines where a line may end."""

from __future__ import annotations

import pygame
import pytest

from ui.toolkit.space import Space
from ui.toolkit.theme import PALETTES, Theme
from ui.toolkit.typesetting import (
    even_columns,
    fitted,
    note_texts,
    pieces,
    text_columns,
    text_rows,
    width_of,
    wrapped,
    write,
    write_paragraph,
)


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


@pytest.fixture
def theme() -> Theme:
    pygame.font.init()
    return Theme(PALETTES["ink"], 1.0, "en")


def test_a_text_is_cut_only_where_it_is_too_wide(theme: Theme) -> None:
    text = "one two three"
    wide = width_of(theme, text, 16)
    assert fitted(theme, text, wide, 16) == text
    shown = [fitted(theme, text, room, 16) for room in range(wide)]
    cuts = {f"{text[:end].rstrip()}…" for end in range(len(text))}
    assert set(shown) == {"…", *(cut for cut in cuts if width_of(theme, cut, 16) < wide)}
    assert all(width_of(theme, each, 16) <= room or each == "…" for room, each in enumerate(shown))
    assert sorted(shown, key=len) == shown, "the more room, the more of it"


def test_a_line_is_full_before_another_begins(theme: Theme) -> None:
    text = "one two three"
    two = width_of(theme, "one two", 16)
    assert wrapped(theme, text, two, 16) == ("one two", "three")
    assert wrapped(theme, text, two - 1, 16) == ("one", "two", "three")
    assert wrapped(theme, f"{text}\n\nfour", 999, 16) == (text, "", "four")
    assert wrapped(theme, text, 1, 16) == ("one", "two", "three")


def test_buttons_stand_in_as_few_rows_as_they_fit_in(theme: Theme) -> None:
    texts = ["One", "Two", "Three", "Four", "Five"]
    row = sum(width_of(theme, text, 16) + 14 for text in texts)
    for width, most, rows in ((row + 24, 2, [5]), (row + 23, 2, [3, 2]), (row + 23, 1, []), (60, 4, []),
                              (60, 5, [1] * 5)):  # fmt: skip
        space = Space(pygame.Rect(7, 9, width, 300), 4)
        places = text_rows(theme, space, texts, 30, 6, most)
        assert [sum(place.top == top for place in places) for top in dict.fromkeys(each.top for each in places)] == rows
        assert space.rest.top == 9 + 34 * len(rows)
        assert {(places[0].left, max(place.right for place in places)) for _ in rows} <= {(7, 7 + width)}
    one, two = text_columns(theme, pygame.Rect(7, 9, 207, 30), ["One", "Two"], 5)
    assert two.left - one.right == 5
    assert abs(one.width - width_of(theme, "One", 16) - (two.width - width_of(theme, "Two", 16))) <= 1


@pytest.mark.parametrize(("height", "lines"), [(1, 1), (38, 1), (39, 2), (60, 2), (61, 3), (999, 5)])
def test_a_paragraph_has_the_lines_that_fit(theme: Theme, height: int, lines: int) -> None:
    noted: list[tuple[str, pygame.Rect]] = []
    surface = pygame.Surface((90, 40))
    note_texts(surface, noted.append)
    write_paragraph(surface, theme, "one\ntwo\nthree\nfour\nfive", pygame.Rect(10, 5, 60, height))
    note_texts(None)
    assert [place.centery for _, place in noted] == [16 + 22 * line for line in range(lines)]
    assert [text for text, _ in noted[:-1]] == ["one", "two", "three", "four"][: lines - 1]


def test_texts_are_noted_whole_on_one_surface_only(theme: Theme) -> None:
    noted: list[tuple[str, pygame.Rect]] = []
    surface, rect = pygame.Surface((90, 40)), pygame.Rect(10, 5, 60, 30)
    note_texts(surface, noted.append)
    for target in (surface, pygame.Surface((90, 40))):
        write(target, theme, "One", rect, align="right")
        write(target, theme, "A sentence that is too long", rect)
    note_texts(None)
    write(surface, theme, "Two", rect)
    assert [(text, place.centery) for text, place in noted] == [("One", 20), ("A sentence that is too long", 20)]
    assert (noted[0][1].right, noted[1][1].left) == (70, 10)
