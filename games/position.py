"""What every game offers to the rest of the program: a `Position` and how it can end.

The rules themselves live in one module per game; `games.registry` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

FIRST, SECOND = 0, 1
"""The two sides: `FIRST` moves first (black, X). Flip one with `1 - side`."""

PASS = -1
"""The move of a side that lets the other one play, in games that allow it; its text is ``pass``."""


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
    ``full`` (no point is left to play on), ``heap`` (the opponent cannot take), ``resigned``, ``time``.
    `cells` are the winning cells, in board order, where there are any.
    """

    winner: int | None
    reason: str
    cells: tuple[int, ...] = ()


class Position(Protocol):
    """One immutable moment of a game.

    A move is an int whose meaning is the game's own: the cell it fills (row * width + column, rows from the top),
    the number of bones it takes, or `PASS`. The sides need not alternate: only `turn` says who moves next.
    """

    @property
    def game(self) -> str:
        """The key of the game in the registries."""

    @property
    def turn(self) -> int:
        """The side to move, also (nominally) after the game is over."""

    @property
    def ply(self) -> int:
        """How many moves have been played."""

    @property
    def key(self) -> Hashable:
        """Equal for two positions of one game exactly when they are the same position: with the same side to move,
        the same legal moves, and the same games to come."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def legal_moves(self) -> Sequence[int]:
        """Every legal move, ascending; empty when the game is over."""

    def candidates(self) -> Sequence[int]:
        """The legal moves worth searching, most promising first; not empty while the game goes on.

        May leave out moves, but never all moves that win at once or prevent a loss at once.
        """

    def evaluate(self) -> int:
        """Heuristic score for the side to move, strictly between -10,000,000 and 10,000,000."""

    def play(self, move: int) -> Self:
        """The position after `move`. Raise `IllegalMove`."""

    def move_text(self, move: int) -> str:
        """How people write `move`: ``h8``, or the number of bones taken."""

    def parse_move(self, text: str) -> int:
        """The move that `text` names, legal or not. Raise `IllegalMove` (``unreadable``, ``outside``)."""


# What a position may offer besides, as a method of the same name.


def forbidden_points(position: Position) -> dict[int, str]:
    """The moves that look possible but that the rules deny the side to move, ascending, each with the `IllegalMove`
    reason; none where the game has no such moves."""
    known: Callable[[], dict[int, str]] = getattr(position, "forbidden_points", dict)
    return known()


def own_plans(position: Position) -> Sequence[int]:
    """The legal moves that do most for one's own plans, best first, with no regard for those of the other side; none
    where the game does not tell."""
    known: Callable[[], Sequence[int]] = getattr(position, "own_plans", tuple)
    return known()
