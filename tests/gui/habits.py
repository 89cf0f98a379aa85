"""What several tests do in the same way: begin a game, play a move, look at what was saved."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from driver import Driver

from ai.players import strongest
from games.formats import load, save
from games.record import PERSON, GameRecord, Seat, path
from games.registry import setup

LEAST = "0.2"
"""The shortest thinking time of the set-up screen, in seconds, as a seat keeps it."""


def open_setup(driver: Driver, game: str) -> None:
    driver.scene("home")
    driver.click(f"card.{game}", builds="setup")


def seats(driver: Driver, first: str, second: str) -> None:
    """Choose who plays: ``person``, ``level``, or the best player of the game, ``engine`` or ``alphabeta``. Of two
    computers, the same on both sides."""
    driver.click(f"against.{first if second == PERSON else second}", builds="setup")
    if (first, second) != (PERSON, PERSON):
        side = "watch" if PERSON not in (first, second) else "0" if first == PERSON else "1"
        driver.click(f"side.{side}", builds="" if side == "0" else "setup")  # a new home begins with the first


def think(driver: Driver, side: int, steps: int) -> None:
    """Clicks the stepper of the thinking time: below 0 for less, above for more."""
    for _ in range(abs(steps)):
        driver.click(f"time{side}.{'more' if steps > 0 else 'less'}", builds="setup")


def begin(driver: Driver, game: str, thinking: int = -3) -> None:
    """A new game of a person against the computer, which thinks `thinking` steps longer than 2 seconds."""
    open_setup(driver, game)
    seats(driver, PERSON, strongest(game))
    think(driver, 1, thinking)
    driver.click("start", builds="play")


def begin_persons(driver: Driver, game: str) -> None:
    open_setup(driver, game)
    seats(driver, PERSON, PERSON)
    driver.click("start", builds="play")


def play_persons(driver: Driver, *moves: str, file: Path | None = None) -> None:
    """Clicks `moves` for both persons, each once the one before is in the file."""
    count = len(driver.moves(file))
    for number, move in enumerate(moves, 1):
        driver.play(move)
        driver.wait_moves(count + number, file)


def record_of(driver: Driver, file: Path | None = None) -> GameRecord:
    """The saved game as the rules read it: an illegal move in it would be an error."""
    if file is None:
        (file,) = driver.saved_files()
    return load(file)


def played(record: GameRecord) -> list[str]:
    """The moves to the cursor of `record`."""
    nodes = path(record.cursor)
    return [a.position.move_text(b.move) for a, b in pairwise(nodes) if b.move is not None]


def write_game(file: Path, game: str, moves: str, first: str = PERSON, second: str = PERSON) -> GameRecord:
    """A saved game of `moves`, written with spaces, with the cursor at its end."""
    record = GameRecord(setup(game), (Seat(first), Seat(second)), "2026-05-01T12:00:00")
    for move in moves.split():
        record.play(record.position.parse_move(move), 1.0)
    save(record, file)
    return record
