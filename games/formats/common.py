"""What the file formats share: the one error they raise, and the one way in which they play a move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from games.position import IllegalMove
from games.record import GameRecord, Node

Item = TypeVar("Item")

_LONGEST_QUOTE = 100  # characters
_LONGEST_MOVE = 20  # characters; longer text is no move, and too long to quote

Tell = Callable[[float], object]
"""Called now and then while a file is read, with the share that is done, from 0 to 1. What it raises ends that."""

_STEP = 256  # items between two calls


def silent(_share: float) -> None:
    """Tell nobody."""


def told(items: Sequence[Item], tell: Tell, begin: float, end: float) -> Iterator[Item]:
    """`items`, which take the reading from the share `begin` to `end`."""
    for number, item in enumerate(items, 1):
        if number % _STEP == 0:
            tell(begin + (end - begin) * number / len(items))
        yield item


KINDS: dict[str, tuple[str, ...]] = {
    "damaged": (),
    "foreign": (),
    "illegal": ("ply", "move"),
    "missing": (),
    "newer": (),
    "too_large": ("most",),
    "unknown": ("kinds",),
    "unreadable": ("reason", "number"),
    "unwritable": (),
}
"""The kinds of `FormatError`, with the facts that belong to each."""


class FormatError(ValueError):
    """A file cannot be read or a game cannot be written; `str(error)` is a sentence for people.

    `kind` is one of `KINDS`, and `facts` is what belongs to it, for those who say it in another language.
    """

    def __init__(self, message: str, kind: str = "damaged", **facts: object) -> None:
        super().__init__(message)
        self.kind, self.facts = kind, facts


def quoted(text: str) -> str:
    """`text` between quotation marks; of a long one, the beginning."""
    return f"“{text}”" if len(text) <= _LONGEST_QUOTE else f"“{text[:_LONGEST_QUOTE]}…”"


def play(record: GameRecord, text: str) -> Node:
    """Play the move that `text` names at the record's cursor.

    Raise `FormatError`, which says which move of the game it is and what is wrong with it.
    """
    position = record.position
    if len(text) > _LONGEST_MOVE:
        text = text[:_LONGEST_MOVE] + "…"
    try:
        return record.play(position.parse_move(text))
    except IllegalMove as error:
        message = f"Move {position.ply + 1}, “{text}”, cannot be played: {error}"
        raise FormatError(message, "illegal", ply=position.ply + 1, move=text) from error


def unicode_text(data: bytes) -> str:
    """`data` decoded as UTF-8, with or without a byte order mark. Raise `FormatError`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("The file is not text in UTF-8.", "foreign") from error
