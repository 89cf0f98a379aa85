"""Errors in a real window, windows that would not be seen, and programs without a display."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest
from conftest import Start
from driver import PATIENCE, Driver, run
from habits import begin_persons, play_persons

BREAK = """
import os, time
from pathlib import Path
import ui.parts.players as module
inner = module.Players.draw
def draw(part, surface, now):
    if (Path(os.environ["TENGEN_HOME"]) / "break").exists():
        raise ValueError("as the test wants it")
    inner(part, surface, now)
module.Players.draw = draw
"""

STAND_STILL = """
import os, time
from pathlib import Path
import ui.app as module
inner = module.App.frame
def stand_still_here(app, now):
    order = Path(os.environ["TENGEN_HOME"]) / "still"
    if order.exists():
        order.unlink()
        time.sleep(7.5)
    inner(app, now)
module.App.frame = stand_still_here
"""


def log(home: Path) -> str:
    file = home / "logs" / "tengen.log"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def test_an_error_is_told_and_logged_and_the_game_is_kept(start: Start, home: Path, tmp_path: Path) -> None:
    driver = start(before=BREAK)
    begin_persons(driver, "tictactoe")
    play_persons(driver, "b2", "a1")
    (home / "break").touch()
    driver.point(5, 5)
    driver.scene("home")
    dialog = driver.wait(lambda: driver.events("dialog"), "the dialog")[-1]
    (home / "break").unlink()
    time.sleep(0.3)
    driver.picture(tmp_path / "crash.png")
    driver.click_at(*dialog["widgets"]["accept"])
    driver.message("clipboard")
    assert "ValueError: as the test wants it" in log(home)
    assert "\ntengen        " in log(home)
    driver.click("continue", builds="play")
    assert driver.moves() == ["b2", "a1"]
    play_persons(driver, "c3")
    driver.close()
    assert driver.process.returncode == 0


def test_a_window_that_stands_still_writes_all_stacks(start: Start, home: Path) -> None:
    driver = start(before=STAND_STILL)
    driver.scene("home")
    (home / "still").touch()
    driver.point(5, 5)
    driver.wait(lambda: "stood still" in log(home), "the log")
    assert log(home).count("in stand_still_here") == 1
    time.sleep(6.5)  # a window that waits for a person does not stand still
    driver.close()
    assert log(home).count("stood still") == 1


@pytest.mark.parametrize(("left", "top", "width", "height"), [(-1500, -900, 1280, 800), (100, 100, 9000, 7000)])
def test_a_window_was_restored_where_nobody_could_reach_it(
    start: Start, home: Path, left: int, top: int, width: int, height: int
) -> None:
    driver = start()
    driver.close()
    facts = json.loads((home / "settings.json").read_text(encoding="utf-8"))
    facts |= {"left": left, "top": top, "width": width, "height": height}
    (home / "settings.json").write_text(json.dumps(facts), encoding="utf-8")
    driver = start()
    driver.scene("home")
    time.sleep(0.3)
    place, (wide, high) = driver.place(), display(driver)
    assert 0 <= place["X"] <= wide - 160
    assert 0 <= place["Y"] <= high - 24
    assert place["WIDTH"] <= wide
    assert place["HEIGHT"] <= high
    driver.close()


def display(driver: Driver) -> tuple[int, int]:
    wide, high = driver.xdotool("getdisplaygeometry").split()
    return int(wide), int(high)


FAIL_AT_HOME = """
import ui.home.screen as module
def fail(*_):
    raise ValueError("as the test wants it")
module.Home.draw = fail
"""


def test_a_home_that_fails_ends_with_a_box_of_the_system_and_status_1(
    window_manager: None, home: Path, tmp_path: Path
) -> None:
    with (tmp_path / "stderr").open("w") as stderr, run(home, FAIL_AT_HOME, stderr) as process:
        end = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < end:  # the box has one button
            subprocess.run(["xdotool", "key", "Return"], check=False)
            time.sleep(0.5)
        process.kill()  # unless it has ended
    assert process.returncode == 1
    assert "unexpected error" in (tmp_path / "stderr").read_text()
    assert "ValueError: as the test wants it" in log(home)
