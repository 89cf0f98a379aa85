"""The button that begins a game that was set up."""

from __future__ import annotations

from ui.game.set_up import SetUp
from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets

_HEIGHT = 44  # design pixels


class StartButton(Part):
    """At the bottom of the space; `text` is the key of its label."""

    bindings: tuple[Binding, ...] = ()

    def __init__(self, host: Host, widgets: Widgets, state: SetUp, text: str, keys: tuple[str, ...]) -> None:
        self._host, self._widgets, self._state, self._text = host, widgets, state, text
        self.bindings = (Binding(keys, "do_start", "keys.start"),)

    def build(self, space: Space) -> None:
        place = space.bottom(self._host.theme.px(_HEIGHT))
        self._widgets.button("start", place, t(self._text), self.do_start, style="@primary", key="return")

    def do_start(self) -> None:
        self._state.start()
