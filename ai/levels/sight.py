"""How much a level sees of a game: what the entries of `ai.registry` are made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glance:
    """How much is seen: `depth` plies of at most `nodes` positions, of the `breadth` most promising moves (0: all).

    Each score is blurred by up to ± `blur`, in the unit of `Position.evaluate`. In the share `careless` of the
    moves only one's own rows are looked at, and none of the other side's.
    """

    depth: int
    nodes: int = 2_000
    breadth: int = 0
    blur: int = 0
    careless: float = 0.0


@dataclass(frozen=True, slots=True)
class Sight:
    """How much of the gomoku engine a level has: `nodes` visited at most, of `depth` plies and `breadth` moves at
    each (0: no bound), with an evaluation blurred by up to ± `blur` in the engine's unit. Without `fours` it does
    not look for wins by continuous fours. In the share `weak` of its moves it is the level two below."""

    depth: int
    nodes: int
    breadth: int = 0
    blur: int = 0
    fours: bool = False
    weak: float = 0.0
