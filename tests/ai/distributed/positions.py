"""Positions of any game, and the searches to compare at them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from ai.gomoku.moves import FULL_WIDTH
from ai.players.table import Context
from games.position import Position
from games.registry import GAMES, setup


@dataclass(frozen=True)
class Case:
    """A game: what is searched alone, what is shared out, to which depth, and positions after how many moves."""

    alone: str
    shared: str
    depth: int
    moves: range


_FULL = "engine:" + ",".join(f"{name}={value}" for name, value in FULL_WIDTH.items())
CASES = {
    "gomoku": Case(_FULL, _FULL, 4, range(2, 24)),
    "tictactoe": Case("alphabeta:extension=0,table=0", "alphabeta", 5, range(4)),
    "bones": Case("alphabeta:extension=0,table=0", "alphabeta", 6, range(6)),
    "connect4": Case("alphabeta:extension=0,table=0", "alphabeta", 5, range(16)),
}


def context(game: str) -> Context:
    return Context(game, memory_mb=1)


def positions(game: str, seed: int = 1) -> Iterator[Position]:
    """Yield positions after moves drawn from the candidates, in which there is a choice; without end."""
    dice = random.Random(f"{game}-{seed}")
    while True:
        position = setup(game, rule=dice.choice(GAMES[game].rules)).start()
        for _ in range(dice.choice(CASES[game].moves)):
            if position.outcome is None:
                position = position.play(dice.choice(list(position.candidates())[:8]))
        if position.outcome is None and len(position.legal_moves()) > 1:
            yield position
