"""A plain board of five in a row: rows are counted on it, and stones put in any order.

It shares nothing with the patterns of the engine, and so can check what is said by them. Slow, but for single claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from ai.review.report import SHAPES, Reason
from games import renju
from games.line import EMPTY, STONES, LinePosition
from games.position import FIRST, Position

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))
_REACH = 5  # cells of a line on each side of a stone that matter
FOURS = {"four", "open_four", "double_four"}
"""Shapes that are five with one more stone."""


@cache
def _shape(line: str, exact: bool) -> str | None:
    """Return what the stone in the middle of a `line` of o, x and . is part of; if `exact`, six in a row is nothing."""
    left, right = line[:_REACH][::-1], line[_REACH + 1 :]
    length = 1 + sum(len(half) - len(half.lstrip("o")) for half in (left, right))
    if length >= renju.FIVE:
        return "five" if length == renju.FIVE or not exact else None
    near = [place for place in range(_REACH - 4, _REACH + 5) if line[place] == "."]
    more = {place: _shape(f"{line[:place]}o{line[place + 1 :]}", exact) for place in near}
    ends, shapes = [place for place, shape in more.items() if shape == "five"], set(more.values())
    if len(ends) > 1:
        return "open_four" if length == 4 and ends[-1] - ends[0] == renju.FIVE else "double_four"
    if ends:
        return "four"
    if "open_four" in shapes:
        return "open_three"
    return "three" if shapes & FOURS else "open_two" if "open_three" in shapes else None


@dataclass(frozen=True, slots=True)
class PlainBoard:
    """A board of five in a row on which stones are put in any order, and rows are counted."""

    cells: bytes
    width: int
    exact: tuple[bool, bool]
    forbids: bool

    @classmethod
    def of(cls, position: Position) -> PlainBoard:
        assert isinstance(position, LinePosition)
        rules = position.rules
        return cls(position.cells, rules.width, rules.exact, rules.forbids)

    def put(self, cell: int, side: int) -> PlainBoard:
        return replace(self, cells=self.cells[:cell] + bytes((STONES[side],)) + self.cells[cell + 1 :])

    def legal(self, cell: int, side: int) -> bool:
        denied = self.forbids and side == FIRST
        height = len(self.cells) // self.width
        return self.cells[cell] == EMPTY and not (
            denied and renju.forbidden(self.cells, self.width, height, cell) is not None
        )

    def _ray(self, cell: int, down: int, right: int) -> Iterator[int]:
        row, column = divmod(cell, self.width)
        while 0 <= (row := row + down) < len(self.cells) // self.width and 0 <= (column := column + right) < self.width:
            yield row * self.width + column

    def around(self, cell: int, direction: int, reach: int) -> list[int]:
        """Return the empty cells up to `reach` lines from `cell` in a direction and back."""
        down, right = _DIRECTIONS[direction]
        rays = (self._ray(cell, down, right), self._ray(cell, -down, -right))
        return [each for ray in rays for each in islice(ray, reach) if self.cells[each] == EMPTY]

    def near(self) -> list[int]:
        """Return the empty cells."""
        return [cell for cell, stone in enumerate(self.cells) if stone == EMPTY]

    def _line(self, cell: int, direction: int, side: int) -> str:
        """Return the line around `cell`, on which `side` has a stone, as `_shape` takes it."""
        down, right = _DIRECTIONS[direction]
        names = {EMPTY: ".", STONES[side]: "o"}
        rays = (islice(self._ray(cell, sign * down, sign * right), _REACH) for sign in (-1, 1))
        back, on = ("".join(names.get(self.cells[each], "x") for each in ray).ljust(_REACH, "x") for ray in rays)
        return f"{back[::-1]}o{on}"

    def shape(self, cell: int, direction: int, side: int) -> str | None:
        """Return what the stone of `side` on `cell` is part of in a line."""
        return _shape(self._line(cell, direction, side), self.exact[side])

    def fives(self, side: int) -> set[int]:
        """Return the empty cells on which a stone of `side` wins."""
        return {cell for cell in self.near() if any(self.shape(cell, d, side) == "five" for d in range(4))}

    def shapes(self, cell: int, side: int) -> list[str]:
        """Return what a stone of `side` on the empty `cell` would make, one entry for each line at most."""
        found = (self.shape(cell, direction, side) for direction in range(4))
        return [shape for shape in found if shape is not None]

    def makes(self, cell: int, side: int) -> tuple[str, ...]:
        """Return the same, strongest first; nothing else counts beside five."""
        found = self.shapes(cell, side)
        return ("five",) if "five" in found else tuple(sorted(found, key=SHAPES.index))

    def open_fours(self, side: int) -> list[int]:
        """Return the cells on which `side` may make an open four."""
        cells = (cell for cell in self.near() if "open_four" in self.shapes(cell, side))
        return [cell for cell in cells if self.legal(cell, side)]

    def reason(self, cell: int, side: int) -> Reason:
        """Return what a stone of `side` on `cell` makes and blocks."""
        stands = {"five": "four", "open_four": "open_three", "double_four": "three", "four": "three",
                  "open_three": "open_two"}  # fmt: skip
        after, blocked = self.put(cell, side), []
        for direction in range(4):
            now, then = (board.strongest(cell, direction, 1 - side) for board in (self, after))
            if now in stands and (then is None or SHAPES.index(then) > SHAPES.index(now)):
                blocked.append(stands[now])
        return Reason(self.makes(cell, side), tuple(sorted(blocked, key=SHAPES.index)))

    def strongest(self, cell: int, direction: int, side: int) -> str | None:
        """Return the strongest shape that `side` can make in the line through `cell`, up to five lines away."""
        places = [*self.around(cell, direction, 5), *([cell] if self.cells[cell] == EMPTY else [])]
        found = (self.shape(each, direction, side) for each in places)
        return min((shape for shape in found if shape is not None), key=SHAPES.index, default=None)

    def distance(self, cell: int) -> int:
        """Return the number of lines from `cell` to the nearest stone."""
        (row, column), stones = divmod(cell, self.width), (n for n, stone in enumerate(self.cells) if stone != EMPTY)
        away = (max(abs(row - n // self.width), abs(column - n % self.width)) for n in stones)
        return min(away, default=0)
