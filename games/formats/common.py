"""What the file formats share: the one error they raise, and the one way in which they play a move."""

from __future__ import annotations

from games.position import IllegalMove
from games.record import GameRecord, Node

_LONGEST_MOVE = 20  # characters; longer text is no move, and too long to quote


class FormatError(ValueError):
    """A file cannot be read or a game cannot be written; `str(error)` is a sentence for people."""


def play(record: GameRecord, text: str) -> Node:
    """Plays the move that `text` names at the record's cursor.

    Raises `FormatError`, which says which move of the game it is and what is wrong with it.
    """
    position = record.position
    if len(text) > _LONGEST_MOVE:
        text = text[:_LONGEST_MOVE] + "…"
    try:
        return record.play(position.parse_move(text))
    except IllegalMove as error:
        raise FormatError(f"Move {position.ply + 1}, “{text}”, cannot be played: {error}") from error


def unicode_text(data: bytes) -> str:
    """`data` decoded as UTF-8, with or without a byte order mark. Raises `FormatError`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("The file is not text in UTF-8.") from error
