"""Searches that are compared, without pixels: what the parts of the screen share, the curves of the chart of nodes
against depth, and the sentences on the results."""

from __future__ import annotations

import csv as tables
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ai.core.score import Score
from ai.explain.subject import WHOLE, Shared, SideBySide, Subject, compare, share
from ai.gomoku import horizon
from ai.gomoku.horizon import HorizonResult
from ai.search.comparison import (
    DEEPEST,
    VARIANTS,
    Bounds,
    SearchRow,
    effective_branching,
    fewest_nodes,
    full_tree,
    minimal_tree,
    prunes,
)
from ai.system.stream import Stream
from games.position import FIRST, Position
from games.record import GameRecord
from ui.learn.icicle_plan import Plans
from ui.toolkit.i18n import first_text, joined, t
from ui.window.host import Host
from ui.words.games import side_name
from ui.words.move_words import move_name
from ui.words.numbers import count_text, percent_text, whole_text
from ui.words.views import lead_text

SEARCHES, TREES, HORIZON, THREADS = "searches", "trees", "horizon", "threads"
VIEWS = (SEARCHES, TREES, HORIZON, THREADS)

Point = tuple[str, int]
"""A search and a depth."""

_WORKERS = 2
_DEPTH = 8


class Comparison:
    """Compares searches of the position at the cursor of `record`, in a process of its own and for one view at a time.
    Choosing another view stops the searches of the one before, whose results stay."""

    def __init__(self, host: Host, record: GameRecord) -> None:
        self._host = host
        self.setup, self.position = record.setup, record.position
        self.preset = horizon.record()
        """The game of the horizon effect."""
        self.trees = SideBySide(Subject.of(record, record.cursor), host.wake)
        """The whole trees, to one scale."""
        self.plans: Plans | None = None
        """Where the nodes were when they were laid out last."""
        self.view = SEARCHES
        self.depth = _DEPTH
        """The deepest search that is wanted."""
        self.pointed: Point | None = None
        """The row under the pointer."""
        self.on_board = ""
        """Which line of the horizon effect is on the board: ``shallow``, ``deep``, else the refutation."""
        self.failed = False
        self._found: dict[str, list[Any]] = {view: [] for view in VIEWS}
        self._stream: Stream[Any] | None = None

    # What was found.

    @property
    def search_rows(self) -> list[SearchRow]:
        """The results so far of the view SEARCHES, whichever is shown: one row for each search and depth."""
        return self._found[SEARCHES]

    @property
    def horizon_results(self) -> list[HorizonResult]:
        """The results so far of the searches that show the horizon effect: one for each of two depths."""
        return self._found[HORIZON]

    @property
    def shared(self) -> list[Shared]:
        """How two threads divided the nodes, for each depth that is finished."""
        return self._found[THREADS]

    @property
    def current_plans(self) -> Plans | None:
        """The `plans`, if they are of the trees that are searched now; else None."""
        return self.plans if self.plans is not None and self.plans.traces == self.trees.traces else None

    def row(self, point: Point) -> SearchRow | None:
        """Return the row of a search and depth; None if there is none yet."""
        return next((row for row in self.search_rows if (row.search, row.depth) == point), None)

    @property
    def plot(self) -> Plot:
        """The chart of the rows so far."""
        return plot(self.search_rows, len(self.position.legal_moves()))

    # The search.

    @property
    def over(self) -> bool:
        """Whether the game is over at the position, so that there is nothing to search."""
        return self.position.outcome is not None

    @property
    def busy(self) -> bool:
        """Whether rows or trees are still to come."""
        return self._stream is not None or self.trees.busy

    def choose(self, view: str) -> None:
        """Show a view; begin its search if it has found nothing yet."""
        if view != self.view:
            self.stop()
            self.view = view
        if not (self.trees.begun if view == TREES else self._found[view]):
            self.start()

    def deepen(self, by: int) -> None:
        """Change the depth by so many plies, within bounds. Whole trees are searched anew immediately; the other views
        use the depth at the next `start`."""
        if self.view == TREES:
            self.trees.deepen(by)
        else:
            self.depth = max(1, min(DEEPEST, self.depth + by))

    def start(self) -> None:
        """Stop any search under way, and search anew for the chosen view, unless the game is over at the position."""
        self.stop()
        if self.over and self.view != HORIZON:
            return
        if self.view == TREES:
            self.trees.start()
            return
        self._found[self.view].clear()
        self.failed, self.pointed = False, None
        task, *arguments = self._task()
        self._stream = Stream(self._host.wake, task, *arguments)

    def _task(self) -> tuple[Any, ...]:
        """Return the generator function that searches for the chosen view, followed by its arguments."""
        bounds = Bounds(self.depth)
        if self.view == SEARCHES:
            return compare, self.position, bounds
        return (share, self.position, _WORKERS, bounds) if self.view == THREADS else (horizon.search_both_depths,)

    def update(self) -> None:
        """Take in the results that have come, without waiting."""
        self.trees.update()
        if self._stream is None:
            return
        self._found[self.view].extend(self._stream.take())
        if not self._stream.busy:
            self.failed, self._stream = self._stream.failed, None

    def stop(self) -> None:
        """Stop the searches; what was found stays."""
        self.update()
        self.trees.close()
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    close = stop


# The chart of nodes against depth: its curves, its axes, and where a point lies.


LAST = "last"
"""The curve of the last iterations of iterative deepening."""

ALL, BEST = "all", "best"
"""The curves of theory, in nodes: all of a tree with b moves in each position, and those that alpha-beta
visits of it if the best move always comes first."""

_TREES = {ALL: full_tree, BEST: minimal_tree}
_LEAST_DEPTH, _LEAST_DECADES = 4, 2


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve of the chart. `key` is a search, `LAST`, or `ALL` or `BEST` for a theory; `points` are (depth, nodes), by
    depth."""

    key: str
    points: tuple[tuple[float, float], ...]

    @property
    def theory(self) -> bool:
        """Whether it is computed by a formula, not measured."""
        return self.key in (ALL, BEST)


@dataclass(frozen=True, slots=True)
class Plot:
    """`curves` over the depths from 1 to `depth`, and 1 to 10^`decades` nodes on a logarithmic scale. `b` is the
    effective branching factor."""

    curves: tuple[Curve, ...]
    depth: int
    decades: int
    b: float

    def place(self, depth: float, nodes: float) -> tuple[float, float]:
        """Return where a point lies: its share of the width from the left, and of the height from the bottom, 0 to 1.
        """
        return (depth - 1) / (self.depth - 1), math.log10(max(1.0, nodes)) / self.decades

    def measured(self) -> list[Curve]:
        """Return the curves that are no theory: those of the searches, and that of last iterations."""
        return [curve for curve in self.curves if not curve.theory]


def plot(rows: Sequence[SearchRow], moves: int) -> Plot:
    """Return the chart of those `rows` that are finished. `moves` is the number of legal moves at the root."""
    finished = [row for row in rows if row.finished]
    depth = max([_LEAST_DEPTH, *(row.depth for row in finished)])
    decades = max([_LEAST_DECADES, *(math.ceil(math.log10(row.nodes)) for row in finished)])
    b = effective_branching(rows, moves)
    curves = [
        Curve(name, tuple((row.depth, row.nodes) for row in sorted(finished, key=_depth) if row.search == name))
        for name in VARIANTS
    ]
    last = [(row.depth, row.last) for row in sorted(finished, key=_depth) if row.before]
    curves.append(Curve(LAST, tuple(last)))
    theory = [Curve(key, _theory_points(partial(tree, b), depth, decades)) for key, tree in _TREES.items()]
    return Plot((*theory, *(curve for curve in curves if curve.points)), depth, decades, b)


def _depth(row: SearchRow) -> int:
    """The depth of a row, as a key for sorting."""
    return row.depth


def _theory_points(nodes: Callable[[int], float], depth: int, decades: int) -> tuple[tuple[float, float], ...]:
    """Return the points (depth, nodes) of the function `nodes`, up to where it leaves the chart of 10^`decades` nodes;
    none if it is never in it."""
    points: list[tuple[float, float]] = []
    for deep in range(1, depth + 1):
        exponent = math.log10(max(1.0, nodes(deep)))
        if exponent > decades:
            if points:
                last, before = points[-1][0], math.log10(points[-1][1])
                points.append((last + (decades - before) / (exponent - before), 10.0**decades))
            break
        points.append((float(deep), 10.0**exponent))
    return tuple(points)


def csv(position: Position, rows: Sequence[SearchRow]) -> bytes:
    """Return the rows as CSV with a header line, in UTF-8 with a byte order mark for spreadsheets. Scores are from the
    side to move."""
    out = io.StringIO()
    writer = tables.writer(out)
    writer.writerow([t(f"compare.csv.{name}") for name in
                     ("search", "depth", "nodes", "last", "seconds", "score", "move", "finished")])  # fmt: skip
    for row in sorted(rows, key=lambda row: row.depth):
        found = (row.score, position.move_text(row.move)) if row.finished else ("", "")
        name = _full_name(row.search)
        writer.writerow([name, row.depth, row.nodes, row.last, f"{row.seconds:.6f}", *found, int(row.finished)])
    return out.getvalue().encode("utf-8-sig")


# What is said of searches.


def search_name(key: str) -> str:
    """Return the name of a search: ``Alpha-beta``, ``+ ordering``; or that of a theory: ``all nodes``."""
    return t(f"compare.{key}")


def curve_name(key: str) -> str:
    """Return the name of a curve in the legend. Iterative deepening has two curves: nodes of all depths, and of the
    last one."""
    return first_text(f"compare.curve.{key}", f"compare.{key}")


def _full_name(key: str) -> str:
    """Return the name of a search for a sentence: ``Alpha-beta + ordering``."""
    name = search_name(key)
    return f"{search_name('alphabeta')} {name}" if name.startswith("+") else name


def _seconds_text(seconds: float) -> str:
    """Return seconds as text without the unit: ``0.04``, ``1.2``, ``12``."""
    return f"{seconds:.2f}" if seconds < 0.995 else f"{seconds:.1f}" if seconds < 9.95 else f"{seconds:.0f}"


def value_text(position: Position, score: int) -> str:
    """Return a score of the side to move at `position` as text: ``X +1.2``, ``0``, or who wins and in how many plies.
    """
    seen = Score(score).seen_from(FIRST, position.turn)
    if seen.mate is None:
        return lead_text(position.game, int(seen)) if score else "0"
    side = side_name(position.game, FIRST if seen.mate > 0 else 1 - FIRST)
    return t("compare.wins", side=side, count=abs(seen.mate))


def cell_texts(row: SearchRow) -> tuple[str, str]:
    """Return nodes and seconds as the table has them; ``>`` stands before the nodes of a search that was stopped."""
    nodes = count_text(row.nodes)
    return nodes if row.finished else f">{nodes}", t("compare.seconds", seconds=_seconds_text(row.seconds))


def row_sentence(position: Position, row: SearchRow) -> str:
    """Return a sentence on one search at one depth: nodes and seconds and, unless it was stopped, value and best move.
    """
    facts = {
        "search": _full_name(row.search), "depth": row.depth, "nodes": whole_text(row.nodes),
        "seconds": _seconds_text(row.seconds),
    }  # fmt: skip
    if not row.finished:
        return t("compare.stopped_row", **facts)
    value, move = value_text(position, row.score), move_name(position, row.move)
    sentence = t("compare.row", value=value, move=move, **facts)
    return joined((sentence, t("compare.row.last", number=whole_text(row.last)))) if row.before else sentence


def row_tip(row: SearchRow) -> str:
    """Return the tooltip of a point of the chart: search, depth and nodes."""
    return t("compare.tip", search=_full_name(row.search), depth=row.depth, nodes=whole_text(row.nodes))


def _times_text(times: float) -> str:
    """Return a factor as text: ``18``, ``2.4``."""
    return f"{times:.0f}" if times >= 10 else f"{times:.1f}"


def findings(position: Position, rows: Sequence[SearchRow]) -> list[str]:
    """Return sentences on the rows, as far as there are enough of them: how many nodes are saved, the value on which
    the searches agree, and the effective branching factor b."""
    said = []
    found = fewest_nodes(rows)
    if found is not None:
        best, depth, times = found
        nodes = {(row.search, row.depth): row.nodes for row in rows}
        said.append(t(
            "compare.saved", search=_full_name(best), few=whole_text(nodes[best, depth]), depth=depth,
            many=whole_text(nodes[WHOLE, depth]), times=_times_text(times),
        ))  # fmt: skip
    if values := _agreed_values(rows):
        depth = max(values)
        said.append(t("compare.value", depth=depth, value=value_text(position, values[depth])))
    return [*said, _b_sentence(rows, len(position.legal_moves()))]


def _agreed_values(rows: Sequence[SearchRow]) -> dict[int, int]:
    """Return values by depth, for each depth that several searches have finished with the same value."""
    found: dict[int, list[int]] = {}
    for row in rows:
        if row.finished:
            found.setdefault(row.depth, []).append(row.score)
    return {depth: values[0] for depth, values in found.items() if len(values) > 1 and len(set(values)) == 1}


def _b_sentence(rows: Sequence[SearchRow], moves: int) -> str:
    """Return a sentence on the effective branching factor, and how it was measured; `moves` can be made at the root."""
    b = effective_branching(rows, moves)
    measured = [row for row in rows if row.finished and not prunes(row.search)]
    if not measured:
        return t("compare.b.moves", b=f"{b:.0f}")
    deepest = max(measured, key=lambda row: row.depth)
    return t("compare.b", b=f"{b:.1f}", depth=deepest.depth, nodes=whole_text(deepest.nodes))


def bounds_sentence() -> str:
    """Say after how many nodes and seconds a search is stopped."""
    return t("compare.bounds", nodes=whole_text(Bounds().nodes), seconds=f"{Bounds().seconds:.0f}")


# Whole trees.


def trees_titles(trees: SideBySide) -> list[tuple[str, str]]:
    """Return the title and the note of each of the pictures of `tree_pictures`. The note of the last one is the share
    of the nodes of minimax that the other search has visited."""
    whole, pruned = trees.traces
    few, many = whole_text(len(pruned)), whole_text(len(whole))
    return [
        (t("compare.trees.nodes", search=search_name(WHOLE), nodes=many), ""),
        (t("compare.trees.nodes", search=_full_name(trees.pruning), nodes=few), t("search.saved")),
        (t("compare.trees.alone"), percent_text(100 * len(pruned) / max(1, len(whole)), 1)),
    ]


def trees_sentences(trees: SideBySide) -> list[str]:
    """Return sentences on the two trees: what they show, and how many nodes were saved or, if minimax was stopped, that
    its tree is too large."""
    position = trees.subject.position
    said = [t("compare.trees.about", side=side_name(position.game, position.turn))]
    if trees.finished and trees.whole is not None and trees.pruned is not None and trees.pruned.info is not None:
        whole, pruned = len(trees.whole.trace), len(trees.pruned.trace)
        few, many, times = whole_text(pruned), whole_text(whole), _times_text(whole / pruned)
        said.append(t("compare.trees.saved", search=_full_name(trees.pruning), few=few, many=many, times=times))
        value = value_text(position, trees.pruned.info.score)
        said.append(t("compare.trees.value", value=value))
    elif trees.whole is not None and trees.whole.info is not None:
        said.append(t("compare.trees.too_large", nodes=whole_text(len(trees.whole.trace))))
    return said


def below_sentence(trees: SideBySide) -> str:
    """Return the moves to the node under the pointer, and how many nodes each search has from there on; empty if there
    is none."""
    below, position = trees.nodes_below(), trees.subject.position
    if below is None or trees.pointed is None:
        return ""
    moves = " ".join(move_name(position, move) for move in trees.pointed) or t("search.root")
    whole, pruned = (whole_text(count) for count in below)
    key = "compare.trees.below" if below[1] else "compare.trees.gone"
    return t(key, moves=moves, whole=whole, pruned=pruned, search=_full_name(trees.pruning))


# The horizon effect.


def horizon_sentences(position: Position, seen: Sequence[HorizonResult]) -> list[str]:
    """Return sentences on what each depth plays, and on the refutation of the move of the shallow search."""
    said = [t("compare.horizon.about")]
    for each in seen:
        move, value = move_name(position, each.line[0]), value_text(position, each.score)
        key = "shallow" if each.refutation else "deep"
        facts = {"depth": each.depth, "move": move, "value": value, "nodes": whole_text(each.nodes)}
        said.append(t(f"compare.horizon.{key}", **facts))
        if each.refutation:
            line = " ".join(move_name(position, reply) for reply in each.refutation)
            winner = side_name(position.game, 1 - position.turn)
            said.append(t("compare.horizon.refuted", side=winner, line=line, count=len(each.refutation)))
    return said


# The threads.


def share_text(part: int, whole: int) -> str:
    """Return a share as text: ``46 %``."""
    return percent_text(100 * part / max(1, whole))


def thread_sentences(shared: Sequence[Shared]) -> list[str]:
    """Return sentences on how two threads divided the deepest finished search, and on the cost of that."""
    said = [t("compare.threads.about")]
    if shared:
        last = shared[-1]
        done = last.division
        said.append(t(
            "compare.threads.twice", depth=last.depth, both=whole_text(done.shared), all=whole_text(done.positions),
            share=share_text(done.shared, done.positions),
        ))  # fmt: skip
        said.append(t(
            "compare.threads.cost", nodes=whole_text(sum(done.nodes)), span=whole_text(last.span),
            alone=whole_text(last.alone),
        ))  # fmt: skip
    return [*said, t("compare.threads.gil")]
