"""The head of a screen or of a page: its title, the way back, settings and keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from ui import screens
from ui.toolkit.art import rounded
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, centred
from ui.toolkit.typesetting import width_of, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import MARGIN, Group, MenuEntry, Part

_ARROW, _INSET = 40, 10  # design pixels: the width of the button, and how far it sticks out for its arrow to align


class BackButton(Part):
    """A button with an arrow, at the left of a row that has no gap. It and Escape call `leave`."""

    def __init__(self, host: Host, widgets: Widgets, leave: Callable[[], object]) -> None:
        self._host, self._widgets, self._leave = host, widgets, leave
        self.bindings = (Binding(("escape",), leave, "keys.back"),)

    def build(self, space: Space) -> None:
        """Take the place of the button from the left. It reaches beyond the row's edge, so that the arrow lines up with
        what is below."""
        px = self._host.theme.px
        place = space.left(px(_ARROW) - px(_INSET))
        place.left, place.width = place.left - px(_INSET), px(_ARROW)
        tip = t("tip.back")
        self._widgets.button("back", place, "", self._leave, style="@icon", icon="back", tip=tip, key="escape")


_HEIGHT, _BUTTON = 36, 36  # design pixels


class Header(Part):
    """The head of a screen: its title, as `title` returns it, and buttons.

    Escape calls `leave`, as does a back button; where `back` is None and there is an `owner` or `home` is set, a home
    button is shown in its place. With an `owner`, there are buttons for the settings, which lead back to it, and for
    the keys; the title is small, and what follows `` · `` in it is a second line.
    """

    def __init__(
        self, host: Host, widgets: Widgets, title: Callable[[], str], leave: Callable[[], object], back: Content | None,
        owner: Content | None = None, height: int = _HEIGHT, home: bool = False,
    ) -> None:  # fmt: skip
        self._host, self._widgets, self._title, self._leave = host, widgets, title, leave
        self._owner, self._height = owner, height
        self._homeward = back is None and (home or owner is not None)
        self.bindings = (Binding(("escape",), leave, "keys.back"),)

    def shape(self) -> object:
        """What the layout depends on: the title."""
        return self._title()

    def build(self, space: Space) -> None:
        """Take a row from the top: the arrow back at the left, or a button home at the right, then settings and keys if
        there is an `owner`, and the title in the rest."""
        px = self._host.theme.px
        head = space.top(px(self._height))
        row = Space(head)
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
        """Add the label of the title, in one or two lines."""
        title, _, below = self._title().partition(" · ") if self._owner else (self._title(), "", "")
        if below:
            rect.height = self._host.theme.px(18)
            place = rect.move(0, self._host.theme.px(19))
            self._widgets.label(place, below, 14, self._host.theme.palette.quiet)
        self._widgets.label(rect, title, 16 if self._owner else 20, bold=True)


PADDING, HEAD, INSET = 16, 40, 24
"""Design pixels: above the head of the page and below what is on it, height of the head, and at the sides."""


class Page(Group):
    """A card in the middle of the space, `wide` and `high` design pixels large or as large as there is room. `inside`
    is the space under its head, `head` the room at the right of its title, and `gap` that between rows in `inside`."""

    def __init__(
        self, host: Host, widgets: Widgets, title: str, wide: int, high: Callable[[], int], gap: int,
        leave: Callable[[], object],
    ) -> None:  # fmt: skip
        self._back = BackButton(host, widgets, leave)
        super().__init__((self._back,))
        self._host, self._widgets, self._title = host, widgets, title
        self._wide, self._high, self._gap = wide, high, gap
        self.head = self.inside = Space(pygame.Rect())
        self._card = pygame.Rect()

    def build(self, space: Space) -> None:
        """Lay the card out in the middle of the space, its title with the arrow back, and set `inside` and `head`."""
        px = self._host.theme.px
        wide, high = min(px(self._wide), space.rest.width), min(px(self._high()), space.rest.height)
        self._card = centred(wide, high, space.rest.center)
        self.inside = Space(self._card.inflate(-2 * px(INSET), -2 * px(PADDING)), px(self._gap))
        self.head = Space(self.inside.top(px(HEAD)))
        self._back.build(self.head)
        self.head.gap = px(8)
        self._widgets.label(self.head.rest, t(self._title), 20, bold=True)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the card; what is on it are widgets."""
        palette = self._host.theme.palette  # not a widget: the parts on the page draw above it
        rounded(surface, self._card, palette.panel, self._host.theme.px(12), palette.line)


# The button “⋯” and the menus of rare actions.


def open_menu(host: Host, under: pygame.Rect, entries: Sequence[MenuEntry], chosen: str = "") -> None:
    """Open a menu of `entries` below or above `under`, with a mark at the one named `chosen`."""
    runs = {entry.name: entry.run for entry in entries}
    options = [(entry.name, entry.text) for entry in entries]
    keys = {entry.name: entry.key for entry in entries}
    host.overlay = Menu(host, under, options, chosen, lambda name: runs[name](), keys)


class MenuButton(Part):
    """A button, `width` design pixels wide, at the right of a row. It opens a menu with what `entries` returns."""

    def __init__(
        self, host: Host, widgets: Widgets, entries: Callable[[], Sequence[MenuEntry]], width: int = BUTTON
    ) -> None:
        self._host, self._widgets, self._entries, self._width = host, widgets, entries, width

    def build(self, space: Space) -> None:
        """Take the place of the button from the right of the space."""
        place = space.right(self._host.theme.px(self._width))
        self._widgets.button("menu", place, "", self._open, icon="more", tip=t("tip.menu"))

    def _open(self) -> None:
        """Open the menu at the button."""
        open_menu(self._host, self._widgets.elements["menu"].rect, self._entries())


# A link in the status line, where its text leaves `free`, or over its end.


class StatusLink(Part):
    """A link in the status line with the text that `text` returns, none while that is empty. A click calls `press`.
    `name` identifies it in `places`; `free` returns the part of the status line that its text leaves free."""

    def __init__(
        self, host: Host, name: str, text: Callable[[], str], press: Callable[[], object],
        free: Callable[[], pygame.Rect],
    ) -> None:  # fmt: skip
        self._host, self._name, self._text, self._press, self._free = host, name, text, press, free

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the link behind the text of the status line; nothing while its own text is empty."""
        theme, px, free, text = self._host.theme, self._host.theme.px, self._free(), self._text()
        if not text:
            return
        wide = width_of(theme, text, 14, bold=True)
        start = min(free.left + px(MARGIN), free.right - wide)
        self._rect = pygame.Rect(start, free.top + 1, wide, free.height - 1)
        pygame.draw.rect(surface, theme.palette.panel, self._rect.inflate(px(12), 0))
        write(surface, theme, text, self._rect, 14, theme.palette.accent, bold=True)

    def places(self) -> dict[str, tuple[int, int]]:
        """The middle of the link where it was drawn last; nothing while its text is empty."""
        return {self._name: self._rect.center} if self._text() else {}

    def handle(self, event: pygame.event.Event) -> bool:
        """Call `press` by a left click on the link; leave other events alone."""
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT
        if not (pressed and self._text() and self._rect.collidepoint(event.pos)):
            return False
        self._press()
        return True

    @property
    def rect(self) -> pygame.Rect:
        """Where the link was drawn last."""
        return self._rect
