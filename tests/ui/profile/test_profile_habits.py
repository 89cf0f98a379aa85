"""The tab of the profile that tells how the person errs."""

from __future__ import annotations

import json
from pathlib import Path

import pygame
import pytest

from ai.players.opponent import model as store
from ai.players.opponent.chances import TACTICS, Tactics, tactics
from ai.service.profile import Profile, encoded, load_profile, profile_path
from games.formats import save
from games.formats.text import parse
from games.record import PERSON, Seat
from games.registry import setup
from games.storage import saves_home
from tests.ui.stage import frame, part, push, show, until
from ui.app import App
from ui.parts.ratings import HABITS
from ui.profile.screen import ProfileHabits, ProfileResults, ProfileScreen
from ui.setup.screen import SetupScreen
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.toolkit.space import Space

ROOT = Path(__file__).resolve().parents[3]
MISSED = "a1b2b1c3c1"


def play_badly(games: int) -> None:
    """Games of tic-tac-toe in which the person, as O, does not block."""
    profile = Profile()
    for number in range(games):
        record = parse(MISSED, setup("tictactoe"))
        record.seats, record.date = (Seat("level:1"), Seat(PERSON)), f"2026-05-{number + 1:02}T12:00:00"
        file = saves_home() / f"game {number}.tengen.json"
        save(record, file)
        profile.add(record, file)
    profile_path().write_bytes(encoded(profile))


def habits_scene(app: App, games: int) -> ProfileScreen:
    play_badly(games)
    scene = show(app, ProfileScreen(app, "tictactoe"))
    pushed(app, scene, "tab.habits")
    return scene


def pushed(app: App, scene: ProfileScreen, button: str) -> None:
    """Press a button, and wait for what it asks for."""
    push(app, button)
    until(app, lambda: scene.state.habits.found)


def counted(scene: ProfileScreen) -> dict[str, str]:
    return {habit.text: habit.count for habit in part(scene, ProfileHabits).habits}


def test_the_tab_counts_what_was_overlooked(app: App) -> None:
    scene = habits_scene(app, 6)
    rows = {habit.count: habit.share for habit in part(scene, ProfileHabits).habits}
    share = rows["6 of 6"]
    assert share is not None
    assert share.low > 0.4
    assert list(rows.values()).count(None) == len(rows) - 1, "the other chances have not come up"
    assert part(scene, ProfileResults).graph is None
    push(app, "tab.rating")
    assert part(scene, ProfileHabits).habits == []
    assert part(scene, ProfileResults).graph is not None


@pytest.mark.parametrize(("game", "moves"), [("gomoku", 50), ("tictactoe", 49), ("tictactoe", 50)])
def test_habits_of_five_chances_and_the_depth_of_fifty_moves_are_told_in_the_room_there_is(
    app: App, monkeypatch: pytest.MonkeyPatch, game: str, moves: int
) -> None:
    scene = show(app, ProfileScreen(app, game))
    kinds, labels, boxes = tactics(game).kinds, dict[str, pygame.Rect](), list[pygame.Rect]()
    fitted = store.fit(game, store.Tally(moves, {kinds[0]: (2, 5), kinds[1]: (2, 4)}))
    scene.state.tab, scene.state.habits.found = HABITS, (fitted, 3)
    monkeypatch.setattr(scene.state.habits, "learn", lambda *_: None)
    monkeypatch.setattr(scene.widgets, "label", lambda rect, text, *_, **__: labels.update({text: rect}))
    monkeypatch.setattr(scene.widgets, "box", lambda rect, *_: boxes.append(rect))
    habits, around = part(scene, ProfileHabits), 116
    for wide, high, row, bars in ((572, 32, 32, 0), (573, 32, 32, 3), (573, 31, 31, 3)):
        boxes.clear()
        habits.build(Space(pygame.Rect(0, 0, wide, around + high * len(kinds)), 0))
        assert [habit.share is not None for habit in habits.habits] == [True] + [False] * (len(kinds) - 1)
        assert {labels[habit.text].height for habit in habits.habits} == {row}
        assert len(boxes) == 1 + bars
    assert (t("habits.depth", count=fitted.depth) in labels) is ((game, moves) == ("tictactoe", 50))


def test_without_games_there_is_nothing_to_forget(app: App) -> None:
    scene = habits_scene(app, 0)
    assert part(scene, ProfileHabits).habits == []
    assert "forget" not in scene.widgets.buttons


def test_forgetting_asks_first_and_keeps_the_games(app: App) -> None:
    scene = habits_scene(app, 6)
    for answer, left in (("cancel", 4), ("accept", 0)):
        push(app, "forget")
        asked = app.overlay
        assert isinstance(asked, Question)
        assert (asked.danger, asked.rect.width) == (True, 520)
        asked.widgets.press(answer)
        app.overlay = None
        frame(app)
        until(app, lambda: scene.state.habits.found)
        assert len(part(scene, ProfileHabits).habits) == left
    app.files.settle()
    profile = load_profile()[0]
    assert len(profile.results) == 6
    assert profile.forgotten["tictactoe"]
    assert store.read_games() == {}


def test_another_game_has_habits_of_its_own(app: App) -> None:
    scene = habits_scene(app, 6)
    first = counted(scene)
    pushed(app, scene, "game.connect4")
    assert part(scene, ProfileHabits).habits == []
    pushed(app, scene, "game.tictactoe")
    assert counted(scene) == first


def test_who_sets_up_trickster_is_learned_from_before_the_game(app: App) -> None:
    play_badly(3)
    show(app, SetupScreen(app, "tictactoe"))
    push(app, "level1", "level1.trickster", "start")
    until(app, store.read_games)
    assert len(store.read_games()) == 3


def test_reading_games_is_left_when_the_screen_is(app: App) -> None:
    play_badly(3)
    scene = show(app, ProfileScreen(app, "tictactoe"))
    push(app, "tab.habits")
    habits = part(scene, ProfileHabits)
    assert (habits.wake(0.0) is not None) is scene.state.habits.busy
    show(app, ProfileScreen(app, "bones"))
    assert (scene.state.habits.busy, habits.wake(0.0)) == (False, None)


def test_everything_that_can_be_overlooked_has_its_words() -> None:
    words = json.loads((ROOT / "assets" / "locales" / "en.json").read_text(encoding="utf-8"))
    kinds = {kind for entry in (Tactics(), *TACTICS.values()) for kind in entry.kinds}
    assert {f"habits.{kind}" for kind in kinds} <= words.keys()
