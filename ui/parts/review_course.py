"""The course of a reviewed game as a graph, and the table of its mistakes."""

from __future__ import annotations

import pygame

from games.record import Node, path
from ui.game.study import Study
from ui.host import Host
from ui.part import Part
from ui.parts.graph import WinGraph
from ui.parts.review_table import HEIGHT as TABLE
from ui.parts.review_table import ReviewTable
from ui.toolkit.controls import Widget
from ui.toolkit.layout import Space
from ui.toolkit.widgets import Widgets
from ui.words import review as words

LOWEST = 48
"""Design pixels of the graph."""

_HIGHEST = 180


class ReviewCourse(Part):
    """The graph is at most `highest` pixels high. Where it is not `roomy`, the table is shown at the beginning of the
    game, where there is no move to tell of, over the space that is left."""

    def __init__(self, host: Host, widgets: Widgets, state: Study) -> None:
        self._host, self._widgets, self._state, self._reviewer = host, widgets, state, state.reviewer
        self.roomy, self.highest = True, 0
        self._graph: WinGraph | None = None
        self._table: ReviewTable | None = None

    def build(self, space: Space) -> None:
        theme, found = self._host.theme, self._reviewer.found
        px = theme.px
        rect = space.top(max(px(LOWEST), min(px(_HIGHEST), self.highest)))
        self._graph = self._widgets.add("graph", WinGraph(theme, rect, found.wins if found else (), (), self._go_to))
        table = space.top(px(TABLE)) if self.roomy else pygame.Rect(space.rest.topleft, (space.rest.width, px(TABLE)))
        self._table = ReviewTable(theme, table)
        for kind in words.GRAVEST_FIRST:  # no more than a tooltip
            tip = self._widgets.add(f"kind.{kind}", Widget(theme, self._table.column(kind), words.kind_name(kind)))
            tip.enabled = False
        self.update(0.0)

    @property
    def _tabled(self) -> bool:
        return self.roomy or self._state.record.cursor.parent is None

    def update(self, now: float) -> None:
        found = self._reviewer.found
        if self._graph is not None and found is not None:
            self._graph.show(found.wins, words.dots(found))
            self._graph.at = self._number()
        for kind in words.GRAVEST_FIRST:
            self._widgets.show(f"kind.{kind}", self._tabled)

    def _number(self) -> int:
        """Where the cursor is in the line that was reviewed, or where it left it."""
        places = {node: number for number, node in enumerate(self._reviewer.nodes)}
        node: Node | None = self._state.record.cursor
        while node is not None and node not in places:
            node = node.parent
        return places[node] if node is not None else 0

    def _go_to(self, number: int) -> None:
        """Go to a position that was reviewed, unless it was removed since."""
        if number < len(self._reviewer.nodes):
            node = self._reviewer.nodes[number]
            if path(node)[0] is self._state.record.root:
                self._state.go(node)

    def hint(self) -> str:
        """What is known of the move under the pointer in the graph."""
        number = self._graph.pointed if self._graph is not None else None
        if number is None or number >= len(self._reviewer.nodes):
            return ""
        judged = self._reviewer.judged.get(self._reviewer.nodes[number])
        return "" if judged is None else words.judgement(judged)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._tabled and self._table is not None and self._reviewer.found is not None:
            self._table.draw(surface, self._reviewer.found)
