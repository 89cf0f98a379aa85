"""The ways from the home screen to the others, and the switches at its foot."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ai.review.exercises import Deck
from games.storage import saves_home
from ui import screens
from ui.parts.header import open_menu
from ui.parts.practice import counts
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.languages import LANGUAGES
from ui.toolkit.space import Space, columns
from ui.toolkit.theme import PALETTES
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import MenuEntry, Part

_HEIGHT = 40  # design pixels


class NewOrOpen(Part):
    """A row of two buttons, where it is built; `first` is whether a new game is the first choice on the screen."""

    def __init__(self, host: Host, widgets: Widgets, first: Callable[[], bool] = lambda: True) -> None:
        self._host, self._widgets, self._first = host, widgets, first
        self.bindings = (
            Binding(("ctrl+n",), partial(host.open, screens.setup), "keys.new"),
            Binding(("ctrl+o",), partial(host.choose_file, saves_home(), host.open_file), "keys.open"),
        )

    def build(self, space: Space) -> None:
        left, right = columns(space.top(self._host.theme.px(_HEIGHT)), 2, self._host.theme.px(8))
        button, (new, choose) = self._widgets.button, self.bindings
        button("new", left, t("home.new_game"), new, style="@primary" if self._first() else "")
        button("open", right, t("home.open"), choose)


_BUTTON, _ICON = 40, 36  # design pixels


class HomeLinks(Part):
    """The library and the profile, the position editor and the exercises, the puzzles and the lessons, and the
    tournaments."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets
        self.bindings = (
            Binding(("ctrl+l",), partial(host.open, screens.library), "library.title"),
            Binding(("p",), partial(host.open, screens.profile), "keys.profile"),
            Binding(("ctrl+e",), partial(host.open, screens.position_editor), "editor.title"),
            Binding(("m",), partial(host.open, screens.mistakes), "keys.mistakes"),
            Binding(("l",), partial(host.open, screens.lessons), "keys.lessons"),
            Binding(("z",), partial(host.open, screens.puzzles), "keys.puzzles"),
            Binding(("t",), partial(host.open, screens.tournaments), "keys.tournaments"),
        )

    def build(self, space: Space) -> None:
        px, button = self._host.theme.px, self._widgets.button
        library, profile, editor, mistakes, lessons, puzzles, tournaments = self.bindings
        row = columns(space.top(px(_BUTTON)), 2, px(8))
        button("library", row[0], t("library.title"), library, icon="library")
        button("profile", row[1], t("home.profile"), profile, icon="person", tip=t("tip.profile"))
        row, due = columns(space.top(px(_BUTTON)), 2, px(8)), counts(Deck()).due
        button("editor", row[0], t("editor.title"), editor, icon="board", tip=t("tip.editor"))
        text = t("home.mistakes_due" if due else "home.mistakes", count=due)
        button("mistakes", row[1], text, mistakes, icon="check", tip=t("tip.mistakes"))
        row = columns(space.top(px(_BUTTON)), 2, px(8))
        button("puzzles", row[0], t("puzzle.title"), puzzles, icon="star", tip=t("tip.puzzles"))
        button("lessons", row[1], t("keys.lessons"), lessons, icon="hint", tip=t("tip.lessons"))
        place, tip = space.top(px(_BUTTON)), t("tip.tournaments")
        button("tournaments", place, t("home.tournaments"), tournaments, icon="flag", tip=tip)


class HomeFoot(Part):
    """A row of icons at the bottom of the space: settings, keys, theme, about; and the language."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        row = Space(space.bottom(px(_ICON)), px(4))
        light = "sun" if self._host.theme.palette.key == "ink" else "moon"
        for name, icon, action, key in (
            ("settings", "settings", partial(self._host.open, screens.settings), ""),
            ("keys", "keys", self._host.show_keys, "f1"),
            ("theme", light, self._other_theme, ""),
            ("about", "about", partial(self._host.open, screens.about), ""),
        ):
            place, tip = row.left(px(_ICON)), t(f"tip.{name}")
            self._widgets.button(name, place, "", action, style="@icon", icon=icon, tip=tip, key=key)
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
