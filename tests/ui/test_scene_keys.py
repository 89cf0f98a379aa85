"""Every scene by the keyboard alone: every key and every button does something, once.

`python -m tests.ui.test_scene_keys` prints the keys that are taken, by screen.
"""

from __future__ import annotations

import ast
import os
import tempfile
import time
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pygame
import pytest
from fontTools.ttLib import TTFont

from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.sampling import sampled
from tests.test_readme import ROOT, table
from tests.ui.scenes import SCENES, long_game
from tests.ui.stage import Make, Stage, part
from ui import screens
from ui.home.screen import Home
from ui.learn.drill_screen import DrillScreen
from ui.play.screen import Play
from ui.replay.screen import Replay, Transport
from ui.screens import SCREENS
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding, key_label, matches
from ui.toolkit.resources import resource
from ui.window.keys_page import KeysPage
from ui.window.screen import Screen

CODES = {"return": pygame.K_RETURN, "escape": pygame.K_ESCAPE, "space": pygame.K_SPACE, "?": pygame.K_SLASH}
CODES |= {"pageup": pygame.K_PAGEUP, "pagedown": pygame.K_PAGEDOWN}


def event_of(name: str) -> tuple[int, int, str]:
    """What pressing the key `name` sends: key, modifiers, text."""
    *modifiers, key = name.split("+")
    mod = sum({"ctrl": pygame.KMOD_LCTRL, "shift": pygame.KMOD_LSHIFT}[m] for m in modifiers)
    if key == "?":
        return pygame.K_SLASH, pygame.KMOD_LSHIFT, "?"
    return CODES.get(key) or pygame.key.key_code(key), mod, ""


STATES = {
    "home": "empty home", "setup": "setup gomoku", "play": "play tictactoe",
    "replay": "replay bones", "position_editor": "position editor", "new_tournament": "new tournament",
}  # fmt: skip
"""Which state of a screen is tested, if not the one of its name."""


KEYS = (ROOT / "docs" / "pages" / "keys.md").read_text(encoding="utf-8")


@cache
def drawable() -> set[int]:
    return set(TTFont(resource("fonts", "Tengen-Regular.otf")).getBestCmap())


def test_screens_are_opened_by_their_names() -> None:
    assert {name: screen.load().name for name, screen in SCREENS.items()} == {name: name for name in SCREENS}


def test_what_mypy_takes_for_a_screen_is_the_one_that_is_imported() -> None:
    nodes = ast.walk(ast.parse(Path(screens.__file__).read_text(encoding="utf-8")))
    aliases = [node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)]
    typed = {ast.unparse(each.targets[0]): ast.unparse(each.value) for each in aliases}
    assert typed == {name: screen.kind for name, screen in SCREENS.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
def test_every_key_runs_and_its_name_is_in_the_fonts(made: Stage, name: str) -> None:
    """⌫ was not: a menu showed a box."""
    make = SCENES[STATES.get(name, name)]
    keys = [key for binding in made.show(make(made)).all_bindings() if binding.label for key in binding.keys]
    assert {key for key in keys if not {ord(character) for character in key_label(key)} <= drawable()} == set()
    own = [key for binding in made.app.bindings for key in binding.keys]
    for key in (*keys, *own):
        scene = made.show(make(made))
        code, mod, text = event_of(key)
        pressed = pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod, unicode=text)
        assert any(matches(pressed, binding.keys) for binding in (*scene.all_bindings(), *made.app.bindings))
        made.press(code, mod, text)


@pytest.mark.parametrize("name", sampled(list(SCENES), 20))
def test_names_and_keys_have_one_meaning_and_tab_reaches_every_button(made: Stage, name: str) -> None:
    scene = made.show(SCENES[name](made))
    scene.close()
    names = [entry.name for entry in scene.entries()]
    assert len(names) == len(set(names)), "of entries of the menu"
    bindings = (*scene.all_bindings(), *made.app.bindings)
    keys = [key for binding in bindings if binding.label for key in binding.keys]
    assert len(keys) == len(set(keys)), "no key means two things"
    assert untold(scene, bindings) == []
    seen = set()
    for _ in range(len(scene.widgets.elements) + 1):
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            made.app.dispatch(pygame.event.Event(kind, key=pygame.K_TAB, mod=0, unicode="", scancode=0))
        seen.add(scene.widgets.focus)
    assert seen == {key for key, element in scene.widgets.elements.items() if element.visible and element.enabled}


def untold(scene: Screen, bindings: Sequence[Binding]) -> list[str]:
    """Buttons that do not tell the key that does the same."""
    bound = [(_parts_of(binding.action), binding.keys) for binding in bindings]
    found = []
    for name, button in scene.widgets.buttons.items():
        keys = [key for action, keys in bound if action == _parts_of(button.action) for key in keys]
        keys += ["m", "h", "ctrl+p"] if name == "primary" else []  # which tells the key of what it does now
        if keys and not any(key_label(key) in button.tip for key in keys):
            found.append(name)
    return found


def _parts_of(action: Any) -> Any:
    """What can be compared of `action`: of one with arguments, the function and them."""
    return (action.func, action.args) if isinstance(action, partial) else action


def hold(made: Stage, key: int, times: int = 5, mod: int = 0) -> None:
    """Presses `key` and keeps it down for so long that it comes `times` times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pygame.key, "get_pressed", lambda: {key: True})
        repeat(made, key, times, mod)


def repeat(made: Stage, key: int, times: int, mod: int = 0) -> None:
    """Lets `key` come `times` times before it is up."""
    for _ in range(times):
        made.app.dispatch(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))
        made.frame()
    made.app.dispatch(pygame.event.Event(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0))


@pytest.mark.parametrize(
    ("key", "name"),
    [(pygame.K_n, "numbers"), (pygame.K_c, "coordinates"), (pygame.K_a, "thinking"), (pygame.K_s, "sound")],
)
def test_a_held_key_switches_once(made: Stage, key: int, name: str) -> None:
    made.show(SCENES["play tictactoe"](made))
    before = getattr(made.app.settings, name)
    hold(made, key)
    assert getattr(made.app.settings, name) is not before
    hold(made, key)
    assert getattr(made.app.settings, name) is before


def test_a_key_that_was_up_before_a_slow_frame_ended_came_again(made: Stage) -> None:
    """pygame repeats by time, and Tab left out a field when the machine was busy."""
    scene: Any = made.show(Replay(made.app, long_game(plies=20)))
    repeat(made, pygame.K_RIGHT, 3)
    assert scene.state.record.position.ply == 1
    repeat(made, pygame.K_RIGHT, 1)
    assert scene.state.record.position.ply == 2


def test_a_held_enter_in_a_field_checked_the_next_exercise(made: Stage) -> None:
    screen = made.show(DrillScreen(made.app, "13-expectimax", 1))
    for field, text in screen.book.work.drill.solution().items():
        screen.book.work.write(field, text)
    screen.book.check()
    made.frame()
    hold(made, pygame.K_RETURN)
    assert screen.book.number == 1
    assert screen.widgets.typing
    assert not made.app.message[0], "nothing was checked"


def test_a_held_enter_presses_a_button_once(made: Stage) -> None:
    scene = made.show(SCENES["setup gomoku"](made))
    scene.widgets.focus = "size.less"
    size = scene.state.chosen.size
    hold(made, pygame.K_RETURN)
    assert scene.state.chosen.size == size - 1


def test_a_held_key_chooses_nothing_of_what_it_has_opened(made: Stage) -> None:
    scene = made.show(Home(made.app))
    scene.widgets.focus = "language"
    for key, kind in ((pygame.K_SPACE, Menu), (pygame.K_F1, KeysPage)):
        hold(made, key, 2)
        assert isinstance(made.app.overlay, kind)
        made.app.overlay = None


def test_a_key_that_is_held_longer_than_its_ctrl_acts_once(made: Stage) -> None:
    home = made.show(Home(made.app))

    def event(kind: int, key: int, mod: int) -> None:
        made.app.dispatch(pygame.event.Event(kind, key=key, mod=mod, unicode="", scancode=0))

    event(pygame.KEYDOWN, pygame.K_LCTRL, pygame.KMOD_LCTRL)
    event(pygame.KEYDOWN, pygame.K_n, pygame.KMOD_LCTRL)
    made.frame()
    opened = made.app.scene
    assert opened is not home
    event(pygame.KEYUP, pygame.K_LCTRL, 0)
    event(pygame.KEYDOWN, pygame.K_n, pygame.KMOD_LCTRL)  # as pygame repeats it, with the Ctrl of its beginning
    made.frame()
    assert made.app.scene is opened


def test_held_arrows_step_on_and_undo_goes_on(made: Stage) -> None:
    scene: Any = made.show(Replay(made.app, long_game(plies=20)))
    hold(made, pygame.K_RIGHT, 7)
    assert scene.state.record.position.ply == 7
    scene = made.show(SCENES["play"](made))
    ply = scene.state.record.position.ply
    hold(made, pygame.K_z, 3, pygame.KMOD_LCTRL)
    assert scene.state.record.position.ply <= ply - 3


def test_undo_leaves_the_replay_as_it_is(made: Stage) -> None:
    """Esc led home in place of the library, and the analysis and the speed were lost."""
    scene: Any = made.show(Replay(made.app, long_game(plies=20)))
    scene.back, part(scene, Transport).speed, scene.state.analyst.on = Home(made.app), 4.0, True
    record = scene.state.record
    other = next(move for move in record.position.legal_moves() if move != record.cursor.next.move)
    made.press(pygame.K_DELETE)
    scene.state.choose(other)
    for _ in range(2):
        made.press(pygame.K_z, pygame.KMOD_LCTRL)
    restored: Any = made.app.scene
    assert len(restored.state.record.line()) == 21
    assert len(restored.state.record.root.children) == 1
    assert made.app.message[0] == "Undone."
    assert (restored.back, part(restored, Transport).speed, restored.state.analyst.on) == (scene.back, 4.0, True)


def test_a_button_that_is_on_has_a_tooltip_too(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The button of the analysis had none while the analysis was running."""
    scene: Any = made.show(Replay(made.app, long_game(plies=20)))
    scene.state.analyst.on = True
    scene.state.choose_tab("analysis")
    made.frame()
    button = scene.widgets.buttons["analysis"]
    tips: list[str] = []
    monkeypatch.setattr("ui.toolkit.widgets.draw_tip", lambda surface, theme, text, *_: tips.append(text))
    made.pointer = button.rect.center
    now = time.monotonic()
    made.app.frame(now)
    assert tips == [], "not at once"
    made.app.frame(now + 1)
    assert tips == [button.tip]
    assert button.state == "selected"
    scene.state.analyst.toggle()


@pytest.mark.filterwarnings("error:value not in range")
def test_a_click_that_makes_the_line_longer_asks_the_slider_for_nothing_it_has_not(made: Stage) -> None:
    scene: Any = made.show(Replay(made.app, long_game(plies=20)))
    record = scene.state.record
    record.go_to(record.line()[-1])
    made.frame()
    made.click(scene.board.pixel_of(record.position.legal_moves()[0]))
    assert len(record.line()) == 22
    assert scene.widgets.elements["ply"].value == 21


def test_a_held_f11_does_not_leave_the_full_screen_again(made: Stage) -> None:
    made.show(Home(made.app))
    hold(made, pygame.K_F11, 3)
    assert made.app.settings.full_screen
    hold(made, pygame.K_F11, 1)
    assert not made.app.settings.full_screen


PRESSED = (
    *("home", "setup gomoku", "levels", "clock", "profile", "library"),
    *("play tictactoe", "replay branched", "settings", "about"),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESSED)
def test_every_button_can_be_pressed(stage: Make, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, as Enter on the focus does; each in a scene of its own."""
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    made = stage((960, 640))
    for key in list(made.show(SCENES[name](made)).widgets.buttons):
        made.show(SCENES[name](made))
        made.push(key)
        made.app.overlay = None


def test_a_key_that_hides_the_view_of_the_computer_was_called_analysis(made: Stage) -> None:
    for opponent, label in (("level:1", "Computer's view"), (PERSON, "Analysis")):
        record = GameRecord(setup("tictactoe"), (Seat(PERSON), Seat(opponent)))
        scene = made.show(Play(made.app, record, autosave=False))
        assert [t(binding.label) for binding in scene.all_bindings() if "a" in binding.keys] == [label]


def test_bones_could_not_be_taken_by_the_number_keys(made: Stage) -> None:
    scene = made.show(Play(made.app, GameRecord(setup("bones", 6)), autosave=False))
    assert ["1", "2", "3"] in [keys for keys, _ in KeysPage(made.app, scene.all_bindings(), lambda: None).rows]
    for key, left in ((pygame.K_3, 3), (pygame.K_1, 2), (pygame.K_3, 2)):
        made.press(key)
        assert scene.state.record.position.left == left
    assert made.app.message[0] == t("illegal.amount")
    gomoku = made.show(Play(made.app, GameRecord(setup("gomoku")), autosave=False))
    made.press(pygame.K_1)
    assert gomoku.state.record.position.ply == 0


def test_help_lists_the_keys_of_every_tab(made: Stage) -> None:
    """Only those of the tab that was chosen were listed."""
    for tab in ("moves", "analysis", "review"):
        scene = made.show(Replay(made.app, long_game(plies=20), tab=tab))
        told = {binding.label for binding in scene.all_bindings()}
        assert {"keys.comment", "keys.marks", "keys.analysis", "keys.next_mistake", "review.try_again"} <= told, tab


def test_the_question_mark_closes_the_page_of_keys_too_and_a_click_does_nothing_else(made: Stage) -> None:
    home = made.show(Home(made.app))
    for opened in (True, False, True):
        made.press(pygame.K_LSHIFT, pygame.KMOD_LSHIFT)
        made.press(pygame.K_SLASH, pygame.KMOD_LSHIFT, "?")
        assert (made.app.overlay is not None) == opened
    made.press(pygame.K_a, text="a")
    assert made.app.overlay is None
    made.press(pygame.K_F1)
    made.click(home.widgets.elements["card.gomoku"].rect.center)
    assert (made.app.overlay, made.app.scene) == (None, home)


def bound(scene: Screen) -> dict[str, str]:
    """What each key does, as the page of keys in the documentation has it."""
    bindings = [binding for binding in scene.all_bindings() if binding.label]
    labels = {" or ".join(map(key_label, binding.keys)): t(binding.label) for binding in bindings}
    return {keys.replace("⌘", "Ctrl").lower(): label for keys, label in labels.items()}


def test_the_keys_of_the_window_are_above_the_table(made: Stage) -> None:
    before_table = KEYS.split("|")[0]
    assert all(f"`{key_label(key)}`" in before_table for binding in made.app.bindings for key in binding.keys)


@pytest.mark.parametrize(("column", "name"), [(1, "play"), (2, "replay"), (3, "library")])
def test_the_keys_are_those_of_the_screens(made: Stage, column: int, name: str) -> None:
    scene = made.show(SCENES[name](made))
    told = {row[0].replace("`", "").lower(): row[column] for row in table(KEYS) if row[column]}
    before = KEYS.split("|")[0]  # tells what only some games and tabs have
    rest = {keys: label for keys, label in bound(scene).items() if f"`{keys.upper()}`" not in before or keys in told}
    assert told == rest


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ["TENGEN_HOME"] = home
        stage = Stage(Path(home), (960, 640), 100, "ink", "en")
        print("everywhere:", *(key for binding in stage.app.bindings for key in binding.keys))
        for name in SCREENS:
            scene = SCENES[STATES.get(name, name)](stage)
            print(f"{name}:", *sorted({key for binding in scene.all_bindings() for key in binding.keys}))
            scene.close()
        stage.app.close()


if __name__ == "__main__":
    main()
