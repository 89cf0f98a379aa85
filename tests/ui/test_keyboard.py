"""Every screen and dialog by the keyboard alone: Tab reaches whatever a click reaches, visibly, and never stays.

`test_scene_keys.py` has the keys of the screens.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pygame
import pytest

from games.record import GameRecord
from games.registry import setup
from tests.sampling import sampled
from tests.ui.scenes import SCENES, branched, long_game
from tests.ui.stage import Make, Stage, act, changed
from ui.learn.drill_tree import NodeMark
from ui.parts.games_explorer import ContinuationList
from ui.parts.move_line import MoveLine
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.toolkit.controls import Button, ListView, Widget
from ui.toolkit.dialogs import Menu, ProgressCard, Question
from ui.toolkit.text_line import TextLine
from ui.toolkit.widgets import Widgets

SAMPLE = sampled(list(SCENES), 5)

PLACES = {
    "move": "← → ↑ ↓, in a game PgUp and PgDn", "fold": "unfolds where the arrows go", "node": "arrows, with Shift",
    "stretch": "arrows, with Shift", "game": "arrows", "exercise": "not for clicks", "encoding": "menu",
    "undo": "Ctrl+Z", "offered": "↑ and ↓ in the list",
}  # fmt: skip
"""What is clicked that is no widget, by the first word of its name, and the keys that do the same."""


def quiet(element: Widget) -> bool:
    """Whether a widget can be used now."""
    return element.visible and element.enabled


def walk(widgets: Widgets, tab: Callable[[int], None]) -> set[str]:
    """Press Tab until the focus is where it began, then Shift+Tab; return what has had the focus."""
    seen: dict[int, list[str]] = {}
    for step in (1, -1):
        widgets.leave_focus()
        seen[step] = []
        for _ in range(len(widgets.elements) + 1):
            tab(step)
            seen[step].append(str(widgets.focus))
            if seen[step][-1] == seen[step][0] and len(seen[step]) > 1:
                break
        assert len(set(seen[step])) == 1 or seen[step][-1] == seen[step][0], "it never comes back"
    assert set(seen[1]) == set(seen[-1])
    return set(seen[1])


def tab_of(made: Stage) -> Callable[[int], None]:
    def tab(step: int) -> None:
        mod = pygame.KMOD_LSHIFT if step < 0 else 0
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            made.app.dispatch(pygame.event.Event(kind, key=pygame.K_TAB, mod=mod, unicode="", scancode=0))

    return tab


def ringed(made: Stage, widgets: Widgets, name: str) -> bool:
    """Whether the focus on a widget can be seen: many pixels around it differ by it."""
    layer = made.app.overlay or made.app.view
    pictures = []
    for focus in (None, name):
        widgets.focus = focus
        layer.draw(made.app.surface, *(() if layer is made.app.overlay else (time.monotonic(),)))
        pictures.append(made.app.surface.copy())
    around = widgets.elements[name].rect.inflate(16, 16)
    differ = changed(*pictures)
    return around.colliderect(differ) and differ.width * differ.height > 200


@pytest.mark.parametrize("name", SAMPLE)
def test_tab_reaches_all_that_can_be_clicked_is_seen_and_never_stays(made: Stage, name: str) -> None:
    scene = made.show(SCENES[name](made))
    scene.close()
    made.frame()
    assert {place for place in scene.places() if re.split(r"[.]", place)[0] not in PLACES} == set()
    widgets = (made.app.overlay or scene).widgets if not isinstance(made.app.overlay, Menu) else scene.widgets
    usable = {key for key, element in widgets.elements.items() if quiet(element)}
    if usable and not isinstance(made.app.overlay, Menu):
        assert walk(widgets, tab_of(made)) == usable
        assert [key for key in usable if not ringed(made, widgets, key)] == []


def pressing(element: Any, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What a widget does from now on, instead of doing it."""
    done: list[object] = []
    for name in ("action", "choose", "open_row", "play", "_pressed", "_move"):
        if getattr(element, name, None) is not None:
            monkeypatch.setattr(element, name, lambda *rest, **_: done.append(rest))
    return done


@pytest.mark.parametrize("name", SAMPLE)
def test_every_widget_does_by_keys_what_it_does_by_clicks(
    made: Stage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = made.show(SCENES[name](made))
    scene.close()
    if isinstance(made.app.overlay, Menu):
        return
    widgets, idle = (made.app.overlay or scene).widgets, []
    for key, element in [each for each in widgets.elements.items() if quiet(each[1])]:
        if isinstance(element, TextLine) or (isinstance(element, ListView) and not element.rows):
            continue  # it takes what is typed; there is nothing to choose
        done, kind = pressing(element, monkeypatch), type(element)
        widgets.focus = key
        keys = {Button: (pygame.K_RETURN,), NodeMark: (pygame.K_SPACE,), ListView: (pygame.K_DOWN, pygame.K_RETURN),
                MoveLine: (pygame.K_RIGHT, pygame.K_RETURN), ContinuationList: (pygame.K_RETURN,)}  # fmt: skip
        for code in keys.get(kind, (pygame.K_RIGHT, pygame.K_LEFT)):
            widgets.handle(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, unicode="", scancode=0))
        steps = getattr(element, "most", getattr(element, "last", 1))  # of a slider, or a graph of no moves
        if not done and steps:
            idle.append(key)
    assert idle == []


def test_dialogs_hold_the_focus_and_esc_leaves_them(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.toolkit.dialogs.SHOWN", 0.0)
    app, scene = made.app, made.show(SCENES["play small"](made))
    answers: list[str] = []
    question = Question(app, "Delete?", "For ever", "Delete", lambda: answers.append("yes"), danger=True,
                        third=("keep", "Keep", lambda: answers.append("third")))  # fmt: skip
    card = ProgressCard(app, "Reading", "a.sgf", lambda: 0.5, lambda: answers.append("stopped"))
    for dialog in (question, card):
        app.overlay = dialog
        made.frame()
        assert walk(dialog.widgets, tab_of(made)) == set(dialog.widgets.elements)
        assert [key for key in dialog.widgets.elements if not ringed(made, dialog.widgets, key)] == []
        made.press(pygame.K_ESCAPE)
        assert app.overlay is None
    for key in ("ctrl+o", "ctrl+shift+s", "ctrl+e"):
        act(scene, key)
        overlay: Any = app.overlay
        assert overlay is not None, key
        if not isinstance(overlay, Menu):
            usable = {name for name, element in overlay.widgets.elements.items() if quiet(element)}
            assert walk(overlay.widgets, tab_of(made)) == usable, key
        made.press(pygame.K_ESCAPE)
        if app.overlay is not None:  # the first leaves a text field
            made.press(pygame.K_ESCAPE)
        assert app.overlay is None, key
    assert answers == ["stopped"]


def test_a_menu_is_gone_through_by_arrows(made: Stage) -> None:
    made.show(SCENES["replay branched"](made))
    made.push("menu")
    menu: Any = made.app.overlay
    assert isinstance(menu, Menu)
    reached = {menu.at}
    for _ in range(len(menu.options)):
        made.press(pygame.K_DOWN)
        reached.add(menu.at)
    assert reached == set(range(len(menu.options)))


def test_in_a_replay_moves_and_marks_were_for_the_mouse_only(made: Stage) -> None:
    """The arrows went through the game, and nothing else moved a cursor."""
    scene: Any = made.show(Replay(made.app, long_game(plies=20)))
    record = scene.state.record
    record.go_to(record.line()[5])
    made.frame()
    made.press(pygame.K_RIGHT, pygame.KMOD_LSHIFT)
    for _ in range(30):
        if scene.state.pointer.cursor in record.position.legal_moves():
            break
        made.press(pygame.K_RIGHT if _ % 5 else pygame.K_DOWN, pygame.KMOD_LSHIFT)
    cursor = scene.state.pointer.cursor
    made.press(pygame.K_RETURN)
    assert (record.cursor.move, record.position.ply) == (cursor, 6)
    assert scene.state.pointer.cursor is None, "or Enter would not play on from here"
    made.press(pygame.K_m)
    made.press(pygame.K_UP, pygame.KMOD_LSHIFT)
    point = scene.state.pointer.cursor
    made.press(pygame.K_RETURN)
    assert [mark.move for mark in record.cursor.marks] == [point]
    assert made.app.scene is scene
    made.press(pygame.K_m)
    made.press(pygame.K_ESCAPE)
    assert (scene.state.pointer.cursor, made.app.scene) == (None, scene)
    made.press(pygame.K_RETURN)
    assert made.app.scene is not scene


def test_folded_variations_unfold_where_the_arrows_go(made: Stage) -> None:
    record = branched()
    fork = record.line()[10]
    scene: Any = made.show(Replay(made.app, record, tab="moves"))
    record.go_to(fork)
    made.frame(2)
    for place in [place for name, place in scene.places().items() if name.startswith("fold")][::-1]:
        made.click(place)
    made.press(pygame.K_RIGHT)
    made.press(pygame.K_DOWN)
    made.frame(2)
    assert record.cursor is not fork.children[0]
    assert f"move.{list(record.nodes()).index(record.cursor)}" in scene.places()


def test_the_tooltip_of_what_tab_reaches_appears_too(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """An icon said what it is to the mouse only."""
    tips: list[str] = []
    monkeypatch.setattr("ui.toolkit.widgets.draw_tip", lambda surface, theme, text, *_: tips.append(text))
    scene = made.show(Play(made.app, GameRecord(setup("gomoku")), autosave=False))
    made.press(pygame.K_TAB)
    assert made.app.view.expectant, "of a frame in which it is shown"
    now = time.monotonic()
    made.app.frame(now)
    assert tips == []
    made.app.frame(now + 1)
    assert tips == [scene.widgets.elements[scene.widgets.focus].tip]
    made.app.frame(now + 2)
    assert not made.app.view.expectant
    made.press(pygame.K_LSHIFT)
    tips.clear()
    made.app.frame(now + 4)
    assert tips == [], "a key takes it away"


def test_every_screen_is_walked(stage: Make) -> None:
    """With the dialogs of the first screens, all that is shown is in `SCENES`."""
    from ui.screens import SCREENS

    assert {name for name in SCREENS if not any(scene.startswith(name.replace("_", " ")) for scene in SCENES)} <= {
        name for name in SCREENS if name in SCENES
    }
