"""The course of a reviewed game: a graph of win probabilities in which a click or a drag goes to a position, and a
table of accuracies and mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pygame

from ai.review.report import Reviewed
from games.position import FIRST, SECOND
from games.record import Node, path
from ui.board.looks import Badge, look
from ui.parts.study import Study
from ui.toolkit.accessible import Accessible
from ui.toolkit.art import clipped, rounded
from ui.toolkit.canvas import Canvas, Place, SurfaceCanvas
from ui.toolkit.controls import Point, Widget
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour, Theme, mix
from ui.toolkit.typesetting import write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words import verdicts as words
from ui.words.verdicts import kind_colour
from ui.words.views import sides_text

_PADDING, _SIDES, _DOT, _LINE = 8, 20, 4.5, 2
"""Design pixels: around the curve, at its left for the signs of the sides, radius of a dot, thickness of the curve."""

_SHADE = 0.16  # of the ink, below the curve

Dot = tuple[int, float, str]

_SHAPES = {
    "mistake": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "inaccuracy": ((0, -1.3), (1.25, 0.95), (-1.25, 0.95)),
    "missed_win": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
}
"""The corners of the dots that are not round, in radii."""


def draw_course(
    canvas: Canvas, plot: pygame.Rect, area: pygame.Rect, wins: Sequence[float | None], dots: Sequence[Dot]
) -> None:
    """Draw the first side's win probabilities `wins` as a curve in `plot`, with a dot for each mistake. Drawing may
    exceed `plot` up to the edges of `area`. There is a gap where a probability is None, not known yet."""
    theme, palette, last = canvas.theme, canvas.theme.palette, len(wins) - 1
    runs: list[list[Place]] = [[]]
    for number, win in enumerate(wins):
        if win is None:
            runs.append([])
        else:
            runs[-1].append(place_of(plot, last, number, win))
    with canvas.smooth(area) as curves:
        for run in runs:
            if len(run) > 1:
                floor = [(run[-1][0], plot.bottom), (run[0][0], plot.bottom)]
                curves.polygon([*run, *floor], mix(palette.raised, palette.text, _SHADE))
        middle, dash = mix(palette.raised, palette.quiet, 0.5), theme.px(4)
        curves.line((plot.midleft, plot.midright), middle, 1, (dash, dash))
        for run in runs:
            curves.line(run, palette.text, max(1.5, theme.scale * _LINE))
    for number, win, kind in dots:
        place, radius = place_of(plot, last, number, win), theme.px(_DOT)
        draw_kind(canvas, kind, place, radius + theme.px(1.5), palette.raised)
        draw_kind(canvas, kind, place, radius, kind_colour(kind, palette.key))


def draw_kind(canvas: Canvas, kind: str, place: Place, radius: float, colour: Colour) -> None:
    """Draw the dot of a mistake of `kind`: each kind has a shape of its own, for people who do not tell the colours
    apart."""
    (x, y), corners = place, _SHAPES.get(kind)
    if corners is None:
        canvas.circle(place, radius, colour)
    else:
        canvas.polygon([(x + right * radius, y + down * radius) for right, down in corners], colour)


def place_of(plot: pygame.Rect, last: int, number: int, win: float) -> Place:
    """Return the place in `plot` of the win probability `win` at position `number` of 0 to `last`."""
    return plot.left + plot.width * number / max(1, last), plot.top + plot.height * (1 - win)


class WinGraph(Widget):
    """A graph of win probabilities. `wins` are the first side's at the start and after each move, None where they are
    not known yet. `dots` are mistakes: the number of the position, the probability there, and the kind. `action` is
    called with the number of a position that a person chooses. `badge` draws the sign of a side, at the end of the
    scale where that side wins."""

    def __init__(
        self, theme: Theme, rect: pygame.Rect, wins: Sequence[float | None], dots: Sequence[Dot],
        action: Callable[[int], object], badge: Badge,
    ) -> None:  # fmt: skip
        super().__init__(theme, rect)
        self._badge = badge
        self.wins, self.dots, self.action = tuple(wins), tuple(dots), action
        self.at = 0
        """The position that is shown."""
        self._picture: pygame.Surface | None = None

    def show(self, wins: Sequence[float | None], dots: Sequence[Dot]) -> None:
        """Replace probabilities and dots."""
        if len(wins) != len(self.wins):
            self._picture = None
        before = set(enumerate(self.wins)), set(self.dots)
        self.wins, self.dots = tuple(wins), tuple(dots)
        changed = [each[0] for each in (before[0] ^ set(enumerate(self.wins))) | (before[1] ^ set(self.dots))]
        if changed and self._picture is not None:
            self._paint(self._picture, *self._changed_strip(min(changed), max(changed)))

    def accessible(self, key: str) -> Accessible:
        """Return a slider from 0 to the last position, at the one shown."""
        return replace(super().accessible(key), role="slider", number=(self.at, self.last))

    @property
    def last(self) -> int:
        """The number of the last position."""
        return max(0, len(self.wins) - 1)

    @property
    def plot(self) -> pygame.Rect:
        """The rectangle of the curve, without the margins for labels."""
        px = self.theme.px
        plot = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        return pygame.Rect(plot.left + px(_SIDES), plot.top, plot.width - px(_SIDES), plot.height)

    def pixel_of(self, number: int, win: float = 0.5) -> Place:
        """Return the place of a position with the win probability `win`, in pixels of the window."""
        return place_of(self.plot, self.last, number, win)

    @property
    def pointed(self) -> int | None:
        """The number of the position under the pointer; None if the pointer is not on the graph."""
        return None if self.pointer is None else self._number_at(self.pointer)

    def _number_at(self, point: Point) -> int:
        """Return the number of the position at a pixel."""
        share = (point[0] - self.plot.left) / max(1, self.plot.width)
        return max(0, min(round(share * self.last), self.last))

    def press(self, point: Point) -> None:
        """Select the position at the pressed pixel."""
        self.drag(point)

    def drag(self, point: Point) -> None:
        """Select the position at the pixel that the pointer is dragged to."""
        self._select(self._number_at(point))

    def key(self, event: pygame.event.Event) -> bool:
        """Select the position before or after by the arrow keys left and right. Return whether it was one of them."""
        steps = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}
        if event.key in steps:
            self._select(self.at + steps[event.key])
        return event.key in steps

    def _select(self, number: int) -> None:
        """Show the position with this number, clamped to the game, and call `action` if it is another one."""
        number = max(0, min(number, self.last))
        if number != self.at:
            self.at = number
            self.action(number)

    # The picture.

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the curve, from a picture that is painted once, and vertical lines at the position under the pointer and
        at the one shown."""
        if self._picture is None:
            self._picture = pygame.Surface(self.rect.size)
            self._paint(self._picture, 0, self.rect.width)
        surface.blit(self._picture, self.rect)
        palette, px = self.theme.palette, self.theme.px
        if self.pointed is not None:
            self._draw_line(surface, self.pointed, mix(palette.raised, palette.quiet, 0.6), 1)
        self._draw_line(surface, self.at, palette.accent, px(2))

    def _draw_line(self, surface: pygame.Surface, number: int, colour: tuple[int, int, int], wide: int) -> None:
        """Draw a vertical line at a position."""
        x, top = round(self.pixel_of(number)[0]), self.rect.top + self.theme.px(3)
        surface.fill(colour, (x - wide // 2, top, wide, self.rect.height - 2 * self.theme.px(3)))

    def _changed_strip(self, first: int, last: int) -> tuple[int, int]:
        """Return the left and right edge of the part of the picture that depends on positions `first` to `last`."""
        left, right = (round(self.pixel_of(number)[0]) - self.rect.left for number in (first - 1, last + 1))
        around = self.theme.px(2 * _DOT)
        return max(0, left - around), min(self.rect.width, right + around)

    def _paint(self, picture: pygame.Surface, left: int, right: int) -> None:
        """Paint ground, curve and dots again from `left` to `right`."""
        theme, strip = self.theme, pygame.Rect(left, 0, right - left, self.rect.height)
        with clipped(picture, strip):
            picture.fill(theme.palette.panel)
            rounded(picture, picture.get_rect(), theme.palette.raised, theme.px(8), theme.palette.line)
            self._draw_sides(picture)
            plot = self.plot.move(-self.rect.left, -self.rect.top)
            draw_course(SurfaceCanvas(picture, theme), plot, strip, self.wins, self.dots)

    def _draw_sides(self, picture: pygame.Surface) -> None:
        """Draw the signs of the sides at the ends of the scale."""
        px, plot = self.theme.px, self.plot.move(-self.rect.left, -self.rect.top)
        place = pygame.Rect(px(_PADDING), 0, px(_SIDES - 6), px(_SIDES - 6))
        for side, y in ((FIRST, plot.top), (SECOND, plot.bottom - place.height)):
            self._badge(picture, self.theme, place.move(0, y), side)


LOWEST = 48
"""Design pixels of the graph."""

TABLE = 70
"""Design pixels of the table: a row of signs, and one for each side."""

_HIGHEST = 180
_SIGNS, _ROW, _BADGE = 22, 24, 18
_KIND, _MOST = 27, 0.68  # design pixels of a column, but at most that share of the width for all


class ReviewCourse(Part):
    """The graph and the table of a review. The graph is at most `highest` pixels high. If it is not `roomy`, the table
    is shown only at the beginning of the game, where nothing is said of a move, and over the space that is left."""

    def __init__(self, host: Host, widgets: Widgets, state: Study) -> None:
        self._host, self._widgets, self._state, self._reviewer = host, widgets, state, state.reviewer
        self.roomy, self.highest = True, 0
        self._graph: WinGraph | None = None
        self._table: ReviewTable | None = None
        self._shown: Reviewed | None = None  # in the graph

    def build(self, space: Space) -> None:
        """Make the graph as a widget at the top of the space, place the table below it, and make tooltips for its
        columns. `highest` and `roomy` must be set before."""
        theme, found = self._host.theme, self._reviewer.found
        px = theme.px
        rect = space.top(max(px(LOWEST), min(px(_HIGHEST), self.highest)))
        self._graph = self._widgets.add("graph", WinGraph(
            theme, rect, found.wins if found else (), (), self._go_to, look(self._state.record.setup.game).badge
        ))  # fmt: skip
        self._graph.label = words.graph_title(self._state.record.setup.game)
        table = space.top(px(TABLE)) if self.roomy else pygame.Rect(space.rest.topleft, (space.rest.width, px(TABLE)))
        self._table, self._shown = ReviewTable(theme, table), None
        for kind in words.GRAVEST_FIRST:  # no more than a tooltip
            tip = self._widgets.add(f"kind.{kind}", Widget(theme, self._table.column(kind), words.kind_name(kind)))
            tip.enabled = False
        about = self._widgets.add("accuracy", Widget(theme, self._table.accuracies, words.accuracy_about()))
        about.enabled = False
        self.update(0.0)

    @property
    def _shows_table(self) -> bool:
        """Whether the table is shown: always if it is `roomy`, else only at the beginning of the game."""
        return self.roomy or self._state.record.cursor.parent is None

    def update(self, now: float) -> None:
        """Show new findings of the review, and the cursor in the graph."""
        found = self._reviewer.found
        if self._graph is not None and found is not None:
            if found is not self._shown:
                self._shown = found
                self._graph.show(found.wins, words.mistake_points(found))
            self._graph.at = self._cursor_number()
        for kind in words.GRAVEST_FIRST:
            self._widgets.show(f"kind.{kind}", self._shows_table)
        self._widgets.show("accuracy", self._shows_table)

    def _cursor_number(self) -> int:
        """Return the number of the cursor's position in the reviewed line; in a variation, that of the position where
        it leaves the line."""
        places = {node: number for number, node in enumerate(self._reviewer.nodes)}
        node: Node | None = self._state.record.cursor
        while node is not None and node not in places:
            node = node.parent
        return places[node] if node is not None else 0

    def _go_to(self, number: int) -> None:
        """Go to the position with this number in the reviewed line, unless it was removed from the tree since."""
        if number < len(self._reviewer.nodes):
            node = self._reviewer.nodes[number]
            if path(node)[0] is self._state.record.root:
                self._state.go(node)

    def hint(self) -> str:
        """Return what is known of the move under the pointer in the graph, or at the left edge what the graph shows."""
        graph = self._graph
        if graph is None or graph.pointed is None or graph.pointed >= len(self._reviewer.nodes):
            return ""
        number, game = graph.pointed, self._state.record.setup.game
        judged = self._reviewer.judged.get(self._reviewer.nodes[number])
        if judged is not None:
            return words.judgement(judged)
        wins = graph.wins[number] if number < len(graph.wins) else None
        return words.graph_title(game) if wins is None else sides_text(game, wins)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the table, if it is shown and the review has findings. The graph is a widget."""
        if self._shows_table and self._table is not None and self._reviewer.found is not None:
            self._table.draw(surface, self._reviewer.found)


class ReviewTable:
    """A table in `rect`: for each player the accuracy and the number of moves of each kind, whose columns have the
    colours of the kinds."""

    def __init__(self, theme: Theme, rect: pygame.Rect) -> None:
        self.theme, self.rect = theme, rect
        self._painted: tuple[Reviewed, pygame.Surface] | None = None  # the picture, and what it shows

    def column(self, kind: str) -> pygame.Rect:
        """Return the rectangle of the column for a kind of moves."""
        cell = self._cell(kind, 0)
        return pygame.Rect(self.rect.left + cell.left, self.rect.top, cell.width, self.rect.height)

    @property
    def accuracies(self) -> pygame.Rect:
        """The rectangle of the accuracies of both sides."""
        first, last = (self._cell(words.GRAVEST_FIRST[0], row) for row in (1, 2))
        return pygame.Rect(self.rect.left, self.rect.top + first.top, first.left, last.bottom - first.top)

    def draw(self, surface: pygame.Surface, found: Reviewed) -> None:
        """Draw the review `found`; the picture is kept while that is the same."""
        if self._painted is None or self._painted[0] is not found:
            self._painted = found, self._picture(found)
        surface.blit(self._painted[1], self.rect)

    def _picture(self, found: Reviewed) -> pygame.Surface:
        """Return a picture of the table; its coordinates begin at 0."""
        theme, game = self.theme, found.record.setup.game
        picture = pygame.Surface(self.rect.size)
        picture.fill(theme.palette.panel)
        for kind in words.GRAVEST_FIRST:
            self.draw_sign(picture, kind)
        for side, share in enumerate(found.accuracy):
            top = self._cell(words.GRAVEST_FIRST[0], side + 1)
            name = Space(pygame.Rect(0, top.top, top.left, top.height), theme.px(8))
            look(game).badge(picture, theme, name.left(theme.px(_BADGE)), side)
            write(picture, theme, words.accuracy_text(share), name.rest, 16, bold=True)
            for kind, count in words.counts(found, side).items():
                colour = words.kind_colour(kind, theme.palette.key) if count else theme.palette.quiet
                write(picture, theme, str(count), self._cell(kind, side + 1), 14, colour, align="centre")
        return picture

    def _cell(self, kind: str, row: int) -> pygame.Rect:
        """Return the rectangle of a number in the picture; row 0 has the signs of the kinds, 1 and 2 are the sides."""
        px, count = self.theme.px, len(words.GRAVEST_FIRST)
        wide = min(px(_KIND), round(self.rect.width * _MOST / count))
        left = self.rect.width - wide * (count - words.GRAVEST_FIRST.index(kind))
        if row == 0:
            return pygame.Rect(left, 0, wide, px(_SIGNS))
        return pygame.Rect(left, px(_SIGNS) + (row - 1) * px(_ROW), wide, px(_ROW))

    def draw_sign(self, picture: pygame.Surface, kind: str) -> None:
        """Draw the sign of a kind of moves over its column."""
        colour, cell = words.kind_colour(kind, self.theme.palette.key), self._cell(kind, 0)
        if words.SIGNS[kind]:
            write(picture, self.theme, words.SIGNS[kind], cell, 14, colour, bold=True, align="centre")
        else:
            thick = self.theme.px(1.5) if kind == "good" else 0  # a ring, beside the disc of the best moves
            pygame.draw.aacircle(picture, colour, cell.center, self.theme.px(4), thick)
