"""The moves as a tree: the main line in two columns, variations below, folded when long."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

import pygame

from games.formats.terms import move_sign, position_sign
from games.record import GameRecord, Node
from ui.board.looks import look
from ui.replay.tree_layout import (
    NUMBER,
    SIGN,
    Cell,
    Fold,
    TreeLayout,
    TreeLine,
    annotated_width,
    begins_variation,
    signs,
    variations_of,
)
from ui.toolkit.art import clipped, rounded
from ui.toolkit.i18n import t
from ui.toolkit.icons import icon
from ui.toolkit.space import knob
from ui.toolkit.theme import Theme, mix
from ui.toolkit.typesetting import width_of, write, write_paragraph
from ui.words.games import outcome_sentence
from ui.words.move_words import move_name, written
from ui.words.verdicts import SIGNS, kind_colour
from ui.words.views import node_outlook

_STEP = 28  # design pixels that a notch of the wheel scrolls, three times
_BAR = 8  # design pixels of the scroll bar and its margin
_INSET = 6  # design pixels between the edge of a cell and its score


class VariationTree:
    """Shows `record` in `rect`. Call `place`, and `follow` for the move that is shown, whenever something may have
    changed: the tree is laid out again only if it has."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._kinds: Mapping[Node, str] = {}
        self._folds: dict[Node, bool] = {}  # what a person has folded or unfolded, or the cursor has unfolded
        self._layout: TreeLayout | None = None
        self._laid_out: tuple[Theme, int, int] | None = None  # for which theme, width and revision
        self._top = 0  # the pixel row of the content at the top of `rect`
        self._followed: Node | None = None
        self._dragged = False  # the scroll bar

    def place(self, theme: Theme, rect: pygame.Rect, revision: int, kinds: Mapping[Node, str] | None = None) -> None:
        """Show the tree in `rect`. `revision` is another number after each change of the tree or of `kinds`, which
        tells what a review calls the moves."""
        self.theme, self.rect, self._kinds = theme, rect.copy(), kinds or {}
        wanted = theme, rect.width, revision
        if wanted != self._laid_out:
            self._laid_out = wanted
            self._lay_out()
        self._scroll_to(self._top)

    def _lay_out(self) -> None:
        """Compute the lines anew."""
        width = self.rect.width - self.theme.px(_BAR)
        self._layout = TreeLayout(self.record, self.theme, width, self._folds, self._kinds)
        self._tops = [line.rect.top for line in self._layout.lines]
        self._scroll_to(self._top)

    # Scrolling.

    @property
    def _most(self) -> int:
        """How far the content can be scrolled."""
        ending = self.theme.px(_STEP) if self._result() else 0
        return 0 if self._layout is None else max(0, self._layout.height + ending - self.rect.height)

    def _scroll_to(self, top: int) -> None:
        """Scroll, within the content."""
        self._top = max(0, min(top, self._most))

    def scroll(self, notches: int) -> None:
        """Scroll by notches of the wheel, down if positive."""
        self._scroll_to(self._top + notches * self.theme.px(_STEP))

    def follow(self, node: Node, again: bool = False) -> None:
        """Bring `node` into sight, once for each node or `again`; unfold the variations that it is in."""
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
            self._scroll_to(self._most)

    def _reveal(self, node: Node) -> None:
        """Scroll so that `node` is in sight; without a place, as the beginning has none, to the top."""
        assert self._layout is not None
        found = self._layout.cells.get(node)
        line = found[0].rect if found is not None else pygame.Rect(0, 0, 0, 0)
        if line.top < self._top or line.bottom > self._top + self.rect.height:
            self._scroll_to(line.centery - self.rect.height // 2)

    # The mouse.

    def _at(self, pixel: tuple[int, int]) -> tuple[TreeLine, tuple[int, int]] | None:
        """The line under `pixel`, and the pixel in the content."""
        if self._layout is None or not self._layout.lines or not self.rect.collidepoint(pixel):
            return None
        inside = pixel[0] - self.rect.left, pixel[1] - self.rect.top + self._top
        return self._layout.lines[max(0, bisect_right(self._tops, inside[1]) - 1)], inside

    def node_at(self, pixel: tuple[int, int]) -> Node | None:
        """The move under `pixel`."""
        line, inside = self._at(pixel) or (None, (0, 0))
        cells = line.cells if line is not None else ()
        return next((cell.node for cell in cells if cell.rect.collidepoint(inside)), None)

    def press(self, pixel: tuple[int, int]) -> bool:
        """Fold or unfold the variation whose sign is under `pixel`, or begin to drag the scroll bar. True if either."""
        if self._most and self.rect.collidepoint(pixel) and pixel[0] >= self.rect.right - self.theme.px(_BAR):
            self._dragged = True
            self.drag(pixel)
            return True
        line, inside = self._at(pixel) or (None, (0, 0))
        fold = line.fold if line is not None else None
        if fold is None or not any(part.collidepoint(inside) for part in (fold.rect, fold.badge) if part is not None):
            return False
        self._folds[fold.node] = not self._is_folded(fold)
        self._lay_out()
        return True

    def drag(self, pixel: tuple[int, int]) -> bool:
        """The middle of the scroll bar goes to `pixel`, if it is being dragged."""
        if self._dragged:
            bar = self._bar().height
            share = (pixel[1] - self.rect.top - bar / 2) / max(1, self.rect.height - bar)
            self._scroll_to(round(share * self._most))
        return self._dragged

    def release(self) -> None:
        """Let go of the scroll bar."""
        self._dragged = False

    def _is_folded(self, fold: Fold) -> bool:
        return self._layout is not None and self._layout.folded(fold.node)

    def places(self) -> dict[str, tuple[int, int]]:
        """The middle of each move in sight, by its place in the record, and of each sign of a variation."""
        places: dict[str, tuple[int, int]] = {}
        if self._layout is None:
            return places
        for number, node in enumerate(self.record.nodes()):
            if node in self._layout.cells:
                places[f"move.{number}"] = self._shown(self._layout.cells[node][1].rect).center
        for line in self._layout.lines:
            if line.fold is not None:
                places[f"fold.{len(places)}"] = self._shown(line.fold.rect).center
        return {name: place for name, place in places.items() if self.rect.collidepoint(place)}

    # The picture.

    def _shown(self, rect: pygame.Rect) -> pygame.Rect:
        """The place in the window of a rectangle of the content."""
        return rect.move(self.rect.left, self.rect.top - self._top)

    def _result(self) -> str:
        """How the main line ends, where the board does not show it: by resigning or on time."""
        ending = self.record.main_end().ending
        return outcome_sentence(self.record, ending) if ending is not None else ""

    def draw(self, surface: pygame.Surface, hover: tuple[int, int] | None) -> None:
        """Draw the lines in view, and the scroll bar if there are more."""
        if self._layout is None:
            return
        pointed = None if hover is None else self.node_at(hover)
        with clipped(surface, self.rect):
            for line in self._visible():
                self._draw_line(surface, line, pointed)
            if not self._layout.lines:
                inside = self.rect.inflate(-2 * self.theme.px(_INSET), 0)
                write_paragraph(surface, self.theme, t("tree.empty"), inside)
            self._draw_result(surface)
        if self._most:
            rounded(surface, self._bar(), self.theme.palette.line, self.theme.px(2))

    def _visible(self) -> list[TreeLine]:
        """The lines in view."""
        assert self._layout is not None
        first = max(0, bisect_right(self._tops, self._top) - 1)
        return self._layout.lines[first : bisect_right(self._tops, self._top + self.rect.height)]

    def _draw_line(self, surface: pygame.Surface, line: TreeLine, pointed: Node | None) -> None:
        """A line: bars for its depth, its triangle or branch, and its moves."""
        theme, palette, px = self.theme, self.theme.palette, self.theme.px
        assert self._layout is not None
        for depth in range(1, line.depth + 1):
            left = self._layout.indent(depth) - px(6)
            bar = self._shown(pygame.Rect(left - px(1), line.rect.top, max(1, px(2)), line.rect.height))
            surface.fill(palette.line, bar)
        if line.fold is not None:
            self._draw_fold(surface, line.fold)
        elif line.depth and begins_variation(line.cells[0].node):
            tick = pygame.Rect(self._layout.indent(line.depth) - px(6), line.rect.centery, px(6), max(1, px(2)))
            surface.fill(palette.line, self._shown(tick))
        for cell in line.cells:
            self._draw_cell(surface, line, cell, pointed)
        if line.depth == 0 and line.cells[0].rect.left > px(NUMBER):  # the row goes on after variations
            gap = self._shown(pygame.Rect(px(NUMBER + 7), line.rect.top, px(40), line.rect.height))
            write(surface, theme, "…", gap, 16, palette.quiet)

    def _draw_fold(self, surface: pygame.Surface, fold: Fold) -> None:
        """The triangle of a variation, and the number of moves that it hides."""
        theme, palette, px = self.theme, self.theme.palette, self.theme.px
        box = self._shown(fold.rect)
        surface.fill(palette.panel, box.inflate(-px(4), 0))
        picture = icon("forward" if self._is_folded(fold) else "down", px(14), palette.quiet)
        surface.blit(picture, picture.get_rect(center=box.center))
        if fold.badge is not None:
            badge = self._shown(fold.badge)
            rounded(surface, badge.inflate(0, -px(6)), palette.raised, px(6), palette.line)
            write(surface, theme, f"+{fold.hidden}", badge, 14, palette.quiet, align="centre")

    def _draw_cell(self, surface: pygame.Surface, line: TreeLine, cell: Cell, pointed: Node | None) -> None:
        """A move, with its number where that is shown, highlighted if it is current or pointed at."""
        theme, palette, px, node = self.theme, self.theme.palette, self.theme.px, cell.node
        rect, chosen, size = self._shown(cell.rect), node is self.record.cursor, 14 if line.depth else 16
        box = rect.inflate(0, -px(2))
        if line.depth == 0:
            number = pygame.Rect(self.rect.left, rect.top, px(NUMBER - 8), rect.height)
            write(surface, theme, cell.number, number, 14, palette.quiet, align="right")
        self._draw_ground(surface, box, node, pointed)
        text = pygame.Rect(self._shown(cell.rect.move(cell.text_left - cell.rect.left, 0)).left, box.top, 0, box.height)
        if line.depth:
            before = pygame.Rect(box.left + px(5), box.top, text.left - box.left, box.height)
            write(surface, theme, cell.number, before, 14, palette.quiet)
        text.width = rect.right - text.left
        assert node.parent is not None
        assert node.move is not None
        name = move_name(node.parent.position, node.move)
        write(surface, theme, name, text, size, palette.text, bold=chosen and not line.depth)
        text.left += width_of(theme, name, size, chosen and not line.depth)
        if (kind := self._kinds.get(node, "")) and SIGNS[kind]:
            write(surface, theme, SIGNS[kind], text, size, kind_colour(kind, palette.key), bold=not line.depth)
            text.left += width_of(theme, SIGNS[kind], size, not line.depth)
        self._draw_annotation(surface, text, node, size, bold=not line.depth)
        text.left += annotated_width(theme, node, size, not line.depth) + px(3)
        for sign in signs(node):
            picture = icon(sign, px(SIGN - 2), palette.info)
            surface.blit(picture, picture.get_rect(left=text.left, centery=box.centery))
            text.left += px(SIGN)
        self._draw_score(surface, line, cell, box, text.left)

    def _draw_annotation(self, surface: pygame.Surface, place: pygame.Rect, node: Node, size: int, bold: bool) -> None:
        """The signs of the file's annotator, in the colour of notes: those of a review have colours of their own."""
        theme, colour, text = self.theme, self.theme.palette.info, place.copy()
        move, position = move_sign(node), position_sign(node)
        if move is not None:
            write(surface, theme, written(move), text, size, colour, bold=bold)
            text.left += width_of(theme, written(move), size, bold)
        if position is None:
            return
        text.left += theme.px(4)
        if position.side is not None:
            stone = pygame.Rect(text.left, 0, theme.px(SIGN - 2), theme.px(SIGN - 2))
            stone.centery = text.centery
            look(self.record.setup.game).badge(surface, theme, stone, position.side)
            text.left += theme.px(SIGN)
        write(surface, theme, written(position), text, size, colour, bold=bold)

    def _draw_ground(self, surface: pygame.Surface, box: pygame.Rect, node: Node, pointed: Node | None) -> None:
        """The cursor, the move under the pointer, and where there are several ways on, the one that follows."""
        palette, radius, cursor = self.theme.palette, self.theme.px(6), self.record.cursor
        if node is cursor:
            rounded(surface, box, mix(palette.panel, palette.accent, 0.28), radius)
        elif node is cursor.next and len(cursor.children) > 1:
            rounded(surface, box, palette.raised if node is pointed else palette.panel, radius, palette.accent)
        elif node is pointed:
            rounded(surface, box, palette.raised, radius)

    def _draw_score(self, surface: pygame.Surface, line: TreeLine, cell: Cell, box: pygame.Rect, left: int) -> None:
        """At the right end of `box`; shorter where it would cover the move, which ends at `left`."""
        inside = box.inflate(-2 * self.theme.px(_INSET), 0)
        score = cell.score if line.depth else node_outlook(self.record.setup, cell.node)
        if not line.depth and width_of(self.theme, score, 14) > inside.right - left:
            score = node_outlook(self.record.setup, cell.node, short=True)
        colour = self.theme.palette.text if cell.node is self.record.cursor else self.theme.palette.quiet
        write(surface, self.theme, score, inside, 14, colour, align="right")

    def _draw_result(self, surface: pygame.Surface) -> None:
        assert self._layout is not None
        place = pygame.Rect(0, self._layout.height, self._layout.width, self.theme.px(_STEP))
        inside = self._shown(place).inflate(-2 * self.theme.px(_INSET), 0)
        if inside.colliderect(self.rect):
            write(surface, self.theme, self._result(), inside, 14, self.theme.palette.quiet)

    def _bar(self) -> pygame.Rect:
        """The rectangle of the scroll bar's knob."""
        px, track = self.theme.px, self.rect
        return knob(track, px(4), self._top, track.height, self._most + track.height, px(24))
