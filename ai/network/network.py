"""A network with a policy head and a value head, run in NumPy for one position at a time.

It is a residual tower of 3 by 3 convolutions. `ai.lab.network.selfplay` defines the same one in JAX, and
`ai.lab.network.training` trains it. The weights are arrays in a .npz file: ``LAYER/w``, a matrix (inputs, outputs),
``LAYER/b``, and ``shape``: height, width and moves of the board. In a local network ``moves`` has one output, which is
applied to each cell: the network plays on boards of any size.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from math import exp
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ai.search.oracles import Guidance, follow_forced_moves, result, win_at_once
from ai.system.arrays import read_arrays
from games.position import FIRST, Position, cells_of

Floats = npt.NDArray[np.float32]
Weights = Mapping[str, Floats]

PLANES = 2
"""Own pieces, and those of the opponent."""

_ON_ONE_THREAD = 1 << 18
"""Multiplications of a matrix product that OpenBLAS leaves to one thread. Threads gain little here, and on a busy
machine they wait for each other in loops that take all its time."""

_FOLDER = Path(__file__).with_name("weights")
_HEADS = ("policy", "value")


def weights_file(game: str) -> Path:
    """Return the path of the weights for `game`; the file need not exist."""
    return _FOLDER / f"{game}.npz"


@cache
def load_weights(file: Path) -> dict[str, Floats]:
    """Return the arrays in `file`, cached.

    Raise `ValueError` with a sentence if it cannot be read or if arrays are missing or have wrong shapes.
    """
    try:
        weights = {name: np.ascontiguousarray(each, np.float32) for name, each in read_arrays(file).items()}
        _check(weights)
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is damaged"
        raise ValueError(f"The weights of the network in “{file}” cannot be read: {reason}.") from error
    return weights


def blocks_of(weights: Mapping[str, Any]) -> int:
    """Return the number of residual blocks in `weights`."""
    return sum(name.endswith("/first/w") for name in weights)


def is_local(weights: Mapping[str, Any]) -> bool:
    """Return whether the network is local: one policy output, applied to each cell, so that the board can have any
    size."""
    return bool(weights["moves/b"].shape == (1,))


def _check(weights: Weights) -> None:
    """Check that `weights` fit together. Raise `KeyError` for a missing array, `ValueError` for a wrong shape or
    number."""
    height, width, moves = (int(number) for number in weights["shape"])
    channels, head = weights["input/b"].shape[0], weights["policy/b"].shape[0]
    hidden, local = weights["hidden/b"].shape[0], is_local(weights)
    sizes = {"input": (9 * (PLANES + local), channels), **dict.fromkeys(_HEADS, (channels, head))}
    for block in range(blocks_of(weights)):
        sizes |= {f"{block}/{name}": (9 * channels, channels) for name in ("first", "second")}
    if local and moves != height * width:
        raise ValueError("A move is not a cell.")
    inputs = head * height * width
    sizes["moves"] = (head, 1) if local else (inputs, moves)
    sizes["hidden"] = (2 * head if local else inputs, hidden)
    sizes["output"] = (hidden, 1)
    for layer, size in sizes.items():
        matrix, bias = weights[f"{layer}/w"], weights[f"{layer}/b"]
        if matrix.shape != size or bias.shape != size[1:]:
            raise ValueError(f"{layer} has the shape {matrix.shape}.")
        if not (np.isfinite(matrix).all() and np.isfinite(bias).all()):
            raise ValueError(f"{layer} is not finite.")


def planes_of(position: Position, width: int) -> npt.NDArray[np.bool_]:
    """Return the board as bits (height, width, PLANES): own pieces, opponent's pieces. `width` is that of the board.

    Raise `TypeError` for a position without cells.
    """
    cells = np.frombuffer(cells_of(position), np.uint8).reshape(-1, width)
    return np.stack([cells == 1 + position.turn, cells == 2 - position.turn], axis=-1)


class _Convolution:
    """A 3 by 3 convolution of one board, padded with zeros. Write the input (height, width, channels) to `source`."""

    def __init__(self, weights: Weights, layer: str, height: int, width: int) -> None:
        self._matrix, self._bias = weights[f"{layer}/w"], weights[f"{layer}/b"]
        channels = len(self._matrix) // 9
        padded = np.zeros((height + 2, width + 2, channels), np.float32)
        self.source = padded[1:-1, 1:-1]
        row, column, number = padded.strides
        # Three cells of a row are beside each other in memory.
        self._windows = np.lib.stride_tricks.as_strided(
            padded, (height, width, 3, 3 * channels), (row, column, row, number), writeable=False
        )
        self._columns = np.empty((height, width, 3, 3 * channels), np.float32)
        parts = equal_parts(height, width * self._matrix.size)
        self._inputs = self._columns.reshape(parts, height // parts * width, -1)
        self._outputs = (*self._inputs.shape[:2], len(self._bias))

    def run(self, out: Floats) -> None:
        """Write the convolution of `source`, bias included, to `out`, of shape (cells, outputs)."""
        np.copyto(self._columns, self._windows)
        np.matmul(self._inputs, self._matrix, out=out.reshape(self._outputs))
        out += self._bias


def equal_parts(rows: int, size: int) -> int:
    """Return into how many equal parts of whole rows to split a matrix product, so that BLAS runs each on one thread.

    `size` is the number of multiplications for one of the `rows`. If no split is small enough, return `rows`.
    """
    return next(
        (parts for parts in range(1, rows) if rows % parts == 0 and rows // parts * size <= _ON_ONE_THREAD), rows
    )


class Network:
    """A network for boards of one size. It reuses buffers: use an instance on one thread at a time.

    `board` is the height and width, by default those of the training. Another size needs a local network; otherwise
    raise `ValueError`.
    """

    def __init__(self, weights: Weights, board: tuple[int, int] | None = None) -> None:
        self._weights, self._local = weights, is_local(weights)
        self.height, self.width, self.moves = (int(number) for number in weights["shape"])
        if board is not None and board != (self.height, self.width):
            if not self._local:
                raise ValueError("The network is for another board.")
            (self.height, self.width), self.moves = board, board[0] * board[1]

        def convolution(layer: str) -> _Convolution:
            """Return a convolution of this board with the weights of `layer`."""
            return _Convolution(weights, layer, self.height, self.width)

        blocks = range(blocks_of(weights))
        self._input = convolution("input")
        self._tower = [(convolution(f"{block}/first"), convolution(f"{block}/second")) for block in blocks]
        self._planes = self._input.source[..., :PLANES]
        self._input.source[..., PLANES:] = 1
        cells, channels = self.height * self.width, len(weights["input/b"])
        self._x, self._y = np.empty((2, cells, channels), np.float32)
        self._board = (self.height, self.width, channels)
        self._heads = np.concatenate([weights[f"{head}/w"] for head in _HEADS], axis=1)
        self._head_bias = np.concatenate([weights[f"{head}/b"] for head in _HEADS])
        self._split = len(weights["policy/b"])
        self._parts = equal_parts(self.height, self.width * self._heads.size)

    def evaluate(self, planes: npt.NDArray[Any]) -> tuple[Floats, float]:
        """Return the logit of each move, and the value from -1 to 1 for the side to move, for the planes of
        `planes_of`."""
        x, y = self._x, self._y
        self._planes[:] = planes
        self._input.run(x)
        np.maximum(x, 0, out=x)
        for first, second in self._tower:
            first.source[:] = x.reshape(self._board)
            first.run(y)
            np.maximum(y.reshape(self._board), 0, out=second.source)
            second.run(y)
            x += y
            np.maximum(x, 0, out=x)
        heads = (x.reshape(self._parts, -1, len(self._heads)) @ self._heads).reshape(len(x), -1)
        heads = np.maximum(heads + self._head_bias, 0)
        policy, value = heads[:, : self._split], heads[:, self._split :]
        if self._local:
            pooled = np.concatenate([value.mean(axis=0), value.max(axis=0)])
        else:
            policy, pooled = policy.reshape(-1), value.reshape(-1)
        hidden = np.maximum(self._dense("hidden", pooled), 0)
        return self._dense("moves", policy).reshape(-1), math.tanh(float(self._dense("output", hidden)[0]))

    def _dense(self, layer: str, x: Floats) -> Floats:
        """Return the output of a fully connected layer, without activation."""
        found: Floats = x @ self._weights[f"{layer}/w"]
        found += self._weights[f"{layer}/b"]
        return found


# A trained network as what guides a Monte Carlo tree search.


class NetworkOracle:
    """An `Oracle` for Monte Carlo tree search: a policy head for the priors of the candidates, a value head for the
    value.

    Where the move is forced, the value is that of the position after all forced moves. Raise `ValueError` with a
    sentence if the weights for `game` cannot be read.
    """

    def __init__(self, game: str) -> None:
        self._network = Network(load_weights(weights_file(game)))

    def evaluate(self, position: Position) -> Guidance:
        """Return the priors and the value: for an immediate win, for a single candidate, or else those of the
        network."""
        moves = position.candidates()
        if (win := win_at_once(position, moves)) is not None:
            return win
        if len(moves) == 1:
            return Guidance({moves[0]: 1.0}, self._forced_value(position, moves))
        logits, value = self._run_network(position)
        return Guidance(softmax(logits, moves), value)

    def _forced_value(self, position: Position, moves: Sequence[int]) -> float:
        """Return the value for the side to move, of the position after the forced moves; `moves` has the first one."""
        after = follow_forced_moves(position, moves)
        value = self._run_network(after)[1] if after.outcome is None else result(after.outcome)
        first = after.turn if after.outcome is None else FIRST
        return value if position.turn == first else -value

    def _run_network(self, position: Position) -> tuple[Floats, float]:
        """Run the network: return the logit of each move, and the value for the side to move."""
        return self._network.evaluate(planes_of(position, self._network.width))


def softmax(logits: Floats, moves: Sequence[int]) -> dict[int, float]:
    """Return the probabilities of `moves` among themselves, from the logits of all moves."""
    most = max(float(logits[move]) for move in moves)
    weights = {move: exp(float(logits[move]) - most) for move in moves}
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items()}


# How a network was trained: its curve, which is beside its weights.


class TrainingResult(NamedTuple):
    """How strong the network was after `games` games of self-play.

    `agreement` is the share of positions in which its first choice keeps the exact result, `score` its share of points
    against random moves, both from 0 to 1. The losses are means since the entry before; None at the start.
    """

    games: int
    agreement: float
    score: float
    policy_loss: float | None
    value_loss: float | None


class Training(NamedTuple):
    """The training curve: `progress` has the entries from the start on; `chance` is the agreement of a random move."""

    chance: float
    progress: tuple[TrainingResult, ...]


def training_file(game: str) -> Path:
    """Return the path of the training curve for `game`; the file need not exist."""
    return weights_file(game).with_suffix(".json")


@cache
def training(game: str) -> Training:
    """Read the training curve of a game, cached. The game must have a network: errors of the file are raised."""
    data = json.loads(training_file(game).read_text(encoding="utf-8"))
    return Training(data["chance"], tuple(TrainingResult(*row) for row in data["progress"]))


def training_text(lines: list[Mapping[str, Any]]) -> str:
    """Return the contents of a training file for `lines`, the entries that `ai.lab.train_network` has logged."""
    names = ("games", "agreement", "against_random", "policy_loss", "value_loss")
    rows = [[value if value is None else round(value, 4) for value in map(line.get, names)] for line in lines]
    progress = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return f'{{"chance": {lines[-1]["chance"]:.4f}, "progress": [\n{progress}\n]}}\n'
