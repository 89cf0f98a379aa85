"""A puzzle, files of puzzles (JSON lines, a header first), how answers are judged, and how puzzles are mined.

Mining finds positions of games in which one move wins by force, or only one prevents it, and proves it.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import Literal

import numpy as np

from ai.players.opponents import opponents
from ai.search.proving import Prover
from games.fields import DecodeError, checked, decode, list_of, number, one_of, parsed, text, whole
from games.formats.common import FormatError
from games.formats.text import moves_text, parse
from games.position import Position
from games.record import GameRecord
from games.registry import GAMES, Setup, setup
from games.storage import read_regular, write_atomic

THEMES = ("fours", "threats", "forbidden", "win", "defence")
"""What is to be found: a win by fours; by fours and open threes; one that uses the other side's forbidden points; a win
in a game without such names; the only move that does not lose."""

MOST_PLIES = 225
_MOST_BYTES = 64 << 20
_HEADER = {"format": "tengen-puzzles", "version": 1}


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A position after `moves`, a position string, in which only `best` wins or, with the theme ``defence``, holds.
    Where fours win, only `best` wins by fours.

    `plies` are those of the win; of a defence, those of the quickest win that it prevents. `solved` is the share of
    tries in which each level of the game, from the first on, found the move; `rating` is the Elo of a player who finds
    it half of the time, by the Elo of the levels. Both are empty before the puzzle is graded.
    """

    game: str = checked(one_of(*GAMES))
    size: int = checked(whole(1, 100))
    rule: str = checked(text(20))
    moves: str = checked(text(2_000))
    theme: str = checked(one_of(*THEMES))
    plies: int = checked(whole(1, MOST_PLIES))
    best: str = checked(text(10))
    rating: float | None = checked(number(-10_000, 10_000), None)
    solved: list[float] = checked(list_of(number(0, 1), 20), make=list)

    @cached_property
    def setup(self) -> Setup:
        """Return the game, its size and rule. Raise `ValueError`."""
        return setup(self.game, self.size, self.rule)

    @cached_property
    def position(self) -> Position:
        """Return the position. Raise `ValueError` or `FormatError`."""
        return parse(self.moves, self.setup).position

    @property
    def move(self) -> int:
        """Return the best move. Raise `ValueError` if it is none."""
        return self.position.parse_move(self.best)

    @property
    def wins(self) -> bool:
        """Whether a win is to be found, rather than a defence."""
        return self.theme != "defence"


def read(file: Path, played: bool = True) -> tuple[dict[int, Puzzle], dict[int, str]]:
    """Read a file of puzzles; return those that can be used, and of the others what is wrong, both by the number of
    their line, from 1 on. `played` as in `of_line`.

    Raise `FormatError` if it is no such file, and `OSError`.
    """
    lines = read_regular(file, _MOST_BYTES).splitlines()
    try:
        header = parsed(lines[0]) if lines else None
    except DecodeError:
        header = None
    if not isinstance(header, dict) or header.get("format") != _HEADER["format"]:
        raise FormatError("This is not a file of puzzles.")
    if header.get("version") != _HEADER["version"]:
        raise FormatError("This file of puzzles was made by a later version of Tengen.")
    found, failed = {}, {}
    for place, each in enumerate(lines[1:], 2):
        try:
            found[place] = of_line(each, played)
        except (ValueError, FormatError) as error:
            failed[place] = str(error)
    return found, failed


def line(puzzle: Puzzle) -> str:
    """Return the line of a puzzle in a file."""
    known = {name: value for name, value in asdict(puzzle).items() if value not in (None, [])}
    return json.dumps(known, ensure_ascii=False)


def of_line(text: str | bytes, played: bool = True) -> Puzzle:
    """Return the puzzle in a line of a file. Raise `ValueError` or `FormatError`; if its moves are not to be `played`,
    which takes most of the time, `Puzzle.move` may raise them later."""
    puzzle = decode(Puzzle, parsed(text), "a puzzle")
    if played:
        _ = puzzle.move
    return puzzle


def encoded(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield the lines of a file, without line ends."""
    yield json.dumps(_HEADER)
    yield from map(line, puzzles)


def dumps(puzzles: Iterable[Puzzle]) -> bytes:
    """Return the contents of a file of puzzles."""
    return ("\n".join(encoded(puzzles)) + "\n").encode()


def write(file: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write a file of puzzles, atomically. Raise `OSError`."""
    write_atomic(file, dumps(puzzles))


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
