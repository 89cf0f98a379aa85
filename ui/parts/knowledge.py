"""What is known of the position that is shown: the one place that the parts of a screen ask."""

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
    """What the evaluation of the node that `shown` returns says, and what follows from its position: a `view`, in words
    and as a win probability. While not `allowed`, only the evaluation is put into words: more would be a hint in a game
    that counts, and is said in a hint while one is `hinted`.

    All is brought up to date once a frame; what is drawn reads it. It comes after the parts that let nodes learn, and
    before those that show it. A thread finds views, since some take longer than a frame.
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
        """Take no room: what is shown may depend on the layout."""
        self.update(0.0)

    def update(self, now: float) -> None:
        """Ask the thread where the position, or what is proven of it, is another; take what it has found."""
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
        """End the thread until the next view."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
        self._thread = self._asked = self._search = self._found = None
