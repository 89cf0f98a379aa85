"""What several tests do in the same way: begin a game, play a move, look at what was saved."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from driver import Driver

from ai.players.table import strongest
from games.formats import load, save
from games.record import PERSON, GameRecord, Seat, path
from games.registry import setup


def open_setup(driver: Driver, game: str) -> None:
    driver.scene("home")
    driver.click(f"card.{game}", builds="setup")


def begin(driver: Driver, game: str, thinking: int = -3) -> None:
    """A new game of a person against the computer, which thinks `thinking` steps longer than 2 seconds."""
    open_setup(driver, game)
    driver.click(f"against.{strongest(game)}", builds="setup")
    driver.click("side.0")  # with which a new home begins
    for _ in range(abs(thinking)):
        driver.click(f"time1.{'more' if thinking > 0 else 'less'}", builds="setup")
    driver.click("start", builds="play")


def begin_level(driver: Driver, game: str, level: int) -> None:
    """A new game of a person against a level."""
    open_setup(driver, game)
    driver.click("level1", builds="setup")
    driver.click(f"level1.{level}", builds="setup")
    driver.click("start", builds="play")


def begin_persons(driver: Driver, game: str) -> None:
    open_setup(driver, game)
    driver.click(f"against.{PERSON}", builds="setup")
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


def answered(driver: Driver, count: int) -> None:
    """Waits until there are `count` moves, or the game is over."""

    def there() -> bool:
        found = len(driver.moves())
        return found >= count or (found > 0 and record_of(driver).outcome is not None)

    driver.wait(there, f"the move {count}")
