"""The moves as a tree: the main line in two columns, each variation as indented, wrapped text below the move that it is
an alternative to, folded when long.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pygame

from games.formats.terms import move_sign, position_sign
from games.position import FIRST
from games.record import GameRecord, Node
from ui.board.looks import look
from ui.toolkit.art import clipped, icon, rounded
from ui.toolkit.i18n import t
from ui.toolkit.space import knob
from ui.toolkit.theme import Colour, Theme, mix
from ui.toolkit.typesetting import width_of, write, write_paragraph
from ui.words.games import outcome_sentence
from ui.words.move_words import move_name, sign_text
from ui.words.verdicts import SIGNS, kind_colour
from ui.words.views import node_outlook

# Where the moves stand.


_ROW, _FLOW = 28, 24
"""Heights of a row of the main line and of a line of a variation, in design pixels."""

_NUMBER, _SIGN = 34, 14
"""Design pixels: the column of numbers, and the sign of a comment or of marks, beside a move."""

_MARGIN, _INDENT, _PADDING, _GAP = 12, 12, 5, 2  # design pixels
_DEEPEST = 7  # variations inside of others are no longer indented
_SHORT, _LONG = 3, 12  # moves of a variation that can be folded, and of one that is folded unless a person unfolds it


class Cell(NamedTuple):
    """A move in pixels of the content. `number` is written left of the move's own text, which begins at `text_left`."""

    node: Node
    rect: pygame.Rect
    number: str
    text_left: int
    score: str


class Fold(NamedTuple):
    """The triangle that folds or unfolds the variation beginning with `node`. `hidden` moves are not shown; `badge` is
    where their number is written, None if there are none."""

    node: Node
    rect: pygame.Rect
    hidden: int
    badge: pygame.Rect | None = None


@dataclass(slots=True)
class TreeLine:
    """One line of the content with its moves. `depth` is 0 for the main line, 1 for its variations, and so on."""

    rect: pygame.Rect
    depth: int
    cells: list[Cell] = field(default_factory=list)
    fold: Fold | None = None


class _Run(NamedTuple):
    """Moves to place: `node` and its main line."""

    node: Node
    depth: int


class TreeLayout:
    """The lines of `record` in `width` pixels. `folds` has the variations that a person has folded (True) or unfolded
    (False), `kinds` the kinds of the moves by a review."""

    def __init__(
        self, record: GameRecord, theme: Theme, width: int, folds: Mapping[Node, bool], kinds: Mapping[Node, str]
    ) -> None:
        self.theme, self.width, self.folds, self._kinds = theme, width, folds, kinds
        self.lines: list[TreeLine] = []
        self.cells: dict[Node, tuple[TreeLine, Cell]] = {}
        """Every move that is shown."""
        self._setup, self._sizes = record.setup, _sizes(record)
        runs = [_Run(child, 0) for child in record.root.children[:1]]
        while runs:  # not recursive, since files may nest variations thousands deep
            runs.extend(self._place(runs.pop()))

    @property
    def height(self) -> int:
        """The height of all lines, in pixels."""
        return self.lines[-1].rect.bottom if self.lines else 0

    def folded(self, node: Node) -> bool:
        """Return whether the variation that begins with `node` is folded: as a person wants it, else if it is long."""
        return self._sizes[node] > _SHORT and self.folds.get(node, self._sizes[node] > _LONG)

    def _place(self, run: _Run) -> list[_Run]:
        """Place the moves of `run` up to the first one with variations. Return the runs that come next, in reverse
        order."""
        begins, shown = _begins_variation(run.node), 0
        folded = begins and self.folded(run.node)
        self._begin_line(run.depth)
        if begins and self._sizes[run.node] > _SHORT:
            self._add_fold(run.node, 0)
        for node in _main_line(run.node):
            if not run.depth:
                self._place_main(node)
            elif not self._place_in_variation(node, not shown or _mover(node) == FIRST, folded):
                break
            shown += 1
            others = [] if _begins_variation(node) or node.parent is None else node.parent.children[1:]
            if others and not folded:
                following = [_Run(child, run.depth) for child in node.children[:1]]
                return following + [_Run(other, run.depth + 1) for other in reversed(others)]
        if folded:
            self._add_fold(run.node, self._sizes[run.node] - shown)
        return []

    def _begin_line(self, depth: int) -> None:
        """Begin a line of the content at this depth."""
        height = self.theme.px(_FLOW if depth else _ROW)
        self.lines.append(TreeLine(pygame.Rect(0, self.height, self.width, height), depth))

    def _place_main(self, node: Node) -> None:
        """Place a move of the main line in the column of its side; begin a new row if that column is not free."""
        px = self.theme.px
        wide = (self.width - px(_NUMBER)) // 2
        left = px(_NUMBER) + _mover(node) * wide
        line = self.lines[-1]
        if line.cells and left <= line.cells[-1].rect.left:
            self._begin_line(0)
            line = self.lines[-1]
        rect = pygame.Rect(left, line.rect.top, wide, line.rect.height)
        self._add_cell(Cell(node, rect, "" if line.cells else str(node.position.ply), left + px(7), ""))

    def _place_in_variation(self, node: Node, numbered: bool, folded: bool) -> bool:
        """Place a move after the one before it, on a new line if there is no room. Return False, without placing it, if
        the line of a folded variation is full."""
        px, line = self.theme.px, self.lines[-1]
        number = f"{node.position.ply}." if numbered else ""
        score = node_outlook(self._setup, node)
        before = width_of(self.theme, number, 14) + px(3) if number else 0
        wide = 2 * px(_PADDING) + before + self._move_width(node)
        wide += width_of(self.theme, score, 14) + px(6) if score else 0
        left = line.cells[-1].rect.right + px(_GAP) if line.cells else self.indent(line.depth)
        room = self.width - (px(44) if folded else 0)
        if line.cells and left + wide > room:
            if folded:
                return False
            self._begin_line(line.depth)
            return self._place_in_variation(node, numbered, folded)
        rect = pygame.Rect(left, line.rect.top, min(wide, self.width - left), line.rect.height)
        self._add_cell(Cell(node, rect, number, left + px(_PADDING) + before, score))
        return True

    def _move_width(self, node: Node) -> int:
        """Return the width of a move in a variation, with its signs."""
        assert node.parent is not None
        assert node.move is not None
        name = move_name(node.parent.position, node.move) + SIGNS.get(self._kinds.get(node, ""), "")
        wide = width_of(self.theme, name, 14) + _annotated_width(self.theme, node, 14)
        return wide + len(_icons(node)) * self.theme.px(_SIGN)

    def indent(self, depth: int) -> int:
        """Return the pixels from the left edge to the lines at `depth`; beyond `_DEEPEST` it does not grow."""
        return self.theme.px(_MARGIN + _INDENT * min(depth, _DEEPEST))

    def _add_cell(self, cell: Cell) -> None:
        """Add a move to the current line."""
        line = self.lines[-1]
        line.cells.append(cell)
        self.cells[cell.node] = line, cell

    def _add_fold(self, node: Node, hidden: int) -> None:
        """Add to the current line the triangle of the variation `node`, and behind it a badge with the number of
        `hidden` moves, if any."""
        px, line = self.theme.px, self.lines[-1]
        rect = pygame.Rect(self.indent(line.depth) - px(16), line.rect.top, px(20), line.rect.height)
        badge = None
        if hidden:
            wide = width_of(self.theme, f"+{hidden}", 14) + px(12)
            badge = pygame.Rect(line.cells[-1].rect.right + px(4), line.rect.top, wide, line.rect.height)
        line.fold = Fold(node, rect, hidden, badge)


def _sizes(record: GameRecord) -> dict[Node, int]:
    """Return the number of nodes in the subtree of each node, itself included."""
    sizes: dict[Node, int] = {}
    for node in reversed(list(record.nodes())):
        sizes[node] = 1 + sum(sizes[child] for child in node.children)
    return sizes


def _begins_variation(node: Node) -> bool:
    """Return whether `node` is not the first child of its parent, so that a variation begins with it."""
    return node.parent is not None and node.parent.children[0] is not node


def variations_of(node: Node) -> Iterator[Node]:
    """Yield the first node of each variation that `node` is in, the innermost first."""
    here: Node | None = node
    while here is not None:
        if _begins_variation(here):
            yield here
        here = here.parent


def _main_line(node: Node) -> Iterator[Node]:
    """Yield `node`, its first child, the first child of that, and so on."""
    yield node
    while node.children:
        node = node.children[0]
        yield node


def _mover(node: Node) -> int:
    """Return the side that made the move of a node; 0 for the root."""
    return 0 if node.parent is None else node.parent.position.turn


def _annotated_width(theme: Theme, node: Node, size: int, bold: bool = False) -> int:
    """Return the width of the signs by which the file's annotator judges a move and the position after it; 0 without
    any."""
    move, position = move_sign(node), position_sign(node)
    wide = width_of(theme, sign_text(move), size, bold) if move else 0
    if position is not None:
        wide += theme.px(4) + (theme.px(_SIGN) if position.side is not None else 0)
        wide += width_of(theme, sign_text(position), size, bold)
    return wide


def _icons(node: Node) -> list[str]:
    """Return the names of the icons beside a move: whether it has a comment, and marks on the board."""
    return ["comment"] * bool(node.comment) + ["marks"] * bool(node.marks)


# The drawing, with a scroll bar.


_STEP = 28  # design pixels that a notch of the wheel scrolls, three times
_BAR = 8  # design pixels of the scroll bar and its margin
_INSET = 6  # design pixels between the edge of a cell and its score


class VariationTree:
    """Shows the tree of `record` in `rect`. Call `place`, and `follow` for the move at the cursor, whenever something
    may have changed: the tree is laid out again only if it has."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self.rect = pygame.Rect()
        self._kinds: Mapping[Node, str] = {}
        self._folds: dict[Node, bool] = {}  # what a person has folded or unfolded, or the cursor has unfolded
        self._layout: TreeLayout | None = None
        self._laid_out: tuple[Theme, int, int] | None = None  # for which theme, width and revision
        self._top = 0  # the pixel row of the content at the top of `rect`
        self._followed: Node | None = None
        self._dragged = False  # the scroll bar

    def place(self, theme: Theme, rect: pygame.Rect, revision: int, kinds: Mapping[Node, str] | None = None) -> None:
        """Show the tree in `rect`. `revision` must be another number after each change of the tree or of `kinds`, the
        kinds of the moves by a review."""
        self.theme, self.rect, self._kinds = theme, rect.copy(), kinds or {}
        wanted = theme, rect.width, revision
        if wanted != self._laid_out:
            self._laid_out = wanted
            self._lay_out()
        self._scroll_to(self._top)

    def _lay_out(self) -> None:
        """Compute the lines again."""
        width = self.rect.width - self.theme.px(_BAR)
        self._layout = TreeLayout(self.record, self.theme, width, self._folds, self._kinds)
        self._tops = [line.rect.top for line in self._layout.lines]
        self._scroll_to(self._top)

    # Scrolling.

    @property
    def _scroll_range(self) -> int:
        """How many pixels the content can be scrolled down."""
        ending = self.theme.px(_STEP) if self._result() else 0
        return 0 if self._layout is None else max(0, self._layout.height + ending - self.rect.height)

    def _scroll_to(self, top: int) -> None:
        """Scroll to the pixel row `top` of the content, within its limits."""
        self._top = max(0, min(top, self._scroll_range))

    def scroll(self, notches: int) -> None:
        """Scroll by notches of the wheel, down if positive."""
        self._scroll_to(self._top + notches * self.theme.px(_STEP))

    def follow(self, node: Node, again: bool = False) -> None:
        """Scroll `node` into sight and unfold the variations that it is in. Do nothing if it is the same node as last
        time, unless `again`."""
        if self._layout is None or (node is self._followed and not again):
            return
        self._followed = node
        folded = [start for start in variations_of(node) if self._layout.folded(start)]
        if folded and node not in self._layout.cells:
            self._folds.update(dict.fromkeys(folded, False))
            self._lay_out()
        if len(node.children) > 1 and node.next is not None:
            self._reveal(node.next)  # which Up and Down choose
        self._reveal(node)
        if node.ending is not None and node is self.record.main_end():
            self._scroll_to(self._scroll_range)

    def _reveal(self, node: Node) -> None:
        """Scroll only if the line of `node` is out of sight; the root is at the top."""
        assert self._layout is not None
        found = self._layout.cells.get(node)
        line = found[0].rect if found is not None else pygame.Rect()
        if line.top < self._top or line.bottom > self._top + self.rect.height:
            self._scroll_to(line.centery - self.rect.height // 2)

    # The mouse.

    def _line_at(self, pixel: tuple[int, int]) -> tuple[TreeLine, tuple[int, int]] | None:
        """Return the line under `pixel`, and the pixel relative to the content; None outside."""
        if self._layout is None or not self._layout.lines or not self.rect.collidepoint(pixel):
            return None
        inside = pixel[0] - self.rect.left, pixel[1] - self.rect.top + self._top
        return self._layout.lines[max(0, bisect_right(self._tops, inside[1]) - 1)], inside

    def node_at(self, pixel: tuple[int, int]) -> Node | None:
        """Return the node of the move under `pixel`; None if there is none."""
        line, inside = self._line_at(pixel) or (None, (0, 0))
        cells = line.cells if line is not None else ()
        return next((cell.node for cell in cells if cell.rect.collidepoint(inside)), None)

    def press(self, pixel: tuple[int, int]) -> bool:
        """Fold or unfold the variation whose triangle or badge is under `pixel`, or begin to drag the scroll bar.
        Return whether either was there."""
        if self._scroll_range and self.rect.collidepoint(pixel) and pixel[0] >= self.rect.right - self.theme.px(_BAR):
            self._dragged = True
            self.drag(pixel)
            return True
        line, inside = self._line_at(pixel) or (None, (0, 0))
        fold = line.fold if line is not None else None
        if fold is None or not any(part.collidepoint(inside) for part in (fold.rect, fold.badge) if part is not None):
            return False
        self._folds[fold.node] = not self._is_folded(fold)
        self._lay_out()
        return True

    def drag(self, pixel: tuple[int, int]) -> bool:
        """If the scroll bar is being dragged, move its middle to `pixel`. Return whether it is."""
        if self._dragged:
            bar = self._knob().height
            share = (pixel[1] - self.rect.top - bar / 2) / max(1, self.rect.height - bar)
            self._scroll_to(round(share * self._scroll_range))
        return self._dragged

    def release(self) -> None:
        """Let go of the scroll bar."""
        self._dragged = False

    def _is_folded(self, fold: Fold) -> bool:
        """Return whether the variation of this triangle is folded."""
        return self._layout is not None and self._layout.folded(fold.node)

    def places(self) -> dict[str, tuple[int, int]]:
        """Return the middle of each move in sight, as ``move.`` and its index in `record.nodes()`, and of each
        triangle, as ``fold.`` and a number."""
        places: dict[str, tuple[int, int]] = {}
        if self._layout is None:
            return places
        for number, node in enumerate(self.record.nodes()):
            if node in self._layout.cells:
                places[f"move.{number}"] = self._to_window(self._layout.cells[node][1].rect).center
        for line in self._layout.lines:
            if line.fold is not None:
                places[f"fold.{len(places)}"] = self._to_window(line.fold.rect).center
        return {name: place for name, place in places.items() if self.rect.collidepoint(place)}

    # The picture.

    def _to_window(self, rect: pygame.Rect) -> pygame.Rect:
        """Return the place in the window of a rectangle of the content."""
        return rect.move(self.rect.left, self.rect.top - self._top)

    def _result(self) -> str:
        """Return how the main line ends, if that is outside the rules (resignation, time); else nothing."""
        ending = self.record.main_end().ending
        return outcome_sentence(self.record, ending) if ending is not None else ""

    def draw(self, surface: pygame.Surface, hover: tuple[int, int] | None) -> None:
        """Draw the lines in sight, and the scroll bar if there are more. `hover` is the pointer's pixel, None without
        one."""
        if self._layout is None:
            return
        pointed = None if hover is None else self.node_at(hover)
        with clipped(surface, self.rect):
            for line in self._visible_lines():
                self._draw_line(surface, line, pointed)
            if not self._layout.lines:
                inside = self.rect.inflate(-2 * self.theme.px(_INSET), 0)
                write_paragraph(surface, self.theme, t("tree.empty"), inside)
            self._draw_result(surface)
        if self._scroll_range:
            rounded(surface, self._knob(), self.theme.palette.line, self.theme.px(2))

    def _visible_lines(self) -> list[TreeLine]:
        """Return the lines in sight."""
        assert self._layout is not None
        first = max(0, bisect_right(self._tops, self._top) - 1)
        return self._layout.lines[first : bisect_right(self._tops, self._top + self.rect.height)]

    def _draw_line(self, surface: pygame.Surface, line: TreeLine, pointed: Node | None) -> None:
        """Draw a line: bars for its depth, its triangle or branch, and its moves. `pointed` is the node under the
        pointer."""
        theme, palette, px = self.theme, self.theme.palette, self.theme.px
        assert self._layout is not None
        for depth in range(1, line.depth + 1):
            left = self._layout.indent(depth) - px(6)
            bar = self._to_window(pygame.Rect(left - px(1), line.rect.top, px(2), line.rect.height))
            surface.fill(palette.line, bar)
        if line.fold is not None:
            self._draw_fold(surface, line.fold)
        elif line.depth and _begins_variation(line.cells[0].node):
            tick = pygame.Rect(self._layout.indent(line.depth) - px(6), line.rect.centery, px(6), px(2))
            surface.fill(palette.line, self._to_window(tick))
        for cell in line.cells:
            self._draw_cell(surface, line, cell, pointed)
        if line.depth == 0 and line.cells[0].rect.left > px(_NUMBER):  # the row goes on after variations
            gap = self._to_window(pygame.Rect(px(_NUMBER + 7), line.rect.top, px(40), line.rect.height))
            write(surface, theme, "…", gap, 16, palette.quiet)

    def _draw_fold(self, surface: pygame.Surface, fold: Fold) -> None:
        """Draw the triangle of a variation, and the number of moves that it hides."""
        theme, palette, px = self.theme, self.theme.palette, self.theme.px
        box = self._to_window(fold.rect)
        surface.fill(palette.panel, box.inflate(-px(4), 0))
        picture = icon("forward" if self._is_folded(fold) else "down", px(14), palette.quiet)
        surface.blit(picture, picture.get_rect(center=box.center))
        if fold.badge is not None:
            badge = self._to_window(fold.badge)
            rounded(surface, badge.inflate(0, -px(6)), palette.raised, px(6), palette.line)
            write(surface, theme, f"+{fold.hidden}", badge, 14, palette.quiet, align="centre")

    def _draw_cell(self, surface: pygame.Surface, line: TreeLine, cell: Cell, pointed: Node | None) -> None:
        """Draw a move with its number and signs, highlighted if it is at the cursor or under the pointer."""
        theme, palette, px, node = self.theme, self.theme.palette, self.theme.px, cell.node
        rect, chosen, size = self._to_window(cell.rect), node is self.record.cursor, 14 if line.depth else 16
        box = rect.inflate(0, -px(2))
        if line.depth == 0:
            number = pygame.Rect(self.rect.left, rect.top, px(_NUMBER - 8), rect.height)
            write(surface, theme, cell.number, number, 14, palette.quiet, align="right")
        self._draw_ground(surface, box, node, pointed)
        left = self._to_window(cell.rect.move(cell.text_left - cell.rect.left, 0)).left
        text = pygame.Rect(left, box.top, rect.right - left, box.height)
        if line.depth:
            before = pygame.Rect(box.left + px(5), box.top, text.left - box.left, box.height)
            write(surface, theme, cell.number, before, 14, palette.quiet)
        assert node.parent is not None
        assert node.move is not None
        name = move_name(node.parent.position, node.move)
        write(surface, theme, name, text, size, palette.text, bold=chosen and not line.depth)
        text.left += width_of(theme, name, size, chosen and not line.depth)
        if (kind := self._kinds.get(node, "")) and SIGNS[kind]:
            write(surface, theme, SIGNS[kind], text, size, kind_colour(kind, palette.key), bold=not line.depth)
            text.left += width_of(theme, SIGNS[kind], size, not line.depth)
        ink = palette.text if chosen else palette.info  # the ground of the chosen move is coloured
        self._draw_annotation(surface, text, node, size, ink, bold=not line.depth)
        text.left += _annotated_width(theme, node, size, not line.depth) + px(3)
        for sign in _icons(node):
            picture = icon(sign, px(_SIGN - 2), palette.info)
            surface.blit(picture, picture.get_rect(left=text.left, centery=box.centery))
            text.left += px(_SIGN)
        self._draw_score(surface, line, cell, box, text.left)

    def _draw_annotation(
        self, surface: pygame.Surface, place: pygame.Rect, node: Node, size: int, colour: Colour, bold: bool
    ) -> None:  # fmt: skip
        """Draw the signs of the file's annotator at the left of `place`."""
        theme, text = self.theme, place.copy()
        move, position = move_sign(node), position_sign(node)
        if move is not None:
            write(surface, theme, sign_text(move), text, size, colour, bold=bold)
            text.left += width_of(theme, sign_text(move), size, bold)
        if position is None:
            return
        text.left += theme.px(4)
        if position.side is not None:
            side = theme.px(_SIGN - 2)
            stone = pygame.Rect(text.left, text.centery - side // 2, side, side)
            look(self.record.setup.game).badge(surface, theme, stone, position.side)
            text.left += theme.px(_SIGN)
        write(surface, theme, sign_text(position), text, size, colour, bold=bold)

    def _draw_ground(self, surface: pygame.Surface, box: pygame.Rect, node: Node, pointed: Node | None) -> None:
        """Highlight a move that is at the cursor or under the pointer, or that `redo` leads to where there are
        several."""
        palette, radius, cursor = self.theme.palette, self.theme.px(6), self.record.cursor
        if node is cursor:
            rounded(surface, box, mix(palette.panel, palette.accent, 0.28), radius)
        elif node is cursor.next and len(cursor.children) > 1:
            rounded(surface, box, palette.raised if node is pointed else palette.panel, radius, palette.accent)
        elif node is pointed:
            rounded(surface, box, palette.raised, radius)

    def _draw_score(self, surface: pygame.Surface, line: TreeLine, cell: Cell, box: pygame.Rect, left: int) -> None:
        """Draw the score of a move at the right end of `box`; a shorter form if the move, which ends at `left`, leaves
        no room."""
        inside = box.inflate(-2 * self.theme.px(_INSET), 0)
        score = cell.score if line.depth else node_outlook(self.record.setup, cell.node)
        if not line.depth and width_of(self.theme, score, 14) > inside.right - left:
            score = node_outlook(self.record.setup, cell.node, short=True)
        colour = self.theme.palette.text if cell.node is self.record.cursor else self.theme.palette.quiet
        write(surface, self.theme, score, inside, 14, colour, align="right")

    def _draw_result(self, surface: pygame.Surface) -> None:
        """Write the result of the game below the last row of the tree, if that place is in sight."""
        assert self._layout is not None
        place = pygame.Rect(0, self._layout.height, self._layout.width, self.theme.px(_STEP))
        inside = self._to_window(place).inflate(-2 * self.theme.px(_INSET), 0)
        if inside.colliderect(self.rect):
            write(surface, self.theme, self._result(), inside, 14, self.theme.palette.quiet)

    def _knob(self) -> pygame.Rect:
        """Return the rectangle of the scroll bar's knob."""
        px, track = self.theme.px, self.rect
        return knob(track, px(4), self._top, track.height, self._scroll_range + track.height, px(24))
