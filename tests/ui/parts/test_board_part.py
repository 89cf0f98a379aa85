"""The board of a screen: its keys, pointer and marks, what it tells of a point, and its sounds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from games.formats.text import parse
from games.record import PERSON, GameRecord, Mark, Seat
from games.registry import setup
from ui.app import App
from ui.board.looks import board_view
from ui.board.view import Marks, Pointer
from ui.parts.board_part import BoardPart, MoveSounds
from ui.toolkit.i18n import t
from ui.toolkit.keys import run_binding
from ui.toolkit.space import Space
from ui.toolkit.widgets import Widgets
from ui.words.move_words import illegal_sentence

KEYS = {"left": pygame.K_LEFT, "right": pygame.K_RIGHT, "up": pygame.K_UP, "down": pygame.K_DOWN}


def shown(app: App, record: GameRecord, steering: bool = True) -> tuple[BoardPart, Any]:
    """A board of 400 pixels, and its state, which keeps the moves that are `chosen` and the `help` that is used."""
    chosen, help = list[int](), list[str]()
    state = SimpleNamespace(
        pointer=Pointer(), shown=record.cursor, hidden=False, open_to_moves=True, explains=True, chosen=chosen,
        choose=chosen.append, help=help, helped=help.append,
    )  # fmt: skip
    view = board_view(record.setup.game)
    made = BoardPart(app, Widgets(app), view, state, record.setup, Marks, steering)
    made.build(Space(pygame.Rect(100, 50, 400, 400), 0))
    return made, state


def pressed(made: BoardPart, *keys: str) -> list[bool]:
    """Whether the board uses each of the keys."""
    events = []
    for key in keys:
        mod = pygame.KMOD_LSHIFT if key.startswith("shift+") else pygame.KMOD_LCTRL if "+" in key else 0
        name = key.rpartition("+")[2]
        code = KEYS.get(name) or (pygame.K_RETURN if name == "return" else pygame.key.key_code(name))
        events.append(pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod, unicode="", scancode=0))
    return [run_binding(made.bindings, event) for event in events]


@pytest.mark.parametrize("steering", [True, False])
def test_arrows_move_the_cursor_and_enter_chooses(app: App, steering: bool) -> None:
    made, state = shown(app, parse("h8"), steering)
    state.pointer.hover, held = 100, "" if steering else "shift+"
    steps = []
    for key in ("left", "up", "right", "down"):
        assert pressed(made, held + key) == [True]
        steps.append(state.pointer.cursor)
    assert (steps, state.pointer.hover) == ([99, 84, 85, 100], None)
    assert pressed(made, "left") == [steering]
    assert pressed(made, "return", "return") == ([True, True] if steering else [True, False])
    assert state.chosen == ([99, 99] if steering else [100])
    assert state.pointer.cursor == (99 if steering else None)
    state.pointer.cursor = None
    assert pressed(made, "return", "escape") == ([True, False] if steering else [False, False])
    state.pointer.cursor = 5
    assert pressed(made, "escape") == [not steering]
    assert state.pointer.cursor == (5 if steering else None)
    assert len(state.chosen) == 1 + steering


def test_moves_that_are_numbers_have_keys_and_no_game_without_threats_has_theirs(app: App) -> None:
    bones, state = shown(app, parse("", setup("bones", 9)))
    assert pressed(bones, "1", "2", "3", "4", "0", "t", "ctrl+p") == [True] * 3 + [False] * 4
    assert state.chosen == [1, 2, 3]
    assert pressed(shown(app, parse("h8"))[0], "1", "ctrl+p", "t", "n", "c") == [False, False, True, True, True]
    assert (app.settings.threats, app.settings.numbers, app.settings.coordinates) == (True, True, False)


def test_help_that_is_not_free_is_shown_and_noted(app: App) -> None:
    made, state = shown(app, parse("h8"))
    for explains, before, after in (
        (True, True, False),
        (True, False, True),
        (False, True, True),
        (False, False, True),
    ):
        state.explains, app.settings.threats = explains, before
        assert pressed(made, "t") == [True]
        assert app.settings.threats is after
        assert app.message[0] == t("threats.shown" if after else "threats.hidden")
    assert state.help == ["threats", "threats"]


def test_the_pointer_follows_the_mouse_and_a_left_click_chooses(app: App) -> None:
    made, state = shown(app, parse("h8"))
    place, off = made.view.pixel_of(20), (0, 0)
    state.pointer.cursor = 7
    assert not made.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=place))
    assert state.pointer == Pointer(20, None)
    clicks = [
        made.handle(pygame.event.Event(kind, pos=pixel, button=button))
        for kind, pixel, button in (
            (pygame.MOUSEBUTTONDOWN, place, 3), (pygame.MOUSEBUTTONUP, place, 1), (pygame.MOUSEBUTTONDOWN, off, 1),
            (pygame.MOUSEBUTTONDOWN, place, 1), (pygame.MOUSEBUTTONDOWN, made.view.pixel_of(0), 1),
        )
    ]  # fmt: skip
    assert (clicks, state.chosen) == ([False, False, False, True, True], [20, 0])


def test_marks_are_those_of_the_settings_the_position_and_the_pointer(app: App) -> None:
    record = parse("e5a1e4a3f6a5g6", setup("gomoku", 9, "renju"))
    record.cursor.marks = (Mark("circle", 3),)
    record.play(80)
    record.cursor.marks = (Mark("circle", 3),)
    made, state = shown(app, record)
    state.pointer.hover, state.pointer.cursor, state.explains = 5, 6, False
    app.settings.threats = True
    assert made.marks(Marks(hints=(1,))) == Marks(hover=5, cursor=6, forbidden=(31,), drawn=(Mark("circle", 3),))
    state.open_to_moves, app.settings.numbers = False, True
    assert made.marks(Marks()) == Marks(numbers=True, forbidden=(31,), drawn=(Mark("circle", 3),))
    state.explains = True
    assert made.marks(Marks()).threats
    app.settings.threats = False
    assert not made.marks(Marks()).threats
    state.hidden = True
    assert (made.marks(Marks()), made.hint(), made.accessible()) == (Marks(), "", [])
    state.hidden = False
    said = {}
    for hover, cursor in ((31, None), (None, 31), (5, 31), (None, None)):
        state.pointer.hover, state.pointer.cursor = hover, cursor
        said[hover, cursor] = made.hint()
    forbidden = illegal_sentence("double_three")
    assert said == {(31, None): forbidden, (None, 31): forbidden, (5, 31): "", (None, None): ""}


def test_a_reader_is_told_each_point(app: App) -> None:
    made, state = shown(app, parse("h8"))
    state.pointer.cursor = 113
    board, status = made.accessible()
    assert (board.rect, status.rect, len(board.children)) == (made.view.area, (*made.view.area.topleft, 1, 1), 225)
    stone, point = board.children[112:114]
    right = made.view.pixel_of(113)[0] - made.view.pixel_of(112)[0]
    assert (stone.name, stone.focused, stone.click) == ("h8, Black", False, False)
    assert (point.name, point.focused, point.click, point.rect.size) == ("i8, empty", True, True, (right, right))
    assert point.rect.center == made.view.pixel_of(113)
    assert point.focus is not None
    point.focus()
    assert state.pointer == Pointer(None, 113)
    bones, _ = shown(app, parse("", setup("bones", 9)))
    cards = bones.accessible()[0].children
    assert [(card.name, card.rect.size, card.click) for card in cards] == [(str(n), (36, 36), True) for n in (1, 2, 3)]


@pytest.mark.parametrize("endings", [False, True])
def test_each_move_is_heard_once_and_the_end_where_that_is_wanted(endings: bool) -> None:
    record, heard = GameRecord(setup("tictactoe"), (Seat(PERSON), Seat("alphabeta"))), list[str]()
    host: Any = SimpleNamespace(sounds=SimpleNamespace(play=heard.append))
    sounds = MoveSounds(host, record, endings)
    sounds.open()
    counts = []
    for move in (0, 3, None, 3, 1, 4, 2):
        if move is None:
            record.undo()
        else:
            record.play(move)
        sounds.open()
        sounds.update(0.0)
        sounds.update(0.0)
        counts.append(len(heard))
    assert counts == [1, 2, 2, 3, 4, 5, 6 + endings]
    assert heard == ["stone"] * 6 + ["win"] * endings
    unopened = MoveSounds(host, record, endings)
    unopened.update(0.0)
    assert len(heard) == counts[-1]
