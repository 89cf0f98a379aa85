"""The line under the players of a game that is played: whose turn it is, or which earlier move is shown."""

from __future__ import annotations

import pygame

from ui.game.play_state import PlayState
from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.text import write
from ui.toolkit.widgets import Widgets
from ui.words.results import turn_sentence

_LINE = 24  # design pixels


class Turn(Part):
    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._rect = pygame.Rect(0, 0, 0, 0)

    def shape(self) -> object:
        return self._state.over

    def build(self, space: Space) -> None:
        """Where the game is over, leave the line to the card that says how."""
        if self._state.over:
            return
        px = self._host.theme.px
        self._rect = space.top(px(_LINE))
        if self._state.live.people:  # beside the line, where no other button is near
            side = px(BUTTON - 4)
            place = pygame.Rect(self._rect.right - side, 0, side, side)
            place.centery = self._rect.centery
            self._rect.width -= side + px(4)
            tip = t("play.resign")
            self._widgets.button("resign", place, "", self._resign, style="@icon", icon="flag", tip=tip)

    def _resign(self) -> None:
        self._state.leave()
        self._state.live.resign()

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._state.over:
            return
        theme, state, live = self._host.theme, self._state, self._state.live
        turn = turn_sentence(state.record, live.thinking, live.waiting, live.paused)
        colour = theme.palette.info if state.viewed else theme.palette.text
        text = state.viewed or (t("teach.waits") if state.warning else turn)
        write(surface, theme, text, self._rect, 16, colour, bold=True)
