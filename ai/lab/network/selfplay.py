"""Batched self-play in JAX: pgx plays the games, mctx searches each move (Gumbel MuZero)."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx
import pgx

from ai.lab.network.model import Params, apply


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
