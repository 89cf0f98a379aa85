"""The engine's view of the position that is shown, in words and as a win probability."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ai.review.registry import view
from ai.review.view import View
from games.evaluation import Evaluation
from games.position import Position
from games.record import Node
from games.registry import Setup
from ui.words.views import first_side_wins, view_sentence

_log = logging.getLogger(__name__)

_Proof = tuple[int | None, bool] | None
"""What changes a view: the mate of an evaluation, and whether it is exact."""


class EngineView:
    """The view of the node that `shown` returns. While not `allowed`, only its evaluation is put into words: more would
    be a hint in a game that counts.

    A thread computes views, since some take longer than a frame, and calls `notify` when one is there.
    """

    def __init__(
        self, setup: Setup, notify: Callable[[], None], shown: Callable[[], Node],
        allowed: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        self._setup, self._notify, self._shown, self._allowed = setup, notify, shown, allowed
        self._threads: ThreadPoolExecutor | None = None
        self._asked: tuple[Position, _Proof] | None = None
        self._found: tuple[object, View | None] | None = None

    @property
    def view(self) -> View | None:
        """None where there is none, and until it is known."""
        if not self._allowed():
            return None
        position, evaluation = self._shown().position, self._shown().evaluation
        proof = None if evaluation is None else (evaluation.mate, evaluation.exact)
        if self._asked is None or self._asked[0] is not position or self._asked[1] != proof:
            self._asked = asked = position, proof
            self._threads = self._threads or ThreadPoolExecutor(1, "tengen-view")
            self._threads.submit(self._compute, asked, evaluation)
        found = self._found
        return found[1] if found is not None and found[0] is self._asked else None

    def _compute(self, asked: tuple[Position, _Proof], evaluation: Evaluation | None) -> None:
        if asked is self._asked:
            try:
                self._found = asked, view(asked[0], evaluation)
            except Exception:  # nobody asks the thread for its result; no view is shown then
                _log.exception("The view of a position cannot be computed.")
            self._notify()

    @property
    def sentence(self) -> str:
        node = self._shown()
        return view_sentence(self._setup, node.position, node.evaluation, self.view)

    @property
    def wins(self) -> float | None:
        """Win probability of the first side, None where nothing is known."""
        node = self._shown()
        return first_side_wins(self._setup, node.position, node.evaluation, self.view, node.ending)

    def close(self) -> None:
        """End the thread until the next view."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        self._threads = self._asked = None
