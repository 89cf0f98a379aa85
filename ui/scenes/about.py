"""What Tengen is: its version, its licences, and where it keeps what is yours."""

from __future__ import annotations

import webbrowser
from functools import partial
from pathlib import Path

import pygame

from games.storage import config_home, log_home, saves_home
from ui.scenes.page import Page
from ui.toolkit.i18n import t
from ui.toolkit.icons import app_icon
from ui.toolkit.layout import Space
from ui.toolkit.text import wrapped, write
from ui.version import VERSION

_WIDTH, _HEIGHT = 720, 544  # design pixels


class AboutScene(Page):
    """`back` is the scene to return to; None for home."""

    name, title = "about", "about.title"

    def build(self) -> None:
        px = self.host.theme.px
        space = self.lay(_WIDTH, _HEIGHT, 8)
        top = Space(space.top(px(142)), px(20))
        self.icon_rect = top.left(px(96))
        self.what_rect = top.rest
        self.licence_rect = space.top(px(118))
        self.folders_rect = space.top(px(28))
        self._folders: list[tuple[pygame.Rect, pygame.Rect, str, Path]] = []
        for name, folder in (("saves", saves_home()), ("settings", config_home()), ("log", log_home())):
            row = Space(space.top(px(36)), px(12))
            place, action = row.right(px(96)), partial(self._open, folder)
            self.widgets.button(name, place, t("about.open"), action, tip=str(folder))
            self._folders.append((row.left(px(80)), row.rest, t(f"about.{name}"), folder))

    def _open(self, folder: Path) -> None:
        """Shows `folder` in the system's own window of files."""
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
        about = Space(self.what_rect, theme.px(2))
        write(surface, theme, t("app.title"), about.top(theme.px(34)), 20, bold=True)
        write(surface, theme, t("about.version", version=VERSION), about.top(theme.px(22)), 14, palette.quiet)
        about.top(theme.px(4))
        self._write_lines(surface, about, t("about.what"))
        licence = Space(self.licence_rect, theme.px(2))
        write(surface, theme, t("about.licences"), licence.top(theme.px(28)), 16, bold=True)
        self._write_lines(surface, licence, t("about.licence"))
        write(surface, theme, t("about.folders"), self.folders_rect, 16, bold=True)
        for label, place, text, folder in self._folders:
            write(surface, theme, text, label, 14)
            write(surface, theme, str(folder), place, 14, palette.quiet)

    def _write_lines(self, surface: pygame.Surface, space: Space, text: str) -> None:
        theme = self.host.theme
        for line in wrapped(theme, text, space.rest.width, 14):
            write(surface, theme, line, space.top(theme.px(22)), 14)
