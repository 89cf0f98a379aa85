"""The whole search at a glance: a row for each ply, a box for each node as wide as the tree below it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pygame

from ai.explain.explorer import Explorer
from ai.search.comparison import prunes
from ai.search.trace import Trace
from ai.system.threads import result_of
from ui.learn.icicle_plan import WIDE, Facts, IciclePlan, IcicleRows, hatching, runs, shades
from ui.learn.search_words import node_title, result_text
from ui.toolkit.art import clipped, rounded
from ui.toolkit.canvas import Canvas, SurfaceCanvas, SvgCanvas, page_theme
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import width_of, write
from ui.window.host import Host
from ui.window.part import Part
from ui.words.numbers import count_text, whole_text

HEIGHT = 132
"""Design pixels."""

_CAPTION, _ROW = 22, 24  # design pixels: the line above, and the height of a row at most
_PAUSE = 0.5  # seconds between two pictures of a search that goes on
_LOOK = 0.03  # seconds
_AT_ONCE = 3_000  # nodes that are laid out within a frame


class Icicle(Part):
    """A click looks at a node."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._host, self._explorer = host, explorer
        self._boxes = self._caption = self._rect
        self._plan: IciclePlan | None = None
        self._trace: Trace | None = None  # what the plan shows
        self._stand = (0, False)  # and how far it was: its nodes, and whether the search went on
        self._thread = ThreadPoolExecutor(1, "tengen-icicle")
        self._future: Future[IciclePlan] | None = None
        self._due = 0.0
        self._picture: pygame.Surface | None = None
        self._painted: object = None
        self._mouse = NodeMouse(explorer, self._node_at)

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        self._rect = space.bottom(px(HEIGHT))
        inside = Space(self._rect.inflate(-2 * px(8), -2 * px(6)), 0)
        self._caption, self._boxes = inside.top(px(_CAPTION)), inside.rest
        self._painted = None

    def update(self, now: float) -> None:
        """Lay out the boxes on a thread, again when the search has grown, but not all the time."""
        trace, busy = self._explorer.trace, self._explorer.busy
        other, stand = trace is not self._trace, (len(trace), busy)
        if other:
            self._future = None  # it would be the plan of another search
        elif self._future is not None:
            if not self._future.done():
                return
            plan, self._future = result_of(self._future), None
            self._plan = plan or self._plan
            if plan is None:
                self._host.say(t("error.drawing"), "bad")
        if not other and (stand == self._stand or (busy and now < self._due)):
            return
        if len(trace) < _AT_ONCE or other:
            self._plan = IciclePlan(Facts.of(trace))
        else:
            self._future = self._thread.submit(IciclePlan, Facts.of(trace))
        self._trace, self._stand, self._due = trace, stand, now + _PAUSE

    def wake(self, now: float) -> float | None:
        return _LOOK if self._future is not None else None

    # The picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette = self._host.theme, self._host.theme.palette
        rounded(surface, self._rect, palette.panel, theme.px(8), palette.line)
        self._draw_caption(surface)
        if self._plan is None or not self._plan.count or self._explorer.trace is not self._trace:
            return
        wanted = (self._plan, self._explorer.at, self._boxes.size, palette)
        if wanted != self._painted:
            self._painted, self._picture = wanted, self._paint(self._plan)
        if self._picture is not None:
            surface.blit(self._picture, self._boxes)
        self._draw_node(surface)

    def _draw_caption(self, surface: pygame.Surface) -> None:
        """The result on the left, and on the right what the hatching means, if both fit."""
        theme, explorer = self._host.theme, self._explorer
        right = t("search.saved")
        left = result_text(explorer)
        if not left:
            key = "search.failed" if explorer.tracing.failed else "search.searching"
            left = t(key, number=whole_text(len(explorer.trace)))
        room = Space(self._caption, theme.px(12))
        if self._plan is not None and prunes(explorer.choice.key):
            place = room.right(width_of(theme, right, 14))
            if place.left > self._caption.left + width_of(theme, left, 14):
                write(surface, theme, right, place, 14, theme.palette.quiet)
        write(surface, theme, left, room.rest, 14, theme.palette.text)

    @property
    def _row(self) -> int:
        """Height of a row in pixels."""
        rows = self._plan.rows if self._plan else 1
        return max(2, min(self._host.theme.px(_ROW), self._boxes.height // max(1, rows)))

    def _paint(self, plan: IciclePlan) -> pygame.Surface:
        found = IcicleRows(plan, self._explorer.trace, self._explorer.node_step, self._boxes.width)
        return icicle_picture(found, self._row, self._host.theme)

    def _draw_node(self, surface: pygame.Surface) -> None:
        """Frames around the node that is looked at and the one under the pointer."""
        theme, palette = self._host.theme, self._host.theme.palette
        assert self._plan is not None
        for node, colour in ((self._explorer.pointed, palette.quiet), (self._explorer.node, palette.text)):
            if node is None or node >= self._plan.count:
                continue
            left, wide = self._plan.place(node, self._boxes.width)
            level = int(self._plan.ply[node])
            box = pygame.Rect(self._boxes.left + int(left), self._boxes.top + level * self._row, max(3, round(wide)),
                              self._row)  # fmt: skip
            with clipped(surface, self._boxes):
                pygame.draw.rect(surface, colour, box.inflate(2, 2), max(2, theme.px(2)))

    # The mouse.

    def handle(self, event: pygame.event.Event) -> bool:
        return self._mouse.handle(event, self._rect)

    def _node_at(self, pixel: tuple[int, int]) -> int | None:
        if self._plan is None or not self._boxes.collidepoint(pixel):
            return None
        share = (pixel[0] - self._boxes.left) / max(1, self._boxes.width)
        node = self._plan.node_at((pixel[1] - self._boxes.top) // self._row, share)
        return node if node >= 0 and self._explorer.entered(node) else None

    def close(self) -> None:
        self._future = None

    def hint(self) -> str:
        pointed = self._explorer.pointed
        if pointed is None or not self._rect.collidepoint(pygame.mouse.get_pos()):
            return ""
        below = self._explorer.trace.after(pointed) - pointed
        return f"{node_title(self._explorer, pointed)} · {t('search.nodes', count=below, number=count_text(below))}"


# Draws the boxes of a whole search: a row for each ply, coloured by value, and hatched where moves were not tried.


_SVG_ROW = 14  # pixels


def draw_icicle(canvas: Canvas, left: int, top: int, found: IcicleRows, row: int) -> None:
    """Draw all boxes from (left, top) on, each `row` pixels high."""
    theme, palette, rows = canvas.theme, canvas.theme.palette, found.rows
    tones, cells = np.array(shades(palette), np.uint8), np.empty((found.pixels, len(rows), 3), np.uint8)
    for level, nodes in enumerate(rows):
        cells[:, level] = tones[found.kinds(nodes)]
        cells[[start for start, end, _ in runs(nodes) if end - start >= WIDE], level] = palette.panel
    area = pygame.Rect(left, top, found.pixels, len(rows) * row)
    canvas.mosaic(area, cells)
    canvas.hatch(area, hatching(palette), palette.panel, max(5, theme.px(6)), [
        pygame.Rect(left + start, top + level * row, end - start, row)
        for level, nodes in enumerate(rows) if level for start, end in found.cut(nodes)
    ])  # fmt: skip
    for level in range(1, len(rows)):
        canvas.box(pygame.Rect(left, top + level * row - 1, found.pixels, 1), palette.panel)


def icicle_picture(found: IcicleRows, row: int, theme: Theme) -> pygame.Surface:
    """Return a picture of all boxes, each `row` pixels high."""
    picture = pygame.Surface((found.pixels, found.plan.rows * row))
    draw_icicle(SurfaceCanvas(picture, theme), 0, 0, found, row)
    return picture


def icicle_svg(found: IcicleRows) -> str:
    """Return the boxes as an ``<svg>`` element without words."""
    canvas = SvgCanvas((found.pixels, found.plan.rows * _SVG_ROW), page_theme())
    draw_icicle(canvas, 0, 0, found, _SVG_ROW)
    return canvas.svg()


# The mouse over a picture of a search: the node under the pointer, and the one that is looked at.


class NodeMouse:
    """`node_at` returns the node at a pixel, or None. With the button held, the node under the pointer is looked at."""

    def __init__(self, explorer: Explorer, node_at: Callable[[tuple[int, int]], int | None]) -> None:
        self._explorer, self._node_at = explorer, node_at
        self._held = False

    def handle(self, event: pygame.event.Event, rect: pygame.Rect) -> bool:
        """Point at the node under the mouse, and look at it while the button is held. Return whether `event` was in
        `rect`."""
        if event.type == pygame.MOUSEBUTTONUP:
            self._held = False
        moved = event.type == pygame.MOUSEMOTION
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT
        if not (moved or pressed) or not rect.collidepoint(event.pos):
            return False
        self._held = self._held or pressed
        node = self._node_at(event.pos)
        if moved:
            self._explorer.pointed = node
        if self._held and node is not None:
            self._explorer.look_at(node)
        return True
