"""Points and boards in Gomocup notation: `x,y` from 0 at the top left, `x,y,field` in a BOARD. A cell is y * size +
x."""

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
    """A command cannot be carried out; `str(error)` is the text after ERROR."""


class OutOfOrder(Refused):
    """Stones cannot have been played in this order: `move`, which is forbidden or has ended the game, must come
    earlier, or `later`, than others of its side."""

    def __init__(self, text: str, move: int, later: bool) -> None:
        super().__init__(text)
        self.move, self.later = move, later


def parse_whole(text: str, low: int, high: int) -> int:
    """Parse an integer from `low` to `high`. Raise `Refused` for anything else."""
    if _WHOLE.fullmatch(text) is None or not low <= int(text) <= high:
        raise Refused(f"a number from {low} to {high} is needed")
    return int(text)


def parse_size(text: str) -> int:
    """Parse a board size that gomoku supports. Raise `Refused`."""
    sizes = GAMES["gomoku"].sizes
    if _WHOLE.fullmatch(text) is None or int(text) not in sizes:
        raise Refused(f"boards of {sizes[0]} to {sizes[-1]} points a side are supported")
    return int(text)


def parse_point(text: str, size: int, loose: bool = False) -> int:
    """Parse ``x,y`` into a cell; with `loose` also ``x,y,field``, whose field is ignored. Raise `Refused`."""
    match = _POINT.fullmatch(text) or (_STONE.fullmatch(text) if loose else None)
    if match is None:
        raise Refused("a point such as 7,7 is needed")
    return _cell(int(match[1]), int(match[2]), size)


def parse_stone(text: str, size: int) -> Stone:
    """Parse a line ``x,y,field`` of a BOARD. Raise `Refused`."""
    match = _STONE.fullmatch(text)
    if match is None:
        raise Refused("a stone such as 7,7,1 is needed")
    return _cell(int(match[1]), int(match[2]), size), int(match[3])


def _cell(x: int, y: int, size: int) -> int:
    """Return the cell of a point. Raise `Refused` for one outside the board."""
    if x >= size or y >= size:
        raise Refused(f"{x},{y} is not on the board")
    return y * size + x


def moves_of_stones(stones: Sequence[Stone], ours: bool) -> tuple[int, ...]:
    """Return `stones`, all own or of the opponent, as moves with alternating colours; each side keeps its order.

    The side with more stones has begun; with equal numbers it is ours. With `ours` it must be our move, otherwise
    either side may be to move. Raise `Refused` if two stones lie on one point or the numbers fit no game.
    """
    if len({cell for cell, _ in stones}) < len(stones):
        raise Refused("two stones lie on one point")
    own, other = ([cell for cell, field in stones if field == which] for which in (OWN, OTHER))
    if len(other) - len(own) not in ((0, 1) if ours else (-1, 0, 1)):
        raise Refused("the numbers of stones do not fit: it is not our move")
    first, second = (own, other) if len(own) >= len(other) else (other, own)
    return alternating(first, second)


def alternating(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """Return the moves of both sides in turn, beginning with `first`."""
    return tuple(move for pair in zip_longest(first, second) for move in pair if move is not None)


def in_any_order(size: int, rule: str, moves: Sequence[int]) -> tuple[int, ...]:
    """Return `moves` in an order in which none is forbidden and none ends the game before the last; reorder only within
    a side, and only if necessary.

    A list of stones that are not in order of play may seem illegal. In renju, a point that is forbidden now must have
    been played before the stones around it. Where exactly five win, one of five stones in a row must have been played
    after those that make the row longer. Raise `Refused` if no order is found.
    """
    tried = tuple(moves)
    for _ in range(2 * len(tried)):
        try:
            position = in_order(size, rule, tried)
        except OutOfOrder as error:
            sides = [tried[0::2], tried[1::2]]
            side = tried.index(error.move) % 2
            rest = tuple(move for move in sides[side] if move != error.move)
            sides[side] = (*rest, error.move) if error.later else (error.move, *rest)
            tried = alternating(*sides)
            continue
        if position.outcome is not None and tried != tuple(moves):
            break  # these stones do win, and yet others have followed
        return tried
    in_order(size, rule, moves)  # raises Refused
    return tuple(moves)


def in_order(size: int, rule: str, moves: Sequence[int]) -> LinePosition:
    """Return the position after `moves` in order. Raise `Refused` for an illegal move, `OutOfOrder` for a forbidden
    point or a move that has ended the game too early."""
    position = setup("gomoku", size, rule).start()
    assert isinstance(position, LinePosition)
    for number, move in enumerate(moves):
        try:
            position = position.play(move)
        except IllegalMove as error:
            text = f"{move % size},{move // size} cannot be played: {error}"
            if error.reason in ("occupied", "outside"):
                raise Refused(text) from error
            over = error.reason == "over"
            raise OutOfOrder(text, moves[number - 1] if over else move, later=over) from error
    return position
