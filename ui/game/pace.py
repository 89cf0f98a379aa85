"""How long a level seems to think: nobody likes to play against someone who always answers at once.

A pause is short in the opening and where there is little choice, longer where much hangs on the move, and never
twice the same. Strong levels think by themselves, and pause less.
"""

from __future__ import annotations

from ai.levels.levels import EVEN, is_level, number_of
from ai.levels.shallow_search import chance
from games.position import Position
from ui.board.registry import look

_SHORT = 0.35  # seconds
_LONGEST = 1.6  # seconds, of level 1
_EACH = 0.12  # seconds less for each level above it
_TENSE = 400  # of an evaluation at which much hangs on the move


def pause(player: str, position: Position) -> float:
    """Seconds that the answer of `player` to `position` is held back at least; 0 for all but levels."""
    if not is_level(player):
        return 0.0
    number = 3.0 if player == EVEN else number_of(player)
    longest = max(_SHORT, _LONGEST - _EACH * (number - 1))
    if not look(position.game).opening:
        longest *= 0.6
    return _SHORT + (longest - _SHORT) * _weight(position) * (0.4 + 0.6 * chance(0, "pause", position))


def _weight(position: Position) -> float:
    """How much there is to think about, 0 to 1."""
    if position.ply < look(position.game).opening:
        return 0.3
    if len(position.candidates()) <= 2:  # a four to block, or a five to make
        return 0.15
    return 1.0 if abs(position.evaluate()) > _TENSE else 0.6
