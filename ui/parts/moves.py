"""The list of moves: a column for each side, the shown one marked, a click jumps there."""

from __future__ import annotations

from itertools import pairwise

import pygame

from games.record import GameRecord, Node
from ui.toolkit.box_art import rounded
from ui.toolkit.clip import clipped
from ui.toolkit.layout import knob
from ui.toolkit.palette import mix
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import Theme
from ui.words.moves import move_name
from ui.words.numbers import evaluation_text

ROW = 30
"""Height of a row in design pixels."""


class MoveList:
    """Shows `record` in `rect`; `follow` says which moment the board shows, and brings it into sight."""

    def __init__(self, theme: Theme, rect: pygame.Rect, record: GameRecord) -> None:
        self.theme = theme
        self.rect = rect.copy()
        self.rect.height -= rect.height % theme.px(ROW)  # whole rows: half a move is none
        self.record = record
        self._top = 0  # first pixel row of the list that is shown
        self._shown = record.cursor
        self._followed: Node | None = None

    @property
    def _row(self) -> int:
        return self.theme.px(ROW)

    def _nodes(self) -> list[tuple[Node, int, int]]:
        """Every move with its row and its column: that of its side, in a new row where it is not the next."""
        placed: list[tuple[Node, int, int]] = []
        row, last = -1, 1
        for parent, node in pairwise(self.record.line()):
            side = parent.position.turn
            row, last = row + (side <= last), side
            placed.append((node, row, side))
        return placed

    def _rows(self) -> int:
        nodes = self._nodes()
        return nodes[-1][1] + 1 if nodes else 0

    def _most(self) -> int:
        return max(0, self._rows() * self._row - self.rect.height)

    def follow(self, node: Node) -> None:
        """Mark `node` as the one that is shown, and scroll so that it is in sight, once for each."""
        self._shown = node
        if node is self._followed:
            return
        self._followed = node
        row = next((row for each, row, _ in self._nodes() if each is node), 0)
        top, bottom = row * self._row, (row + 1) * self._row
        if top < self._top or bottom > self._top + self.rect.height:
            self._top = bottom - self.rect.height
        self._top = max(0, min(self._top, self._most()))

    def scroll(self, rows: int) -> None:
        self._top = max(0, min(self._top + rows * self._row, self._most()))

    def node_at(self, pixel: tuple[int, int]) -> Node | None:
        """The move under `pixel`."""
        if not self.rect.collidepoint(pixel):
            return None
        return next((node for node, *place in self._nodes() if self._cell(*place).collidepoint(pixel)), None)

    def places(self) -> dict[str, tuple[int, int]]:
        """The middle of each move in sight, by its number."""
        cells = {f"move.{number}": self._cell(*place) for number, (_, *place) in enumerate(self._nodes(), 1)}
        return {name: cell.center for name, cell in cells.items() if self.rect.contains(cell)}

    def _cell(self, row: int, column: int) -> pygame.Rect:
        """Where a move stands."""
        number = self.theme.px(40)
        width = (self.rect.width - number - self.theme.px(8)) // 2
        left = self.rect.left + number + column * width
        return pygame.Rect(left, self.rect.top + row * self._row - self._top, width, self._row)

    def draw(self, surface: pygame.Surface, hover: tuple[int, int] | None) -> None:
        numbered = -1
        with clipped(surface, self.rect):
            for node, row, column in self._nodes():
                cell = self._cell(row, column)
                if cell.colliderect(self.rect):
                    self._draw_move(surface, cell, "" if row == numbered else str(node.position.ply), node, hover)
                numbered = row
            self._draw_bar(surface)

    def _draw_move(
        self, surface: pygame.Surface, cell: pygame.Rect, number: str, node: Node, hover: tuple[int, int] | None
    ) -> None:
        theme, palette = self.theme, self.theme.palette
        if number:
            place = pygame.Rect(self.rect.left, cell.top, theme.px(30), cell.height)
            write(surface, theme, number, place, 14, palette.quiet, align="right")
        box = cell.inflate(-theme.px(2), -theme.px(2))
        if node is self._shown:
            rounded(surface, box, mix(palette.panel, palette.accent, 0.28), theme.px(6))
        elif node is self.record.cursor:  # where the game stands while another moment is looked at
            rounded(surface, box, palette.panel, theme.px(6), palette.accent)
        elif hover is not None and box.collidepoint(hover):
            rounded(surface, box, palette.raised, theme.px(6))
        inside = box.inflate(-2 * theme.px(8), 0)
        if node.move is not None and node.parent is not None:
            text = move_name(node.parent.position, node.move)
            bold = node is self._shown
            if len(node.parent.children) > 1:
                beside = inside.left + width_of(theme, text, 16, bold) + theme.px(9)
                pygame.draw.aacircle(surface, palette.info, (beside, box.centery), theme.px(3))
            write(surface, theme, text, inside, 16, palette.text, bold=bold)
        if node.evaluation is not None:
            colour = palette.text if node is self._shown else palette.quiet
            write(surface, theme, evaluation_text(node.evaluation), inside, 14, colour, align="right")

    def _draw_bar(self, surface: pygame.Surface) -> None:
        """How far the list is scrolled."""
        px, track = self.theme.px, self.rect
        if most := self._most():
            bar = knob(track, px(4), self._top, track.height, most + track.height, px(24)).move(-px(1), 0)
            rounded(surface, bar, self.theme.palette.line, px(2))
