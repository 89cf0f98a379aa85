"""Words on moves: their names, an annotator's signs such as ``!!`` and ``?!``, why a move is illegal, and what it makes
and blocks."""

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


def sign_text(sign: Sign | None) -> str:
    """The sign as it is written, such as ``!!``; that a side is better is ``+`` without saying which. Empty for None.
    """
    return "" if sign is None else _WRITTEN[sign.kind][sign.strong]


def signs_text(node: Node) -> str:
    """An annotator's signs at a node in words: ``?? Very bad move · White is better``; empty without any."""
    move, position = move_sign(node), position_sign(node)
    said = [f"{sign_text(move)} {_sign_name(move, node)}"] if move else []
    return " · ".join([*said, *([_sign_name(position, node)] if position else [])])


def _sign_name(sign: Sign, node: Node) -> str:
    """The name of an annotator's sign, such as “good for black”."""
    side = "" if sign.side is None else side_name(node.position.game, sign.side)
    return t(f"sign.{sign.kind}{'.strong' * sign.strong}", side=side)


# Names of moves, why a move is illegal, and what it makes and blocks.


def move_name(position: Position, move: int) -> str:
    """The name of `move` as the window writes it."""
    return t("move.pass") if move == PASS else position.move_text(move)


def move_sentence(node: Node) -> str:
    """The side and the move that led to `node`: ``Black: h8``; empty for the root."""
    if node.parent is None or node.move is None:
        return ""
    before = node.parent.position
    return t("reader.move", side=side_name(before.game, before.turn), move=move_name(before, node.move))


def illegal_sentence(reason: str) -> str:
    """The sentence that says why a move is illegal, by the `reason` of an `IllegalMove`."""
    return first_text(f"illegal.{reason}", "illegal.unreadable")


def line_names(position: Position, moves: Sequence[int]) -> list[str]:
    """The names of `moves`, played in turn from `position`. If the sides do not alternate, the first move of each turn
    has its side: ``First: 3``, ``6``, ``Second: 2``."""
    steps = list(played(position, moves))
    names, sides = [move_name(*step) for step in steps], [before.turn for before, _ in steps]
    if all(one != other for one, other in pairwise(sides)):
        return names
    turns = (side if side != before else None for before, side in pairwise([None, *sides]))
    return [name if side is None else f"{short_side(position.game, side)}: {name}"
            for name, side in zip(names, turns, strict=True)]  # fmt: skip


# Reasons, for games whose positions have some.


def move_reason(position: Position, move: int) -> str:
    """What `move` makes and blocks: ``h8 makes a four and blocks an open three``; empty if there is nothing to say, or
    the game has no such reasons."""
    reason = insight(position.game).reason
    if reason is None:
        return ""
    found = reason(position, move).notable
    made, blocked = _shapes_text(found.makes), _shapes_text(found.blocks)
    words = {"move": move_name(position, move), "made": made, "blocked": blocked}
    if "five" in found.makes or (found.makes and not found.blocks):
        return t("reason.makes", **words)
    if found.makes:
        return t("reason.makes_and_blocks", **words)
    return t("reason.blocks", **words) if found.blocks else ""


@lru_cache(maxsize=64)  # a hint is asked for its sentence in each frame
def purpose_sentence(position: Position, move: int) -> str:
    """``d blocks a row of four that Yellow threatens``: which immediate win `move` makes or prevents. Empty if none, in
    a game with reasons of its own (`move_reason`), and in one without a board."""
    if GAMES[position.game].board is None or insight(position.game).reason is not None:
        return ""
    kind = purpose_of(position, move)
    sides = {"side": side_name(position.game, position.turn), "other": side_name(position.game, 1 - position.turn)}
    return t(f"purpose.{kind}", move=move_name(position, move), **sides) if kind else ""


def node_reason(node: Node) -> str:
    """What the move that led to `node` made and blocked, as `move_reason` says it; empty for the root."""
    return "" if node.parent is None or node.move is None else move_reason(node.parent.position, node.move)


def _shapes_text(shapes: tuple[str, ...]) -> str:
    """The names of shapes as a list in words: ``two fours and an open three``."""
    names = [t(f"reason.{shape}", count=shapes.count(shape)) for shape in dict.fromkeys(shapes)]
    first, last = names[:-1], names[-1:]
    return t("reason.and").join(([t("reason.comma").join(first)] if first else []) + last)
