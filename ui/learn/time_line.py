"""What each worker of a search did in the course of time: a row for each, a bar for each subtree that it searched."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

import pygame

from ai.explain.explorer import Explorer
from ai.search.shared_tree import EXTRA, SharedTree, Stretch
from ui.learn.icicle import HEIGHT, NodeMouse
from ui.learn.search_words import node_title, sharing_summary, stretch_sentence, worker_text
from ui.parts.workers_table import WorkerLine, WorkersTable
from ui.toolkit.art import hatch, rounded
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.theme import mix, series
from ui.toolkit.typesetting import width_of, write
from ui.window.host import Host
from ui.window.part import Part

_CAPTION, _NAME, _ROW = 22, 136, 24  # design pixels
_LEAST = 2  # pixels of a bar


class TimeLine(Part):
    """A click looks at the node that a worker visited then. Bars are hatched where one worker alone would not have
    searched."""

    def __init__(self, host: Host, explorer: Explorer) -> None:
        self._host, self._explorer = host, explorer
        self._table = WorkersTable(host, self._lines, _ROW, _NAME)
        self._rect = self._caption = pygame.Rect(0, 0, 0, 0)
        self._mouse = NodeMouse(explorer, self._node_at)
        self._visits: dict[int, list[tuple[int, int]]] = {}  # when each worker entered which node
        self._extra: dict[Stretch, list[tuple[int, int]]] = {}  # from when to when each searched in vain
        self._painted: object = None
        self._picture: pygame.Surface | None = None
        self._tree: SharedTree | None = None  # what they are of

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        self._rect = space.bottom(px(HEIGHT))
        inside = Space(self._rect.inflate(-2 * px(8), -2 * px(6)), 0)
        self._caption, self._table.rows = inside.top(px(_CAPTION)), inside.rest

    def update(self, now: float) -> None:
        trace = self._explorer.trace
        if trace is self._tree or not isinstance(trace, SharedTree):
            return
        self._tree, self._visits = trace, {worker: [] for worker in range(1, trace.workers + 1)}
        for node, (worker, time) in enumerate(zip(trace.worker, trace.time, strict=True)):
            self._visits[worker].append((time, node))
        for visits in self._visits.values():
            visits.sort()
        self._extra = {each: list(_in_vain(each, trace)) for each in trace.stretches}
        self._painted = None

    # The places.

    def _row(self, worker: int) -> pygame.Rect:
        """The bars of a worker."""
        return self._table.row(worker - 1, self._explorer.choice.workers)[1]

    def _lines(self) -> list[WorkerLine]:
        tree, palette = self._explorer.trace, self._host.theme.palette
        assert isinstance(tree, SharedTree)
        numbers = range(1, self._explorer.choice.workers + 1)
        return [WorkerLine(worker_text(tree, number), tone=series(palette, number - 1)) for number in numbers]

    def _place(self, time: float, tree: SharedTree) -> int:
        row = self._row(1)
        return row.left + round(row.width * time / max(1, tree.span))

    def _bar(self, stretch: Stretch, tree: SharedTree) -> pygame.Rect:
        row = self._row(stretch.worker).inflate(0, -self._host.theme.px(4))
        start, end = self._place(stretch.began, tree), self._place(stretch.ended, tree)
        return pygame.Rect(start, row.top, max(_LEAST, end - start - (end - start > 2 * _LEAST)), row.height)

    # The picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette = self._host.theme, self._host.theme.palette
        tree = self._tree
        if self._picture is not None and self._painted == self._wanted:
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
        self._painted, self._picture = self._wanted, surface.subsurface(self._rect).copy()
        self._draw_nodes(surface)

    @property
    def _wanted(self) -> object:
        """What a picture depends on."""
        return self._explorer.trace, self._explorer.at, self._rect.copy(), self._host.theme.palette

    def _draw_caption(self, surface: pygame.Surface, tree: SharedTree) -> None:
        """A summary of the sharing, as long as fits, and the legend."""
        theme, room = self._host.theme, Space(self._caption, self._host.theme.px(12))
        texts, legend = sharing_summary(tree), t("sharing.legend")
        wide = width_of(theme, legend, 14)
        fits = [text for text in texts if width_of(theme, text, 14) <= self._caption.width]
        text = (fits or texts[-1:])[0]
        if width_of(theme, text, 14) + room.gap + wide <= self._caption.width:
            write(surface, theme, legend, room.right(wide), 14, theme.palette.quiet)
        write(surface, theme, text, room.rest, 14)

    def _draw_bar(self, surface: pygame.Surface, tree: SharedTree, stretch: Stretch) -> None:
        """One task on the line of its worker: faint before its time has come, hatched where its nodes were more than
        one thread needs, with a red end if it was dropped."""
        theme, palette, bar = self._host.theme, self._host.theme.palette, self._bar(stretch, tree)
        tone, later = series(palette, stretch.worker - 1), self._explorer.shown < stretch.began
        surface.fill(mix(palette.panel, tone, 0.12 if later else 0.45), bar)
        for began, ended in self._extra[stretch]:
            start, end = self._place(began, tree), self._place(ended, tree)
            part = bar.clip(pygame.Rect(start, bar.top, max(_LEAST, end - start), bar.height))
            surface.fill(palette.panel, part)
            hatch(surface, part, mix(palette.panel, tone, 0.3 if later else 0.8), max(4, theme.px(5)))
        surface.fill(tone, (bar.left, bar.bottom - theme.px(3), bar.width, theme.px(3)))
        if stretch.dropped:
            surface.fill(palette.bad, (bar.right - theme.px(3), bar.top, theme.px(3), bar.height))
        name = node_title(self._explorer, stretch.node)
        if width_of(theme, name, 14) + theme.px(6) <= bar.width:
            wide = width_of(theme, name, 14) + theme.px(6)
            box = pygame.Rect(0, 0, wide, bar.height)
            box.center = bar.center
            surface.fill(palette.panel, box)  # hatching would make it unreadable
            write(surface, theme, name, box, 14, palette.quiet if later else palette.text, align="centre")

    def _draw_moment(self, surface: pygame.Surface, tree: SharedTree) -> None:
        """The step that is shown."""
        palette, px = self._host.theme.palette, self._host.theme.px
        if self._explorer.at is not None:
            place = self._place(self._explorer.at + 1, tree)
            high = self._row(self._explorer.choice.workers).bottom - self._table.rows.top
            surface.fill(palette.text, (place - 1, self._table.rows.top, max(2, px(2)), high))

    def _draw_nodes(self, surface: pygame.Surface) -> None:
        """The node that is looked at, and the one under the pointer."""
        palette, px, tree = self._host.theme.palette, self._host.theme.px, self._explorer.trace
        assert isinstance(tree, SharedTree)
        for node, colour in ((self._explorer.pointed, palette.quiet), (self._explorer.node, palette.text)):
            if node is None or node >= len(tree):
                continue
            row = self._row(tree.worker[node]).inflate(0, -px(2))
            start, end = self._place(tree.time[node], tree), self._place(tree.time[node] + 1, tree)
            pygame.draw.rect(surface, colour, (start - 1, row.top, max(px(4), end - start) + 2, row.height), px(2))

    # The mouse.

    def _node_at(self, pixel: tuple[int, int]) -> int | None:
        """The node that a worker visited at the place of `pixel`."""
        tree, row = self._tree, self._row(1)
        if tree is None or tree is not self._explorer.trace or not row.left <= pixel[0] < row.right:
            return None
        worker = 1 + (pixel[1] - self._table.rows.top) // max(1, row.height)
        time = (pixel[0] - row.left) * tree.span // max(1, row.width)
        visits = self._visits.get(worker, [])
        found = bisect_right(visits, (time, len(tree))) - 1
        if found < 0 or not any(each.worker == worker and each.began <= time < each.ended for each in tree.stretches):
            return None
        return visits[found][1]

    def handle(self, event: pygame.event.Event) -> bool:
        return self._mouse.handle(event, self._rect)

    def hint(self) -> str:
        tree, node = self._tree, self._explorer.pointed
        if tree is None or node is None or not self._rect.collidepoint(pygame.mouse.get_pos()):
            return ""
        inside = (each for each in tree.stretches if each.node <= node < tree.after(each.node))
        stretch = next(inside, None)
        return "" if stretch is None else stretch_sentence(stretch, node_title(self._explorer, stretch.node))

    def places(self) -> dict[str, tuple[int, int]]:
        tree = self._tree
        stretches = [] if tree is None else tree.stretches
        return {f"stretch.{number}": self._bar(each, tree).center for number, each in enumerate(stretches) if tree}


def _in_vain(stretch: Stretch, tree: SharedTree) -> Iterator[tuple[int, int]]:
    """From when to when nodes were visited that one worker alone would not have visited."""
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
