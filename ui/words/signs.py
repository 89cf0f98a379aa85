"""How the signs of a file's annotator are written: ``!!``, ``?!``, and the words for them."""

from __future__ import annotations

from games.record import Node
from games.signs import Sign, move_sign, position_sign
from ui.toolkit.i18n import t
from ui.words.games import side_name

_WRITTEN = {
    "good": ("!", "!!"), "bad": ("?", "??"), "doubtful": ("?!", "?!"), "interesting": ("!?", "!?"),
    "better": ("+", "++"), "even": ("=", "="), "unclear": ("∞", "∞"),
}  # fmt: skip


def written(sign: Sign | None) -> str:
    """Return ``!!``; of a side that is better, ``+``, which stands beside its stone. Empty for None."""
    return "" if sign is None else _WRITTEN[sign.kind][sign.strong]


def signs_text(node: Node) -> str:
    """Return ``?? Very bad move · White is better``; empty where the annotator says nothing."""
    move, position = move_sign(node), position_sign(node)
    said = [f"{written(move)} {_name(move, node)}"] if move else []
    return " · ".join([*said, *([_name(position, node)] if position else [])])


def _name(sign: Sign, node: Node) -> str:
    side = "" if sign.side is None else side_name(node.position.game, sign.side)
    return t(f"sign.{sign.kind}{'.strong' * sign.strong}", side=side)
