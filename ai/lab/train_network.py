"""Train a network for a game by playing against itself, from nothing.

    nice -n 19 python -m ai.lab.train_network connect4 FOLDER --hours 6

Stop it at any time: started again with the same folder, it goes on from the last checkpoint. FOLDER/curve.jsonl gets a
line at the start and then every few minutes: hours, games, positions, losses, the score of the network's first choice
against random moves, how often that choice keeps the best result in positions with exact results (`agreement`; a random
move would in the share `chance`), and the mean error of the value there. FOLDER/weights.npz holds the newest weights,
to be copied to ai/network/weights/GAME.npz.

Each iteration plays some plies in many games at once, with Gumbel MuZero's search, adds the positions of finished
games to a replay buffer, and learns from it: cross-entropy with the policies of the searches, squared error from the
results of the games. The weights that are exported are a moving average. JAX uses a GPU if there is one.
"""

from __future__ import annotations

import argparse
import io
import json
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pgx

from ai.lab.network import checkpoint
from ai.lab.network.model import Params, Shape, apply, arrays, new_params
from ai.lab.network.replay import Replay, Samples, Unfinished
from ai.lab.network.selfplay import Moves, SelfPlay
from ai.lab.network_exam import Exam, exam
from games.storage import write_atomic


class Setting(NamedTuple):
    """What is trained for a game, and how much of everything."""

    env: str
    shape: Shape
    simulations: int
    longest: int  # game, in plies
    games: int = 256  # at once
    plies: int = 16  # of each game in an iteration
    batch: int = 512
    reuse: int = 4  # how often a position is learned from, on average
    buffer: int = 300_000  # positions
    rate: float = 2e-3
    decay: float = 1e-4  # of weights
    average: float = 0.995  # share of the moving average that stays in a step


SETTINGS = {
    "connect4": Setting("connect_four", Shape(6, 7, 7, 32, 3), 16, 42),
    "tictactoe": Setting("tic_tac_toe", Shape(3, 3, 9, 16, 2), 16, 9, games=128, buffer=50_000),
}

_EVERY = 300.0  # seconds from one checkpoint and line of the curve to the next
_GAMES = 256  # against random moves
_COOLING = 0.2  # share of the hours in which the learning rate falls at the end


class Learned(NamedTuple):
    """All that is learned."""

    params: Params
    average: Params
    optimiser: Any


class Trainer:
    """A training run in `folder`; `hours` counts all its parts, from the first start."""

    def __init__(self, game: str, folder: Path, hours: float, setting: Setting | None = None) -> None:
        self.setting = setting = setting or SETTINGS[game]
        self._game, self._folder, self._hours = game, folder, hours
        self._optimiser = optax.inject_hyperparams(optax.adamw)(setting.rate, weight_decay=setting.decay)
        env = pgx.make(setting.env)
        self._selfplay = SelfPlay(env, setting.games, setting.simulations, setting.longest // 4)
        self._replay = Replay(setting.buffer, mirror(setting.shape))
        self._unfinished = Unfinished(setting.longest)
        params = new_params(setting.shape, jax.random.key(0))
        self.learned = Learned(params, params, self._optimiser.init(params))
        self.progress: dict[str, float] = {"seconds": 0.0, "games": 0, "positions": 0, "steps": 0}
        if (folder / checkpoint.NAME).is_file():
            self._resume()
        seed = int(self.progress["steps"])
        self._dice = np.random.default_rng(seed)
        self._key = jax.random.key(seed + 1)
        self._tables = self._selfplay.new_tables(self._next_key())
        self._losses: list[Any] = []
        self._learn = jax.jit(self._step)
        self._score = jax.jit(partial(against_random, env))

    def _resume(self) -> None:
        tree, samples, self.progress = checkpoint.load(self._folder, self.learned)
        self.learned = Learned(*tree)
        if samples is not None:
            self._replay.add(samples)

    def _next_key(self) -> Any:
        self._key, key = jax.random.split(self._key)
        return key

    def run(self) -> None:
        """Train until the hours are over."""
        self._folder.mkdir(parents=True, exist_ok=True)
        questions = exam(self._game, self._folder / "exam.npz")
        if self.progress["steps"] == 0:
            self.report(questions)
        begun, before = time.monotonic(), self.progress["seconds"]
        reported = begun
        while self.progress["seconds"] < self._hours * 3600:
            self.iterate()
            now = time.monotonic()
            self.progress["seconds"] = before + now - begun
            if now - reported >= _EVERY:
                reported = now
                self.report(questions)
        self.report(questions)

    def iterate(self) -> None:
        """Play some plies in all games, and learn."""
        setting = self.setting
        self._tables, moves = self._selfplay.play(self.learned.params, self._tables, self._next_key(), setting.plies)
        new, games = self._unfinished.add(Moves(*(np.asarray(array) for array in moves)))
        self._replay.add(new)
        self.progress["games"] += games
        self.progress["positions"] += len(new.values)
        steps = setting.plies * setting.games * setting.reuse // setting.batch
        if len(self._replay) < 4 * setting.batch:
            return
        samples = self._replay.draw(steps, setting.batch, self._dice)
        self.learned.optimiser.hyperparams["learning_rate"] = jnp.asarray(self._rate())
        # Not a scan: inside a loop, the gradients of convolutions are many times slower on processors.
        for number in range(steps):
            self.learned, losses = self._learn(self.learned, Samples(*(array[number] for array in samples)))
            self._losses.append(losses)
        self.progress["steps"] += steps

    def _rate(self) -> float:
        left = 1 - self.progress["seconds"] / max(1.0, self._hours * 3600)
        return self.setting.rate * min(1.0, max(0.05, left / _COOLING))

    def _step(self, learned: Learned, samples: Samples) -> tuple[Learned, Any]:
        gradient, losses = jax.grad(loss, has_aux=True)(learned.params, samples)
        updates, optimiser = self._optimiser.update(gradient, learned.optimiser, learned.params)
        params = optax.apply_updates(learned.params, updates)
        keep = self.setting.average
        average = jax.tree.map(lambda old, new: keep * old + (1 - keep) * new, learned.average, params)
        return Learned(params, average, optimiser), losses

    def report(self, questions: Exam) -> None:
        """Add a line to the curve; write the weights and a checkpoint."""
        policy, value = np.mean(self._losses, axis=0).tolist() if self._losses else (None, None)
        self._losses.clear()
        line: dict[str, float | None] = {"hours": round(self.progress["seconds"] / 3600, 3)}
        line |= {name: int(self.progress[name]) for name in ("games", "positions", "steps")}
        line |= {"policy_loss": policy, "value_loss": value}
        line["against_random"] = float(self._score(self.learned.average, self._next_key()))
        logits, values = map(np.asarray, apply(self.learned.average, questions.planes))
        line |= {"agreement": questions.agreement(logits), "chance": questions.chance()}
        line["value_error"] = questions.value_error(values)
        with (self._folder / "curve.jsonl").open("a", encoding="utf-8") as curve:
            print(json.dumps(line), file=curve)
        print(json.dumps(line), flush=True)
        export(self._folder / "weights.npz", self.learned.average, self.setting.shape)
        checkpoint.save(self._folder, self.learned, self._replay.samples, self.progress)


def loss(params: Params, samples: Samples) -> tuple[Any, Any]:
    """Return the loss, and its two parts."""
    logits, values = apply(params, samples.planes)
    policy = optax.softmax_cross_entropy(logits, samples.policies).mean()
    value = jnp.mean((values - samples.values) ** 2)
    return policy + value, jnp.stack([policy, value])


def mirror(shape: Shape) -> Any:
    """Return the move that mirrors each move from left to right; a move is a column or a cell."""
    return np.arange(shape.moves).reshape(-1, shape.width)[:, ::-1].reshape(-1)


def against_random(env: pgx.Env, params: Params, key: Any) -> Any:
    """Return the score of the legal move with the greatest logit against random moves; either side begins by chance."""

    def ply(carry: Any) -> Any:
        states, score, key = carry
        key, choice = jax.random.split(key)
        logits, _values = apply(params, states.observation)
        chances = jnp.where((states.current_player == 0)[:, None], logits, jax.random.gumbel(choice, logits.shape))
        moves = jnp.where(states.legal_action_mask, chances, -jnp.inf).argmax(axis=1)
        states = jax.vmap(env.step)(states, moves)
        return states, score + states.rewards[:, 0], key

    begin, key = jax.random.split(key)
    states = jax.vmap(env.init)(jax.random.split(begin, _GAMES))
    carry = jax.lax.while_loop(lambda carry: ~carry[0].terminated.all(), ply, (states, jnp.zeros(_GAMES), key))
    return 0.5 + carry[1].mean() / 2


def export(file: Path, params: Params, shape: Shape) -> None:
    """Write the weights for `ai.network`."""
    data = io.BytesIO()
    np.savez_compressed(data, shape=np.array([shape.height, shape.width, shape.moves]), **arrays(params))
    write_atomic(file, data.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(SETTINGS))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hours", type=float, default=6.0)
    given = parser.parse_args()
    Trainer(given.game, given.folder, given.hours).run()


if __name__ == "__main__":
    main()
