"""The whole searches of minimax and alpha-beta, one below the other, to one scale."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import pygame

from ai.explain.subject import SideBySide
from ai.system.threads import result_of
from ui.learn.compare_state import Comparison, below_sentence, trees_titles
from ui.learn.icicle_plan import Facts, IcicleRows, Plans
from ui.learn.overview import draw_icicle, icicle_picture
from ui.toolkit.art import clipped, rounded
from ui.toolkit.canvas import Canvas, SurfaceCanvas
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import width_of
from ui.window.host import Host
from ui.window.part import Part

_PADDING = 12  # design pixels
_PAUSE = 0.5  # seconds between two pictures of a search that goes on
_LOOK = 0.03  # seconds


class TwoTrees(Part):
    """Both whole searches in three pictures, in all the space. A node that is pointed at in one picture is framed in
    all."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state, self._trees = host, state, state.trees
        self._painter: TwoTreesPainter | None = None
        self._next: TwoTreesPainter | None = None  # the one whose pictures are being painted
        self._stand: object = None  # what the plans show
        self._thread = ThreadPoolExecutor(1, "tengen-trees")
        self._future: Future[Plans] | None = None
        self._due = 0.0

    @property
    def area(self) -> pygame.Rect:
        """The rectangle of the pictures, without the padding."""
        around = 2 * self._host.theme.px(_PADDING)
        return self._rect.inflate(-around, -around)

    def build(self, space: Space) -> None:
        """Take all the space, and paint what has been laid out so far in its new size."""
        self._rect = space.rest
        self._painter, self._next = self._new_painter(), None

    def update(self, now: float) -> None:
        """Lay out the trees on a thread when they are other ones or have grown, at most once in `_PAUSE` seconds while
        they are searched."""
        trees = self._trees
        if self._next is not None and self._next.paint():
            self._painter, self._next = self._next, None
        if self._future is not None:
            if not self._future.done():
                return
            plans, self._future = result_of(self._future), None
            if plans is None:
                self._host.say(t("error.drawing"), "bad")
            elif plans.traces == trees.traces:  # else those of another search
                self._state.plans = plans
                self._next = self._new_painter()
                return
        stand = [(id(trace), len(trace), trees.busy) for trace in trees.traces]
        if len(stand) < 2 or stand == self._stand or (trees.busy and now < self._due):
            return
        self._stand, self._due = stand, now + _PAUSE
        self._future = self._thread.submit(Plans, trees.traces, [Facts.of(trace) for trace in trees.traces])

    def _new_painter(self) -> TwoTreesPainter | None:
        """Return a painter of the trees as they are laid out; None if those that are searched now are not laid out yet.
        """
        plans = self._state.current_plans
        return None if plans is None else TwoTreesPainter(self._host.theme, self.area, plans, self._trees)

    def wake(self, now: float) -> float | None:
        """Return the seconds until the next frame: 0 if a new painter is ready, a moment while trees are laid out on a
        thread, else None."""
        return 0.0 if self._next is not None else _LOOK if self._future is not None else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the three pictures, and in each a frame around the node pointed at; only the background while the layout
        is that of other trees."""
        theme = self._host.theme
        rounded(surface, self._rect, theme.palette.panel, theme.px(10), theme.palette.line)
        if self._painter is not None and self._painter.plans.traces == self._trees.traces:
            self._painter.show(surface)
            if self._trees.pointed is not None:
                self._painter.draw_pointed(surface, self._trees.pointed)

    def handle(self, event: pygame.event.Event) -> bool:
        """Note the moves to the node under the mouse while it moves, for all pictures and the board. Consume
        nothing."""
        if event.type == pygame.MOUSEMOTION and self._painter is not None:
            self._trees.pointed = self._painter.moves_at(event.pos)
        return False

    def hint(self) -> str:
        """Say how many nodes each search visits below the node that is pointed at; empty without one."""
        return below_sentence(self._trees)

    def status(self) -> str:
        """Say that searches are running, else what pointing at a box shows."""
        return t("compare.busy") if self._state.busy else t("compare.trees.help")


# Draws two whole searches to one scale, in the window and for pictures in files.


_TITLE, _ROW, _APART = 26, 56, 14  # design pixels: a line above, the height of a row at most, and below a picture
_LEAST = 3  # pixels of a frame


Picture = tuple[str, str, IcicleRows]
"""A title, a note, and what is drawn."""


def tree_pictures(trees: SideBySide, plans: Plans, wide: int) -> list[Picture]:
    """Return three pictures: the whole tree of minimax, `wide` pixels wide; the tree of the other search with each node
    where minimax has it, so that gaps are what was pruned; and that tree alone, to the same scale."""
    whole, pruned = plans.traces
    alone = max(2, round(plans.share * wide))
    found = ((plans.whole, whole, wide), (plans.pruned, pruned, wide), (plans.alone, pruned, alone))
    rows = [IcicleRows(plan, trace, 2 * len(trace), pixels) for plan, trace, pixels in found]
    return [(*titles, each) for titles, each in zip(trees_titles(trees), rows, strict=True)]


@dataclass(frozen=True, slots=True)
class Band:
    """One of the pictures: `found` is drawn in `boxes`; the title and the note stand above it, in `head`."""

    title: str
    note: str
    found: IcicleRows
    head: pygame.Rect
    boxes: pygame.Rect


class TwoTreesPainter:
    """Draws the pictures of `plans` in `rect`, one at a time, since each takes milliseconds."""

    def __init__(self, theme: Theme, rect: pygame.Rect, plans: Plans, trees: SideBySide) -> None:
        self._theme, self.plans = theme, plans
        rows = plans.whole.rows
        high = (rect.height - 3 * theme.px(_TITLE) - 2 * theme.px(_APART)) // (3 * rows)
        self._row = max(2, min(theme.px(_ROW), high))
        self._bands, space = [], Space(rect)
        for title, note, found in tree_pictures(trees, plans, rect.width):
            head, boxes = space.top(theme.px(_TITLE)), space.top(rows * self._row)
            boxes.width = found.pixels
            self._bands.append(Band(title, note, found, head, boxes))
            space.top(theme.px(_APART))
        self._pictures: list[pygame.Surface] = []

    def paint(self) -> bool:
        """Paint one more picture, if any is missing. Return whether all are painted."""
        if len(self._pictures) < len(self._bands):
            found = self._bands[len(self._pictures)].found
            self._pictures.append(icicle_picture(found, self._row, self._theme))
        return len(self._pictures) == len(self._bands)

    def show(self, surface: pygame.Surface) -> None:
        """Draw all pictures to `surface`; paint first those that are missing."""
        while not self.paint():
            pass
        for band, picture in zip(self._bands, self._pictures, strict=True):
            self._draw_words(SurfaceCanvas(surface, self._theme), band)
            surface.blit(picture, band.boxes)

    def draw(self, canvas: Canvas) -> None:
        """Draw everything on `canvas` anew, without the painted pictures: for files."""
        for band in self._bands:
            self._draw_words(canvas, band)
            draw_icicle(canvas, *band.boxes.topleft, band.found, self._row)

    def _draw_words(self, canvas: Canvas, band: Band) -> None:
        """Draw the title and the note of a picture, and the frame around it."""
        line = Space(band.head, self._theme.px(12))
        note = line.right(width_of(self._theme, band.note, 14) + 1)
        canvas.text(band.note, note, 14, self._theme.palette.quiet, align="right")
        canvas.text(band.title, line.rest, 16, bold=True)
        around = pygame.Rect(band.boxes.left, band.boxes.top, band.head.width, band.boxes.height)
        canvas.box(around.inflate(2, 2), None, border=self._theme.palette.line)

    def draw_pointed(self, surface: pygame.Surface, moves: tuple[int, ...]) -> None:
        """Frame the node after `moves` in all pictures."""
        for band in self._bands:
            plan = band.found.plan
            node = band.found.trace.node_after(moves)
            if node is None or node >= plan.count:
                continue
            left, wide = plan.place(node, band.boxes.width)
            top = band.boxes.top + int(plan.ply[node]) * self._row
            box = pygame.Rect(band.boxes.left + int(left), top, max(_LEAST, round(wide)), self._row)
            with clipped(surface, band.boxes.inflate(4, 4)):
                pygame.draw.rect(surface, self._theme.palette.text, box.inflate(2, 2), self._theme.px(2))

    def moves_at(self, pixel: tuple[int, int]) -> tuple[int, ...] | None:
        """Return the moves to the node at `pixel`, also where only minimax visits it; None where there is no node."""
        for band in self._bands:
            if band.boxes.collidepoint(pixel):
                share = (pixel[0] - band.boxes.left) / band.boxes.width
                level = (pixel[1] - band.boxes.top) // self._row
                for found in (band.found, self._bands[0].found):
                    if (node := found.plan.node_at(level, share)) >= 0:
                        return found.trace.moves_to(node)
        return None
