"""Draws the nodes of a search tree: small boards, values, windows on the way down, and what was cut."""

from __future__ import annotations

import re
from collections.abc import Container

import pygame

from ai.explorer import Explorer
from ai.search.shared_tree import SharedTree
from ai.search.trace import End, Trace
from ai.search.variants import prunes
from ui.board.thumbnails import Thumbnails
from ui.game.tree_plan import Plan, Stub
from ui.parts.worker_marks import draw_worker
from ui.toolkit.box_art import hatch, rounded
from ui.toolkit.camera import Camera
from ui.toolkit.palette import Colour, mix
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import Theme
from ui.words.numbers import count_text
from ui.words.search import bound_text, lead, move_texts, window_text

COLUMN, ROW, BOARD = 76, 136, 60
"""Units of the drawing: a column, a row, and the board of a node."""

_TEXT = 18  # design pixels: the move over a board, and the value under it
_RING = 5  # design pixels between a board and its texts, for a ring
_NARROW, _WIDE = 30, 44  # pixels of a column from which on values are drawn, and moves
_LEAST_VALUE = 12  # the size of a value in a narrow column
_APART = 4  # design pixels between the moves of neighbours
_SMALL = 14  # pixels of the smallest board
_LITTLE = 60  # design pixels of a board up to which a large one shows only what is near its stones


class TreePainter:
    """Draws the `plan` of what `explorer` shows, seen by `camera`; `thumbnails` make the boards."""

    def __init__(self, explorer: Explorer, camera: Camera, thumbnails: Thumbnails) -> None:
        self._explorer, self._camera, self._thumbnails = explorer, camera, thumbnails
        self._scaled: dict[tuple[int, int], pygame.Surface] = {}
        self._scaled_of: Trace | None = None  # its nodes have those numbers

    def place(self, theme: Theme, plan: Plan) -> None:
        self.theme, self.plan = theme, plan

    @property
    def _room(self) -> float:
        """Pixels between a board and the one below."""
        return (ROW * self._camera.stretch - BOARD) * self._camera.zoom

    @property
    def _values(self) -> bool:
        """Whether there is room for values."""
        return self._camera.zoom * COLUMN >= self.theme.px(_NARROW) and self._room > self.theme.px(1.8 * _TEXT)

    @property
    def _names(self) -> bool:
        """Whether there is room for moves."""
        return self._camera.zoom * COLUMN >= self.theme.px(_WIDE) and self._room > self.theme.px(3.2 * _TEXT)

    def rect_of(self, column: float, row: int) -> pygame.Rect:
        """The square of a node, in pixels of the window."""
        middle = self._camera.pixel(column * COLUMN, (row + 0.5) * ROW)
        side = max(5, round(BOARD * self._camera.zoom))
        return pygame.Rect(round(middle[0] - side / 2), round(middle[1] - side / 2), side, side)

    def node_rect(self, node: int) -> pygame.Rect:
        return self.rect_of(*self.plan.places[node])

    def node_at(self, pixel: tuple[int, int]) -> int | None:
        """The node whose board, move or value is under `pixel`."""
        around = self.theme.px(_TEXT + _RING) if self._values else 0
        seen = (node for node in self.plan.places if self.node_rect(node).inflate(0, 2 * around).collidepoint(pixel))
        return next(seen, None)

    def stub_at(self, pixel: tuple[int, int]) -> Stub | None:
        return next((stub for stub in self.plan.stubs if self._stub_rect(stub).collidepoint(pixel)), None)

    def _stub_rect(self, stub: Stub) -> pygame.Rect:
        rect = self.rect_of(stub.column, stub.row)
        return rect.inflate(-rect.width // 4, 0)

    # Drawing.

    def draw(self, surface: pygame.Surface) -> None:
        explorer, seen = self._explorer, self._camera.view.inflate(2 * COLUMN, 2 * ROW)
        path, line = set(explorer.trace.path(explorer.node)), set(explorer.line())
        trail = explorer.trail
        rects = {node: self.node_rect(node) for node in self.plan.places}
        for node, rect in rects.items():
            parent = explorer.trace.parent[node]
            if parent in rects and rect.union(rects[parent]).colliderect(seen):
                self._draw_edge(surface, rects[parent], rect, self._edge(node, trail, line), node in line)
        for stub in self.plan.stubs:
            rect = self._stub_rect(stub)
            known = stub.hidden or explorer.left(stub.node)
            if known and rect.union(rects[stub.node]).colliderect(seen):
                self._draw_stub(surface, stub, rects[stub.node], rect)
        for node, rect in rects.items():
            if rect.colliderect(seen):
                self._draw_node(surface, node, rect, node in path)
        if self._names and prunes(explorer.choice.key):
            for node in path & rects.keys():
                self._draw_window(surface, node, rects[node])

    def _edge(self, node: int, trail: Container[int], line: set[int]) -> Colour:
        palette, explorer = self.theme.palette, self._explorer
        if not explorer.entered(node):
            return mix(palette.background, palette.line, 0.6)
        if explorer.at is not None and node in trail:
            return palette.info
        return palette.accent if node in line else mix(palette.line, palette.quiet, 0.35)

    def _draw_edge(
        self, surface: pygame.Surface, above: pygame.Rect, below: pygame.Rect, colour: Colour, thick: bool
    ) -> None:
        under = self.theme.px(_TEXT + _RING) if self._values else 0
        over = self.theme.px(_TEXT + _RING) if self._names else 0
        start, end = (above.centerx, above.bottom + under), (below.centerx, below.top - over)
        wide = max(1, self.theme.px(3 if thick else 1.5))
        if wide > 1:
            pygame.draw.line(surface, colour, start, end, wide)
        pygame.draw.aaline(surface, colour, start, end)

    def _draw_stub(self, surface: pygame.Surface, stub: Stub, above: pygame.Rect, rect: pygame.Rect) -> None:
        """A crossed-out edge to moves that were not tried, or a sign for those that are hidden."""
        palette, px = self.theme.palette, self.theme.px
        ink = palette.quiet if stub.hidden else palette.bad
        self._draw_edge(surface, above, rect, mix(palette.background, ink, 0.4), thick=False)
        pygame.draw.rect(surface, mix(palette.background, ink, 0.55), rect, max(1, px(1)), px(4))
        if not stub.hidden:
            hatch(surface, rect.inflate(-2, -2), mix(palette.background, ink, 0.35), max(4, px(6)))
        if self._values:
            text = f"+{stub.count}" if stub.hidden else f"×{stub.count}"
            box = pygame.Rect(0, 0, width_of(self.theme, text, 14, bold=True) + px(8), px(20))
            box.center = rect.center
            rounded(surface, box, palette.background, px(4))
            write(surface, self.theme, text, box, 14, ink, bold=True, align="centre")

    def _draw_node(self, surface: pygame.Surface, node: int, rect: pygame.Rect, on_path: bool) -> None:
        explorer, palette, px = self._explorer, self.theme.palette, self.theme.px
        entered = explorer.entered(node)
        colour = self._colour(node)
        if node == explorer.node:
            rounded(surface, rect.inflate(2 * px(_RING), 2 * px(_RING)), palette.text, px(8))
            rounded(surface, rect.inflate(px(_RING + 1), px(_RING + 1)), palette.background, px(6))
        elif node == explorer.pointed:
            rounded(surface, rect.inflate(px(8), px(8)), mix(palette.background, palette.text, 0.35), px(7))
        if node in explorer.marked:
            around = 2 * px(_TEXT + _RING + 4) if self._names else px(16)
            pygame.draw.rect(surface, palette.info, rect.inflate(px(22), around), px(3), px(9))
        if not entered:
            pygame.draw.rect(surface, mix(palette.background, palette.line, 0.8), rect, max(1, px(1)), px(4))
        elif explorer.subject.setup is None:
            self._draw_triangle(surface, node, rect)
        elif rect.width >= _SMALL:
            self._draw_board(surface, node, rect)
        else:
            rounded(surface, rect, colour, max(1, px(2)))
        if entered:
            if isinstance(explorer.trace, SharedTree):
                draw_worker(surface, self.theme, explorer.trace, node, rect)
            self._draw_texts(surface, node, rect, colour, on_path)
            if explorer.has_children(node) and not explorer.unfolded(node) and not self._has_shown_child(node):
                self._draw_badge(surface, node, rect)

    def _has_shown_child(self, node: int) -> bool:
        return node + 1 in self.plan.places and self._explorer.trace.parent[node + 1] == node

    def _colour(self, node: int) -> Colour:
        """Good for MAX, bad, or neither."""
        value, palette = self._explorer.value(node), self.theme.palette
        if value is None or not self._explorer.left(node):
            return palette.quiet
        if self._explorer.subject.setup is None:
            return palette.text
        return {1: palette.good, -1: palette.bad, 0: palette.text}[lead(self._explorer, node)]

    def _draw_board(self, surface: pygame.Surface, node: int, rect: pygame.Rect) -> None:
        picture = self._picture(node, rect.width)
        if picture is None:
            rounded(surface, rect, self.theme.palette.raised, self.theme.px(3))
        else:
            surface.blit(picture, rect)

    def _picture(self, node: int, side: int) -> pygame.Surface | None:
        if self._scaled_of is not self._explorer.trace:
            self._scaled.clear()
            self._scaled_of = self._explorer.trace
        if (node, side) in self._scaled:
            return self._scaled[node, side]
        large = self.theme.px(_LITTLE if side <= self.theme.px(_LITTLE) else 3 * _LITTLE)
        found = self._thumbnails.picture(Board(self._explorer, node), large)
        if found is None:
            return None
        if len(self._scaled) > _CACHED:
            self._scaled.clear()
        self._scaled[node, side] = scaled = pygame.transform.smoothscale(found, (side, side))
        return scaled

    def _draw_triangle(self, surface: pygame.Surface, node: int, rect: pygame.Rect) -> None:
        """MAX points up, MIN down; a leaf is a square."""
        palette, up = self.theme.palette, self._explorer.is_max(node)
        colour = palette.info if up else palette.accent
        inner = rect.inflate(-rect.width // 4, -rect.height // 4)
        if not self._explorer.has_children(node) and self._explorer.end(node) is End.HORIZON:
            rounded(surface, inner, palette.raised, self.theme.px(4), mix(palette.line, palette.quiet, 0.5))
            return
        points = [inner.midtop, inner.bottomright, inner.bottomleft]
        if not up:
            points = [inner.midbottom, inner.topright, inner.topleft]
        pygame.draw.polygon(surface, mix(palette.background, colour, 0.35), points)
        pygame.draw.aalines(surface, colour, True, points)

    def _draw_texts(self, surface: pygame.Surface, node: int, rect: pygame.Rect, colour: Colour, on_path: bool) -> None:
        """The move over the board and the value under it; on the way down alpha and beta."""
        explorer, theme, palette = self._explorer, self.theme, self.theme.palette
        place = pygame.Rect(0, 0, round(1.3 * COLUMN * self._camera.zoom), theme.px(_TEXT))
        if self._names and explorer.trace.parent[node] >= 0:
            name, size = self._name(node)
            place.midbottom = rect.centerx, rect.top - theme.px(_RING)
            write(surface, theme, name, place, size, palette.quiet, align="centre")
        if self._values:
            text = bound_text(explorer, node) or ("…" if on_path and explorer.at is not None else "")
            place.midtop = rect.centerx, rect.bottom + theme.px(_RING)
            text, size = self._value(text)
            write(surface, theme, text, place, size, colour, bold=True, align="centre")

    def _name(self, node: int) -> tuple[str, int]:
        """The most that its column allows of the move to a node, and the size of the text."""
        wide, names = COLUMN * self._camera.zoom - self.theme.px(_APART), move_texts(self._explorer, node)
        sizes = [(name, size) for name in names for size in (14, _LEAST_VALUE)]
        return next((each for each in sizes if width_of(self.theme, *each) < wide), (names[-1], 14))

    def _value(self, text: str) -> tuple[str, int]:
        """A value as large as its column allows; without the zero before its point, and then without its second
        decimal, if there is no room for them."""
        wide = COLUMN * self._camera.zoom - self.theme.px(_APART) / 2
        sizes = (16, 14, _LEAST_VALUE) if self._names else (14, _LEAST_VALUE)
        short = text.replace("+0.", "+.").replace("−0.", "−.")
        brief = re.sub(r"(\.[0-9])[0-9]", r"\1", short)
        ways = [*((text, size) for size in sizes), (short, _LEAST_VALUE), (brief, _LEAST_VALUE)]
        return next((way for way in ways if width_of(self.theme, *way, bold=True) < wide), ways[-1])

    def _draw_window(self, surface: pygame.Surface, node: int, rect: pygame.Rect) -> None:
        theme, px = self.theme, self.theme.px
        text = window_text(self._explorer, node)
        box = pygame.Rect(0, 0, width_of(theme, text, 14) + px(10), px(20))
        box.midleft = rect.right + px(6), rect.centery
        if box.right > self._camera.view.right:  # no room beside the board
            box.bottomright = self._camera.view.right - px(4), rect.top - px(_TEXT + 2 * _RING)
        rounded(surface, box, theme.palette.panel, px(6), theme.palette.info)
        write(surface, theme, text, box, 14, theme.palette.info, align="centre")

    def _draw_badge(self, surface: pygame.Surface, node: int, rect: pygame.Rect) -> None:
        """How many nodes are folded below it."""
        theme, px = self.theme, self.theme.px
        if not self._values:
            return
        count = self._explorer.trace.after(node) - node - 1
        text = f"+{count_text(count)}"
        box = pygame.Rect(0, 0, width_of(theme, text, 14) + px(8), px(18))
        box.midtop = rect.centerx, rect.bottom + px(_TEXT + _RING)
        rounded(surface, box, theme.palette.raised, px(6), theme.palette.line)
        write(surface, theme, text, box, 14, theme.palette.quiet, align="centre")


_CACHED = 400  # scaled pictures


class Board:
    """The position of a node, for `Thumbnails`."""

    def __init__(self, explorer: Explorer, node: int) -> None:
        self.setup, self.stones, self.moves = explorer.subject.setup, explorer.subject.stones, explorer.texts(node)
