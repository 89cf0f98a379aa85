"""Tabs: a row of buttons, and below it the tab that is chosen; and the tab of the explorer, the games of a database at
the position that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from games.record import Node
from ui.board.view import Marks
from ui.parts.games_explorer import GamesExplorer
from ui.parts.study import Study
from ui.toolkit.art import LEAST
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space
from ui.toolkit.typesetting import even_columns
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Group, Part

_HEIGHT = 32  # design pixels


class Tab(Part):
    """A tab. Its button is the widget ``tab.NAME``, labelled by the text ``tab.NAME``. `update`, `wake`, `key`, `marks`
    and `close` are called for every tab, all other methods only for the one that is `chosen`."""

    name = ""
    chosen = False

    def start(self) -> None:
        """Begin the tab's work, since the screen was opened for it."""

    def view_of(self, node: Node) -> Node:
        """Return the node whose position the board shows while the cursor is at `node`."""
        return node


class Tabs(Group):
    """A row of buttons, and below it the `chosen` tab. That is the one named by `state.tab` when they were last laid
    out."""

    def __init__(self, host: Host, widgets: Widgets, state: Study, tabs: Sequence[Tab]) -> None:
        super().__init__(tabs)
        self._host, self._widgets, self._state, self._tabs = host, widgets, state, tabs
        self.chosen = self._wanted
        self.bindings = (
            Binding(("ctrl+tab",), partial(self._step, 1), "keys.next_tab"),
            Binding(("ctrl+shift+tab",), partial(self._step, -1), "keys.previous_tab"),
        )

    @property
    def _wanted(self) -> Tab:
        """The tab named by `state.tab`, else the first one."""
        return next((tab for tab in self._tabs if tab.name == self._state.tab), self._tabs[0])

    def _choose(self, name: str) -> None:
        """Show the tab of this name."""
        self._widgets.leave_focus()
        self._state.choose_tab(name)

    def _step(self, by: int) -> None:
        """Show the tab `by` places further, from the last on to the first."""
        self._choose(self._tabs[(self._tabs.index(self.chosen) + by) % len(self._tabs)].name)

    def build(self, space: Space) -> None:
        """Build the row of buttons, and below it the tab that the state names, which becomes the chosen one and decides
        which position the board shows."""
        self.chosen, px = self._wanted, self._host.theme.px
        for tab in self._tabs:
            tab.chosen = tab is self.chosen
        self._state.view_of = self.chosen.view_of
        options = [(tab.name, t(f"tab.{tab.name}")) for tab in self._tabs]
        texts = [text for _, text in options]
        places = even_columns(self._host.theme, space.top(px(_HEIGHT)), texts, px(4), 2 * LEAST)
        self._widgets.choice("tab", places, options, self.chosen.name, self._choose)
        self.chosen.build(space)

    def shape(self) -> object:
        """What the layout depends on: the tab that the state names, and its shape. Those of the hidden tabs do not
        count."""
        return self._wanted.name, self._wanted.shape()

    def handle(self, event: pygame.event.Event) -> bool:
        """Let the chosen tab alone handle the event."""
        return self.chosen.handle(event)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the chosen tab alone."""
        self.chosen.draw(surface, now)

    def hint(self) -> str:
        """Return the hint of the chosen tab."""
        return self.chosen.hint()

    def places(self) -> dict[str, tuple[int, int]]:
        """Return the places of the chosen tab."""
        return self.chosen.places()


class ExplorerTab(Tab, Group):
    """The tab of the explorer: the games of a database at the position at the cursor. A move that is chosen there is
    played in the game."""

    name = "explorer"

    def __init__(self, host: Host, widgets: Widgets, state: Study, owner: Content) -> None:
        self._explorer = GamesExplorer(host, widgets, state.record.setup, self._node, state.choose, owner)
        self._state = state
        super().__init__((self._explorer,))

    def _node(self) -> Node:
        """Return the node at the cursor."""
        return self._state.record.cursor

    def build(self, space: Space) -> None:
        """Lay the explorer out in all the space."""
        self._explorer.build(space)

    def update(self, now: float) -> None:
        """Advance the explorer while the tab is shown: a hidden one asks nothing."""
        if self.chosen:
            super().update(now)

    def wake(self, now: float) -> float | None:
        """Return the seconds until the explorer has an answer to show; None while the tab is hidden."""
        return super().wake(now) if self.chosen else None

    def marks(self, marks: Marks) -> Marks:
        """Add the marks of the explorer while the tab is chosen."""
        return super().marks(marks) if self.chosen else marks
