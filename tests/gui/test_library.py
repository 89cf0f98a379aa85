"""The library in a real window: letters typed into its search, and its menus by mouse."""

from __future__ import annotations

import os
from pathlib import Path

from conftest import Start
from driver import Driver
from habits import write_game

GAMES = {
    "Alpha": ("gomoku", "h8 i9 g7 i7", "person", "engine"),
    "Beta": ("gomoku", "h8 h9", "person", "person"),
    "Gamma": ("tictactoe", "b2 a1 c1 a3 a2 c2 b3 b1 c3", "person", "alphabeta"),
    "Delta": ("bones", "3 2 1", "person", "random"),
}


def wait_listed(driver: Driver, *names: str) -> None:
    cards = {f"game.{name}" for name in names}
    driver.wait(
        lambda: {name for name in driver.shown["widgets"] if name.startswith("game.")} == cards,
        f"{names} to be listed",
    )


def test_games_are_searched_filtered_opened_and_deleted(start: Start, home: Path) -> None:
    saves = home / "saves"
    for age, (name, game) in enumerate(GAMES.items()):
        file = saves / f"{name}.tengen.json"
        write_game(file, *game)
        os.utime(file, (1_700_000_000 - age, 1_700_000_000 - age))
    driver = start()
    driver.scene("home")
    driver.click("library", builds="library")
    wait_listed(driver, *GAMES)
    driver.key("ctrl+f", "d", "e", "l")
    wait_listed(driver, "Delta")
    driver.key("Escape")  # leaves the line of text
    driver.click("clear", builds="library")
    wait_listed(driver, *GAMES)
    driver.choose("game", "gomoku")
    wait_listed(driver, "Alpha", "Beta")
    driver.choose("opponent", "Full strength")
    wait_listed(driver, "Alpha")
    driver.click("clear", builds="library")
    driver.choose("result", "draw")
    wait_listed(driver, "Gamma")
    driver.key("Return")
    driver.scene("replay")
    driver.key("Escape")
    driver.scene("library")
    wait_listed(driver, "Gamma")
    before = (saves / "Gamma.tengen.json").read_bytes()
    driver.key("ctrl+a", "Delete")
    driver.wait(lambda: len(list(saves.glob("*.tengen.json"))) == 3, "one game less")
    driver.click("undo")
    driver.wait(lambda: len(list(saves.glob("*.tengen.json"))) == 4, "all games")
    assert (saves / "Gamma.tengen.json").read_bytes() == before
