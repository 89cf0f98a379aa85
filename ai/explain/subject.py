"""What is searched, and how: a position with the moves before it, a search, its depth. Two searches side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ai.core.player import Limit, Player, answer
from ai.explain.tracing import Tracing
from ai.players.opponents import opponents
from ai.players.table import Context, make
from ai.search.comparison import MCTS, PROOF, SAMPLED, Bounds, C, SearchRow, compare_searches, variant
from ai.search.parallel import Division, Parallel, Way, division
from ai.search.shared_tree import SharedTree
from ai.search.splitting import LAZY
from ai.search.trace import Trace
from games.position import Position, Stones
from games.record import GameRecord, Node, moves_to
from games.registry import Setup

DEEPEST = 12
"""Plies that a person can choose."""

_USUAL = 60_000  # nodes of minimax at the depth that is chosen at first


@dataclass(frozen=True, slots=True)
class Subject:
    """A position to search. `setup`, `stones` and `moves` tell how it came about; an abstract tree has no `setup`."""

    position: Position
    setup: Setup | None = None
    stones: Stones | None = None
    moves: tuple[int, ...] = ()

    @classmethod
    def of(cls, record: GameRecord, node: Node) -> Subject:
        """Return the position of a node of `record`, with the moves before it."""
        return cls(node.position, record.setup, record.stones, moves_to(node))


@dataclass(frozen=True, slots=True)
class Choice:
    """A search: its `key` of `VARIANTS`, `SHARED`, `SAMPLED` or `TIMED`, or `PROOF`, and its parameters.

    `depth` is in plies, None for the end of the game or, with `TIMED`, for a limit of time. With `distance` a nearer
    win counts more. `workers` are for `SHARED`; `c`, the weight of exploration, is for `SAMPLED`.
    """

    key: str = "alphabeta"
    depth: int | None = None
    distance: bool = False
    workers: int = 4
    c: float = C

    @property
    def grows(self) -> bool:
        """Whether its tree grows at its best leaf, so that it has no depth."""
        return self.key in (MCTS, *SAMPLED, PROOF)


def usual_depth(subject: Subject) -> int | None:
    """Return the default depth of a search in plies, about as deep as is fast; None, to the end, for an easy game."""
    setup = subject.setup
    if setup is None:
        return getattr(subject.position, "depth", None)
    if opponents(setup.game).solvable:
        return None
    moves, depth = len(subject.position.legal_moves()), 1
    while moves ** (depth + 1) <= _USUAL and depth < DEEPEST:
        depth += 1
    return depth


def deepest(subject: Subject) -> int | None:
    """Return the greatest depth that can be chosen: that of a tree of numbers. Return None for a position of a game,
    where a search to the end can be chosen."""
    return getattr(subject.position, "depth", None) if subject.setup is None else None


def deeper(subject: Subject, choice: Choice, by: int, lasts: int | None = None) -> Choice:
    """Return the choice with its depth changed by `by` plies, at least 1.

    A depth beyond `DEEPEST`, or beyond `lasts`, the plies to the end of the game if known, becomes None: to the end.
    """
    most = min(DEEPEST, lasts or DEEPEST)
    end = deepest(subject) or most + 1
    depth = max(1, min(min(choice.depth or end, end) + by, end))
    return replace(choice, depth=None if depth > most else depth)


# The whole searches of one position by minimax and by alpha-beta, without pixels, to be seen to one scale.


WHOLE = "minimax"
PRUNING = ("alphabeta", "ordering", "table")
"""What is seen beside it: searches that visit a part of its nodes, each at most once."""


class SideBySide:
    """A search by minimax beside one by `pruning`, a key of `PRUNING`, of the same subject to the same depth.

    `wake` is called on another thread when `update` has something to do.
    """

    def __init__(self, subject: Subject, wake: Callable[[], object]) -> None:
        self.subject, self._wake = subject, wake
        self.depth = usual_depth(subject)
        """Plies of both searches; None for to the end."""
        self.pruning = PRUNING[0]
        self.whole: Tracing | None = None
        self.pruned: Tracing | None = None
        self.pointed: tuple[int, ...] | None = None
        """The moves to the node under the pointer."""

    @property
    def busy(self) -> bool:
        """Whether one of the two searches is running."""
        return any(each is not None and each.busy for each in (self.whole, self.pruned))

    @property
    def begun(self) -> bool:
        """Whether both searches have been started."""
        return self.pruned is not None

    @property
    def traces(self) -> list[Trace]:
        """The trees of minimax and of the other search; empty before `start`."""
        return [each.trace for each in (self.whole, self.pruned) if each is not None]

    @property
    def failed(self) -> bool:
        """Whether one of the two searches failed."""
        return any(each is not None and each.failed for each in (self.whole, self.pruned))

    @property
    def finished(self) -> bool:
        """Whether both searches have a result, and neither was stopped by a limit."""
        found = (self.whole, self.pruned)
        return all(each is not None and each.info is not None and each.trace.size[0] for each in found)

    def start(self) -> None:
        """Start both searches again."""
        self.close()
        self.pointed = None
        self.whole, self.pruned = self._start_search(WHOLE), self._start_search(self.pruning)

    def choose(self, pruning: str) -> None:
        """Replace the search beside minimax by that of the key `pruning`, and start it if the other was started."""
        if pruning != self.pruning:
            self.pruning = pruning
            if self.pruned is not None:
                self.pruned.close()
                self.pruned = self._start_search(pruning)

    def deepen(self, by: int) -> None:
        """Search both `by` plies deeper (less deep if negative), if that is another depth."""
        lasts = None if self.whole is None else self.whole.trace.stable_depth(self.depth is None)
        depth = deeper(self.subject, Choice(depth=self.depth), by, lasts).depth
        if depth != self.depth:
            self.depth = depth
            self.start()

    def _start_search(self, key: str) -> Tracing:
        """Start a search of the position by a variant, with its tree."""
        return Tracing(variant(key), self.subject.position, self.depth, self._wake)

    def update(self) -> None:
        """Take over what the searches have sent."""
        for each in (self.whole, self.pruned):
            if each is not None:
                each.update()

    def close(self) -> None:
        """Stop both searches. Their trees stay."""
        for each in (self.whole, self.pruned):
            if each is not None:
                each.close()

    # Nodes.

    def position(self) -> Position:
        """Return the position of the node under the pointer, or else the one that is searched."""
        position = self.subject.position
        for move in self.pointed or ():
            position = position.play(move)
        return position

    def nodes_below(self) -> tuple[int, int] | None:
        """Return how many nodes minimax and the other search visited from the pointed node on, itself included.

        None if no node is pointed at, or the searches have not begun.
        """
        if self.pointed is None or len(self.traces) < 2:
            return None
        whole, pruned = (_subtree_size(trace, self.pointed) for trace in self.traces)
        return whole, pruned


def _subtree_size(trace: Trace, moves: Sequence[int]) -> int:
    """Return the number of nodes in the subtree after `moves`, its root included; 0 if it was not visited."""
    node = trace.node_after(moves)
    return 0 if node is None else trace.after(node) - node


# What the window runs in a process of its own (`ai.system.stream`) to compare searches.


def compare(position: Position, bounds: Bounds) -> Iterator[SearchRow]:
    """Search `position`, which has a legal move, by all variants, and yield a row for each."""

    def player(name: str) -> Player:
        """Return a new player by its name."""
        return make(name, Context(position.game))

    return compare_searches(position, player, bounds)


@dataclass(frozen=True, slots=True)
class Shared:
    """How simulated workers with a common table shared a search to `depth`, compared with a single worker.

    They took the time of `span` nodes of one worker; the single worker needed `alone` nodes. `score` is the result of
    both.
    """

    depth: int
    span: int
    division: Division
    alone: int
    score: int


def share(position: Position, workers: int, bounds: Bounds) -> Iterator[Shared]:
    """Search `position` by several simulated workers (lazy SMP) and by one, to depth 2, 3 and so on within `bounds`.

    Yield a comparison after each depth that both have completed. It ends after an exact result.
    """
    together, alone = (Parallel(Way(count, LAZY)) for count in (workers, 1))
    for depth in range(2, bounds.depth + 1):
        together.trace = SharedTree()
        limit = Limit(bounds.seconds, depth, bounds.nodes)
        one, both = (answer(player, position, limit) for player in (alone, together))
        if any(info.depth < depth and not info.lines[0].exact for info in (one, both)):
            return
        found = division(together.trace, position, workers)
        yield Shared(depth, together.span, found, one.nodes, both.score)
        if both.lines[0].exact:
            return
