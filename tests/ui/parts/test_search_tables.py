"""The tree of the engine's table and the table of depths, as screens show them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pygame
import pytest

from ai.core.player import DepthStats, Line
from ai.core.score import Score
from ai.gomoku.engine import GomokuEngine
from ai.search.comparison import ENGINE
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.ui.scenes import SCENES, Deep, long_game
from tests.ui.stage import Stage, changed, part, thinks
from ui.app import App
from ui.learn.learn import Learn
from ui.parts.search_tables import DepthTable, WorkerLine, WorkersTable
from ui.play.screen import Play
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.words.views import Depths, cells, outcome_of

ROW = DepthStats(7, Line(-120, (112, 113)), 1.234, 52_200, 13_050, 200, 180)


def played(made: Stage, record: GameRecord, expert: bool = True, rated: bool = False) -> Play:
    made.app.settings.expert, made.app.settings.thinking = expert, True
    thinks(made.app, lambda _: Deep())
    scene = made.show(Play(made.app, record, autosave=rated))
    scene.state.still = True
    made.until(lambda: scene.state.search is None or scene.state.search.over)
    return scene


def against(seat: str, game: str = "gomoku") -> GameRecord:
    record = long_game(game, plies=4) if game == "gomoku" else GameRecord(setup(game))
    record.seats = Seat(seat), Seat(PERSON)
    return record


def room(scene: Play | Learn) -> pygame.Rect | None:
    return part(scene, DepthTable).rect


def test_the_table_is_beside_a_game_for_those_who_want_figures(made: Stage) -> None:
    scene = played(made, against("engine"))
    table = room(scene)
    assert table is not None
    before = made.app.surface.copy()
    made.app.settings.expert = False
    made.frame(2)
    assert room(scene) is None
    made.app.settings.expert = True
    made.frame(2)
    assert room(scene) == table
    assert not changed(before, made.app.surface).colliderect(table)
    made.press(pygame.K_a)
    assert room(scene) is None, "nor without the computer's view"


@pytest.mark.parametrize(
    ("seat", "game"), [("alphabeta", "gomoku"), ("mcts", "gomoku"), ("alphabeta", "bones"), (PERSON, "gomoku")]
)
def test_there_is_no_table_where_no_engine_thinks(made: Stage, seat: str, game: str) -> None:
    assert room(played(made, against(seat, game))) is None


def test_the_table_would_be_help_in_a_game_that_counts(made: Stage) -> None:
    record = GameRecord(setup("gomoku"), (Seat("level:9"), Seat(PERSON)))
    assert room(played(made, record, rated=True)) is None


@pytest.mark.parametrize("expert", [True, False])
def test_the_analysis_has_the_table_among_the_figures(made: Stage, expert: bool) -> None:
    scene = SCENES["replay depths"](made)
    made.app.settings.expert = expert
    made.show(scene)
    made.until(lambda: scene.state.analyst.info is not None and scene.state.analyst.info.depths)
    assert scene.state.tab == "analysis"
    made.frame(2)
    before = made.app.surface.copy()
    made.app.settings.expert = not expert
    made.frame(2)
    assert changed(before, made.app.surface).height > 60


def test_the_move_of_a_depth_is_judged_from_the_side_that_makes_it() -> None:
    start = GameRecord(setup("gomoku")).position
    won, lost = (replace(ROW, line=Line(score, (112,))) for score in (Score.win_in(7), Score.loss_in(8)))
    for position in (start, start.play(0)):
        for row, text, short, sign in ((won, "wins in 4", "in 4", 1), (lost, "loses in 4", "lost", -1)):
            found = Depths(position, (row,))
            assert cells(found, row, False)[2] == text
            assert cells(found, row, True)[2] == short
            assert outcome_of(found, row) == sign
    position = start.play(0)
    assert cells(Depths(position, (ROW,)), ROW, False) == ("7", "h8", "−1.2", "52.2k", "90", "25", "1.23")
    unscored = Depths(position, (ROW,), scored=False)
    assert cells(unscored, ROW, False)[2] == cells(unscored, won, False)[2] == "–"
    assert outcome_of(unscored, won) == 0


@pytest.mark.slow
def test_the_engine_is_chosen_from_the_menu_and_has_no_steps(made: Stage) -> None:
    thinks(made.app, lambda _: GomokuEngine(memory_mb=1, root_vcf=False))
    screen = made.show(Learn(made.app, long_game("gomoku", 15, 4)))
    assert "step" in screen.widgets.elements
    screen.widgets.press("search")
    made.keys(pygame.K_UP, pygame.K_END, pygame.K_RETURN)
    assert screen.explorer.choice.key == ENGINE
    made.frame(2)
    made.until(lambda: len(screen.explorer.depths) > 3 and len(screen.explorer.trace) > 1)
    assert "step" not in screen.widgets.elements
    assert room(screen) is not None
    made.keys(pygame.K_SPACE, pygame.K_g)
    assert not screen.explorer.playing
    assert not screen.quiz.on
    made.press(pygame.K_v)
    assert screen.explorer.node == screen.explorer.line()[-1]
    screen.widgets.press("search")
    made.keys(pygame.K_HOME, pygame.K_RETURN)
    assert screen.explorer.choice.key != ENGINE
    made.frame(2)
    assert "step" in screen.widgets.elements
    assert room(screen) is None


# Places and texts of the tables alone.


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the tables write: text, place, and colour."""
    found: list[tuple[Any, ...]] = []

    def write(_surface: Any, _theme: Any, text: str, rect: pygame.Rect, _size: int, colour: Any, **_look: Any) -> None:
        found.append((text, tuple(rect), colour))

    monkeypatch.setattr("ui.parts.search_tables.write", write)
    return found


def space(high: int, wide: int = 400) -> Space:
    return Space(pygame.Rect(100, 0, wide, high), 8)


@pytest.mark.parametrize(
    ("high", "least", "most", "spared", "rows"),
    [
        (400, 4, 12, 0, 12), (129, 4, 12, 0, 4), (109, 4, 12, 0, 0), (110, 4, 12, 0, 4), (151, 4, 12, 40, 4),
        (149, 4, 12, 40, 0), (90, 3, 12, 0, 3), (400, 4, 7, 0, 7),
    ],
)  # fmt: skip
def test_a_table_of_depths_takes_whole_rows(
    app: App, high: int, least: int, most: int, spared: int, rows: int
) -> None:
    found, room = Depths(setup("gomoku").start(), (ROW,)), space(high)
    table = DepthTable(app, "gomoku", lambda: found, least, most, spared)
    table.build(room)
    assert table.rect == (pygame.Rect(100, high - 22 - 20 * rows, 400, 22 + 20 * rows) if rows else None)
    assert not DepthTable(app, "gomoku", lambda: None, least, most).make_room(space(high), 0)


def test_a_table_of_depths_shows_the_last_rows(app: App, written: list[tuple[Any, ...]]) -> None:
    palette = app.theme.palette
    rows = tuple(replace(ROW, depth=depth) for depth in range(1, 6))
    won = replace(ROW, depth=6, line=Line(Score.win_in(7), (112,)))
    found = Depths(setup("gomoku").start(), (*rows, won))
    for wide, said, gap in ((311, "in 4", 6), (312, "wins in 4", 2)):
        written.clear()
        table = DepthTable(app, "gomoku", lambda: found, 4, 4)
        table.build(space(400, wide))
        table.draw(app.surface, 0.0)
        assert [text for text, *_ in written[7::7]] == ["3", "4", "5", "6"]
        assert written[-7:][2][::2] == (said, palette.good)
        assert written[-14:][2][2] == palette.quiet
        assert (written[-7][2], written[-14][2]) == (palette.text, palette.quiet)
        assert (written[0][1], written[7][1]) == ((100, 298, 40, 22), (100, 320, 40, 20))
        assert written[1][1] == (140 + gap, 298, 37, 22)
        assert written[3][1][0] - written[2][1][0] == (42 if wide == 311 else 70) + gap


@pytest.mark.parametrize(
    ("high", "workers", "names", "more"),
    [(400, 2, 2, 0), (400, 6, 6, 0), (400, 9, 5, 4), (68, 3, 3, 0), (67, 3, 1, 2), (47, 3, 0, 0)],
)
def test_workers_without_room_are_counted(
    app: App, written: list[tuple[Any, ...]], high: int, workers: int, names: int, more: int
) -> None:
    lines = [WorkerLine("w0", tone=(9, 9, 9)), *(WorkerLine(f"w{number}", "h8") for number in range(1, workers))]
    table = WorkersTable(app, lambda: lines)
    table.make_room(space(high), 0)
    table.draw(app.surface, 0.0)
    top, quiet, count = table.rows.top, app.theme.palette.quiet, min(6, (high - 8) // 20)
    assert tuple(table.rows) == ((100, high - 20 * count, 400, 20 * count) if count >= 2 else (0, 0, 0, 0))
    texts = [text for text, *_ in written]
    assert [text for text in texts if text.startswith("w")] == [f"w{number}" for number in range(names)]
    assert (t("cluster.more", count=more) in texts) is (more > 0)
    if names:
        assert written[0] == ("w0", (116, top, 168, 20), None)
    if names > 1:
        assert written[1] == ("w1", (100, top + 20, 184, 20), quiet)
        assert written[2] == ("h8", (292, top + 20, 208, 20), app.theme.palette.text)


def test_workers_with_a_column_for_names_have_all_a_row(app: App, written: list[tuple[Any, ...]]) -> None:
    table = WorkersTable(app, lambda: [WorkerLine(f"w{number}") for number in range(9)], 30, 80)
    table.rows = pygame.Rect(0, 0, 400, 180)
    table.draw(app.surface, 0.0)
    assert [text for text, *_ in written] == [f"w{number}" for number in range(9)]
    assert table.row(2, 9) == (pygame.Rect(0, 40, 80, 20), pygame.Rect(80, 40, 320, 20))
    assert table.row(1, 3) == (pygame.Rect(0, 30, 80, 30), pygame.Rect(80, 30, 320, 30))
