"""The tab of the explorer: the games of a database at the position that is shown."""

from __future__ import annotations

from games.record import Node
from ui.board.view import Marks
from ui.parts.games_explorer import GamesExplorer
from ui.parts.study import Study
from ui.replay.tab import Tab
from ui.toolkit.space import Space
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Group


class ExplorerTab(Tab, Group):
    """A move that is chosen goes into the variation that is shown."""

    name = "explorer"

    def __init__(self, host: Host, widgets: Widgets, state: Study, owner: Content) -> None:
        self._explorer = GamesExplorer(host, widgets, state.record.setup, self._node, state.choose, owner)
        self._state = state
        super().__init__((self._explorer,))

    def _node(self) -> Node:
        return self._state.record.cursor

    def build(self, space: Space) -> None:
        self._explorer.build(space)

    def update(self, now: float) -> None:
        if self.chosen:
            super().update(now)

    def wake(self, now: float) -> float | None:
        return super().wake(now) if self.chosen else None

    def marks(self, marks: Marks) -> Marks:
        return super().marks(marks) if self.chosen else marks
