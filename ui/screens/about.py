"""What Tengen is: its version, its licences, and where it keeps what is yours."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pygame

from games.storage import config_home, log_home, saves_home
from ui.scene import MARGIN
from ui.screens.page import HEAD, PADDING, Page
from ui.toolkit.i18n import t
from ui.toolkit.icons import app_icon
from ui.toolkit.layout import Space
from ui.toolkit.text import wrapped, write
from ui.version import VERSION

_WIDTH, _TOP, _ROW, _LINE, _HEADING, _ICON = 720, 62, 36, 22, 28, 96
"""Design pixels: width of the page, name and version, a folder, a line of text, a heading, and the icon."""


class AboutScene(Page):
    """`back` is the scene to return to; None for home."""

    name, title = "about", "about.title"

    def build(self) -> None:
        px, theme = self.host.theme.px, self.host.theme
        inside = min(px(_WIDTH), self.host.size[0] - 2 * px(MARGIN)) - 2 * px(24)
        self._what = wrapped(theme, t("about.what"), inside - px(_ICON + 20), 14)
        self._licence = wrapped(theme, t("about.licence"), inside, 14)
        what, licence = max(_ICON, _TOP + len(self._what) * _LINE), _HEADING + len(self._licence) * _LINE
        space = self.lay(_WIDTH, 2 * PADDING + HEAD + what + licence + _HEADING + 3 * _ROW + 3 * 16 + 3 * 8, 16)
        top = Space(space.top(px(what)), px(20))
        self.icon_rect = top.left(px(_ICON))
        self.icon_rect.height = px(_ICON)
        self.what_rect = top.rest
        self.licence_rect = space.top(px(licence))
        space.gap = px(8)
        self.folders_rect = space.top(px(_HEADING))
        self._folders: list[tuple[pygame.Rect, pygame.Rect, str, Path]] = []
        for name, folder in (("saves", saves_home()), ("settings", config_home()), ("log", log_home())):
            row = Space(space.top(px(_ROW)), px(12))
            place, action = row.right(px(96)), partial(self._open, folder)
            self.widgets.button(name, place, t("about.open"), action, tip=str(folder))
            self._folders.append((row.left(px(80)), row.rest, t(f"about.{name}"), folder))

    def _open(self, folder: Path) -> None:
        """Show `folder` in the system's own window of files."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            shown = webbrowser.open(folder.as_uri())
        except (OSError, webbrowser.Error):
            shown = False
        if not shown:
            self.host.say(t("about.no_folder", path=folder), "bad")

    def draw(self, surface: pygame.Surface, now: float) -> None:
        super().draw(surface, now)
        theme, palette = self.host.theme, self.host.theme.palette
        surface.blit(app_icon(self.icon_rect.width), self.icon_rect)
        about = Space(self.what_rect, 0)
        write(surface, theme, t("app.title"), about.top(theme.px(34)), 20, bold=True)
        write(surface, theme, t("about.version", version=VERSION), about.top(theme.px(_TOP - 34)), 14, palette.quiet)
        self._write_lines(surface, about, self._what)
        licence = Space(self.licence_rect, 0)
        write(surface, theme, t("about.licences"), licence.top(theme.px(_HEADING)), 16, bold=True)
        self._write_lines(surface, licence, self._licence)
        write(surface, theme, t("about.folders"), self.folders_rect, 16, bold=True)
        for label, place, text, folder in self._folders:
            write(surface, theme, text, label, 14)
            write(surface, theme, str(folder), place, 14, palette.quiet)

    def _write_lines(self, surface: pygame.Surface, space: Space, lines: Iterable[str]) -> None:
        theme = self.host.theme
        for line in lines:
            write(surface, theme, line, space.top(theme.px(_LINE)), 14)
