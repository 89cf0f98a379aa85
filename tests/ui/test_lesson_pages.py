"""Every page of every lesson on the screen: nothing is cut off, and the whole tree is seen."""

from __future__ import annotations

import pytest

from tests.ui.stage import Make, Stage, still
from ui.game.lesson import lessons
from ui.game.tree_plan import plan
from ui.screens.lesson import LessonScreen
from ui.toolkit.i18n import LANGUAGES, t

KEYS = [each.key for each in lessons("en")]
SMALLEST = (960, 640)


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


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", KEYS)
def test_a_page_is_not_cut_off_in_the_smallest_window(stage: Make, key: str, language: str) -> None:
    made = stage(SMALLEST, language=language)
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


def test_a_lesson_that_was_resumed_showed_a_part_of_its_tree(stage: Make) -> None:
    made = stage(SMALLEST)
    screen = made.show(LessonScreen(made.app, "07-transpositions", 3))
    settle(made, screen)
    assert not unseen(screen)
