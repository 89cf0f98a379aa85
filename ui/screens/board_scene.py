"""What the scenes with one board share: what mouse and keyboard point at on it, and settings of how it looks."""

from __future__ import annotations

from ui.board.view import BoardView
from ui.host import Host
from ui.scene import Scene


class BoardScene(Scene):
    """`board` is for the subclass to create. `hover` is the move under the mouse, `cursor` that of the keyboard, until
    the mouse moves."""

    board: BoardView

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.hover: int | None = None
        self.cursor: int | None = None

    def point_at(self, pixel: tuple[int, int]) -> None:
        """The mouse is at `pixel`."""
        self.hover, self.cursor = self.board.move_at(pixel), None

    # The keyboard's cursor on the board.

    def do_left(self) -> None:
        self._step(-1, 0)

    def do_right(self) -> None:
        self._step(1, 0)

    def do_up(self) -> None:
        self._step(0, -1)

    def do_down(self) -> None:
        self._step(0, 1)

    def _step(self, right: int, down: int) -> None:
        """Move the keyboard cursor; a new one starts at the point under the mouse."""
        self.cursor = self.board.step(self.hover if self.cursor is None else self.cursor, right, down)
        self.hover = None

    # Settings.

    def do_coordinates(self) -> None:
        self._toggle("coordinates")

    def _toggle(self, name: str) -> None:
        settings = self.host.settings
        setattr(settings, name, not getattr(settings, name))
        self.host.save_settings()
