"""Replay a claimed win by continuous fours against every defence, by the rules in games/ alone."""

from __future__ import annotations

from collections.abc import Callable

from games.line import EMPTY, LinePosition
from tests.ai.gomoku.plain_vcf import fives

Attack = Callable[[LinePosition], int | None]
"""The attacker's next move, or None where it has none."""

Refutation = list[int]
"""Moves, the attacker's first, after which the win is not proven."""


def refutation(position: LinePosition, attack: Attack) -> Refutation | None:
    """Return a line in which `attack` does not win by fours for the side to move, or None.

    Every legal reply is tried. Raises `IllegalMove` if the attacker plays one that is not allowed.
    """
    move = attack(position)
    if move is None:
        return []
    after = position.play(move)
    if after.outcome is not None:
        return None if after.outcome.winner == position.turn else [move]
    threats = fives(after, position.turn)
    if not threats:
        return [move]  # not a four
    for reply in after.legal_moves():
        further = _after_reply(after, reply, threats, attack)
        if further is not None:
            return [move, reply, *further]
    return None


def _after_reply(after: LinePosition, reply: int, threats: set[int], attack: Attack) -> Refutation | None:
    answered = after.play(reply)
    if answered.outcome is not None:
        return []  # the defender was first
    if any(_finishes(answered, threat) for threat in threats):
        return None
    return refutation(answered, attack)


def _finishes(position: LinePosition, move: int) -> bool:
    """Whether the side to move wins with `move` at once."""
    if position.cells[move] != EMPTY:
        return False
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner == position.turn
