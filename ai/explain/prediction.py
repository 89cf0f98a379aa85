"""What a reader is asked before a step of a search is shown: a value, a best move, or whether the search cuts here."""

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
    """A question on the next step, in `node`: its ``value`` for MAX, the child with the ``best`` move, or ``cut``: 1 if
    its other moves are not tried, else 0. `options` are values, nodes, or 1 and 0, and `answer` is the right one."""

    kind: str
    node: int
    options: tuple[int, ...]
    answer: int


def prediction(explorer: Explorer) -> Prediction | None:
    """Return the question on the next step; None where there is nothing to ask."""
    step = 0 if explorer.at is None else explorer.at + 1
    if step > explorer.steps.last or not explorer.asks:
        return None
    node, enters = explorer.steps.node(step)
    if enters:
        parent = explorer.trace.parent[node]
        return _cut(explorer, parent, 0) if parent >= 0 and explorer.trace.children(parent)[0] != node else None
    end = explorer.trace.end[node]
    if end == End.CUT and explorer.trace.untried[node]:
        return _cut(explorer, node, 1)
    if end not in (End.ALL, End.CUT) or len(explorer.trace.distinct_children(node)) < 2:
        return None
    if explorer.trace.is_chance(node):
        return _value(explorer, node)
    return _best(explorer, node, step) if node % 2 else _value(explorer, node)


def _cut(explorer: Explorer, node: int, answer: int) -> Prediction | None:
    """Asked only where the window has an end for the side to move, so that a cut is possible."""
    return Prediction("cut", node, (1, 0), answer) if explorer.trace.beta[node] < INFINITY else None


def _value_for_max(explorer: Explorer, node: int) -> int:
    """The value of a node for MAX."""
    value = explorer.trace.value[node]
    return value if explorer.is_max(node) else -value


def _value(explorer: Explorer, node: int) -> Prediction:
    """Ask for the value of `node`: the right one among plausible others."""
    right = _value_for_max(explorer, node)
    known = [_value_for_max(explorer, child) for child in explorer.trace.distinct_children(node)]
    apart = _BESIDE if explorer.trace.error is None else _BESIDE * 100 * FINE
    decided = explorer.subject.setup is not None and explorer.trace.error is None
    usual = (0, WIN, -WIN) if decided else (right + apart, right - apart)
    options = {_as_option(explorer, value): value for value in (*usual, *known, right)}
    others = [value for value in options.values() if _as_option(explorer, value) != _as_option(explorer, right)]
    return Prediction("value", node, tuple(sorted([right, *others[: MOST - 1]])), right)


def _as_option(explorer: Explorer, value: int) -> int:
    """Wins of one side count as one option, unless the distance matters."""
    return value if explorer.choice.distance or abs(value) < WIN // 2 else (WIN if value > 0 else -WIN)


def _best(explorer: Explorer, node: int, step: int) -> Prediction | None:
    """Ask for the best move at a node; None if it is not unique or not known."""
    children = explorer.trace.distinct_children(node)
    best = explorer.steps.best(node, step)
    if best is None or sum(explorer.trace.backed_up(each) == explorer.trace.value[node] for each in children) > 1:
        return _value(explorer, node)  # several moves are equally good
    some = [child for child in children if child != best][: MOST - 1]
    return Prediction("best", node, tuple(sorted([best, *some])), best)


class Quiz:
    """Steps forward through `explorer`; while it is `on`, a step that would show an answer asks for it first."""

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
        """The step to which a reader may go. While the quiz is on, it is the furthest that was shown: how many there
        are would tell how much is cut."""
        if not (self.on and self.explorer.asks):
            return max(0, self.explorer.steps.last)
        self._furthest = max(self._furthest, self.explorer.shown)
        return max(0, min(self._furthest, self.explorer.steps.last))

    def switch(self) -> None:
        """Begin or stop asking; from the end of the search, begin at its beginning."""
        self.on, self.asked, self.verdict = not self.on, None, None
        self.right = self.count = 0
        if self.on and self.explorer.at is None:
            self.explorer.go(0)
        self._furthest = self.explorer.shown

    def forward(self) -> None:
        """Make a step, or ask first."""
        self.explorer.playing = False
        if not (self.on and (self.asked is not None or self._ask())):
            self.explorer.step()

    def _ask(self) -> bool:
        """Ask about the next step if it can be predicted. Return whether it is asked."""
        self.asked = prediction(self.explorer)
        return self.asked is not None

    def answer(self, option: int) -> None:
        """Answer what is asked, and make the step."""
        if self.asked is not None:
            self.verdict, self.asked = option == self.asked.answer, None
            self.right, self.count = self.right + self.verdict, self.count + 1
            self.explorer.step()

    def update(self) -> None:
        """Stop playing where there is something to ask; forget the question when the reader has gone elsewhere."""
        if self.on and self.explorer.playing and self.asked is None and self._ask():
            self.explorer.playing = False
        if self.asked is not None and self.asked != prediction(self.explorer):
            self.asked = None
