"""The steps of a search, and what is known after each, against the search followed event by event."""

import pytest

from ai.core.player import Limit, answer
from ai.search.alphabeta import AlphaBeta, Parts
from ai.search.minimax import Minimax
from ai.search.trace import End, Steps, Trace
from tests.ai.search.test_trace import DEPTH, PLAIN, by_chance, traced


class Followed(Trace):
    """Notes each step as it is made."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[tuple[int, bool]] = []

    def enter(self, move: int, turn: int, alpha: int, beta: int, rest: int = 0) -> None:
        self.steps.append((len(self), True))
        super().enter(move, turn, alpha, beta)

    def leave(self, value: int, end: End, untried: int = 0) -> None:
        self.steps.append((self._path[-1], False))
        super().leave(value, end, untried)


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("parts", [PLAIN, Parts()])
def test_steps_are_those_that_the_search_makes(number: int, parts: Parts) -> None:
    position = by_chance(number)
    player = AlphaBeta(parts)
    player.trace = followed = Followed()
    nodes = 300 if number % 3 else None
    answer(player, position, Limit(depth=min(4, DEPTH[position.game]), nodes=nodes))
    steps = Steps(followed)
    assert [steps.node(step) for step in range(steps.last + 1)] == followed.steps
    for step, (node, entering) in enumerate(followed.steps):
        assert (steps.entered(node) if entering else steps.left(node)) == step


def test_what_is_known_after_each_step() -> None:
    """The best value so far, and a window that closes: as the next child is searched with it."""
    trace, _ = traced(AlphaBeta(PLAIN), by_chance(3), Limit(depth=3))
    steps = Steps(trace)
    checked = 0
    for node in range(len(trace)):
        assert steps.value(node, steps.entered(node)) is None
        assert steps.window(node, steps.entered(node)) == (trace.alpha[node], trace.beta[node])
        left = steps.left(node)
        assert left is not None
        assert steps.value(node, left) == trace.value[node]
        for child in trace.children(node):
            low, high = steps.window(node, steps.entered(child) - 1)
            assert (trace.alpha[child], trace.beta[child]) == (-high, -low)
            checked += 1
        best = steps.best(node, left)
        if best is not None:
            assert -trace.value[best] == trace.value[node]
    assert checked > 50


def test_minimax_has_no_window() -> None:
    trace, _ = traced(Minimax(), by_chance(0), Limit(depth=3))
    steps = Steps(trace, prunes=False)
    assert {steps.window(node, steps.last) for node in range(len(trace))} == {(trace.alpha[0], trace.beta[0])}
