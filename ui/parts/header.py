"""The head of a screen or of a page: its title, the way back, settings and keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from ui.host import Content, Host
from ui.part import Group, Part
from ui.screens import registry as screens
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets

_ARROW, _INSET = 40, 10  # design pixels: the width of the button, and how far it sticks out for its arrow to align


class BackButton(Part):
    """Takes its room from the left of a row without a gap; the arrow is aligned with texts. `leave` goes back."""

    def __init__(self, host: Host, widgets: Widgets, leave: Callable[[], object]) -> None:
        self._host, self._widgets, self._leave = host, widgets, leave
        self.bindings = (Binding(("escape",), leave, "keys.back"),)

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        place = space.left(px(_ARROW) - px(_INSET))
        place.left, place.width = place.left - px(_INSET), px(_ARROW)
        tip = t("tip.back")
        self._widgets.button("back", place, "", self._leave, style="@icon", icon="back", tip=tip, key="escape")


_HEIGHT, _BUTTON = 36, 36  # design pixels


class Header(Part):
    """`title` returns the title in the language of the window. `leave` goes back to `back`, None for home, to which a
    button of its own leads if it is `home`. The settings lead back to `owner`; then the title is small, and has what
    follows `` · `` in a second line."""

    def __init__(
        self, host: Host, widgets: Widgets, title: Callable[[], str], leave: Callable[[], object], back: Content | None,
        owner: Content | None = None, height: int = _HEIGHT, home: bool = False,
    ) -> None:  # fmt: skip
        self._host, self._widgets, self._title, self._leave = host, widgets, title, leave
        self._owner, self._height = owner, height
        self._homeward = back is None and (home or owner is not None)
        self.bindings = (Binding(("escape",), leave, "keys.back"),)

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        head = space.top(px(self._height))
        row = Space(head, 0)
        if not self._homeward:
            BackButton(self._host, self._widgets, self._leave).build(row)
        row.gap = px(4)
        home = [("home", self._leave, "escape")] if self._homeward else []
        settings: Callable[[], object] = partial(self._host.open, screens.settings, back=self._owner)
        tools = [("settings", settings, ""), ("keys", self._host.show_keys, "f1")] if self._owner else []
        for name, action, key in (*home, *tools):
            place, tip = row.right(px(min(_BUTTON, self._height))), t(f"tip.{name}")
            self._widgets.button(name, place, "", action, style="@icon", icon=name, tip=tip, key=key)
        self._build_title(row.rest)

    def _build_title(self, rect: pygame.Rect) -> None:
        title, _, below = self._title().partition(" · ") if self._owner else (self._title(), "", "")
        if below:
            rect.height = self._host.theme.px(18)
            place = rect.move(0, self._host.theme.px(19))
            self._widgets.label(place, below, 14, self._host.theme.palette.quiet)
        self._widgets.label(rect, title, 16 if self._owner else 20, bold=True)


PADDING, HEAD, INSET = 16, 40, 24
"""Design pixels: above the head of the page and below what is on it, height of the head, and at the sides."""


class Page(Group):
    """As `wide` and `high` as wanted, in design pixels, as far as there is room. `inside` is the space under its head,
    and `head` what is right of its title."""

    def __init__(
        self, host: Host, widgets: Widgets, title: str, wide: int, high: Callable[[], int], gap: int,
        leave: Callable[[], object],
    ) -> None:  # fmt: skip
        self._back = BackButton(host, widgets, leave)
        super().__init__((self._back,))
        self._host, self._widgets, self._title = host, widgets, title
        self._wide, self._high, self._gap = wide, high, gap
        self.head = self.inside = Space(pygame.Rect(0, 0, 0, 0), 0)

    def build(self, space: Space) -> None:
        px, palette = self._host.theme.px, self._host.theme.palette
        card = pygame.Rect(0, 0, min(px(self._wide), space.rest.width), min(px(self._high()), space.rest.height))
        card.center = space.rest.center
        self._widgets.box(card, palette.panel, 12, palette.line)
        self.inside = Space(card.inflate(-2 * px(INSET), -2 * px(PADDING)), px(self._gap))
        self.head = Space(self.inside.top(px(HEAD)), 0)
        self._back.build(self.head)
        self.head.gap = px(8)
        self._widgets.label(self.head.rest, t(self._title), 20, bold=True)
