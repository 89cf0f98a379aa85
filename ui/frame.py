"""The ground of every screen: the side panel at the right, and the status line at the bottom."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.host import Host
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.palette import Colour
from ui.toolkit.text import width_of, write

MARGIN = 16
"""Design pixels around what is on the ground."""

_STATUS, _NARROWEST, _WIDEST, _SHARE = 28, 320, 400, 0.29


class Frame:
    """Divides the window into `main`, the space `side` in the panel, and the status line, of which the text leaves
    `free`. `status` returns the text, and whether a person has asked for it."""

    def __init__(self, host: Host, status: Callable[[], tuple[str, bool]], panel: bool) -> None:
        self._host, self._status, self._has_panel = host, status, panel
        self.free = self._line = self._panel = pygame.Rect(0, 0, 0, 0)
        self.main = self.side = Space(self.free, 0)

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        margin = 2 * px(MARGIN)
        self._line = space.bottom(px(_STATUS))
        if self._has_panel:
            self._panel = space.right(max(px(_NARROWEST), min(px(_WIDEST), round(space.rest.width * _SHARE))))
            self.side = Space(self._panel.inflate(-margin, -margin), px(12))
            self.main = Space(space.rest.inflate(-margin, -margin), 0)
        else:
            self.main = Space(space.rest.inflate(-margin, -2 * px(8)), 0)

    def draw(self, surface: pygame.Surface) -> None:
        palette = self._host.theme.palette
        if self._has_panel:
            surface.fill(palette.panel, self._panel)
            pygame.draw.line(surface, palette.line, self._panel.topleft, self._panel.bottomleft)
        self._draw_status(surface)

    def _draw_status(self, surface: pygame.Surface) -> None:
        theme, palette = self._host.theme, self._host.theme.palette
        surface.fill(palette.panel, self._line)
        pygame.draw.line(surface, palette.line, self._line.topleft, self._line.topright)
        inside = Space(self._line.inflate(-2 * theme.px(MARGIN), 0), theme.px(MARGIN))
        keys = t("status.keys")
        write(surface, theme, keys, inside.right(width_of(theme, keys, 14)), 14, palette.quiet, align="right")
        (text, colour), *more = self.texts
        self._write(surface, inside.rest, text, colour)
        for text, colour in more:
            room = Space(self.free, 0)
            room.left(min(theme.px(MARGIN), room.rest.width))
            if width_of(theme, text, 14) <= room.rest.width:  # else it is said once there is room
                self._write(surface, room.rest, text, colour)

    def _write(self, surface: pygame.Surface, room: pygame.Rect, text: str, colour: Colour) -> None:
        write(surface, self._host.theme, text, room, 14, colour)
        taken = min(width_of(self._host.theme, text, 14), room.width)
        self.free = pygame.Rect(room.left + taken, room.top, room.width - taken, room.height)

    @property
    def texts(self) -> list[tuple[str, Colour]]:
        """What the status line says, each with its colour: the message of the window before the progress of the engine,
        and that before the text of the screen; but what a person has asked for before what is no error."""
        palette = self._host.theme.palette
        message, colour = self._host.message
        if not message:
            message, colour = self._engine_text(), palette.info
        text, asked = self._status()
        if message and (colour == palette.bad or not (text and asked)):
            return [(message, colour)]
        own = text, palette.text if asked else palette.quiet
        return [own, (message, colour)] if message else [own]

    def _engine_text(self) -> str:
        """The progress of a compilation of the engine; empty if there is none."""
        state = self._host.engine.state
        if state.compiled is None:
            return ""
        key = "advice" if self._host.searches.advised_by_stand_in else "again" if state.again else "compiling"
        return t(f"status.{key}", percent=round(100 * state.compiled))
