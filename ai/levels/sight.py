"""Search limits of the levels, used in the entries of `ai.registry`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glance:
    """A limited search: `depth` plies of at most `nodes` positions, of the `breadth` best moves (0: all).

    Each score gets noise of up to ± `blur`, in the unit of `Position.evaluate`. In the share `careless` of its moves
    the player considers its own rows only and ignores the opponent's.
    """

    depth: int
    nodes: int = 2_000
    breadth: int = 0
    blur: int = 0
    careless: float = 0.0


@dataclass(frozen=True, slots=True)
class Sight:
    """Limits of the gomoku engine: `nodes`, `depth` in plies, `breadth` in moves at each node (0: unlimited).

    The evaluation gets noise of up to ± `blur` in the engine's unit. `fours` enables VCF searches. In the share `weak`
    of its moves the level plays as the one two below.
    """

    depth: int
    nodes: int
    breadth: int = 0
    blur: int = 0
    fours: bool = False
    weak: float = 0.0
