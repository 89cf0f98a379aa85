"""Samples of positions, from which `ai.lab.tune` fits the weights, and self-play games, which are kept task by task.

A sample holds the features of evaluation and move ordering: for each relevant empty cell the sets of patterns that a
stone of either side would make there, and how many cells of each class there are. Samples are of the positions of the
games, and of leaves, positions that the searches of the games evaluate. Those are often won or lost, since a search
tries bad moves, too. The evaluation is needed there.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.arena.executors import run_all
from ai.arena.journal import Journal, locked, with_meter
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import count, find_cell, is_illegal, make, make_null
from ai.gomoku.kernels.evaluate import reset
from ai.gomoku.kernels.layout import (
    COMBINATION_BITS,
    COMBINATION_MASK,
    INFINITY,
    KEPT_LENGTH,
    NO_MOVE,
    PROVEN,
    WIN,
)
from ai.gomoku.kernels.movegen import list_root_moves
from ai.gomoku.kernels.search import search
from ai.gomoku.kernels.tt import clear
from ai.gomoku.tables import build, cell_of
from ai.system.compiler.jit import new_array
from games.storage import write_atomic

NO_BEST = 255
"""Stands for the best move if it is not one of the sample's cells."""

_OTHER_MOVE = 0.06  # probability of a move other than the best, for variety
_BALANCED = 250  # largest evaluation of an opening
_GAMES_A_JOB = 20
_SAMPLING = 0x3FF << 20  # bits of a key that are 0 in one of 1,024 positions
_SMALL = 14  # binary logarithm of the least size of a transposition table

Cells = npt.NDArray[np.uint16]


@dataclass
class Sample:
    """A position in which no five can be made or must be prevented.

    `cells` are the relevant ones; `tried` tells which are generated as moves (few if an open four must be prevented:
    not `quiet`). `moving` and `waiting` are the sets of patterns (`patterns.combinations`) there for the side to move
    and the other; `best` is the index in `cells` of the best move. `counts` are the numbers of cells of each class, for
    the side to move, then for the other.
    """

    cells: Cells
    tried: npt.NDArray[np.bool_]
    moving: Cells
    waiting: Cells
    best: int
    last: int
    before: int
    counts: npt.NDArray[np.uint8]
    quiet: bool
    score: int
    side: int
    stones: int
    leaf: bool = False


class Sampler:
    """Takes samples of the positions that are set up on its `board`. The mask of a transposition table for it has
    `bits` bits."""

    def __init__(self, rule: int, size: int, bits: int = _SMALL) -> None:
        self.board, self.size = Board(build(rule, size), (1 << bits) - 1), size
        self.index = p.combination_index()
        self.cells = np.array(self.board.tables.cells[: size * size])

    def wanted(self) -> bool:
        """Return whether no five can be made or must be prevented, and no open four can be made."""
        st = self.board.state
        fives = count(st, 0, p.FIVE) + count(st, 1, p.FIVE)
        return not fives and not count(st, st.side, p.OPEN_FOUR)

    def sample(self, score: int, move: int) -> Sample:
        """Return the sample of the position on the board, whose root moves are listed."""
        st = self.board.state
        side = int(st.side)
        quiet = not count(st, 1 - side, p.OPEN_FOUR)
        free = self.cells[np.asarray(st.board)[self.cells] == 0]
        combinations = np.asarray(st.combination)[free]
        own, other = (
            self.index[(combinations >> (COMBINATION_BITS * colour)) & COMBINATION_MASK] for colour in (side, 1 - side)
        )
        counts = [np.bincount(self.board.kinds(colour)[free], minlength=p.CLASSES) for colour in (side, 1 - side)]
        relevant = (own > 0) | (other > 0)
        places = np.flatnonzero(free[relevant] == move)
        return Sample(
            cells=free[relevant].astype(np.uint16),
            tried=np.isin(free[relevant], st.root_moves[: int(st.root_count)]),
            moving=own[relevant].astype(np.uint16),
            waiting=other[relevant].astype(np.uint16),
            best=int(places[0]) if len(places) else NO_BEST,
            last=int(st.played[st.stones - 1]),
            before=int(st.played[st.stones - 2]),
            counts=np.minimum(np.concatenate(counts), 255).astype(np.uint8),
            quiet=quiet,
            score=score,
            side=side,
            stones=int(st.stones),
        )


class Searcher(Sampler):
    """Searches the positions on its board, with `nodes` each."""

    def __init__(self, rule: int, size: int, nodes: int) -> None:
        bits = max(_SMALL, (4 * nodes).bit_length())
        super().__init__(rule, size, bits)
        self.nodes, self.table = nodes, new_array(2 << bits)

    def forget(self) -> None:
        """Clear what earlier searches have found."""
        clear(self.table)
        self.board.clear_memory(0)

    def search(self) -> tuple[int, int]:
        """Return score and move of the last complete iteration of a search."""
        st, tb = self.board.state, self.board.tables
        if count(st, st.side, p.FIVE):
            return WIN - 1, int(find_cell(st, tb, st.side, p.FIVE))
        if not list_root_moves(st, tb):
            return 0, NO_MOVE
        st.nodes, st.stop, st.node_limit = 0, 0, self.nodes
        best, score = int(st.root_moves[0]), 0
        for depth in range(1, 30):
            value = int(search(st, tb, self.table, depth, -INFINITY, INFINITY, 0, 1))
            if st.stop:
                break
            best, score = int(st.best_move), value
            if abs(score) > PROVEN:
                break
        st.stop = 0
        return score, best

    def leaf(self, moves: Sequence[int]) -> Sample | None:
        """Return the sample of the position after `moves`, cells or NO_MOVE for a pass, with the score of a search of
        its own. Return None for one without a sample, or in which one of the last two moves is a pass."""
        if NO_MOVE in moves[-2:]:
            return None
        st, tb = self.board.state, self.board.tables
        reset(st, tb)
        for move in moves:
            if move == NO_MOVE:
                make_null(st, tb)
            else:
                make(st, tb, move)
        if not self.wanted():
            return None
        self.forget()
        score, move = self.search()
        return None if move == NO_MOVE else replace(self.sample(score, move), leaf=True)


class SelfPlay(Searcher):
    """Self-play games of the engine with `nodes` a move, with leaves of these searches, each labelled by `leaf_nodes`,
    unless that is 0."""

    def __init__(self, rule: int, size: int, nodes: int, seed: int, leaf_nodes: int = 0) -> None:
        super().__init__(rule, size, nodes)
        self.dice = random.Random(seed)
        self.leaves = Searcher(rule, size, leaf_nodes) if leaf_nodes else None

    def game(self) -> tuple[list[Sample], float]:
        """Return the samples of one game, and its result for black: 1, 0.5 or 0."""
        st, tb = self.board.state, self.board.tables
        self.forget()
        self._opening()
        samples: list[Sample] = []
        while st.stones < self.size * self.size - 1:
            st.kept_count, st.sampling = 0, _SAMPLING if self.leaves else 0
            score, move = self.search()
            st.sampling = 0
            if move == NO_MOVE:
                break
            samples += self._kept()
            if abs(score) > PROVEN:
                return samples, float((score > 0) == (st.side == 0))
            if self.wanted():
                samples.append(self.sample(score, move))
            if self.dice.random() < _OTHER_MOVE:
                move = self._other_move(move)
            make(st, tb, move)
        return samples, 0.5

    def _opening(self) -> None:
        """Set up a few random stones near the middle that leave the position balanced."""
        st, tb = self.board.state, self.board.tables
        middle = self.size // 2
        while True:
            reset(st, tb)
            for _ in range(self.dice.randint(2, 9)):
                spread = self.dice.choice((2, 3, 3, 4, 5))
                row = middle + self.dice.randint(-spread, spread)
                column = middle + self.dice.randint(-spread, spread)
                if not (0 <= row < self.size and 0 <= column < self.size):
                    continue
                cell = cell_of(row * self.size + column, self.size)
                if st.board[cell] == 0 and not is_illegal(st, tb, cell):
                    make(st, tb, cell)
            score, move = self.search()
            if move != NO_MOVE and abs(score) < _BALANCED:
                return

    def _kept(self) -> Iterator[Sample]:
        """Yield the samples of the leaves that the last search has kept."""
        st = self.board.state
        if self.leaves is None:
            return
        for first in range(0, KEPT_LENGTH * int(st.kept_count), KEPT_LENGTH):
            moves = [int(move) for move in st.kept[first + 1 : first + 1 + int(st.kept[first])]]
            sample = self.leaves.leaf(moves)
            if sample is not None:
                yield sample

    def _other_move(self, move: int) -> int:
        """Return one of the other good moves."""
        st = self.board.state
        others = [int(cell) for cell in st.root_moves[: min(6, int(st.root_count))]]
        return self.dice.choice(others) if len(others) > 1 else move


@dataclass(frozen=True, slots=True)
class Games:
    """What is played: so many games, in tasks of `_GAMES_A_JOB`, with `nodes` a move and `leaf_nodes` for a leaf."""

    rule: int
    size: int
    games: int
    nodes: int
    seed: int
    leaf_nodes: int = 0

    def tasks(self) -> Iterator[tuple[int, ...]]:
        """Yield the arguments of `_play_some`."""
        for number in range(self.games // _GAMES_A_JOB):
            yield self.rule, self.size, self.nodes, self.seed * 100_003 + number, self.leaf_nodes, _GAMES_A_JOB


def _play_some(rule: int, size: int, nodes: int, seed: int, leaf_nodes: int, games: int) -> tuple[int, bytes]:
    """Return the `seed`, and the samples of some games as a file."""
    play = SelfPlay(rule, size, nodes, seed, leaf_nodes)
    data = io.BytesIO()
    np.savez_compressed(data, **columns([play.game() for _ in range(games)]))
    return seed, data.getvalue()


def columns(games: Sequence[tuple[list[Sample], float]]) -> dict[str, Any]:
    """Return the samples of games with their results for black as arrays.

    `lengths` are the numbers of entries of `cells`, `tried`, `moving` and `waiting` for each position; `result` is for
    the side to move, and NaN for a leaf, which was not played; `game` numbers the games.
    """
    rows = [
        (sample, np.nan if sample.leaf else result, number)
        for number, (samples, result) in enumerate(games)
        for sample in samples
    ]
    samples = [row for row, _, _ in rows]
    return {
        "lengths": np.array([len(row.cells) for row in samples], np.uint8),
        "cells": np.concatenate([row.cells for row in samples]),
        "tried": np.concatenate([row.tried for row in samples]),
        "moving": np.concatenate([row.moving for row in samples]),
        "waiting": np.concatenate([row.waiting for row in samples]),
        "best": np.array([row.best for row in samples], np.uint8),
        "last": np.array([row.last for row in samples], np.uint16),
        "before": np.array([row.before for row in samples], np.uint16),
        "counts": np.array([row.counts for row in samples], np.uint8),
        "side": np.array([row.side for row in samples], np.uint8),
        "quiet": np.array([row.quiet for row in samples], np.bool_),
        "score": np.array([row.score for row in samples], np.int32),
        "stones": np.array([row.stones for row in samples], np.uint16),
        "result": np.array([result if row.side == 0 else 1 - result for row, result, _ in rows], np.float32),
        "game": np.array([number for _, _, number in rows], np.int32),
    }


def play(games: Games, folder: Path, workers: int, cluster: str | None = None) -> list[Path]:
    """Play what is missing of `games` in `folder`, which has a file of samples for each task. Return the files.

    Raise `BadJournal` if the folder has other games, and what `run_all` raises.
    """
    files = {call[3]: folder / f"{number:05}.npz" for number, call in enumerate(games.tasks())}
    with locked(folder / ".lock", f"Another process plays the games in “{folder.name}”."):
        Journal(folder / "games.jsonl", "run of self-play", asdict(games))
        left = [call for call in games.tasks() if not files[call[3]].is_file()]
        found = run_all(_play_some, left, workers, cluster)
        for job, data in with_meter(found, len(files), len(files) - len(left)):
            write_atomic(files[job], data)
    return list(files.values())


def joined(files: Sequence[Path], out: Path) -> None:
    """Write the samples of all `files` to `out`."""
    np.savez_compressed(out, **together([dict(np.load(file)) for file in files]))


def together(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the columns of all `parts`, whose games are numbered on."""
    first = np.cumsum([0] + [part["game"].max(initial=-1) + 1 for part in parts])
    parts = [part | {"game": part["game"] + number} for part, number in zip(parts, first[:-1], strict=True)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
