"""A puzzle, and files of puzzles: JSON lines, a header first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from games.fields import DecodeError, checked, decode, list_of, number, one_of, parsed, text, whole
from games.formats.common import FormatError
from games.formats.text import parse
from games.position import Position
from games.registry import GAMES, Setup, setup
from games.storage import read_regular, write_atomic

THEMES = ("fours", "threats", "forbidden", "win", "defence")
"""What is to be found: a win by fours; by fours and open threes; one that uses the other side's forbidden points; a win
in a game without such names; the only move that does not lose."""

MOST_PLIES = 225
_MOST_BYTES = 64 << 20
_HEADER = {"format": "tengen-puzzles", "version": 1}


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A position after `moves`, a position string, in which only `best` wins or, with the theme ``defence``, holds.
    Where fours win, only `best` wins by fours.

    `plies` are those of the win; of a defence, those of the quickest win that it prevents. `solved` is the share of
    tries in which each level of the game, from the first on, found the move; `rating` is the Elo of a player who finds
    it half of the time, by the Elo of the levels. Both are empty before the puzzle is graded.
    """

    game: str = checked(one_of(*GAMES))
    size: int = checked(whole(1, 100))
    rule: str = checked(text(20))
    moves: str = checked(text(2_000))
    theme: str = checked(one_of(*THEMES))
    plies: int = checked(whole(1, MOST_PLIES))
    best: str = checked(text(10))
    rating: float | None = checked(number(-10_000, 10_000), None)
    solved: list[float] = checked(list_of(number(0, 1), 20), make=list)

    @cached_property
    def setup(self) -> Setup:
        """Return the game, its size and rule. Raise `ValueError`."""
        return setup(self.game, self.size, self.rule)

    @cached_property
    def position(self) -> Position:
        """Return the position. Raise `ValueError` or `FormatError`."""
        return parse(self.moves, self.setup).position

    @property
    def move(self) -> int:
        """Return the best move. Raise `ValueError` if it is none."""
        return self.position.parse_move(self.best)

    @property
    def wins(self) -> bool:
        """Whether a win is to be found, rather than a defence."""
        return self.theme != "defence"


def read(file: Path, played: bool = True) -> tuple[dict[int, Puzzle], dict[int, str]]:
    """Read a file of puzzles; return those that can be used, and of the others what is wrong, both by the number of
    their line, from 1 on. `played` as in `of_line`.

    Raise `FormatError` if it is no such file, and `OSError`.
    """
    lines = read_regular(file, _MOST_BYTES).splitlines()
    try:
        header = parsed(lines[0]) if lines else None
    except DecodeError:
        header = None
    if not isinstance(header, dict) or header.get("format") != _HEADER["format"]:
        raise FormatError("This is not a file of puzzles.")
    if header.get("version") != _HEADER["version"]:
        raise FormatError("This file of puzzles was made by a later version of Tengen.")
    found, failed = {}, {}
    for place, each in enumerate(lines[1:], 2):
        try:
            found[place] = of_line(each, played)
        except (ValueError, FormatError) as error:
            failed[place] = str(error)
    return found, failed


def line(puzzle: Puzzle) -> str:
    """Return the line of a puzzle in a file."""
    known = {name: value for name, value in asdict(puzzle).items() if value not in (None, [])}
    return json.dumps(known, ensure_ascii=False)


def of_line(text: str | bytes, played: bool = True) -> Puzzle:
    """Return the puzzle in a line of a file. Raise `ValueError` or `FormatError`; if its moves are not to be `played`,
    which takes most of the time, `Puzzle.move` may raise them later."""
    puzzle = decode(Puzzle, parsed(text), "a puzzle")
    if played:
        _ = puzzle.move
    return puzzle


def encoded(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield the lines of a file, without line ends."""
    yield json.dumps(_HEADER)
    yield from map(line, puzzles)


def dumps(puzzles: Iterable[Puzzle]) -> bytes:
    """Return the contents of a file of puzzles."""
    return ("\n".join(encoded(puzzles)) + "\n").encode()


def write(file: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write a file of puzzles, atomically. Raise `OSError`."""
    write_atomic(file, dumps(puzzles))
