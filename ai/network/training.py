"""How a network was trained: its curve, which is beside its weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ai.network.network import weights_file


class Progress(NamedTuple):
    """What the network could do after so many `games` against itself.

    `agreement` is the share of positions in which its first choice keeps the exact result, `score` that of the points
    it makes against random moves, both from 0 to 1. The losses are means since the entry before; None at the start.
    """

    games: int
    agreement: float
    score: float
    policy_loss: float | None
    value_loss: float | None


class Training(NamedTuple):
    """The `progress` from the start to the weights; `chance` is the agreement of a random move."""

    chance: float
    progress: tuple[Progress, ...]


def training_file(game: str) -> Path:
    """Return the file with the curve for `game`, which need not exist."""
    return weights_file(game).with_suffix(".json")


@cache
def training(game: str) -> Training:
    """Read the curve of a game that has a network."""
    data = json.loads(training_file(game).read_text(encoding="utf-8"))
    return Training(data["chance"], tuple(Progress(*row) for row in data["progress"]))


def encoded(lines: list[Mapping[str, Any]]) -> str:
    """Return the contents of the file, from the lines of a curve that `ai.lab.train_network` wrote."""
    names = ("games", "agreement", "against_random", "policy_loss", "value_loss")
    rows = [[value if value is None else round(value, 4) for value in map(line.get, names)] for line in lines]
    progress = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return f'{{"chance": {lines[-1]["chance"]:.4f}, "progress": [\n{progress}\n]}}\n'
