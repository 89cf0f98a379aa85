"""The interface of every game: `Position`, moves, and outcomes.

The rules themselves are in one module per game; `games.registry` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, Self, TypeVar

FIRST, SECOND = 0, 1
"""The two sides: `FIRST` moves first (black, X). Flip one with `1 - side`."""

PASS = -1
"""A pass, in games that allow it; its text is ``pass``."""


class IllegalMove(ValueError):
    """A move that the rules do not allow.

    `reason` is a short stable key that a user interface can translate: ``occupied``, ``outside``, ``over``,
    ``amount``, ``unreadable``, and ``overline``, ``double_four``, ``double_three`` for the forbidden points
    of renju. `str(error)` is an English sentence.
    """

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `winner` is a side, or None for a draw. `reason` is a key: ``line`` (a row was completed),
    ``full`` (no point left to play on), ``heap`` (the opponent cannot take), ``score`` (the higher score wins),
    ``resigned``, ``time``. `cells` are the winning cells, if any, in board order. `score` is what each side has in a
    game that counts, see `score_of`.
    """

    winner: int | None
    reason: str
    cells: tuple[int, ...] = ()
    score: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Stones:
    """A starting position that was set up: the cells of each side, `of[FIRST]` and `of[SECOND]`, and whose turn
    it is."""

    of: tuple[tuple[int, ...], tuple[int, ...]]
    turn: int = FIRST


class Position(Protocol):
    """One immutable moment of a game.

    A move is an int whose meaning is the game's own: the cell it fills (row * width + column, rows from the top),
    the number of bones it takes, or `PASS`. A move, and its text, mean the same in every position of a game, whoever
    is to move: a mark is stored as a move. The sides need not alternate: only `turn` says who moves next.
    """

    def __hash__(self) -> int:
        """Equal positions have equal hashes, so that they can be keys."""

    @property
    def game(self) -> str:
        """The key of the game in the registries."""

    @property
    def turn(self) -> int:
        """The side to move; meaningless after the game is over."""

    @property
    def ply(self) -> int:
        """The number of moves played."""

    @property
    def key(self) -> Hashable:
        """Equal for two positions of a game exactly if side to move, legal moves and all continuations are the same."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the game goes on."""

    def legal_moves(self) -> Sequence[int]:
        """Return all legal moves, ascending; none when the game is over."""

    def candidates(self) -> Sequence[int]:
        """Return the legal moves worth searching, best first; not empty while the game goes on.

        May leave out moves, but never all moves that win at once or prevent a loss at once.
        """

    def evaluate(self) -> int:
        """Return a heuristic score for the side to move, in hundredths of a unit of advantage, strictly between
        -10,000,000 and 10,000,000."""

    def play(self, move: int) -> Self:
        """Return the position after `move`. Raise `IllegalMove`."""

    def move_text(self, move: int) -> str:
        """Write `move`, legal or not, in the game's notation: ``h8``, or the number of bones taken."""

    def parse_move(self, text: str) -> int:
        """Parse a move, legal or not. Raise `IllegalMove` (``unreadable``, ``outside``)."""


P = TypeVar("P", bound=Position)


def played(position: P, moves: Sequence[int]) -> Iterator[tuple[P, int]]:
    """Play `moves` one after the other from `position`. Yield each with the position before it, as (position, move),
    and stop before the first illegal one."""
    for move in moves:
        try:
            after = position.play(move)
        except IllegalMove:
            return
        yield position, move
        position = after


# Optional methods of a position.


def rule_of(position: Position) -> str:
    """Return the rule by which `position` is played; empty where its game has only one."""
    rule: str = getattr(position, "rule", "")
    return rule


def forbidden_points(position: Position) -> dict[int, str]:
    """Return the moves that the rules forbid to the side to move, ascending, each with its `IllegalMove` reason. Empty
    for a game without forbidden points."""
    method: Callable[[], dict[int, str]] = getattr(position, "forbidden_points", dict)
    return method()


def score_of(position: Position) -> tuple[int, int] | None:
    """Return the points of each side, such as its discs, in a game that the higher score wins: those of the position
    now, at the end those of the `Outcome`. None in any other game."""
    score: tuple[int, int] | None = getattr(position, "score", None)
    return score


@lru_cache(maxsize=64)  # asked for in each frame
def must_pass(position: Position) -> bool:
    """Return whether the side to move can do nothing but pass."""
    return list(position.legal_moves()) == [PASS]


def cells_of(position: Position) -> bytes:
    """Return the content of each cell, row by row from the top: 0, or 1 and 2 for a stone of the first and the second
    side. Raise `TypeError` for a position without cells."""
    cells = getattr(position, "cells", None)
    if not isinstance(cells, bytes):
        raise TypeError(f"{type(position).__name__} has no `cells`")
    return cells


def changed_cells(position: Position, moves: Sequence[int]) -> dict[int, int]:
    """Return the new content, as in `cells_of`, of each cell that differs after `moves` are played from `position`,
    including pieces turned over or captured. In the order of the moves; an illegal move and what follows it are left
    out."""
    cells = before = cells_of(position)
    order: dict[int, None] = {}
    for here, move in played(position, moves):
        after = cells_of(here.play(move))
        changed = [cell for cell, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        order |= dict.fromkeys(sorted(changed, key=lambda cell: before[cell] != 0))  # first the cell that was filled
        before = after
    return {cell: before[cell] for cell in order if cells[cell] != before[cell]}


def own_plans(position: Position) -> Sequence[int]:
    """Return the legal moves that gain most for the side to move, ignoring the opponent's threats, best first; empty if
    the game has no method `own_plans`."""
    method: Callable[[], Sequence[int]] = getattr(position, "own_plans", tuple)
    return method()


def urgent_moves(position: Position) -> Sequence[int]:
    """Return the moves with which the side to move wins at once, or else those that stop the opponent from winning at
    once; empty if there is neither.

    A game may provide a method of this name. Without it, the moves that stop the opponent are the only legal move of
    several after which the opponent cannot win at once, or all legal moves if there is no such move.
    """
    method: Callable[[], Sequence[int]] | None = getattr(position, "urgent_moves", None)
    if method is not None:
        return method()
    if position.outcome is not None:
        return ()
    moves = position.legal_moves()
    wins = [move for move in moves if _wins(position, move)]
    if wins:
        return wins
    safe = [move for move in moves if not _lets_win(position.play(move), position.turn)]
    return () if len(safe) > 1 or len(moves) == 1 == len(safe) else safe or moves


def threat_moves(position: Position) -> Sequence[int]:
    """Return candidates, including all that threaten to win at once. A game may narrow them by a method of this name;
    by default these are all candidates."""
    method: Callable[[], Sequence[int]] = getattr(position, "threat_moves", position.candidates)
    return method()


def _wins(position: Position, move: int) -> bool:
    """Return whether the side to move wins at once by `move`."""
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner == position.turn


def _lets_win(after: Position, side: int) -> bool:
    """Return whether the opponent of `side`, which has just moved, can win at once. False if the game is over or `side`
    moves again."""
    if after.outcome is not None or after.turn == side:
        return False
    return any(_wins(after, reply) for reply in after.legal_moves())
