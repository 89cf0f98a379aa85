"""To begin a new game, or to open one from a file."""

from __future__ import annotations

from collections.abc import Callable

from games.storage import saves_home
from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.widgets import Widgets

_HEIGHT = 40  # design pixels


class NewOrOpen(Part):
    """A row of two buttons, where it is built; `first` is whether a new game is the first choice on the screen."""

    bindings = (Binding(("ctrl+n",), "do_new", "keys.new"), Binding(("ctrl+o",), "do_open", "keys.open"))

    def __init__(self, host: Host, widgets: Widgets, first: Callable[[], bool] = lambda: True) -> None:
        self._host, self._widgets, self._first = host, widgets, first

    def build(self, space: Space) -> None:
        new, other = columns(space.top(self._host.theme.px(_HEIGHT)), 2, self._host.theme.px(8))
        button, style = self._widgets.button, "@primary" if self._first() else ""
        button("new", new, t("home.new_game"), self.do_new, key="ctrl+n", style=style)
        button("open", other, t("home.open"), self.do_open, key="ctrl+o")

    def do_new(self) -> None:
        self._host.open("setup")

    def do_open(self) -> None:
        self._host.choose_file(saves_home(), self._host.open_file)
