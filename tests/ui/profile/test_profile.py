"""The profile page."""

from __future__ import annotations

from itertools import pairwise

import pygame
import pytest

from ai.service.profile import Profile, encoded, profile_path
from games.storage import saves_home
from tests.ui.profiles import kept_game, results
from tests.ui.reader import Reader
from tests.ui.stage import act, frame, part, push, show, until
from ui.app import App
from ui.library.screen import LibraryScreen
from ui.profile.screen import ProfileResults, ProfileScreen
from ui.replay.screen import Replay
from ui.toolkit.i18n import t
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import width_of
from ui.words.file_words import day_word


def profile_scene(app: App, games: int) -> ProfileScreen:
    profile = Profile()
    for number in range(games):
        profile.add(*kept_game(number))
    profile_path().write_bytes(encoded(profile))
    return show(app, ProfileScreen(app))


def test_the_graph_has_a_point_for_each_rated_game(app: App) -> None:
    scene = profile_scene(app, 9)
    graph = part(scene, ProfileResults).graph
    points = [graph.point(index) for index in range(9)]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    ratings = [result.rating for result in scene.state.rated]
    assert sorted(range(9), key=lambda i: -points[i][1]) == sorted(range(9), key=lambda i: ratings[i])
    assert all(graph.rect.collidepoint(point) for point in points)


@pytest.mark.parametrize("games", [0, 1, 2, 60])
def test_the_page_draws_few_games_and_many(app: App, games: int) -> None:
    scene = profile_scene(app, games % 28)
    assert any(text.startswith("±") for text in scene.widgets.texts) == (games > 0)
    pygame.mouse.set_pos(part(scene, ProfileResults).graph.rect.center)
    frame(app)


@pytest.mark.parametrize(("games", "mark", "kind"), [(1, "?", "guess"), (4, "?", "guess"), (5, "", "rough")])
def test_a_rating_is_provisional_until_five_games(app: App, reader: Reader, games: int, mark: str, kind: str) -> None:
    rating = profile_scene(app, games).state.profile.rating("gomoku")
    texts = reader.read
    assert f"{rating.rating:.0f}{mark}" in texts
    assert t(f"profile.{kind}", deviation=f"{rating.deviation:.0f}") in texts
    assert any(t("profile.provisional", count=5 - games) in text for text in texts) is bool(mark)


def test_the_days_of_games_are_under_the_graph_and_in_the_list(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    plain = Theme.text
    monkeypatch.setattr(Theme, "text", lambda theme, text, *rest: texts.append(text) or plain(theme, text, *rest))
    graph = part(profile_scene(app, 20), ProfileResults).graph
    dated = graph.dated_games()
    assert (dated[0], dated[-1]) == (0, 19)
    assert len(dated) > 2
    gaps = [graph.point(after)[0] - graph.point(before)[0] for before, after in pairwise(dated)]
    assert min(gaps) >= 1.5 * width_of(app.theme, "2026-11-20", 14), "those at the ends are moved inwards by half"
    assert {"2026-11-01", "2026-11-20", f"· {day_word('2026-11-20')}"} <= set(texts)


def test_a_click_on_a_game_opens_it_in_a_replay(app: App) -> None:
    scene = profile_scene(app, 3)
    push(app, "recent.0")
    assert isinstance(app.scene, Replay)
    assert app.scene.state.record.date == "2026-11-03T12:00:00", "the newest first"
    act(app.scene, "escape")
    assert app.scene is scene, "Esc goes back to where the game was opened"


def test_a_result_can_be_removed_and_brought_back(app: App) -> None:
    scene = profile_scene(app, 3)
    before = list(scene.state.profile.results)
    for _ in range(2):
        push(app, "remove.1")
    assert [result.file for result in results(app)] == ["game 2.tengen.json"]
    assert scene.state.rated[0].rating != before[2].rating
    assert len(part(scene, ProfileResults).graph.results) == 1
    for _ in range(3):
        act(scene, "ctrl+z")
    assert results(app) == scene.state.profile.results == before
    assert "undo" not in scene.widgets.buttons


def test_a_game_that_was_renamed_in_the_library_can_be_opened_until_its_file_is_gone(app: App) -> None:
    profile_scene(app, 1)
    library = LibraryScreen(app)
    app.show(library)
    until(app, lambda: bool(library.state.games.selected()))
    library.state.begin_rename()
    library.state.rename("another name")
    scene = show(app, ProfileScreen(app))
    push(app, "recent.0")
    assert isinstance(app.scene, Replay)
    show(app, scene)
    (saves_home() / "another name.tengen.json").unlink()
    app.rebuild()
    frame(app)
    assert not scene.widgets.buttons["recent.0"].enabled
