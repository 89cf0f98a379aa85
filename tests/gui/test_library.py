"""The library in a real window. What came of each click is read from the files on the disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Start
from driver import Driver
from habits import write_game

GAMES = {
    "Alpha": ("gomoku", "h8 i9 g7 i7", "person", "engine"),
    "Beta": ("gomoku", "h8 h9", "person", "person"),
    "Gamma": ("tictactoe", "b2 a1 c1 a3 a2 c2 b3 b1 c3", "person", "alphabeta"),
    "Delta": ("bones", "3 2 1", "person", "random"),
}


@pytest.fixture
def saves(home: Path) -> Path:
    folder = home / "saves"
    for age, (name, game) in enumerate(GAMES.items()):
        file = folder / f"{name}.tengen.json"
        write_game(file, *game)
        os.utime(file, (1_700_000_000 - age, 1_700_000_000 - age))
    return folder


def listed(driver: Driver) -> set[str]:
    """The games in sight."""
    return {name.removeprefix("game.") for name in driver.shown["widgets"] if name.startswith("game.")}


def wait_listed(driver: Driver, *names: str) -> None:
    driver.wait(lambda: listed(driver) == set(names), f"{names} to be listed")


def opened(start: Start) -> Driver:
    driver = start()
    driver.scene("home")
    driver.click("library", builds="library")
    wait_listed(driver, *GAMES)
    return driver


def files(folder: Path) -> set[str]:
    return {file.name.removesuffix(".tengen.json") for file in folder.glob("*.tengen.json")}


def pick(driver: Driver, menu: str, value: str) -> None:
    """Chooses from a menu, with the mouse."""
    before = len(driver.events("menu"))
    driver.click(menu)
    driver.wait(lambda: len(driver.events("menu")) > before, f"the menu {menu}")
    driver.click_at(*driver.events("menu")[-1]["widgets"][value])


def test_games_are_searched_filtered_and_opened(start: Start, saves: Path) -> None:
    driver = opened(start)
    driver.key("ctrl+f", "d", "e", "l")
    wait_listed(driver, "Delta")
    driver.key("Escape")  # leaves the line of text
    driver.click("clear", builds="library")
    wait_listed(driver, *GAMES)
    pick(driver, "game", "gomoku")
    wait_listed(driver, "Alpha", "Beta")
    pick(driver, "opponent", "Full strength")
    wait_listed(driver, "Alpha")
    driver.click("clear", builds="library")
    pick(driver, "result", "draw")
    wait_listed(driver, "Gamma")
    driver.key("Return")
    driver.scene("replay")
    driver.key("Escape")
    driver.scene("library")
    wait_listed(driver, "Gamma")
    driver.key("Escape")
    driver.scene("home")
    driver.key("ctrl+l")
    driver.scene("library")
    driver.close()


def test_games_are_deleted_and_brought_back(start: Start, saves: Path, home: Path) -> None:
    driver = opened(start)
    before = {file: file.read_bytes() for file in saves.iterdir()}
    driver.click("game.Beta")
    driver.key("Delete")
    driver.wait(lambda: files(saves) == {"Alpha", "Gamma", "Delta"}, "one game less")
    wait_listed(driver, "Alpha", "Gamma", "Delta")
    assert len(list((home / "trash").rglob("Beta.tengen.json"))) == 1
    driver.click("undo")
    driver.wait(lambda: files(saves) == set(GAMES), "all games")
    wait_listed(driver, *GAMES)
    driver.key("ctrl+a", "Delete")
    driver.wait(lambda: not files(saves), "no game")
    driver.key("ctrl+z")
    driver.wait(lambda: files(saves) == set(GAMES), "all games again")
    assert {file: file.read_bytes() for file in saves.iterdir()} == before


def test_a_game_is_renamed_and_an_exported_one_overwrites_nothing(start: Start, saves: Path, tmp_path: Path) -> None:
    driver = opened(start)
    contents = (saves / "Alpha.tengen.json").read_bytes()
    driver.click("game.Alpha")
    with driver.building():
        driver.key("F2")
    driver.key("ctrl+a", "N", "e", "w", "Return")
    driver.wait(lambda: "New" in files(saves), "the new name")
    assert files(saves) == {"New", "Beta", "Gamma", "Delta"}
    assert (saves / "New.tengen.json").read_bytes() == contents
    wait_listed(driver, "New", "Beta", "Gamma", "Delta")
    with driver.building():
        driver.key("F2")
    driver.key("ctrl+a", "B", "e", "t", "a", "Return")
    driver.message("already")
    with driver.building():
        driver.key("Escape")
    assert "New" in files(saves)

    out = tmp_path / "out"
    out.mkdir()
    (out / "Beta.txt").write_text("mine", encoding="utf-8")
    driver.key("ctrl+a")
    dialogs = len(driver.events("dialog"))
    pick(driver, "export", ".txt")
    driver.wait(lambda: len(driver.events("dialog")) > dialogs, "the dialog")
    driver.click_dialog("path")
    driver.key("ctrl+a")
    driver._xdotool("type", "--delay", "8", str(out))
    driver.key("Return")
    driver.wait(lambda: len(list(out.iterdir())) == 5, "four more files")
    assert (out / "Beta.txt").read_text(encoding="utf-8") == "mine"
    assert (out / "Beta 2.txt").read_text(encoding="utf-8").strip() == "h8h9"
    assert (out / "Delta.txt").read_text(encoding="utf-8").strip() == "3 2 1"


def test_an_unfinished_game_goes_on(start: Start, saves: Path) -> None:
    driver = opened(start)
    driver.click("game.Beta")
    driver.click("continue", builds="play")
    file = saves / "Beta.tengen.json"
    driver.play("j10")
    assert driver.wait_moves(3, file) == ["h8", "h9", "j10"]


def test_a_file_that_comes_from_elsewhere_appears(start: Start, saves: Path) -> None:
    driver = opened(start)
    (saves / "broken.tengen.json").write_bytes(b"{")
    driver.click("back", builds="home")
    driver.key("ctrl+l")
    driver.scene("library")
    wait_listed(driver, *GAMES, "broken")
    driver.click("game.broken")
    driver.key("Return")
    driver.message("broken")
    assert driver.shown["scene"] == "library"
