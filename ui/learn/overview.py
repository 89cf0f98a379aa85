"""The whole of a search at a glance: a row for each ply, with a box for each node as wide as the tree below it; or, for
a search by several workers, a row for each worker, with a bar for each subtree that it searched."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pygame

from ai.explain.explorer import Explorer
from ai.search.comparison import SHARED, prunes
from ai.search.shared_tree import EXTRA, SharedTree, Stretch
from ai.search.trace import Trace
from ai.system.threads import result_of
from ui.learn.icicle_plan import WIDE, Facts, IciclePlan, IcicleRows, hatching, runs, shades
from ui.learn.search_words import node_title, result_text, sharing_summary, stretch_sentence, worker_text
from ui.parts.search_tables import WorkerLine, WorkersTable
from ui.toolkit.art import clipped, hatch, rounded
from ui.toolkit.canvas import Canvas, SurfaceCanvas, SvgCanvas, page_theme
from ui.toolkit.i18n import t
from ui.toolkit.space import Space, centred
from ui.toolkit.theme import Theme, mix, series
from ui.toolkit.typesetting import width_of, write
from ui.window.host import Host
from ui.window.part import Group, Part, lay
from ui.words.numbers import count_text, whole_text

_HEIGHT, _CAPTION, _ROW = 132, 22, 24  # design pixels: of all, the line above, and a row at most
_PAUSE = 0.5  # seconds between two pictures of a search that goes on
_LOOK = 0.03  # seconds
_AT_ONCE = 3_000  # nodes that are laid out within a frame


class Icicle(Part):
    """The whole search as boxes, one for each node. A click on a box looks at its node."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._host, self._explorer = host, explorer
        self._boxes = self._caption = self._rect
        self._plan: IciclePlan | None = None
        self._trace: Trace | None = None  # what the plan shows
        self._stand: object = None  # and how far it was: its nodes, and whether the search went on
        self._thread = ThreadPoolExecutor(1, "tengen-icicle")
        self._future: Future[IciclePlan] | None = None
        self._due = 0.0
        self._picture: pygame.Surface
        self._painted: object = None
        self._mouse = NodeMouse(explorer, self._node_at)

    def build(self, space: Space) -> None:
        """Take a strip of fixed height from the bottom: a line for the caption, and below it the boxes."""
        px = self._host.theme.px
        self._rect = space.bottom(px(_HEIGHT))
        inside = Space(self._rect.inflate(-2 * px(8), -2 * px(6)))
        self._caption, self._boxes = inside.top(px(_CAPTION)), inside.rest
        self._painted = None

    def update(self, now: float) -> None:
        """Lay out the boxes when the search is another one or has grown, at most once in `_PAUSE` seconds while it
        runs; many boxes are laid out on a thread."""
        trace, busy = self._explorer.trace, self._explorer.busy
        other, stand = trace is not self._trace, (len(trace), busy)
        if other:
            self._future = None  # it would be the plan of another search
        elif self._future is not None:
            if not self._future.done():
                return
            plan, self._future = result_of(self._future), None
            if plan is None:
                self._host.say(t("error.drawing"), "bad")
            else:
                self._plan = plan
        if not other and (stand == self._stand or (busy and now < self._due)):
            return
        if len(trace) < _AT_ONCE or other:
            self._plan = IciclePlan(Facts.of(trace))
        else:
            self._future = self._thread.submit(IciclePlan, Facts.of(trace))
        self._trace, self._stand, self._due = trace, stand, now + _PAUSE

    def wake(self, now: float) -> float | None:
        """Return how many seconds later to look whether a layout on a thread is done; None if none is under way."""
        return _LOOK if self._future is not None else None

    # The picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the caption, the boxes, and frames around two nodes. The picture of the boxes is kept until the layout,
        the step shown, the size or the colours change; no boxes before the layout fits the search."""
        theme, palette = self._host.theme, self._host.theme.palette
        rounded(surface, self._rect, palette.panel, theme.px(8), palette.line)
        self._draw_caption(surface)
        if self._plan is None or self._explorer.trace is not self._trace:
            return
        wanted = (self._plan, self._explorer.at, self._boxes.size, palette)
        if wanted != self._painted:
            self._painted, self._picture = wanted, self._paint(self._plan)
        surface.blit(self._picture, self._boxes)
        self._draw_node(surface)

    def _draw_caption(self, surface: pygame.Surface) -> None:
        """Draw the result on the left and, if both fit, what the hatching means on the right."""
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
        """The height of a row in pixels."""
        assert self._plan is not None
        return max(2, min(self._host.theme.px(_ROW), self._boxes.height // self._plan.rows))

    def _paint(self, plan: IciclePlan) -> pygame.Surface:
        """Return a picture of all boxes, up to the step shown."""
        found = IcicleRows(plan, self._explorer.trace, self._explorer.node_step, self._boxes.width)
        return icicle_picture(found, self._row, self._host.theme)

    def _draw_node(self, surface: pygame.Surface) -> None:
        """Draw frames around the node that is looked at and the one under the pointer."""
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
                pygame.draw.rect(surface, colour, box.inflate(2, 2), theme.px(2))

    # The mouse.

    def handle(self, event: pygame.event.Event) -> bool:
        """Point at the node under the mouse, and look at it with the left button; keys are for other parts."""
        return self._mouse.handle(event, self._rect)

    def _node_at(self, pixel: tuple[int, int]) -> int | None:
        """Return the node at `pixel`; None if there is none, or the search has not entered it by the step shown."""
        if self._plan is None or not self._boxes.collidepoint(pixel):
            return None
        share = (pixel[0] - self._boxes.left) / self._boxes.width
        node = self._plan.node_at((pixel[1] - self._boxes.top) // self._row, share)
        return node if node >= 0 and self._explorer.entered(node) else None

    def close(self) -> None:
        """Drop a layout that is under way."""
        self._future = None

    def hint(self) -> str:
        """Name the node under the mouse, and say how many nodes the search visited below it."""
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
    canvas.hatch(area, hatching(palette), palette.panel, theme.px(6), [
        pygame.Rect(left + start, top + level * row, end - start, row)
        for level, nodes in enumerate(rows) if level for start, end in found.cut_stretches(nodes)
    ])  # fmt: skip
    for level in range(1, len(rows)):
        canvas.box(pygame.Rect(left, top + level * row - 1, found.pixels, 1), palette.panel)


def icicle_picture(found: IcicleRows, row: int, theme: Theme) -> pygame.Surface:
    """Return a picture of all boxes, each `row` pixels high."""
    picture = pygame.Surface((found.pixels, found.plan.rows * row))
    draw_icicle(SurfaceCanvas(picture, theme), 0, 0, found, row)
    return picture


def icicle_svg(found: IcicleRows) -> str:
    """Return the boxes as an ``<svg>`` element without text."""
    canvas = SvgCanvas((found.pixels, found.plan.rows * _SVG_ROW), page_theme())
    draw_icicle(canvas, 0, 0, found, _SVG_ROW)
    return canvas.svg()


# The mouse over a picture of a search: the node under the pointer, and the one that is looked at.


class NodeMouse:
    """The mouse over a picture of a search. `node_at` returns the node at a pixel, or None. While the button is held,
    the node under the pointer is looked at."""

    def __init__(self, explorer: Explorer, node_at: Callable[[tuple[int, int]], int | None]) -> None:
        self._explorer, self._node_at = explorer, node_at
        self._held = False

    def handle(self, event: pygame.event.Event, rect: pygame.Rect) -> bool:
        """Point at the node under the mouse, and look at it while the button is held. Return whether `event` is a
        movement or a left click in `rect`."""
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


# What each worker of a search did in the course of time.


_NAME = 136  # design pixels: of the column of workers
_LEAST = 2  # pixels of a bar


class TimeLine(Part):
    """What each worker did in the course of time, a bar for each task. A click looks at the node that the worker
    visited then. Bars are hatched where one worker alone would not have searched."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._host, self._explorer = host, explorer
        self._table = WorkersTable(host, self._lines, _ROW, _NAME)
        self._caption: pygame.Rect
        self._mouse = NodeMouse(explorer, self._node_at)
        self._visits: dict[int, list[tuple[int, int]]] = {}  # when each worker entered which node
        self._extra: dict[Stretch, list[tuple[int, int]]] = {}  # from when to when each searched in vain
        self._painted: object = None
        self._picture: pygame.Surface
        self._tree: SharedTree | None = None  # what they are of

    def build(self, space: Space) -> None:
        """Take a strip of fixed height from the bottom: a line for the caption, and below it a row for each worker."""
        px = self._host.theme.px
        self._rect = space.bottom(px(_HEIGHT))
        inside = Space(self._rect.inflate(-2 * px(8), -2 * px(6)))
        self._caption, self._table.rows = inside.top(px(_CAPTION)), inside.rest

    def update(self, now: float) -> None:
        """When the search is another one, sort what each worker visited by time, and find the times that one worker
        alone would not have spent."""
        trace = self._explorer.trace
        if trace is self._tree or not isinstance(trace, SharedTree):
            return
        self._tree, self._visits = trace, {worker: [] for worker in range(1, trace.workers + 1)}
        for node, (worker, time) in enumerate(zip(trace.worker, trace.time, strict=True)):
            self._visits[worker].append((time, node))
        for visits in self._visits.values():
            visits.sort()
        self._extra = {each: list(_needless_times(each, trace)) for each in trace.stretches}
        self._painted = None

    # The places.

    def _row(self, worker: int) -> pygame.Rect:
        """Return the place of the bars of a worker, numbered from 1."""
        return self._table.row(worker - 1, self._explorer.choice.workers)[1]

    def _lines(self) -> list[WorkerLine]:
        """Return the name and the colour of each worker, for the table."""
        tree, palette = self._explorer.trace, self._host.theme.palette
        assert isinstance(tree, SharedTree)
        numbers = range(1, self._explorer.choice.workers + 1)
        return [WorkerLine(worker_text(tree, number), tone=series(palette, number - 1)) for number in numbers]

    def _time_x(self, time: float, tree: SharedTree) -> int:
        """Return the x of a time, which is in the units of `tree`."""
        row = self._row(1)
        return row.left + round(row.width * time / tree.span)

    def _bar(self, stretch: Stretch, tree: SharedTree) -> pygame.Rect:
        """Return the place of the bar of a task."""
        row = self._row(stretch.worker).inflate(0, -self._host.theme.px(4))
        start, end = self._time_x(stretch.began, tree), self._time_x(stretch.ended, tree)
        return pygame.Rect(start, row.top, max(_LEAST, end - start - 1), row.height)

    # The picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw caption, names, bars and the moment shown, from a cached picture while nothing changes, and frames
        around two nodes. Before the result, write that the search is running or has failed."""
        theme, palette = self._host.theme, self._host.theme.palette
        tree = self._tree
        if self._painted == self._picture_key:
            surface.blit(self._picture, self._rect)
            self._draw_nodes(surface)
            return
        rounded(surface, self._rect, palette.panel, theme.px(8), palette.line)
        if tree is None or tree is not self._explorer.trace or self._explorer.info is None:
            text = t("search.failed" if self._explorer.tracing.failed else "sharing.searching")
            write(surface, theme, text, self._caption, 14)
            return
        self._draw_caption(surface, tree)
        self._table.draw(surface, now)
        for worker in range(1, self._explorer.choice.workers + 1):
            surface.fill(mix(palette.panel, palette.line, 0.6), self._row(worker).inflate(0, -theme.px(4)))
        for stretch in tree.stretches:
            self._draw_bar(surface, tree, stretch)
        self._draw_moment(surface, tree)
        self._painted, self._picture = self._picture_key, surface.subsurface(self._rect).copy()
        self._draw_nodes(surface)

    @property
    def _picture_key(self) -> object:
        """What the cached picture depends on."""
        return self._explorer.trace, self._explorer.at, self._rect.copy(), self._host.theme.palette

    def _draw_caption(self, surface: pygame.Surface, tree: SharedTree) -> None:
        """Draw the longest summary of the sharing that fits, and the legend if it fits, too."""
        theme, room = self._host.theme, Space(self._caption, self._host.theme.px(12))
        texts, legend = sharing_summary(tree), t("sharing.legend")
        wide = width_of(theme, legend, 14)
        fits = [text for text in texts if width_of(theme, text, 14) <= self._caption.width]
        text = (fits or texts[-1:])[0]
        if width_of(theme, text, 14) + room.gap + wide <= self._caption.width:
            write(surface, theme, legend, room.right(wide), 14, theme.palette.quiet)
        write(surface, theme, text, room.rest, 14)

    def _draw_bar(self, surface: pygame.Surface, tree: SharedTree, stretch: Stretch) -> None:
        """Draw one task in the row of its worker: faint if it begins after the step shown, hatched where one worker
        alone would not have searched, with a red end if it was stopped as needless."""
        theme, palette, bar = self._host.theme, self._host.theme.palette, self._bar(stretch, tree)
        tone, later = series(palette, stretch.worker - 1), self._explorer.shown < stretch.began
        surface.fill(mix(palette.panel, tone, 0.12 if later else 0.45), bar)
        for began, ended in self._extra[stretch]:
            start, end = self._time_x(began, tree), self._time_x(ended, tree)
            part = bar.clip(pygame.Rect(start, bar.top, max(_LEAST, end - start), bar.height))
            surface.fill(palette.panel, part)
            hatch(surface, part, mix(palette.panel, tone, 0.3 if later else 0.8), theme.px(5))
        surface.fill(tone, (bar.left, bar.bottom - theme.px(3), bar.width, theme.px(3)))
        if stretch.dropped:
            surface.fill(palette.bad, (bar.right - theme.px(3), bar.top, theme.px(3), bar.height))
        name = node_title(self._explorer, stretch.node)
        wide = width_of(theme, name, 14) + theme.px(6)
        if wide <= bar.width:
            box = centred(wide, bar.height, bar.center)
            surface.fill(palette.panel, box)  # hatching would make it unreadable
            write(surface, theme, name, box, 14, palette.quiet if later else palette.text, align="centre")

    def _draw_moment(self, surface: pygame.Surface, tree: SharedTree) -> None:
        """Draw a line at the time of the step that is shown; none if the whole search is shown."""
        palette, px = self._host.theme.palette, self._host.theme.px
        if self._explorer.at is not None:
            place = self._time_x(self._explorer.at + 1, tree)
            high = self._row(self._explorer.choice.workers).bottom - self._table.rows.top
            surface.fill(palette.text, (place - 1, self._table.rows.top, px(2), high))

    def _draw_nodes(self, surface: pygame.Surface) -> None:
        """Draw frames around the node that is looked at and the one under the pointer."""
        palette, px, tree = self._host.theme.palette, self._host.theme.px, self._explorer.trace
        assert isinstance(tree, SharedTree)
        for node, colour in ((self._explorer.pointed, palette.quiet), (self._explorer.node, palette.text)):
            if node is None or node >= len(tree):
                continue
            row = self._row(tree.worker[node]).inflate(0, -px(2))
            start, end = self._time_x(tree.time[node], tree), self._time_x(tree.time[node] + 1, tree)
            pygame.draw.rect(surface, colour, (start - 1, row.top, max(px(4), end - start) + 2, row.height), px(2))

    # The mouse.

    def _node_at(self, pixel: tuple[int, int]) -> int | None:
        """Return the node that the worker of the row at `pixel` visited at that time; None if it was idle."""
        tree, row = self._tree, self._row(1)
        if tree is None or tree is not self._explorer.trace or not row.left <= pixel[0] < row.right:
            return None
        worker = 1 + (pixel[1] - self._table.rows.top) // row.height
        time = (pixel[0] - row.left) * tree.span // row.width
        if not any(each.worker == worker and each.began <= time < each.ended for each in tree.stretches):
            return None
        visits = self._visits[worker]
        return visits[bisect_right(visits, (time, len(tree))) - 1][1]

    def handle(self, event: pygame.event.Event) -> bool:
        """Point at the node under the mouse, and look at it with the left button; keys are for other parts."""
        return self._mouse.handle(event, self._rect)

    def hint(self) -> str:
        """Say what the bar under the mouse stands for: the task with the node that is pointed at."""
        tree, node = self._tree, self._explorer.pointed
        if tree is None or node is None or not self._rect.collidepoint(pygame.mouse.get_pos()):
            return ""
        inside = (each for each in tree.stretches if each.node <= node < tree.after(each.node))
        stretch = next(inside, None)
        return "" if stretch is None else stretch_sentence(stretch, node_title(self._explorer, stretch.node))

    def places(self) -> dict[str, tuple[int, int]]:
        """The middle of each bar, as ``stretch.0`` and so on."""
        tree = self._tree
        if tree is None:
            return {}
        return {f"stretch.{number}": self._bar(each, tree).center for number, each in enumerate(tree.stretches)}


def _needless_times(stretch: Stretch, tree: SharedTree) -> Iterator[tuple[int, int]]:
    """Yield the periods, as (from, to), in which a task visited nodes that one worker alone would not have visited."""
    start = None
    for node in range(stretch.node, tree.after(stretch.node)):
        extra = bool(tree.marks[node] & EXTRA)
        if extra and start is None:
            start = tree.time[node]
        elif not extra and start is not None:
            yield start, tree.time[node]
            start = None
    if start is not None:
        yield start, stretch.ended


# The one or the other.


class Overview(Group):
    """The `Icicle`, or for a search by several workers the `TimeLine`, at the bottom of the space."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._explorer = explorer
        self._boxes, self._times = Icicle(host, explorer), TimeLine(host, explorer)
        super().__init__((self._boxes,))

    def shape(self) -> object:
        """What the layout depends on: whether several workers share the search, which decides on the part."""
        return self._explorer.choice.key in SHARED

    def build(self, space: Space) -> None:
        """Choose the part for the kind of search, and lay out that one alone."""
        self.parts = (self._times if self.shape() else self._boxes,)
        lay(space, *self.parts)
