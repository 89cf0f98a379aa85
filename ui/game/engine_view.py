"""The engine's view of the position that is shown, in words and as a win probability."""

from __future__ import annotations

from collections.abc import Callable

from ai.review.view import View
from games.record import Node
from games.registry import Setup
from ui.game.viewer import Viewer
from ui.words.views import first_side_wins, view_sentence


class EngineView:
    """The view of the node that `shown` returns. While not `allowed`, only its evaluation is put into words: more would
    be a hint in a game that counts."""

    def __init__(
        self, setup: Setup, notify: Callable[[], None], shown: Callable[[], Node],
        allowed: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        self._setup, self._shown, self._allowed = setup, shown, allowed
        self._viewer = Viewer(notify)

    @property
    def view(self) -> View | None:
        """None while there is none."""
        node = self._shown()
        return self._viewer.view(self._setup, node.position, node.evaluation) if self._allowed() else None

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
        self._viewer.close()
