"""Why a move was a mistake at five in a row: what it overlooked, in terms of shapes."""

from __future__ import annotations

from dataclasses import replace

from ai.review.gomoku import reason, threats
from ai.review.judgement import proves
from ai.review.view import WINNING
from ai.review.why import Mistake, Why, first_of, proven
from games.position import Position

_FOURS = {"five", "open_four", "double_four", "four"}
"""What a move by fours makes."""


def why(mistake: Mistake) -> Why | None:
    """What the move overlooked; None where nothing simple is true."""
    return first_of(find(mistake) for find in (_win_at_once, _ignores, _allows, _proven))


def _cells(position: Position, side: int, *shapes: str) -> list[int]:
    return [cell for cell, shape in threats(position, side).items() if shape in shapes]


def _win_at_once(mistake: Mistake) -> Why | None:
    fives = _cells(mistake.position, mistake.side, "five")
    return Why("win_at_once", fives[0]) if fives and mistake.played not in fives else None


def _ignores(mistake: Mistake) -> Why | None:
    """A four, or an open three, that was on the board and still is."""
    before, after, other = mistake.position, mistake.reached, 1 - mistake.side
    if after.outcome is not None:
        return None
    fives = _cells(before, other, "five")
    if fives:
        return Why("ignores", fives[0], "four") if len(fives) == 1 and mistake.played != fives[0] else None
    if _makes_four(before, mistake.played) or not _open_fours(before, other) or not _open_fours(after, other):
        return None
    answered = before.play(mistake.best)
    if answered.outcome is None and not _makes_four(before, mistake.best) and _open_fours(answered, other):
        return None  # the better move does not answer it either
    return Why("ignores", mistake.best, "open_three")


def _open_fours(position: Position, side: int) -> list[int]:
    return _cells(position, side, "open_four")


def _makes_four(position: Position, move: int) -> bool:
    return not _FOURS.isdisjoint(reason(position, move).makes)


def _allows(mistake: Mistake) -> Why | None:
    """A move of the other side that makes something that wins, and that a proof begins with."""
    after, known = mistake.reached, mistake.after
    if after.outcome is not None or known is None or not known.line or not proves(known, 1 - mistake.side):
        return None
    if mistake.before is not None and proves(mistake.before, 1 - mistake.side):
        return None  # it was lost
    shape = threats(after, 1 - mistake.side).get(known.line[0], "")
    return Why("allows", known.line[0], shape) if shape in WINNING and shape != "five" else None


def _proven(mistake: Mistake) -> Why | None:
    found = proven(mistake)
    if found is None or not found.line:
        return found
    start = mistake.position if found.kind == "misses" else mistake.reached
    return replace(found, fours=_by_fours(start, found.line))


def _by_fours(position: Position, line: tuple[int, ...]) -> bool:
    """Whether the side to move makes a four, and at last five, with each of its moves in a line that ends the game."""
    side = position.turn
    for move in line:
        if position.outcome is not None or move not in position.legal_moves():
            return False
        if position.turn == side and not _makes_four(position, move):
            return False
        position = position.play(move)
    return position.outcome is not None
