"""What is ended stays so, and what is studied is kept, in a real window: read from the files that it saves."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from conftest import Start
from driver import Driver
from habits import answered, begin_level, record_of, write_game

from ai.review.exercises import Deck
from games.clock import TimeControl
from games.formats import load, save
from games.position import Outcome
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from ui.system.settings import Settings


def results(driver: Driver) -> list[dict[str, Any]]:
    profile = driver.home / "profile.json"
    found: list[dict[str, Any]] = json.loads(profile.read_text(encoding="utf-8"))["results"] if profile.exists() else []
    return found


def menu(driver: Driver, button: str, option: str) -> None:
    """Chooses from the menu that a button opens."""
    before = len(driver.events("menu"))
    driver.click(button)
    driver.wait(lambda: len(driver.events("menu")) > before, "a menu")
    driver.click_at(*driver.events("menu")[-1]["widgets"][option])


def resigned(driver: Driver, picture: Callable[[str], None]) -> Path:
    driver.scene("home")
    begin_level(driver, "bones", 1)
    driver.play("1")
    answered(driver, 2)
    menu(driver, "resign", "return")
    before = len(driver.events("menu"))
    driver.click("resign")
    driver.message("cannot be undone")
    driver.wait(lambda: len(driver.events("menu")) > before, "the question")
    picture("asked")
    assert record_of(driver).outcome is None
    driver.click_at(*driver.events("menu")[-1]["widgets"]["resign"])
    (file,) = driver.saved_files()
    return file


def lost_on_time(driver: Driver, picture: Callable[[str], None]) -> Path:
    driver.scene("home")
    driver.click("continue", builds="play")
    driver.key("space")
    (file,) = driver.saved_files()
    driver.wait(lambda: load(file).outcome is not None, "the end of the time")
    return file


@pytest.mark.parametrize("reason", ["resigned", "time"])
def test_a_game_that_is_lost_stays_lost_whatever_is_tried_then(
    start: Start, home: Path, tmp_path: Path, reason: str
) -> None:
    if reason == "time":
        record = GameRecord(setup("bones"), (Seat(PERSON), Seat("level:1")), control=TimeControl(2))
        record.play(1, 0.5)
        record.play(1, 0.5)
        file = home / "saves" / "timed.tengen.json"
        save(record, file)
        settings = Settings(book=False, unfinished=str(file), recent=[str(file)])
        (home / "settings.json").write_text(json.dumps(asdict(settings)), encoding="utf-8")
    driver = start()

    def picture(name: str) -> None:
        driver.picture(tmp_path / f"{name}.png")

    file = (resigned if reason == "resigned" else lost_on_time)(driver, picture)
    driver.wait(lambda: results(driver), "the result in the profile")
    (result,) = counted = results(driver)
    assert (result["score"], result["unrated"]) == (0.0, "")
    driver.wait(lambda: "undo" in driver.shown["widgets"] and "redo" not in driver.shown["widgets"], "the end")
    picture("ended")
    ended = load(file)
    driver.key("ctrl+z")
    driver.scene("replay")
    driver.play("2")  # another try
    driver.wait(lambda: len(list(load(file).nodes())) > len(list(ended.nodes())), "the variation in the file")
    picture("studied")
    driver.key("Escape")
    driver.scene("home")
    now = load(file)
    assert (now.outcome, now.cursor.position) == (Outcome(1, reason), ended.cursor.position)
    assert results(driver) == counted
    assert "continue" not in driver.shown["widgets"]
    driver.kill()
    again = start()
    again.scene("home")
    assert "continue" not in again.shown["widgets"]
    assert results(again) == counted


def test_a_position_that_was_set_up_and_studied_is_there_after_going_back(start: Start, tmp_path: Path) -> None:
    driver = start()
    driver.scene("home")
    driver.click("editor", builds="position_editor")
    for move in ("h8", "i9", "g7"):
        driver.play(move)
    driver.click("analyse", builds="replay")
    driver.key("Escape")
    driver.scene("position_editor")
    assert driver.saved_files() == [], "a glance leaves nothing"
    driver.click("analyse", builds="replay")
    driver.play("i7")
    (file,) = driver.wait(driver.saved_files, "the study among the games")
    driver.key("Escape")
    driver.scene("position_editor")
    driver.click("analyse", builds="replay")
    driver.play("i8")
    driver.wait(lambda: len(list(load(file).nodes())) == 3, "both moves in one study")
    driver.picture(tmp_path / "again.png")
    assert driver.saved_files() == [file]
    driver.key("Escape")
    driver.scene("position_editor")
    driver.key("Escape")
    driver.scene("home")
    driver.click("library", builds="library")
    driver.picture(tmp_path / "library.png")


@pytest.mark.parametrize(("names", "own"), [(["wu "], [1]), (["Bo"], [])])
def test_a_review_of_what_was_pasted_is_kept_and_the_mistakes_are_ones_own_by_name(
    start: Start, home: Path, tmp_path: Path, names: list[str], own: list[int]
) -> None:
    (home / "settings.json").write_text(json.dumps(asdict(Settings(book=False, names=names))), encoding="utf-8")
    opened = tmp_path / "game.tengen.json"
    record = write_game(opened, "tictactoe", "b2 a1 c3 c1 b1 a2 a3")  # with a mistake of either side
    record.seats = Seat(PERSON, "Ada"), Seat(PERSON, "Wu")
    save(record, opened)
    driver = start(opened)
    driver.scene("replay")
    driver.key("End", "ctrl+c")
    driver.message("copied")
    review(driver)
    driver.wait(lambda: any(node.evaluation for node in load(opened).nodes()), "the review in the file")
    assert in_deck(driver) == own
    driver.picture(tmp_path / "reviewed.png")
    driver.key("ctrl+v")  # the moves alone, without names
    driver.wait(lambda: "review" in driver.shown["widgets"], "what was pasted")
    review(driver)
    (kept,) = driver.wait(driver.saved_files, "what was pasted and reviewed")
    driver.key("Escape")
    driver.scene("home")
    assert any(node.evaluation for node in load(kept).nodes())
    assert in_deck(driver) == own, "nobody is called so"
    driver.picture(tmp_path / "home.png")


def review(driver: Driver) -> None:
    driver.click("tab.review")
    driver.click("review")
    driver.wait(
        lambda: "next_mistake" in driver.shown["widgets"] and "review.cancel" not in driver.shown["widgets"],
        "the end of the review",
    )


def in_deck(driver: Driver) -> list[int]:
    """Whose mistakes come back as exercises."""
    found = Deck(driver.home / "exercises.sqlite").due()
    return sorted({exercise.record().position.turn for exercise in found})
