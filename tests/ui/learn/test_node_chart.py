"""The chart of nodes against depth: its curves, its scale, and its files."""

from __future__ import annotations

import csv as tables
import io
import xml.etree.ElementTree as Xml
from functools import partial

import pygame
import pytest

from ai.search.comparison import SearchRow
from games.registry import setup
from tests.ui.stage import SPOKEN
from ui.learn.compare_charts import ChartPainter
from ui.learn.compare_state import ALL, BEST, LAST, Curve, Plot, csv, curve_name, plot
from ui.toolkit.canvas import SvgCanvas, page_theme
from ui.toolkit.i18n import set_language

_row = partial(SearchRow, seconds=0.5, score=-30, move=4)
ROWS = [
    _row("minimax", 1, 10), _row("minimax", 2, 100), _row("minimax", 3, 1_000),
    _row("minimax", 4, 5_000, finished=False), _row("table", 2, 40), _row("table", 1, 10), _row("table", 5, 3_000),
]  # fmt: skip


def curve(chart: Plot, key: str) -> Curve:
    return next(each for each in chart.curves if each.key == key)


def test_the_curves_are_the_finished_rows_by_depth() -> None:
    chart = plot(ROWS, 9)
    assert curve(chart, "minimax").points == ((1, 10), (2, 100), (3, 1_000))
    assert curve(chart, "table").points == ((1, 10), (2, 40), (5, 3_000))
    assert [each.key for each in chart.measured()] == ["minimax", "table"]
    assert (chart.depth, chart.decades) == (5, 4)


def test_the_last_iteration_is_drawn_beside_the_sum() -> None:
    rows = [_row("deepening", 1, 8), _row("deepening", 2, 34, before=8), _row("deepening", 3, 137, before=34)]
    chart = plot(rows, 9)
    assert curve(chart, "deepening").points == ((1, 8), (2, 34), (3, 137))
    assert curve(chart, LAST).points == ((2, 26), (3, 103))
    assert LAST not in {each.key for each in plot(ROWS, 9).curves}


def test_theory_counts_nodes_as_far_as_the_chart_goes() -> None:
    """It drew b^d, leaves, against the nodes that were visited."""
    rows = [_row("minimax", 3, 1 + 10 + 100 + 1_000), _row("table", 5, 3_000)]
    chart = plot(rows, 9)
    assert chart.b == pytest.approx(10)
    points = [(1, 11), (2, 111), (3, 1_111)]
    assert curve(chart, ALL).points[:3] == tuple(map(pytest.approx, points))
    assert curve(chart, ALL).points[3][1] == 10_000, "at the edge of the chart"
    points = [(1, 1 + 10), (2, 11 + 19), (3, 30 + 109), (4, 139 + 199), (5, 338 + 1_099)]
    assert curve(chart, BEST).points == tuple(map(pytest.approx, points))


def test_the_scale_is_logarithmic() -> None:
    chart = plot(ROWS, 9)
    assert chart.place(1, 1) == (0, 0)
    assert chart.place(5, 10_000) == (1, 1)
    assert chart.place(3, 100) == (0.5, 0.5)


@pytest.mark.parametrize("moves", [0, 1, 2, 225])
def test_there_is_a_chart_of_nothing_yet(moves: int) -> None:
    chart = plot([], moves)
    assert not chart.measured()
    for each in chart.curves:
        for point in each.points:
            assert all(0 <= part <= 1.0001 for part in chart.place(*point))


def test_csv_has_a_line_for_each_row() -> None:
    position = setup("tictactoe").start()
    head, *lines = tables.reader(io.StringIO(csv(position, ROWS).decode("utf-8-sig")))
    assert head == ["search", "depth", "nodes", "last iteration", "seconds", "score", "move", "finished"]
    assert len(lines) == len(ROWS)
    assert ["Minimax", "3", "1000", "1000", "0.500000", "-30", "b2", "1"] in lines
    assert ["Minimax", "4", "5000", "5000", "0.500000", "", "", "0"] in lines
    assert ["Alpha-beta + table", "2", "40", "40", "0.500000", "-30", "b2", "1"] in lines


@pytest.mark.parametrize("language", SPOKEN)
def test_svg_draws_every_curve_inside_the_picture(language: str) -> None:
    set_language(language)
    drawn = SvgCanvas((800, 540), page_theme())
    ChartPainter(drawn.theme, pygame.Rect(0, 0, 800, 540), plot(ROWS, 9)).draw(drawn)
    root = Xml.fromstring(drawn.svg())
    space = "{http://www.w3.org/2000/svg}"
    assert {each.text for each in root.iter(f"{space}text")} >= {curve_name(curve) for curve in (ALL, BEST, "minimax")}
    assert len(list(root.iter(f"{space}circle"))) == 3 + 1, "minimax has discs, and one in the legend"
    paths = list(root.iter(f"{space}path"))
    assert sum("stroke-dasharray" in each.attrib for each in paths) == 4  # and in the legend
    assert sum("stroke" not in each.attrib for each in paths) == 3 + 1, "the table has other signs"
    for path in paths:
        for pair in path.attrib["d"].strip("MZ").split("L"):
            x, y = map(float, pair.split())
            assert 0 <= x <= 800
            assert 0 <= y <= 540
