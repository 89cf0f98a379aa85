"""`Screen`: a state and a list of parts, laid out."""

from __future__ import annotations

from pathlib import Path

import pygame

from games.position import Position
from games.record import GameRecord
from games.registry import Setup
from ui.board.view import BoardView, Marks
from ui.frame import Frame
from ui.host import Content, Host
from ui.part import Group
from ui.screens import registry as screens
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets


class Screen(Group):
    """What fills the window. A screen lists its `parts`, the lowest first, and lays them out in `build`: in the space
    that it gets, and in the side panel, `frame.side`.

    No screen inherits from another one. `back` is where Escape leads; None for home.
    """

    name = "screen"
    panel = True
    """Whether there is a side panel."""
    setup: Setup | None = None
    """That of the game it shows."""
    board: BoardView | None = None
    first_position: Position | None = None
    """The position whose moves a test may click on `board`."""

    def __init__(self, host: Host, back: Content | None = None) -> None:
        super().__init__()
        self.host, self.back = host, back
        self.widgets = Widgets(host)
        self.frame = Frame(host, self.status_line, self.panel)
        self._shape: object = None  # when the parts were laid out

    def lay_out(self) -> None:
        """Build all parts. Called again whenever size, theme or the shape of a part change."""
        self.frame.build(Space(pygame.Rect((0, 0), self.host.size), 0))
        self.build(self.frame.main)
        self._shape = self.shape()

    def update(self, now: float) -> None:
        super().update(now)
        if self._shape != self.shape():
            self.host.rebuild()

    def draw(self, surface: pygame.Surface, now: float) -> None:
        self.frame.draw(surface)
        super().draw(surface, now)

    def all_marks(self) -> Marks:
        """What all parts mark on the board."""
        return self.marks(Marks())

    def status_line(self) -> tuple[str, bool]:
        """What the status line says, and whether a person has asked for it."""
        hint = self.hint()
        return (hint, True) if hint else (self.status(), False)

    def go_back(self) -> None:
        if self.back is None:
            self.host.open(screens.home)
        else:
            self.host.show(self.back)

    def open_file(self, path: Path) -> None:
        """Open a file that was dropped on the window or chosen."""
        self.host.open_file(path)

    def paste(self, record: GameRecord) -> bool:
        """Take a game that was pasted. False to have it shown in a replay."""
        return False
