"""A search that a person inspects, without pixels: what is searched, its tree, and the step up to which it is shown.

A step enters or leaves a node. In Monte Carlo tree search it is a visit, in proof-number search a round: one descent
from the root. MAX is the side to move at the root.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ai.core.player import DepthStats, Info
from ai.explain.kinds import (
    Engines,
    GrowingSteps,
    GrowingTracing,
    ProofTracing,
    SampleTracing,
    SharedTracing,
    TableTracing,
    VisitTracing,
)
from ai.explain.subject import Choice, Subject, deeper, usual_depth
from ai.explain.tracing import Traced, Tracing
from ai.players.opponents import opponents
from ai.players.table import needs_engine, walkable
from ai.search.comparison import (
    ENGINE,
    ENGINE_PLAYER,
    FURTHER,
    MCTS,
    PROOF,
    SAMPLED,
    SHARED,
    TIMED,
    VARIANTS,
    prunes,
    shared_player,
    variant,
)
from ai.search.shared_tree import SharedSteps, SharedTree
from ai.search.trace import End, Snapshot, SnapshotSteps, Steps, Trace
from games.position import Position

SPEEDS = (1, 3, 10, 40, 200)
"""Steps a second."""

AGAIN = "*"
"""Marks a move that was searched again."""

_UNFOLDED = 24  # nodes that are shown at first


class Explorer:
    """The search tree of a `subject` by the search of a `choice`, and what a person sees of it.

    `node` is the selected node. `at` is the step up to which the search is shown, None for all of it. `wake` is called
    on another thread when `update` has something to do. Searches of the gomoku engine need `engines`.
    """

    def __init__(
        self, subject: Subject, choice: Choice | None, wake: Callable[[], object], engines: Engines | None = None
    ) -> None:
        self.subject, self._wake, self._engines = subject, wake, engines
        self.choice = Choice(depth=usual_depth(subject)) if choice is None else choice
        self.revision = 0
        """Increases whenever the trace, or what is shown of it, has changed."""
        self.pointed: int | None
        """The node under the pointer."""
        self.deepest: int
        """Plies to the deepest node that was visited."""
        self.playing: bool
        self.speed = SPEEDS[1]
        self._due = 0.0
        self.run()

    # The search.

    def take(self, subject: Subject, choice: Choice) -> None:
        """Search another position, or in another way; do nothing if both are the same as now."""
        if (subject, choice) != (self.subject, self.choice):
            self.subject, self.choice = subject, choice
            self.run()

    def run(self) -> None:
        """Start the search again, and forget what was selected, folded and shown."""
        self.close()
        self.tracing: Traced = self._start_tracing()
        self.at: int | None = None
        self.pointed = None
        self.marked: frozenset[int] = frozenset()
        """Nodes that a lesson points at."""
        self.widened: set[int] = set()
        """The nodes of which all children are shown, however many."""
        self._folds: dict[int, bool] = {}  # what a person has folded or unfolded
        self.deepest = self._taken = 0  # and the nodes that were looked at for it
        self._adapt_to_trace()
        self.node = self.trace.roots()[-1]

    def _start_tracing(self) -> Traced:
        """Start the search of `choice` in the way that its key needs."""
        choice, position = self.choice, self.subject.position
        if choice.key == ENGINE and self._engines is not None:
            return TableTracing(self._engines, ENGINE_PLAYER, position, choice.depth, self._wake)
        if choice.key == MCTS and self._engines is not None:
            return SampleTracing(self._engines, position, self._wake)
        if choice.key in SAMPLED:
            return VisitTracing(choice.key, position, choice.c)
        if choice.key == PROOF:
            return ProofTracing(position)
        if choice.key in SHARED:
            together, alone = (shared_player(choice.key, workers, choice.distance) for workers in (choice.workers, 1))
            return SharedTracing(together, alone, position, choice.depth, self._wake)
        return Tracing(variant(choice.key, choice.distance), position, choice.depth, self._wake)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The searches that a person can choose for this subject. Those without a time limit keep the depth."""
        choice = self.choice
        depth = usual_depth(self.subject) if choice.key in (*SAMPLED, PROOF, *TIMED) else choice.depth
        found = tuple(replace(choice, key=key, depth=depth) for key in (*VARIANTS, *FURTHER, *SHARED))
        setup = self.subject.setup
        if setup is None:
            others: tuple[str, ...] = (PROOF,)
        elif self._engines is None:
            others = ()
        else:
            engine = (ENGINE,) if walkable(ENGINE_PLAYER, setup.game) else ()
            others = (MCTS, *_growing_keys(setup.game), *engine)
        return *found, *(choice if key == choice.key else replace(choice, key=key, depth=None) for key in others)

    @property
    def by_steps(self) -> bool:
        """Whether the search can be replayed step by step."""
        return self.by_nodes or isinstance(self.tracing, GrowingTracing)

    @property
    def by_nodes(self) -> bool:
        """Whether each step enters or leaves a node of one tree, rather than showing another tree."""
        return not isinstance(self.trace, Snapshot)

    @property
    def asks(self) -> bool:
        """Whether a `Quiz` can ask the reader what the next step does."""
        return self.by_nodes and not isinstance(self.trace, SharedTree)

    @property
    def trail(self) -> set[int] | frozenset[int]:
        """The nodes from the root to the selected one; in a replay by visits or rounds, those of the last one shown."""
        tracing = self.tracing
        return tracing.trail if isinstance(tracing, GrowingTracing) else set(self.trace.path(self.node))

    @property
    def depths(self) -> tuple[DepthStats, ...]:
        """Statistics of each depth of the search; empty if it keeps none."""
        return self.tracing.depths

    def resume(self) -> None:
        """Start the search again if it was closed before it had a result."""
        if self.info is None and not self.busy:
            self.run()

    def choose(self, choice: Choice) -> None:
        """Search the same subject in another way; do nothing for the same choice."""
        self.take(self.subject, choice)

    def deepen(self, by: int) -> None:
        """Search again `by` plies deeper, less deep if negative. A search without a depth stays as it is."""
        if not self.choice.grows:
            self.choose(deeper(self.subject, self.choice, by, self.trace.stable_depth(self.choice.depth is None)))

    @property
    def trace(self) -> Trace:
        """The tree as far as it is known; it may still grow."""
        return self.tracing.trace

    @property
    def busy(self) -> bool:
        """Whether the search is still running."""
        return self.tracing.busy

    @property
    def info(self) -> Info | None:
        """The result of the search; None while it is running."""
        return self.tracing.info

    def _show_anew(self) -> None:
        """Note that the trace, or what is shown of it, has changed."""
        self.revision += 1

    def _adapt_to_trace(self) -> None:
        """Adapt depth, steps and first unfolded nodes to a trace that has grown or was replaced."""
        self.deepest = max([self.deepest, *self.trace.ply[self._taken :]])
        self._taken = len(self.trace)
        trace = self.trace
        self.steps = self._steps(trace)
        self._first = self._unfolded_first()
        self._show_anew()

    def _steps(self, trace: Trace) -> Steps:
        """Return what replays `trace` step by step, by the kind of the search."""
        if isinstance(self.tracing, GrowingTracing):
            return GrowingSteps(self.tracing)
        if isinstance(trace, SharedTree):
            return SharedSteps(trace)
        return SnapshotSteps(trace) if isinstance(trace, Snapshot) else Steps(trace, prunes(self.choice.key))

    def update(self, now: float) -> None:
        """Take over what the search has sent, and, while playing, make the steps that are due at `now` (seconds)."""
        before = self.trace
        if self.tracing.update():
            if isinstance(before, Snapshot | SharedTree) and before is not self.trace:
                self._carry_over(before)
            followed = self.at is None and self.node == self.root
            self._adapt_to_trace()
            if followed:
                self.node = self.trace.roots()[-1]
        if self.playing and now >= self._due:
            count = min(self.speed, 1 + int((now - self._due) * self.speed))
            self._due = max(self._due + count / self.speed, now)
            self.step(count)
            self.playing = self.at is not None and self.at < self.steps.last

    def _carry_over(self, before: Trace) -> None:
        """Find the selected, pointed, marked and folded nodes of the tree `before` in the new one, by their moves."""
        pointed = () if self.pointed is None or self.pointed >= len(before) else (self.pointed,)
        kept = {self.node, *pointed, *self.marked, *self._folds, *self.widened}
        same = {node: self.trace.node_after(before.moves_to(node)) for node in kept}
        self.node, self.pointed, self._taken = same[self.node] or 0, same[pointed[0]] if pointed else None, 0
        self._folds = {new: self._folds[old] for old, new in same.items() if new is not None and old in self._folds}
        self.widened = {new for old, new in same.items() if new is not None and old in self.widened}
        self.marked = frozenset(new for old, new in same.items() if new is not None and old in self.marked)

    def wake(self, now: float) -> float | None:
        """Return the seconds until `update` must make the next step; None if the replay is paused."""
        return max(0.0, self._due - now) if self.playing else None

    def close(self) -> None:
        """Stop the search and the replay. The tree stays."""
        if hasattr(self, "tracing"):
            self.tracing.close()
        self.playing = False

    # Steps.

    @property
    def shown(self) -> int:
        """The step up to which the search is shown: `at`, or the last one if that is None."""
        return self.steps.last if self.at is None else self.at

    @property
    def node_step(self) -> int:
        """The step up to which nodes are shown: `shown`, or one after all nodes if a step is not a node."""
        return self.shown if self.by_nodes else 2 * len(self.trace)

    def go(self, step: int | None) -> None:
        """Show the search up to `step`, all of it for None, and select the node of that step, or the root for None.

        In a replay by visits or rounds the selected node stays.
        """
        self.at = None if step is None else max(0, min(step, self.steps.last))
        if isinstance(self.tracing, GrowingTracing):
            before = self.trace
            self.tracing.show(self.shown)
            self._carry_over(before)
            self._adapt_to_trace()
            return
        self.node = self.root if self.at is None else self.steps.node(self.at)[0]
        self._show_anew()

    def step(self, count: int = 1) -> None:
        """Go forward by `count` steps, back if negative. From the whole search, go back from its end or on to its first
        step."""
        if self.at is None:
            self.go(self.steps.last + count if count < 0 else 0)
        else:
            self.go(self.at + count)

    def play(self, now: float) -> None:
        """Start or pause the replay at `now` (seconds); from the end it starts at the first step."""
        if not self.playing and (self.at is None or self.at >= self.steps.last):
            self.go(0)
        self.playing, self._due = not self.playing, now + 1 / self.speed

    def entered(self, node: int) -> bool:
        """Return whether the search has entered `node` by the step shown."""
        return self.steps.entered(node) <= self.shown

    def left(self, node: int) -> bool:
        """Return whether the search has left `node` by the step shown."""
        left = self.steps.left(node)
        return left is not None and left <= self.shown

    def value(self, node: int) -> int | None:
        """Return the value of `node` for MAX at the step shown; None if it is not known yet."""
        known = self.steps.value(node, self.shown)
        return known if known is None or self.is_max(node) else -known

    def window(self, node: int) -> tuple[int, int]:
        """Return alpha and beta of `node` for MAX at the step shown."""
        low, high = self.steps.window(node, self.shown)
        return (low, high) if self.is_max(node) else (-high, -low)

    def is_max(self, node: int) -> bool:
        """Return whether MAX, the side to move at the root, is to move at `node`."""
        return self.trace.turn[node] == self.trace.turn[0]

    def end(self, node: int) -> End | None:
        """Return why the search has left `node`; None if it has not by the step shown."""
        return End(self.trace.end[node]) if self.left(node) else None

    # What is unfolded.

    @property
    def root(self) -> int:
        """The root of the tree with the selected node; iterative deepening has one tree for each iteration."""
        return self.trace.path(self.node)[0] if self.node < len(self.trace) else 0

    def _unfolded_first(self) -> set[int]:
        """Return the nodes that are unfolded at first: level by level, as long as few nodes are shown."""
        if isinstance(self.tracing, GrowingTracing):
            return {0}
        unfolded: set[int] = set()
        for root in self.trace.roots():
            level, count = [root], 1
            while level:
                rows = [(node, self.trace.children(node)) for node in level]
                count += sum(min(len(row), _UNFOLDED // 3) for _, row in rows)
                if count > _UNFOLDED:
                    break
                unfolded.update(node for node, row in rows if row)
                level = [child for _, row in rows for child in row]
        return unfolded

    def unfolded(self, node: int) -> bool:
        """Return whether the children of `node` are shown."""
        return self._folds.get(node, node in self._first)

    def has_children(self, node: int) -> bool:
        """Return whether the search visited children of `node`."""
        return self.trace.after(node) > node + 1

    def fold(self, node: int) -> None:
        """Fold the node if it is unfolded, otherwise unfold it. A node without visited children stays as it is."""
        if self.has_children(node):
            self._folds[node] = not self.unfolded(node)
            self._show_anew()

    def unfold(self, node: int) -> None:
        """Unfold a node and all nodes above it."""
        self._folds.update(dict.fromkeys(self.trace.path(node), True))
        self._show_anew()

    def widen(self, node: int) -> None:
        """Show all children of a node, even if they are too many to be shown at first."""
        self.widened.add(node)
        self._show_anew()

    def reset_folds(self) -> None:
        """Fold and unfold nodes as they were at first."""
        self._folds.clear()
        self.widened.clear()
        self._show_anew()

    def look_at(self, node: int) -> None:
        """Select a node, unfold all nodes above it, and pause the replay."""
        self.playing, self.node = False, node
        self._folds.update(dict.fromkeys(self.trace.path(node)[:-1], True))
        self._show_anew()

    def go_near(self, right: int, down: int) -> None:
        """Select a neighbour of the selected node, if there is one.

        `down` < 0 is the parent, `down` > 0 the best child, or the first if that is not known. Otherwise it is the
        sibling `right` places further, from the last on to the first again.
        """
        parent = self.trace.parent[self.node]
        if down < 0 and parent >= 0:
            self.look_at(parent)
        elif down > 0:
            known = self.steps.best(self.node, self.shown)
            children = self.trace.children(self.node)
            if children:
                self.look_at(children[0] if known is None else known)
        elif right and parent >= 0:
            row = self.trace.children(parent)
            self.look_at(row[(row.index(self.node) + right) % len(row)])

    def line(self, node: int | None = None) -> list[int]:
        """Return the nodes of the principal variation at the step shown, from `node` or the root, as far as it is
        known."""
        nodes = [self.root if node is None else node]
        while (best := self.steps.best(nodes[-1], self.shown)) is not None:
            nodes.append(best)
        return nodes

    def follow_line(self) -> None:
        """Select the last node of the principal variation."""
        self.look_at(self.line()[-1])

    # Positions.

    def position(self, node: int) -> Position:
        """Return the position at `node`."""
        position = self.subject.position
        for move in self.trace.moves_to(node):
            position = position.play(move)
        return position

    def moves(self, node: int) -> tuple[int, ...]:
        """Return the moves from the beginning of the game to `node`."""
        return self.subject.moves + self.trace.moves_to(node)

    def move_texts(self, node: int) -> str:
        """Return the moves from the beginning of the game to `node`, as text separated by spaces."""
        return " ".join(map(self.subject.position.move_text, self.moves(node)))

    def find(self, text: str) -> int | None:
        """Return the node after the moves in `text`, from the root, or else a node at this depth with that position.

        ``b*`` is the earlier visit of a move that was searched again. Return None if no such node was visited. Raise
        `IllegalMove`.
        """
        position, parts = self.subject.position, text.split()
        node: int | None = self.root
        for part in parts:
            move = position.parse_move(part.removesuffix(AGAIN))
            position = position.play(move)
            node = None if node is None else self.trace.child(node, move)
            if node is not None and part.endswith(AGAIN):
                node = self.trace.re_search(node)
        return self._node_of_position(position, len(parts)) if node is None else node

    def _node_of_position(self, wanted: Position, ply: int) -> int | None:
        """Return a node with the position `wanted`, `ply` moves after the root; None if a limited search finds none."""
        stack = [(self.root, self.subject.position)]
        for _ in range(_SEARCHED):
            if not stack:
                break
            node, position = stack.pop()
            if self.trace.ply[node] == ply:
                if position.key == wanted.key:
                    return node
                continue
            stack.extend((child, position.play(self.trace.move[child])) for child in self.trace.children(node))
        return None


_SEARCHED = 20_000


def _growing_keys(game: str) -> tuple[str, ...]:
    """Return the keys of the searches that are replayed by visits or rounds; none where they would take too long."""
    known = tuple(SAMPLED) if opponents(game).network else tuple(SAMPLED)[:-1]
    return () if needs_engine(MCTS, game) else (*known, PROOF)
