"""Names of moves, and why a move is illegal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from games.position import PASS, IllegalMove, Position, played
from ui.toolkit.i18n import first_text, t
from ui.words.games import short_side


def move_name(position: Position, move: int) -> str:
    """How `move` is written in a list."""
    return t("move.pass") if move == PASS else position.move_text(move)


def illegal_sentence(error: IllegalMove) -> str:
    return reason_sentence(error.reason)


def reason_sentence(reason: str) -> str:
    """Why a move is illegal, by the key of `IllegalMove`."""
    return first_text(f"illegal.{reason}", "illegal.unreadable")


def line_names(position: Position, moves: Sequence[int]) -> list[str]:
    """`moves`, which can be played one after the other from `position`, as the window writes them. Where the sides do
    not alternate, the first move of each turn is written with its side: ``First: 3``, ``6``, ``Second: 2``."""
    steps = list(played(position, moves))
    names, sides = [move_name(*step) for step in steps], [before.turn for before, _ in steps]
    if all(one != other for one, other in pairwise(sides)):
        return names
    turns = (side if side != before else None for before, side in pairwise([None, *sides]))
    return [name if side is None else f"{short_side(position.game, side)}: {name}"
            for name, side in zip(names, turns, strict=True)]  # fmt: skip
