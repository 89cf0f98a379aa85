"""The players there are, by the names that files, seats and the command line use."""

from __future__ import annotations

from collections.abc import Callable

from ai.alphabeta import AlphaBeta
from ai.minimax import Minimax
from ai.player import Player
from ai.random_player import RandomPlayer

PLAYERS: dict[str, Callable[[int | None], Player]] = {
    "alphabeta": lambda _seed: AlphaBeta(),
    "minimax": lambda _seed: Minimax(),
    "random": RandomPlayer,
}
"""Makes a player from a seed; None is a seed of its own each time."""


DEFAULT_PLAYER = "alphabeta"
"""The one to take when nothing is said."""


def make_player(name: str, seed: int | None = None) -> Player:
    """A new player. Raises `ValueError` with a sentence for an unknown name."""
    if name not in PLAYERS:
        raise ValueError(f"There is no player “{name}”; there are {', '.join(PLAYERS)}.")
    return PLAYERS[name](seed)
