"""The ways from the home screen to the others, and the switches at its foot."""

from __future__ import annotations

from collections.abc import Callable

from ai.review.exercises import Deck
from games.storage import saves_home
from ui.game.exercise import counts
from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import LANGUAGES, t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.palette import PALETTES
from ui.toolkit.widgets import Widgets

_HEIGHT = 40  # design pixels


class NewOrOpen(Part):
    """A row of two buttons, where it is built; `first` is whether a new game is the first choice on the screen."""

    bindings = (Binding(("ctrl+n",), "do_new", "keys.new"), Binding(("ctrl+o",), "do_open_file", "keys.open"))

    def __init__(self, host: Host, widgets: Widgets, first: Callable[[], bool] = lambda: True) -> None:
        self._host, self._widgets, self._first = host, widgets, first

    def build(self, space: Space) -> None:
        new, other = columns(space.top(self._host.theme.px(_HEIGHT)), 2, self._host.theme.px(8))
        button, style = self._widgets.button, "@primary" if self._first() else ""
        button("new", new, t("home.new_game"), self.do_new, key="ctrl+n", style=style)
        button("open", other, t("home.open"), self.do_open_file, key="ctrl+o")

    def do_new(self) -> None:
        self._host.open("setup")

    def do_open_file(self) -> None:
        self._host.choose_file(saves_home(), self._host.open_file)


_BUTTON, _ICON = 40, 36  # design pixels


class HomeLinks(Part):
    """The library and the profile, the position editor and the exercises, and the lessons."""

    bindings = (
        Binding(("ctrl+l",), "do_library", "library.title"),
        Binding(("p",), "do_profile", "keys.profile"),
        Binding(("ctrl+e",), "do_editor", "editor.title"),
        Binding(("m",), "do_mistakes", "keys.mistakes"),
        Binding(("l",), "do_lessons", "keys.lessons"),
    )

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets

    def build(self, space: Space) -> None:
        px, button = self._host.theme.px, self._widgets.button
        row, tip = columns(space.top(px(_BUTTON)), 2, px(8)), t("tip.profile")
        button("library", row[0], t("library.title"), self.do_library, icon="library", key="ctrl+l")
        button("profile", row[1], t("home.profile"), self.do_profile, icon="person", tip=tip, key="p")
        row, due = columns(space.top(px(_BUTTON)), 2, px(8)), counts(Deck()).due
        button("editor", row[0], t("editor.title"), self.do_editor, icon="board", tip=t("tip.editor"), key="ctrl+e")
        text, tip = t("home.mistakes_due" if due else "home.mistakes", count=due), t("tip.mistakes")
        button("mistakes", row[1], text, self.do_mistakes, icon="check", tip=tip, key="m")
        place, tip = space.top(px(_BUTTON)), t("tip.lessons")
        button("lessons", place, t("home.lessons"), self.do_lessons, icon="hint", tip=tip, key="l")

    def do_library(self) -> None:
        self._host.open("library")

    def do_profile(self) -> None:
        self._host.open("profile")

    def do_editor(self) -> None:
        self._host.open("position_editor")

    def do_mistakes(self) -> None:
        self._host.open("mistakes")

    def do_lessons(self) -> None:
        self._host.open("lessons")


class HomeFoot(Part):
    """A row of icons at the bottom of the space: settings, keys, theme, about; and the other language."""

    def __init__(self, host: Host, widgets: Widgets) -> None:
        self._host, self._widgets = host, widgets

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        row = Space(space.bottom(px(_ICON)), px(4))
        light = "sun" if self._host.settings.theme == "ink" else "moon"
        for name, icon, action, key in (
            ("settings", "settings", self._settings, ""),
            ("keys", "keys", self._host.show_keys, "f1"),
            ("theme", light, self._other_theme, ""),
            ("about", "about", self._about, ""),
        ):
            place, tip = row.left(px(_ICON)), t(f"tip.{name}")
            self._widgets.button(name, place, "", action, style="@icon", icon=icon, tip=tip, key=key)
        other = next(name for code, name in LANGUAGES.items() if code != self._host.theme.language)
        self._widgets.button("language", row.rest, other, self._other_language, style="@quiet", icon="globe")

    def _settings(self) -> None:
        self._host.open("settings")

    def _about(self) -> None:
        self._host.open("about")

    def _other_theme(self) -> None:
        themes = list(PALETTES)
        self._host.settings.theme = themes[(themes.index(self._host.settings.theme) + 1) % len(themes)]
        self._host.restyle()

    def _other_language(self) -> None:
        codes = list(LANGUAGES)
        self._host.settings.language = codes[(codes.index(self._host.theme.language) + 1) % len(codes)]
        self._host.restyle()
