"""The program killed at random moments of a game, again and again: 30 times, or as often as TENGEN_KILLS says."""

from __future__ import annotations

import os
import random
import subprocess
import time
from pathlib import Path

import pytest
from conftest import Start
from driver import Driver
from habits import begin_persons, play_persons, record_of

from games.coords import cell_text
from games.library.library import GameLibrary, Query

KILLS = int(os.environ.get("TENGEN_KILLS", "30"))
SIZE = 15
FULL = 200
"""Moves after which another game begins."""
MOST_CLICKS = 3
"""Between two kills."""


def quiet_moves(chance: random.Random) -> list[str]:
    """All points of the board but one, in an order in which nobody ever has more than two stones in a row."""
    points = [divmod(cell, SIZE) for cell in range(SIZE * SIZE)]
    chance.shuffle(points)
    sides = [[cell_text(r * SIZE + c, SIZE, SIZE) for r, c in points if (r + c // 2) % 2 == side] for side in (0, 1)]
    return [move for pair in zip(*sides, strict=False) for move in pair]


def begin_game(driver: Driver, move: str) -> Path:
    """A game of two persons with one move, which is offered at the next start."""
    known = set(driver.saved_files())
    begin_persons(driver, "gomoku")
    driver.play(move)
    driver.wait(lambda: set(driver.saved_files()) - known, "a file of the new game")
    (file,) = set(driver.saved_files()) - known
    driver.wait(lambda: reported(driver, file) == 1, "the first move")
    driver.wait(lambda: driver.settings()["unfinished"] == str(file), "the game in the settings")
    return file


def click_and_kill(driver: Driver, moves: list[str], patience: float) -> None:
    """Clicks `moves`, and kills the program `patience` seconds after the last click."""
    for move in moves[:-1]:
        driver.play(move)
    driver.point(*driver.shown["moves"][moves[-1]])
    time.sleep(0.05)  # as in `click_at`
    with subprocess.Popen(["xdotool", "click", "1"]):
        time.sleep(patience)
        driver.kill()


def reported(driver: Driver, file: Path) -> int:
    """How many moves the program has said to have saved in `file`, in its last run."""
    return max((event["moves"] for event in driver.events("saved") if event["file"] == str(file)), default=0)


def undamaged_games(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many games the library finds, all of which can be read."""
    monkeypatch.setenv("TENGEN_HOME", str(driver.home))
    library = GameLibrary()
    library.refresh()
    while library.busy:
        time.sleep(0.01)
    entries = library.entries(library.search(Query())).values()
    library.close()
    assert [entry.path for entry in entries if entry.problem] == []
    assert list(driver.home.rglob("*.damaged*")) == []
    return len(entries)


def test_no_saved_move_is_lost_however_often_the_program_is_killed(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(KILLS)
    order = quiet_moves(chance)
    driver = start()
    file, games, kept, cut = begin_game(driver, order[0]), 1, order[:1], 0
    most = 0.06  # seconds from click to kill; later if the moves are not saved by then, so that both happen
    for kill in range(1, KILLS + 1):
        clicked = kept + order[len(kept) : len(kept) + chance.randint(1, MOST_CLICKS)]
        click_and_kill(driver, clicked[len(kept) :], chance.uniform(0.0, most))
        found = driver.moves(file)
        assert found == clicked[: len(found)], f"after kill {kill}"
        assert len(found) >= max(len(kept), reported(driver, file)), f"after kill {kill}"
        cut += len(found) < len(clicked)
        most *= 1.3 if len(found) < len(clicked) else 1 / 1.3
        kept = found
        driver = start()  # a lock that was left behind would keep it from opening its window
        if len(kept) > FULL:
            file, games, kept = begin_game(driver, order[0]), games + 1, order[:1]
        else:
            driver.scene("home")
            driver.click("continue", builds="play")
    print(f"{cut} of {KILLS} kills came before the last move was saved")
    play_persons(driver, order[len(kept)], file=file)
    assert record_of(driver, file).position.ply == len(kept) + 1
    driver.close()
    assert undamaged_games(driver, monkeypatch) == games
