"""Judge answers to a puzzle, with what follows on them, and prove puzzles again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ai.players.opponents import opponents
from ai.puzzles.puzzle import Puzzle
from ai.search.proving import Prover
from games.position import Position

PuzzleVerdict = Literal["right", "solved", "wrong"]
"""`solved` is right, and nothing more is to be found."""


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """A judged move. `line` is what follows: the longest defence and its refutation, or how a wrong move loses; empty
    if the other side only escapes. `plies` are those of the win that the wrong move allows, 0 for none."""

    verdict: PuzzleVerdict
    line: tuple[int, ...] = ()
    plies: int = 0


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


def judged(puzzle: Puzzle, by: Prover, position: Position, move: int) -> PuzzleAnswer:
    """Judge a legal `move` of the side that solves. A win is solved once nothing stops a row of five, or the game is
    over; a defence with one move. Raise `ValueError` for a game without proofs."""
    after = position.play(move)
    if right_move(puzzle, by, position, move):
        line = by.line(position, move)[1:] if puzzle.wins and after.outcome is None else ()
        return PuzzleAnswer("right", line) if line else PuzzleAnswer("solved")
    plies = by.plies(after) if after.outcome is None else 0
    return PuzzleAnswer("wrong", by.line(after) if plies else (), plies)


def why_wrong(puzzle: Puzzle, by: Prover) -> str:
    """Prove a puzzle again; return a sentence that says what is wrong with it, empty if nothing is."""
    position = puzzle.position
    if position.outcome is not None:
        return "The game is over."
    if puzzle.move not in position.legal_moves():
        return "The move is not legal."
    if not right_move(puzzle, by, position, puzzle.move):
        return "The move is not proven."
    others = by.wins(position) if puzzle.wins else (move for move, plies in by.replies(position) if not plies)
    return "There is another right move." if any(move != puzzle.move for move in others) else ""
