"""The rating through a real window: what undo, leaving, and a killed program do to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.gui.driver import Driver

Start = Callable[..., Driver]


def profile(driver: Driver) -> list[dict[str, Any]]:
    file = driver.home / "profile.json"
    results: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["results"] if file.exists() else []
    return results


def resigned(driver: Driver) -> None:
    """A game of bones against a level that the person has given up."""
    driver.click("card.bones", "setup")
    driver.click("start", "play")
    driver.play("1")
    driver.wait_moves(2)
    with driver.building():
        driver.click("resign")
    driver.wait(lambda: "resigned" in driver.saved_files()[-1].read_text(encoding="utf-8"), "the end in the file")


def started_anew(start: Start) -> None:
    driver = start()
    driver.scene("home")
    assert len(driver.wait(lambda: profile(driver), "the result")) == 1
    assert "continue" not in driver.shown["widgets"]
    driver.close()


def test_a_resignation_counts_when_the_game_is_left_and_not_when_it_is_taken_back(start: Start) -> None:
    driver = start()
    resigned(driver)
    assert profile(driver) == []
    with driver.building():
        driver.key("ctrl+z")
    driver.click("resign", "play")
    driver.key("Escape")
    driver.scene("home")
    (result,) = driver.wait(lambda: profile(driver), "the result")
    assert (result["score"], result["unrated"]) == (0.0, "")
    driver.click("profile", "profile")
    driver.click("remove.0", "profile")
    driver.wait(lambda: not profile(driver), "no result")
    driver.key("ctrl+z")
    driver.wait(lambda: profile(driver) == [result], "the result again")


def test_a_game_that_ended_before_the_program_was_killed_counts_once(start: Start) -> None:
    driver = start()
    resigned(driver)
    driver.kill()
    assert profile(driver) == []
    for _ in range(2):
        started_anew(start)
    assert len(profile(driver)) == 1
