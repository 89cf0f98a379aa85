"""The boards of searches that are compared: that of their position, small, and that of the horizon effect."""

from __future__ import annotations

import time

import pygame

from ai.gomoku.horizon import Seen
from games.record import Node, moves_to
from ui.board.registry import board_view
from ui.board.view import Frame, Marks
from ui.game.comparison import SEARCHES, THREADS, TREES, Comparison
from ui.host import Host
from ui.part import Part
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE

_LEAST = 96  # design pixels
_LINES = {SEARCHES: 9, TREES: 9, THREADS: 13}
"""Lines that the words below need."""


class CompareBoard(Part):
    """The position whose searches are compared, or that of the node pointed at in their trees. Takes its room from the
    top of the space, if there is enough."""

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
            self._show(time.monotonic())

    def _show(self, now: float) -> None:
        trees = self._state.trees
        moves = (trees.pointed or ()) if self._state.view == TREES else ()
        position = trees.position() if moves else self._node.position
        self._view.show(position, moves_to(self._node) + moves, now)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._shown:
            self._show(now)
            self._view.draw(surface, Marks(veil=False, coordinates=self._host.settings.coordinates, ghosts=False), now)


SHALLOW, DEEP, REFUTATION = "shallow", "deep", "refutation"


class HorizonBoard(Part):
    """What each depth plays, and what refutes the move of the shallow one. Takes all the space."""

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
