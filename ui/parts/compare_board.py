"""The position whose searches are compared, small."""

from __future__ import annotations

import time

import pygame

from games.record import Node, moves_to
from ui.board.registry import board_view
from ui.board.view import Frame, Marks
from ui.game.comparison import SEARCHES, THREADS, Comparison
from ui.host import Host
from ui.part import Part
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE

_LEAST = 96  # design pixels
_LINES = {SEARCHES: 9, THREADS: 13}
"""Lines that the words below need."""


class CompareBoard(Part):
    """Takes its room from the top of the space, if there is enough. The horizon effect has a board of its own."""

    def __init__(self, host: Host, state: Comparison, node: Node) -> None:
        self._host, self._state, self._node = host, state, node
        self._view = board_view(state.setup.game)
        self._shown = False

    def build(self, space: Space) -> None:
        theme = self._host.theme
        lines = _LINES.get(self._state.view)
        side = 0 if lines is None else min(space.rest.width, space.rest.height - theme.px(lines * LINE))
        self._shown = side >= theme.px(_LEAST)
        if self._shown:
            self._view.place(Frame(space.top(side), theme.scale, theme.palette, theme.font, motion=False))
            self._view.show(self._node.position, moves_to(self._node), time.monotonic())

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._shown:
            self._view.draw(surface, Marks(veil=False, coordinates=self._host.settings.coordinates, ghosts=False), now)
