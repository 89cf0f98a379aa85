"""The list of continuations in the games of a database: rows, scrolling, keyboard, and bars of results."""

from __future__ import annotations

from dataclasses import replace

import pygame

from games.database.reader import Continuation, Explored, Results
from games.registry import setup
from ui.app import App
from ui.parts.games_explorer import ContinuationList

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


def test_a_list_that_replaces_another_keeps_the_chosen_row_and_the_place(app: App) -> None:
    before = listed(app, 9)[0]
    before.at = 6
    before.wheel(-1)
    made = listed(app, 9)[0]
    made.found = replace(made.found, continuations=made.found.continuations[::-1])
    made.resume(before)
    assert (made.at, made.row_rect(3).top) == (2, 50), "the same move, and as far down"
    fewer = listed(app, 6)[0]
    fewer.resume(before)
    assert (fewer.at, fewer.row_rect(2).top) == (0, 50)


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
