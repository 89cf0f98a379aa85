"""Positions for tests of what is seen and overlooked."""

from __future__ import annotations

import random
from collections.abc import Iterator

from games.formats import read_target
from games.position import Position
from games.registry import setup


def at(game: str, moves: str, size: int | None = None) -> Position:
    return read_target(moves, setup(game, size)).position if moves else setup(game, size).start()


def random_positions(game: str, games: int, seed: int, rule: str | None = None) -> Iterator[Position]:
    """Yield the positions of games by chance, near the centre where the board is large."""
    chooser = random.Random(seed)
    for _ in range(games):
        position = setup(game, rule=rule).start()
        while position.outcome is None:
            yield position
            legal = position.legal_moves()
            near = [move for move in position.candidates() if move in legal] if chooser.random() < 0.7 else legal
            position = position.play(chooser.choice(near[:6] if len(legal) > 30 else near))
