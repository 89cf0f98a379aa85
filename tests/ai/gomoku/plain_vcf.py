"""Exhaustive VCF solver in plain Python: slow, independent of the kernels, and their test oracle.

A four is a move after which the same side could make a five. The defender must play there or lose, so only the
attacker has choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from games.line import EMPTY, STONES, LinePosition, LineRules
from games.position import IllegalMove


class Unknown(Exception):
    """The search has exceeded its bound."""


class Window(NamedTuple):
    """Five cells in a row, and the cells before and after them on the board."""

    line: slice
    cells: range
    beside: tuple[int, ...]


@cache
def windows(rules: LineRules) -> tuple[Window, ...]:
    """Return all windows of the board."""
    lines = sorted({(line.start, line.stop, line.step) for places in rules.places for line, _ in places})
    return tuple(window for line in lines for window in _along(range(rules.cells)[slice(*line)]))


def _along(line: range) -> Iterator[Window]:
    for start in range(len(line) - 4):
        cells = line[start : start + 5]
        beside = (*line[max(0, start - 1) : start], *line[start + 5 : start + 6])
        yield Window(slice(cells.start, cells.stop, cells.step), cells, beside)


@cache
def _windows_through(rules: LineRules) -> tuple[tuple[Window, ...], ...]:
    """Return, for each cell, the windows that contain it."""
    return tuple(tuple(w for w in windows(rules) if cell in w.cells) for cell in range(rules.cells))


def _lacking(position: LinePosition, side: int, count: int, among: tuple[Window, ...]) -> set[int]:
    """Return the empty cells of windows in which `side` lacks `count` stones of a winning five."""
    cells, exact, stone = position.cells, position.rules.exact[side], STONES[side]
    found: set[int] = set()
    for window in among:
        content = cells[window.line]
        if content.count(stone) != 5 - count or content.count(EMPTY) != count:
            continue
        if not (exact and any(cells[cell] == stone for cell in window.beside)):
            found.update(cell for cell in window.cells if cells[cell] == EMPTY)
    return found


def fives(position: LinePosition, side: int) -> set[int]:
    """Return the empty cells on which `side` would make a winning five."""
    return _lacking(position, side, 1, windows(position.rules))


def fours(position: LinePosition) -> dict[int, LinePosition]:
    """The legal moves that make a four, each with the position after it."""
    side, through = position.turn, _windows_through(position.rules)
    found = {}
    for cell in sorted(_lacking(position, side, 2, windows(position.rules))):
        after = _played(position, cell)
        if after is not None and _lacking(after, side, 1, through[cell]):
            found[cell] = after
    return found


def _played(position: LinePosition, move: int) -> LinePosition | None:
    """Return the position after `move`, or None if it is illegal."""
    try:
        return position.play(move)
    except IllegalMove:
        return None


class Solver:
    """Search all wins by fours, memoising positions; `visited` counts them."""

    def __init__(self, most: int = 1_000_000) -> None:
        self.most = most
        self.visited = 0
        self._known: dict[bytes, bool] = {}

    def wins(self, position: LinePosition) -> bool:
        """Return whether the side to move wins by fours alone. Raise `Unknown` after `most` positions."""
        known = self._known.get(position.cells)
        if known is None:
            known = self._known[position.cells] = self._search(position)
        return known

    def _search(self, position: LinePosition) -> bool:
        self.visited += 1
        if self.visited > self.most:
            raise Unknown
        if fives(position, position.turn):
            return True
        danger = fives(position, 1 - position.turn)
        tries = (after for cell, after in fours(position).items() if danger <= {cell})
        return any(self._succeeds(after) for after in tries)

    def _succeeds(self, after: LinePosition) -> bool:
        """Return whether the four just played leads to a win; the other side has no five."""
        if after.outcome is not None:
            return False
        threats = fives(after, 1 - after.turn)
        if len(threats) > 1:
            return True
        answered = _played(after, *threats)
        if answered is None:
            return True  # the only reply is forbidden
        return answered.outcome is None and self.wins(answered)
