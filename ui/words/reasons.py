"""Why a move, in a sentence: what it makes and what it blocks, for games whose positions have reasons."""

from __future__ import annotations

from ai.review.reasons import SHAPES
from ai.review.registry import insight
from games.position import Position
from games.record import Node
from ui.toolkit.i18n import t
from ui.words.moves import move_name


def move_reason(position: Position, move: int) -> str:
    """``h8 makes a four and blocks an open three``; empty if there is nothing to say about `move`."""
    reason = insight(position.game).reason
    if reason is None:
        return ""
    found = reason(position, move)
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
    """``two fours and an open three``; what is weaker than an open three only where there is nothing else."""
    worth = tuple(shape for shape in shapes if shape != SHAPES[-1]) or shapes
    names = [t(f"reason.{shape}", count=worth.count(shape)) for shape in dict.fromkeys(worth)]
    first, last = names[:-1], names[-1:]
    return t("reason.and").join(([t("reason.comma").join(first)] if first else []) + last)
