"""Names of moves, why a move is illegal, and what it makes and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ai.review.registry import insight
from games.position import PASS, Position, played
from games.record import Node
from ui.toolkit.i18n import first_text, t
from ui.words.games import short_side


def move_name(position: Position, move: int) -> str:
    """How `move` is written in a list."""
    return t("move.pass") if move == PASS else position.move_text(move)


def illegal_sentence(reason: str) -> str:
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


# Reasons, for games whose positions have some.


def move_reason(position: Position, move: int) -> str:
    """``h8 makes a four and blocks an open three``; empty if there is nothing to say about `move`."""
    reason = insight(position.game).reason
    if reason is None:
        return ""
    found = reason(position, move).notable
    words = {"move": move_name(position, move), "made": _listed(found.makes), "blocked": _listed(found.blocks)}
    if "five" in found.makes or (found.makes and not found.blocks):
        return t("reason.makes", **words)
    if found.makes:
        return t("reason.makes_and_blocks", **words)
    return t("reason.blocks", **words) if found.blocks else ""


def node_reason(node: Node) -> str:
    """The same for the move that led to `node`."""
    return "" if node.parent is None or node.move is None else move_reason(node.parent.position, node.move)


def _listed(shapes: tuple[str, ...]) -> str:
    """``two fours and an open three``."""
    names = [t(f"reason.{shape}", count=shapes.count(shape)) for shape in dict.fromkeys(shapes)]
    first, last = names[:-1], names[-1:]
    return t("reason.and").join(([t("reason.comma").join(first)] if first else []) + last)
