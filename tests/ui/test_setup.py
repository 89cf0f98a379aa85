"""The screens of a new game: nothing moves under the pointer, and clocks are called what they are."""

from __future__ import annotations

import pytest

from games.clock import TimeControl
from games.registry import GAMES
from tests.ui.stage import Make, Stage
from ui.scenes.clock import ClockScene
from ui.scenes.home import Home
from ui.scenes.settings import SettingsScene
from ui.scenes.setup import SetupScene, seats_of
from ui.toolkit.i18n import t

Places = dict[str, tuple[int, ...]]


def places(made: Stage) -> Places:
    made.frame()
    return {name: tuple(element.rect) for name, element in made.app.scene.widgets.elements.items()}


def assert_nothing_moved(before: Places, after: Places) -> None:
    moved = {name: (before[name], after[name]) for name in before.keys() & after.keys() if before[name] != after[name]}
    assert not moved


@pytest.mark.parametrize("clock", [None, TimeControl(60)])
@pytest.mark.parametrize("game", GAMES)
def test_choosing_a_player_moves_no_button(stage: Make, game: str, clock: TimeControl | None) -> None:
    made = stage((960, 640))
    made.show(SetupScene(made.app, game))
    scene = made.app.scene
    assert isinstance(scene, SetupScene)
    scene._set_clock(clock)
    before = places(made)
    for side in (0, 1):
        for seat in seats_of(game):
            scene._set_seat(side, seat)
            assert_nothing_moved(before, places(made))


def test_choosing_a_game_moves_no_button(stage: Make) -> None:
    made = stage((960, 640))
    made.show(SetupScene(made.app, "gomoku"))
    before = places(made)
    for game in GAMES:
        made.app.scene.widgets.press(f"game.{game}")
        assert_nothing_moved(before, places(made))


def test_a_scene_that_opens_while_the_theme_changes_shows_its_widgets(stage: Make) -> None:
    made = stage()
    made.frame()
    made.app.settings.theme = "paper"
    made.app.restyle()
    scene = made.show(SetupScene(made.app, "gomoku"))
    start = scene.widgets.buttons["start"]
    assert start.theme is made.app.theme
    assert start.picture is not None


def test_an_increment_of_nothing_is_seconds(stage: Make) -> None:
    made = stage()
    scene = ClockScene(made.app, TimeControl.parse("1+0"), lambda _: None, Home(made.app))
    made.show(scene)
    assert [text for _, text in scene._values] == ["60 s", "0 s"]


@pytest.mark.parametrize(
    ("size", "scale", "limited"),
    [((1280, 720), 200, "112"), ((1280, 720), 125, "112"), ((1920, 1280), 200, ""), ((1280, 720), 100, "")],
)
def test_the_settings_say_when_the_window_limits_the_size(
    stage: Make, size: tuple[int, int], scale: int, limited: str
) -> None:
    made = stage(size, scale)
    scene = made.show(SettingsScene(made.app))
    assert isinstance(scene, SettingsScene)
    assert scene.about() == (t("settings.limited", percent=limited) if limited else t("settings.kept"))
