"""What is known of the position shown, as a sentence and a win probability: the single source for the parts of a
screen."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from ai.review.insights import view
from ai.review.report import View
from ai.system.threads import result_of
from games.position import Position
from games.record import Node
from games.registry import Setup
from ui.toolkit.space import Space
from ui.window.host import Host
from ui.window.part import Part
from ui.words.views import first_side_wins, view_sentence

_Proof = tuple[int | None, bool] | None
"""What changes a view: the mate of an evaluation, and whether it is exact."""


class Knowledge(Part):
    """The evaluation of the node that `shown` returns, and the `view` of its position (a forced win and the like), as a
    sentence and a win probability. While `allowed` returns False, `sentence` is on the evaluation only, since the view
    would be help in a rated game; while `hinted` returns True, `advice` has the view as well.

    It is updated once a frame, after the parts that add evaluations to nodes and before those that show them. A thread
    computes views, since some take longer than a frame.
    """

    def __init__(
        self, host: Host, setup: Setup, shown: Callable[[], Node], allowed: Callable[[], bool] = lambda: True,
        hinted: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self.node = shown()
        """The one that all this is about."""
        self.view: View | None = None
        """None where there is none, and until it is known."""
        self.sentence = ""
        self.wins: float | None = None
        """Win probability of the first side, None where nothing is known."""
        self.advice = ""
        """What a hint may say besides."""
        self._host, self._setup = host, setup
        self._shown, self._allowed, self._hinted = shown, allowed, hinted
        self._thread: ThreadPoolExecutor | None = None
        self._asked: tuple[Position, _Proof] | None = None
        self._search: Future[View | None] | None = None  # for what was asked last, until it is over
        self._found: View | None = None  # for what was asked last

    def build(self, space: Space) -> None:
        """Update, so that the layout of other parts may depend on what is known. Take no room."""
        self.update(0.0)

    def update(self, now: float) -> None:
        """Have the view computed if the position or its proven result has changed; take one that is ready."""
        self.node, allowed, hinted = self._shown(), self._allowed(), self._hinted()
        setup, position, known = self._setup, self.node.position, self.node.evaluation
        asked = position, None if known is None else (known.mate, known.exact)
        if (allowed or hinted) and (self._asked is None or self._asked[0] is not position or self._asked != asked):
            if self._search is not None:
                self._search.cancel()
            self._asked, self._found, self._thread = asked, None, self._thread or ThreadPoolExecutor(1, "tengen-view")
            self._search = self._thread.submit(view, position, known)
            self._search.add_done_callback(lambda _: self._host.wake())
        if self._search is not None and self._search.done():
            self._found = result_of(self._search)
            self._search = None
        found, self.view = self._found, self._found if allowed else None
        self.sentence = view_sentence(setup, position, known, self.view)
        self.wins = first_side_wins(setup, position, known, self.view, self.node.ending)
        self.advice = view_sentence(setup, position, known, found) if hinted and found is not None else ""

    def close(self) -> None:
        """Stop the thread; the next update starts another one."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
        self._thread = self._asked = self._search = self._found = None
