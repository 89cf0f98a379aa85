"""k-in-a-row on a rectangular board: tic-tac-toe (3, 3, 3) and gomoku by its three rules.

``freestyle``: a row of the length or more wins. ``standard``: only a row of exactly the length. ``renju``:
the first side needs exactly five and has forbidden points, see `games.renju`; the second wins with five or more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache

from games import renju
from games.coords import cell_text, cells_with, parse_cell
from games.drawing import NOUGHTS, STONES_ON_POINTS
from games.game import Game
from games.position import FIRST, SECOND, IllegalMove, Outcome, Stones
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
        """Number of points of the board."""
        return self.width * self.height

    @cached_property
    def exact(self) -> tuple[bool, bool]:
        """For each side, whether an overline (more than `length` in a row) does not win."""
        return self.rule in ("standard", "renju"), self.rule == "standard"

    @cached_property
    def forbids(self) -> bool:
        """Whether there are points forbidden to the first side."""
        return self.rule == "renju"

    @cached_property
    def study(self) -> Callable[[bytes], LineEvaluation]:
        """A memoised function that evaluates the contents of one line by these rules."""
        return _memoised_study(self.length, self.exact)

    @cached_property
    def places(self) -> tuple[tuple[tuple[slice, int], ...], ...]:
        """For each cell, the lines through it that are long enough for a row, each as (slice of the cells, index of the
        cell in it)."""
        return tuple(tuple(self._through(cell)) for cell in range(self.cells))

    def _through(self, cell: int) -> Iterator[tuple[slice, int]]:
        """Yield the lines through `cell` that are long enough for a row, at most one for each direction, as in
        `places`."""
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
        """The lines of the board that are long enough for a row, as slices of the cells."""
        lines = (line for through in self.places for line, _ in through)
        return tuple({(line.start, line.stop, line.step): line for line in lines}.values())

    @cached_property
    def everywhere(self) -> int:
        """The bit set of all cells."""
        return (1 << self.cells) - 1

    @cached_property
    def near(self) -> tuple[int, ...]:
        """For each cell, the bit set of the cells within `_REACH` of it, itself included."""
        return tuple(sum(1 << other for other in self._around(cell)) for cell in range(self.cells))

    def _around(self, cell: int) -> Iterator[int]:
        """Yield the cells at most `_REACH` rows and columns away from `cell`, and `cell` itself."""
        row, column = divmod(cell, self.width)
        for r in range(max(0, row - _REACH), min(self.height, row + _REACH + 1)):
            for c in range(max(0, column - _REACH), min(self.width, column + _REACH + 1)):
                yield r * self.width + c


def _room(at: int, step: int, size: int) -> int:
    """Return how many steps lead from `at` to the edge of 0 … size - 1 in the direction of `step`; `size` for a step of
    0."""
    return size if step == 0 else at if step < 0 else size - 1 - at


@cache
def line_rules(width: int, height: int, length: int, rule: str) -> LineRules:
    """Return the `LineRules` for these arguments. They are shared, so that their tables are built once.

    Raise `ValueError` for an unknown rule, and for renju with another length than five.
    """
    if rule not in RULES or (rule == "renju" and length != FIVE):
        raise ValueError(f"There is no rule “{rule}” for {length} in a row.")
    return LineRules(width, height, length, rule)


@dataclass(frozen=True, slots=True)
class LineEvaluation:
    """The evaluation of one line: `score` for the first side minus the second, and `gains[side][i]`, the gain of a
    stone of `side` on cell i of the line."""

    score: int
    gains: tuple[tuple[int, ...], tuple[int, ...]]


def _window_value(stones: int, length: int) -> int:
    """Return the value of a window of `length` cells that holds `stones` of one side and none of the other."""
    return 0 if stones == 0 else int(6 ** (stones - 1) * (5 if stones == length - 1 else 1))


@cache
def _memoised_study(length: int, exact: tuple[bool, bool]) -> Callable[[bytes], LineEvaluation]:
    """Return a memoised `_study` for one rule. Each rule has a cache of its own: looking up a line alone is faster than
    a line with its rule."""

    @lru_cache(maxsize=1 << 12)
    def study(line: bytes) -> LineEvaluation:
        """Return the evaluation of one line."""
        return _study(line, length, exact)

    return study


def _study(line: bytes, length: int, exact: tuple[bool, bool]) -> LineEvaluation:
    """Evaluate a line with a sliding window of `length` cells, which counts if only one side has stones in it. `exact`
    is that of `LineRules`."""
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
            score += sign * _window_value(own, length)
            gain = COMPLETES if own == length - 1 else _window_value(own + 1, length)
            for i in range(start, end):
                gains[side][i] += gain
    return LineEvaluation(score, (tuple(gains[0]), tuple(gains[1])))


# A position computes its score, a sum over the board's lines, on demand; from then on each move updates only the four
# lines through it.


__all__ = ["EMPTY", "GOMOKU", "STONES", "TICTACTOE", "LinePosition", "LineRules", "line_rules"]

_BREADTH = 20  # maximum number of candidates
_TEMPO = 5  # bonus of the side to move, in the unit of the score

_FORBIDDEN = {
    "overline": "make more than five in a row",
    "double_four": "make two fours at once",
    "double_three": "make two open threes at once",
}


@dataclass(frozen=True, slots=True)
class LinePosition:
    """A board: `cells[row * width + column]` is 0 or the stone of a side. Create one with `empty` or `arranged`."""

    rules: LineRules
    cells: bytes
    ply: int = 0
    last: int | None = None
    _won: bool = False  # the last move completed a winning row
    _score: int | None = field(default=None, compare=False)  # for the first side, over all lines; None until needed
    _near: int = 0  # bit set of cells near a stone
    _placed: int = 0  # stones set up before the first move
    _shift: int = 0  # 1 if it is not the turn of the side that the number of stones implies

    @classmethod
    def empty(cls, width: int, height: int, length: int, rule: str = "freestyle") -> LinePosition:
        """Return the start position. Raise `ValueError` for an unknown rule."""
        rules = line_rules(width, height, length, rule)
        return cls(rules, bytes(rules.cells))

    def arranged(self, stones: Stones) -> LinePosition:
        """Return a position that was set up on this board. Raise `ValueError` with a sentence for stones that share a
        point or are outside, and if one side has won already."""
        rules, near = self.rules, 0
        cells = cells_with(stones, rules.width, rules.height)
        for cell, content in enumerate(cells):
            near |= rules.near[cell] if content != EMPTY else 0
        placed = rules.cells - cells.count(EMPTY)
        shift = (stones.turn ^ placed) & 1
        position = LinePosition(rules, bytes(cells), 0, None, False, None, near, placed, shift)
        position._refuse_winning_row()
        return position

    def _refuse_winning_row(self) -> None:
        """Raise `ValueError` with a sentence if either side has a winning row."""
        for cell, content in enumerate(self.cells):
            for line, index in self.rules.places[cell] if content != EMPTY else ():
                if self._wins(self._row(cell, line, index), content - 1):
                    raise ValueError("One side has already won in the starting position.")

    @property
    def game(self) -> str:
        """The key of the game, by the length of the winning row: ``gomoku`` for five, else ``tictactoe``."""
        return "gomoku" if self.rules.length == renju.FIVE else "tictactoe"

    @property
    def rule(self) -> str:
        """The key of the rule, as in `Setup.rule`."""
        return self.rules.rule

    @property
    def turn(self) -> int:
        """The side to move. Sides alternate, and the number of stones decides, unless the position was set up
        otherwise."""
        return (self.ply ^ self._placed ^ self._shift) & 1

    @property
    def key(self) -> bytes:
        """The cells, and a byte more if the other side is to move than the number of stones implies."""
        return self.cells + b"\1" if self._shift else self.cells

    @property
    def outcome(self) -> Outcome | None:
        """A draw (``full``) also if every empty point is forbidden to the side to move. Renju would let it pass, which
        is not supported here."""
        if self._won and self.last is not None:
            return Outcome(1 - self.turn, "line", self._winning_cells(self.last))
        rules = self.rules
        stuck = rules.forbids and self._near == rules.everywhere and self._has_forbidden_points and self._is_stuck()
        return Outcome(None, "full") if stuck or self.ply + self._placed == rules.cells else None

    def _is_stuck(self) -> bool:
        """Return whether every empty point is forbidden to the first side. Such points all have a stone near: a line
        with a four, an open three or an overline through a point has another stone at most two points away."""
        return all(self._forbidden(cell) for cell, content in enumerate(self.cells) if content == EMPTY)

    def _winning_cells(self, cell: int) -> tuple[int, ...]:
        """Return the cells, ascending, of all rows through `cell` with which the side that moved last wins; empty if
        there is none."""
        rows = (self._row(cell, line, index) for line, index in self.rules.places[cell])
        return tuple(sorted(set().union(*(row for row in rows if self._wins(row, 1 - self.turn)))))

    def _row(self, cell: int, line: slice, index: int) -> range:
        """Return the cells of the unbroken row of equal stones through `cell`, which is at `index` of `line`, a slice
        of the cells."""
        numbers = range(self.rules.cells)[line]
        start, end = index, index + 1
        while start > 0 and self.cells[numbers[start - 1]] == self.cells[cell]:
            start -= 1
        while end < len(numbers) and self.cells[numbers[end]] == self.cells[cell]:
            end += 1
        return numbers[start:end]

    def _wins(self, row: range, side: int) -> bool:
        """Return whether an unbroken `row` of `side` is long enough to win, and not too long."""
        return len(row) == self.rules.length if self.rules.exact[side] else len(row) >= self.rules.length

    def forbidden_points(self) -> dict[int, str]:
        """Return the points forbidden to the side to move, ascending, with the reason: ``overline``, ``double_four`` or
        ``double_three``. Computed at each call."""
        if not self._has_forbidden_points or self._won:
            return {}
        return renju.forbidden_points(self.cells, self.rules.width, self.rules.height)

    @property
    def _has_forbidden_points(self) -> bool:
        """Whether the rule has points that are forbidden to the side to move."""
        return self.rules.forbids and self.turn == FIRST

    def _forbidden(self, cell: int) -> str | None:
        """Return why the empty `cell` is forbidden to the side to move, or None."""
        denied = self._has_forbidden_points
        return renju.forbidden(self.cells, self.rules.width, self.rules.height, cell) if denied else None

    def _empty_cells(self) -> list[int]:
        """Return the empty cells, ascending."""
        return [cell for cell, content in enumerate(self.cells) if content == EMPTY]

    def legal_moves(self) -> Sequence[int]:
        """Return the empty cells that are not forbidden, ascending; none when the game is over."""
        if self.outcome is not None:
            return ()
        denied = self.forbidden_points()
        return [cell for cell in self._empty_cells() if cell not in denied] if denied else self._empty_cells()

    def candidates(self) -> Sequence[int]:
        """Return the moves that complete or stop a row, else the best 20 by the gains of both sides, those of the side
        to move counting twice. On an empty board return the centre; on one of nine cells all, the centre first."""
        if self.outcome is not None:
            return ()
        self._first_side_score()  # a search needs it for all successors
        if self.ply + self._placed == 0:
            centre = self.rules.height // 2 * self.rules.width + self.rules.width // 2
            return (centre,) if self.rules.cells > 9 else sorted(range(9), key=lambda cell: cell != centre)
        own, other = self._gains(self.turn), self._gains(1 - self.turn)
        urgent = self._urgent(own, other)
        if urgent:
            return urgent
        ranked = sorted(own, key=lambda cell: -2 * own[cell] - other[cell])
        return self._allowed(ranked[:_BREADTH]) or self.legal_moves()

    def urgent_moves(self) -> Sequence[int]:
        """Return the moves that complete a row, or else those that stop the other side from completing one."""
        if self.outcome is not None:
            return ()
        return self._urgent(self._gains(self.turn), self._gains(1 - self.turn))

    def threat_moves(self) -> Sequence[int]:
        """Return the candidates that may leave a row with one empty cell: those whose gain is at least the value of
        such a row."""
        own, length = self._gains(self.turn), self.rules.length
        return [cell for cell in self.candidates() if own.get(cell, 0) >= _window_value(length - 1, length)]

    def _urgent(self, own: dict[int, int], other: dict[int, int]) -> list[int]:
        """Return the allowed moves that complete a row of the side to move, or else those that prevent one of the other
        side; empty if there is neither. `own` and `other` are their `_gains`."""
        for gains in (own, other):
            urgent = self._allowed([cell for cell, gain in gains.items() if gain >= COMPLETES])
            if urgent:
                return urgent
        return []

    def _allowed(self, cells: list[int]) -> list[int]:
        """Return the empty `cells` that are not forbidden."""
        return [cell for cell in cells if self._forbidden(cell) is None] if self._has_forbidden_points else cells

    def _gains(self, side: int) -> dict[int, int]:
        """Return, for each empty cell near a stone, the gain of a stone of `side` there: the sum of the values that its
        windows then have, at least `COMPLETES` if it completes a row."""
        cells, study, places = self.cells, self.rules.study, self.rules.places
        gains: dict[int, int] = {}
        near = self._near
        while near:
            bit = near & -near
            near ^= bit
            cell = bit.bit_length() - 1
            if cells[cell] == EMPTY:
                gains[cell] = sum(study(cells[line]).gains[side][index] for line, index in places[cell])
        return gains

    def own_plans(self) -> Sequence[int]:
        """Return the legal moves near a stone that gain most for the mover's own rows, best first; empty without a
        stone."""
        gains = self._gains(self.turn)
        return sorted(self._allowed(sorted(gains)), key=lambda cell: -gains[cell])

    def evaluate(self) -> int:
        """Return the sum of the scores of all lines, and a small bonus for the side to move."""
        return (self._first_side_score() if self.turn == FIRST else -self._first_side_score()) + _TEMPO

    def _first_side_score(self) -> int:
        """Return the score for the first side over all lines. It is computed once and stored: successors update only
        the lines through their move."""
        if self._score is None:
            score = sum(self.rules.study(self.cells[line]).score for line in self.rules.all_lines)
            object.__setattr__(self, "_score", score)
            return score
        return self._score

    def play(self, move: int) -> LinePosition:
        """Put a stone on the cell `move`. Raise `IllegalMove` (``outside``, ``over``, ``occupied``, or why the point is
        forbidden)."""
        if not 0 <= move < self.rules.cells:
            raise IllegalMove("outside", "That point is not on the board.")
        if self.outcome is not None:
            raise IllegalMove("over", "The game is over.")
        if self.cells[move] != EMPTY:
            raise IllegalMove("occupied", f"There is already a stone on {self.move_text(move)}.")
        reason = self._forbidden(move)
        if reason is not None:
            raise IllegalMove(reason, f"Black may not play {self.move_text(move)}: it would {_FORBIDDEN[reason]}.")
        return self._after(move)

    def _after(self, move: int) -> LinePosition:
        """Return the position after a legal move; score and nearby cells are updated incrementally."""
        rules, turn, before = self.rules, self.turn, self.cells
        stone = bytes((STONES[turn],))
        after = before[:move] + stone + before[move + 1 :]
        score, won = self._score, False
        if after.count(stone) >= rules.length:
            row = stone * rules.length
            won = any(row in after[line] for line, _ in rules.places[move])
        if score is not None:
            study = rules.study
            for line, _ in rules.places[move]:
                score += study(after[line]).score - study(before[line]).score
        near = self._near | rules.near[move]
        following = LinePosition(rules, after, self.ply + 1, move, won, score, near, self._placed, self._shift)
        if won and rules.exact[turn] and not following._winning_cells(move):
            return replace(following, _won=False)  # an overline
        return following

    def move_text(self, move: int) -> str:
        """Return the column as a letter and the row as a number, counted from the bottom, such as ``h8``."""
        return cell_text(move, self.rules.width, self.rules.height)

    def parse_move(self, text: str) -> int:
        """Parse a column and a row such as ``h8``. Raise `IllegalMove` (``unreadable``, ``outside``)."""
        return parse_cell(text, self.rules.width, self.rules.height)


GOMOKU = Game(
    key="gomoku",
    start=lambda size, rule: LinePosition.empty(size, size, 5, rule),
    sizes=range(5, 21),
    size=15,
    rules=("freestyle", "standard", "renju"),
    sides=("black", "white"),
    openings={
        "freestyle": ("swap", "swap2", "pro", "long_pro"), "standard": ("swap", "swap2", "pro", "long_pro"),
        "renju": ("swap2", "rif", "soosyrv8", "taraguchi10"),
    },
    arrange=LinePosition.arranged,
    commutes=True,
    sgf_number=4,
    symmetries=8,
    style=STONES_ON_POINTS,
)  # fmt: skip

TICTACTOE = Game(
    key="tictactoe",
    start=lambda size, _rule: LinePosition.empty(size, size, 3),
    sizes=(3,),
    size=3,
    sides=("x", "o"),
    arrange=LinePosition.arranged,
    commutes=True,
    symmetries=8,
    style=NOUGHTS,
)
