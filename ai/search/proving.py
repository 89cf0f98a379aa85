"""Provers: who wins by force, and how soon. Puzzles are mined, checked and answered with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ai.core.player import Limit, Player, answer
from games.position import Position


class Prover(Protocol):
    """Proves wins of the side to move."""

    earliest: int
    """The ply from which on it is quick enough to look at every position of a game."""

    def plies(self, position: Position, first: int | None = None) -> int:
        """Return the plies of a forced win, of one that begins with the move `first` if it is given; 0 if there is none
        or none is found."""

    def wins(self, position: Position) -> Iterator[int]:
        """Yield the moves with which a forced win begins; where fours win, those with which a win by fours begins."""

    def replies(self, position: Position) -> Iterator[tuple[int, int]]:
        """Yield each legal move with the plies of a forced win of the other side after it, 0 for none."""

    def theme(self, position: Position) -> str:
        """Return what kind of win `plies` has found, one of `THEMES`."""

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        """Return the moves of a win with the longest defence; empty if there is none."""

    def is_lost(self, position: Position) -> bool:
        """Return whether a search deeper than `plies` finds that the side to move loses."""


class SearchProver:
    """Of games that a search can read to the end."""

    def __init__(self, player: Player, earliest: int = 0) -> None:
        self._player, self.earliest = player, earliest

    def _mate(self, position: Position) -> int:
        """Plies to a win (positive) or a loss (negative) of the side to move; 0 for neither."""
        if position.outcome is not None:
            return 0
        return answer(self._player, position, Limit()).mate or 0

    def plies(self, position: Position, first: int | None = None) -> int:
        if first is None:
            return max(self._mate(position), 0)
        after = position.play(first)
        if after.outcome is not None:
            return int(after.outcome.winner == position.turn)
        mate = self._mate(after)
        return 1 - mate if mate < 0 else 0

    def wins(self, position: Position) -> Iterator[int]:
        return (move for move in position.legal_moves() if self.plies(position, move))

    def replies(self, position: Position) -> Iterator[tuple[int, int]]:
        return ((move, self.plies(position.play(move))) for move in position.legal_moves())

    def theme(self, position: Position) -> str:
        return "win"

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        start = position if first is None else position.play(first)
        moves = answer(self._player, start, Limit()).lines[0].moves if start.outcome is None else ()
        return tuple(moves) if first is None else (first, *moves)

    def is_lost(self, position: Position) -> bool:
        return self._mate(position) < 0
