"""What all trainings share: steps of the optimiser, a moving average of the weights, the curve, and checkpoints."""

from __future__ import annotations

import io
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from ai.lab.network.selfplay import Moves, Params, Shape, apply, arrays, new_params
from games.storage import write_atomic

# The positions to learn from: moves of games until their results are known, then the newest of all positions.


Array = npt.NDArray[Any]


class Samples(NamedTuple):
    """Positions: planes (batch, height, width, 2), policies (batch, moves), and results for the side to move."""

    planes: Array
    policies: Array
    values: Array


class Unfinished:
    """The moves of games in progress. A game has at most `longest` plies."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._moves: Moves | None = None

    def add(self, moves: Moves) -> tuple[Samples, int]:
        """Return the recorded positions of the games that have ended, and the number of these games."""
        ended = int(np.sum(moves.last))
        if self._moves is not None:
            moves = Moves(*(np.concatenate(pair) for pair in zip(self._moves, moves, strict=True)))
        values, known = results(moves.rewards, moves.last)
        chosen = known & moves.recorded
        samples = Samples(moves.planes[chosen], moves.policies[chosen], values[chosen])
        rest = moves._replace(recorded=moves.recorded & ~known)
        self._moves = Moves(*(array[-self._longest :] for array in rest))
        return samples, ended


def results(rewards: Array, last: Array) -> tuple[Array, Array]:
    """Return the result for the side to move at each (ply, game), and whether it is known: whether that game ends."""
    values, known = np.zeros(rewards.shape, np.float32), np.zeros(rewards.shape, bool)
    value, ends = np.zeros(rewards.shape[1:], np.float32), np.zeros(rewards.shape[1:], bool)
    for ply in reversed(range(len(rewards))):
        value = np.where(last[ply], rewards[ply], -value)
        ends = ends | last[ply]
        values[ply], known[ply] = value, ends
    return values, known


class Replay:
    """The newest `size` positions. `mirror` gives the move that mirrors each move from left to right."""

    def __init__(self, size: int, mirror: Array) -> None:
        self._size, self._mirror = size, mirror
        self._samples: Samples | None = None

    def __len__(self) -> int:
        return 0 if self._samples is None else len(self._samples.values)

    @property
    def samples(self) -> Samples | None:
        return self._samples

    def add(self, new: Samples) -> None:
        parts = [Samples(new.planes.astype(bool), new.policies.astype(np.float16), new.values.astype(np.int8))]
        if self._samples is not None:
            parts.insert(0, self._samples)
        self._samples = Samples(*(np.concatenate(arrays)[-self._size :] for arrays in zip(*parts, strict=True)))

    def draw(self, count: int, size: int, dice: np.random.Generator) -> Samples:
        """Return `count` batches of `size` positions, each mirrored or not by chance."""
        assert self._samples is not None
        places = dice.integers(len(self), size=(count, size))
        planes, policies, values = (array[places] for array in self._samples)
        turned = dice.random((count, size)) < 0.5
        planes = np.where(turned[..., None, None, None], planes[:, :, :, ::-1], planes)
        policies = np.where(turned[..., None], policies[..., self._mirror], policies)
        return Samples(planes, policies.astype(np.float32), values.astype(np.float32))


# Checkpoints of a training run: one file, replaced in one step, so that a kill at any time leaves a whole one.


NAME = "npz"


def save(folder: Path, tree: Any, samples: Samples | None, progress: dict[str, float]) -> None:
    """Write a tree of arrays, the replay buffer and the counters."""
    contents: dict[str, Any] = {f"leaf/{n}": np.asarray(leaf) for n, leaf in enumerate(jax.tree.leaves(tree))}
    if samples is not None:
        packed = samples._replace(planes=np.packbits(samples.planes, axis=-1))
        contents |= {f"samples/{name}": array for name, array in packed._asdict().items()}
    contents["progress"] = np.array(json.dumps(progress))
    data = io.BytesIO()
    np.savez_compressed(data, **contents)
    write_atomic(folder / NAME, data.getvalue())


def load(folder: Path, like: Any) -> tuple[Any, Samples | None, dict[str, float]]:
    """Return what `save` wrote; the tree has the structure of `like`. Raise `ValueError` for another structure."""
    with np.load(folder / NAME) as data:
        leaves, structure = jax.tree.flatten(like)
        found = [data[f"leaf/{n}"] for n in range(sum(name.startswith("leaf/") for name in data.files))]
        if [leaf.shape for leaf in leaves] != [leaf.shape for leaf in found]:
            raise ValueError(f"The checkpoint in “{folder}” is of a network with another shape.")
        samples = None
        if "samples/values" in data:
            samples = Samples(*(data[f"samples/{name}"] for name in Samples._fields))
            samples = samples._replace(planes=np.unpackbits(samples.planes, axis=-1, count=2).astype(bool))
        return jax.tree.unflatten(structure, found), samples, json.loads(str(data["progress"]))


CURVE, WEIGHTS = "curve.jsonl", "weights.npz"

_EVERY = 300.0  # seconds from one checkpoint and line of the curve to the next
_COOLING = 0.2  # share of the hours in which the learning rate falls at the end


class Rates(NamedTuple):
    """How fast a network learns."""

    learning: float = 2e-3
    decay: float = 1e-4  # of weights
    average: float = 0.995  # share of the moving average that stays in a step


class Learned(NamedTuple):
    """All that is learned."""

    params: Params
    average: Params
    optimiser: Any


class Training(ABC):
    """A training run in `folder`; `hours` counts all its parts, from the first start. `progress` are its counters."""

    def __init__(self, folder: Path, hours: float, shape: Shape, rates: Rates, counters: tuple[str, ...]) -> None:
        self.folder, self.shape = folder, shape
        self._hours, self._rates = hours, rates
        self._optimiser = optax.inject_hyperparams(optax.adamw)(rates.learning, weight_decay=rates.decay)
        params = new_params(shape, jax.random.key(0))
        self.learned = Learned(params, params, self._optimiser.init(params))
        self.progress: dict[str, float] = {"seconds": 0.0, **dict.fromkeys(counters, 0), "steps": 0}
        self._losses: list[Any] = []
        self._learn = jax.jit(self._step)

    def resume(self) -> Samples | None:
        """Go on from the checkpoint if there is one; return its samples."""
        if not (self.folder / NAME).is_file():
            return None
        tree, samples, self.progress = load(self.folder, self.learned)
        self.learned = Learned(*tree)
        return samples

    @abstractmethod
    def iterate(self) -> None:
        """Learn for some seconds."""

    @abstractmethod
    def figures(self) -> dict[str, float]:
        """Return what the curve says of the network besides its losses."""

    def samples(self) -> Samples | None:
        """Return the samples that a checkpoint keeps."""
        return None

    def run(self) -> None:
        """Train until the hours are over."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.progress["steps"] == 0:
            self.report()
        begun, before = time.monotonic(), self.progress["seconds"]
        reported = begun
        while self.progress["seconds"] < self._hours * 3600:
            self.iterate()
            now = time.monotonic()
            self.progress["seconds"] = before + now - begun
            if now - reported >= _EVERY:
                reported = now
                self.report()
        self.report()

    def learn(self, batches: Iterator[Samples]) -> None:
        """Take a step for each batch."""
        self.learned.optimiser.hyperparams["learning_rate"] = jnp.asarray(self._rate())
        # Not a scan: inside a loop, the gradients of convolutions are many times slower on processors.
        for batch in batches:
            self.learned, losses = self._learn(self.learned, batch)
            self._losses.append(losses)
            self.progress["steps"] += 1

    def _rate(self) -> float:
        left = 1 - self.progress["seconds"] / max(1.0, self._hours * 3600)
        return self._rates.learning * min(1.0, max(0.05, left / _COOLING))

    def _step(self, learned: Learned, samples: Samples) -> tuple[Learned, Any]:
        gradient, losses = jax.grad(loss, has_aux=True)(learned.params, samples)
        updates, optimiser = self._optimiser.update(gradient, learned.optimiser, learned.params)
        params = optax.apply_updates(learned.params, updates)
        keep = self._rates.average
        average = jax.tree.map(lambda old, new: keep * old + (1 - keep) * new, learned.average, params)
        return Learned(params, average, optimiser), losses

    def report(self) -> None:
        """Add a line to the curve; write the weights and a checkpoint."""
        policy, value = np.mean(self._losses, axis=0).tolist() if self._losses else (None, None)
        self._losses.clear()
        line: dict[str, float | None] = {"hours": round(self.progress["seconds"] / 3600, 3)}
        line |= {name: int(count) for name, count in self.progress.items() if name != "seconds"}
        line |= {"policy_loss": policy, "value_loss": value, **self.figures()}
        with (self.folder / CURVE).open("a", encoding="utf-8") as curve:
            print(json.dumps(line), file=curve)
        print(json.dumps(line), flush=True)
        export(self.folder / WEIGHTS, self.learned.average, self.shape)
        save(self.folder, self.learned, self.samples(), self.progress)


def loss(params: Params, samples: Samples) -> tuple[Any, Any]:
    """Return the loss, and its two parts."""
    logits, values = apply(params, samples.planes)
    policy = optax.softmax_cross_entropy(logits, samples.policies).mean()
    value = jnp.mean((values - samples.values) ** 2)
    return policy + value, jnp.stack([policy, value])


def export(file: Path, params: Params, shape: Shape) -> None:
    """Write the weights for `ai.network`."""
    data = io.BytesIO()
    np.savez_compressed(data, shape=np.array([shape.height, shape.width, shape.moves]), **arrays(params))
    write_atomic(file, data.getvalue())
