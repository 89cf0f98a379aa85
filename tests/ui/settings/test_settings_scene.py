"""The settings by mouse and by keyboard: each takes effect at once, is saved, and reaches what it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame
import pytest

from ai.core.player import Player
from ai.search.alphabeta import AlphaBeta
from ai.system.threads import processors
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.stage import act, click, frame, part, press, push, show, until
from ui.app import App
from ui.home.screen import Home
from ui.play.screen import Play
from ui.settings.screen import AboutTengen, SettingsChanges, SettingsScreen
from ui.setup.screen import SetupScreen
from ui.system.settings import NewGame, Settings, load_settings
from ui.toolkit.i18n import LANGUAGES, t


@pytest.fixture
def app(app: App) -> App:
    show(app, SettingsScreen(app))
    return app


def type_in(app: App, text: str) -> None:
    """As a keyboard does: the key, and then its text."""
    for letter in text:
        key = ord(letter.lower())
        app.dispatch(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=letter))
        app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text=letter))
        app.dispatch(pygame.event.Event(pygame.KEYUP, key=key, mod=0, unicode=letter))
        frame(app, 2)


def focus_on(app: App, name: str) -> None:
    """By Tab alone."""
    for _ in range(len(app.scene.widgets.elements)):
        press(app, pygame.K_TAB)
        if app.scene.widgets.focus == name:
            return
    pytest.fail(f"Tab does not reach {name}")


def saved(app: App) -> Settings:
    app.files.settle()
    return load_settings()


@pytest.mark.parametrize(("button", "name", "value"), [
    ("theme.paper", "theme", "paper"), ("scale.80", "scale", 80), ("motion.on", "motion", "on"),
    ("contrast.on", "contrast", "on"), ("theme.", "theme", ""), ("coordinates.off", "coordinates", False),
    ("numbers.on", "numbers", True), ("thinking.off", "thinking", False), ("sound.off", "sound", False),
    ("memory_mb.more", "memory_mb", 128), ("memory_mb.less", "memory_mb", 32),
])  # fmt: skip
def test_each_is_set_by_the_keyboard_and_saved(app: App, button: str, name: str, value: object) -> None:
    focus_on(app, button)
    press(app, pygame.K_RETURN)
    assert getattr(app.settings, name) == value
    assert getattr(saved(app), name) == value
    assert app.scene.widgets.focus == button, "the focus stays where it is"


def test_theme_language_and_size_are_seen_at_once(app: App) -> None:
    before = app.theme
    push(app, "theme.paper", "scale.80", "language")
    press(app, pygame.K_DOWN, pygame.K_RETURN)
    assert (app.theme.palette, app.theme.scale) != (before.palette, before.scale)
    assert (app.theme.language, app.theme.scale) == ("zh", 0.8)
    assert t("settings.title") == "设置"


def test_each_language_is_chosen_by_its_own_name_in_the_settings_and_at_home(app: App) -> None:
    for make in (SettingsScreen, Home):
        for code, language in LANGUAGES.items():
            show(app, make(app))
            push(app, "language")
            menu: Any = app.overlay
            assert {each.name for each in LANGUAGES.values()} <= {text for _, text in menu.options}
            click(app, menu.places()[code])
            frame(app)
            assert app.theme.language == saved(app).language == code
            assert app.scene.widgets.buttons["language"].text == language.name


def test_wood_and_stones_are_chosen_in_menus(app: App) -> None:
    for name, value in (("wood", "maple"), ("stones", "yunzi")):
        push(app, name)
        press(app, pygame.K_DOWN, pygame.K_RETURN)
        assert getattr(saved(app), name) == value


def test_the_volume_by_arrows_and_by_a_click_in_the_groove(app: App) -> None:
    focus_on(app, "volume")
    press(app, pygame.K_LEFT, pygame.K_LEFT)
    assert app.settings.volume == 60
    slider = app.scene.widgets.elements["volume"]
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=slider.rect.midleft))
    frame(app, 2)
    assert app.settings.volume == 0
    press(app, pygame.K_LEFT)
    assert app.settings.volume == 0, "no further than the end"
    app.scene.close()
    assert saved(app).volume == 0


def test_the_name_is_typed_without_setting_off_keys(app: App) -> None:
    focus_on(app, "name")
    type_in(app, "Susan")
    entry = app.scene.widgets.elements["name"]
    assert (entry.text, app.settings.player_name) == ("Susan", "Susan")
    assert app.settings.sound, "S is a letter here, not a key"
    press(app, pygame.K_ESCAPE)
    assert isinstance(app.scene, SettingsScreen), "Esc leaves the line, not the settings"
    assert not entry.focused
    press(app, pygame.K_ESCAPE)
    assert isinstance(app.scene, Home)
    assert saved(app).player_name == "Susan"


def test_other_names_are_a_list_with_commas(app: App) -> None:
    focus_on(app, "names")
    app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text="Ada, ada_99\uff0c天元;  Ada,"))
    assert app.settings.names == ["Ada", "ada_99", "天元"]
    app.settings.player_name = "Susan"
    assert app.settings.own_names == ["Susan", "Ada", "ada_99", "天元"]
    app.scene.close()
    assert saved(app).names == ["Ada", "ada_99", "天元"]
    show(app, SettingsScreen(app))
    assert app.scene.widgets.elements["names"].text == "Ada, ada_99, 天元"


def test_what_is_to_be_typed_does_not_look_like_a_name(app: App) -> None:
    """It was written in the colour of text, as if “You” were the name already."""
    show(app, SettingsScreen(app))
    place = app.scene.widgets.elements["name"].rect.inflate(-8, -8)
    palette = app.theme.palette
    shown = {tuple(app.surface.get_at((x, y)))[:3] for x in range(place.left, place.right)
             for y in range(place.top, place.bottom)}  # fmt: skip
    assert palette.quiet in shown
    assert palette.text not in shown


def test_the_name_is_that_of_the_only_person(app: App) -> None:
    app.settings.player_name = "Ada"
    for players, names in (((PERSON, "engine"), ("Ada", "")), ((PERSON, PERSON), ("", ""))):
        app.settings.new_game["gomoku"] = NewGame(15, "freestyle", players)
        scene = show(app, SetupScreen(app, "gomoku"))
        act(scene, "return")
        assert isinstance(app.scene, Play)
        assert tuple(seat.name for seat in app.scene.state.record.seats) == names


def test_new_games_go_back_to_the_defaults(app: App) -> None:
    assert not app.scene.widgets.buttons["new_game"].enabled
    app.settings.new_game["gomoku"] = NewGame(19, "renju", ("engine", PERSON))
    app.restyle()
    frame(app, 2)
    focus_on(app, "new_game")
    press(app, pygame.K_SPACE)
    assert saved(app).new_game == {}
    assert not app.scene.widgets.buttons["new_game"].enabled


def test_threads_are_those_that_there_are(app: App) -> None:
    for _ in range(processors() + 2):
        push(app, "threads.more")
    assert saved(app).threads == processors()
    assert not app.scene.widgets.buttons["threads.more"].enabled


def test_threads_and_memory_reach_both_engines(app: App) -> None:
    """Also those of a game that is under way."""
    made: list[tuple[int, int, bool]] = []

    def player(threads: int, memory_mb: int, book: bool, **_: object) -> Player:
        made.append((threads, memory_mb, book))
        return AlphaBeta()

    app.engine.player = player  # type: ignore[method-assign, assignment]
    record = GameRecord(setup("gomoku"), (Seat("engine", seconds=60.0), Seat(PERSON)))
    scene = show(app, Play(app, record, autosave=False))
    app.settings.threads, app.settings.memory_mb = 2, 16
    push(app, "settings")
    app.show(scene)
    until(app, lambda: len(made) == 2)  # the search for a move has begun anew
    scene.state.live.move_now()
    until(app, lambda: record.position.ply)  # a hint waits where the move needs all processors
    scene.state.hints.ask()
    until(app, lambda: len(made) >= 3)  # for the hint, and what else there was
    assert made[:2] == [(1, 64, True), (2, 16, True)]
    assert set(made[2:]) == {(2, 16, False)}


def test_about_says_what_there_is_and_comes_back(app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda place: opened.append(place) or True)
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path / "far" / "away"))
    focus_on(app, "about")
    press(app, pygame.K_RETURN)
    assert isinstance(app.scene, AboutTengen)
    focus_on(app, "saves")
    press(app, pygame.K_RETURN, pygame.K_RETURN)
    assert opened == [(tmp_path / "far" / "away" / "saves").as_uri()] * 2
    assert (tmp_path / "far" / "away" / "saves").is_dir()
    for failing in (lambda _: False, lambda _: (_ for _ in ()).throw(OSError())):
        monkeypatch.setattr("webbrowser.open", failing)
        app.say("")
        app.scene.widgets.press("log")
        assert str(tmp_path / "far" / "away" / "logs") in app.message[0]
    press(app, pygame.K_ESCAPE, pygame.K_ESCAPE)
    assert isinstance(app.scene, SettingsScreen)


@pytest.mark.parametrize(("language", "expected"), [("zh", ["start", "stop"]), ("de", ["start"])])
def test_an_input_method_gets_letters_only_where_one_types(
    app: App, monkeypatch: pytest.MonkeyPatch, language: str, expected: list[str]
) -> None:
    """A Chinese one would take N, C, H and all the other keys of ours."""
    calls: list[str] = []
    monkeypatch.setattr(pygame.system, "get_pref_locales", lambda: [{"language": language, "country": None}])
    monkeypatch.setattr(pygame.key, "start_text_input", lambda: calls.append("start"))
    monkeypatch.setattr(pygame.key, "stop_text_input", lambda: calls.append("stop"))
    focus_on(app, "names")
    press(app, pygame.K_TAB)
    assert calls[-len(expected) :] == expected
    assert calls.count("stop") in (0, calls.count("start"))
    assert pygame.key.get_repeat() == (350, 40), "a held key still repeats after typing"


def test_full_screen_is_switched_only_if_it_changes(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    switched: list[bool] = []
    monkeypatch.setattr(app, "toggle_full_screen", lambda: switched.append(True))
    push(app, "full_screen.off")
    assert switched == []
    push(app, "full_screen.on")
    assert switched == [True]


def test_sound_is_switched_off_and_on_with_a_sample(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []
    monkeypatch.setattr(app.sounds, "play", played.append)
    for on, said in ((False, "sound.off"), (True, "sound.on")):
        app.toggle_sound()
        assert (saved(app).sound, app.message[0]) == (on, t(said))
    push(app, "numbers.on")
    assert played == ["stone"] * 2, "of the two switches"
    push(app, "sound.off")
    assert played == ["stone"] * 3


def test_what_is_typed_is_saved_after_a_pause(app: App) -> None:
    form: Any = part(app.scene, SettingsChanges)
    assert form.wake(0.0) is None
    form.set_name("Ada")
    due = form.wake(0.0)
    assert due is not None
    assert (form.wake(due - 0.5), form.wake(due + 5.0)) == (0.5, 0.0)
    form.update(due - 0.001)
    assert saved(app).player_name == ""
    form.update(due)
    assert saved(app).player_name == "Ada"
    assert form.wake(due) is None


def test_steppers_show_what_is_chosen_and_end_with_the_values(app: App) -> None:
    buttons = app.scene.widgets.buttons
    for memory, less, more in ((16, False, True), (64, True, True), (1024, True, False)):
        app.settings.memory_mb = memory
        app.restyle()
        frame(app)
        buttons = app.scene.widgets.buttons
        assert (buttons["memory_mb.less"].enabled, buttons["memory_mb.more"].enabled) == (less, more)
        assert f"{memory} MB" in app.scene.widgets.texts
    assert app.settings.threads == 1
    assert not buttons["threads.less"].enabled


@pytest.mark.parametrize(
    ("members", "kind"), [(None, "bad"), ({}, "bad"), ({"a": 2, "b": 3}, "good")]
)
def test_the_test_of_a_cluster_tells_its_workers_and_threads(
    app: App, monkeypatch: pytest.MonkeyPatch, members: dict[str, int] | None, kind: str
) -> None:
    monkeypatch.setattr("ui.settings.screen.workers_of", lambda _address: members)
    monkeypatch.setattr("ui.settings.screen.installed", lambda: False)
    said: list[tuple[str, str]] = []
    monkeypatch.setattr(app, "say", lambda text, kind="info", **_: said.append((text, kind)))
    assert not app.scene.widgets.buttons["cluster.test"].enabled
    app.scene.widgets.elements["cluster"].type_text("local")
    frame(app)
    push(app, "cluster.test")
    until(app, lambda: said)
    assert said[-1][1] == kind
    found = f"{t('cluster.workers', count=2)} · {t('cluster.threads', count=5)}" if members else t("cluster.empty")
    assert said[-1][0] == (t("cluster.extra", address="local") if members is None else found)


def test_a_screen_is_built_once_after_a_change_of_looks(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[bool] = []
    build = app.view.build
    monkeypatch.setattr(app.view, "build", lambda: (built.append(True), build()))
    for _ in range(2):
        app.restyle()
        frame(app, 3)
    app.rebuild()
    frame(app, 3)
    assert len(built) == 3
