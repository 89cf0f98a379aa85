"""The ways from the home screen to the others, and switches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ai.review.exercises import Deck
from ui import screens
from ui.parts.header import open_menu
from ui.parts.practice import counts
from ui.toolkit.i18n import LANGUAGES, first_text, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.theme import PALETTES
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import MenuEntry, Part
from ui.window.screen import Screen

_BUTTON, _ICON, _PAIR = 40, 36, 2
"""Design pixels: height of a link, and width of an icon; and links in a row."""


class Link(NamedTuple):
    """A button called `name`, and a `key`, that open a `screen`. It has an `icon`, the text `text`, that with ``_due``
    while `due` counts something, and the tooltip ``tip.NAME`` if there is one; `told` is on the page of keys."""

    name: str
    screen: Callable[[Host], Screen]
    key: str
    icon: str
    text: str
    told: str
    due: Callable[[], int] = lambda: 0


LINKS = (
    Link("library", screens.library, "ctrl+l", "library", "library.title", "library.title"),
    Link("profile", screens.profile, "p", "person", "home.profile", "keys.profile"),
    Link("editor", screens.position_editor, "ctrl+e", "board", "editor.title", "editor.title"),
    Link("mistakes", screens.mistakes, "m", "check", "home.mistakes", "keys.mistakes", lambda: counts(Deck()).due),
    Link("puzzles", screens.puzzles, "z", "star", "puzzle.title", "keys.puzzles"),
    Link("lessons", screens.lessons, "l", "hint", "keys.lessons", "keys.lessons"),
    Link("tournaments", screens.tournaments, "t", "flag", "home.tournaments", "keys.tournaments"),
)
"""In the order in which they are shown."""


class HomeLinks(Part):
    """`LINKS`, two in a row; the last one is alone in it if they are odd."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets
        self.bindings = tuple(Binding((link.key,), partial(host.open, link.screen), link.told) for link in LINKS)

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        for first in range(0, len(LINKS), _PAIR):
            pair = LINKS[first : first + _PAIR]
            row = columns(space.top(px(_BUTTON)), len(pair), px(8))
            for link, place, binding in zip(pair, row, self.bindings[first:], strict=False):
                due = link.due()
                text, tip = t(f"{link.text}_due" if due else link.text, count=due), first_text(f"tip.{link.name}")
                self._widgets.button(link.name, place, text, binding, icon=link.icon, tip=tip)


class HomeFoot(Part):
    """A row of icons at the bottom of the space: settings, keys, theme, about; and the language."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        row = Space(space.bottom(px(_ICON)), px(4))
        light = "sun" if self._host.theme.palette.key == "ink" else "moon"
        for name, picture, action, key in (
            ("settings", "settings", partial(self._host.open, screens.settings), ""),
            ("keys", "keys", self._host.show_keys, "f1"),
            ("theme", light, self._other_theme, ""),
            ("about", "about", partial(self._host.open, screens.about), ""),
        ):
            place, tip = row.left(px(_ICON)), t(f"tip.{name}")
            self._widgets.button(name, place, "", action, style="@icon", icon=picture, tip=tip, key=key)
        name, tip = LANGUAGES[self._host.theme.language].name, t("settings.language")
        self._widgets.button("language", row.rest, name, self._languages, style="@quiet", icon="globe", tip=tip)

    def _other_theme(self) -> None:
        themes = list(PALETTES)
        self._host.settings.theme = themes[(themes.index(self._host.theme.palette.key) + 1) % len(themes)]
        self._host.restyle()

    def _languages(self) -> None:
        """Open the menu of the languages, each by its own name."""
        entries = [MenuEntry(code, each.name, partial(self._speak, code)) for code, each in LANGUAGES.items()]
        under = self._widgets.elements["language"].rect
        open_menu(self._host, under, entries, self._host.theme.language)

    def _speak(self, code: str) -> None:
        self._host.settings.language = code
        self._host.restyle()
