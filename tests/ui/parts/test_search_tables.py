"""The tree of the engine's table and the table of depths, as screens show them."""

from __future__ import annotations

from dataclasses import replace

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
from ui.learn.learn import Learn
from ui.parts.search_tables import DepthTable
from ui.play.screen import Play
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
