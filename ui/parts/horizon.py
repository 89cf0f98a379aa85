"""The horizon effect on a board: what each depth plays, and what refutes the move of the shallow one."""

from __future__ import annotations

import time

import pygame

from ai.gomoku.horizon import Seen
from games.record import moves_to
from ui.board.registry import board_view
from ui.board.view import Frame, Marks
from ui.game.comparison import Comparison
from ui.host import Host
from ui.part import Part
from ui.toolkit.layout import Space

SHALLOW, DEEP, REFUTATION = "shallow", "deep", "refutation"


class HorizonBoard(Part):
    """Takes all the space."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state
        self._view = board_view(state.preset.setup.game)

    def build(self, space: Space) -> None:
        theme = self._host.theme
        self._view.place(Frame(space.rest, theme.scale, theme.palette, theme.font, motion=False))
        node = self._state.preset.cursor
        self._view.show(node.position, moves_to(node), time.monotonic())

    @property
    def line(self) -> tuple[int, ...]:
        """The moves on the board."""
        shown, seen = self._state.on_board or REFUTATION, self._state.seen
        shallow = next((each for each in seen if each.refutation), None)
        deep = next((each for each in seen if not each.refutation), None)
        if shown == DEEP:
            return _line(deep)
        if shallow is not None and shown == REFUTATION:
            return shallow.line[0], *shallow.refutation
        return _line(shallow)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        marks = Marks(coordinates=self._host.settings.coordinates, line=self.line, ghosts=False)
        self._view.draw(surface, marks, now)


def _line(seen: Seen | None) -> tuple[int, ...]:
    return () if seen is None else seen.line
