"""The board of a game that is set up, or the menu that lies in its place."""

from __future__ import annotations

import time
from functools import partial

import pygame

from ui.board.registry import board_view
from ui.board.view import BoardView, Frame, Marks
from ui.game.set_up import CLOCK, LEVELS, SetUp
from ui.host import Host
from ui.part import Part
from ui.parts.setup_menus import ClockMenu, LevelMenu, SetupMenu
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets
from ui.words.games import game_about


class SetupBoard(Part):
    """A click beside the menu closes it."""

    def __init__(self, host: Host, widgets: Widgets, state: SetUp) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._board: tuple[str, BoardView] = (state.game, board_view(state.game))
        self.menu: SetupMenu | None = None

    def shape(self) -> object:
        state = self._state
        return state.menu, state.setup, (state.chosen.control if state.menu == CLOCK else None)

    def build(self, space: Space) -> None:
        state, theme = self._state, self._host.theme
        if state.game != self._board[0]:
            self._board = state.game, board_view(state.game)
        board = self._board[1]
        board.place(Frame(space.rest, theme.scale, theme.palette, theme.font, False))
        position, moves = state.position()
        board.show(position, moves, time.monotonic())
        self.menu = self._made_menu()
        if self.menu is not None:
            self.menu.build(space)

    def _made_menu(self) -> SetupMenu | None:
        state = self._state
        if state.menu == CLOCK:
            return ClockMenu(self._host, self._widgets, state.chosen.control, state.set_clock)
        if state.menu in LEVELS:
            side = LEVELS.index(state.menu)
            choose = partial(state.set_player, side)
            return LevelMenu(self._host, self._widgets, state.game, side, state.chosen.players[side], choose)
        return None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self.menu is None:
            self._board[1].draw(surface, Marks(coordinates=self._host.settings.coordinates), now)

    def status(self) -> str:
        """The description of the open menu, or of the game."""
        if self.menu is not None:
            return self.menu.status()
        if self._state.teaching:
            return t("setup.teaching_about")
        return game_about(self._state.game) if self._state.record is None else t("play_on.about")

    def handle(self, event: pygame.event.Event) -> bool:
        if self.menu is None or event.type != pygame.MOUSEBUTTONDOWN:
            return False
        if not self.menu.card.collidepoint(event.pos):
            self._state.menu = ""
        return True
