"""Every page of every lesson on the screen: nothing is cut off, and the whole tree is seen."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import pygame
import pytest

from tests.ui.stage import SPOKEN, Make, Stage, still
from ui.learn import search_tree
from ui.learn.lesson import LessonScreen
from ui.learn.lesson_state import lessons
from ui.learn.lessons import Lessons
from ui.learn.search_words import bound_text
from ui.learn.tree_plan import plan
from ui.toolkit import canvas
from ui.toolkit.i18n import t
from ui.toolkit.theme import Theme

KEYS = [each.key for each in lessons("en")]
SMALLEST = (960, 640)
_STEP = 24  # pixels: the line over the slider, which tells the step


def settle(stage: Stage, screen: LessonScreen) -> None:
    """Draw frames until the page stands still, and forget what was cut off before."""
    explorer = screen.course.explorer
    stage.until(lambda: explorer.info is not None and still(screen))
    stage.cuts.clear()
    stage.frame(2)


def unseen(screen: LessonScreen) -> list[int]:
    """The nodes of the tree that are not wholly in the picture."""
    tree = screen.tree
    places = plan(screen.course.explorer).places
    return [node for node in places if not tree.camera.view.contains(tree.painter.node_rect(node))]


Written = list[tuple[str, pygame.Rect]]


def recorded(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> Written:
    """What a part writes from now on, and where."""
    written: Written = []
    write = module.write

    def record(surface: pygame.Surface, theme: Theme, text: str, rect: pygame.Rect, *style: Any, **more: Any) -> None:
        written.append((text, rect.copy()))
        write(surface, theme, text, rect, *style, **more)

    monkeypatch.setattr(module, "write", record)
    return written


@pytest.mark.slow
@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("key", KEYS)
def test_a_page_is_not_cut_off_in_the_smallest_window(
    stage: Make, monkeypatch: pytest.MonkeyPatch, key: str, language: str
) -> None:
    """Nor does what is said of a node stand on the number of the step."""
    made, said = stage(SMALLEST, language=language), recorded(monkeypatch, search_tree)
    screen = made.show(LessonScreen(made.app, key, 0))
    for page in range(screen.course.lesson.pages):
        screen.course.go(page)
        settle(made, screen)
        assert not made.cuts, page
        assert not unseen(screen), page
        last = page == screen.course.lesson.pages - 1
        assert screen.widgets.buttons["next"].text == t("lesson.exercises" if last else "lesson.next")
        if screen.course.question is not None:
            screen.course.answer(screen.course.question.answer - 1)
            settle(made, screen)
            assert not made.cuts, page
            slider = screen.widgets.elements.get("step")
            said.clear()
            made.frame()
            assert slider is None or all(rect.bottom <= slider.rect.top - _STEP for _, rect in said), page


def test_bounds_in_narrow_columns_lost_a_decimal(stage: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """``≤−0.09`` was written ``≤−.0``, which says more than is known."""
    made = stage(SMALLEST)
    screen = made.show(LessonScreen(made.app, "06-deepening", 1))
    settle(made, screen)
    written = recorded(monkeypatch, canvas)
    made.frame()
    explorer = screen.course.explorer
    values = {bound_text(explorer, node) for node in plan(explorer).places}
    shown = {text.replace("−.", "−0.").replace("+.", "+0.") for text, _ in written if "." in text and " " not in text}
    assert shown == values
    assert "≤−0.09" in shown or "≤−0.1" in shown


def test_frames_around_marked_nodes_covered_their_neighbours(stage: Make) -> None:
    made = stage(SMALLEST)
    screen = made.show(LessonScreen(made.app, "07-transpositions", 1))
    settle(made, screen)
    painter, explorer = screen.tree.painter, screen.course.explorer
    places = plan(explorer).places
    for node in explorer.marked:
        frame = painter.mark_of(painter.node_rect(node))
        row = [painter.node_rect(other) for other in places if other != node and places[other][1] == places[node][1]]
        assert frame.collidelist(row) < 0


@pytest.mark.parametrize("language", SPOKEN)
def test_the_texts_of_a_lesson_touched_the_border_of_its_tile_and_fourteen_did_not_fit(
    stage: Make, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = lessons(language)
    more = [*found, *(replace(each, key=f"{each.key}-again") for each in found)]
    made = stage(SMALLEST, language=language)
    for shown in (found, more[:18]):
        monkeypatch.setattr("ui.learn.lessons.lessons", lambda _code, shown=shown: shown)
        screen = made.show(Lessons(made.app))
        made.frame()
        assert made.cuts == []
        for each in shown:
            tile = screen.widgets.elements[f"lesson.{each.key}"].rect
            assert tile.bottom <= made.app.surface.get_height()
            for y in (tile.top + 2, tile.bottom - 2):
                line = {tuple(made.app.surface.get_at((x, y))) for x in range(tile.left + 12, tile.right - 12)}
                assert len(line) == 1, (each.key, y)


def test_a_lesson_that_was_resumed_showed_a_part_of_its_tree(stage: Make) -> None:
    made = stage(SMALLEST)
    screen = made.show(LessonScreen(made.app, "07-transpositions", 3))
    settle(made, screen)
    assert not unseen(screen)
