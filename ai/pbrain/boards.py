"""Points and boards in Gomocup notation: `x,y` from 0 at the top left, `x,y,field` in a BOARD."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from games.line import LinePosition
from games.position import IllegalMove
from games.registry import GAMES, setup

Stone = tuple[int, int]
"""A cell (y * size + x) and its field: 1 own, 2 the opponent's, 3 neither."""

OWN, OTHER = 1, 2

_POINT = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})", re.ASCII)
_STONE = re.compile(r"(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*([123])", re.ASCII)
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)


class Refused(Exception):
    """A command is rejected; `str(error)` is the text after ERROR."""


class Forbidden(Refused):
    """The rules forbid `move`."""

    def __init__(self, text: str, move: int) -> None:
        super().__init__(text)
        self.move = move


def whole(text: str, low: int, high: int) -> int:
    """Parse an integer from `low` to `high`. Raise `Refused`."""
    if _WHOLE.fullmatch(text) is None or not low <= int(text) <= high:
        raise Refused(f"a number from {low} to {high} is needed")
    return int(text)


def start(text: str) -> int:
    """Parse a supported board size. Raise `Refused`."""
    sizes = GAMES["gomoku"].sizes
    if _WHOLE.fullmatch(text) is None or int(text) not in sizes:
        raise Refused(f"boards of {sizes[0]} to {sizes[-1]} points a side are supported")
    return int(text)


def point(text: str, size: int, loose: bool = False) -> int:
    """Parse a point into a cell, ignoring a field after it if `loose`. Raise `Refused`."""
    match = _POINT.fullmatch(text) or (_STONE.fullmatch(text) if loose else None)
    if match is None:
        raise Refused("a point such as 7,7 is needed")
    return _cell(int(match[1]), int(match[2]), size)


def stone(text: str, size: int) -> Stone:
    """Parse a line of a BOARD. Raise `Refused`."""
    match = _STONE.fullmatch(text)
    if match is None:
        raise Refused("a stone such as 7,7,1 is needed")
    return _cell(int(match[1]), int(match[2]), size), int(match[3])


def _cell(x: int, y: int, size: int) -> int:
    """The cell of a point, counted from 0. Raise `Refused` outside the board."""
    if x >= size or y >= size:
        raise Refused(f"{x},{y} is not on the board")
    return y * size + x


def points(stones: Sequence[Stone], ours: bool) -> tuple[int, ...]:
    """Return `stones` as moves in an order in which they can have been played.

    With equal numbers of stones we have black. With `ours` it is our move; otherwise it may be the opponent's. A list
    with alternating colours, as in renju, keeps its order. Raise `Refused` if the numbers fit no game.
    """
    if len({cell for cell, _ in stones}) < len(stones):
        raise Refused("two stones lie on one point")
    own, other = ([cell for cell, field in stones if field == which] for which in (OWN, OTHER))
    if len(other) - len(own) not in ((0, 1) if ours else (-1, 0, 1)):
        raise Refused("the numbers of stones do not fit: it is not our move")
    first, second = (own, other) if len(own) >= len(other) else (other, own)
    return alternating(first, second)


def alternating(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """Return the moves of both sides in turn."""
    return tuple(move for pair in zip_longest(first, second) for move in pair if move is not None)


def in_any_order(size: int, rule: str, moves: Sequence[int]) -> tuple[int, ...]:
    """Return `moves`, reordered within each side if necessary, so that none is forbidden when it is played.

    A list of stones need not be in order of play, and in renju not every order is legal. A point that is forbidden
    must have been played before the stones around it. Raise `Refused` if no order is found.
    """
    tried = tuple(moves)
    for _ in moves:
        try:
            in_order(size, rule, tried)
            return tried
        except Forbidden as error:
            sides = [tried[0::2], tried[1::2]]
            side = tried.index(error.move) % 2
            sides[side] = (error.move, *(move for move in sides[side] if move != error.move))
            tried = alternating(*sides)
    in_order(size, rule, moves)  # raises Refused
    return tuple(moves)


def in_order(size: int, rule: str, moves: Sequence[int]) -> LinePosition:
    """Return the position after `moves`. Raise `Refused` with the reason, `Forbidden` for a forbidden point."""
    position = setup("gomoku", size, rule).start()
    assert isinstance(position, LinePosition)
    for move in moves:
        try:
            position = position.play(move)
        except IllegalMove as error:
            text = f"{move % size},{move // size} cannot be played: {error}"
            if error.reason in ("occupied", "outside", "over"):
                raise Refused(text) from error
            raise Forbidden(text, move) from error
    return position
