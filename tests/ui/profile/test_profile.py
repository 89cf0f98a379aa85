"""The profile page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pygame
import pytest

from ai.service.profile import Profile, Result, encoded, profile_path
from games.registry import GAMES
from games.storage import saves_home
from tests.ui.profiles import kept_game, results
from tests.ui.reader import Reader
from tests.ui.stage import Make, act, frame, part, push, show, until
from ui.app import App
from ui.library.screen import LibraryScreen
from ui.profile.screen import ProfileResults, ProfileScreen, RatingGraph
from ui.replay.screen import Replay
from ui.toolkit.i18n import t
from ui.toolkit.theme import Theme, mix
from ui.words.file_words import day_word


def profile_scene(app: App, games: int) -> ProfileScreen:
    profile = Profile()
    for number in range(games):
        profile.add(*kept_game(number))
    profile_path().write_bytes(encoded(profile))
    return show(app, ProfileScreen(app))


@pytest.mark.parametrize(("games", "mark", "kind"), [(1, "?", "guess"), (4, "?", "guess"), (5, "", "rough")])
def test_a_rating_is_provisional_until_five_games(app: App, reader: Reader, games: int, mark: str, kind: str) -> None:
    rating = profile_scene(app, games).state.profile.rating("gomoku")
    texts = reader.read
    assert f"{rating.rating:.0f}{mark}" in texts
    assert (f"{rating.rating:.0f}?" in texts) is bool(mark)
    assert t(f"profile.{kind}", deviation=f"{rating.deviation:.0f}") in texts
    assert any(t("profile.provisional", count=5 - games) in text for text in texts) is bool(mark)


def test_the_days_of_games_are_under_the_graph_and_in_the_list(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    plain = Theme.text
    monkeypatch.setattr(Theme, "text", lambda theme, text, *rest: texts.append(text) or plain(theme, text, *rest))
    profile_scene(app, 20)
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


def rated(*ratings: float, days: Sequence[int] = (), deviation: float = 50.0) -> list[Result]:
    """Rated games with these ratings after them, on days of a month, by default one a day."""
    return [
        Result("a.sgf", f"2026-11-{day:02}T12:00:00", "gomoku", "level:2", 0, 1.0, 9, "", rating, deviation, 0.06)
        for day, rating in zip(days or range(1, len(ratings) + 1), ratings, strict=True)
    ]


def graph_of(app: App, results: Sequence[Result], width: int = 500) -> RatingGraph:
    return RatingGraph(app.theme, pygame.Rect(10, 20, width, 200), results, "Nothing yet.")


def test_the_graph_has_a_scale_of_ratings_and_one_step_a_game(app: App) -> None:
    graph = graph_of(app, rated(1000.0, 1100.0, 1100.0))
    assert tuple(graph.plot) == (10 + 16 + 52, 20 + 16, 500 - 32 - 52, 200 - 32 - 26)
    assert [graph.point(index)[0] for index in range(3)] == [84.0, 286.0, 488.0]
    low, high = graph.point(0, -1), graph.point(1, 1)
    assert (low[1], high[1]) == (graph.plot.bottom, graph.plot.top), "from 950 to 1150, the deviations included"
    assert graph.point(0)[1] == graph.plot.bottom - graph.plot.height / 4
    assert graph_of(app, rated(1000.0)).point(0)[0] == 286.0, "a single game is in the middle"


@pytest.mark.parametrize(
    ("days", "width", "dated"),
    [
        ([1], 500, [0]),
        ([1, 2], 500, [0, 1]),
        ([1, 1], 500, [1]),
        ([1, 2, 3, 4, 5], 500, [0, 2, 4]),
        ([1, 2, 2, 4, 5], 500, [0, 2, 4]),
        ([1, 2, 3, 3, 3], 500, [0, 4]),
        ([1, 2, 3], 356, [0, 1, 2]),
        ([1, 2, 3], 355, [0, 2]),
        ([1, 2], 226, [0, 1]),
        ([1, 2], 225, [1]),
    ],
)
def test_days_are_written_where_there_is_room(app: App, days: list[int], width: int, dated: list[int]) -> None:
    assert graph_of(app, rated(*[1000.0] * len(days), days=days), width).dated_games() == dated


@pytest.mark.parametrize(("games", "dots"), [(40, True), (41, False)])
def test_many_games_are_a_line_without_dots(app: App, games: int, dots: bool) -> None:
    graph, surface = graph_of(app, rated(*[1000.0] * games, days=[1] * games)), pygame.Surface((600, 300))
    graph.draw(surface, (0, 0))
    x, y = graph.point(7)
    thick = [dy for dy in range(-8, 9) if surface.get_at((round(x), round(y) + dy))[:3] == app.theme.palette.accent]
    assert (len(thick) > 3) is dots


def test_a_single_game_has_a_bar_of_its_deviation_and_a_ring_under_the_pointer(app: App) -> None:
    graph = graph_of(app, rated(1000.0))
    plain, ringed = pygame.Surface((600, 300)), pygame.Surface((600, 300))
    graph.draw(plain, (0, 0))
    graph.draw(ringed, (286, 100))
    palette, (x, y), (_, top) = app.theme.palette, graph.point(0), graph.point(0, 1)
    band, beside = mix(palette.panel, palette.accent, 0.17), round((y + top) / 2)
    inside = [dx for dx in range(-9, 10) if plain.get_at((286 + dx, beside))[:3] == band]
    assert inside == list(range(-3, 4))
    ring = [dx for dx in range(-9, 10) if ringed.get_at((round(x) + dx, round(y)))[:3] == palette.text]
    assert ring == list(range(-5, 6))


def test_the_game_nearest_to_the_pointer_is_told(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, told = graph_of(app, rated(1000.0, 1100.0, 1050.0)), []
    monkeypatch.setattr("ui.profile.screen.draw_tip", lambda _s, _t, text, place, _r: told.append((text, place)))
    for pointer in ((180, 100), (190, 26), (900, 100), (488, 187), (488, 188), (488, 25), (77, 100), (78, 100)):
        graph.draw(pygame.Surface((600, 300)), pointer)
    points = [
        (t("profile.point", number=index + 1, rating=rating, date=f"2026-11-0{index + 1}"), graph.point(index))
        for index, rating in enumerate(("1000", "1100", "1050"))
    ]
    assert told == [points[0], points[1], points[2], points[0]]


@pytest.mark.parametrize(
    ("deviation", "kind"), [(150.0, "guess"), (149.9, "rough"), (75.0, "rough"), (74.9, "certain"), (0.0, "certain")]
)
def test_the_deviation_of_a_rating_is_told_in_words(app: App, deviation: float, kind: str) -> None:
    scene = profile_scene(app, 1)
    scene.state.profile.results[0] = rated(1000.0, deviation=deviation)[0]
    assert part(scene, ProfileResults).certainty() == t(f"profile.{kind}", deviation=f"{deviation:.0f}")


@pytest.mark.parametrize(("height", "rows"), [(640, 9), (1600, 20)])
def test_the_latest_games_are_as_many_as_fit_up_to_twenty(stage: Make, height: int, rows: int) -> None:
    made = stage((1280, height))
    scene = profile_scene(made.app, 0)
    scene.state.profile.results[:] = [*rated(*[1000.0] * 24), replace(rated(1000.0)[0], unrated="hint")]
    made.app.rebuild()
    made.frame()
    buttons = scene.widgets.buttons
    assert [name for name in buttons if name.startswith("recent.")] == [f"recent.{row}" for row in range(rows)]
    tops = [buttons[f"recent.{row}"].rect.top for row in range(rows)]
    assert {below - above for above, below in pairwise(tops)} == {52}
    assert buttons["remove.0"].rect.left - buttons["recent.0"].rect.right == 2
    tips = [buttons[f"recent.{row}"].tip for row in (0, 1)]
    assert tips == [f"2026-11-01 12:00:00 · {t('unrated.hint')}", "2026-11-24 12:00:00"]


def test_the_arrows_go_from_game_to_game(app: App) -> None:
    scene = profile_scene(app, 1)
    games = list(GAMES)
    at = games.index("gomoku")
    for key, step in (("right", 1), ("left", 0), ("left", -1)):
        act(scene, key)
        assert scene.state.game == games[(at + step) % len(games)]
