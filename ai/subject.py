"""What is searched, and how: a position with the moves before it, a search, and the depth to which it goes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ai.registry import opponents
from ai.search.variants import MCTS, SAMPLED, C
from games.position import Position, Stones
from games.record import GameRecord, Node, moves_to
from games.registry import Setup

DEEPEST = 12
"""Plies that a person can choose."""

_USUAL = 60_000  # nodes of minimax at the depth that is chosen at first


@dataclass(frozen=True, slots=True)
class Subject:
    """A position to search. `setup`, `stones` and `moves` tell how it came about; a tree of numbers has no `setup`."""

    position: Position
    setup: Setup | None = None
    stones: Stones | None = None
    moves: tuple[int, ...] = ()

    @classmethod
    def of(cls, record: GameRecord, node: Node) -> Subject:
        return cls(node.position, record.setup, record.stones, moves_to(node))


@dataclass(frozen=True, slots=True)
class Choice:
    """A search: a key of `VARIANTS`, `SHARED`, `SAMPLED` or `TIMED`, its depth in plies, and whether far wins are worth
    less. Without a depth it goes to the end, and those of `TIMED` have their time; those of `SHARED` have `workers`,
    those of `SAMPLED` a weight of exploration, `c`."""

    key: str = "alphabeta"
    depth: int | None = None
    distance: bool = False
    workers: int = 4
    c: float = C

    @property
    def samples(self) -> bool:
        """Whether it is a Monte Carlo tree search, which has no depth."""
        return self.key in (MCTS, *SAMPLED)


def usual_depth(subject: Subject) -> int | None:
    """The depth that is chosen at first: to the end where that is near."""
    setup = subject.setup
    if setup is None:
        return getattr(subject.position, "depth", None)
    if opponents(setup.game).solvable:
        return None
    moves, depth = max(2, len(subject.position.legal_moves())), 1
    while moves ** (depth + 1) <= _USUAL and depth < DEEPEST:
        depth += 1
    return depth


def deepest(subject: Subject) -> int | None:
    """The greatest depth that can be chosen; None where a search to the end can."""
    return getattr(subject.position, "depth", None) if subject.setup is None else None


def deeper(subject: Subject, choice: Choice, by: int, lasts: int | None = None) -> Choice:
    """Return the choice with another depth; beyond `DEEPEST`, or the plies that the game `lasts`, is to the end."""
    most = min(DEEPEST, lasts or DEEPEST)
    end = deepest(subject) or most + 1
    depth = max(1, min(min(choice.depth or end, end) + by, end))
    return replace(choice, depth=None if depth > most else depth)
