"""Clicks in windows of other sizes hit their cells."""

from __future__ import annotations

from conftest import Start
from habits import begin_persons, play_persons, played, record_of


def test_clicks_hit_their_cells_after_the_window_was_resized(start: Start) -> None:
    driver = start()
    begin_persons(driver, "gomoku")
    play_persons(driver, "h8", "a1")
    driver.resize(1100, 680)
    play_persons(driver, "o15", "c9")
    driver.resize(1700, 1000)
    play_persons(driver, "a15", "o1")
    assert played(record_of(driver)) == ["h8", "a1", "o15", "c9", "a15", "o1"]


def test_clicks_hit_their_cells_in_full_screen(start: Start) -> None:
    driver = start()
    begin_persons(driver, "gomoku")
    before = driver.place()
    corner = driver.shown["moves"]["o1"]
    driver.key("F11")
    driver.wait(lambda: driver.place().get("WIDTH", 0) > before["WIDTH"], "the full screen")
    driver.wait(lambda: driver.shown["moves"]["o1"][0] > corner[0], "the board in full screen")
    play_persons(driver, "o15", "a1")
    driver.key("F11")
    driver.wait(lambda: driver.place() == before, "the window in its old place")
    driver.wait(lambda: driver.shown["moves"]["o1"] == corner, "the board in the window")
    play_persons(driver, "h8", "o1")
    assert played(record_of(driver)) == ["o15", "a1", "h8", "o1"]
