"""The rules of k-in-a-row: the lines of the board, winning rows, and the evaluation of a single line.

``freestyle``: a row of the length or more wins. ``standard``: only a row of exactly the length. ``renju``:
the first side needs exactly five and has forbidden points, see `games.renju`; the second wins with five or more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from games.position import FIRST, SECOND
from games.renju import FIVE

EMPTY, STONES = 0, (1, 2)
"""The content of a cell: 0, or `STONES[side]`."""

RULES = ("freestyle", "standard", "renju")

COMPLETES = 1_000_000
"""Gain of a move that completes a row; more than all other gains together."""

_REACH = 2  # distance from a stone that counts as near


@dataclass(frozen=True)
class LineRules:
    """A board of `width` × `height` cells on which `length` in a row win, by one of `RULES`.

    Create one with `line_rules`.
    """

    width: int
    height: int
    length: int
    rule: str

    def __reduce__(self) -> tuple[Callable[..., LineRules], tuple[int, int, int, str]]:
        """Pickle without the tables, which every process builds once."""
        return line_rules, (self.width, self.height, self.length, self.rule)

    @cached_property
    def cells(self) -> int:
        return self.width * self.height

    @cached_property
    def exact(self) -> tuple[bool, bool]:
        """Whether an overline (more than `length`) does not win, for each side."""
        return self.rule in ("standard", "renju"), self.rule == "standard"

    @cached_property
    def forbids(self) -> bool:
        """Whether there are points forbidden to the first side."""
        return self.rule == "renju"

    @cached_property
    def study(self) -> Callable[[bytes], Study]:
        """Evaluate one line by these rules."""
        return _studies(self.length, self.exact)

    @cached_property
    def places(self) -> tuple[tuple[tuple[slice, int], ...], ...]:
        """For each cell, the lines through it with room for a row, and the cell's index in each: (slice, index)."""
        return tuple(tuple(self._through(cell)) for cell in range(self.cells))

    def _through(self, cell: int) -> Iterator[tuple[slice, int]]:
        row, column = divmod(cell, self.width)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            before = min(_room(row, -down, self.height), _room(column, -right, self.width))
            after = min(_room(row, down, self.height), _room(column, right, self.width))
            if before + after + 1 < self.length:
                continue
            step = down * self.width + right
            start = cell - before * step
            yield slice(start, cell + after * step + 1, step), before

    @cached_property
    def all_lines(self) -> tuple[slice, ...]:
        """The slices of all lines with room for a row."""
        lines = (line for through in self.places for line, _ in through)
        return tuple({(line.start, line.stop, line.step): line for line in lines}.values())

    @cached_property
    def near(self) -> tuple[int, ...]:
        """For each cell, the bit set of the cells within `_REACH` of it."""
        return tuple(sum(1 << other for other in self._around(cell)) for cell in range(self.cells))

    def _around(self, cell: int) -> Iterator[int]:
        row, column = divmod(cell, self.width)
        for r in range(max(0, row - _REACH), min(self.height, row + _REACH + 1)):
            for c in range(max(0, column - _REACH), min(self.width, column + _REACH + 1)):
                yield r * self.width + c


def _room(at: int, step: int, size: int) -> int:
    """Return how many steps lead from `at` to the edge of 0 … size - 1; unlimited for step 0."""
    return size if step == 0 else at if step < 0 else size - 1 - at


@cache
def line_rules(width: int, height: int, length: int, rule: str) -> LineRules:
    """Return the shared `LineRules` of these dimensions, so that its tables are built once.

    Raise `ValueError` for an unknown rule, or one that does not fit the length.
    """
    if rule not in RULES or (rule == "renju" and length != FIVE):
        raise ValueError(f"There is no rule “{rule}” for {length} in a row.")
    return LineRules(width, height, length, rule)


@dataclass(frozen=True, slots=True)
class Study:
    """The evaluation of one line: `score` for the first side minus the second, and `gains[side][i]`, the gain of a
    stone of `side` on cell i of the line."""

    score: int
    gains: tuple[tuple[int, ...], tuple[int, ...]]


def points(stones: int, length: int) -> int:
    """Return the worth of `length` cells that hold `stones` of one side and none of the other."""
    return 0 if stones == 0 else int(6 ** (stones - 1) * (5 if stones == length - 1 else 1))


@cache
def _studies(length: int, exact: tuple[bool, bool]) -> Callable[[bytes], Study]:
    """Return a memoised evaluation of lines. One for each rule: looking up a line alone is faster than a line with its
    rule."""

    @lru_cache(maxsize=1 << 12)
    def study(line: bytes) -> Study:
        return _study(line, length, exact)

    return study


def _study(line: bytes, length: int, exact: tuple[bool, bool]) -> Study:
    """Evaluate a line with a sliding window of `length` cells, which counts if only one side has stones in it."""
    score = 0
    gains = ([0] * len(line), [0] * len(line))
    for start in range(len(line) - length + 1):
        end = start + length
        window, beside = line[start:end], line[max(0, start - 1) : start] + line[end : end + 1]
        counts = [window.count(stone) for stone in STONES]
        for side, sign in ((FIRST, 1), (SECOND, -1)):
            if counts[1 - side] or (exact[side] and STONES[side] in beside):  # filled, it would be an overline
                continue
            own = counts[side]
            score += sign * points(own, length)
            gain = COMPLETES if own == length - 1 else points(own + 1, length)
            for i in range(start, end):
                gains[side][i] += gain
    return Study(score, (tuple(gains[0]), tuple(gains[1])))
