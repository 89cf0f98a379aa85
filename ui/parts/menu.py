"""The button “⋯” and the menus of rare actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from ui.host import Host
from ui.part import Entry, Part
from ui.toolkit.i18n import t
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.menu import Menu
from ui.toolkit.widgets import Widgets


def open_menu(host: Host, under: pygame.Rect, entries: Sequence[Entry], chosen: str = "") -> None:
    """Open a menu of `entries` below or above `under`; `chosen` is the name of the one that has a mark."""
    runs = {entry.name: entry.run for entry in entries}
    options = [(entry.name, entry.text) for entry in entries]
    keys = {entry.name: entry.key for entry in entries}
    host.overlay = Menu(host, under, options, chosen, lambda name: runs[name](), keys)


class MenuButton(Part):
    """Takes `width` design pixels from the right of a row. The menu has the `entries` of all parts of the screen."""

    def __init__(
        self, host: Host, widgets: Widgets, entries: Callable[[], Sequence[Entry]], width: int = BUTTON
    ) -> None:
        self._host, self._widgets, self._entries, self._width = host, widgets, entries, width

    def build(self, space: Space) -> None:
        place = space.right(self._host.theme.px(self._width))
        self._widgets.button("menu", place, "", self._open, icon="more", tip=t("tip.menu"))

    def _open(self) -> None:
        open_menu(self._host, self._widgets.elements["menu"].rect, self._entries())
