"""Mine puzzles from games: find positions in which one move wins by force, or only one prevents it, and prove it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import islice, pairwise

import numpy as np

from ai.puzzles.puzzle import Puzzle
from ai.search.proving import Prover
from games.formats.text import moves_text
from games.position import Position
from games.record import GameRecord

_LENGTHS = range(5, 20, 2)  # plies of a win to be found: fours and fives are seen at once, long wins are tiresome
_LEAST_DEFENCE = 3  # of a win to be prevented


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


def missed(record: GameRecord, by: Prover) -> Iterator[Puzzle]:
    """Yield a puzzle for each forced win that a side of the game had and gave away."""
    nodes = record.line() if record.stones is None else []
    for ply, (before, after) in enumerate(pairwise(nodes)):
        if ply < by.earliest or before.position.outcome is not None or after.move is None:
            continue
        plies = by.plies(before.position)
        if plies in _LENGTHS and not by.plies(before.position, after.move):
            move = only_win(before.position, by)
            if move is not None:
                yield _puzzle(record, ply, by.theme(before.position), plies, move)


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
