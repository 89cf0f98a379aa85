"""The positions from which matches begin: balanced, so that the better player wins rather than the first.

`ai/arena/openings.txt` holds those of gomoku; how they were made is written at its top.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.formats.common import FormatError
from games.formats.text import moves_text, parse
from games.record import path
from games.registry import Setup
from games.storage import read_regular

OPENINGS = Path(__file__).with_name("openings.txt")
MADE_FOR = 15
"""The side of the board for which the openings in the file are written."""

_MOST_BYTES = 64 << 20
_RANDOM = 60  # openings made up where none are known
_SECTION = re.compile(r"\[(\w+)\]")
_POINT = re.compile(r"([a-z])(\d+)")


class BadOpenings(ValueError):
    """A file of openings cannot be used; `str(error)` is a sentence."""


def read_openings(file: Path, rule: str) -> list[str]:
    """The position strings in `file` that are for `rule`: one a line, ``#`` begins a comment, and ``[renju]``
    a section for that rule. Raise `BadOpenings`."""
    try:
        lines = read_regular(file, _MOST_BYTES).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise BadOpenings(f"“{file.name}” cannot be read: {reason}.") from error
    found, section = [], rule
    for line in lines:
        text = line.partition("#")[0].strip()
        if (title := _SECTION.fullmatch(text)) is not None:
            section = title[1]
        elif text and section == rule:
            found.append(text)
    return found


def openings(setup: Setup, file: Path | None, seed: int | None) -> list[str]:
    """Openings for `setup` in an order that depends on `seed`; those of `file`, or else those we have.

    Raise `BadOpenings` if `file` has none, or one that cannot be played.
    """
    if file is not None:
        found = read_openings(file, setup.rule)
        _check(found, setup, file)
    elif setup.game == "gomoku":
        found = list(_ours(setup)) or list(_random_openings(setup, seed))
    else:
        found = list(_first_moves(setup))
    random.Random(seed).shuffle(found)
    return found


def _check(found: Sequence[str], setup: Setup, file: Path) -> None:
    if not found:
        raise BadOpenings(f"“{file.name}” has no opening for the rule {setup.rule}.")
    for text in found:
        try:
            over = parse(text, setup).outcome is not None
        except FormatError as error:
            raise BadOpenings(f"The opening “{text}” cannot be played: {error}") from error
        if over:
            raise BadOpenings(f"The opening “{text}” is a game that is over.")


def _ours(setup: Setup) -> Iterator[str]:
    """The openings of our file, moved so that centre lies on centre, as far as they fit on the board."""
    if not OPENINGS.is_file():
        return
    for text in read_openings(OPENINGS, setup.rule):
        moved = _moved(text, setup.size)
        if moved is not None:
            yield moved


def _moved(text: str, size: int) -> str | None:
    """`text` with its points as far from the centre as before; None if one of them leaves the board.

    On a board of even size the centre is the point right of and below the middle, as in `games.line`.
    """
    right, up = size // 2 - MADE_FOR // 2, (size + 1) // 2 - (MADE_FOR + 1) // 2
    moves = []
    for letter, number in _POINT.findall(text):
        column, row = ord(letter) - ord("a") + right, int(number) + up
        if not (0 <= column < size and 1 <= row <= size):
            return None
        moves.append(f"{chr(ord('a') + column)}{row}")
    return "".join(moves)


def _random_openings(setup: Setup, seed: int | None) -> Iterator[str]:
    """Three stones near the centre, at random."""
    dice = random.Random(seed)
    for _ in range(_RANDOM):
        yield random_opening(setup, dice, 3)


def random_opening(setup: Setup, dice: random.Random, stones: int) -> str:
    """`stones` legal moves at most two, and later three, points from the centre of a gomoku board."""
    record = parse("", setup)
    middle = setup.size // 2
    while record.position.ply < stones:
        reach = min(2 if record.position.ply < 3 else 3, middle)
        column, row = (middle + dice.randint(-reach, reach) for _ in range(2))
        move = min(row, setup.size - 1) * setup.size + min(column, setup.size - 1)
        if move in record.position.legal_moves():
            record.play(move)
    return moves_text(path(record.cursor))


def _first_moves(setup: Setup) -> Iterator[str]:
    """For the small games: the start, and the position after each first move that does not end the game."""
    start = setup.start()
    yield ""
    for move in start.legal_moves():
        if start.play(move).outcome is None:
            yield start.move_text(move)
