"""What the annotator of an SGF file says of a move and of a position.

The properties ``TE``, ``BM``, ``DO``, ``IT`` are about the move, and ``GB``, ``GW``, ``DM``, ``UC`` about the position
after it, each with 1, or 2 for more of it.
"""

from __future__ import annotations

from typing import NamedTuple

from games.position import FIRST, SECOND
from games.record import GameRecord, Node

MOVES = {"TE": "good", "BM": "bad", "DO": "doubtful", "IT": "interesting"}
POSITIONS = {"GB": "better", "GW": "better", "DM": "even", "UC": "unclear"}
_SIDES = {"GB": FIRST, "GW": SECOND}


class Sign(NamedTuple):
    """`kind` is one of the values of `MOVES` or `POSITIONS`; `strong` means more of it. `side` is who is ``better``."""

    kind: str
    strong: bool = False
    side: int | None = None


def move_sign(node: Node) -> Sign | None:
    """Return what the annotator says of the move that led to `node`."""
    return _sign(node, MOVES) if node.move is not None else None


def position_sign(node: Node) -> Sign | None:
    """Return what the annotator says of the position of `node`."""
    return _sign(node, POSITIONS)


def _sign(node: Node, kinds: dict[str, str]) -> Sign | None:
    """The annotation (such as good or bad move) that SGF properties of a node mean; None without one."""
    if not node.extra:
        return None
    name = next((name for name in kinds if name in node.extra), None)
    if name is None:
        return None
    strong = any(value.strip() == "2" for value in node.extra[name]) and kinds[name] not in ("doubtful", "interesting")
    return Sign(kinds[name], strong, _SIDES.get(name))


def is_annotated(record: GameRecord) -> bool:
    """Return whether somebody has commented on a position of `record` or given a sign to a move."""
    return any(node.comment or move_sign(node) or position_sign(node) for node in record.nodes())
