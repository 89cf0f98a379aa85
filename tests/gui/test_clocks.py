"""Games with clocks in a real window: lost on time, paused, covered, and gone on with after a crash."""

from __future__ import annotations

import json
import time
from pathlib import Path

from conftest import Start
from driver import Driver
from habits import begin_persons, open_setup, play_persons, played, record_of, seats

from games.clock import TimeControl
from games.position import FIRST, SECOND
from games.record import PERSON


def begin_on(start: Start, home: Path, clock: str, game: str = "tictactoe", second: str = PERSON) -> Driver:
    """A game of a person on a `clock` that was chosen the last time: one so short is not offered."""
    size, rule = (3, "standard") if game == "tictactoe" else (15, "freestyle")
    new = {"size": size, "rule": rule, "players": [PERSON, second], "seconds": [2, 2], "clock": clock}
    (home / "settings.json").write_text(json.dumps({"new_game": {game: new}}), encoding="utf-8")
    driver = start()
    open_setup(driver, game)
    driver.click("start", builds="play")
    return driver


def begun(start: Start, home: Path, clock: str = "1+0") -> Driver:
    """A game of two persons on a `clock`, after its first move."""
    driver = begin_on(start, home, clock)
    driver.play("b2")
    driver.wait_moves(1)
    return driver


def spent(driver: Driver) -> float:
    """Seconds that the side to move has thought so far, as the file has it."""
    return record_of(driver).cursor.spent


def test_a_game_is_lost_on_time(start: Start, home: Path) -> None:
    driver = begun(start, home, "0:03+1")
    driver.wait(lambda: record_of(driver).outcome is not None, "the end on time")
    record = record_of(driver)
    assert record.control == TimeControl(3, 1)
    assert record.outcome is not None
    assert (record.outcome.winner, record.outcome.reason) == (FIRST, "time")
    faces = record.clocks()
    assert faces is not None
    assert faces[SECOND].expired
    assert not faces[FIRST].expired
    driver.click("undo")
    driver.wait(lambda: record_of(driver).outcome is None, "the loss taken back")
    driver.play("a1")
    assert driver.wait_moves(2) == ["b2", "a1"]


def test_a_clock_is_chosen_beside_the_players_and_remembered(start: Start) -> None:
    driver = start()
    open_setup(driver, "tictactoe")
    seats(driver, PERSON, PERSON)
    driver.click("clock", builds="setup")
    driver.click("preset.2 min, 3×10 s", builds="setup")
    driver.click("periods.more", builds="setup")
    assert driver.settings()["new_game"]["tictactoe"]["clock"] == "2 min, 4×10 s"
    driver.click("start", builds="play")
    play_persons(driver, "b2", "a1")
    assert record_of(driver).control == TimeControl(120, 0, 4, 10)


def test_the_keyboard_alone_chooses_a_clock(start: Start) -> None:
    driver = start()
    open_setup(driver, "tictactoe")
    with driver.building():
        driver.key("t")
    for _ in range(list(driver.shown["widgets"]).index("preset.20 s") + 1):
        driver.key("Tab")
    with driver.building():
        driver.key("Return")
    with driver.building():
        driver.key("Escape", "Escape")
    driver.scene("setup")
    assert driver.settings()["new_game"]["tictactoe"]["clock"] == "20 s"


def test_a_pause_stops_the_clock_and_the_board_takes_no_click(start: Start, home: Path) -> None:
    driver = begun(start, home)
    time.sleep(0.5)
    driver.key("p")
    driver.wait(lambda: spent(driver) > 0, "the time until the pause in the file")
    before = spent(driver)
    time.sleep(1.5)  # the waiting itself is what is tested
    driver.play("a1")
    driver.message("Paused")
    assert driver.moves() == ["b2"]
    driver.click("pause")
    driver.play("a1")
    driver.wait_moves(2)
    seconds = record_of(driver).cursor.seconds
    assert seconds is not None
    assert before <= seconds < before + 1.5, "the pause is not charged"


def test_the_page_of_keys_pauses_the_game(start: Start, home: Path) -> None:
    driver = begun(start, home)
    time.sleep(0.2)
    driver.key("F1")
    driver.wait(lambda: spent(driver) > 0, "the pause")
    driver.key("Escape")
    time.sleep(0.2)
    driver.play("a1")
    driver.message("Paused")
    driver.key("space")
    driver.play("a1")
    driver.wait_moves(2)


def test_the_clocks_go_on_after_a_crash(start: Start, home: Path) -> None:
    driver = begun(start, home)
    driver.wait(lambda: spent(driver) > 1, "the time that is kept while somebody thinks")
    driver.kill()
    kept = spent(driver)
    driver = start()
    driver.scene("home")
    driver.click("continue", builds="play")
    time.sleep(0.5)  # it is paused: nothing of this is charged
    driver.key("p")
    driver.play("a1")
    driver.wait_moves(2)
    seconds = record_of(driver).cursor.seconds
    assert seconds is not None
    assert kept <= seconds < kept + 5
    assert played(record_of(driver)) == ["b2", "a1"]


def test_no_clock_leaves_games_as_they_were(start: Start) -> None:
    driver = start()
    begin_persons(driver, "tictactoe")
    play_persons(driver, "b2", "a1")
    assert record_of(driver).control is None
    assert "clock" not in driver.saved()


def test_the_computer_plays_on_a_clock(start: Start, home: Path) -> None:
    driver = begin_on(start, home, "1+0", "gomoku", second="engine")
    driver.play("h8")
    driver.wait_moves(2)
    driver.play("a1")
    driver.wait_moves(4)
    record = record_of(driver)
    faces = record.clocks()
    assert faces is not None
    assert 0 < faces[SECOND].seconds < 60
    assert record.seats[SECOND].seconds is None, "it divides what it has"
