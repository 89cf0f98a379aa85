"""Draws the nodes of a search tree, for the window and for pages: small boards, values, alpha and beta on the path to
the node that is looked at, and what was cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence

import pygame

from ai.explain.explorer import AGAIN, Explorer
from ai.search.comparison import prunes
from ai.search.mcts_tree import SampleTree
from ai.search.shared_tree import EXTRA, TWICE, SharedTree
from ai.search.trace import End, Trace
from ui.board.looks import look
from ui.board.pictures import Thumbnails, caption_picture
from ui.learn.search_words import bound_text, lead, level_name, move_texts, sum_text, window_text
from ui.learn.tree_plan import Plan, Stub
from ui.toolkit.art import rounded
from ui.toolkit.camera import Camera
from ui.toolkit.canvas import Canvas
from ui.toolkit.space import Space, centred
from ui.toolkit.theme import Colour, Theme, mix, series
from ui.toolkit.typesetting import width_of
from ui.words.numbers import count_text

COLUMN, ROW, BOARD = 76, 136, 60
"""Units of the drawing: a column, a row, and the board of a node."""

LEVEL = 52
"""Design pixels: the column of MAX and MIN at the left."""

_TEXT = 18  # design pixels: the move over a board, and the value under it
_RING = 5  # design pixels between a board and its texts, for a ring
_NARROW, _WIDE = 30, 44  # pixels of a column from which on values are drawn, and moves
_LEAST_VALUE = 12  # the size of a value in a narrow column
_SMALLER = (11, 10)  # sizes of a value without its zero in a column that is narrower still
_APART = 4  # design pixels between the moves of neighbours
_SMALL = 14  # pixels of the smallest board
_CAPTIONED = 120  # design pixels of a board up to which a caption stands for it, in games that have one
_LITTLE = 60  # design pixels of a board up to which a large one shows only what is near its stones


DrawBoard = Callable[[int, pygame.Rect], object]
"""Draws the board of a node in a rectangle."""


class TreePainter:
    """Draws the `plan` of the tree that `explorer` shows, as `camera` sees it."""

    def __init__(self, explorer: Explorer, camera: Camera) -> None:
        self._explorer, self._camera = explorer, camera

    def set_plan(self, theme: Theme, plan: Plan) -> None:
        """Draw this plan in this theme from now on."""
        self.theme, self.plan = theme, plan

    @property
    def _room(self) -> float:
        """The pixels between a board and the one below it."""
        return (ROW * self._camera.stretch - BOARD) * self._camera.zoom

    @property
    def _shows_values(self) -> bool:
        """Whether there is room for values."""
        return self._camera.zoom * COLUMN >= self.theme.px(_NARROW) and self._room > self.theme.px(1.8 * _TEXT)

    @property
    def _shows_moves(self) -> bool:
        """Whether there is room for moves."""
        return self._camera.zoom * COLUMN >= self.theme.px(_WIDE) and self._room > self.theme.px(3.2 * _TEXT)

    def rect_of(self, column: float, row: int) -> pygame.Rect:
        """Return the square of a node at this column and row of the plan, in pixels of the window."""
        middle = self._camera.pixel(column * COLUMN, (row + 0.5) * ROW)
        side = max(5, round(BOARD * self._camera.zoom))
        return pygame.Rect(round(middle[0] - side / 2), round(middle[1] - side / 2), side, side)

    def node_rect(self, node: int) -> pygame.Rect:
        """Return the square of a node, in pixels of the window."""
        return self.rect_of(*self.plan.places[node])

    def node_at(self, pixel: tuple[int, int]) -> int | None:
        """Return the node whose board, move or value is under `pixel`. None also for a node that the search has not
        entered by the step shown: to name it would reveal later steps."""
        around = self.theme.px(_TEXT + _RING) if self._shows_values else 0
        entered = self._explorer.entered
        seen = (node for node in self.plan.places if self.node_rect(node).inflate(0, 2 * around).collidepoint(pixel))
        return next((node for node in seen if entered(node)), None)

    def stub_at(self, pixel: tuple[int, int]) -> Stub | None:
        """Return the sign for moves that are not shown under `pixel`, or None."""
        return next((stub for stub in self.plan.stubs if self._stub_rect(stub).collidepoint(pixel)), None)

    def _stub_rect(self, stub: Stub) -> pygame.Rect:
        """Return the place of the sign for moves that are not shown."""
        rect = self.rect_of(stub.column, stub.row)
        return rect.inflate(-rect.width // 4, 0)

    # Drawing.

    def draw(self, canvas: Canvas, board: DrawBoard) -> None:
        """Draw what is in view, edges first; `board` draws the position of a node."""
        explorer, seen = self._explorer, self._camera.view.inflate(2 * COLUMN, 2 * ROW)
        path, line = set(explorer.trace.path(explorer.node)), set(explorer.line())
        trail = explorer.trail
        rects = {node: self.node_rect(node) for node in self.plan.places}
        for node, rect in rects.items():
            parent = explorer.trace.parent[node]
            if parent in rects and rect.union(rects[parent]).colliderect(seen):
                self._draw_edge(canvas, rects[parent], rect, self._edge_colour(node, trail, line), node in line)
        for empty in self.plan.empty:
            rect = self.rect_of(empty.column, empty.row)
            self._draw_edge(canvas, rects[empty.node], rect, self._future_colour(0.6), thick=False)
            self._draw_empty(canvas, rect)
        for stub in self.plan.stubs:
            rect = self._stub_rect(stub)
            known = stub.hidden or explorer.left(stub.node)
            if known and rect.union(rects[stub.node]).colliderect(seen):
                self._draw_stub(canvas, stub, rects[stub.node], rect)
        for node, rect in rects.items():
            if rect.colliderect(seen):
                self._draw_node(canvas, board, node, rect, node in path)
        if self._shows_moves and prunes(explorer.choice.key):
            taken = self._covered_places(rects)
            for node in path & rects.keys():
                self._draw_window(canvas, node, rects[node], taken)

    def draw_levels(self, canvas: Canvas, left: int) -> None:
        """Write MAX, MIN or Mean at x `left`, beside each row in which all nodes have the same side to move."""
        palette, px, explorer = self.theme.palette, self.theme.px, self._explorer
        rows: dict[int, dict[bool, int]] = {}  # a node of each side
        for node, (_, row) in self.plan.places.items():
            rows.setdefault(row, {}).setdefault(explorer.is_max(node), node)
        for row, nodes in rows.items():
            if len(nodes) == 1:
                ((is_max, node),) = nodes.items()
                colour = palette.info if is_max else palette.accent
                box = pygame.Rect(left, self.rect_of(0, row).centery - px(11), px(LEVEL - 8), px(22))
                canvas.box(box, palette.panel, px(6), colour)
                canvas.text(level_name(explorer, node), box, 14, colour, bold=True, align="centre")

    def _edge_colour(self, node: int, trail: Container[int], line: set[int]) -> Colour:
        """Return the colour of the edge to a node: on the `trail` of the step shown, on the principal variation `line`,
        or neither."""
        palette, explorer = self.theme.palette, self._explorer
        if not explorer.entered(node):
            return self._future_colour(0.6)
        if explorer.at is not None and node in trail:
            return palette.info
        return palette.accent if node in line else mix(palette.line, palette.quiet, 0.35)

    def _future_colour(self, share: float) -> Colour:
        """Return the faint colour of what the search has not come to; a greater `share` makes it stronger."""
        return mix(self.theme.palette.background, self.theme.palette.line, share)

    def _draw_empty(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw the place of a node that the search has not come to."""
        canvas.box(rect, None, self.theme.px(4), self._future_colour(0.8), self.theme.px(1))

    def _draw_edge(
        self, canvas: Canvas, above: pygame.Rect, below: pygame.Rect, colour: Colour, thick: bool
    ) -> None:
        """Draw a line from the node at `above` to that at `below`, which leaves room for the texts between them."""
        under = self.theme.px(_TEXT + _RING) if self._shows_values else 0
        over = self.theme.px(_TEXT + _RING) if self._shows_moves else 0
        start, end = (above.centerx, above.bottom + under), (below.centerx, below.top - over)
        canvas.line((start, end), colour, self.theme.px(3 if thick else 1.5))

    def _draw_stub(self, canvas: Canvas, stub: Stub, above: pygame.Rect, rect: pygame.Rect) -> None:
        """Draw an edge to a hatched box for moves that were not tried, or to a number for moves that are hidden."""
        palette, px = self.theme.palette, self.theme.px
        ink = palette.quiet if stub.hidden else palette.bad
        self._draw_edge(canvas, above, rect, mix(palette.background, ink, 0.4), thick=False)
        canvas.box(rect, None, px(4), mix(palette.background, ink, 0.55), px(1))
        if not stub.hidden:
            canvas.hatch(rect.inflate(-2, -2), mix(palette.background, ink, 0.35), palette.background, px(6))
        if self._shows_values:
            text = f"+{stub.count}" if stub.hidden else f"×{stub.count}"
            box = centred(width_of(self.theme, text, 14, bold=True) + px(8), px(20), rect.center)
            if stub.hidden:  # not over the node before it
                box.left = max(box.left, rect.left)
            canvas.box(box, palette.background, px(4))
            canvas.text(text, box, 14, ink, bold=True, align="centre")

    def _draw_node(
        self, canvas: Canvas, board: DrawBoard, node: int, rect: pygame.Rect, on_path: bool
    ) -> None:
        """Draw a node: its board, or its shape where there is none, with rings for the chosen, pointed and marked ones.
        """
        explorer, palette, px = self._explorer, self.theme.palette, self.theme.px
        entered = explorer.entered(node)
        colour = self._colour(node)
        if node == explorer.node:
            canvas.box(rect.inflate(2 * px(_RING), 2 * px(_RING)), palette.text, px(8))
            canvas.box(rect.inflate(px(_RING + 1), px(_RING + 1)), palette.background, px(6))
        elif node == explorer.pointed:
            canvas.box(rect.inflate(px(8), px(8)), mix(palette.background, palette.text, 0.35), px(7))
        if node in explorer.marked:
            canvas.box(self.mark_of(rect), None, px(9), palette.info, px(3))
        if not entered:
            self._draw_empty(canvas, rect)
        elif explorer.subject.setup is None and not explorer.trace.is_chance(node):
            self._draw_triangle(canvas, node, rect)
        elif rect.width >= _SMALL:
            inside = self._draw_circle(canvas, rect) if explorer.trace.is_chance(node) else rect
            if explorer.subject.setup is not None:
                board(node, inside)
        else:
            canvas.box(rect, colour, px(2))
        if entered:
            if isinstance(explorer.trace, SharedTree):
                draw_worker(canvas, explorer.trace, node, rect)
            self._draw_texts(canvas, node, rect, colour, on_path)
            if explorer.trace.is_re_search(node):
                self._draw_again(canvas, rect)
            if explorer.trace.parent[node] == explorer.node and sum_text(explorer, node):
                self._draw_sum(canvas, node, rect)
            elif explorer.has_children(node) and not explorer.unfolded(node) and not self._has_shown_child(node):
                self._draw_badge(canvas, node, rect)

    def mark_of(self, rect: pygame.Rect) -> pygame.Rect:
        """Return the frame of a marked node whose board is at `rect`: around its texts, as wide as its column allows.
        """
        px = self.theme.px
        column = round(COLUMN * self._camera.zoom) - rect.width
        beside = max(2 * px(_RING), min(px(22), column))
        return rect.inflate(beside, 2 * px(_TEXT + _RING + 4) if self._shows_moves else px(16))

    def _has_shown_child(self, node: int) -> bool:
        """Whether the first child of a node is in the layout, so that the node is unfolded."""
        return node + 1 in self.plan.places and self._explorer.trace.parent[node + 1] == node

    def _colour(self, node: int) -> Colour:
        """Return the colour of the value of a node: good for MAX, bad, or neither; grey until the search has left the
        node."""
        value, palette = self._explorer.value(node), self.theme.palette
        if value is None or not self._explorer.left(node):
            return palette.quiet
        if self._explorer.subject.setup is None:
            return palette.text
        return {1: palette.good, -1: palette.bad, 0: palette.text}[lead(self._explorer, node)]

    def _draw_again(self, canvas: Canvas, rect: pygame.Rect) -> None:
        """Draw a star at the corner of a move that is searched again."""
        box = centred(self.theme.px(18), self.theme.px(18), rect.topright)
        canvas.box(box, self.theme.palette.panel, self.theme.px(9), self.theme.palette.info)
        inside, colour = box.move(0, self.theme.px(2)), self.theme.palette.info
        canvas.text(AGAIN, inside, 16, colour, bold=True, align="centre")

    def _draw_circle(self, canvas: Canvas, rect: pygame.Rect) -> pygame.Rect:
        """Draw a chance node. Return the square in it."""
        palette, radius = self.theme.palette, rect.width / 2 + self.theme.px(2)
        canvas.circle(rect.center, radius, palette.accent)
        inside = radius - self.theme.px(1.5)
        canvas.circle(rect.center, inside, mix(palette.background, palette.accent, 0.35))
        side = round(0.68 * rect.width)
        return centred(side, side, rect.center)

    def _draw_triangle(self, canvas: Canvas, node: int, rect: pygame.Rect) -> None:
        """Draw a node of a tree of numbers: MAX points up, MIN down; a leaf is a square."""
        palette, up = self.theme.palette, self._explorer.is_max(node)
        colour = palette.info if up else palette.accent
        inner = rect.inflate(-rect.width // 4, -rect.height // 4)
        explorer = self._explorer
        if explorer.end(node) is End.HORIZON and not explorer.position(node).legal_moves():
            canvas.box(inner, palette.raised, self.theme.px(4), mix(palette.line, palette.quiet, 0.5))
            return
        points = [inner.midtop, inner.bottomright, inner.bottomleft]
        if not up:
            points = [inner.midbottom, inner.topright, inner.topleft]
        canvas.polygon(points, mix(palette.background, colour, 0.35))
        canvas.line([*points, points[0]], colour)

    def _draw_texts(self, canvas: Canvas, node: int, rect: pygame.Rect, colour: Colour, on_path: bool) -> None:
        """Draw the move over the board and the value under it. `on_path`: an unknown value is ``…``."""
        explorer, theme, palette = self._explorer, self.theme, self.theme.palette
        place = centred(round(1.3 * COLUMN * self._camera.zoom), theme.px(_TEXT), rect.center)
        if self._shows_moves and explorer.trace.parent[node] >= 0:
            name, size = self._move_text(node)
            place.bottom = rect.top - theme.px(_RING)
            canvas.text(name, place, size, palette.quiet, align="centre")
        if self._shows_values:
            text = bound_text(explorer, node) or ("…" if on_path and explorer.at is not None else "")
            place.top = rect.bottom + theme.px(_RING)
            text, size = self._fitted_value(text)
            canvas.text(text, place, size, colour, bold=True, align="centre")

    def _move_text(self, node: int) -> tuple[str, int]:
        """Return the longest text for the move to a node that fits its column, and the font size."""
        wide, names = COLUMN * self._camera.zoom - self.theme.px(_APART), move_texts(self._explorer, node)
        sizes = [(name, size) for name in names for size in (14, _LEAST_VALUE)]
        return next((each for each in sizes if width_of(self.theme, *each) < wide), (names[-1], 14))

    def _fitted_value(self, text: str) -> tuple[str, int]:
        """Return `text`, a value, and the font size at which it fits its column, if need be without the zero before the
        point. Empty if that does not fit either: with a decimal less, a bound would be another one."""
        wide = COLUMN * self._camera.zoom - self.theme.px(_APART) / 2
        sizes = (16, 14, _LEAST_VALUE) if self._shows_moves else (14, _LEAST_VALUE)
        short = text.replace("+0.", "+.").replace("−0.", "−.")
        ways = [*((text, size) for size in sizes), *((short, size) for size in (_LEAST_VALUE, *_SMALLER))]
        return next((way for way in ways if width_of(self.theme, *way, bold=True) < wide), ("", _LEAST_VALUE))

    def _covered_places(self, rects: Mapping[int, pygame.Rect]) -> list[pygame.Rect]:
        """Return the places of boards and their texts, which a box of alpha and beta must not cover."""
        around = self.theme.px(_TEXT + _RING)
        boards = (rect.inflate(0, 2 * around) for rect in rects.values())
        empty = (self.rect_of(each.column, each.row) for each in self.plan.empty)
        return [*boards, *empty, *map(self._stub_rect, self.plan.stubs)]

    def _draw_window(
        self, canvas: Canvas, node: int, rect: pygame.Rect, taken: Sequence[pygame.Rect]
    ) -> None:
        """Draw alpha and beta of a node, in a box beside the board or above it; nothing where a box would cover the
        places `taken`."""
        theme, px = self.theme, self.theme.px
        text = window_text(self._explorer, node)
        size, over = (width_of(theme, text, 14) + px(10), px(20)), rect.top - px(_TEXT + 2 * _RING + 1)
        places = [pygame.Rect((0, 0), size) for _ in range(4)]
        places[0].midleft, places[1].midright = (rect.right + px(6), rect.centery), (rect.left - px(6), rect.centery)
        places[2].midbottom, places[3].bottomleft = (rect.centerx, over), (rect.left, over)
        seen = Space(self._camera.view)
        seen.left(px(LEVEL))
        box = next((each for each in places if seen.rest.contains(each) and each.collidelist(taken) < 0), None)
        if box is not None:
            canvas.box(box, theme.palette.panel, px(6), theme.palette.info)
            canvas.text(text, box, 14, theme.palette.info, align="centre")

    def _draw_badge(self, canvas: Canvas, node: int, rect: pygame.Rect) -> None:
        """Draw how many nodes are folded below a node."""
        theme, px = self.theme, self.theme.px
        if not self._shows_values:
            return
        count = self._explorer.trace.after(node) - node - 1
        text = f"+{count_text(count)}"
        box = centred(width_of(theme, text, 14) + px(8), px(18), rect.center)
        box.top = rect.bottom + px(_TEXT + _RING)
        canvas.box(box, theme.palette.raised, px(6), theme.palette.line)
        canvas.text(text, box, 14, theme.palette.quiet, align="centre")


    def _draw_sum(self, canvas: Canvas, node: int, rect: pygame.Rect) -> None:
        """Draw `sum_text` below a child of the node that is looked at; that of the move which the next visit tries is
        highlighted."""
        explorer, theme, px = self._explorer, self.theme, self.theme.px
        if not self._shows_values:
            return
        trace = explorer.trace
        assert isinstance(trace, SampleTree)
        following = trace.following[trace.parent[node]] == trace.move[node]
        colour, wide = theme.palette.info if following else theme.palette.quiet, COLUMN * self._camera.zoom
        brief = re.sub(r"\b0\.", ".", sum_text(explorer, node))
        ways = (sum_text(explorer, node), brief, brief.replace(" ", ""))
        text = next((each for each in ways if width_of(theme, each, _LEAST_VALUE) < wide - 3 * px(_APART)), "")
        if not text:  # on two lines
            terms, total = ways[-1].split("=")
            lines = [terms, f"={total}"]
        else:
            lines = [text]
        place = centred(round(1.3 * wide), px(_LEAST_VALUE + 3), rect.center)
        place.top = rect.bottom + px(_TEXT + 2 * _RING)
        for line in lines:
            canvas.text(line, place, _LEAST_VALUE, colour, bold=following, align="centre")
            place.top = place.bottom


class NodeThumbnail:
    """The position of a node of a search, as `Thumbnails` need it."""

    def __init__(self, explorer: Explorer, node: int) -> None:
        self.setup, self.stones, self.moves = explorer.subject.setup, explorer.subject.stones, explorer.move_texts(node)


_CACHED = 400  # scaled pictures


class NodeBoards:
    """The pictures of boards at the nodes of `explorer`, made by `thumbnails`."""

    def __init__(self, explorer: Explorer, thumbnails: Thumbnails) -> None:
        self._explorer, self._thumbnails = explorer, thumbnails
        self._scaled: dict[tuple[int, int], pygame.Surface] = {}
        self._scaled_of: Trace | None = None  # its nodes have those numbers

    def draw(self, surface: pygame.Surface, theme: Theme, node: int, rect: pygame.Rect) -> None:
        """Draw the board of `node`, or an empty box while its picture is not made."""
        picture = self._picture(theme, node, rect.width)
        if picture is None:
            rounded(surface, rect, theme.palette.raised, theme.px(3))
        else:
            surface.blit(picture, rect)

    def _picture(self, theme: Theme, node: int, side: int) -> pygame.Surface | None:
        """Return the board of a node, `side` pixels large, from a cache; None while it is not made."""
        if self._scaled_of is not self._explorer.trace or len(self._scaled) > _CACHED:
            self._scaled.clear()
            self._scaled_of = self._explorer.trace
        if (node, side) not in self._scaled:
            made = self._new_picture(theme, node, side)
            if made is None:
                return None
            self._scaled[node, side] = made
        return self._scaled[node, side]

    def _new_picture(self, theme: Theme, node: int, side: int) -> pygame.Surface | None:
        """Make the picture of a node, `side` pixels large; None while its thumbnail is not made."""
        px, setup = theme.px, self._explorer.subject.setup
        caption = look(setup.game).caption if setup is not None else None
        if caption is not None and side < px(_CAPTIONED):
            return caption_picture(theme, caption(self._explorer.position(node)), side)
        large = px(_LITTLE if side <= px(_LITTLE) else 3 * _LITTLE)
        found = self._thumbnails.picture(NodeThumbnail(self._explorer, node), large)
        return None if found is None else pygame.transform.smoothscale(found, (side, side))


# Marks at the nodes of a search by several workers: who has searched a node, and whether that was in vain.


_BADGE, _LEAST, _STRIP = 18, 26, 9  # design pixels: a badge, a board that has room for one, and a hatched strip


def draw_worker(canvas: Canvas, tree: SharedTree, node: int, rect: pygame.Rect) -> None:
    """Mark the node whose board is at `rect`: a frame and the number of its worker; a hatched strip if one worker alone
    would not have searched it; ``2×`` if another worker searched the same, or a cross if it was stopped."""
    theme, px, palette = canvas.theme, canvas.theme.px, canvas.theme.palette
    tone = series(palette, tree.worker[node] - 1)
    canvas.box(rect.inflate(2 * px(2), 2 * px(2)), None, px(4), tone, px(2))
    if tree.marks[node] & EXTRA:
        strip = pygame.Rect(rect.left, rect.bottom - px(_STRIP), rect.width, px(_STRIP))
        canvas.hatch(strip, palette.bad, palette.panel, px(5))
    if rect.width < px(_LEAST):
        return
    badge = centred(px(_BADGE), px(_BADGE), rect.topleft)
    canvas.box(badge, mix(palette.panel, tone, 0.3), px(5), tone)
    canvas.text(str(tree.worker[node]), badge, 14, palette.text, bold=True, align="centre")
    right = centred(width_of(theme, "2×", 14) + px(6), px(_BADGE), rect.topright)
    if tree.end[node] == End.STOPPED:
        canvas.box(right, palette.panel, px(5), palette.bad)
        canvas.text("×", right, 16, palette.bad, bold=True, align="centre")
    elif tree.marks[node] & TWICE:
        canvas.box(right, palette.panel, px(5), palette.quiet)
        canvas.text("2×", right, 14, palette.quiet, align="centre")
