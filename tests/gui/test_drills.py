"""The exercises of all lessons in a real window: by mouse in one size, theme and language, by keyboard in another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from conftest import Start
from driver import Driver

from ai.drills.drill import MARK, Drill, Field, draw_exercise
from ui.learn.drill_tree import widget_name
from ui.learn.lesson_state import Done, Worked, encoded, exercises, lessons
from ui.system.settings import Settings

SEED = 7


def use(home: Path, language: str, theme: str, width: int, height: int) -> None:
    """Settings to start with, and exercises that were begun with the seed."""
    settings = Settings(book=False, language=language, theme=theme, width=width, height=height)
    (home / "settings.json").write_text(json.dumps(asdict(settings)), encoding="utf-8")
    begun = Done(worked=[Worked(2, SEED, 0, 1.0, True)])
    (home / "lessons.json").write_bytes(encoded({lesson.key: begun for lesson in lessons("en")}))


def solved(driver: Driver, key: str) -> list[int]:
    found = json.loads((driver.home / "lessons.json").read_text(encoding="utf-8"))
    return [each["task"] for each in found[key]["worked"] if not each["shown"]]


def wait_state(driver: Driver, state: str) -> None:
    driver.wait(lambda: state in driver.shown["widgets"], state)


def steps(drill: Drill) -> Iterator[tuple[int, int]]:
    """The nodes to move to the left in an exercise on orders, and by how many places."""
    tree = drill.tree
    for field, text in drill.solution().items():
        row = [tree.names[child] for child in tree.children[field.node]]
        place = row.index(text.split()[0])
        if place:
            yield tree.children[field.node][place], place


def by_mouse(driver: Driver, drill: Drill) -> None:
    if drill.kind == "order":
        for node, places in steps(drill):
            driver.click(widget_name(Field(node, "order")))
            for _ in range(places):
                driver.click("left", builds="exercises")
    for field, text in drill.solution().items():
        if text == MARK:
            driver.click(widget_name(field), builds="exercises")
        elif text and field.slot != "order":
            driver.click(widget_name(field))
            for letter in text.removeprefix("+"):
                driver.click(f"key.{letter}")
    driver.click("check", builds="exercises")


def by_keyboard(driver: Driver, drill: Drill) -> None:
    if drill.kind == "order":
        nodes = [node for node in drill.tree.preorder() if node]
        for node, places in steps(drill):
            driver.key(*["Tab"] * (nodes.index(node) + 1), *["Left"] * places, "Escape")
    for number, (field, text) in enumerate(drill.solution().items()):
        if field.slot == "mark":
            driver.key("Tab", *["space"] * bool(text))
        elif field.slot != "order":
            driver.key(*["Tab"] * bool(number))
            driver.type(text.replace("−", "-").replace("∞", "i").replace("½", ".5"))
    driver.key("Return")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "theme", "width", "height", "keyboard"),
    [("en", "ink", 960, 640, False), ("zh", "paper", 1440, 900, True)],
)
def test_all_exercises_are_solved(
    start: Start, home: Path, language: str, theme: str, width: int, height: int, keyboard: bool
) -> None:
    use(home, language, theme, width, height)
    driver = start()
    driver.scene("home")
    driver.key("l")
    driver.scene("lessons")
    for place, lesson in enumerate(lessons(language), 1):
        if keyboard:
            driver.key(*["Tab"] * (2 * place), "Return")
            driver.scene("exercises")
        else:
            driver.click(f"exercises.{lesson.key}", builds="exercises")
        for number, spec in enumerate(exercises(lesson.key)):
            wait_state(driver, f"exercise.{number}.open")
            (by_keyboard if keyboard else by_mouse)(driver, draw_exercise(spec, SEED).drill)
            wait_state(driver, f"exercise.{number}.solved")
            if keyboard:
                driver.key("Return")
            else:
                driver.click("next")
        driver.scene("lessons")
        assert solved(driver, lesson.key) == [0, 1, 2]
