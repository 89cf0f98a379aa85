"""Files of openings, from which matches begin: position strings, one a line, in sections by rule.

Those of gomoku are in `openings.txt` beside this file: balanced, so that the better player wins rather than the first.
Its header says how they were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from games.formats.common import FormatError
from games.formats.text import parse
from games.registry import Setup
from games.storage import read_regular

_SECTION = re.compile(r"\[(\w+)\]")


class BadOpenings(ValueError):
    """A file of openings cannot be used; `str(error)` is a sentence."""


def read_openings(file: Path, rule: str) -> list[str]:
    """Return the openings for `rule` as position strings, one a line in `file`. ``#`` starts a comment, ``[renju]`` the
    section of a rule; lines before any section count for every rule. Raise `BadOpenings` if the file cannot be read."""
    try:
        lines = read_regular(file).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise BadOpenings(f"“{file.name}” cannot be read: {reason}.") from error
    openings, section = [], rule
    for line in lines:
        text = line.partition("#")[0].strip()
        if (title := _SECTION.fullmatch(text)) is not None:
            section = title[1]
        elif text and section == rule:
            openings.append(text)
    return openings


def openings_of(file: Path, setup: Setup) -> list[str]:
    """Return the openings for `setup` from `file`. Raise `BadOpenings` if there are none, or one is illegal or a
    finished game."""
    texts = read_openings(file, setup.rule)
    if not texts:
        raise BadOpenings(f"“{file.name}” has no opening for the rule {setup.rule}.")
    for text in texts:
        try:
            over = parse(text, setup).outcome is not None
        except FormatError as error:
            raise BadOpenings(f"The opening “{text}” cannot be played: {error}") from error
        if over:
            raise BadOpenings(f"The opening “{text}” is a game that is over.")
    return texts


OPENINGS = Path(__file__).with_name("openings.txt")
MADE_FOR = 15
"""The board size of the openings in the file."""

_POINT = re.compile(r"([a-z])(\d+)")


def openings(setup: Setup) -> Iterator[str]:
    """Yield the openings of `openings.txt` for the rule of `setup`, moved to the centre of its board. Leave out those
    that do not fit; at least twenty do on any board."""
    for text in read_openings(OPENINGS, setup.rule):
        moved = _shift(text, setup.size)
        if moved is not None:
            yield moved


def _shift(text: str, size: int) -> str | None:
    """Move the points of `text` from the 15×15 board to the same place relative to the centre of a board of `size`;
    None if one leaves the board.

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
