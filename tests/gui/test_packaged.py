"""The packaged program that TENGEN_EXECUTABLE names, in a real window and on the command line.

It runs from another folder than the one it was built in, as it does for whoever unpacks it.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driver import Driver
from habits import begin, record_of

import main
from games.record import GameRecord
from games.registry import setup

Start = Callable[..., Driver]

BUILT = os.environ.get("TENGEN_EXECUTABLE", "")
MOST_MOVES = 40
"""In one game; gomoku against a quick engine need not be played to its end."""

pytestmark = pytest.mark.skipif(not BUILT, reason="TENGEN_EXECUTABLE names no packaged program")


@pytest.fixture(scope="module")
def executable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in a folder to which it was moved."""
    built = Path(BUILT).resolve()
    folder = tmp_path_factory.mktemp("moved to") / "Tengen 天元"
    shutil.copytree(built.parent, folder, symlinks=True)
    return folder / built.name


def ask(executable: Path, home: Path, *arguments: str) -> str:
    """What the program prints; there is no display."""
    environment = os.environ | {"TENGEN_HOME": str(home)}
    environment.pop("DISPLAY", None)
    done = subprocess.run(
        [str(executable), *arguments], cwd=home, env=environment, capture_output=True, check=True, timeout=60
    )
    return done.stdout.decode()


# The command line.


def test_version(executable: Path, tmp_path: Path) -> None:
    assert ask(executable, tmp_path, "--version").strip() == f"tengen {main.VERSION}"


def test_diagnose_finds_fonts_and_libraries(executable: Path, tmp_path: Path) -> None:
    facts = dict(line.split(maxsplit=1) for line in ask(executable, tmp_path, "--diagnose").splitlines())
    assert "packaged" in facts["python"]
    assert facts["fonts"] == "Tengen-Regular.otf, Tengen-Bold.otf"
    assert "not installed" not in {facts[name] for name in ("pygame-ce", "pygame_gui", "numpy", "platformdirs")}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("scene", ["home", "play", "settings"])
def test_screenshot(scene: str, language: str, executable: Path, tmp_path: Path) -> None:
    ask(executable, tmp_path, "screenshot", scene, "out.png", "--lang", language)
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_analyse(executable: Path, tmp_path: Path) -> None:
    found = json.loads(ask(executable, tmp_path, "analyse", "h8i9g7", "--depth", "2", "--json"))
    assert [position["depth"] for position in found["positions"]] == [2, 2, 2]


def test_convert(executable: Path, tmp_path: Path) -> None:
    ask(executable, tmp_path, "convert", "h8i9g7", "game.tengen.json")
    ask(executable, tmp_path, "convert", "game.tengen.json", "game.txt")
    assert (tmp_path / "game.txt").read_text() == "h8i9g7\n"


# The window, with mouse and keyboard.


@pytest.fixture
def packaged(start: Start, executable: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Starts the packaged program in its new place."""
    monkeypatch.setenv("TENGEN_EXECUTABLE", str(executable))
    return start


def play(driver: Driver, game: str, most: int) -> GameRecord:
    """Clicks moves on the board until the game is over or has `most` moves, with the engine's in between."""
    begin(driver, game)
    chance = random.Random(1)
    position = setup(game).start()
    while position.outcome is None and position.ply < most:
        move = position.move_text(chance.choice(list(position.candidates())))
        driver.play(move)
        assert driver.wait_moves(position.ply + 1)[position.ply] == move
        position = record_of(driver).line()[-1].position
        if position.outcome is None and position.turn == 1:
            driver.wait_moves(position.ply + 1)
            position = record_of(driver).line()[-1].position
    return record_of(driver)


def save_and_close(driver: Driver) -> None:
    (file,) = driver.saved_files()
    driver.key("ctrl+s")
    driver.message(file.name)
    driver.close()
    assert driver.process.returncode == 0


def test_tic_tac_toe_to_its_end(packaged: Start) -> None:
    driver = packaged()
    record = play(driver, "tictactoe", 9)
    assert record.outcome is not None
    save_and_close(driver)
    assert record_of(driver).outcome == record.outcome
    assert [seat.player for seat in record.seats] == ["person", "alphabeta"]
    assert settings(driver)["unfinished"] == ""


def test_gomoku_against_the_engine(packaged: Start) -> None:
    driver = packaged()
    record = play(driver, "gomoku", MOST_MOVES)
    assert record.outcome is not None or record.position.ply == MOST_MOVES
    assert record.position.ply >= 9
    save_and_close(driver)
    assert record_of(driver).position == record.position
    assert settings(driver)["new_game"]["gomoku"]["seconds"][1] == 0.2


def test_a_game_cut_short_is_there_at_the_next_start(packaged: Start) -> None:
    driver = packaged()
    play(driver, "gomoku", 4)
    (file,) = driver.saved_files()
    driver.close()
    assert settings(driver)["unfinished"] == str(file)
    again = packaged()
    again.scene("home")
    again.click("continue", builds="play")
    assert len(again.wait_moves(4, file)) == 4
    again.close()


def settings(driver: Driver) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((driver.home / "settings.json").read_text(encoding="utf-8"))
    return found
