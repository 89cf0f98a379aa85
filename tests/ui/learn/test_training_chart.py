"""The chart of a network's training in its lesson."""

from __future__ import annotations

import xml.dom.minidom

import pygame
import pytest

from ai.network.network import training
from tests.ui.stage import Make, part
from ui.learn.lesson import LessonScreen
from ui.learn.training_chart import TrainingChart, line_name, panels, training_svg

PAGE = 4  # of lesson 10


def test_what_is_pointed_at_is_told(stage: Make) -> None:
    made = stage((960, 640))
    screen = made.show(LessonScreen(made.app, "10-learning", PAGE))
    plot = part(screen, TrainingChart).planes()[0]
    shown = []
    for pointer in ((0, 0), plot.center, (plot.left, plot.bottom - 2)):
        made.hover(pointer)
        shown.append(pygame.image.tobytes(made.app.window.surface, "RGB"))
    assert len(set(shown)) == 3


def test_a_page_with_a_chart_has_no_search(stage: Make) -> None:
    made = stage((960, 640))
    screen = made.show(LessonScreen(made.app, "10-learning", PAGE))
    assert "step" not in screen.widgets.elements
    screen.course.go(PAGE - 1)
    made.frame(2)
    assert "step" in screen.widgets.elements


@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_a_drawing_has_each_line_and_its_name(game: str) -> None:
    drawing = training_svg(game)
    xml.dom.minidom.parseString(drawing)
    for panel in panels(training(game)):
        for key, points in panel.lines.items():
            assert line_name(key) in drawing
            assert all(panel.across.low <= games <= panel.across.high for games, _ in points)
            assert all(panel.up.low <= figure <= panel.up.high for _, figure in points)
