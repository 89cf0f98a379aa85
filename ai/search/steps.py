"""A search as it stood after each of its steps: a step enters a node or leaves it."""

from __future__ import annotations

from bisect import bisect_right

from ai.search.trace import INFINITY, NO_STAND, Trace


class Steps:
    """The steps of a `trace`, numbered from 0; a search without alpha and beta does not prune. `at` is a step that was
    made; -1 before the first."""

    def __init__(self, trace: Trace, prunes: bool = True) -> None:
        self.trace, self._prunes = trace, prunes
        self._entries = _Entries(self)

    @property
    def last(self) -> int:
        """The last step; -1 without one."""
        trace = self.trace
        if not len(trace):
            return -1
        path = trace.path(len(trace) - 1)
        still = sum(not trace.size[node] for node in path)  # nodes that the search has not left
        return 2 * len(trace) - still - 1

    def entered(self, node: int) -> int:
        """The step that enters `node`. All nodes before it have been entered, and left but for its ancestors."""
        return 2 * node - self.trace.ply[node]

    def left(self, node: int) -> int | None:
        """The step that leaves `node`; None if the search was stopped in it."""
        if not self.trace.size[node]:
            return None
        return 2 * self.trace.after(node) - self.trace.ply[node] - 1

    def node(self, step: int) -> tuple[int, bool]:
        """The node of a step, and whether the step enters it."""
        node = bisect_right(self._entries, step) - 1
        beyond = step - self.entered(node)
        return self.trace.path(node)[-max(1, beyond)], beyond == 0

    def visited(self, at: int) -> int:
        """The number of nodes that have been entered after the step `at`."""
        return bisect_right(self._entries, at)

    def value(self, node: int, at: int) -> int | None:
        """The value of `node` for its side to move that is known after the step `at`: when it has been left, its own,
        and before the best of the moves tried; None if there is none."""
        trace, left = self.trace, self.left(node)
        if left is not None and left <= at:
            return trace.value[node]
        if trace.is_chance(node):
            return None
        known = [trace.backed_up(child) for child in self._tried(node, at)]
        if trace.stands[node] != NO_STAND and self.entered(node) <= at:
            known.append(trace.stands[node])
        return max(known, default=None)

    def window(self, node: int, at: int) -> tuple[int, int]:
        """Alpha and beta of `node` after the step `at`: alpha rises with the moves tried."""
        trace, best = self.trace, self.value(node, at)
        known = best if self._prunes and best is not None else -INFINITY
        return max(trace.alpha[node], known), trace.beta[node]

    def best(self, node: int, at: int) -> int | None:
        """The child of `node` whose value is the best known after the step `at`: the first of several."""
        best = max(self._tried(node, at), key=self.trace.backed_up, default=None)
        if best is not None and self.trace.stands[node] >= self.trace.backed_up(best):
            return None  # to stand pat is best
        return best

    def _tried(self, node: int, at: int) -> list[int]:
        """The children of which the value is known: of a move that was searched twice, one."""
        known = [child for child in self.trace.children(node) if self._known(child, at)]
        last = {self.trace.move[child]: child for child in known}
        return [child for child in known if last[self.trace.move[child]] == child]

    def _known(self, node: int, at: int) -> bool:
        left = self.left(node)
        return left is not None and left <= at


class _Entries:
    """The steps that enter the nodes, ascending, for `bisect`."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def __len__(self) -> int:
        return len(self._steps.trace)

    def __getitem__(self, node: int) -> int:
        return self._steps.entered(node)
