"""Fits the evaluation's weights to games that the engine plays against itself.

    python -m ai.gomoku.tune play --rule freestyle --games 2000 --nodes 2000 --out games.npz
    python -m ai.gomoku.tune fit games.npz … --rule freestyle

`play` records quiet positions with the score of the search and the result of the game. `fit` minimises the
log loss of `sigmoid(evaluation / SCALE)` against a mixture of the two by gradient descent (Adam), and writes the
weights of that rule into ai/gomoku/weights.json. The worth of a combination of four patterns is the sum
of the patterns' own worths and a part of its own that is held near zero where there is little evidence.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.gomoku import patterns as p
from ai.gomoku.tables import FITTED

SCALE = 200.0
"""Evaluation at which a side wins 73 % of its games."""

CELLS_KEPT = 160
"""Most cells of one position that have any pattern; further ones are left out."""

Floats = npt.NDArray[np.float64]


# Playing.


@dataclass
class Sample:
    """A quiet position: combinations of its empty cells for the side to move and for the other."""

    moving: npt.NDArray[np.uint16]
    waiting: npt.NDArray[np.uint16]
    score: int
    side: int


class SelfPlay:
    """Plays games of the engine against itself with `nodes` a move."""

    def __init__(self, rule: int, size: int, nodes: int, seed: int) -> None:
        from ai.gomoku import kernels as k
        from ai.gomoku.engine import Board
        from ai.gomoku.jit import new_array
        from ai.gomoku.tables import build

        self.k, self.nodes, self.dice = k, nodes, random.Random(seed)
        self.board = Board(build(rule, size), (1 << 14) - 1)
        self.table = new_array(2 << 14)
        self.size = size
        self.index = p.combination_index()
        self.cells = np.array(self.board.tables.cells[: size * size])

    def game(self) -> tuple[list[Sample], float]:
        """The quiet positions of one game, and its result for black: 1, 0.5 or 0."""
        k, st, tb = self.k, self.board.state, self.board.tables
        k.clear(self.table)
        self.board.clear_memory(0)
        self._opening()
        samples: list[Sample] = []
        while st.stones < self.size * self.size - 1:
            score, move = self._search()
            if move == k.NO_MOVE:
                break
            if abs(score) > k.PROVEN:
                return samples, float((score > 0) == (st.side == 0))
            if self._quiet():
                samples.append(self._sample(score))
            if self.dice.random() < 0.06:
                move = self._other_move(move)
            k.make(st, tb, move)
        return samples, 0.5

    def _opening(self) -> None:
        """A few stones near the middle, until neither side stands much better."""
        k, st, tb = self.k, self.board.state, self.board.tables
        middle = self.size // 2
        while True:
            k.reset(st, tb)
            for _ in range(self.dice.randint(2, 9)):
                spread = self.dice.choice((2, 3, 3, 4, 5))
                row = middle + self.dice.randint(-spread, spread)
                column = middle + self.dice.randint(-spread, spread)
                if not (0 <= row < self.size and 0 <= column < self.size):
                    continue
                cell = (row + k.EDGE) * k.STRIDE + column + k.EDGE
                if st.board[cell] == 0 and not k.denied(st, tb, cell):
                    k.make(st, tb, cell)
            score, move = self._search()
            if move != k.NO_MOVE and abs(score) < 250:
                return

    def _search(self) -> tuple[int, int]:
        """Score and move of a search of `nodes`; a move of the last complete iteration."""
        k, st, tb = self.k, self.board.state, self.board.tables
        if st.cnt[st.side * 16 + p.FIVE]:
            return k.WIN - 1, int(k.find(st, tb, st.side, p.FIVE))
        if not k.list_root_moves(st, tb):
            return 0, k.NO_MOVE
        st.nodes, st.stop, st.node_limit = 0, 0, self.nodes
        best, score = int(st.root_moves[0]), 0
        for depth in range(1, 30):
            found = int(k.search_root(st, tb, self.table, depth, -k.INFINITY, k.INFINITY))
            if st.stop:
                break
            best, score = int(st.best_move), found
            if abs(score) > k.PROVEN:
                break
        st.stop = 0
        return score, best

    def _other_move(self, move: int) -> int:
        """Now and then another good move, for variety."""
        st = self.board.state
        others = [int(cell) for cell in st.root_moves[: min(6, int(st.root_count))]]
        return self.dice.choice(others) if len(others) > 1 else move

    def _quiet(self) -> bool:
        cnt, side = self.board.state.cnt, int(self.board.state.side)
        return not (
            cnt[p.FIVE] or cnt[16 + p.FIVE] or cnt[side * 16 + p.OPEN_FOUR] or cnt[(1 - side) * 16 + p.OPEN_FOUR]
        )

    def _sample(self, score: int) -> Sample:
        k, st = self.k, self.board.state
        free = self.cells[np.asarray(st.board)[self.cells] == 0]
        comb, side = np.asarray(st.comb), int(st.side)
        own = self.index[comb[side * k.CELLS + free]]
        other = self.index[comb[(1 - side) * k.CELLS + free]]
        return Sample(_kept(own), _kept(other), score, side)


def _kept(places: npt.NDArray[np.int32]) -> npt.NDArray[np.uint16]:
    """The places that are not of four dead lines, padded with 0, which is the place of that."""
    found = places[places > 0][:CELLS_KEPT]
    return np.pad(found, (0, CELLS_KEPT - len(found))).astype(np.uint16)


def _play_some(rule: int, size: int, nodes: int, seed: int, games: int) -> dict[str, Any]:
    play = SelfPlay(rule, size, nodes, seed)
    rows: list[tuple[Sample, float]] = []
    for _ in range(games):
        samples, result = play.game()
        rows += [(sample, result if sample.side == 0 else 1 - result) for sample in samples]
    return {
        "moving": np.array([row.moving for row, _ in rows], np.uint16),
        "waiting": np.array([row.waiting for row, _ in rows], np.uint16),
        "score": np.array([row.score for row, _ in rows], np.int32),
        "result": np.array([result for _, result in rows], np.float32),
    }


def play(rule: int, size: int, games: int, nodes: int, seed: int, out: Path, workers: int) -> None:
    """Plays `games` on `workers` processes and writes their positions to `out`."""
    chunk = 20
    began = time.monotonic()
    parts = []
    with ProcessPoolExecutor(workers) as pool:
        jobs = [pool.submit(_play_some, rule, size, nodes, seed * 100_003 + i, chunk) for i in range(games // chunk)]
        for number, job in enumerate(jobs, 1):
            parts.append(job.result())
            rows = sum(len(part["score"]) for part in parts)
            seconds = time.monotonic() - began
            print(f"\r{number * chunk} games, {rows} positions, {rows / seconds:.0f}/s", end="", file=sys.stderr)
    print(file=sys.stderr)
    columns: dict[str, Any] = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    np.savez_compressed(out, **columns)


# Fitting.


class Model:
    """Weights of the patterns and of their combinations, for the side to move and for the other."""

    def __init__(self) -> None:
        self.sets = p.combinations()
        self.counts = np.array([[s.count(pattern) for pattern in range(p.PATTERNS)] for s in self.sets], np.float64)
        self.parts: dict[str, Floats] = {
            "patterns": np.zeros((2, p.PATTERNS)),
            "combinations": np.zeros((2, len(self.sets))),
            "tempo": np.zeros(1),
        }

    def table(self) -> Floats:
        """Worth of each combination, for the side to move and, taken from it, for the other."""
        worth = self.parts["patterns"] @ self.counts.T + self.parts["combinations"]
        worth[:, 0] = 0.0
        return worth

    def gradient(self, by_place: Floats, by_tempo: float, decay: float) -> dict[str, Floats]:
        by_place = by_place.copy()
        by_place[:, 0] = 0.0
        return {
            "patterns": by_place @ self.counts,
            "combinations": by_place + decay * self.parts["combinations"],
            "tempo": np.array([by_tempo]),
        }


def _batches(count: int, size: int, dice: np.random.Generator) -> Iterator[npt.NDArray[np.int64]]:
    order = dice.permutation(count)
    for start in range(0, count, size):
        yield order[start : start + size]


def fit(data: dict[str, npt.NDArray[Any]], share: float, epochs: int, decay: float) -> tuple[Model, list[float]]:
    """The model fitted to `data`; `share` of the target is the search's score, the rest the result.

    Returns also the loss on a tenth of the data that was kept out, after each epoch.
    """
    model = Model()
    dice = np.random.default_rng(1)
    target = share * _sigmoid(data["score"] / SCALE) + (1 - share) * data["result"]
    order = dice.permutation(len(target))
    held, used = order[: len(order) // 10], order[len(order) // 10 :]
    moments = {name: np.stack([np.zeros_like(part), np.zeros_like(part)]) for name, part in model.parts.items()}
    losses, step = [], 0
    for epoch in range(epochs):
        rate = 1.5 * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        for batch in _batches(len(used), 4096, dice):
            step += 1
            rows = used[batch]
            gradient = _gradient(model, data, target, rows, decay)
            for name, kept in moments.items():  # Adam: running means of the gradient and of its square
                kept[0] += 0.1 * (gradient[name] - kept[0])
                kept[1] += 0.001 * (gradient[name] ** 2 - kept[1])
                mean, square = kept[0] / (1 - 0.9**step), kept[1] / (1 - 0.999**step)
                model.parts[name] -= rate * mean / (np.sqrt(square) + 1e-9)
        losses.append(_loss(model, data, target, held))
        print(f"\repoch {epoch + 1}: {losses[-1]:.5f}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return model, losses


def _evaluate(model: Model, data: dict[str, npt.NDArray[Any]], rows: npt.NDArray[np.int64]) -> Floats:
    table = model.table()
    own, other = table[0][data["moving"][rows]].sum(1), table[1][data["waiting"][rows]].sum(1)
    value: Floats = own - other + model.parts["tempo"][0]
    return value


def _gradient(
    model: Model, data: dict[str, npt.NDArray[Any]], target: Floats, rows: npt.NDArray[np.int64], decay: float
) -> dict[str, Floats]:
    slope = (_sigmoid(_evaluate(model, data, rows) / SCALE) - target[rows]) / len(rows)
    places = len(model.sets)
    by_place = np.stack(
        [
            sign * np.bincount(data[name][rows].ravel(), np.repeat(slope, CELLS_KEPT), places)
            for name, sign in (("moving", 1.0), ("waiting", -1.0))
        ]
    )
    return model.gradient(by_place, float(slope.sum()), decay)


def _sigmoid(value: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.clip(value, -30, 30)))
    return result


def _loss(model: Model, data: dict[str, npt.NDArray[Any]], target: Floats, rows: npt.NDArray[np.int64]) -> float:
    chance = np.clip(_sigmoid(_evaluate(model, data, rows) / SCALE), 1e-6, 1 - 1e-6)
    wanted = target[rows]
    return float(-(wanted * np.log(chance) + (1 - wanted) * np.log(1 - chance)).mean())


def write(model: Model, rule: int, note: str) -> None:
    """Puts the weights of `rule` into the data file."""
    file = Path(FITTED)
    known = json.loads(file.read_text()) if file.is_file() else {}
    moving, waiting = (np.rint(part).astype(int).tolist() for part in model.table())
    known[str(rule)] = {
        "note": note,
        "tempo": round(float(model.parts["tempo"][0])),
        "moving": moving,
        "waiting": waiting,
    }
    file.write_text(json.dumps(known, sort_keys=True) + "\n")


def main() -> None:
    from ai.gomoku.engine import RULES

    parser = argparse.ArgumentParser(prog="python -m ai.gomoku.tune", description="Fits the evaluation's weights.")
    commands = parser.add_subparsers(required=True, dest="command")
    playing = commands.add_parser("play")
    playing.add_argument("--games", type=int, default=1000)
    playing.add_argument("--nodes", type=int, default=2000)
    playing.add_argument("--size", type=int, default=15)
    playing.add_argument("--seed", type=int, default=1)
    playing.add_argument("--out", type=Path, required=True)
    playing.add_argument("--workers", type=int, default=os.cpu_count())
    fitting = commands.add_parser("fit")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--share", type=float, default=0.5, help="of the search's score in the target")
    fitting.add_argument("--epochs", type=int, default=30)
    fitting.add_argument("--decay", type=float, default=1e-7)
    for command in (playing, fitting):
        command.add_argument("--rule", choices=RULES, default="freestyle")
    options = parser.parse_args()
    rule = RULES[options.rule]
    if options.command == "play":
        play(rule, options.size, options.games, options.nodes, options.seed, options.out, options.workers)
        return
    loaded = [np.load(file) for file in options.files]
    data = {name: np.concatenate([part[name] for part in loaded]) for name in loaded[0].files}
    model, losses = fit(data, options.share, options.epochs, options.decay)
    write(model, rule, f"{len(data['score'])} positions, held-out loss {losses[-1]:.5f}")


if __name__ == "__main__":
    main()
