"""The way from a game that is studied to one that is played, or to a board on which its position is changed."""

from __future__ import annotations

from collections.abc import Sequence

from games.registry import GAMES
from ui.game.study import Study
from ui.host import Content, Host
from ui.part import Entry, Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.widgets import Widgets


class PlayOnButton(Part):
    """A row at the bottom of the space; `menu` takes its room from the right. What is opened leads back to `owner`."""

    bindings = (Binding(("return",), "do_play_on", "keys.play_on"),)

    def __init__(self, host: Host, widgets: Widgets, state: Study, menu: Part, owner: Content) -> None:
        self._host, self._widgets, self._state, self._menu, self._owner = host, widgets, state, menu, owner

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        row = Space(space.bottom(px(BUTTON)), px(8))
        self._menu.build(row)
        self._widgets.button(
            "play_on", row.rest, t("replay.play_on"), self.do_play_on, style="@primary", key="return",
            enabled=self._possible,
        )  # fmt: skip

    @property
    def _possible(self) -> bool:
        return self._state.record.position.outcome is None

    def update(self, now: float) -> None:
        self._widgets.enable("play_on", self._possible)

    def entries(self) -> Sequence[Entry]:
        if GAMES[self._state.record.setup.game].arrange is None:
            return ()
        return (Entry("set_up", t("editor.from_here"), self._set_up),)

    def _set_up(self) -> None:
        self._host.open("position_editor", self._state.record, back=self._owner)

    def do_play_on(self) -> None:
        """Ask who plays on from here, in a copy: the file stays as it is."""
        if self._possible:
            self._host.open("play_on", self._state.record, back=self._owner)
