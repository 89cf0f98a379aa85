"""Provers: who wins, by force, and how soon. Puzzles are mined, checked and answered with them."""

from __future__ import annotations

from typing import Protocol

from ai.core.player import Limit, Player, answer
from ai.gomoku.threat_solver import ThreatSolver
from ai.puzzles.puzzle import Puzzle
from ai.search.alphabeta import AlphaBeta
from games.line import LinePosition
from games.position import Position

_THREATS, _NODES = 6, 60_000
"""Limits of a win by threats."""
_DEEP = 200_000
"""Nodes of the search that must not find a defence to be lost."""


class Prover(Protocol):
    """Proves wins of the side to move."""

    earliest: int
    """The ply from which on it is quick enough to look at every position of a game."""

    def plies(self, position: Position, first: int | None = None) -> int:
        """Return the plies of a forced win, of one that begins with the move `first` if it is given; 0 if there is none
        or none is found."""

    def theme(self, position: Position) -> str:
        """Return what kind of win `plies` has found, one of `THEMES`."""

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        """Return the moves of a win with the longest defence; empty if there is none."""

    def is_lost(self, position: Position) -> bool:
        """Return whether a search deeper than `plies` finds that the side to move loses."""


class ThreatProver:
    """Of five in a row: wins by fours, and by fours and open threes. What is not found may exist."""

    earliest = 4

    def __init__(self) -> None:
        self._solver = ThreatSolver()

    def plies(self, position: Position, first: int | None = None) -> int:
        return self._solver.plies(_line(position), _THREATS, _NODES, first)

    def theme(self, position: Position) -> str:
        proof = self._solver.prove(_line(position), _THREATS, _NODES)
        if proof is not None and proof.end().forbidden:
            return "forbidden"
        return "fours" if self._solver.plies(_line(position), 0) else "threats"

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        proof = self._solver.prove(_line(position), _THREATS, _NODES, first)
        return () if proof is None else proof.line()

    def is_lost(self, position: Position) -> bool:
        from ai.gomoku.engine import GomokuEngine

        engine = GomokuEngine(memory_mb=16)
        mate = answer(engine, position, Limit(nodes=_DEEP)).mate
        engine.close()
        return mate is not None and mate < 0


def _line(position: Position) -> LinePosition:
    assert isinstance(position, LinePosition)
    return position


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

    def theme(self, position: Position) -> str:
        return "win"

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        start = position if first is None else position.play(first)
        moves = answer(self._player, start, Limit()).lines[0].moves if start.outcome is None else ()
        return tuple(moves) if first is None else (first, *moves)

    def is_lost(self, position: Position) -> bool:
        return self._mate(position) < 0


def prover(game: str) -> Prover:
    """Return the prover of a game."""
    if game == "gomoku":
        return ThreatProver()
    if game == "connect4":
        from ai.solvers.connect4 import Connect4Solver

        return SearchProver(Connect4Solver(), earliest=12)
    return SearchProver(AlphaBeta())


def right_move(puzzle: Puzzle, by: Prover, position: Position, move: int) -> bool:
    """Return whether `move` goes on to win, or, where a defence is asked for, leaves the other side no forced win."""
    after = position.play(move)
    if puzzle.wins:
        return by.plies(position, move) > 0
    if after.outcome is not None:
        return after.outcome.winner != 1 - position.turn
    return by.plies(after) == 0


def why_wrong(puzzle: Puzzle, by: Prover) -> str:
    """Prove a puzzle again; return a sentence that says what is wrong with it, empty if nothing is."""
    position = puzzle.position
    if position.outcome is not None:
        return "The game is over."
    if puzzle.move not in position.legal_moves():
        return "The move is not legal."
    right = [move for move in position.legal_moves() if right_move(puzzle, by, position, move)]
    if puzzle.move not in right:
        return "The move is not proven."
    if len(right) > 1:
        return "There is another right move."
    return ""
