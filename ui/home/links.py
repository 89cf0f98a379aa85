"""The buttons of the home screen that lead to other screens, and its row of icons."""

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
    """A button called `name`, with an `icon`, that opens a `screen`, as does the `key`. Its label is the locale key
    `text`, followed by ``_due`` while `due` returns more than 0; its tooltip is ``tip.NAME``, if that exists.
    `key_text` is the locale key of its line on the page of keys."""

    name: str
    screen: Callable[[Host], Screen]
    key: str
    icon: str
    text: str
    key_text: str
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
    """Buttons for all `LINKS`, two in a row. If their number is odd, the last row has one."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets
        self.bindings = tuple(Binding((link.key,), partial(host.open, link.screen), link.key_text) for link in LINKS)

    def build(self, space: Space) -> None:
        """Build the buttons at the top of the space, two in a row; the text of a link with exercises due has their
        number."""
        px = self._host.theme.px
        for first in range(0, len(LINKS), _PAIR):
            pair = LINKS[first : first + _PAIR]
            row = columns(space.top(px(_BUTTON)), len(pair), px(8))
            for link, place, binding in zip(pair, row, self.bindings[first:], strict=False):
                due = link.due()
                text, tip = t(f"{link.text}_due" if due else link.text, count=due), first_text(f"tip.{link.name}")
                self._widgets.button(link.name, place, text, binding, icon=link.icon, tip=tip)


class HomeFoot(Part):
    """A row at the bottom of the space: icons for settings, keys, theme and about, and the choice of the language."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets

    def build(self, space: Space) -> None:
        """Build the row from the left: four icon buttons, and in the rest the button that names the language. The icon
        of the theme is a sun while the dark theme is shown, else a moon."""
        px = self._host.theme.px
        row = Space(space.bottom(px(_ICON)), px(4))
        light = "sun" if self._host.theme.palette.key == "ink" else "moon"
        for name, picture, action, key in (
            ("settings", "settings", partial(self._host.open, screens.settings), ""),
            ("keys", "keys", self._host.show_keys, "f1"),
            ("theme", light, self._switch_theme, ""),
            ("about", "about", partial(self._host.open, screens.about), ""),
        ):
            place, tip = row.left(px(_ICON)), t(f"tip.{name}")
            self._widgets.button(name, place, "", action, style="@icon", icon=picture, tip=tip, key=key)
        name, tip = LANGUAGES[self._host.theme.language].name, t("settings.language")
        self._widgets.button("language", row.rest, name, self._open_languages, style="@quiet", icon="globe", tip=tip)

    def _switch_theme(self) -> None:
        """Choose the theme that follows the current one in `PALETTES`."""
        themes = list(PALETTES)
        self._host.settings.theme = themes[(themes.index(self._host.theme.palette.key) + 1) % len(themes)]
        self._host.restyle()

    def _open_languages(self) -> None:
        """Open the menu of languages, each by its own name."""
        entries = [MenuEntry(code, each.name, partial(self._choose_language, code)) for code, each in LANGUAGES.items()]
        under = self._widgets.elements["language"].rect
        open_menu(self._host, under, entries, self._host.theme.language)

    def _choose_language(self, code: str) -> None:
        """Choose the language with this `code`, and rebuild the window."""
        self._host.settings.language = code
        self._host.restyle()
