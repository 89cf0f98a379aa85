"""The course of a reviewed game as a graph, and the table of its mistakes."""

from __future__ import annotations

import pygame

from ai.review.report import Reviewed
from games.record import Node, path
from ui.board.registry import look
from ui.game.study import Study
from ui.host import Host
from ui.part import Part
from ui.parts.graph import WinGraph
from ui.toolkit.controls import Widget
from ui.toolkit.layout import Space
from ui.toolkit.text import write
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import Widgets
from ui.words import review as words

LOWEST = 48
"""Design pixels of the graph."""

TABLE = 70
"""Design pixels of the table: a row of signs, and one for each side."""

_HIGHEST = 180
_SIGNS, _ROW, _BADGE = 22, 24, 18
_KIND, _MOST = 27, 0.68  # design pixels of a column, but at most that share of the width for all


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


class ReviewTable:
    """The accuracy of both players, and how many moves of each kind they made, in `rect`. The colours of its columns
    are those of the kinds."""

    def __init__(self, theme: Theme, rect: pygame.Rect) -> None:
        self.theme, self.rect = theme, rect
        self._painted: tuple[Reviewed, pygame.Surface] | None = None

    def column(self, kind: str) -> pygame.Rect:
        cell = self._cell(kind, 0)
        return pygame.Rect(self.rect.left + cell.left, self.rect.top, cell.width, self.rect.height)

    def _cell(self, kind: str, row: int) -> pygame.Rect:
        """Where a number stands in the picture; row 0 is that of the signs."""
        px, count = self.theme.px, len(words.GRAVEST_FIRST)
        wide = min(px(_KIND), round(self.rect.width * _MOST / count))
        left = self.rect.width - wide * (count - words.GRAVEST_FIRST.index(kind))
        if row == 0:
            return pygame.Rect(left, 0, wide, px(_SIGNS))
        return pygame.Rect(left, px(_SIGNS) + (row - 1) * px(_ROW), wide, px(_ROW))

    def draw(self, surface: pygame.Surface, found: Reviewed) -> None:
        if self._painted is None or self._painted[0] is not found:
            self._painted = found, self._paint(found)
        surface.blit(self._painted[1], self.rect)

    def _paint(self, found: Reviewed) -> pygame.Surface:
        theme, game = self.theme, found.record.setup.game
        picture = pygame.Surface(self.rect.size)
        picture.fill(theme.palette.panel)
        for kind in words.GRAVEST_FIRST:
            self._paint_sign(picture, kind)
        for side, share in enumerate(found.accuracy):
            top = self._cell(words.GRAVEST_FIRST[0], side + 1)
            name = Space(pygame.Rect(0, top.top, top.left, top.height), theme.px(8))
            look(game).badge(picture, theme, name.left(theme.px(_BADGE)), side)
            write(picture, theme, words.accuracy_text(share), name.rest, 16, bold=True)
            for kind, count in words.counts(found, side).items():
                colour = words.kind_colour(kind, theme.palette.key) if count else theme.palette.quiet
                write(picture, theme, str(count), self._cell(kind, side + 1), 14, colour, align="centre")
        return picture

    def _paint_sign(self, picture: pygame.Surface, kind: str) -> None:
        colour, cell = words.kind_colour(kind, self.theme.palette.key), self._cell(kind, 0)
        if words.SIGNS[kind]:
            write(picture, self.theme, words.SIGNS[kind], cell, 14, colour, bold=True, align="centre")
        else:
            pygame.draw.aacircle(picture, colour, cell.center, self.theme.px(4))
