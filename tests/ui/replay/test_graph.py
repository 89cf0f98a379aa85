"""The graph of a review, which is painted piece by piece as results come, and the bar of win probability."""

from __future__ import annotations

import random

import numpy as np
import pygame
import pytest

from ai.review.judgement import MISTAKES
from games.evaluation import Evaluation
from games.position import FIRST, SECOND
from games.record import GameRecord
from games.registry import setup
from tests.ui.stage import Make, Stage, part
from ui.board.looks import STONES
from ui.board.shapes import contrast
from ui.parts.win_bar import WinBar
from ui.replay.review_course import Dot, ReviewTable, WinGraph
from ui.replay.screen import Replay
from ui.toolkit.theme import PALETTES, Theme
from ui.words.verdicts import GRAVEST_FIRST

RECT = pygame.Rect(7, 11, 331, 117)


def graph(scale: float, wins: list[float | None], dots: list[Dot]) -> WinGraph:
    theme = Theme(PALETTES["ink"], scale, "en")
    return WinGraph(theme, RECT, wins, dots, lambda _number: None, STONES)


def picture(shown: WinGraph) -> np.ndarray:
    surface = pygame.Surface((345, 140))
    shown.draw(surface)
    return pygame.surfarray.array3d(surface)


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("length", [1, 2, 61, 200])
def test_what_changes_is_painted_as_all_would_be(length: int, scale: float) -> None:
    dice = random.Random(length)
    wins: list[float | None] = [None] * length
    dots: dict[int, Dot] = {}
    shown = graph(scale, wins, [])
    for _ in range(40):
        for number in dice.sample(range(length), min(length, dice.choice((0, 1, 1, 3)))):
            win = wins[number] = dice.choice((None, dice.random(), dice.random()))
            dots.pop(number, None)
            if win is not None and dice.random() < 0.3:
                dots[number] = number, win, dice.choice(MISTAKES)
        shown.show(wins, list(dots.values()))
        assert (picture(shown) == picture(graph(scale, wins, list(dots.values())))).all()
    shown.show([*wins, 0.9], [])
    assert (picture(shown) == picture(graph(scale, [*wins, 0.9], []))).all(), "a longer game"


def test_the_curve_rose_to_the_stone_of_white_where_black_wins() -> None:
    """Black was at the lower end, where the curve is that of Black's win probability."""
    stones: dict[int, int] = {}

    def badge(_surface: pygame.Surface, _theme: Theme, rect: pygame.Rect, side: int) -> None:
        stones[side] = RECT.top + rect.centery

    shown = WinGraph(Theme(PALETTES["ink"], 1.0, "en"), RECT, [0.5, 1.0], [], lambda _number: None, badge)
    picture(shown)
    assert graph(1.0, [0.5, 0.5], []).pixel_of(1) == (330.0, 69.5)
    for side in (FIRST, SECOND):
        wins, loses = (shown.pixel_of(1, win)[1] for win in (1.0 - side, float(side)))
        assert abs(stones[side] - wins) < abs(stones[side] - loses), "nearer to where the side wins"


@pytest.mark.parametrize("motion", [True, False])
def test_the_bar_moves_to_a_new_value_and_stops_there_or_jumps(made: Stage, motion: bool) -> None:
    made.app.settings.motion = "on" if motion else "off"
    scene = made.show(Replay(made.app, GameRecord(setup("gomoku"))))
    bar, node, knowledge = part(scene, WinBar), scene.state.record.cursor, scene.state.knowledge
    for now, score in ((1000.0, 0), (1000.1, 900)):
        node.evaluation = Evaluation(score, None, 5)
        knowledge.update(now)
        bar.update(now)
    assert (bar.wake(1000.1) == 0.0) is motion
    shown = [bar.shown]
    for frame in range(1, 120):
        bar.update(1000.1 + frame / 60)
        shown.append(bar.shown)
    assert shown == sorted(shown)
    assert (shown[0] < shown[-1]) is motion
    assert shown[-1] == bar.wins
    assert bar.wake(1002.1) is None


@pytest.mark.parametrize("look", PALETTES)
@pytest.mark.parametrize("score", [9_000, -9_000])
@pytest.mark.parametrize("game", ["gomoku", "connect4"])
def test_a_full_bar_vanished_in_the_background(stage: Make, look: str, score: int, game: str) -> None:
    """Black's was as dark as the window is in the dark theme."""
    made = stage(theme=look)
    record = GameRecord(setup(game))
    record.cursor.evaluation = Evaluation(score, 5 if score > 0 else -5, 9)
    scene = made.show(Replay(made.app, record))
    made.frame(2)
    rect, background = part(scene, WinBar).rect, made.app.theme.palette.background
    rim = [made.app.surface.get_at((x, rect.centery + 30))[:3] for x in (rect.left, rect.right - 1)]
    assert min(contrast(colour, background) for colour in rim) >= 3


def marked(made: Stage, bar: WinBar) -> set[int]:
    """The per cent, in steps of 5, at which the bar is not of one colour."""
    strip = made.app.surface.subsurface(bar.rect.inflate(-12, 0))
    colours = {
        share: {strip.get_at((x, y))[:3] for x in range(strip.get_width()) for y in range(centre - 5, centre + 6)}
        for share in range(5, 100, 5)
        for centre in [round(bar.rect.height * (100 - share) / 100)]
    }
    return {share for share, found in colours.items() if len(found) > 1}


def test_the_bar_has_a_scale_with_marks_at_its_quarters(made: Stage) -> None:
    record = GameRecord(setup("gomoku"))
    record.cursor.evaluation = Evaluation(9_000, 5, 9)
    bar = part(made.show(Replay(made.app, record)), WinBar)
    made.frame(2)
    assert marked(made, bar) == {25, 50, 75}


@pytest.mark.parametrize("game", ["tictactoe", "bones"])
def test_a_solved_game_has_a_bar_without_probabilities(made: Stage, game: str) -> None:
    scene = made.show(Replay(made.app, GameRecord(setup(game))))
    bar = part(scene, WinBar)
    made.until(lambda: bar.wins is not None)
    made.frame(2)
    assert marked(made, bar) <= {50}, "numbers, apart from the place where the colours meet"


def test_the_table_of_a_review_has_a_column_for_each_kind() -> None:
    table = ReviewTable(Theme(PALETTES["ink"], 1.0, "en"), RECT)
    assert [tuple(table.column(kind)) for kind in GRAVEST_FIRST] == [
        (7 + 331 - 27 * left, 11, 27, 117) for left in range(len(GRAVEST_FIRST), 0, -1)
    ]
    assert tuple(table.accuracies) == (7, 11 + 22, 331 - 27 * len(GRAVEST_FIRST), 48)
    narrow = ReviewTable(Theme(PALETTES["ink"], 1.0, "en"), pygame.Rect(7, 11, 200, 117))
    assert {narrow.column(kind).width for kind in GRAVEST_FIRST} == {round(200 * 0.68 / len(GRAVEST_FIRST))}


def test_the_keys_walk_along_the_graph_and_the_pointer_is_followed() -> None:
    chosen: list[int] = []
    shown = WinGraph(Theme(PALETTES["ink"], 1.0, "en"), RECT, [0.5] * 5, [], chosen.append, STONES)
    for key in (pygame.K_LEFT, *[pygame.K_RIGHT] * 5, pygame.K_LEFT, pygame.K_UP):
        assert shown.key(pygame.event.Event(pygame.KEYDOWN, key=key)) is (key != pygame.K_UP)
    assert chosen == [1, 2, 3, 4, 3]
    assert tuple(shown.plot) == (7 + 8 + 20, 11 + 8, 331 - 16 - 20, 117 - 16)
    assert [shown.pixel_of(number, win) for number, win in ((0, 1.0), (4, 0.0), (1, 0.5))] == [
        (35.0, 19.0), (330.0, 120.0), (108.75, 69.5),
    ]  # fmt: skip
    seen = []
    for x in (0, 35, 71, 72, 330, 400):
        shown.pointer = x, 50
        seen.append(shown.pointed)
    assert seen == [0, 0, 0, 1, 4, 4]
    assert shown.accessible("graph").number == (3, 4)


def test_lines_mark_the_position_that_is_shown_and_the_one_under_the_pointer() -> None:
    shown = graph(1.0, [0.5] * 5, [])
    plain = picture(shown)
    shown.at = 4
    moved = (picture(shown) != plain).any(axis=2)
    assert sorted(set(moved.nonzero()[0])) == [34, 35, 329, 330]
    assert (moved.nonzero()[1].min(), moved.nonzero()[1].max()) == (14, 124)
    shown.at, shown.pointer = 0, (110, 50)
    pointed = (picture(shown) != plain).any(axis=2)
    assert set(pointed.nonzero()[0]) == {109}


def test_a_game_without_moves_has_a_graph() -> None:
    shown = graph(1.0, [], [])
    assert (shown.last, shown.pixel_of(0)) == (0, (35.0, 69.5))
    shown.pointer = 100, 50
    assert shown.pointed == 0
    picture(shown)
