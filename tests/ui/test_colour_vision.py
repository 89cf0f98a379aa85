"""No sign is in its colour alone, but for colours that people without one kind of cones tell apart.

`tests/ui/colour_vision.py` simulates them. Signs that differ in shape are compared without colours.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pygame
import pytest

from ai.review.judgement import MISTAKES
from games.record import GameRecord, moves_to
from games.registry import setup
from tests.ui.colour_vision import APART, KINDS, alike, distance, linear, oklab, seen
from tests.ui.toolkit.test_theme import ALL
from ui.board.connect4 import DISCS
from ui.board.looks import LOOKS, board_view
from ui.board.view import Frame, Marks
from ui.learn.compare_charts import ChartPainter, colours
from ui.learn.compare_state import plot
from ui.learn.icicle_plan import shades
from ui.learn.training_chart import POLICY, VALUE, tones
from ui.replay.review_course import ReviewTable, draw_kind
from ui.toolkit.canvas import SurfaceCanvas
from ui.toolkit.theme import PALETTES, Colour, Palette, Theme, mix
from ui.words.verdicts import GRAVEST_FIRST, SIGNS

WHITE: Colour = (255, 255, 255)


def test_the_simulation_is_that_of_the_field() -> None:
    """Greys stay greys; red and green of equal lightness become alike to those who lack the cones for either, and
    yellow and its grey, or blue and green, to those who lack the third."""
    for kind in KINDS:
        assert np.allclose(seen((128, 128, 128), kind), linear((128, 128, 128)), atol=0.01), kind
    red, green = (208, 100, 70), (143, 134, 74)
    apart = {kind: float(np.linalg.norm(np.subtract(*oklab(seen((red, green), kind))))) for kind in ("", *KINDS)}
    assert apart["deuteranopia"] < 0.04 < 0.09 < min(apart[""], apart["tritanopia"])
    assert distance((0, 0, 0), WHITE) == pytest.approx(1.0, abs=0.01)


def tree_colours(palette: Palette) -> dict[str, Colour]:
    """Of the edges of a search's tree: on the way of a step, of the line, and others."""
    plain, to_come = mix(palette.line, palette.quiet, 0.35), mix(palette.background, palette.line, 0.6)
    return {"way": palette.info, "line": palette.accent, "other": plain, "to come": to_come}


@pytest.mark.parametrize("key", ALL)
def test_colours_that_alone_tell_something_are_told_apart_by_everybody(key: str) -> None:
    palette = ALL[key]
    names = ("bad", "even", "good", "open", "to come")
    groups: dict[str, dict[str, Colour]] = {
        "map of a search": dict(zip(names, shades(palette), strict=False)),
        "tree of a search": tree_colours(palette),
        "losses of a training": {each: tones(palette)[each] for each in (POLICY, VALUE)},
        "side to move": {"MAX": palette.info, "MIN": palette.accent},
        "frame of what is chosen": {"chosen": palette.accent, "not": palette.line},
        "frame of the focus": {"focus": palette.info, "ground": palette.panel},
        "frame of the focus on what is raised": {"focus": palette.info, "ground": palette.raised},
        "discs": dict(zip("12", DISCS, strict=True)),
    }
    assert {name: found for name, group in groups.items() if (found := alike(group.items()))} == {}


@pytest.mark.parametrize("game", LOOKS)
@pytest.mark.parametrize("theme", PALETTES)
def test_the_sides_of_a_bar_are_told_apart(theme: str, game: str) -> None:
    sides = LOOKS[game].sides or (PALETTES[theme].accent, PALETTES[theme].info)
    assert distance(*sides) >= APART


def drawn(kind: str) -> pygame.Surface:
    """The dot of a mistake, without its colour."""
    picture = pygame.Surface((15, 15))
    draw_kind(SurfaceCanvas(picture, Theme(PALETTES["ink"], 1.0, "en")), kind, (7, 7), 4.5, WHITE)
    return picture


def unlike(one: pygame.Surface, other: pygame.Surface) -> int:
    """How many pixels differ clearly."""
    first, second = (pygame.surfarray.array3d(each).astype(int) for each in (one, other))
    return int((abs(first - second).max(axis=2) > 100).sum())


def test_each_kind_of_mistakes_has_a_dot_of_its_own_shape() -> None:
    """In the graph of a review, blunders and inaccuracies were of one shape."""
    pictures = {kind: drawn(kind) for kind in MISTAKES}
    few = {pair: count for pair in combinations(pictures, 2) if (count := unlike(*map(pictures.get, pair))) < 12}
    assert few == {}


def test_in_the_table_of_a_review_good_moves_have_another_sign_than_the_best() -> None:
    """Both had a disc, in two shades of green; all others have letters."""
    signs = [SIGNS[kind] for kind in GRAVEST_FIRST if SIGNS[kind]]
    assert len(signs) == len(set(signs))
    assert [kind for kind in GRAVEST_FIRST if not SIGNS[kind]] == ["good", "best"]
    table, areas = ReviewTable(Theme(PALETTES["ink"], 2.0, "en"), pygame.Rect(0, 0, 700, 200)), []
    for kind in ("good", "best"):
        picture = pygame.Surface(table.rect.size)
        table.draw_sign(picture, kind)
        areas.append(int(pygame.surfarray.array3d(picture).any(axis=2).sum()))
    assert areas[0] < 0.75 * areas[1], "a ring beside a disc"


def test_each_curve_of_a_comparison_has_a_dot_of_its_own_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.font.init()
    names, theme, pictures = list(colours(PALETTES["ink"])), Theme(PALETTES["ink"], 1.5, "en"), {}
    monkeypatch.setattr("ui.learn.compare_charts.colours", lambda _: dict.fromkeys(names, WHITE))
    painter = ChartPainter(theme, pygame.Rect(0, 0, 600, 400), plot([], 9))
    for name in names:
        pictures[name] = pygame.Surface((21, 21))
        painter.draw_dot(SurfaceCanvas(pictures[name], theme), name, (10, 10))
    same = {pair for pair in combinations(pictures, 2) if unlike(*map(pictures.get, pair)) < 12}
    assert same == {("deepening", "last")}, "which are of one search"


@pytest.mark.parametrize("game", ["gomoku", "tictactoe", "connect4", "bones"])
def test_a_hint_has_another_shape_than_the_cursor_and_the_last_move(game: str) -> None:
    """In Connect Four both were rings, one green, one amber."""
    record, view = GameRecord(setup(game)), board_view(game)
    move = record.position.legal_moves()[0]
    pygame.font.init()
    theme, pictures = Theme(PALETTES["ink"], 1.0, "en"), []
    for marks in (Marks(hints=(move,)), Marks(cursor=move, ghosts=False)):
        surface = pygame.Surface((400, 400))
        view.place(Frame(surface.get_rect(), 1.0, theme.palette, theme.font, motion=False))
        view.show(record.position, moves_to(record.cursor), 0.0)
        view.draw(surface, Marks(ghosts=False), 0.0)
        plain = surface.copy()
        view.draw(surface, marks, 0.0)
        changed = (pygame.surfarray.array3d(surface) != pygame.surfarray.array3d(plain)).any(axis=2)
        pictures.append(changed)
    differ = (pictures[0] ^ pictures[1]).sum()
    assert differ > 0.2 * pictures[0].sum()
