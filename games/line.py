"""k-in-a-row on a rectangular board: tic-tac-toe (3, 3, 3) and gomoku, five or more wins (freestyle).

A position remembers its score, a sum over the board's lines, so that a move costs only the four lines
through it. What can be said of one line by itself is worked out once and cached (`_study`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from games.coords import cell_text, parse_cell
from games.position import FIRST, SECOND, IllegalMove, Outcome

EMPTY, STONES = 0, (1, 2)
"""The content of a cell: 0, or `STONES[side]`."""

_REACH = 2  # candidate moves lie within so many cells of a stone
_BREADTH = 20  # and no more than so many are searched
_TEMPO = 5  # worth of the move at hand, in the unit of `_POINTS`
_COMPLETES = 1_000_000  # gain of a move that finishes a row; more than all other gains together


@dataclass(frozen=True)
class LineRules:
    """A board of `width` × `height` cells on which `length` or more in a row win."""

    width: int
    height: int
    length: int

    @property
    def cells(self) -> int:
        return self.width * self.height

    @cached_property
    def lines(self) -> tuple[tuple[slice, ...], ...]:
        """For each cell the slices of the cells through it, one a direction, with room for a row."""
        return tuple(tuple(line for line, _ in through) for through in self.places)

    @cached_property
    def places(self) -> tuple[tuple[tuple[slice, int], ...], ...]:
        """For each cell the lines through it and the cell's index in each: (slice, index)."""
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
    def near(self) -> tuple[int, ...]:
        """For each cell the bit set of the cells within `_REACH` of it."""
        return tuple(sum(1 << other for other in self._around(cell)) for cell in range(self.cells))

    def _around(self, cell: int) -> Iterator[int]:
        row, column = divmod(cell, self.width)
        for r in range(max(0, row - _REACH), min(self.height, row + _REACH + 1)):
            for c in range(max(0, column - _REACH), min(self.width, column + _REACH + 1)):
                yield r * self.width + c


def _room(at: int, step: int, size: int) -> int:
    """How many steps one can go from `at` before leaving 0 … size - 1; without end for step 0."""
    return size if step == 0 else at if step < 0 else size - 1 - at


@cache
def line_rules(width: int, height: int, length: int) -> LineRules:
    """The one shared `LineRules` of these measures, so that its tables are made only once."""
    return LineRules(width, height, length)


@dataclass(frozen=True, slots=True)
class _Study:
    """What one line of cells says by itself: `score` for the first side minus that of the second,
    and `gains[side][i]`, how much a stone of `side` on cell i of the line would do."""

    score: int
    gains: tuple[tuple[int, ...], tuple[int, ...]]


def _points(stones: int, length: int) -> int:
    """Worth of `length` cells in a row that hold `stones` of one side and none of the other."""
    return 0 if stones == 0 else int(6 ** (stones - 1) * (5 if stones == length - 1 else 1))


@lru_cache(maxsize=1 << 17)
def _study(line: bytes, length: int) -> _Study:
    """Slides a window of `length` cells along the line; a window counts for the only side in it."""
    score = 0
    gains = ([0] * len(line), [0] * len(line))
    for start in range(len(line) - length + 1):
        window = line[start : start + length]
        counts = [window.count(stone) for stone in STONES]
        for side, sign in ((FIRST, 1), (SECOND, -1)):
            if counts[1 - side]:
                continue
            own = counts[side]
            score += sign * _points(own, length)
            gain = _COMPLETES if own == length - 1 else _points(own + 1, length)
            for i in range(start, start + length):
                gains[side][i] += gain
    return _Study(score, (tuple(gains[0]), tuple(gains[1])))


@dataclass(frozen=True, slots=True)
class LinePosition:
    """A board: `cells[row * width + column]` is 0 or the stone of a side. Start with `empty`."""

    rules: LineRules
    cells: bytes
    ply: int = 0
    last: int | None = None
    _won: bool = False  # the last move completed a row
    _score: int = 0  # for the first side, over all lines
    _near: int = 0  # bit set of the cells near a stone

    @classmethod
    def empty(cls, width: int, height: int, length: int) -> LinePosition:
        rules = line_rules(width, height, length)
        return cls(rules, bytes(rules.cells))

    @property
    def turn(self) -> int:
        return self.ply & 1

    @property
    def key(self) -> bytes:
        return self.cells

    @property
    def outcome(self) -> Outcome | None:
        if self._won and self.last is not None:
            return Outcome(1 - self.turn, "line", self._winning_cells(self.last))
        return Outcome(None, "full") if self.ply == self.rules.cells else None

    def _winning_cells(self, cell: int) -> tuple[int, ...]:
        won: set[int] = set()
        for line, index in self.rules.places[cell]:
            numbers = range(self.rules.cells)[line]
            start, end = index, index + 1
            while start > 0 and self.cells[numbers[start - 1]] == self.cells[cell]:
                start -= 1
            while end < len(numbers) and self.cells[numbers[end]] == self.cells[cell]:
                end += 1
            if end - start >= self.rules.length:
                won.update(numbers[start:end])
        return tuple(sorted(won))

    def legal_moves(self) -> Sequence[int]:
        if self.outcome is not None:
            return ()
        return [cell for cell, content in enumerate(self.cells) if content == EMPTY]

    def candidates(self) -> Sequence[int]:
        if self.outcome is not None:
            return ()
        if self.ply == 0:
            return (self._centre(),) if self.rules.cells > 9 else self._centre_first()
        own, other = self._gains(self.turn), self._gains(1 - self.turn)
        for gains in (own, other):  # finish a row, or else stop the other side from finishing one
            urgent = [cell for cell, gain in gains.items() if gain >= _COMPLETES]
            if urgent:
                return urgent
        ranked = sorted(own, key=lambda cell: -2 * own[cell] - other[cell])
        return ranked[:_BREADTH] or self.legal_moves()

    def _centre(self) -> int:
        return self.rules.height // 2 * self.rules.width + self.rules.width // 2

    def _centre_first(self) -> Sequence[int]:
        return sorted(range(self.rules.cells), key=lambda cell: cell != self._centre())

    def _gains(self, side: int) -> dict[int, int]:
        """For each empty cell near a stone, what a stone of `side` there would do."""
        cells, length, places = self.cells, self.rules.length, self.rules.places
        gains: dict[int, int] = {}
        near = self._near
        while near:
            bit = near & -near
            near ^= bit
            cell = bit.bit_length() - 1
            if cells[cell] == EMPTY:
                gains[cell] = sum(
                    _study(cells[line], length).gains[side][index] for line, index in places[cell]
                )
        return gains

    def evaluate(self) -> int:
        return (self._score if self.turn == FIRST else -self._score) + _TEMPO

    def play(self, move: int) -> LinePosition:
        if not 0 <= move < self.rules.cells:
            raise IllegalMove("outside", "That point is not on the board.")
        if self.cells[move] != EMPTY:
            raise IllegalMove("occupied", f"There is already a stone on {self.move_text(move)}.")
        if self.outcome is not None:
            raise IllegalMove("over", "The game is over.")
        before, length = self.cells, self.rules.length
        stone = bytes((STONES[self.turn],))
        after = before[:move] + stone + before[move + 1 :]
        score, won = self._score, False
        for line in self.rules.lines[move]:
            old, new = before[line], after[line]
            score += _study(new, length).score - _study(old, length).score
            won = won or stone * length in new
        near = self._near | self.rules.near[move]
        return LinePosition(self.rules, after, self.ply + 1, move, won, score, near)

    def move_text(self, move: int) -> str:
        return cell_text(move, self.rules.width, self.rules.height)

    def parse_move(self, text: str) -> int:
        return parse_cell(text, self.rules.width, self.rules.height)
