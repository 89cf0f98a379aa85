"""A game as a line of text, black first: ``h8i9g7j10`` on a board, ``3 2 1`` for the Game of Bones.

It holds the moves of one line of play only, so the reader must know the game, whose descriptor defines the
notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.formats.common import FormatError, play, shortened, unicode_text
from games.position import Stones
from games.record import GameRecord, Node
from games.registry import GAMES, Setup, setup


def loads(data: bytes, game: Setup | None = None) -> GameRecord:
    """Read the moves in `data`, UTF-8. Raise `FormatError`. See `parse`."""
    return parse(unicode_text(data), game)


def parse(text: str, game: Setup | None = None, stones: Stones | None = None) -> GameRecord:
    """Play the moves in `text` from the start of `game` (default gomoku), or from `stones`, with the cursor on the
    last.

    Capital letters, and white space between and around moves, are accepted. No moves at all are a game that has not
    begun. Raise `FormatError`, and `ValueError` for invalid stones.
    """
    record = GameRecord(game or setup("gomoku"), stones=stones)
    # Another game's move is read too, and rejected with its number.
    token_pattern = re.compile(rf"(pass|{GAMES[record.setup.game].move_pattern}|[a-z]?[0-9]+)\s*")
    text = text.strip().lower()
    at = 0
    while at < len(text):
        token = token_pattern.match(text, at)
        if token is None:
            message = f"“{shortened(text[at:])}” cannot be read as moves such as “h8i9” (for bones, “3 2 1”)."
            raise FormatError(message, "foreign")
        play(record, token[1])
        at = token.end()
    return record


def dumps(record: GameRecord) -> bytes:
    """Write the moves of `record.line()`, the line of play through the cursor, with a line end. Raise `FormatError` for
    a game with a position that was set up."""
    if record.stones is not None:
        raise FormatError("A position string cannot hold a starting position that was set up.", "unwritable")
    return f"{moves_text(record.line())}\n".encode("ascii")


def moves_text(nodes: Iterable[Node]) -> str:
    """Write the moves that led to `nodes`, a path in one tree: `record.line()`, or `path(record.cursor)`. Separate
    numbers by spaces."""
    moves = [node.parent.position.move_text(node.move) for node in nodes if node.parent and node.move is not None]
    return "".join(f" {move}" if move[0].isdigit() else move for move in moves).strip()
