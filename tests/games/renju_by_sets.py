"""A second implementation of renju's forbidden points, by sets of stones, to test `games.renju` against.

Shares no idea with it: a four is a set of four stones, a three a set of three, found among all windows on the
whole board, and nothing is remembered. Slow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

Point = tuple[int, int]
Stones = frozenset[Point]

WAYS = ((0, 1), (1, 0), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Board:
    width: int
    height: int
    black: Stones
    white: Stones

    @classmethod
    def of(cls, cells: bytes, width: int, height: int) -> Board:
        black, white = (
            frozenset(divmod(cell, width) for cell, content in enumerate(cells) if content == stone) for stone in (1, 2)
        )
        return cls(width, height, black, white)

    def empty(self, point: Point) -> bool:
        inside = 0 <= point[0] < self.height and 0 <= point[1] < self.width
        return inside and point not in self.black and point not in self.white

    def play(self, point: Point) -> Board:
        return Board(self.width, self.height, self.black | {point}, self.white)


def windows(point: Point, length: int) -> Iterator[tuple[list[Point], Stones]]:
    """Every `length` points in a row with `point` among them, on the board or not, and the two beyond."""
    for down, right in WAYS:
        for start in range(-length + 1, 1):
            row = [(point[0] + i * down, point[1] + i * right) for i in range(start - 1, start + length + 1)]
            yield row[1:-1], frozenset((row[0], row[-1]))


def makes_five(board: Board, point: Point) -> bool:
    return any(board.black.issuperset(row) and not board.black & beyond for row, beyond in windows(point, 5))


def makes_overline(board: Board, point: Point) -> bool:
    return any(board.black.issuperset(row) for row, _ in windows(point, 6))


def fours(board: Board, point: Point) -> Counter[Stones]:
    """The sets of four stones with `point` that one more stone makes a five, and in how many ways."""
    found: Counter[Stones] = Counter()
    for row, beyond in windows(point, 5):
        missing = [other for other in row if other not in board.black]
        if len(missing) == 1 and board.empty(missing[0]) and not board.black & beyond:
            found[frozenset(row) - {missing[0]}] += 1
    return found


def threes(board: Board, point: Point) -> set[Stones]:
    """The sets of three stones with `point` that an allowed stone, no five, makes a straight four."""
    found: set[Stones] = set()
    for row, _ in windows(point, 4):
        missing = [other for other in row if other not in board.black]
        if len(missing) == 1 and board.empty(missing[0]):
            after = board.play(missing[0])
            straight = fours(after, point)[frozenset(row)] == 2
            if straight and not makes_five(after, missing[0]) and verdict(board, missing[0]) is None:
                found.add(frozenset(row) - {missing[0]})
    return found


def verdict(board: Board, point: Point) -> str | None:
    after = board.play(point)
    if makes_five(after, point):
        return None
    if makes_overline(after, point):
        return "overline"
    if len(fours(after, point)) > 1:
        return "double_four"
    return "double_three" if len(threes(after, point)) > 1 else None
