"""Mine puzzles from games: find positions in which one move wins by force, or only one prevents it, and prove it; judge
answers to a puzzle."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import islice

import numpy as np

from ai.players.opponents import opponents
from ai.puzzles.puzzle import Puzzle
from ai.search.proving import Prover
from games.formats.text import moves_text
from games.position import Position
from games.record import GameRecord

_LENGTHS = range(5, 20, 2)  # plies of a win to be found: fours and fives are seen at once, long wins are tiresome
_LEAST_DEFENCE = 3  # of a win to be prevented


def prover(game: str) -> Prover:
    """Return what proves wins in a game. Its first search may wait for compiled kernels."""
    return opponents(game).prover()


def mine(record: GameRecord, by: Prover) -> Iterator[Puzzle]:
    """Yield the puzzles of a game, as it was played: at most one of each theme. Of several the one is chosen whose win
    has nearly a length that differs from game to game.

    From the end of the game on, the positions are looked at in which the winner was to move, as far back as the win is
    proven; the position before them is where the loser may have had an only move.
    """
    nodes = record.line()
    if record.stones is not None:
        return
    positions = [node.position for node in nodes]
    won = dict(_won(positions, by))
    found: set[str] = set()
    wanted = _LENGTHS[len(positions) % len(_LENGTHS)]
    for ply, plies in sorted(won.items(), key=lambda each: abs(each[1] - wanted)):
        if plies not in _LENGTHS or (theme := by.theme(positions[ply])) in found:
            continue
        move = only_win(positions[ply], by)
        if move is not None:
            found.add(theme)
            yield _puzzle(record, ply, theme, plies, move)
    if won and min(won) > by.earliest:
        ply = min(won) - 1
        defence = only_defence(positions[ply], by)
        if defence is not None:
            move, plies = defence
            yield _puzzle(record, ply, "defence", plies, move)


def _won(positions: Sequence[Position], by: Prover) -> Iterator[tuple[int, int]]:
    """Yield the plies, the last first, at which the same side was to move and has a proven win, with its length."""
    last = len(positions) - 1
    if positions[last].outcome is not None or not by.plies(positions[last]):
        last -= 1  # the other side has moved, and perhaps won
    for ply in range(last, by.earliest - 1, -2):
        if positions[ply].outcome is not None or positions[ply].turn != positions[last].turn:
            return
        plies = by.plies(positions[ply])
        if not plies:
            return
        yield ply, plies


def only_win(position: Position, by: Prover) -> int | None:
    """Return the move of the side to move that wins by force, None if several do, or none. Where fours win, only moves
    that win by fours are compared."""
    wins = list(islice(by.wins(position), 2))
    return wins[0] if len(wins) == 1 and by.plies(position, wins[0]) else None


def only_defence(position: Position, by: Prover) -> tuple[int, int] | None:
    """Return the only move that does not lose, with the plies of the quickest win after another one, or None."""
    holding, quickest = [], 0
    for move, plies in by.replies(position):
        if plies:
            quickest = min(plies, quickest or plies)
        else:
            holding.append(move)
            if len(holding) > 1:
                return None
    if not holding or quickest < _LEAST_DEFENCE or by.is_lost(position.play(holding[0])):
        return None
    return holding[0], quickest


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
    if not right_move(puzzle, by, position, puzzle.move):
        return "The move is not proven."
    others = by.wins(position) if puzzle.wins else (move for move, plies in by.replies(position) if not plies)
    return "There is another right move." if any(move != puzzle.move for move in others) else ""


def _puzzle(record: GameRecord, ply: int, theme: str, plies: int, move: int) -> Puzzle:
    setup, moves = record.setup, moves_text(record.line()[: ply + 1])
    best = record.root.position.move_text(move)
    return Puzzle(game=setup.game, size=setup.size, rule=setup.rule, moves=moves, theme=theme, plies=plies, best=best)


def image(puzzle: Puzzle) -> Hashable:
    """Return a key that is the same for puzzles whose positions are images of each other: rotated and mirrored ones on
    a square board, and mirrored ones on another."""
    position, (width, height) = puzzle.position, puzzle.setup.board
    if not hasattr(position, "cells"):
        return puzzle.setup, position.key
    board = np.frombuffer(position.cells, np.uint8).reshape(height, width)
    turned = [np.rot90(board, turns) for turns in range(4)] if width == height else [board]
    return puzzle.setup, position.turn, min(each.tobytes() for one in turned for each in (one, np.fliplr(one)))
