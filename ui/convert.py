"""The command `convert`: from any format to another one, or to a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from games.formats import FormatError, encoded, read_target, svg
from games.record import GameRecord
from games.registry import Setup
from ui.console import Failure, Misuse, failing, write_output


@dataclass(frozen=True, slots=True)
class Picture:
    """What was asked of a picture: the `numbers` of the moves, and the move `at` which it is taken."""

    numbers: bool = False
    at: int | None = None


def convert(source: str, out: Path, setup: Setup, picture: Picture) -> None:
    """Write the game `source`, a file or moves of a game of `setup`, to `out`. Raise `Failure` or `Misuse`."""
    drawn = out.suffix.lower() == ".svg"
    if not drawn and picture != Picture():
        raise Misuse("--numbers and --at are for pictures (.svg).")
    with failing(FormatError):
        record = read_target(source, setup)
        _go_to(record, picture.at)
        data = svg.dumps(record, picture.numbers) if drawn else encoded(record, out)
    write_output(out, data)


def _go_to(record: GameRecord, ply: int | None) -> None:
    line = record.line()
    if ply is not None:
        if ply >= len(line):
            raise Failure(f"The game has no move {ply}: it has {len(line) - 1}.")
        record.go_to(line[ply])
