"""Pages of lessons look as they did: compared as in `tests.ui.test_golden` with pictures that a person has looked at.

`python -m tests.ui.test_golden_lessons` makes the pictures anew: look at them before you commit them.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pygame
import pytest

from tests.ui.scenes import untimed
from tests.ui.stage import Make, Stage, still
from tests.ui.test_golden import alike, expect_alike, golden
from ui.learn.lesson import LessonScreen

PAGES = {
    "lesson_cut": ("04-alpha-beta", 3, "ink", "en"),
    "lesson_table": ("07-transpositions", 4, "paper", "zh"),
    "lesson_simulation": ("09-mcts", 5, "ink", "en"),
}
"""A lesson, the number of a page from 1, the theme, and the language."""

SIZE = (960, 640)


def drawn(stage: Stage, key: str, page: int, marked: bool = True) -> pygame.Surface:
    screen = LessonScreen(stage.app, key, page - 1)
    explorer = stage.show(screen).course.explorer
    stage.until(lambda: explorer.info is not None and still(screen))
    untimed(explorer)
    if not marked:
        explorer.marked = frozenset()
    stage.frame(3)
    return stage.app.surface.copy()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_a_lesson_looks_as_it_did(stage: Make, name: str, tmp_path: Path) -> None:
    key, page, theme, language = PAGES[name]
    surface = drawn(stage(SIZE, 100, theme, language), key, page)
    expect_alike(surface, golden(name, theme), tmp_path, "tests.ui.test_golden_lessons")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_without_its_marks_is_told_apart(stage: Make, name: str) -> None:
    key, page, theme, language = PAGES[name]
    surface = drawn(stage(SIZE, 100, theme, language), key, page, marked=False)
    assert not alike(surface, pygame.image.load(golden(name, theme)))


def main() -> None:
    for name, (key, page, theme, language) in PAGES.items():
        with tempfile.TemporaryDirectory() as home:
            os.environ["TENGEN_HOME"] = home
            stage = Stage(Path(home), SIZE, 100, theme, language)
            pygame.image.save(drawn(stage, key, page), golden(name, theme))
            stage.app.scene.close()
            stage.app.close()


if __name__ == "__main__":
    main()
