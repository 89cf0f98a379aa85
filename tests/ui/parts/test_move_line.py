"""A line of moves as text: where each move stands, and what pointer and keyboard do with it."""

from __future__ import annotations

import pygame
import pytest

from games.registry import setup
from ui.app import App
from ui.parts.move_line import MoveLine
from ui.toolkit.typesetting import width_of

POSITION = setup("gomoku").start()
MOVES = tuple(range(100, 112))


def line(app: App, high: int = 24, wide: int = 1000, label: str = "", indent: int = 0, count: int = 12) -> MoveLine:
    rect = pygame.Rect(50, 20, wide, high)
    return MoveLine(app.theme, rect, POSITION, MOVES[:count], clicked.append, label, None, indent)


clicked: list[int] = []


@pytest.fixture(autouse=True)
def _unclicked() -> None:
    clicked.clear()


def widths(app: App, count: int = 12) -> list[int]:
    return [width_of(app.theme, POSITION.move_text(move), 14) + 8 for move in MOVES[:count]]


@pytest.mark.parametrize(("label", "indent"), [("", 0), ("", 30), ("Better", 0), ("Better", 200)])
def test_moves_stand_behind_the_label_or_the_indent(app: App, label: str, indent: int) -> None:
    made, (first, second, *_) = line(app, label=label, indent=indent), widths(app)
    left = 50 + max(indent, width_of(app.theme, label, 14, True) + 10 if label else 0)
    assert made.centre(1) == pygame.Rect(left, 20, first, 24).center
    assert made.centre(2) == pygame.Rect(left + first, 20, second, 24).center
    assert made.rect == pygame.Rect(50, 20, 1000, 24)


@pytest.mark.parametrize(("room", "rows"), [(24, 1), (47, 1), (48, 2), (72, 3), (200, 3)])
def test_moves_fill_as_many_rows_as_fit_and_leave_room_for_dots(app: App, room: int, rows: int) -> None:
    wide = sum(widths(app, 5))
    made, dots = line(app, room, wide), width_of(app.theme, "…", 14) + 4
    assert made.rect.height == 24 * rows
    shown = [number for number in range(1, 13) if number <= len(made.cells)]
    last = [number for number in shown if made.centre(number)[1] == 20 + 24 * rows - 12]
    if len(shown) < 12:
        used = sum(widths(app)[number - 1] for number in last)
        assert used + dots <= wide < used + dots + widths(app)[shown[-1]]
    assert [made.centre(number)[1] for number in shown[:5]] == [32] * (4 if rows == 1 else 5) + [56] * (rows == 0)


def test_a_line_that_just_fits_has_no_dots(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr("ui.parts.move_line.write", lambda _s, _t, text, *_r, **_m: written.append(text))
    three, dots = sum(widths(app, 3)), width_of(app.theme, "…", 14) + 4
    for wide, count, texts in ((three, 3, 3), (three - 1, 3, 2), (three + dots, 4, 3), (three + dots - 1, 4, 2)):
        written.clear()
        line(app, wide=wide, count=count).draw(app.surface)
        assert written == [*map(POSITION.move_text, MOVES[:texts]), *(["…"] if texts < count else [])]


def test_a_line_that_replaces_another_keeps_the_choice_as_far_as_they_are_alike(app: App) -> None:
    before, kept = line(app), []
    for moves, start, chosen in (
        (MOVES, POSITION, 5), (MOVES[:3], POSITION, 5), (MOVES[:3] + MOVES[5:], POSITION, 5), (MOVES[1:], POSITION, 5),
        (MOVES[:3] + MOVES[5:], POSITION, 2), (MOVES, POSITION.play(0), 5), (MOVES, POSITION, 0),
    ):  # fmt: skip
        before.chosen = chosen
        made = MoveLine(app.theme, before.rect, start, moves, clicked.append)
        made.resume(before)
        kept.append(made.chosen)
    assert kept == [5, 3, 3, 0, 2, 0, 0]


def test_pointer_and_keyboard_choose_a_move(app: App) -> None:
    made = line(app)

    def key(code: int) -> bool:
        return made.key(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0))

    assert made.pointed == 0
    made.focused = True
    assert key(pygame.K_RETURN), "of no use to anything else"
    assert clicked == [], "nothing is chosen"
    chosen = [(key(code), made.pointed) for code in (pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_LEFT, pygame.K_LEFT)]
    assert chosen == [(True, 1), (True, 2), (True, 1), (True, 1)]
    assert key(pygame.K_RETURN)
    for _ in range(20):
        key(pygame.K_RIGHT)
    assert made.pointed == 12
    assert not key(pygame.K_a)
    made.pointer = made.centre(3)
    assert made.pointed == 3
    made.pointer = (40, 32)
    assert made.pointed == 0
    made.pointer, made.focused = None, False
    assert made.pointed == 0
    made.release(made.centre(5))
    made.release((40, 32))
    assert clicked == [1, 5]
