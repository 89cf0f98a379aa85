"""Lessons in a real window: by mouse in one language and size, by keyboard in the other, and kept after a restart."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from conftest import Start
from driver import Driver

from ai.drills.drill import draw_exercise
from ui.learn.lesson_state import Lesson, exercises, lessons
from ui.learn.workbook import NUMBERS
from ui.system.settings import Settings


def use(home: Path, language: str, width: int, height: int) -> None:
    """Settings to start with."""
    settings = Settings(book=False, language=language, width=width, height=height)
    (home / "settings.json").write_text(json.dumps(asdict(settings)), encoding="utf-8")


def done(driver: Driver, lesson: Lesson) -> dict[str, Any]:
    """How far the person is in a lesson, as the file says."""
    file = driver.home / "lessons.json"
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    kept: dict[str, Any] = found.get(lesson.key, {})
    return kept


def wait_page(driver: Driver, lesson: Lesson, page: int) -> None:
    driver.wait(lambda: done(driver, lesson).get("page") == page, f"page {page}")


def wait_right(driver: Driver, lesson: Lesson, right: list[int]) -> None:
    driver.wait(lambda: done(driver, lesson).get("right") == right, f"right answers {right}")


def leave_exercises(driver: Driver, lesson: Lesson) -> None:
    """From the first exercise back to the list: Escape leaves a field, where one has the focus, and then the screen."""
    first = draw_exercise(exercises(lesson.key)[0], 0).drill
    in_field = any(field.slot in NUMBERS for field in first.solution())
    driver.key(*["Escape"] * (2 if in_field else 1))
    driver.scene("lessons")


def test_a_lesson_by_mouse_left_half_way_resumed_after_a_restart_and_answered(start: Start, home: Path) -> None:
    use(home, "en", 960, 640)
    lesson = next(each for each in lessons("en") if each.key == "07-transpositions")
    steps, questions = len(lesson.steps), lesson.questions
    driver = start()
    driver.scene("home")
    driver.click("lessons", builds="lessons")
    driver.click(f"lesson.{lesson.key}", builds="lesson")
    for page in range(1, steps - 1):
        driver.click("next", builds="lesson")
        wait_page(driver, lesson, page)
    driver.close()

    driver = start()
    driver.scene("home")
    driver.click("lessons", builds="lessons")
    driver.click(f"lesson.{lesson.key}", builds="lesson")
    for page in (steps - 1, steps):
        driver.click("next", builds="lesson")
        wait_page(driver, lesson, page)
    wrong = 1 if questions[0].answer != 1 else 2
    driver.click(f"option.{wrong}", builds="lesson")
    driver.click(f"option.{questions[0].answer}", builds="lesson")
    for number in range(1, len(questions)):
        driver.click("next", builds="lesson")
        wait_page(driver, lesson, steps + number)
        driver.click(f"option.{questions[number].answer}", builds="lesson")
        wait_right(driver, lesson, list(range(1, number + 1)))
    driver.click("next", builds="exercises")
    assert done(driver, lesson)["furthest"] == lesson.pages - 1


def test_a_lesson_by_keyboard_in_chinese(start: Start, home: Path) -> None:
    use(home, "zh", 1280, 800)
    lesson = lessons("zh")[0]
    steps = len(lesson.steps)
    driver = start()
    driver.scene("home")
    driver.key("l")
    driver.scene("lessons")
    driver.key("Tab", "Return")
    driver.scene("lesson")
    for page in range(1, steps + 1):
        driver.key("Next")
        wait_page(driver, lesson, page)
    for number, question in enumerate(lesson.questions):
        wait_page(driver, lesson, steps + number)
        driver.key(str(question.answer))
        wait_right(driver, lesson, list(range(number + 1)))
        driver.key("Next")
    driver.scene("exercises")
    leave_exercises(driver, lesson)
    driver.key("Escape")
    driver.scene("home")
    driver.close()

    driver = start()
    driver.scene("home")
    driver.key("l")
    driver.scene("lessons")
    assert done(driver, lesson)["right"] == list(range(len(lesson.questions)))


def by_mouse(driver: Driver, lesson: Lesson) -> None:
    """Through a lesson from the list and back, with its references at the end."""
    driver.click(f"lesson.{lesson.key}", builds="lesson")
    for page in range(1, len(lesson.steps) + 1):
        driver.click("next", builds="lesson")
        wait_page(driver, lesson, page)
    for number, question in enumerate(lesson.questions):
        wait_page(driver, lesson, len(lesson.steps) + number)
        driver.click(f"option.{question.answer}", builds="lesson")
        wait_right(driver, lesson, list(range(number + 1)))
        if number < len(lesson.questions) - 1:
            driver.click("next", builds="lesson")
    driver.click("references", builds="reading")
    driver.click("back", builds="lesson")
    driver.click("next", builds="exercises")
    driver.click("back", builds="lessons")


def by_keyboard(driver: Driver, lesson: Lesson, number: int) -> None:
    driver.key(*["Tab"] * (2 * number - 1), "Return")  # each is followed by its exercises
    driver.scene("lesson")
    for page in range(1, len(lesson.steps) + 1):
        driver.key("Next")
        wait_page(driver, lesson, page)
    for asked, question in enumerate(lesson.questions):
        wait_page(driver, lesson, len(lesson.steps) + asked)
        driver.key(str(question.answer))
        wait_right(driver, lesson, list(range(asked + 1)))
        if asked < len(lesson.questions) - 1:
            driver.key("Next")
    driver.key("t")
    driver.scene("reading")
    driver.key("Escape")
    driver.scene("lesson")
    driver.key("Next")
    driver.scene("exercises")
    leave_exercises(driver, lesson)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "width", "height", "keyboard"), [("en", 960, 640, False), ("zh", 1440, 900, True)]
)
def test_all_lessons_are_walked(
    start: Start, home: Path, language: str, width: int, height: int, keyboard: bool
) -> None:
    use(home, language, width, height)
    driver = start()
    driver.scene("home")
    driver.key("l")
    driver.scene("lessons")
    for number, lesson in enumerate(lessons(language), 1):
        if keyboard:
            by_keyboard(driver, lesson, number)
        else:
            by_mouse(driver, lesson)
