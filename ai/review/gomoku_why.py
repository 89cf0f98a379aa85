"""What a mistake at five in a row overlooked: what wins or was needed, and what the better move does."""

from __future__ import annotations

from dataclasses import replace

from ai.review.gomoku import reason, stands, threats
from ai.review.judgement import proves
from ai.review.view import WINNING, Reason
from ai.review.why import Mistake, Why, first_of, proven
from games.line import EMPTY, LinePosition
from games.position import Position

_FAR = 3
"""Lines from the nearest stone at which a stone is far from all of them."""

_FOURS = {"five", "open_four", "double_four", "four"}
"""What a move by fours makes."""


def why(mistake: Mistake) -> Why | None:
    """What the move overlooked; None where nothing simple is true."""
    finders = (_win_at_once, _ignores, _allows, _proven, _wastes, _yields, _overlooks, _strays)
    return first_of(find(mistake) for find in finders)


def _cells(position: Position, side: int, wanted: str) -> list[int]:
    return [cell for cell, shape in threats(position, side).items() if shape == wanted]


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


# Where nothing is proven.


def _open(mistake: Mistake) -> bool:
    """Whether the game goes on, and was searched, but decided by neither move."""
    known = (mistake.before, mistake.after)
    return mistake.reached.outcome is None and all(each is not None and each.mate is None for each in known)


def _reply(mistake: Mistake) -> int | None:
    """The best move of the other side."""
    line = mistake.after.line if mistake.after is not None else ()
    return line[0] if line and _open(mistake) and line[0] in mistake.reached.legal_moves() else None


def _wastes(mistake: Mistake) -> Why | None:
    """A four or an open three that the other side blocks, where the better move makes none."""
    played, reply = mistake.played, _reply(mistake)
    for shape in ("four", "open_three"):
        made, better = (shape in reason(mistake.position, move).makes for move in (played, mistake.best))
        if made and reply is not None:
            blocked = not stands(mistake.reached.play(reply), played, mistake.side, shape)
            return Why("wastes", reply, shape) if blocked and not better else None
    return None


def _yields(mistake: Mistake) -> Why | None:
    """The point of the better move, or an open three or two open twos which it denies the other side."""
    reply = _reply(mistake)
    if reply is None:
        return None
    gets = reason(mistake.reached, reply).notable
    if reply == mistake.best:
        return Why("yields", reply) if gets != Reason() and "four" not in gets.blocks else None
    gets = Reason(gets.makes)
    if not gets.beats(Reason(("open_two",))):
        return None
    answered = mistake.position.play(mistake.best)
    denied = answered.outcome is None and gets.beats(Reason(reason(answered, reply).notable.makes))
    return Why("yields", reply) if denied else None


def _overlooks(mistake: Mistake) -> Why | None:
    """What the better move makes and blocks, where that is more than the move did."""
    better, played = (reason(mistake.position, move).notable for move in (mistake.best, mistake.played))
    return Why("overlooks", mistake.best) if _open(mistake) and better.beats(played) else None


def _strays(mistake: Mistake) -> Why | None:
    """A move without an effect, far from all stones."""
    far, near = (_distance(mistake.position, move) for move in (mistake.played, mistake.best))
    idle = reason(mistake.position, mistake.played) == Reason()
    return Why("strays", mistake.best, count=far) if _open(mistake) and idle and far >= _FAR and near < far else None


def _distance(position: Position, cell: int) -> int:
    """Lines between `cell` and the nearest stone; 0 on an empty board."""
    assert isinstance(position, LinePosition)
    places = [divmod(each, position.rules.width) for each, stone in enumerate(position.cells) if stone != EMPTY]
    row, column = divmod(cell, position.rules.width)
    return min((max(abs(row - down), abs(column - right)) for down, right in places), default=0)
