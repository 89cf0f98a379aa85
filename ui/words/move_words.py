"""Names of moves, and their signs: ``!!``, ``?!``, and the words for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from ai.review.insights import insight
from ai.search.proving import purpose_of
from games.formats.terms import Sign, move_sign, position_sign
from games.position import PASS, Position, played
from games.record import Node
from games.registry import GAMES
from ui.toolkit.i18n import first_text, t
from ui.words.games import short_side, side_name

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
    """A sign of an annotator in words, such as “good for black”."""
    side = "" if sign.side is None else side_name(node.position.game, sign.side)
    return t(f"sign.{sign.kind}{'.strong' * sign.strong}", side=side)


# Names of moves, why a move is illegal, and what it makes and blocks.


def move_name(position: Position, move: int) -> str:
    """How `move` is written in a list."""
    return t("move.pass") if move == PASS else position.move_text(move)


def move_sentence(node: Node) -> str:
    """Who has made the move to `node`, and which: ``Black: h8``; empty at the start."""
    if node.parent is None or node.move is None:
        return ""
    before = node.parent.position
    return t("reader.move", side=side_name(before.game, before.turn), move=move_name(before, node.move))


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


@lru_cache(maxsize=64)  # a hint is asked for its sentence in each frame
def purpose_sentence(position: Position, move: int) -> str:
    """``d blocks a row of four that Yellow threatens``: what `move` does about wins at once in a game whose positions
    have no reasons; empty for nothing, and in a game without a board."""
    if GAMES[position.game].board is None or insight(position.game).reason is not None:
        return ""
    kind = purpose_of(position, move)
    sides = {"side": side_name(position.game, position.turn), "other": side_name(position.game, 1 - position.turn)}
    return t(f"purpose.{kind}", move=move_name(position, move), **sides) if kind else ""


def node_reason(node: Node) -> str:
    """Why the move that led to `node` was played, as `move_reason` says it; empty for the root."""
    return "" if node.parent is None or node.move is None else move_reason(node.parent.position, node.move)


def _listed(shapes: tuple[str, ...]) -> str:
    """``two fours and an open three``."""
    names = [t(f"reason.{shape}", count=shapes.count(shape)) for shape in dict.fromkeys(shapes)]
    first, last = names[:-1], names[-1:]
    return t("reason.and").join(([t("reason.comma").join(first)] if first else []) + last)
