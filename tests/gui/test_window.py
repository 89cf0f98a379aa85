"""The life of the window: starting, closing, crashing, and where it stands."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

from conftest import Start
from habits import begin


def test_start_and_close(start: Start) -> None:
    driver = start()
    driver.scene("home")
    assert {"card.gomoku", "card.tictactoe", "card.bones", "new", "open"} <= set(driver.shown["widgets"])
    assert "continue" not in driver.shown["widgets"]
    place = driver.place()
    assert (place["WIDTH"], place["HEIGHT"]) == (1280, 800)
    driver.key("ctrl+o")
    driver.wait(lambda: driver.events("dialog"), "the dialog, which closes with the window")
    driver.close()
    assert driver.process.returncode == 0


def test_the_window_comes_back_where_it_was(start: Start) -> None:
    driver = start()
    driver.scene("home")
    driver.resize(1000, 700)
    subprocess.run(["xdotool", "windowmove", "--sync", driver.window, "200", "150"], check=True)
    time.sleep(0.2)
    before = driver.place()
    for _ in range(2):  # a window that creeps by its frame would have moved twice
        driver.close()
        driver = start()
        driver.scene("home")
        time.sleep(0.2)
    assert driver.place() == before


def test_a_computer_that_thinks_ends_with_the_window_and_answers_after_a_restart(start: Start) -> None:
    driver = start()
    begin(driver, "gomoku", thinking=6)  # 30 seconds
    driver.play("h8")
    driver.wait_moves(1)
    time.sleep(0.3)
    driver.close()
    assert driver.process.returncode == 0
    assert driver.moves() == ["h8"]
    driver = start()
    driver.scene("home")
    with driver.building():
        driver.key("Return")
    driver.scene("play")
    time.sleep(0.3)
    driver.key("m")
    driver.wait_moves(2)


def test_a_damaged_file_on_the_command_line(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "bad.tengen.json"
    file.write_bytes(b'{"format": "tengen", "version": 1, "game"')
    driver = start(file)
    driver.message("damaged")
    driver.scene("home")
    driver.click("card.bones", builds="setup")


def test_full_screen_lasts_and_the_window_comes_back(start: Start) -> None:
    driver = start()
    driver.scene("home")
    before = driver.place()
    driver.key("F11")
    driver.wait(lambda: driver.place().get("WIDTH", 0) > before["WIDTH"], "the full screen")
    driver.wait(lambda: driver.settings()["full_screen"], "full screen in the settings")
    driver.close()
    driver = start()
    driver.scene("home")
    driver.wait(lambda: driver.place().get("WIDTH", 0) > before["WIDTH"], "the full screen")
    driver.key("F11")
    driver.wait(lambda: driver.place().get("WIDTH") == before["WIDTH"], "the window")
    driver.wait(lambda: driver.place() == before, "the window in its old place")
    time.sleep(0.3)
    assert driver.settings()["full_screen"] is False, "a key that repeats does not turn it on again"


def test_a_window_left_of_the_screen_comes_back_there(start: Start, home: Path) -> None:
    """As one does that stands on a second display on the left."""
    driver = start()
    driver.scene("home")
    subprocess.run(["wmctrl", "-i", "-r", hex(int(driver.window)), "-e", "0,-150,60,-1,-1"], check=True)
    driver.wait(lambda: driver.place().get("X", 0) < 0, "the window at the left")
    before = driver.place()
    driver.close()
    assert driver.settings()["left"] < 0
    driver = start()
    driver.scene("home")
    driver.wait(lambda: driver.place() == before, "the window in its old place")
    driver.close()
    settings = driver.settings() | {"displays": "1024x768"}
    (home / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    driver = start()
    driver.scene("home")
    assert driver.place()["X"] >= 0, "with other displays, the system places it"
