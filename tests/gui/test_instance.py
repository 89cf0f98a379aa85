"""A second start of the program, while its window is open."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from conftest import Start
from driver import PATIENCE, Driver, command
from habits import begin_persons, play_persons, write_game


def second(driver: Driver, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"TENGEN_HOME": str(driver.home)}
    return subprocess.run(
        [*command(), *arguments], env=environment, cwd=folder, capture_output=True, text=True, check=False,
        timeout=PATIENCE,
    )  # fmt: skip


def windows(driver: Driver) -> list[str]:
    return driver.xdotool("search", "--class", "tengen").split()


def test_a_second_start_brings_its_file_to_the_first_window(start: Start, tmp_path: Path) -> None:
    driver = start()
    begin_persons(driver, "gomoku")
    play_persons(driver, "h8", "i9")
    (kept,) = driver.saved_files()
    before = kept.read_bytes()
    write_game(tmp_path / "game.tengen.json", "tictactoe", "b2 a1")
    known = windows(driver)
    done = second(driver, "game.tengen.json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Tengen is already running; its window opens “game.tengen.json”.\n"
    driver.scene("replay")
    assert windows(driver) == known
    assert kept.read_bytes() == before


def test_a_second_start_brings_a_minimised_window_to_the_front_and_one_behind_another(
    start: Start, tmp_path: Path
) -> None:
    driver = start()
    driver.scene("home")
    driver.xdotool("windowminimize", "--sync", driver.window)
    driver.wait(lambda: driver.window not in driver.windows(), "the window out of sight")
    assert second(driver).returncode == 0
    driver.wait(lambda: driver.window in driver.windows(), "the window in sight")
    driver.wait(lambda: driver.xdotool("getwindowfocus").strip() == driver.window, "the keyboard")
    cover = Driver(tmp_path)  # on another folder, as another program would be
    try:
        assert second(driver).returncode == 0
        driver.wait(lambda: driver.xdotool("getactivewindow").strip() == driver.window, "the window in front")
    finally:
        cover.kill()
