"""The list of the moves played, a column for each side. The position shown is marked; a click on a move shows the
position after it."""

from __future__ import annotations

from itertools import pairwise

import pygame

from games.position import SECOND
from games.record import Node
from ui.play.state import PlayState
from ui.toolkit.art import clipped, rounded
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, knob
from ui.toolkit.theme import mix
from ui.toolkit.typesetting import width_of, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words.move_words import move_name, node_reason
from ui.words.views import node_outlook

ROW = 30
"""Height of a row in design pixels."""


class MoveList(Part):
    """The moves on the line of play. It marks the one that led to the position shown, and scrolls to it."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.record = state.record
        self.rect = pygame.Rect()
        self._top = 0  # first pixel row of the list that is shown
        self._followed: Node | None = None
        self.bindings = (
            Binding(("pageup",), self._show_previous, "keys.look_back"),
            Binding(("pagedown",), self._show_next, "keys.look_on"),
            Binding(("end",), state.show_current, "keys.return"),
            Binding(("escape",), self._leave_earlier, ""),
        )

    def build(self, space: Space) -> None:
        """Take all the space, rounded down to whole rows, and scroll to the move that led to the position shown."""
        self.rect = space.rest.copy()
        self.rect.height -= self.rect.height % self._row_height  # whole rows: half a move is none
        self._followed = None
        self._scroll_to_shown()

    @property
    def _row_height(self) -> int:
        """The height of a row in pixels."""
        return self._host.theme.px(ROW)

    def _placed_nodes(self) -> list[tuple[Node, int, int]]:
        """Every node after the root with its row and column. The column is the side that moved; a side that moves twice
        in a row begins a new row."""
        placed: list[tuple[Node, int, int]] = []
        row, last = -1, SECOND
        for parent, node in pairwise(self.record.line()):
            side = parent.position.turn
            row, last = row + (side <= last), side
            placed.append((node, row, side))
        return placed

    def _row_count(self) -> int:
        """Return the number of rows; 0 before the first move."""
        nodes = self._placed_nodes()
        return nodes[-1][1] + 1 if nodes else 0

    def _scroll_range(self) -> int:
        """How many pixels the list can be scrolled down."""
        return max(0, self._row_count() * self._row_height - self.rect.height)

    def update(self, now: float) -> None:
        """Scroll to the move that led to the position shown, if another one is shown than before."""
        self._scroll_to_shown()

    def _scroll_to_shown(self) -> None:
        """Scroll to the move that led to the position shown, whenever that has changed."""
        node = self._state.shown
        if node is self._followed:
            return
        self._followed = node
        row = next((row for each, row, _ in self._placed_nodes() if each is node), 0)
        top, bottom = row * self._row_height, (row + 1) * self._row_height
        if top < self._top or bottom > self._top + self.rect.height:
            self._top = bottom - self.rect.height
        self._top = max(0, min(self._top, self._scroll_range()))

    def handle(self, event: pygame.event.Event) -> bool:
        """Scroll the list with the wheel; show the position after a move that is clicked."""
        if event.type == pygame.MOUSEWHEEL and self.rect.collidepoint(pygame.mouse.get_pos()):
            self._top = max(0, min(self._top - event.y * self._row_height, self._scroll_range()))
            return True
        node = None
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            node = self.node_at(event.pos)
        if node is None:
            return False
        self._widgets.leave_focus()
        self._state.show_node(node)
        return True

    def hint(self) -> str:
        """Why the move under the mouse was played."""
        node = self.node_at(pygame.mouse.get_pos()) if self._state.explains else None
        return "" if node is None else node_reason(node)

    def _show_previous(self) -> None:
        """Show the position before the one shown."""
        self._state.show_node(self._state.moment.parent or self.record.root)

    def _show_next(self) -> None:
        """Show the position after the one shown."""
        self._state.show_node(self._state.moment.next or self._state.moment)

    def _leave_earlier(self) -> bool:
        """Show the current position. Return False if it was shown already."""
        earlier = self._state.earlier is not None
        self._state.show_current()
        return earlier

    def node_at(self, pixel: tuple[int, int]) -> Node | None:
        """The node whose move is at `pixel`; None if there is none."""
        if self._state.hidden or not self.rect.collidepoint(pixel):
            return None
        return next((node for node, *place in self._placed_nodes() if self._cell(*place).collidepoint(pixel)), None)

    def places(self) -> dict[str, tuple[int, int]]:
        """The middle of each move in view, by its number."""
        cells = {f"move.{number}": self._cell(*place) for number, (_, *place) in enumerate(self._placed_nodes(), 1)}
        return {name: cell.center for name, cell in cells.items() if self.rect.contains(cell)}

    def _cell(self, row: int, column: int) -> pygame.Rect:
        """The place of a move in the window."""
        number = self._host.theme.px(40)
        width = (self.rect.width - number - self._host.theme.px(8)) // 2
        left = self.rect.left + number + column * width
        return pygame.Rect(left, self.rect.top + row * self._row_height - self._top, width, self._row_height)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the rows in sight, each with the number of its first move, and the scroll bar; nothing while the board
        is hidden. It has no widgets."""
        if self._state.hidden:
            return
        numbered, hover = None, pygame.mouse.get_pos()
        with clipped(surface, self.rect):
            for node, row, column in self._placed_nodes():
                cell = self._cell(row, column)
                if cell.colliderect(self.rect):
                    self._draw_move(surface, cell, "" if row == numbered else str(node.position.ply), node, hover)
                numbered = row
            self._draw_bar(surface)

    def _draw_move(
        self, surface: pygame.Surface, cell: pygame.Rect, number: str, node: Node, hover: tuple[int, int]
    ) -> None:
        """Draw a move, with `number` at the left of the row unless that is empty. Highlight it if it is shown, current,
        or under the mouse at `hover`."""
        theme, palette = self._host.theme, self._host.theme.palette
        if number:
            place = pygame.Rect(self.rect.left, cell.top, theme.px(30), cell.height)
            write(surface, theme, number, place, 14, palette.quiet, align="right")
        box = cell.inflate(-theme.px(2), -theme.px(2))
        if node is self._state.shown:
            rounded(surface, box, mix(palette.panel, palette.accent, 0.28), theme.px(6))
        elif node is self.record.cursor:  # where the game stands while another moment is looked at
            rounded(surface, box, palette.panel, theme.px(6), palette.accent)
        elif box.collidepoint(hover):
            rounded(surface, box, palette.raised, theme.px(6))
        inside = box.inflate(-2 * theme.px(8), 0)
        assert node.move is not None
        assert node.parent is not None
        text, bold = move_name(node.parent.position, node.move), node is self._state.shown
        wide = width_of(theme, text, 16, bold)
        if len(node.parent.children) > 1:
            beside = inside.left + wide + theme.px(9)
            pygame.draw.aacircle(surface, palette.info, (beside, box.centery), theme.px(3))
        write(surface, theme, text, inside, 16, palette.text, bold=bold)
        if node.evaluation is not None:
            colour = palette.text if node is self._state.shown else palette.quiet
            outlook = node_outlook(self.record.setup, node)
            if width_of(theme, outlook, 14) > inside.width - wide:
                outlook = node_outlook(self.record.setup, node, short=True)
            write(surface, theme, outlook, inside, 14, colour, align="right")

    def _draw_bar(self, surface: pygame.Surface) -> None:
        """Draw the scroll bar, if the list can be scrolled."""
        px, track = self._host.theme.px, self.rect
        if most := self._scroll_range():
            bar = knob(track, px(4), self._top, track.height, most + track.height, px(24)).move(-px(1), 0)
            rounded(surface, bar, self._host.theme.palette.line, px(2))
