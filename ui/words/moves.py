"""Names of moves, and why a move is illegal."""

from __future__ import annotations

from collections.abc import Sequence

from games.position import PASS, IllegalMove, Position
from ui.toolkit.i18n import first_text, t


def move_name(position: Position, move: int) -> str:
    """How `move` is written in a list."""
    return t("move.pass") if move == PASS else position.move_text(move)


def illegal_sentence(error: IllegalMove) -> str:
    return reason_sentence(error.reason)


def reason_sentence(reason: str) -> str:
    """Why a move is illegal, by the key of `IllegalMove`."""
    return first_text(f"illegal.{reason}", "illegal.unreadable")


def line_names(position: Position, moves: Sequence[int]) -> list[str]:
    """`moves`, which can be played one after the other from `position`, as the window writes them."""
    names = []
    for move in moves:
        names.append(move_name(position, move))
        position = position.play(move)
    return names
