"""The base of all scenes. Keys are data: `bindings` drive key handling, tooltips and the key page."""

from __future__ import annotations

from pathlib import Path

import pygame

from ui.host import Host, Screen
from ui.toolkit.i18n import t
from ui.toolkit.keys import run_binding
from ui.toolkit.layout import Space
from ui.toolkit.text import width_of, write
from ui.toolkit.widgets import Widgets

MARGIN = 16


class Scene(Screen):
    """A screen with a way back, key bindings, a side panel and the status line."""

    name = "scene"

    def __init__(self, host: Host) -> None:
        self.host = host
        self.widgets = Widgets(host)
        self.back: Screen | None = None  # the target of Escape; None for home

    def open_file(self, path: Path) -> None:
        self.host.open_file(path)

    @property
    def stand_in_answers(self) -> bool:
        """Whether the advice on the screen is that of the engine's stand-in."""
        return False

    def do_back(self) -> None:
        if self.back is None:
            self.host.go_home()
        else:
            self.host.show(self.back)

    def key(self, event: pygame.event.Event) -> bool:
        return run_binding(self, event)

    def split(self) -> tuple[pygame.Rect, Space, pygame.Rect]:
        """Divide the window into the board, the space in the side panel, and the status line."""
        px = self.host.theme.px
        space = Space(pygame.Rect((0, 0), self.host.size), 0)
        status = space.bottom(px(28))
        panel = space.right(max(px(320), min(px(400), round(space.rest.width * 0.29))))
        self.panel = panel
        board = space.rest.inflate(-2 * px(MARGIN), -2 * px(MARGIN))
        return board, Space(panel.inflate(-2 * px(MARGIN), -2 * px(MARGIN)), px(12)), status

    def back_button(self, head: pygame.Rect) -> pygame.Rect:
        """Add the back button at the left of `head`, its arrow aligned with texts. Return the space right of it."""
        px = self.host.theme.px
        back = pygame.Rect(head.left - px(10), head.top, px(40), head.height)
        tip = t("tip.back")
        self.widgets.button("back", back, "", self.do_back, style="@icon", icon="back", tip=tip, key="escape")
        return pygame.Rect(back.right, head.top, head.right - back.right, head.height)

    def draw_frame(
        self, surface: pygame.Surface, status: pygame.Rect, left: str, right: str, told: bool = False
    ) -> pygame.Rect:
        """Draw the background of the side panel and the status line; return what `draw_status` leaves free."""
        theme = self.host.theme
        palette = theme.palette
        surface.fill(palette.panel, self.panel)
        pygame.draw.line(surface, palette.line, self.panel.topleft, self.panel.bottomleft)
        return self.draw_status(surface, status, left, right, told)

    def draw_status(
        self, surface: pygame.Surface, status: pygame.Rect, left: str, right: str, told: bool = False
    ) -> pygame.Rect:
        """Draw the status line, with the host's message instead of the text at the left. `told` is whether a person has
        asked for that text. Return the room between."""
        theme = self.host.theme
        palette = theme.palette
        surface.fill(palette.panel, status)
        pygame.draw.line(surface, palette.line, status.topleft, status.topright)
        inside = Space(status.inflate(-2 * theme.px(MARGIN), 0), theme.px(MARGIN))
        write(surface, theme, right, inside.right(width_of(theme, right, 14)), 14, palette.quiet, align="right")
        message, colour = self.host.message
        if not message:
            message, colour = self._engine_text(), palette.info
        if not message:
            message, colour = left, palette.text if told else palette.quiet
        room = inside.rest
        write(surface, theme, message, room, 14, colour)
        taken = min(width_of(theme, message, 14), room.width)
        return pygame.Rect(room.left + taken, room.top, room.width - taken, room.height)

    def _engine_text(self) -> str:
        """Describe the progress of a compilation of the engine; empty if there is none."""
        state = self.host.engine.state
        if state.compiled is None:
            return ""
        key = "advice" if self.stand_in_answers else "again" if state.again else "compiling"
        return t(f"status.{key}", percent=round(100 * state.compiled))
