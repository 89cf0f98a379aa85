"""Batched self-play in JAX: pgx plays the games, mctx searches each move (Gumbel MuZero)."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import pgx

# The network in JAX: a residual tower with a policy head and a value head, without normalisation.
#
# `ai.network.inference` computes the same in NumPy from the arrays that `arrays` returns.


Params = dict[str, Any]

_HEAD, _LOCAL_HEAD = 4, 16  # channels of each head
_HIDDEN = 32  # units of the value head
_PLANES = 2  # own pieces, and those of the opponent


class Shape(NamedTuple):
    """The size of a network: board, moves, channels and residual blocks.

    The heads of a `local` network are the same for each cell: a move is a cell, its logit comes from the channels
    there, and the value from the means and maxima over the board. It plays on boards of other sizes, too, and has a
    plane of ones, by which it sees the edge.
    """

    height: int
    width: int
    moves: int
    channels: int
    blocks: int
    local: bool = False


def new_params(shape: Shape, key: Any) -> Params:
    """Return random weights (He initialisation). The second convolution of each block begins with zeros, so that
    the tower begins as the identity."""
    keys = iter(jax.random.split(key, shape.blocks + 7))
    area, channels = shape.height * shape.width, shape.channels

    def weights(*size: int) -> Any:
        fan_in = int(np.prod(size[:-1]))
        return jax.random.normal(next(keys), size) * (2 / fan_in) ** 0.5

    head = _LOCAL_HEAD if shape.local else _HEAD
    params: Params = {"input/w": weights(3, 3, _PLANES + shape.local, channels), "input/b": jnp.zeros(channels)}
    for block in range(shape.blocks):
        params[f"{block}/first/w"] = weights(3, 3, channels, channels)
        params[f"{block}/second/w"] = jnp.zeros((3, 3, channels, channels))
        params |= {f"{block}/{name}/b": jnp.zeros(channels) for name in ("first", "second")}
    for name in ("policy", "value"):
        params[f"{name}/w"], params[f"{name}/b"] = weights(1, 1, channels, head), jnp.zeros(head)
    inputs, moves = (head, 1) if shape.local else (head * area, shape.moves)
    params["moves/w"], params["moves/b"] = 0.1 * weights(inputs, moves), jnp.zeros(moves)
    inputs = 2 * head if shape.local else head * area
    params["hidden/w"], params["hidden/b"] = weights(inputs, _HIDDEN), jnp.zeros(_HIDDEN)
    params["output/w"], params["output/b"] = 0.1 * weights(_HIDDEN, 1), jnp.zeros(1)
    return params


def apply(params: Params, planes: Any) -> tuple[Any, Any]:
    """Return the logits of the moves, and the values in [-1, 1], of a batch of boards (batch, height, width, 2)."""
    x = planes.astype(jnp.float32)
    local = params["moves/w"].shape[1] == 1
    if local:
        x = jnp.pad(x, ((0, 0), (0, 0), (0, 0), (0, 1)), constant_values=1.0)
    x = jax.nn.relu(_convolution(params, "input", x))
    block = 0
    while f"{block}/first/w" in params:
        inner = jax.nn.relu(_convolution(params, f"{block}/first", x))
        x = jax.nn.relu(x + _convolution(params, f"{block}/second", inner))
        block += 1
    policy, value = (jax.nn.relu(_convolution(params, head, x)) for head in ("policy", "value"))
    if local:
        pooled = jnp.concatenate([value.mean(axis=(1, 2)), value.max(axis=(1, 2))], axis=1)
    else:
        policy, pooled = policy.reshape(x.shape[0], -1), value.reshape(x.shape[0], -1)
    hidden = jax.nn.relu(_dense(params, "hidden", pooled))
    logits = _dense(params, "moves", policy).reshape(x.shape[0], -1)
    return logits, jnp.tanh(_dense(params, "output", hidden)[:, 0])


def arrays(params: Params) -> dict[str, Any]:
    """Return the weights as `ai.network.inference.Network` wants them, in half precision; a kernel becomes a matrix."""
    return {
        name: np.asarray(values.reshape(-1, values.shape[-1]) if name.endswith("/w") else values, np.float16)
        for name, values in params.items()
    }


def _convolution(params: Params, name: str, x: Any) -> Any:
    layout = ("NHWC", "HWIO", "NHWC")
    found = jax.lax.conv_general_dilated(x, params[f"{name}/w"], (1, 1), "SAME", dimension_numbers=layout)
    return found + params[f"{name}/b"]


def _dense(params: Params, name: str, x: Any) -> Any:
    return x @ params[f"{name}/w"] + params[f"{name}/b"]


class Moves(NamedTuple):
    """What was played: arrays over (ply, game). `rewards` are for the side that has moved. `recorded` is False for the
    random moves of an opening, whose search is not to be learned from."""

    planes: Any
    policies: Any
    rewards: Any
    last: Any
    recorded: Any


class Tables(NamedTuple):
    """The games in progress: positions, and the number of random plies with which each of them begins."""

    states: Any
    random_plies: Any


class SelfPlay:
    """Many games of one kind at once. Half of them begin with up to `most_random` random plies."""

    def __init__(self, env: pgx.Env, games: int, simulations: int, most_random: int) -> None:
        self.env, self.games, self.simulations, self._most_random = env, games, simulations, most_random
        self.play = jax.jit(self._play, static_argnames="plies")

    def new_tables(self, key: Any) -> Tables:
        first, second = jax.random.split(key)
        return Tables(jax.vmap(self.env.init)(jax.random.split(first, self.games)), self._random_plies(second))

    def _random_plies(self, key: Any) -> Any:
        return jnp.maximum(0, jax.random.randint(key, (self.games,), -self._most_random, self._most_random + 1))

    def _play(self, params: Params, tables: Tables, key: Any, plies: int) -> tuple[Tables, Moves]:
        """Play so many plies in each game; a new one begins where one ends."""
        tables, moves = jax.lax.scan(partial(self._ply, params), tables, jax.random.split(key, plies))
        return tables, moves

    def _ply(self, params: Params, tables: Tables, key: Any) -> tuple[Tables, Moves]:
        states, random_plies = tables
        to_search, to_choose, to_begin = jax.random.split(key, 3)
        searched = self.search(params, states, to_search)
        by_chance = jax.random.categorical(to_choose, jnp.where(states.legal_action_mask, 0.0, -jnp.inf))
        opening = random_plies > 0
        after = jax.vmap(self.env.step)(states, jnp.where(opening, by_chance, searched.action))
        rewards = after.rewards[jnp.arange(self.games), states.current_player]
        moves = Moves(states.observation, searched.action_weights, rewards, after.terminated, ~opening)
        left = Tables(after, jnp.maximum(0, random_plies - 1))
        return _where(after.terminated, self.new_tables(to_begin), left), moves

    def search(self, params: Params, states: Any, key: Any) -> Any:
        """Search the positions; return mctx's output."""
        logits, values = _guess(params, states)
        root = mctx.RootFnOutput(prior_logits=logits, value=values, embedding=states)
        illegal = ~states.legal_action_mask
        return mctx.gumbel_muzero_policy(
            params, key, root, self._recurrent, self.simulations, illegal, max_num_considered_actions=illegal.shape[-1]
        )

    def _recurrent(self, params: Params, _key: Any, actions: Any, states: Any) -> tuple[Any, Any]:
        """Return what mctx wants to know of a move in its tree. A value is for the side to move: hence -1."""
        after = jax.vmap(self.env.step)(states, actions)
        logits, values = _guess(params, after)
        over = after.terminated
        found = mctx.RecurrentFnOutput(
            reward=after.rewards[jnp.arange(actions.shape[0]), states.current_player],
            discount=jnp.where(over, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(over, 0.0, values),
        )
        return found, after


def _guess(params: Params, states: Any) -> tuple[Any, Any]:
    """Return logits, the lowest number for illegal moves, and values."""
    logits, values = apply(params, states.observation)
    return jnp.where(states.legal_action_mask, logits, jnp.finfo(logits.dtype).min), values


def _where(chosen: Any, these: Any, those: Any) -> Any:
    """Choose game by game between two trees of arrays."""

    def choose(this: Any, that: Any) -> Any:
        return jnp.where(chosen.reshape(-1, *[1] * (this.ndim - 1)), this, that)

    return jax.tree.map(choose, these, those)
