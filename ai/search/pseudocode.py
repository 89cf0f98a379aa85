"""Which lines of pseudocode a search runs at each of its steps, and the values of their variables.

A step enters or leaves a node (`ai.search.trace.Steps`). Only these steps are in the trace; the lines between them are
inferred. A line is named by its key in `assets/lessons/pseudocode.toml`, a moment is one execution of a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from ai.search.mcts_tree import SampleTree
from ai.search.proof_number import ProofTree
from ai.search.trace import INFINITY, NO_STAND, End, Steps, Trace

LISTINGS: dict[str, tuple[str, ...]] = {
    "minimax": ("minimax", "negamax"),
    "alphabeta": ("soft", "hard"),
    "ordering": ("soft", "hard"),
    "table": ("table",),
    "deepening": ("table",),
    "pvs": ("pvs",),
    "quiescence": ("quiescence",),
    "expect": ("expectimax",),
    "expect_random": ("expectimax",),
    "playouts": ("uct",),
    "sampled": ("puct",),
    "network": ("puct",),
    "proof": ("proof",),
}
"""The listings of a search by its key, `ai.search.comparison`: each writes the same search."""

_QUIESCENCE = ("above", "quiesce")
"""The two functions of ``quiescence``: above the horizon, and beyond it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One execution of a line of pseudocode: the key of the `line` in its `listing`, the `node` whose call runs it, and
    the `values` of the variables. In listings of negamax they are from the view of the side to move."""

    listing: str
    line: str
    node: int
    values: dict[str, int] = field(default_factory=dict)
    child: int | None = None
    """The one that is called, or has returned."""


class Code:
    """The moments of a search: `listing` is its pseudocode, `steps` are its steps."""

    def __init__(self, listing: str, steps: Steps) -> None:
        self.listing, self._steps, self._trace = listing, steps, steps.trace

    def moments(self, step: int) -> list[Moment]:
        """Return the moments from `step` until the next step: those of the node that the step enters; or the last ones
        of the node that it leaves, then those of the node's parent."""
        node, enters = self._steps.node(step)
        return list(self._enter_moments(node) if enters else self._leave_moments(node))

    # A node is entered.

    def _enter_moments(self, node: int) -> Iterator[Moment]:
        """Yield the moments from the call of `node` to the call of its first child, or to its return if it has none."""
        trace, listing = self._trace, self._listing_of(node)
        if listing == "quiesce" and self._is_first_beyond(node):
            called = {"depth": 0, **self._arguments(node)}
            yield from (Moment("above", line, node, called) for line in ("head", "leaf"))
            if trace.end[node] == End.OUTCOME:
                return
            yield Moment("above", "horizon", node, called)
        known = self._arguments(node)
        yield Moment(listing, "head", node, known)
        yield Moment(listing, "leaf", node, known)
        children = trace.children(node)
        if trace.end[node] == End.OUTCOME or (trace.end[node] == End.HORIZON and listing != "quiesce"):
            return
        if listing == "above":
            yield Moment(listing, "horizon", node, known)
        if listing == "table":
            yield Moment(listing, "known", node, known)
            if trace.end[node] == End.TABLE:
                return
        if listing == "quiesce":
            yield from self._stand_pat_moments(node)
        elif listing not in ("hard", "expectimax"):
            best = INFINITY if listing == "minimax" and not self._is_max(node) else -INFINITY
            yield Moment(listing, "init", node, known | {"best": best})
        if children:
            yield from self._call_moments(node, children[0], None)

    def _stand_pat_moments(self, node: int) -> Iterator[Moment]:
        """Yield the lines of quiescence search that set `best` to the stand-pat score, raise α and test for a cutoff.

        Where standing pat is not allowed, `best` begins at minus infinity.
        """
        trace, known = self._trace, self._arguments(node)
        best = -INFINITY if self._is_forced(node) else self._stand_pat_score(node)
        yield Moment("quiesce", "init", node, known | {"best": best})
        known = known | {"best": best, "α": max(trace.alpha[node], best)}
        yield Moment("quiesce", "stand", node, known)
        yield Moment("quiesce", "pat", node, known)

    def _stand_pat_score(self, node: int) -> int:
        """Return the stand-pat score of a node; its value if it has no loud moves."""
        stands = self._trace.stands[node]
        return self._trace.value[node] if stands == NO_STAND else stands

    def _is_forced(self, node: int) -> bool:
        """Whether standing pat was not allowed at a node: the side to move must win at once or answer a threat."""
        return self._trace.stands[node] == NO_STAND and bool(self._trace.children(node))

    # A node is left.

    def _leave_moments(self, node: int) -> Iterator[Moment]:
        """Yield the moments from the last child of `node` to its return, then those of its parent up to its next
        call."""
        trace, listing = self._trace, self._listing_of(node)
        if self._returns_last(node):
            value = self.return_value(node)
            if listing == "expectimax":
                yield Moment(listing, "best", node, self._arguments(node) | {"v": value} if self._is_max(node) else
                             self._arguments(node))  # fmt: skip
                if not self._is_max(node):
                    yield Moment(listing, "mean", node, self._arguments(node) | {"v": value})
            else:
                yield Moment(listing, "return", node, self._variables_after(node, trace.children(node)))
        parent = trace.parent[node]
        if parent >= 0:
            yield from self._return_moments(parent, node)

    def _returns_last(self, node: int) -> bool:
        """Whether the call of a node reaches the final return of its listing, rather than an earlier one."""
        trace, listing = self._trace, self._listing_of(node)
        end = End(trace.end[node])
        if end is End.OUTCOME or end is End.TABLE or (end is End.HORIZON and listing != "quiesce"):
            return False
        if listing == "quiesce" and not self._is_forced(node):
            return max(trace.alpha[node], self._stand_pat_score(node)) < trace.beta[node]
        return not (listing == "hard" and end is End.CUT)

    def _return_moments(self, parent: int, child: int) -> Iterator[Moment]:
        """Yield the moments of `parent` after `child` has returned, up to the call of the next child."""
        trace, listing = self._trace, self._listing_of(parent)
        children = trace.children(parent)
        place = children.index(child)
        first = place - trace.is_re_search(child)  # the null window of the same move is forgotten
        before = self._variables_after(parent, children[:first])
        now = self._variables_after(parent, children[: place + 1])
        v = {"v": self.value_for_parent(child)}
        yield Moment(listing, self._call_line(parent, child), parent, before | v, child)
        if self._call_line(parent, child) == "null":
            yield Moment(listing, "test", parent, before | v, child)
            if trace.re_search(child) is not None:
                yield Moment(listing, "again", parent, before | v, trace.re_search(child))
                return
        cuts = trace.end[parent] == End.CUT and child == children[-1]
        if listing == "hard":
            yield Moment(listing, "cut", parent, before | v, child)
            if cuts:
                return
            yield Moment(listing, "alpha", parent, now | v, child)
        elif listing != "expectimax":
            yield Moment(listing, "best", parent, before | v | {"best": now["best"]}, child)
            if listing not in ("minimax", "negamax"):
                yield Moment(listing, "alpha", parent, now | v, child)
                yield Moment(listing, "cut", parent, now | v, child)
        if not cuts and place + 1 < len(children):
            yield from self._call_moments(parent, children[place + 1], place)

    def _call_moments(self, node: int, child: int, before: int | None) -> Iterator[Moment]:
        """Yield the next turn of the loop of `node`, which calls `child`. `before` is the index of the last child that
        has returned, None for none."""
        known = self._variables_after(node, [] if before is None else self._trace.children(node)[: before + 1])
        yield Moment(self._listing_of(node), "loop", node, known, child)
        yield Moment(self._listing_of(node), self._call_line(node, child), node, known, child)

    def _call_line(self, node: int, child: int) -> str:
        """Return the key of the line that calls `child`."""
        if self.listing != "pvs" or child == node + 1:
            return "call"
        return "again" if self._trace.is_re_search(child) else "null"

    # Values.

    def _listing_of(self, node: int) -> str:
        """Return the listing of the function that runs in a node."""
        if self.listing != "quiescence":
            return self.listing
        return _QUIESCENCE[self._trace.rest[node] == 0 and self._trace.parent[node] >= 0]

    def _is_first_beyond(self, node: int) -> bool:
        """Whether a node is the first one of quiescence search."""
        return self._listing_of(self._trace.parent[node]) == "above"

    def _is_max(self, node: int) -> bool:
        """Whether the side to move at a node is that of the root, MAX."""
        return self._trace.turn[node] == self._trace.turn[0]

    @property
    def for_max(self) -> bool:
        """Whether values are from the view of MAX, the side to move at the root. Otherwise they are from the side to
        move."""
        return self.listing in ("minimax", "expectimax")

    def _arguments(self, node: int) -> dict[str, int]:
        """Return the arguments of the call of a node: ``depth``, ``α`` and ``β``, as far as the listing has them."""
        trace = self._trace
        if self.listing in ("minimax", "negamax", "expectimax"):
            return {"depth": trace.rest[node]}
        window = {"α": trace.alpha[node], "β": trace.beta[node]}
        return window if self._listing_of(node) == "quiesce" else {"depth": trace.rest[node], **window}

    def _variables_after(self, node: int, children: list[int]) -> dict[str, int]:
        """Return the variables in the call of `node` when its first children, `children`, have returned."""
        known = self._arguments(node)
        last = {self._trace.move[child]: self.value_for_parent(child) for child in children}
        found = list(last.values())
        if self.listing == "expectimax":
            return known
        if self.listing == "minimax":
            best = max(found, default=-INFINITY) if self._is_max(node) else min(found, default=INFINITY)
            return known | {"best": best}
        stand = self._listing_of(node) == "quiesce" and not self._is_forced(node)
        best = max([*found, self._stand_pat_score(node)] if stand else found, default=-INFINITY)
        if "α" in known:
            known["α"] = max(known["α"], best)
        return known if self.listing == "hard" else known | {"best": best}

    def return_value(self, node: int) -> int:
        """Return what the call of a node returns: from the view of MAX if `for_max`, else from the node's side to
        move."""
        trace = self._trace
        value = trace.value[node]
        if self.for_max:
            return value if self._is_max(node) else -value
        if self.listing == "hard" and trace.end[node] in (End.CUT, End.ALL):
            return max(trace.alpha[node], min(trace.beta[node], value))
        return value

    def value_for_parent(self, node: int) -> int:
        """Return the value of a node from the view that its parent uses: the v of the listing."""
        value, trace = self.return_value(node), self._trace
        return value if self.for_max or trace.turn[node] == trace.turn[trace.parent[node]] else -value


def visit_moments(listing: str, tree: SampleTree, trail: list[int]) -> list[Moment]:
    """Return the moments of one visit of Monte Carlo tree search. `trail` are the visited nodes of `tree`, from the
    root, and `tree` is the tree after the visit."""
    found = [Moment(listing, "head", 0), Moment(listing, "init", 0)]
    for node, child in pairwise(trail):
        new = child == trail[-1] and tree.visits[child] == 1
        found.append(Moment(listing, "select", node, child=child))
        found.append(Moment(listing, "expand" if new else "choose", node, _counts(tree, child), child))
    last = trail[-1]
    found.append(Moment(listing, "value", last, {"v": tree.value[last]}))
    found += [Moment(listing, "backup", node, _counts(tree, node)) for node in reversed(trail)]
    return found


def round_moments(tree: ProofTree, trail: list[int]) -> list[Moment]:
    """Return the moments of one round of proof-number search. `trail` are its nodes in `tree`, from the root; empty
    before the first round. `tree` is the tree after the round."""
    found = [Moment("proof", "head", 0)]
    if not trail:
        return found
    found.append(Moment("proof", "init", 0))
    for node, child in pairwise(trail):
        found.append(Moment("proof", "select", node))
        found.append(Moment("proof", "max" if tree.turn[node] == tree.turn[0] else "min", node, child=child))
    found.append(Moment("proof", "expand", trail[-1]))
    for node in reversed(trail):
        numbers = {"p": tree.proof[node], "d": tree.disproof[node]}
        found.append(Moment("proof", "or" if tree.turn[node] == tree.turn[0] else "and", node, numbers))
    return found


def _counts(tree: SampleTree, node: int) -> dict[str, int]:
    """Return the visits and the mean value of a node, by their names in the listing."""
    return {"N": tree.visits[node], "Q": tree.value[node]}


def listings(key: str) -> tuple[str, ...]:
    """Return the names of the pseudocode listings of the search `key`, which all write the same search; empty if it has
    none."""
    return LISTINGS.get(key, ())


def has_pseudocode(trace: Trace) -> bool:
    """Whether a trace is of a kind that pseudocode can follow: of one recursive search, of Monte Carlo tree search or
    of proof-number search."""
    return type(trace) is Trace or isinstance(trace, SampleTree | ProofTree)
