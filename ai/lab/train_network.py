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
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pgx

from ai.lab.network.selfplay import Moves, Params, SelfPlay, Shape, apply
from ai.lab.network.training import Rates, Replay, Samples, Training, Unfinished
from ai.lab.network_exam import exam


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
    rates: Rates = Rates()


SETTINGS = {
    "connect4": Setting("connect_four", Shape(6, 7, 7, 32, 3), 16, 42),
    "tictactoe": Setting("tic_tac_toe", Shape(3, 3, 9, 16, 2), 16, 9, games=128, buffer=50_000),
}

_GAMES = 256  # against random moves


class Trainer(Training):
    """A training run of `game` by self-play."""

    def __init__(self, game: str, folder: Path, hours: float, setting: Setting | None = None) -> None:
        self.setting = setting = setting or SETTINGS[game]
        super().__init__(folder, hours, setting.shape, setting.rates, ("games", "positions"))
        self._game = game
        env = pgx.make(setting.env)
        self._selfplay = SelfPlay(env, setting.games, setting.simulations, setting.longest // 4)
        self._replay = Replay(setting.buffer, mirror(setting.shape))
        self._unfinished = Unfinished(setting.longest)
        if (samples := self.resume()) is not None:
            self._replay.add(samples)
        seed = int(self.progress["steps"])
        self._dice = np.random.default_rng(seed)
        self._key = jax.random.key(seed + 1)
        self._tables = self._selfplay.new_tables(self._next_key())
        self._score = jax.jit(partial(against_random, env))

    def _next_key(self) -> Any:
        self._key, key = jax.random.split(self._key)
        return key

    def samples(self) -> Samples | None:
        return self._replay.samples

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
        self.learn(Samples(*(array[number] for array in samples)) for number in range(steps))

    def figures(self) -> dict[str, float]:
        questions = exam(self._game, self.folder / "exam.npz")
        logits, values = map(np.asarray, apply(self.learned.average, questions.planes))
        return {
            "against_random": float(self._score(self.learned.average, self._next_key())),
            "agreement": questions.agreement(logits),
            "chance": questions.chance(),
            "value_error": questions.value_error(values),
        }


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(SETTINGS))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hours", type=float, default=6.0)
    given = parser.parse_args()
    Trainer(given.game, given.folder, given.hours).run()


if __name__ == "__main__":
    main()
