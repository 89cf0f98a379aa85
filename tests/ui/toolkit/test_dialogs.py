"""A message in the status line ends when it is no longer true; questions and menus, by keys and by the mouse."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from games.formats import save
from tests.ui.scenes import long_game
from tests.ui.stage import Stage
from ui.home.screen import Home
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.toolkit.dialogs import SECONDS, SHOWN, Menu, Notices, ProgressCard, Question
from ui.toolkit.i18n import t
from ui.toolkit.theme import PALETTES, Theme
from ui.toolkit.typesetting import width_of


def test_an_error_is_gone_when_the_next_file_is_open(made: Stage, tmp_path: Path) -> None:
    made.show(Home(made.app))
    (tmp_path / "bad.txt").write_text("no game", encoding="utf-8")
    save(long_game(plies=6), tmp_path / "good.tengen.json")
    made.app.open_file(tmp_path / "bad.txt")
    made.frame(3)
    assert "bad.txt" in made.app.message[0]
    made.app.open_file(tmp_path / "good.tengen.json")
    made.frame(3)
    assert isinstance(made.app.scene, Replay)
    assert made.app.message[0] == ""


def test_what_was_undone_in_a_replay_is_not_told_at_home(made: Stage, tmp_path: Path) -> None:
    """“Brought back.” stood in the status line of the home screen."""
    made.show(Replay(made.app, long_game(plies=6), tmp_path / "game.tengen.json"))
    made.press(pygame.K_DELETE)
    assert made.app.message[0] == t("replay.removed")
    made.press(pygame.K_z, pygame.KMOD_LCTRL)
    assert made.app.message[0] == t("replay.undone")
    made.press(pygame.K_ESCAPE)
    assert made.app.scene.name == "home"
    assert made.app.message[0] == ""


def test_an_illegal_move_is_told_until_the_position_is_another(made: Stage) -> None:
    record = long_game(plies=6)
    scene: Any = made.show(Play(made.app, record, autosave=False))
    taken = record.cursor.move
    scene.state.choose(taken)
    made.frame()
    assert made.app.message[0] in (t("illegal.occupied"), t("play.wait_turn"))
    scene.state.show_node(record.root)
    made.frame()
    assert made.app.message[0] == ""


def test_what_is_said_before_the_first_scene_or_while_one_is_left_is_told_in_the_next(made: Stage) -> None:
    made.app.say("The settings were damaged.", "bad")
    scene = made.show(Home(made.app))
    assert made.app.message[0] == "The settings were damaged."
    scene.close = lambda: made.app.say("It could not be saved.", "bad")
    made.show(Home(made.app))
    assert made.app.message[0] == "It could not be saved."


def test_a_notice_ends_with_its_time_what_went_wrong_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    notices, owner = Notices(), object()
    for kind, seconds in (("info", SECONDS), ("bad", 2 * SECONDS)):
        notices.say("A sentence.", kind, owner)
        assert notices.due(100.0) == seconds
        notices.update(100.0 + seconds - 0.1, owner)
        assert notices.text == "A sentence."
        notices.update(100.0 + seconds, owner)
        assert notices.text == ""
        assert notices.due(0.0) is None


def test_a_notice_ends_with_its_screen_or_when_it_is_no_longer_true() -> None:
    notices, owner, true = Notices(), object(), [True]
    for mine, shown, holds, there in ((owner, owner, True, True), (owner, object(), True, False),
                                      (None, object(), True, True), (owner, owner, False, False)):  # fmt: skip
        true[0] = holds
        notices.say("A sentence.", "bad", mine, lambda: true[0])
        notices.update(0.0, shown)
        assert (notices.text, notices.kind) == (("A sentence.", "bad") if there else ("", "info"))


def test_a_notice_that_follows_waits_for_the_end_of_the_present_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    notices, owner = Notices(), object()
    for text, follows, shown in (("One.", True, "One."), ("Three.", True, "One."), ("Two.", False, "Two.")):
        notices.say(text, "info", owner, follows=follows)
        assert notices.text == shown
    notices.update(100.0 + SECONDS - 0.1, owner)
    assert notices.text == "Two."
    monkeypatch.setattr("time.monotonic", lambda: 100.0 + SECONDS)
    notices.update(100.0 + SECONDS, owner)
    assert notices.text == "Three."
    notices.say("Four.", "info", owner, follows=True)
    notices.update(100.0 + SECONDS, object())
    assert notices.text == "", "both are of a screen that is gone"


@pytest.fixture
def display() -> SimpleNamespace:
    pygame.display.init()
    pygame.font.init()
    return SimpleNamespace(theme=Theme(PALETTES["ink"], 1.0, "en"), size=(400, 300))


def pressed(key: int) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="")


def mouse(kind: int, point: tuple[int, int], button: int = 1) -> pygame.event.Event:
    return pygame.event.Event(kind, pos=point, button=button)


def menu(display: SimpleNamespace, count: int, chosen: str = "", top: int = 20, said: list[str] | None = None) -> Menu:
    options = [(str(number), f"Option {number}") for number in range(count)]
    then = print if said is None else said.append
    return Menu(display, pygame.Rect(30, top, 120, 30), options, chosen, then, {"1": "a"})


def first(made: Menu) -> int:
    """The row at the top."""
    return int(next(iter(made.places())))


@pytest.mark.parametrize(("count", "under", "top", "high"), [
    (3, 20, 54, 114), (20, 20, 54, 216), (3, 240, 122, 114), (20, 200, 14, 182), (9, 110, 144, 148), (9, 111, 145, 114),
    (20, 270, 16, 250), (1, 20, 54, 46),
])  # fmt: skip
def test_a_menu_lies_where_there_is_more_room(
    display: SimpleNamespace, count: int, under: int, top: int, high: int
) -> None:
    made = menu(display, count, top=under)
    assert (made.rect.topleft, made.rect.height, len(made.places())) == ((30, top), high, (high - 12) // 34)
    assert made.places()["0"] == (made.rect.centerx, made.rect.top + 23)
    wide = Menu(display, pygame.Rect(300, 20, 9, 30), [("a", "long " * 30), ("b", "")], "", print)
    assert (wide.rect.left, wide.rect.width) == (8, 384)


def test_a_menu_is_gone_through_by_keys_and_scrolls(display: SimpleNamespace) -> None:
    said: list[str] = []
    made, seen = menu(display, 20, "9", said=said), []
    keys = (pygame.K_UP, pygame.K_DOWN, pygame.K_PAGEDOWN, pygame.K_DOWN, pygame.K_DOWN, pygame.K_END, pygame.K_PAGEUP,
            pygame.K_x, pygame.K_HOME, pygame.K_UP)  # fmt: skip
    assert (made.at, first(made)) == (9, 4)
    for key in keys:
        assert made.handle(pressed(key))
        seen.append((made.at, first(made)))
    assert seen == [(8, 4), (9, 4), (17, 12), (18, 13), (19, 14), (19, 14), (11, 11), (11, 11), (0, 0), (0, 0)]
    rows = made.accessible().children
    assert [(row.name, row.about, row.chosen, row.focused, row.click) for row in rows[:2]] == [
        ("Option 0", "", False, True, True), ("Option 1", "A", False, False, True),
    ]  # fmt: skip
    for key in (pygame.K_ESCAPE, pygame.K_TAB, pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
        assert not made.handle(pressed(key))
    assert said == ["0", "0", "0"]


def test_a_menu_is_chosen_from_by_the_mouse(display: SimpleNamespace) -> None:
    said: list[str] = []
    made = menu(display, 20, said=said)
    tops = []
    for turn in (-2, -99, 5, 99):
        assert made.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=turn))
        tops.append(first(made))
    assert tops == [2, 14, 9, 0]
    made.handle(mouse(pygame.MOUSEMOTION, made.places()["3"]))
    made.handle(mouse(pygame.MOUSEMOTION, (0, 0)))
    assert made.at == 3
    for point, button, stays in (((32, 56), 1, True), ((0, 0), 4, True), ((0, 0), 1, False), ((0, 0), 3, False),
                                 (made.places()["2"], 3, False)):  # fmt: skip
        assert made.handle(mouse(pygame.MOUSEBUTTONDOWN, point, button)) == stays
    assert said == ["2"]


@pytest.mark.parametrize(
    ("key", "done"), [(pygame.K_RETURN, ["yes"]), (pygame.K_ESCAPE, []), (pygame.K_TAB, None), (pygame.K_x, None)]
)
def test_a_question_is_answered_by_its_button(display: SimpleNamespace, key: int, done: list[str] | None) -> None:
    said: list[str] = []
    third = ("c", "C", lambda: said.append("c"))
    made = Question(display, "Title", "Text", "Yes", lambda: said.append("yes"), third=third)
    assert (made.widgets.focus, list(made.widgets.elements)) == ("accept", ["cancel", "c", "accept"])
    assert made.handle(pressed(key)) == made.alive == (done is None)
    assert said == (done or [])
    assert (made.accessible().name, len(made.accessible().children)) == ("Title", 0 if done is not None else 3)
    assert list(Question(display, "Title", "Text").widgets.elements) == ["accept"]


def test_a_dialog_is_as_large_as_asked_or_as_the_window_and_its_buttons_stand_at_the_right(
    display: SimpleNamespace
) -> None:
    made = Question(display, "Title", "Text", "Yes", width=300)
    assert made.rect == (50, 75, 300, 151)
    cancel, accept = (each.rect for each in made.widgets.elements.values())
    assert accept == (226, 166, 104, 40)
    assert (cancel.right, cancel.top, cancel.height) == (218, 166, 40)
    (_, long) = Question(display, "Title", "Text", "An action of many words").widgets.elements.values()
    assert long.rect.width == width_of(display.theme, "An action of many words", 16, bold=True) + 36 > 200
    display.size = (280, 120)
    made.draw(pygame.Surface(display.size))
    assert made.rect == (16, 16, 248, 88)
    display.size = (400, 300)
    short = [" ".join("i" * count) for count in range(200)]
    most = max(text for text in short if width_of(display.theme, text, 16) <= 260)
    assert [Question(display, "Title", each, width=300).rect.height for each in (most, most + " i")] == [151, 151 + 23]
    display.size = (280, 120)
    wide = Question(display, "Title", "A long sentence that needs more than a line. " * 2, width=300)
    assert wide.rect.width == 248


def test_a_card_of_progress_appears_late_and_takes_no_clicks_before(
    display: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, stopped = [8.0], list[int]()
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    surface = pygame.Surface(display.size)
    card = ProgressCard(display, "T", "name", lambda: 0.5, lambda: stopped.append(1))
    cancel = card.widgets.elements["cancel"].rect.center
    for wait, seen in ((0.0, False), (SHOWN - 0.125, False), (SHOWN + 0.125, True)):
        now[0] = 8.0 + wait
        surface.fill("red")
        card.draw(surface)
        assert (surface.get_at(card.rect.center) != pygame.Color("red")) == card.shown == seen
        assert card.handle(mouse(pygame.MOUSEBUTTONDOWN, cancel))
        assert card.handle(mouse(pygame.MOUSEBUTTONUP, cancel)) != seen
    assert stopped == [1]
    now[0] = 8.0
    early = ProgressCard(display, "T", "name", lambda: 0.5, lambda: stopped.append(2))
    assert not early.handle(pressed(pygame.K_ESCAPE))
    assert stopped == [1, 2]
