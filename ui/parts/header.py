"""The head of a screen: its title, the way back, settings and keys."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.host import Content, Host
from ui.part import Part
from ui.parts.back_button import BackButton
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import write
from ui.toolkit.widgets import Widgets

_HEIGHT, _BUTTON = 36, 36  # design pixels


class Header(Part):
    """`title` returns the title in the language of the window. `leave` goes back to `back`, None for home, to which a
    button of its own leads if it is `home`. The settings lead back to `owner`; then the title is small, and has what
    follows `` · `` in a second line."""

    bindings = (Binding(("escape",), "do_back", "keys.back"),)

    def __init__(
        self, host: Host, widgets: Widgets, title: Callable[[], str], leave: Callable[[], object], back: Content | None,
        owner: Content | None = None, height: int = _HEIGHT, home: bool = False,
    ) -> None:  # fmt: skip
        self._host, self._widgets, self._title, self._leave = host, widgets, title, leave
        self._owner, self._height = owner, height
        self._homeward = back is None and (home or owner is not None)
        self.rest = pygame.Rect(0, 0, 0, 0)

    def build(self, space: Space) -> None:
        """`rest` is what the buttons leave, for the title."""
        px = self._host.theme.px
        head = space.top(px(self._height))
        row = Space(head, 0)
        if not self._homeward:
            BackButton(self._host, self._widgets, self._leave).build(row)
        row.gap = px(4)
        home = [("home", self.do_back, "escape")] if self._homeward else []
        tools = [("settings", self._settings, ""), ("keys", self._host.show_keys, "f1")] if self._owner else []
        for name, action, key in (*home, *tools):
            place, tip = row.right(px(min(_BUTTON, self._height))), t(f"tip.{name}")
            self._widgets.button(name, place, "", action, style="@icon", icon=name, tip=tip, key=key)
        self.rest = row.rest

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, rect = self._host.theme, self.rest
        if self._owner is None:
            write(surface, theme, self._title(), rect, 20, bold=True)
            return
        title, _, below = self._title().partition(" · ")
        if below:
            rect = pygame.Rect(rect.left, rect.top, rect.width, theme.px(18))
            write(surface, theme, below, rect.move(0, theme.px(19)), 14, theme.palette.quiet)
        write(surface, theme, title, rect, 16, bold=True)

    def _settings(self) -> None:
        self._host.open("settings", back=self._owner)

    def do_back(self) -> None:
        self._leave()
