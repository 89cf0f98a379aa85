"""What it means to be a `Player`: a position and a limit in, a stream of ever better answers out.

Scores (`ai.score.Score`, or plain integers while they are added up) are from the side to move.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from ai.score import WIN, Score
from games.position import FIRST, Position
from games.record import Evaluation

_DEEPEST = 10_000  # plies, as files have them


class Stop:
    """Tells a player to answer now. Any thread may set it."""

    def __init__(self) -> None:
        self._set = False
        self._lock = threading.Lock()
        self._actions: list[Callable[[], None]] = []

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        with self._lock:
            self._set = True
            for action in self._actions:
                action()

    @contextmanager
    def calling(self, action: Callable[[], None]) -> Iterator[None]:
        """Calls `action`, on the thread that sets the stop, if that is set inside; at once if it was before.

        So a search need not look at it again and again. `action` must be short.
        """
        with self._lock:
            self._actions.append(action)
            if self._set:
                action()
        try:
            yield
        finally:
            with self._lock:
                self._actions.remove(action)


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop thinking: at the first of these bounds; None is no bound.

    `seconds` of wall time, `depth` in plies, `nodes` visited. `lines` is how many best moves
    are wanted, each with its line (multi-PV).
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    lines: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """A line of best play: its first move is the proposal. `score` is from the side to move."""

    score: int
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Info:
    """What a player knows so far. `lines` are the best moves found, best first, at least one. `stand_in` says that
    a weaker player answers in the place of one that is not ready yet."""

    move: int
    score: int = 0
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    lines: tuple[Line, ...] = field(default=())
    stand_in: bool = False

    @property
    def mate(self) -> int | None:
        return Score(self.score).mate

    def evaluation(self, turn: int) -> Evaluation:
        """As a record has it: from the first side, where `turn` is to move, and in bounds, whatever the player said."""
        score = Score(max(-WIN, min(WIN, self.score))).seen_from(FIRST, turn)
        return Evaluation(int(score.bounded), score.mate, max(0, min(self.depth, _DEEPEST)))

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def pv(self) -> tuple[int, ...]:
        """The principal variation, beginning with `move`."""
        return self.lines[0].moves if self.lines else (self.move,)


class Player(Protocol):
    """Anything that can choose a move."""

    @property
    def nodes(self) -> int:
        """Positions visited in the search that runs now or ran last; any thread may read it."""

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yields at least one `Info`; the last one's move is the answer.

        Keeps within `limit` and ends soon after `stop` is set. `position` has a legal move.
        """


def answer(player: Player, position: Position, limit: Limit, stop: Stop | None = None) -> Info:
    """The last `Info` of a whole search."""
    *_, last = player.think(position, limit, stop or Stop())
    return last


class Budget:
    """Watches a `Limit` and a `Stop` during one search. `clock` started when the budget was made."""

    def __init__(self, limit: Limit, stop: Stop) -> None:
        self.began = time.monotonic()
        self.limit = limit
        self.stop = stop

    @property
    def seconds(self) -> float:
        """Since the search began."""
        return time.monotonic() - self.began

    def spent(self, nodes: int) -> bool:
        """Whether the search must end now, having visited `nodes`."""
        limit = self.limit
        return (
            self.stop.is_set()
            or (limit.seconds is not None and time.monotonic() - self.began >= limit.seconds)
            or (limit.nodes is not None and nodes >= limit.nodes)
        )
