"""The table of the searches: nodes and seconds at each depth."""

from __future__ import annotations

import pygame

from ai.explain.subject import Shared
from ai.search.comparison import VARIANTS
from ui.learn.chart import colours
from ui.learn.compare_state import Comparison, Point
from ui.learn.comparison_words import cell_texts, row_sentence, search_name, share_text
from ui.toolkit.art import hatch, rounded
from ui.toolkit.i18n import t
from ui.toolkit.space import Space, columns
from ui.toolkit.theme import Colour, Theme, mix
from ui.toolkit.typesetting import width_of, write
from ui.window.host import Host
from ui.window.part import Part
from ui.words.numbers import whole_text

_HEAD, _ROW, _NAME, _PADDING, _SWATCH = 26, 38, 116, 12, 10  # design pixels
_LEAST_DEPTH = 6  # columns


class SearchTable(Part):
    """Takes its room from the bottom of the space."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        self._rect = space.bottom(px(_HEAD + len(VARIANTS) * _ROW + _PADDING))

    @property
    def _depths(self) -> int:
        return max([_LEAST_DEPTH, *(row.depth for row in self._state.rows)])

    def line(self, number: int) -> tuple[pygame.Rect, list[pygame.Rect]]:
        """The name and the cells of a line of the table, 0 for its head."""
        px = self._host.theme.px
        space = Space(self._rect.inflate(-2 * px(_PADDING), -px(_PADDING)), 0)
        rect = space.top(px(_HEAD))
        for _ in range(number):
            rect = space.top(px(_ROW))
        row = Space(rect, px(8))
        return row.left(px(_NAME)), columns(row.rest, self._depths, px(2))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, self._rect, palette.panel, px(10), palette.line)
        name, cells = self.line(0)
        write(surface, theme, t("compare.depth_axis"), name, 14, palette.quiet)
        for depth, cell in enumerate(cells, 1):
            write(surface, theme, str(depth), cell, 14, palette.quiet, align="right")
        for number, search in enumerate(VARIANTS, 1):
            name, cells = self.line(number)
            pygame.draw.line(surface, palette.line, name.topleft, (cells[-1].right, name.top))
            self._draw_name(surface, search, name)
            for depth, cell in enumerate(cells, 1):
                self._draw_cell(surface, (search, depth), cell)

    def _draw_name(self, surface: pygame.Surface, search: str, rect: pygame.Rect) -> None:
        theme, px = self._host.theme, self._host.theme.px
        space = Space(rect, px(8))
        swatch = pygame.Rect(0, 0, px(_SWATCH), px(_SWATCH))
        swatch.center = space.left(px(_SWATCH)).center
        rounded(surface, swatch, colours(theme.palette)[search], px(3))
        write(surface, theme, search_name(search), space.rest, 14)

    def _draw_cell(self, surface: pygame.Surface, point: Point, cell: pygame.Rect) -> None:
        """The nodes and the time of one search at one depth, highlighted under the pointer."""
        row, theme, palette = self._state.row(point), self._host.theme, self._host.theme.palette
        if row is None:
            return
        if point == self._state.pointed:
            around = cell.inflate(theme.px(8), -theme.px(4))
            rounded(surface, around, mix(palette.panel, palette.accent, 0.16), theme.px(4))
        nodes, seconds = cell_texts(row)
        upper = pygame.Rect(cell.left, cell.top + theme.px(2), cell.width, theme.px(18))
        write(surface, theme, nodes, upper, 14, palette.text if row.finished else palette.quiet, align="right")
        lower = upper.move(0, theme.px(16))
        write(surface, theme, seconds, lower, 14, palette.quiet, align="right")

    def _at(self, pixel: tuple[int, int]) -> Point | None:
        for number, search in enumerate(VARIANTS, 1):
            for depth, cell in enumerate(self.line(number)[1], 1):
                if cell.collidepoint(pixel):
                    return search, depth
        return None

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION and self._rect.collidepoint(event.pos):
            self._state.pointed = self._at(event.pos)
        return False

    def hint(self) -> str:
        row = None if self._state.pointed is None else self._state.row(self._state.pointed)
        return "" if row is None else row_sentence(self._state.position, row)

    def status(self) -> str:
        return t("compare.busy") if self._state.busy else t("compare.lines")


# How two threads have divided the search of a tree: what each has searched alone, and what both have.


_BAR_PADDING, _CARD, _BAR_HEAD, _BAR, _GAP, _BAR_NAME, _SUM = 16, 122, 28, 30, 10, 84, 72  # design pixels
_STRIPE = 6


class ThreadBars(Part):
    """Takes all the space: figures of the deepest search, and a bar for each depth."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, self._rect, palette.panel, px(10), palette.line)
        if not self._state.shared:
            return
        space = Space(self._rect.inflate(-2 * px(_BAR_PADDING), -2 * px(_BAR_PADDING)), px(_GAP))
        self._draw_cards(surface, space.top(px(_CARD)), self._state.shared[-1])
        write(surface, theme, t("compare.threads.head"), space.top(px(_BAR_HEAD)), 14, palette.quiet)
        fits = (space.rest.height + px(_GAP)) // px(_BAR + _GAP)
        for shared in self._state.shared[-fits:]:
            self._draw_row(surface, space.top(px(_BAR)), shared)

    def _draw_cards(self, surface: pygame.Surface, rect: pygame.Rect, shared: Shared) -> None:
        """Thread 1, both, thread 2: positions, their share, and the nodes of each thread."""
        theme, done = self._host.theme, shared.division
        first, both, second = columns(rect, 3, theme.px(12))
        whole = done.positions
        for number, card in enumerate((first, second)):
            note = t("compare.thread.nodes", nodes=whole_text(done.nodes[number]),
                     answered=whole_text(done.answered[number]))  # fmt: skip
            self._draw_card(surface, card, t("compare.thread", number=number + 1), done.alone[number], whole, note,
                            _tones(theme)[2 * number])  # fmt: skip
        self._draw_card(surface, both, t("compare.both"), done.shared, whole, t("compare.both.about"), _tones(theme)[1])

    def _draw_card(
        self, surface: pygame.Surface, rect: pygame.Rect, name: str, count: int, whole: int, note: str, tone: Colour
    ) -> None:
        """A card with the name of a part, its `count` of nodes, its share of the `whole`, and a note."""
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, rect, palette.raised, px(8), palette.line)
        space = Space(rect.inflate(-2 * px(12), -2 * px(10)), 0)
        head = Space(space.top(px(22)), px(8))
        swatch = pygame.Rect(0, 0, px(10), px(10))
        swatch.center = head.left(px(10)).center
        rounded(surface, swatch, tone, px(3))
        write(surface, theme, name, head.rest, 16, bold=True)
        figures = Space(space.top(px(40)), px(8))
        text = whole_text(count)
        write(surface, theme, text, figures.left(width_of(theme, text, 28)), 28)
        write(surface, theme, share_text(count, whole), figures.rest.move(0, px(4)), 16, palette.quiet)
        lines = note.split(" · ")
        for line in lines:
            write(surface, theme, line, space.top(px(19)), 14, palette.quiet)

    def _draw_row(self, surface: pygame.Surface, rect: pygame.Rect, shared: Shared) -> None:
        """One depth as a bar: what each thread visited alone, and between these, striped, what both did."""
        theme, px, done = self._host.theme, self._host.theme.px, shared.division
        row = Space(rect, px(8))
        write(surface, theme, t("compare.threads.depth", depth=shared.depth), row.left(px(_BAR_NAME)), 14)
        write(surface, theme, whole_text(done.positions), row.right(px(_SUM)), 14, theme.palette.quiet, align="right")
        parts = (done.alone[0], done.shared, done.alone[1])
        left, whole, gone = row.rest.left, max(1, done.positions), 0
        for part, tone, striped in zip(parts, _tones(theme), (False, True, False), strict=True):
            start, gone = left + row.rest.width * gone // whole, gone + part
            piece = pygame.Rect(start, rect.top, left + row.rest.width * gone // whole - start, rect.height)
            self._draw_piece(surface, piece, tone, striped, share_text(part, whole))

    def _draw_piece(self, surface: pygame.Surface, rect: pygame.Rect, tone: Colour, striped: bool, text: str) -> None:
        """One part of a bar, with its share written in it if that fits."""
        theme, palette = self._host.theme, self._host.theme.palette
        soft = mix(palette.panel, tone, 0.3)
        surface.fill(soft, rect)
        if striped:
            hatch(surface, rect, mix(palette.panel, tone, 0.5), theme.px(_STRIPE))
        surface.fill(tone, (rect.left, rect.bottom - theme.px(4), rect.width, theme.px(4)))
        if not striped and width_of(theme, text, 14) + theme.px(8) <= rect.width:
            write(surface, theme, text, rect, 14, align="centre")

    def status(self) -> str:
        return t("compare.busy") if self._state.busy else ""


def _tones(theme: Theme) -> tuple[Colour, Colour, Colour]:
    """The colours of thread 1, both, and thread 2."""
    palette = theme.palette
    return palette.accent, palette.quiet, palette.info
