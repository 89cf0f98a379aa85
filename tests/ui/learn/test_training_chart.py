"""The chart of a network's training in its lesson."""

from __future__ import annotations

from tests.ui.stage import Make
from ui.learn.lesson import LessonScreen

PAGE = 4  # of lesson 10


def test_a_page_with_a_chart_has_no_search(stage: Make) -> None:
    made = stage((960, 640))
    screen = made.show(LessonScreen(made.app, "10-learning", PAGE))
    assert "step" not in screen.widgets.elements
    screen.course.go(PAGE - 1)
    made.frame(2)
    assert "step" in screen.widgets.elements
