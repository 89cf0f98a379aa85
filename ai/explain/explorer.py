"""A search that is looked into, without pixels: which search of which position, its tree, and how far it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ai.core.player import DepthStats, Info
from ai.explain.kinds import Engines, SampleTracing, SharedTracing, TableTracing, VisitSteps, VisitTracing
from ai.explain.subject import Choice, Subject, deeper, usual_depth
from ai.explain.tracing import Traced, Tracing
from ai.players.opponents import opponents
from ai.players.table import needs_engine, walkable
from ai.search.comparison import (
    ENGINE,
    ENGINE_PLAYER,
    FURTHER,
    MCTS,
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
    """`node` is the one that is looked at, `at` the step up to which the search is shown, None for all of it. `wake` is
    called on a thread when there is more to show. With `engines`, the search of the engine can be shown, too."""

    def __init__(
        self, subject: Subject, choice: Choice | None, wake: Callable[[], object], engines: Engines | None = None
    ) -> None:
        self.subject, self._wake, self._engines = subject, wake, engines
        self.choice = Choice(depth=usual_depth(subject)) if choice is None else choice
        self.revision = 0
        """Increases whenever the trace, or what is shown of it, has changed."""
        self.pointed: int | None = None
        """The node under the pointer."""
        self.deepest = 0
        """Plies to the deepest node that was visited."""
        self.playing, self.speed = False, SPEEDS[1]
        self._due = 0.0
        self.run()

    # The search.

    def take(self, subject: Subject, choice: Choice) -> None:
        """Search another position, or in another way."""
        if (subject, choice) != (self.subject, self.choice):
            self.subject, self.choice = subject, choice
            self.run()

    def run(self) -> None:
        """Search anew."""
        self.close()
        self.tracing: Traced = self._begin()
        self.node = 0
        self.at: int | None = None
        self.playing, self.pointed = False, None
        self.marked: frozenset[int] = frozenset()
        """Nodes that a lesson points at."""
        self.widened: set[int] = set()
        """The nodes of which all children are shown, however many."""
        self._folds: dict[int, bool] = {}  # what a person has folded or unfolded
        self.deepest = self._taken = 0  # and the nodes that were looked at for it
        self._took_in()
        self.node = max(self.trace.roots(), default=0)

    def _begin(self) -> Traced:
        """Start the kind of tracing that the choice asks for."""
        choice, position = self.choice, self.subject.position
        if choice.key == ENGINE and self._engines is not None:
            return TableTracing(self._engines, ENGINE_PLAYER, position, choice.depth, self._wake)
        if choice.key == MCTS and self._engines is not None:
            return SampleTracing(self._engines, position, self._wake)
        if choice.key in SAMPLED:
            return VisitTracing(choice.key, position, choice.c)
        if choice.key in SHARED:
            together, alone = (shared_player(choice.key, workers, choice.distance) for workers in (choice.workers, 1))
            return SharedTracing(together, alone, position, choice.depth, self._wake)
        return Tracing(variant(choice.key, choice.distance), position, choice.depth, self._wake)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The searches that can be chosen: at the same depth, but for those that have their time."""
        choice = self.choice
        depth = usual_depth(self.subject) if choice.key in (*SAMPLED, *TIMED) else choice.depth
        found = tuple(replace(choice, key=key, depth=depth) for key in (*VARIANTS, *FURTHER, *SHARED))
        setup = self.subject.setup
        if self._engines is None or setup is None:
            return found
        engine = (ENGINE,) if walkable(ENGINE_PLAYER, setup.game) else ()
        others = (MCTS, *_visit_searches(setup.game), *engine)
        return *found, *(choice if key == choice.key else replace(choice, key=key, depth=None) for key in others)

    @property
    def by_steps(self) -> bool:
        """Whether the search can be gone through step by step."""
        return self.by_nodes or isinstance(self.tracing, VisitTracing)

    @property
    def by_nodes(self) -> bool:
        """Whether each step enters or leaves a node of the same tree."""
        return not isinstance(self.trace, Snapshot)

    @property
    def asks(self) -> bool:
        """Whether a reader can be asked what the next step does."""
        return self.by_nodes and not isinstance(self.trace, SharedTree)

    @property
    def trail(self) -> set[int] | frozenset[int]:
        """The nodes on the way to the one that is looked at, or of the visit that is shown."""
        tracing = self.tracing
        return tracing.trail if isinstance(tracing, VisitTracing) else set(self.trace.path(self.node))

    @property
    def depths(self) -> tuple[DepthStats, ...]:
        """What the search did at each depth."""
        return self.tracing.depths

    def resume(self) -> None:
        """Search anew what was closed before it was known."""
        if self.info is None and not self.busy:
            self.run()

    def choose(self, choice: Choice) -> None:
        """Search the same subject with another choice."""
        self.take(self.subject, choice)

    def deepen(self, by: int) -> None:
        """Search to another depth, if the search has one."""
        if not self.choice.samples:
            self.choose(deeper(self.subject, self.choice, by, self.trace.stable_depth(self.choice.depth is None)))

    @property
    def trace(self) -> Trace:
        """The trace of the tracing, which may still grow."""
        return self.tracing.trace

    @property
    def busy(self) -> bool:
        """Whether the search is still running."""
        return self.tracing.busy

    @property
    def info(self) -> Info | None:
        """The result, when it is known."""
        return self.tracing.info

    def _took_in(self) -> None:
        """Update depth, steps and folds after the trace has grown."""
        self.deepest = max(self.deepest, max(self.trace.ply[self._taken :], default=0))
        self._taken = len(self.trace)
        trace = self.trace
        self.steps = self._steps(trace)
        self._first = self._unfolded_first()
        self.revision += 1

    def _steps(self, trace: Trace) -> Steps:
        """Return the object that steps through `trace`, chosen by the kind of trace."""
        if isinstance(self.tracing, VisitTracing):
            return VisitSteps(self.tracing)
        if isinstance(trace, SharedTree):
            return SharedSteps(trace)
        return SnapshotSteps(trace) if isinstance(trace, Snapshot) else Steps(trace, prunes(self.choice.key))

    def update(self, now: float) -> None:
        """Take in what the search has done, and make the steps that are due."""
        before = self.trace
        if self.tracing.update():
            if isinstance(before, Snapshot | SharedTree) and before is not self.trace:
                self._carry_over(before)
            followed = self.at is None and self.node == self.root
            self._took_in()
            if followed:
                self.node = self.trace.roots()[-1]
        if self.playing and now >= self._due:
            count = 1 if self._due == 0 else min(self.speed, 1 + int((now - self._due) * self.speed))
            self._due = max(self._due + count / self.speed, now)
            self.step(count)
            self.playing = self.at is not None and self.at < self.steps.last

    def _carry_over(self, before: Trace) -> None:
        """Take to the new tree what was looked at, folded and unfolded in the one `before`."""
        pointed = () if self.pointed is None or self.pointed >= len(before) else (self.pointed,)
        kept = {self.node, *pointed, *self.marked, *self._folds, *self.widened}
        same = {node: self.trace.node_after(before.moves_to(node)) for node in kept}
        self.node, self.pointed, self._taken = same[self.node] or 0, same[pointed[0]] if pointed else None, 0
        self._folds = {new: self._folds[old] for old, new in same.items() if new is not None and old in self._folds}
        self.widened = {new for old, new in same.items() if new is not None and old in self.widened}
        self.marked = frozenset(new for old, new in same.items() if new is not None and old in self.marked)

    def wake(self, now: float) -> float | None:
        """Seconds until the next step of the replay; None if it is paused."""
        return max(0.0, self._due - now) if self.playing else None

    def close(self) -> None:
        """End the search."""
        if hasattr(self, "tracing"):
            self.tracing.close()
        self.playing = False

    # Steps.

    @property
    def shown(self) -> int:
        """The step up to which the search is shown."""
        return self.steps.last if self.at is None else self.at

    @property
    def node_step(self) -> int:
        """The step by nodes up to which the tree is shown; all of a tree that is not built node by node."""
        return self.shown if self.by_nodes else 2 * len(self.trace)

    def go(self, step: int | None) -> None:
        """Show the search up to `step`, and its node; of a search visit by visit, the node that was looked at."""
        self.at = None if step is None else max(0, min(step, self.steps.last))
        if isinstance(self.tracing, VisitTracing):
            before = self.trace
            self.tracing.show(self.shown)
            self._carry_over(before)
            self._took_in()
            return
        self.node = self.root if self.at is None else self.steps.node(self.at)[0]
        self.revision += 1

    def step(self, count: int = 1) -> None:
        """Go on by `count` steps, or back; from the whole search back from its end, and on from its beginning."""
        if self.at is None:
            self.go(self.steps.last + count if count < 0 else 0)
        else:
            self.go(self.at + count)

    def play(self, now: float) -> None:
        """Start or stop playing; from the end, begin again."""
        if not self.playing and (self.at is None or self.at >= self.steps.last):
            self.go(0)
        self.playing, self._due = not self.playing, now + 1 / self.speed

    def entered(self, node: int) -> bool:
        """Whether the search has entered `node` by the step shown."""
        return self.steps.entered(node) <= self.shown

    def left(self, node: int) -> bool:
        """Whether the search has left `node` by the step shown."""
        left = self.steps.left(node)
        return left is not None and left <= self.shown

    def value(self, node: int) -> int | None:
        """The value for MAX, as far as it is known."""
        known = self.steps.value(node, self.shown)
        return known if known is None or self.is_max(node) else -known

    def window(self, node: int) -> tuple[int, int]:
        """Alpha and beta for MAX."""
        low, high = self.steps.window(node, self.shown)
        return (low, high) if self.is_max(node) else (-high, -low)

    def is_max(self, node: int) -> bool:
        """Whether MAX is to move: the side to move at the root."""
        return self.trace.turn[node] == self.trace.turn[0]

    def end(self, node: int) -> End | None:
        """Why the node has ended; None if it has not yet."""
        return End(self.trace.end[node]) if self.left(node) else None

    # What is unfolded.

    @property
    def root(self) -> int:
        """The root of the tree that is shown: each iteration has one."""
        return self.trace.path(self.node)[0] if self.node < len(self.trace) else 0

    def _unfolded_first(self) -> set[int]:
        """The nodes that are unfolded at first, level by level; the root of a tree that grows visit by visit."""
        if isinstance(self.tracing, VisitTracing):
            return {0}
        unfolded: set[int] = set()
        for root in self.trace.roots():
            level, count = [root], 1
            while level:
                rows = [(node, self.trace.children(node)) for node in level]
                count += sum(min(len(row), _UNFOLDED // 3) for _, row in rows)
                if count > _UNFOLDED and level != [root]:
                    break
                unfolded.update(node for node, row in rows if row)
                level = [child for _, row in rows for child in row]
        return unfolded

    def unfolded(self, node: int) -> bool:
        """Whether the children of `node` are shown."""
        return self._folds.get(node, node in self._first)

    def has_children(self, node: int) -> bool:
        """Whether the search visited children of `node`."""
        return self.trace.after(node) > node + 1

    def fold(self, node: int) -> None:
        """Fold the node if it is unfolded, else unfold it."""
        if self.has_children(node):
            self._folds[node] = not self.unfolded(node)
            self.revision += 1

    def unfold(self, node: int) -> None:
        """Show the children of a node, and what is above it."""
        self._folds.update(dict.fromkeys(self.trace.path(node), True))
        self.revision += 1

    def widen(self, node: int) -> None:
        """Show all children of a node."""
        self.widened.add(node)
        self.revision += 1

    def fold_all(self) -> None:
        """Fold what a person has unfolded, and the other way round."""
        self._folds.clear()
        self.widened.clear()
        self.revision += 1

    def look_at(self, node: int) -> None:
        """Look at a node, and unfold what is above it."""
        self.playing, self.node = False, node
        self._folds.update(dict.fromkeys(self.trace.path(node)[:-1], True))
        self.revision += 1

    def go_near(self, right: int, down: int) -> None:
        """Look at the parent, at the best child, or at a sibling."""
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
        """The nodes of the principal variation from `node`, by default the root, as far as it is known."""
        nodes = [self.root if node is None else node]
        while (best := self.steps.best(nodes[-1], self.shown)) is not None:
            nodes.append(best)
        return nodes

    def follow_line(self) -> None:
        """Look at the end of the principal variation."""
        self.look_at(self.line()[-1])

    # Positions.

    def position(self, node: int) -> Position:
        """The position at `node`."""
        position = self.subject.position
        for move in self.trace.moves_to(node):
            position = position.play(move)
        return position

    def moves(self, node: int) -> tuple[int, ...]:
        """All moves since the game began."""
        return self.subject.moves + self.trace.moves_to(node)

    def texts(self, node: int) -> str:
        """Their texts."""
        return " ".join(map(self.subject.position.move_text, self.moves(node)))

    def find(self, text: str) -> int | None:
        """Return the node after the moves in `text`, from the root; else the first one with the same position. A move
        that was searched again ends with a star: ``b*``. None if the search did not visit it. Raise `IllegalMove`."""
        position, parts = self.subject.position, text.split()
        node: int | None = self.root
        for part in parts:
            move = position.parse_move(part.removesuffix(AGAIN))
            position = position.play(move)
            node = None if node is None else self.trace.child(node, move)
            if node is not None and part.endswith(AGAIN):
                node = self.trace.re_search(node)
        return self._same(position, len(parts)) if node is None else node

    def _same(self, wanted: Position, ply: int) -> int | None:
        """The first node with the position `wanted`, `ply` moves after the root: walks the tree to that depth only."""
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


def _visit_searches(game: str) -> tuple[str, ...]:
    """The searches that are shown visit by visit; none where they would take long."""
    known = tuple(SAMPLED) if opponents(game).network else tuple(SAMPLED)[:-1]
    return () if needs_engine(MCTS, game) else known
