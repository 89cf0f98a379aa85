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
import optax

from ai.lab.network import checkpoint
from ai.lab.network.model import Params, Shape, apply, arrays, new_params
from ai.lab.network.replay import Samples
from games.storage import write_atomic

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
        if not (self.folder / checkpoint.NAME).is_file():
            return None
        tree, samples, self.progress = checkpoint.load(self.folder, self.learned)
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
        checkpoint.save(self.folder, self.learned, self.samples(), self.progress)


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
