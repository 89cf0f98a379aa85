"""Forced wins of any game: wins at once, forks, and provers of longer wins.

A move wins at once if it ends the game as a win. A move is a fork if the other side cannot win at once after it, and
whatever the reply, the side that forked then wins at once, by one of two threats or more. Puzzles are mined, checked
and answered with provers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ai.core.player import Limit, Player, answer
from games.position import Outcome, Position


def wins_of(position: Position) -> dict[int, Outcome]:
    """Return the moves with which the side to move wins at once, each with its outcome; empty if the game is over."""
    if position.outcome is not None:
        return {}
    outcomes = ((move, position.play(move).outcome) for move in position.legal_moves())
    return {move: end for move, end in outcomes if end is not None and end.winner == position.turn}


def forks_of(position: Position) -> list[int]:
    """Return the moves that are forks."""
    return [move for move in position.legal_moves() if _is_fork(position.play(move), position.turn)]


def purpose_of(position: Position, move: int) -> str:
    """Return what `move` does at once, the first that applies: ``wins``; ``blocks``, if after any other move the other
    side would win at once by this same move; ``forks``; ``prevents`` a fork that some other move allows; "" for none of
    these."""
    if move in wins_of(position):
        return "wins"
    after, others = position.play(move), [other for other in position.legal_moves() if other != move]
    if after.turn == position.turn:
        return ""
    if not wins_of(after) and others and all(move in wins_of(position.play(other)) for other in others):
        return "blocks"
    if _is_fork(after, position.turn):
        return "forks"
    if not wins_of(after) and not forks_of(after) and any(forks_of(position.play(other)) for other in others):
        return "prevents"
    return ""


def _is_fork(position: Position, side: int) -> bool:
    """Whether the last move was a fork by `side`: the other side is to move, cannot win at once, and every reply allows
    `side` to win at once, by one of two threats or more.

    A threat wins after any reply but the same move. Without two, the replies themselves give the wins away: at Connect
    Four where each column that is left has a winning cell above the next.
    """
    if position.outcome is not None or position.turn == side or wins_of(position):
        return False
    wins: dict[int, dict[int, Outcome]] = {}
    for reply in position.legal_moves():
        after = position.play(reply)
        if after.turn != side or not (found := wins_of(after)):
            return False
        wins[reply] = found
    moves = {move for found in wins.values() for move in found}
    threats = (move for move in moves if all(move in found for reply, found in wins.items() if reply != move))
    return len(list(threats)) > 1


class Prover(Protocol):
    """Finds forced wins of the side to move. A win that is not found may exist."""

    earliest: int
    """The ply from which on it is quick enough to look at every position of a game."""

    def plies(self, position: Position, first: int | None = None) -> int:
        """Return the plies of a forced win; 0 if none is found. With `first`, the win must begin with that move."""

    def wins(self, position: Position) -> Iterator[int]:
        """Yield the moves that begin a forced win. A prover by threats yields only those that begin continuous fours,
        if there are any."""

    def replies(self, position: Position) -> Iterator[tuple[int, int]]:
        """Yield each legal move with the plies of the other side's forced win after it; 0 if none is found."""

    def theme(self, position: Position) -> str:
        """Return the kind of the win that `plies` finds, one of `ai.puzzles.puzzle.THEMES`. Call it only where there is
        one."""

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        """Return the moves of both sides in the win that `plies` finds, against the longest defence. Call it only where
        there is a win; empty if the line is not found."""

    def is_lost(self, position: Position) -> bool:
        """Return whether the side to move is found to lose, by a search that may be deeper than that of `plies`."""


class SearchProver:
    """A `Prover` for games that `player` can search to the end."""

    def __init__(self, player: Player, earliest: int = 0) -> None:
        self._player, self.earliest = player, earliest

    def _mate(self, position: Position) -> int:
        """Return the plies to a forced win of the side to move, negative for a loss; 0 for neither, or if the game is
        over."""
        if position.outcome is not None:
            return 0
        return answer(self._player, position, Limit()).mate or 0

    def plies(self, position: Position, first: int | None = None) -> int:
        """Return the plies of the win that a search to the end finds; 0 if there is none. With `first`, count that
        move, too."""
        if first is None:
            return max(self._mate(position), 0)
        after = position.play(first)
        if after.outcome is not None:
            return int(after.outcome.winner == position.turn)
        mate = self._mate(after)
        return 1 - mate if mate < 0 else 0

    def wins(self, position: Position) -> Iterator[int]:
        """Yield all moves that win, each found by a search of its own."""
        return (move for move in position.legal_moves() if self.plies(position, move))

    def replies(self, position: Position) -> Iterator[tuple[int, int]]:
        """Yield each legal move with the plies of the other side's win after it, each found by a search of its own."""
        return ((move, self.plies(position.play(move))) for move in position.legal_moves())

    def theme(self, position: Position) -> str:
        """Return ``win`` always: the search does not tell kinds of wins apart."""
        return "win"

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        """Return the principal variation of a search without limits; with `first`, that move and the line after it."""
        start = position if first is None else position.play(first)
        moves = answer(self._player, start, Limit()).lines[0].moves if start.outcome is None else ()
        return tuple(moves) if first is None else (first, *moves)

    def is_lost(self, position: Position) -> bool:
        """Return whether the side to move loses, by the same search as `plies`."""
        return self._mate(position) < 0


_NODES = (100_000, 1_000_000, 10_000_000, 100_000_000, None)


def widening(first: Sequence[int]) -> Iterator[tuple[int | None, list[int | None]]]:
    """Yield rising node limits, each with the same list of the moves of `first`. The caller removes from the list those
    that are decided, so that one slow move does not delay the others.

    With fewer than two moves there is one limit, None for no limit. Without moves the list is [None]: any first move.
    """
    left = list[int | None](first) or [None]
    for nodes in _NODES if len(left) > 1 else (None,):
        if left:
            yield nodes, left
