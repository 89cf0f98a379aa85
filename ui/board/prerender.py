"""Makes the pictures of the boards that may be shown next on a thread of its own, before a screen asks for them."""

from __future__ import annotations

import threading

from games.registry import GAMES, setup
from ui.board.registry import board_view
from ui.board.view import BoardView, Frame


class Ahead:
    """`make` the boards of all games in some frames; an earlier wish that is not begun is forgotten."""

    def __init__(self) -> None:
        self._wanted: list[BoardView] = []
        self._thread: threading.Thread | None = None

    def make(self, *frames: Frame) -> None:
        self._wanted = [_empty(game, frame) for frame in frames for game in GAMES]
        if self._thread is None or not self._thread.is_alive():
            # A daemon, since a window that is closed waits for nothing.
            self._thread = threading.Thread(target=self._run, name="tengen-ahead", daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Returns when all that is wanted has been made."""
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while wanted := self._wanted:
            wanted.pop(0).prepare()


def _empty(game: str, frame: Frame) -> BoardView:
    view = board_view(game)
    view.place(frame)
    view.show(setup(game).start(), (), 0.0)
    return view
