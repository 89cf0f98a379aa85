"""Questions to a reader before a step of a search is shown: a value, a best move, or whether the search cuts here."""

from __future__ import annotations

from dataclasses import dataclass

from ai.core.score import WIN
from ai.explain.explorer import Explorer
from ai.search.trace import FINE, INFINITY, End

MOST = 4
"""Options of a question."""

_BESIDE = 3  # what a wrong number differs by where nothing better is known


@dataclass(frozen=True, slots=True)
class Prediction:
    """A multiple-choice question about what the next step does at `node`; `kind` is what is asked.

    ``value``: the value for MAX; ``best``: the child with the best move; ``cut``: 1 if the other moves are cut off,
    else 0. `options` and `answer`, the right one, are values, nodes, or 1 and 0.
    """

    kind: str
    node: int
    options: tuple[int, ...]
    answer: int


def prediction(explorer: Explorer) -> Prediction | None:
    """Return the question about the next step; None if that step gives no question."""
    step = 0 if explorer.at is None else explorer.at + 1
    if step > explorer.steps.last or not explorer.asks:
        return None
    node, enters = explorer.steps.node(step)
    if enters:
        parent = explorer.trace.parent[node]
        return _ask_cut(explorer, parent, 0) if parent >= 0 and explorer.trace.children(parent)[0] != node else None
    end = explorer.trace.end[node]
    if end == End.CUT and explorer.trace.untried[node]:
        return _ask_cut(explorer, node, 1)
    if end not in (End.ALL, End.CUT) or len(explorer.trace.distinct_children(node)) < 2:
        return None
    if explorer.trace.is_chance(node):
        return _ask_value(explorer, node)
    return _ask_best(explorer, node, step) if node % 2 else _ask_value(explorer, node)


def _ask_cut(explorer: Explorer, node: int, answer: int) -> Prediction | None:
    """Return the question whether the search cuts at `node`; `answer` is the right one. None where no cut is
    possible."""
    return Prediction("cut", node, (1, 0), answer) if explorer.trace.beta[node] < INFINITY else None


def _value_for_max(explorer: Explorer, node: int) -> int:
    """Return the final value of a node for MAX."""
    value = explorer.trace.value[node]
    return value if explorer.is_max(node) else -value


def _ask_value(explorer: Explorer, node: int) -> Prediction:
    """Return the question for the value of `node`, with the right value among others."""
    right = _value_for_max(explorer, node)
    known = [_value_for_max(explorer, child) for child in explorer.trace.distinct_children(node)]
    apart = _BESIDE if explorer.trace.error is None else _BESIDE * 100 * FINE
    decided = explorer.subject.setup is not None and explorer.trace.error is None
    usual = (0, WIN, -WIN) if decided else (right + apart, right - apart)
    others = [value for value in dict.fromkeys((*usual, *known)) if value != right]
    return Prediction("value", node, tuple(sorted([right, *others[: MOST - 1]])), right)


def _ask_best(explorer: Explorer, node: int, step: int) -> Prediction | None:
    """Return the question for the best move at `node`; for its value if several moves are best, or none is known."""
    children = explorer.trace.distinct_children(node)
    best = explorer.steps.best(node, step)
    if best is None or sum(explorer.trace.backed_up(each) == explorer.trace.value[node] for each in children) > 1:
        return _ask_value(explorer, node)  # several moves are equally good
    some = [child for child in children if child != best][: MOST - 1]
    return Prediction("best", node, tuple(sorted([best, *some])), best)


class Quiz:
    """A replay of `explorer` by hand. While it is `on`, it asks about a step that can be predicted before showing it.

    `asked` is the open question, None without one. `right` of `count` answers were right.
    """

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.on = False
        self.asked: Prediction | None = None
        self.verdict: bool | None = None
        """Whether the last answer was right."""
        self.right = self.count = 0
        self._furthest = 0

    @property
    def last(self) -> int:
        """The last step that a reader may go to: that of the search, or, in the quiz, the furthest one shown so far.

        The number of steps would tell how much is cut.
        """
        if not (self.on and self.explorer.asks):
            return self.explorer.steps.last
        self._furthest = max(self._furthest, self.explorer.shown)
        return min(self._furthest, self.explorer.steps.last)

    def switch(self) -> None:
        """Switch the quiz on or off, and count answers anew. Switched on at the whole search, show its first step."""
        self.on, self.asked, self.verdict = not self.on, None, None
        self.right = self.count = 0
        if self.on and self.explorer.at is None:
            self.explorer.go(0)
        self._furthest = self.explorer.shown

    def forward(self) -> None:
        """Make a step, or ask about it first. Do nothing while a question is open."""
        self.explorer.playing = False
        if not (self.on and (self.asked is not None or self._ask())):
            self.explorer.step()

    def _ask(self) -> bool:
        """Ask about the next step. Return False if there is nothing to ask."""
        self.asked = prediction(self.explorer)
        return self.asked is not None

    def answer(self, option: int) -> None:
        """Answer the open question, count whether that is right, and make the step. Do nothing without a question."""
        if self.asked is not None:
            self.verdict, self.asked = option == self.asked.answer, None
            self.right, self.count = self.right + self.verdict, self.count + 1
            self.explorer.step()

    def update(self) -> None:
        """Pause the replay where there is something to ask; drop the open question if the reader has gone elsewhere."""
        if self.on and self.explorer.playing and self.asked is None and self._ask():
            self.explorer.playing = False
        if self.asked is not None and self.asked != prediction(self.explorer):
            self.asked = None
