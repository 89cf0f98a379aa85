"""The board on which a position is set up."""

from __future__ import annotations

import time

import pygame

from games.position import FIRST, SECOND
from ui.board.registry import board_view
from ui.board.view import Frame, Marks
from ui.game.arranging import ERASER, TURNS, Arranging
from ui.host import Host
from ui.parts.board import SteeredBoard
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import CURSOR, Binding
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets
from ui.words.games import side_name


class EditorBoard(SteeredBoard[Arranging]):
    """A stone under the pointer is of the side whose tool is taken."""

    bindings = (
        *CURSOR,
        Binding(("space",), "do_place", "editor.place"),
        Binding(("c",), "do_coordinates", "keys.coordinates"),
    )

    def __init__(self, host: Host, widgets: Widgets, state: Arranging) -> None:
        super().__init__(host, widgets, board_view(state.now.setup.game), state)
        self._ground = state.ground

    def shape(self) -> object:
        return self._state.now, self._state.tool

    def build(self, space: Space) -> None:
        state, theme = self._state, self._host.theme
        if self._ground != state.ground:
            self._ground, self.view = state.ground, board_view(state.now.setup.game)
        self.view.place(Frame(space.rest, theme.scale, theme.palette, theme.font, False))
        side = state.tool if state.tool in (FIRST, SECOND) else state.now.turn
        self.view.show(state.now.position(side), (), time.monotonic())

    def draw(self, surface: pygame.Surface, now: float) -> None:
        coordinates, pointer = self._host.settings.coordinates, self._state.pointer
        putting = self._state.tool != ERASER
        marks = Marks(hover=pointer.hover, cursor=pointer.cursor, ghosts=putting, coordinates=coordinates)
        self.view.draw(surface, marks, now)

    def status(self) -> str:
        now = self._state.now
        game, stones = now.setup.game, now.stones(now.turn)
        if not self._state.ready:
            return t("editor.full")
        if not any(now.cells):
            if now.cells and self._state.tool == TURNS:
                return t("editor.about.turns")
            return first_text(f"editor.about.{game}", "editor.about")
        counts = (t("editor.count", side=side_name(game, side), count=len(stones.of[side])) for side in (0, 1))
        return " · ".join(counts)

    def handle(self, event: pygame.event.Event) -> bool:
        state, pointer = self._state, self._state.pointer
        if event.type == pygame.MOUSEMOTION:
            before = pointer.hover
            self._point_at(event.pos)
            if state.painted is not None and pointer.hover is not None and pointer.hover != before:
                state.paint(pointer.hover, state.painted)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT):
            self._point_at(event.pos)
            self._widgets.leave_focus()
            if pointer.hover is not None:
                state.press(pointer.hover, event.button == pygame.BUTTON_RIGHT)
                return True
        elif event.type == pygame.MOUSEBUTTONUP:
            state.painted = None
        return False

    def _point_at(self, pixel: tuple[int, int]) -> None:
        """The mouse is at `pixel`, where there is no move until the board that has been chosen is laid out."""
        pointer, laid_out = self._state.pointer, self._ground == self._state.ground
        pointer.hover, pointer.cursor = self.view.move_at(pixel) if laid_out else None, None

    def _step(self, right: int, down: int) -> None:
        if self._ground == self._state.ground:
            super()._step(right, down)

    def do_place(self) -> None:
        if self._state.pointer.cursor is not None:
            self._state.press(self._state.pointer.cursor)
            self._state.painted = None
