"""Renju: the points forbidden to black, and why. White may play anywhere.

The definitions are those of the International Rules of Renju (Renju International Federation, 1996):

- five: exactly five stones in an unbroken row; overline: six or more.
- four: a row of four stones to which one more stone can be added to attain a five.
- straight four: an unbroken four to which it can be added at either end.
- three: a row of three stones to which one more can be added, without making a five, to attain a straight four.
- overline, double four and double three, two of a kind that meet in the stone played, are forbidden to black,
  but a move that makes a five wins, whatever else it makes.
- a double three is allowed unless two of the threes could become straight fours by moves that are themselves
  allowed. This recurses with one stone more each time, so it terminates.

Kept as simple as possible: it is the oracle of the compiled engine. A board is `bytes` of
`width * height` cells, 0 empty, 1 black, 2 white, as in `games.line`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

EMPTY, BLACK, WALL = 0, 1, 2  # for black, the edge of the board equals a white stone
FIVE = 5

_REACH = 5  # a five ends four cells from its stone, and one more decides whether it is an overline
_MIDDLE = _REACH
_FEWEST = 4  # black stones around a forbidden point: two threes without their common stone
_BLACK_BITS = bytes.maketrans(bytes((EMPTY, BLACK, WALL)), b"010")


@dataclass(frozen=True, slots=True)
class StonePatterns:
    """What a black stone makes in one of its four lines.

    `fours` counts the fives threatened, a straight four once. `straight` are the offsets along the line at which one
    more stone makes a straight four with both stones in it.
    """

    five: bool
    overline: bool
    fours: int
    straight: tuple[int, ...]


def forbidden(cells: bytes, width: int, height: int, cell: int) -> str | None:
    """Return why black may not play on the empty `cell`, or None: the first that applies of ``overline``,
    ``double_four``, ``double_three``."""
    if (_black_stones(cells) & _stars(width, height)[cell]).bit_count() < _FEWEST:
        return None
    verdict = _verdict(cells, width, height, cell)
    return None if verdict == "five" else verdict


def _verdict(cells: bytes, width: int, height: int, cell: int) -> str | None:
    """Return why black may not play on the empty `cell`, as `forbidden` does; ``five`` for a winning move, None for any
    other."""
    after = cells[:cell] + bytes((BLACK,)) + cells[cell + 1 :]
    lines = _lines(width, height)[cell]
    walled = after + bytes((WALL,))
    made = [_patterns_of(_contents(walled, line)) for line in lines]
    if any(one.five for one in made):
        return "five"
    if any(one.overline for one in made):
        return "overline"
    if sum(one.fours for one in made) > 1:
        return "double_four"
    threes = [[line[_MIDDLE + step] for step in one.straight] for line, one in zip(lines, made, strict=True)]
    if sum(map(bool, threes)) < 2:
        return None  # without recursion
    real = [three for three in threes if any(_verdict(after, width, height, point) is None for point in three)]
    return "double_three" if len(real) > 1 else None


def forbidden_points(cells: bytes, width: int, height: int) -> dict[int, str]:
    """Return all empty cells forbidden to black, ascending, each with its reason as in `forbidden`."""
    suspects = ((cell, forbidden(cells, width, height, cell)) for cell in possibly_forbidden(cells, width, height))
    return {cell: reason for cell, reason in suspects if reason is not None}


def possibly_forbidden(cells: bytes, width: int, height: int) -> Iterator[int]:
    """Yield the empty cells, ascending, that have enough black stones around them to be forbidden: all that are, and
    others."""
    black = _black_stones(cells)
    if black.bit_count() < _FEWEST:
        return
    for cell, star in enumerate(_stars(width, height)):
        if cells[cell] == EMPTY and (black & star).bit_count() >= _FEWEST:
            yield cell


def _black_stones(cells: bytes) -> int:
    """Return the bit set of the cells with a black stone."""
    return int(cells[::-1].translate(_BLACK_BITS), 2)


@cache
def _lines(width: int, height: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell, its four lines: the cells up to `_REACH` steps away, the cell itself in the middle, -1 off the
    board."""

    def number(row: int, column: int) -> int:
        """Return the number of a cell; -1 off the board."""
        return row * width + column if 0 <= row < height and 0 <= column < width else -1

    steps = range(-_REACH, _REACH + 1)
    return tuple(
        tuple(
            tuple(number(row + step * down, column + step * right) for step in steps)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        )
        for row in range(height)
        for column in range(width)
    )


@cache
def _stars(width: int, height: int) -> tuple[int, ...]:
    """For each cell, the bit set of the cells of its four lines."""
    points = (set().union(*lines) - {-1} for lines in _lines(width, height))
    return tuple(sum(1 << point for point in star) for star in points)


def _contents(cells: bytes, line: tuple[int, ...]) -> bytes:
    """Return the contents of the cells of `line`, an entry of `_lines`. `cells` must end with one more cell, a wall,
    which -1 addresses."""
    return bytes(map(cells.__getitem__, line))


@lru_cache(maxsize=1 << 12)
def _patterns_of(line: bytes) -> StonePatterns:
    """Return what the stone in the middle of `line` makes."""
    row = _row(line, _MIDDLE)
    straight = tuple(at - _MIDDLE for at in range(len(line)) if _straight_four_by(line, at))
    return StonePatterns(len(row) == FIVE, len(row) > FIVE, _fours(line), straight)


def _row(line: bytes, at: int) -> range:
    """Return the indices in `line` of the unbroken row of black stones through the one at index `at`."""
    start, end = at, at + 1
    while start > 0 and line[start - 1] == BLACK:
        start -= 1
    while end < len(line) and line[end] == BLACK:
        end += 1
    return range(start, end)


def _with_stone(line: bytes, at: int) -> bytes:
    """Return `line` with a black stone at index `at`."""
    return line[:at] + bytes((BLACK,)) + line[at + 1 :]


def _completions(line: bytes) -> list[int]:
    """Return the indices in `line` at which one more stone makes a five with the stone in the middle."""
    empty = [at for at, content in enumerate(line) if content == EMPTY]
    return [at for at in empty if len(_row(_with_stone(line, at), _MIDDLE)) == FIVE]


def _fours(line: bytes) -> int:
    """Return the number of fours through the middle: one for each completion (X_XXX_X, XX_XX_XX, XXX_X_XXX), but one
    for a straight four, whose two completions share their stones."""
    return 1 if _straight_four(line) else len(_completions(line))


def _straight_four(line: bytes) -> bool:
    """Return whether the middle is in an unbroken four that becomes a five at either end."""
    row = _row(line, _MIDDLE)
    return len(row) == 4 and _completions(line) == [row.start - 1, row.stop]


def _straight_four_by(line: bytes, at: int) -> bool:
    """Return whether one more stone, at index `at`, makes a straight four with both it and the middle; False if that is
    not empty."""
    if line[at] != EMPTY:
        return False
    after = _with_stone(line, at)
    return at in _row(after, _MIDDLE) and _straight_four(after)
