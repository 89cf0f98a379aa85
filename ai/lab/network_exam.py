"""Positions with known results, by which a network is measured.

    python -m ai.lab.network_exam connect4

tells how often the first choice of the shipped network keeps the best result, without a search, and how many positions
it judges in a second of processor time. `--weights FILE` examines others, such as those of a training in progress.
For gomoku it tells how often the move of the engine, which searched about a second on one idle core, is the network's
first choice or among the first five; how often that of the patterns, which guide `mcts` without a network; and of both
together, which guide `mcts:network`.
"""

from __future__ import annotations

import argparse
import io
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.gomoku.book import SIZE
from ai.gomoku.gomoku_oracles import PatternsOracle
from ai.lab.check_connect4 import by_chance
from ai.lab.gomoku_labels import EXAM, Game, among_first, games_of, labels_of
from ai.network.network import Network, load_weights, planes_of, weights_file
from ai.solvers.connect4_kernels import NO_LIMIT, STATE, solve
from ai.system.compiler.jit import new_record, new_table
from games.connect4 import WIDTH, Connect4Position
from games.position import FIRST, Position
from games.registry import setup
from games.storage import write_atomic

Array = npt.NDArray[Any]

_ILLEGAL = -2  # instead of the result of a move: 1 a win, 0 a draw, -1 a loss
_COUNT = 1000  # positions of Connect Four
_LEAST, _MOST = 12, 28  # discs of each
_TABLE_MB = 128


class Exam(NamedTuple):
    """Positions in which not every move has the same result: their planes, and the result of each move."""

    planes: Array
    results: Array

    def agreement(self, logits: Array) -> float:
        """Return the share of positions in which the legal move with the greatest logit keeps the best result."""
        chosen = np.where(self.results == _ILLEGAL, -np.inf, logits).argmax(axis=1)
        return float(np.mean(self.results[np.arange(len(chosen)), chosen] == self.results.max(axis=1)))

    def chance(self) -> float:
        """Return the expected agreement of a random legal move."""
        legal = self.results != _ILLEGAL
        best = self.results == self.results.max(axis=1, keepdims=True)
        return float(np.mean(best.sum(axis=1) / legal.sum(axis=1)))

    def value_error(self, values: Array) -> float:
        """Return the mean absolute difference of values and exact results."""
        return float(np.mean(np.abs(values - self.results.max(axis=1))))


def exam(game: str, file: Path) -> Exam:
    """Return the exam in `file`; make it first if it is not there, which takes a minute.

    For Connect Four it has `_COUNT` positions of games by chance, for tic-tac-toe all positions.
    """
    if not file.is_file():
        questions = list(_connect4() if game == "connect4" else _tictactoe())
        planes, results = (np.array(column) for column in zip(*questions, strict=True))
        data = io.BytesIO()
        np.savez_compressed(data, planes=planes, results=results.astype(np.int8))
        write_atomic(file, data.getvalue())
    with np.load(file) as arrays:
        return Exam(arrays["planes"], arrays["results"])


def _question(position: Position, width: int, results: list[int]) -> Iterator[tuple[Array, list[int]]]:
    """Yield the position if its moves differ in their results."""
    if len(set(results) - {_ILLEGAL}) > 1:
        yield planes_of(position, width), results


def _results(position: Position, moves: int, value: Callable[[Position], int]) -> list[int]:
    """Return the result of each move for the side to move; `value` solves a position that goes on."""
    legal = set(position.legal_moves())
    found = []
    for move in range(moves):
        after = position.play(move) if move in legal else None
        if after is None:
            found.append(_ILLEGAL)
        elif after.outcome is not None:
            found.append(0 if after.outcome.winner is None else 1)
        else:
            found.append(-value(after))
    return found


def _connect4() -> Iterator[tuple[Array, list[int]]]:
    state, table, dice = new_record(STATE), new_table(_TABLE_MB << 17), random.Random(1)
    state.node_limit = NO_LIMIT

    def value(position: Position) -> int:
        assert isinstance(position, Connect4Position)
        own, other = position.first, position.second
        if position.turn != FIRST:
            own, other = other, own
        return int(np.sign(solve(state, table, own, own | other, -1, 1)))

    found = 0
    while found < _COUNT:
        position = by_chance(dice.randint(_LEAST, _MOST), dice)
        for question in _question(position, WIDTH, _results(position, WIDTH, value)):
            found += 1
            yield question


def _tictactoe() -> Iterator[tuple[Array, list[int]]]:
    known: dict[Any, list[int]] = {}

    def value(position: Position) -> int:
        if position.key not in known:
            known[position.key] = _results(position, 9, value)
            positions.append(position)
        return max(known[position.key])

    positions: list[Position] = []
    value(setup("tictactoe").start())
    for position in positions:
        yield from _question(position, 3, known[position.key])


class Answers(NamedTuple):
    """What a network says of some positions, and how many it judges in a second of processor time."""

    logits: Array
    values: Array
    speed: float


def answers(network: Network, planes: Array) -> Answers:
    begun = time.process_time()
    found = [network.evaluate(board) for board in planes]
    speed = len(found) / (time.process_time() - begun)
    logits, values = (np.array(column) for column in zip(*found, strict=True))
    return Answers(logits, values, speed)


def _examine(game: str, network: Network) -> Answers:
    """Print how the network does in positions with exact results."""
    with tempfile.TemporaryDirectory() as folder:
        questions = exam(game, Path(folder) / "exam.npz")
    found = answers(network, questions.planes)
    print(f"{len(found.values)} positions, in which chance keeps the best result in {questions.chance():.1%}")
    print(f"the network's first choice keeps it in {questions.agreement(found.logits):.1%}")
    print(f"mean error of the value: {questions.value_error(found.values):.3f}")
    return found


def _examine_gomoku(network: Network) -> Answers:
    """Print how the network agrees with the engine, and how the patterns do."""
    games = list(games_of(EXAM))
    labels = labels_of(games)
    found = answers(network, labels.planes())
    print(f"{len(labels.moves)} positions; the engine's move is the first choice, or among the first five")
    priors, values = _patterns(games)
    together = np.log(np.maximum(priors, np.finfo(float).tiny)) + found.logits
    rows = {"network": (found.logits, found.values), "patterns": (priors, values), "two together": (together, values)}
    for name, (logits, values) in rows.items():
        first, five = (among_first(logits, labels, count) for count in (1, 5))
        error = np.mean(np.abs(values - labels.values))
        print(f"of the {name} in {first:.1%}, or {five:.1%}; mean error of the value: {error:.3f}")
    return found


def _patterns(games: list[Game]) -> tuple[Array, Array]:
    """Return the priors and values of the engine's patterns in the labelled positions."""
    oracle, priors, values = PatternsOracle(), list[Array](), list[float]()
    for position in (game.position(ply) for game in games for ply, _move, _score in game.labels):
        guidance = oracle.evaluate(position)
        priors.append(np.zeros(SIZE * SIZE))
        priors[-1][list(guidance.priors)] = list(guidance.priors.values())
        values.append(guidance.value)
    return np.array(priors), np.array(values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("connect4", "gomoku", "tictactoe"))
    parser.add_argument("--weights", type=Path, help="a file of weights instead of the shipped one")
    given = parser.parse_args()
    network = Network(load_weights(given.weights or weights_file(given.game)))
    found = _examine_gomoku(network) if given.game == "gomoku" else _examine(given.game, network)
    print(f"{found.speed:,.0f} evaluations a second")


if __name__ == "__main__":
    main()
