"""Judge answers to a puzzle, and prove puzzles again."""

from __future__ import annotations

from ai.players.opponents import opponents
from ai.puzzles.puzzle import Puzzle
from ai.search.proving import Prover
from games.position import Position


def prover(game: str) -> Prover:
    """Return what proves wins in a game. Its first search may wait for compiled kernels."""
    return opponents(game).prover()


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
