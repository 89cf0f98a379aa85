"""Compute the view of a position on a thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ai.review.registry import view
from ai.review.view import View
from games.position import Position
from games.record import Evaluation
from games.registry import Setup


class Viewer:
    """Computes views on a thread, since some take longer than a frame: `notify` is called from it when one is there.
    All other calls belong to one thread."""

    def __init__(self, notify: Callable[[], None]) -> None:
        self._notify = notify
        self._threads: ThreadPoolExecutor | None = None
        self._asked: tuple[Position, int | None] | None = None
        self._found: tuple[object, View | None] | None = None

    def view(self, setup: Setup, position: Position, evaluation: Evaluation | None) -> View | None:
        """What there is to say of `position`, as `ai.review.registry.view`; None until it is known."""
        mate = None if evaluation is None else evaluation.mate
        if self._asked is None or self._asked[0] is not position or self._asked[1] != mate:
            self._asked = asked = position, mate
            self._threads = self._threads or ThreadPoolExecutor(1, "tengen-view")
            self._threads.submit(self._compute, asked, setup, evaluation)
        found = self._found
        return found[1] if found is not None and found[0] is self._asked else None

    def _compute(self, asked: tuple[Position, int | None], setup: Setup, evaluation: Evaluation | None) -> None:
        if asked is self._asked:
            self._found = asked, view(asked[0], evaluation)
            self._notify()

    def close(self) -> None:
        """End the thread until the next call."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        self._threads = self._asked = None
