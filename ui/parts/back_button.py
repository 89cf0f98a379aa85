"""The arrow that leads back."""

from __future__ import annotations

from collections.abc import Callable

from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets

_ARROW, _INSET = 40, 10  # design pixels: the width of the button, and how far it sticks out for its arrow to align


class BackButton(Part):
    """Takes its room from the left of a row without a gap; the arrow is aligned with texts. `leave` goes back."""

    bindings = (Binding(("escape",), "do_back", "keys.back"),)

    def __init__(self, host: Host, widgets: Widgets, leave: Callable[[], object]) -> None:
        self._host, self._widgets, self._leave = host, widgets, leave

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        place = space.left(px(_ARROW) - px(_INSET))
        place.left, place.width = place.left - px(_INSET), px(_ARROW)
        tip = t("tip.back")
        self._widgets.button("back", place, "", self.do_back, style="@icon", icon="back", tip=tip, key="escape")

    def do_back(self) -> None:
        self._leave()
