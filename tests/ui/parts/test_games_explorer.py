"""The list of continuations in the games of a database: rows, scrolling, keyboard, and bars of results."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from games.database.reader import Continuation, Explored, Results
from games.evaluation import Evaluation
from games.registry import setup
from ui.app import App
from ui.parts.games_explorer import ContinuationList, draw_results

GAME = setup("gomoku")


def listed(app: App, count: int, high: int = 28 * 4 + 27) -> tuple[ContinuationList, list[int]]:
    rows = tuple(Continuation(move, (move,), Results(1234 - move, 1, 2, 1), "2026-01-31") for move in range(count))
    played: list[int] = []
    found = Explored(Results(count), Results(), rows)
    rect = pygame.Rect(100, 50, 400, high)
    return ContinuationList(app.theme, rect, GAME, GAME.start(), found, played.append), played


def test_rows_lie_below_each_other_and_leave_room_for_the_bar(app: App) -> None:
    few, many = listed(app, 4)[0], listed(app, 5)[0]
    assert (few.fits, many.fits, listed(app, 3, 20)[0].fits) == (4, 4, 1)
    assert few.row_rect(1) == pygame.Rect(100, 78, 400, 28)
    assert many.row_rect(1) == pygame.Rect(100, 78, 386, 28)


def test_a_click_plays_the_move_of_its_row(app: App) -> None:
    made, played = listed(app, 9)
    for point in ((110, 50), (110, 77), (110, 78), (110, 161), (110, 163), (90, 60), (110, 49)):
        made.release(point)
    assert played == [0, 0, 1, 3]
    assert made.pointed is None
    made.pointer = (110, 79)
    assert made.pointed is made.found.continuations[1]


def test_the_wheel_scrolls_by_three_rows_within_the_list(app: App) -> None:
    made, played = listed(app, 9)
    firsts = []
    for notches in (-1, -1, 1, 1, 1, -2, 2):
        assert made.wheel(notches)
        made.release((110, 60))
        firsts.append(played[-1])
    assert firsts == [3, 5, 2, 0, 0, 5, 0]
    assert made.row_rect(2) == pygame.Rect(100, 106, 386, 28)
    made.wheel(-1)
    assert made.row_rect(3) == pygame.Rect(100, 50, 386, 28)
    short, played = listed(app, 2)
    short.wheel(-1)
    short.release((110, 60))
    assert played == [0]


def test_the_keyboard_goes_through_the_list_and_plays(app: App) -> None:
    made, played = listed(app, 6)
    made.focused = True

    def key(code: int) -> bool:
        return made.key(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0))

    assert made.pointed is made.found.continuations[0]
    assert all(map(key, [pygame.K_UP, *[pygame.K_DOWN] * 4, pygame.K_RETURN]))
    assert made.row_rect(4).top == 50 + 3 * 28, "scrolled just as far as needed"
    assert all(map(key, [*[pygame.K_DOWN] * 3, pygame.K_RETURN, *[pygame.K_UP] * 3, pygame.K_RETURN]))
    assert played == [4, 5, 2]
    assert made.row_rect(2).top == 50, "and back"
    assert not key(pygame.K_a)
    made.focused = False
    assert made.pointed is None
    assert key(pygame.K_RETURN)
    assert len(played) == 3
    empty, _ = listed(app, 0)
    empty.focused = True
    empty.key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_DOWN, mod=0))
    assert empty.pointed is None


@pytest.mark.parametrize("evaluated", [True, False])
def test_a_row_has_move_games_outlook_and_year(app: App, monkeypatch: pytest.MonkeyPatch, evaluated: bool) -> None:
    written: list[tuple[str, tuple[int, ...]]] = []

    def write(_surface: Any, _theme: Any, text: str, rect: pygame.Rect, *_rest: Any, **_look: Any) -> None:
        written.append((text, tuple(rect)))

    monkeypatch.setattr("ui.parts.games_explorer.write", write)
    bars: list[tuple[int, ...]] = []
    monkeypatch.setattr("ui.parts.games_explorer.draw_results", lambda *given: bars.append(tuple(given[3])))
    known = Evaluation(0, 3, 9) if evaluated else None
    row = Continuation(112, (112,), Results(1234), "2026-01-31", known)
    found = Explored(Results(1234), Results(), (row,))
    ContinuationList(app.theme, pygame.Rect(100, 50, 400, 200), GAME, GAME.start(), found, print).draw(app.surface)
    right = [("wins in 2", (396, 50, 52, 28))] if evaluated else []
    texts = [text for text, _ in written]
    assert [(text, rect) for text, rect in written if text not in ("in 2",)][:3] == [
        ("h8", (104, 50, 44, 28)), ("1,234", (156, 50, 60, 28)), ("2026", (456, 50, 40, 28)),
    ]  # fmt: skip
    assert len(texts) == 3 + len(right)
    assert not evaluated or written[3][1] == (396, 50, 52, 28)
    assert bars == [(224, 57, 164 if evaluated else 224, 14)]


@pytest.mark.parametrize(
    ("results", "parts"),
    [
        (Results(9, 1, 2, 1), (25, 25, 50)), (Results(9, 4, 0, 0), (100, 0, 0)), (Results(9, 0, 1, 0), (0, 0, 100)),
        (Results(9, 0, 0, 3), (0, 100, 0)),
    ],
)  # fmt: skip
def test_a_bar_has_a_share_for_each_result(
    app: App, monkeypatch: pytest.MonkeyPatch, results: Results, parts: tuple[int, ...]
) -> None:
    surface = pygame.Surface((140, 40))
    colours = ((250, 0, 0), (0, 0, 250))
    monkeypatch.setattr("ui.parts.games_explorer.bar_colours", lambda _theme, _game: colours)
    draw_results(surface, app.theme, "gomoku", pygame.Rect(20, 10, 100, 20), results)
    row = [tuple(surface.get_at((x, 20)))[:3] for x in range(140)]
    shown = colours[0], app.theme.palette.quiet, colours[1]
    counted = tuple(row[21:119].count(colour) for colour in shown)
    assert all(abs(found - part) <= 2 for found, part in zip(counted, parts, strict=True)), counted
    assert set(row[:19] + row[121:]) == {(0, 0, 0)}


def test_a_bar_without_results_is_empty(app: App) -> None:
    surface = pygame.Surface((140, 40))
    draw_results(surface, app.theme, "gomoku", pygame.Rect(20, 10, 100, 20), Results(9))
    assert len({tuple(surface.get_at((x, 20))) for x in range(25, 115)}) == 1
    assert tuple(surface.get_at((70, 20)))[:3] not in ((0, 0, 0), app.theme.palette.quiet)
