"""What Tengen is: its version, its licences, and where it keeps what is yours."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pygame

from games.storage import config_home, log_home, saves_home
from ui.host import Host
from ui.part import Part
from ui.parts.frame import MARGIN
from ui.parts.header import HEAD, INSET, PADDING
from ui.toolkit.i18n import t
from ui.toolkit.icons import app_icon
from ui.toolkit.layout import Space
from ui.toolkit.text import wrapped, write
from ui.toolkit.widgets import Widgets
from ui.version import VERSION

WIDTH = 720
"""Design pixels."""

_TOP, _ROW, _LINE, _HEADING, _ICON = 62, 36, 22, 28, 96
"""Design pixels: name and version, a folder, a line of text, a heading, and the icon."""


class AboutProgram(Part):
    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets
        self._icon = self._place = self._licence_place = self._heading = pygame.Rect(0, 0, 0, 0)
        self._folders: list[tuple[pygame.Rect, pygame.Rect, str, Path]] = []

    def _texts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What it is and its licences, in lines."""
        theme, px = self._host.theme, self._host.theme.px
        inside = min(px(WIDTH), self._host.size[0] - 2 * px(MARGIN)) - 2 * px(INSET)
        what = wrapped(theme, t("about.what"), inside - px(_ICON + 20), 14)
        return what, wrapped(theme, t("about.licence"), inside, 14)

    @property
    def _heights(self) -> tuple[int, int]:
        what, licence = self._texts()
        return max(_ICON, _TOP + len(what) * _LINE), _HEADING + len(licence) * _LINE

    def high(self) -> int:
        """How high the page has to be, in design pixels."""
        what, licence = self._heights
        return 2 * PADDING + HEAD + what + licence + _HEADING + 3 * _ROW + 3 * 16 + 3 * 8

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        what, licence = self._heights
        top = Space(space.top(px(what)), px(20))
        self._icon = top.left(px(_ICON))
        self._icon.height = px(_ICON)
        self._place = top.rest
        self._licence_place = space.top(px(licence))
        space.gap = px(8)
        self._heading = space.top(px(_HEADING))
        self._folders = []
        for name, folder in (("saves", saves_home()), ("settings", config_home()), ("log", log_home())):
            row = Space(space.top(px(_ROW)), px(12))
            place, action = row.right(px(96)), partial(self._open, folder)
            self._widgets.button(name, place, t("about.open"), action, tip=str(folder))
            self._folders.append((row.left(px(80)), row.rest, t(f"about.{name}"), folder))

    def _open(self, folder: Path) -> None:
        """Show `folder` in the system's own window of files."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            shown = webbrowser.open(folder.as_uri())
        except (OSError, webbrowser.Error):
            shown = False
        if not shown:
            self._host.say(t("about.no_folder", path=folder), "bad")

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette = self._host.theme, self._host.theme.palette
        what, licences = self._texts()
        surface.blit(app_icon(self._icon.width), self._icon)
        about = Space(self._place, 0)
        write(surface, theme, t("app.title"), about.top(theme.px(34)), 20, bold=True)
        write(surface, theme, t("about.version", version=VERSION), about.top(theme.px(_TOP - 34)), 14, palette.quiet)
        self._write_lines(surface, about, what)
        licence = Space(self._licence_place, 0)
        write(surface, theme, t("about.licences"), licence.top(theme.px(_HEADING)), 16, bold=True)
        self._write_lines(surface, licence, licences)
        write(surface, theme, t("about.folders"), self._heading, 16, bold=True)
        for label, place, text, folder in self._folders:
            write(surface, theme, text, label, 14)
            write(surface, theme, str(folder), place, 14, palette.quiet)

    def _write_lines(self, surface: pygame.Surface, space: Space, lines: Iterable[str]) -> None:
        theme = self._host.theme
        for line in lines:
            write(surface, theme, line, space.top(theme.px(_LINE)), 14)
