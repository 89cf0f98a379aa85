"""The screen of a new game: whom to play, on which side; nothing moves under the pointer; names of clocks."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from ai.players.levels import EVEN
from ai.players.table import measured_elo
from games.clock import TimeControl
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, setup
from tests.ui.stage import Make, Stage, act, part
from ui.play.screen import Play
from ui.settings.screen import SettingsScreen
from ui.setup.menus import SetupBoard
from ui.setup.screen import SetupScreen
from ui.setup.state import WATCH, seats_of, unusual_players
from ui.toolkit.i18n import t
from ui.words.games import seat_about, seat_label

Places = dict[str, tuple[int, int]]


def places(made: Stage) -> Places:
    made.frame()
    return {name: element.rect.topleft for name, element in made.app.scene.widgets.elements.items()}


def assert_nothing_moved(before: Places, after: Places) -> None:
    moved = {name: (before[name], after[name]) for name in before.keys() & after.keys() if before[name] != after[name]}
    assert not moved


@pytest.mark.parametrize("clock", [None, TimeControl(60)])
@pytest.mark.parametrize("game", GAMES)
def test_choosing_a_player_moves_no_button(stage: Make, game: str, clock: TimeControl | None) -> None:
    made = stage((960, 640))
    scene = made.show(SetupScreen(made.app, game))
    scene.state.set_clock(clock)
    before = places(made)
    for seat in seats_of(game):
        for side in ("0", WATCH, "0"):
            scene.state.set_opponent(seat)
            scene.state.set_side(side)
            assert_nothing_moved(before, places(made))


def test_the_menu_of_levels_lists_the_network_beside_the_search_without_it(stage: Make) -> None:
    made = stage((960, 640))
    made.show(SetupScreen(made.app, "connect4"))
    for name in ("mcts:network", "mcts"):
        made.push("level1", f"level1.{name}")
        assert SetupScreen(made.app, "connect4").state.chosen.players[1] == name, "it is kept for the next time"
    assert seat_label("connect4", "mcts") != seat_label("connect4", "mcts:network")


def test_the_menu_of_levels_lists_other_players(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "gomoku"))
    made.push("level1")
    known = measured_elo("mcts", "gomoku")
    assert known is not None
    assert f"Elo {known.elo:.0f} ± {known.error:.0f}" in scene.widgets.elements["level1.mcts"].tip
    assert chosen(made, "level1.mcts") == (PERSON, "mcts")
    assert scene.widgets.buttons["against.level"].chosen
    assert chosen(made, "against.level")[1].startswith("level:")


@pytest.mark.parametrize("game", GAMES)
def test_each_player_of_the_menu_is_described(made: Stage, game: str) -> None:
    """The parallel search was said to be the engine."""
    assert all(seat_about(name) for name in unusual_players(game))


def test_choosing_a_game_moves_no_button(stage: Make) -> None:
    made = stage((960, 640))
    made.show(SetupScreen(made.app, "gomoku"))
    before = places(made)
    for game in GAMES:
        made.app.scene.widgets.press(f"game.{game}")
        assert_nothing_moved(before, places(made))


def test_the_usual_clocks_are_one_click_and_the_menu_has_the_others(stage: Make) -> None:
    made = stage((960, 640))
    scene = made.show(SetupScreen(made.app, "bones"))
    before = places(made)
    for clock, name in (("5+3", "quick.5+3"), ("30 s", "quick.30 s"), ("", "quick."), ("10 min, 3×30 s", "clock")):
        if name == "clock":
            scene.state.set_clock(TimeControl.parse(clock))
        else:
            scene.widgets.press(name)
        assert_nothing_moved(before, places(made))
        assert scene.state.chosen.clock == clock
        clocks = [key for key in scene.widgets.buttons if key.startswith(("quick", "clock"))]
        assert [key for key in clocks if scene.widgets.buttons[key].chosen] == [name]
    assert "Clock: 10 min + 3×30 s" in scene.widgets.texts


def test_less_time_for_a_side_is_chosen_by_keys_alone(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "gomoku"))
    scene.state.set_clock(TimeControl(300, 3))
    made.press(pygame.K_t)
    for name in ("part0.8", "part0.2"):
        for _ in scene.widgets.elements:
            if scene.widgets.focus != name:
                made.press(pygame.K_TAB, pygame.KMOD_SHIFT if name == "part0.2" else 0)
        made.press(pygame.K_SPACE)
    assert scene.state.chosen.divisors == (2, 1)
    made.press(pygame.K_ESCAPE)
    made.press(pygame.K_ESCAPE)
    assert (made.app.scene, scene.state.menu) == (scene, "")


def test_a_scene_that_opens_while_the_theme_changes_shows_its_widgets(made: Stage) -> None:
    made.frame()
    made.app.settings.theme = "paper"
    made.app.restyle()
    scene = made.show(SetupScreen(made.app, "gomoku"))
    start = scene.widgets.buttons["start"]
    assert start.theme is made.app.theme
    assert start.picture is not None


def chosen(made: Stage, *names: str) -> tuple[str, str]:
    """The players after clicks on these buttons, the first side first."""
    scene: Any = made.app.scene
    made.push(*names)
    return scene.state.chosen.players  # type: ignore[no-any-return]


def test_whom_to_play_and_on_which_side(stage: Make) -> None:
    made = stage((960, 640))
    made.show(SetupScreen(made.app, "gomoku"))
    assert chosen(made) == (PERSON, "level:2"), "a newcomer begins, against a friendly level"
    assert chosen(made, "side.1") == ("level:2", PERSON)
    assert chosen(made, "against.engine") == ("engine", PERSON)
    assert chosen(made, "against.person") == (PERSON, PERSON)
    assert not made.app.scene.widgets.buttons["side.0"].enabled, "of two people, each has a side"
    assert chosen(made, "side.1", "against.level") == (PERSON, "level:2")


def test_two_computers_are_watched_and_chosen_one_by_one(stage: Make) -> None:
    made = stage((960, 640))
    made.show(SetupScreen(made.app, "gomoku"))
    assert chosen(made, "side.watch") == ("level:2", "level:2")
    assert chosen(made, "level0", "level0.7") == ("level:7", "level:2")
    assert chosen(made, "level1", "level1.engine") == ("level:7", "engine")
    assert "time1.more" in made.app.scene.widgets.buttons
    assert chosen(made, "side.0") == (PERSON, "engine")


def test_a_click_beside_a_menu_closes_it_and_a_click_on_it_does_not(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "gomoku"))
    for press in ("clock", "level1"):
        made.push(press)
        menu = part(scene, SetupBoard).menu
        card = menu.card
        for point, stays in (((card.left + 5, card.top + 5), True), ((card.left - 5, card.top), False)):
            made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=point, button=1))
            assert bool(scene.state.menu) is stays
        made.frame()


@pytest.mark.parametrize(("way", "before"), [("home", "home"), ("back", "settings")])
def test_the_button_that_leads_back_closes_a_menu_first_as_esc_does(made: Stage, way: str, before: str) -> None:
    """It left the screen while a menu was open."""
    record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2")))
    on = SetupScreen(made.app, record=record, back=SettingsScreen(made.app))
    made.show(SetupScreen(made.app, "gomoku") if way == "home" else on)
    for press, shown in (("level1", "setup"), (way, "setup"), (way, before)):
        made.push(press)
        assert made.app.scene.name == shown
        assert ("level1.even" in made.app.scene.widgets.elements) is (press == "level1")


@pytest.mark.parametrize(
    ("size", "scale", "limited"),
    [((1280, 720), 200, "112"), ((1280, 720), 125, "112"), ((1920, 1280), 200, ""), ((1280, 720), 100, "")],
)
def test_the_settings_say_what_limits_the_size(stage: Make, size: tuple[int, int], scale: int, limited: str) -> None:
    made = stage(size, scale)
    scene = made.show(SettingsScreen(made.app))
    assert scene.status() == (t("settings.limited", percent=limited) if limited else t("settings.kept"))


def test_the_menu_of_levels_chooses_one(made: Stage) -> None:
    app = made.app
    scene = made.show(SetupScreen(app, "gomoku"))
    for press, player in (("level1.7", "level:7"), ("level1.even", EVEN)):
        assert chosen(made, "level1", press) == (PERSON, player)
        assert not scene.state.menu
    made.push("level1")
    act(scene, "escape")
    assert (app.scene, scene.state.menu) == (scene, ""), "Esc closes the menu first"
    act(scene, "return")
    assert isinstance(app.scene, Play)
    assert app.scene.state.record.seats[1].player == f"{EVEN}=2", "as strong as a newcomer is taken to be"
