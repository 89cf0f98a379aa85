"""Forced wins: wins at once and forks, found by playing the moves of any game, and provers of longer ones.

Puzzles are mined, checked and answered with provers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ai.core.player import Limit, Player, answer
from games.position import Outcome, Position


def wins_of(position: Position) -> dict[int, Outcome]:
    """Return the moves with which the side to move wins at once, with their outcomes."""
    if position.outcome is not None:
        return {}
    outcomes = ((move, position.play(move).outcome) for move in position.legal_moves())
    return {move: end for move, end in outcomes if end is not None and end.winner == position.turn}


def forks_of(position: Position) -> list[int]:
    """Return the moves after which the other side can neither win at once nor prevent that the side to move does."""
    return [move for move in position.legal_moves() if _is_fork(position.play(move), position.turn)]


def purpose_of(position: Position, move: int) -> str:
    """Return what `move` does at once: ``wins``; ``blocks`` a win at once of the other side; ``forks``, so that the
    other side cannot prevent a win at once; ``prevents`` a fork of the other side; empty for none of these."""
    if move in wins_of(position):
        return "wins"
    after, others = position.play(move), [other for other in position.legal_moves() if other != move]
    if after.outcome is not None or after.turn == position.turn:
        return ""
    if not wins_of(after) and others and all(move in wins_of(position.play(other)) for other in others):
        return "blocks"
    if _is_fork(after, position.turn):
        return "forks"
    if not wins_of(after) and not forks_of(after) and any(forks_of(position.play(other)) for other in others):
        return "prevents"
    return ""


def _is_fork(position: Position, side: int) -> bool:
    """Whether the other side is to move, cannot win at once, and hands `side` a win at once with every move."""
    if position.outcome is not None or position.turn == side or wins_of(position):
        return False
    after = (position.play(reply) for reply in position.legal_moves())
    return all(each.turn == side and wins_of(each) for each in after)


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


_NODES = (100_000, 1_000_000, 10_000_000, 100_000_000, None)


def widening(first: Sequence[int]) -> Iterator[tuple[int | None, list[int | None]]]:
    """Yield limits of nodes, more each time, with the moves of `first` that are left. Take out of the list those that
    are decided: so a move that takes for ever does not hide another. A single one, or None for any, has no limit."""
    left = list[int | None](first) or [None]
    for nodes in _NODES if len(left) > 1 else (None,):
        if left:
            yield nodes, left
