"""Puzzles: their files (JSON lines after a header), judging of answers, and mining from games.

Mining finds positions in which one move only wins by force, or one only prevents a forced win, and proves it.
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
"""What is to be found: a win by fours; by threats; one that uses the other side's forbidden points; a win in a game
without such names; the only move that does not lose."""

MOST_PLIES = 225
_MOST_BYTES = 64 << 20
_HEADER = {"format": "tengen-puzzles", "version": 1}


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A position after `moves`, a position string, with one right move, `best`.

    Only `best` wins, or, with the theme ``defence``, does not lose. Where fours win, only `best` wins by fours. `plies`
    is the length of the win, or of the quickest win that the defence prevents. `solved` is the share of tries in which
    each level of the game, from the first on, found the move; `rating` is the Elo at which it is found half of the
    time. These are empty and None before they are measured.
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
        """The game, its size and rule. Raise `ValueError`."""
        return setup(self.game, self.size, self.rule)

    @cached_property
    def position(self) -> Position:
        """The position to solve. Raise `ValueError` or `FormatError`."""
        return parse(self.moves, self.setup).position

    @property
    def move(self) -> int:
        """The right move. Raise `ValueError` if `best` is not legal."""
        return self.position.parse_move(self.best)

    @property
    def wins(self) -> bool:
        """Whether a win is to be found, rather than a defence."""
        return self.theme != "defence"


def read(file: Path, played: bool = True) -> tuple[dict[int, Puzzle], dict[int, str]]:
    """Read a file of puzzles: return the good ones, and what is wrong with the others, both by line number from 1.

    `played` as in `parse_line`. Raise `FormatError` if it is not a file of puzzles, and `OSError`.
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
            found[place] = parse_line(each, played)
        except (ValueError, FormatError) as error:
            failed[place] = str(error)
    return found, failed


def line(puzzle: Puzzle) -> str:
    """Return the text of a puzzle as a line of a file."""
    known = {name: value for name, value in asdict(puzzle).items() if value not in (None, [])}
    return json.dumps(known)


def parse_line(text: str | bytes, played: bool = True) -> Puzzle:
    """Parse a line of a file. Raise `ValueError` or `FormatError`.

    Without `played` its moves are not played and checked, which saves most of the time; `Puzzle.move` may then raise.
    """
    try:
        values = parsed(text)
    except DecodeError as error:
        raise DecodeError(error.problem) from error  # its way is “the file”
    puzzle = decode(Puzzle, values, "a puzzle")
    if played:
        _ = puzzle.move
    return puzzle


def encoded(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield the lines of a file, header first, without line ends."""
    yield json.dumps(_HEADER)
    yield from map(line, puzzles)


def dumps(puzzles: Iterable[Puzzle]) -> bytes:
    """Return the contents of a file of puzzles."""
    return ("\n".join(encoded(puzzles)) + "\n").encode()


def write(file: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write a file of puzzles, in place of any that is there. Raise `OSError`."""
    write_atomic(file, dumps(puzzles))


PuzzleVerdict = Literal["right", "solved", "wrong"]
"""`solved` is right, and nothing more is to be found."""


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """A judged move. `line` are the moves that follow.

    After a right move it is the longest defence and its refutation, after a wrong one how that loses; empty if the
    other side merely escapes. `plies` is the length of the win that a wrong move allows, 0 if it allows none.
    """

    verdict: PuzzleVerdict
    line: tuple[int, ...] = ()
    plies: int = 0


def prover(game: str) -> Prover:
    """Return a new prover of wins in a game. Its first search may wait for compiled kernels."""
    return opponents(game).prover()


def right_move(puzzle: Puzzle, by: Prover, position: Position, move: int) -> bool:
    """Return whether `move` keeps a forced win, or, in a defence, leaves the other side without one."""
    after = position.play(move)
    if puzzle.wins:
        return by.plies(position, move) > 0
    if after.outcome is not None:
        return after.outcome.winner != 1 - position.turn
    return by.plies(after) == 0


def judge_move(puzzle: Puzzle, by: Prover, position: Position, move: int) -> PuzzleAnswer:
    """Judge a legal `move` of the side to move, also later in the solution.

    A win is solved when the game is over or nothing stops a row of five; a defence is solved by one move. Raise
    `ValueError` for a game without proofs.
    """
    after = position.play(move)
    if right_move(puzzle, by, position, move):
        line = by.line(position, move)[1:] if puzzle.wins and after.outcome is None else ()
        return PuzzleAnswer("right", line) if line else PuzzleAnswer("solved")
    plies = by.plies(after) if after.outcome is None else 0
    return PuzzleAnswer("wrong", by.line(after) if plies else (), plies)


def why_wrong(puzzle: Puzzle, by: Prover) -> str:
    """Prove a puzzle again. Return a sentence that tells what is wrong with it; empty if it is right."""
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
    """Yield the puzzles in the main line of a game: at most one for each theme.

    The first ones are wins: of the positions at the end in which the winner had a forced win, those with a single
    winning move, of a length that varies from game to game. The last is the loser's only defence before them, if there
    was one.
    """
    nodes = record.line()
    if record.stones is not None:
        return
    positions = [node.position for node in nodes]
    won = dict(_forced_wins(positions, by))
    found: set[str] = set()
    wanted = _LENGTHS[len(positions) % len(_LENGTHS)]
    for ply, plies in sorted(won.items(), key=lambda each: abs(each[1] - wanted)):
        if plies not in _LENGTHS or (theme := by.theme(positions[ply])) in found:
            continue
        move = only_win(positions[ply], by)
        if move is not None:
            found.add(theme)
            yield _make_puzzle(record, ply, theme, plies, move)
    if won and min(won) > by.earliest:
        ply = min(won) - 1
        defence = only_defence(positions[ply], by)
        if defence is not None:
            move, plies = defence
            yield _make_puzzle(record, ply, "defence", plies, move)


def missed(record: GameRecord, by: Prover) -> Iterator[Puzzle]:
    """Yield a puzzle for each forced win by a single move that a side of the game had and did not play."""
    nodes = record.line() if record.stones is None else []
    for ply, (before, after) in islice(enumerate(pairwise(nodes)), by.earliest, None):
        plies = by.plies(before.position)
        if plies in _LENGTHS and not by.plies(before.position, after.move):
            move = only_win(before.position, by)
            if move is not None:
                yield _make_puzzle(record, ply, by.theme(before.position), plies, move)


def _forced_wins(positions: Sequence[Position], by: Prover) -> Iterator[tuple[int, int]]:
    """Yield the plies, last first, at which the winner of the game was to move and had a forced win, with its length.

    It ends at the first such ply without a forced win.
    """
    last = len(positions) - 1
    if positions[last].outcome is not None or not by.plies(positions[last]):
        last -= 1  # the other side has moved, and perhaps won
    for ply in range(last, by.earliest - 1, -2):
        if positions[ply].turn != positions[last].turn:
            return
        plies = by.plies(positions[ply])
        if not plies:
            return
        yield ply, plies


def only_win(position: Position, by: Prover) -> int | None:
    """Return the only move that wins by force; None if several or none do. If fours win, only wins by fours count."""
    wins = by.wins(position)
    move = next(wins, None)
    return move if move is not None and next(wins, None) is None and by.plies(position, move) else None


def only_defence(position: Position, by: Prover) -> tuple[int, int] | None:
    """Return the only move after which the other side has no forced win, and the plies of the quickest win prevented.

    Return None if there are several such moves, or none, or if no other move loses.
    """
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


def _make_puzzle(record: GameRecord, ply: int, theme: str, plies: int, move: int) -> Puzzle:
    """Return the puzzle of the position at `ply` of the game, whose right move is `move`."""
    setup, moves = record.setup, moves_text(record.line()[: ply + 1])
    best = record.root.position.move_text(move)
    return Puzzle(game=setup.game, size=setup.size, rule=setup.rule, moves=moves, theme=theme, plies=plies, best=best)


def image(puzzle: Puzzle) -> Hashable:
    """Return a key that is equal for positions that are rotations or reflections of each other.

    On a board that is not square only the mirror image counts, in a game without cells only the same position.
    """
    position, (width, height) = puzzle.position, puzzle.setup.board
    if not hasattr(position, "cells"):
        return puzzle.setup, position.key
    board = np.frombuffer(position.cells, np.uint8).reshape(height, width)
    turned = [np.rot90(board, turns) for turns in range(4)] if width == height else [board]
    return puzzle.setup, position.turn, min(each.tobytes() for one in turned for each in (one, np.fliplr(one)))
