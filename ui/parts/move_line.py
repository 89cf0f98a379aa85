"""A line of moves as text: pointing at a move shows the line up to it on the board, a click plays it. Besides, the
panel of a task: the question, and a card with the verdict on the move that was tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pygame

from games.position import Position
from games.registry import Setup
from ui.board.looks import look
from ui.toolkit.accessible import Accessible
from ui.toolkit.art import rounded
from ui.toolkit.controls import Point, Widget
from ui.toolkit.i18n import t
from ui.toolkit.keys import ENTER
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour, Theme, mix
from ui.toolkit.typesetting import width_of, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.words.games import setup_name, side_name
from ui.words.move_words import line_names

ROW = 24
"""Height of a row in design pixels."""

_SIZE, _PADDING = 14, 4


class MoveLine(Widget):
    """The names of `moves`, played in turn from `position`, behind a `label`, in as many rows as fit into `rect`; the
    rest is left out.

    `rect` then ends below the last row; `cells` are the places of the moves that are shown. `action` is called with the
    number of moves up to the one that was clicked. Moves begin `indent` pixels from the left, or behind the label if
    that is longer.
    """

    def __init__(
        self, theme: Theme, rect: pygame.Rect, position: Position, moves: Sequence[int],
        action: Callable[[int], object], label: str = "", colour: Colour | None = None, indent: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(theme, rect)
        self.position, self.moves, self.action = position, tuple(moves), action
        self.label, self.colour, self.indent = label, colour or theme.palette.quiet, indent
        self.chosen = 0  # how many moves the keyboard has chosen
        self._names = line_names(position, self.moves)
        self.cells, self._whole = self._place_moves()
        if self.cells:
            self.rect = pygame.Rect(rect.topleft, (rect.width, self.cells[-1].bottom - rect.top))

    def _place_moves(self) -> tuple[list[pygame.Rect], bool]:
        """The places of the moves that fit, and whether all fit."""
        px = self.theme.px
        place, row = px(_PADDING), px(ROW)
        label = width_of(self.theme, self.label, _SIZE, True) + px(10) if self.label else 0
        left = self.rect.left + max(label, self.indent)
        cells: list[pygame.Rect] = []
        x, y = left, self.rect.top
        for number, name in enumerate(self._names, 1):
            wide = width_of(self.theme, name, _SIZE) + 2 * place
            more = 0 if number == len(self._names) else width_of(self.theme, "…", _SIZE) + place
            last_row = y + 2 * row > self.rect.bottom
            if x + wide + (more if last_row else 0) > self.rect.right:
                if last_row:
                    return cells, False
                x, y = left, y + row
            cells.append(pygame.Rect(x, y, wide, row))
            x += wide
        return cells, True

    def resume(self, other: MoveLine) -> None:
        """Take over what the keyboard has chosen from `other`, which this line replaces, as far as both begin alike."""
        alike = self.moves[: len(self.cells)] if self.position is other.position else ()
        differ = (number for number, (own, old) in enumerate(zip(alike, other.moves, strict=False)) if own != old)
        self.chosen = min(other.chosen, next(differ, len(alike)))

    @property
    def pointed(self) -> int:
        """The number of moves up to the one under the mouse, or else the one chosen by the keyboard; 0 if there is
        neither."""
        if self.pointer is not None:
            return next((i for i, cell in enumerate(self.cells, 1) if cell.collidepoint(self.pointer)), 0)
        return self.chosen if self.focused else 0

    def accessible(self, key: str) -> Accessible:
        """Describe it as a list, named by its label and all moves, also those that do not fit."""
        return replace(super().accessible(key), role="list", name=" ".join([self.label, *self._names]).strip())

    def centre(self, number: int) -> Point:
        """The middle of the move `number`, counted from 1."""
        return self.cells[number - 1].center

    def release(self, point: Point) -> None:
        """Call `action` with the number of the move at `point`, counted from 1; nothing beside the moves."""
        found = next((i for i, cell in enumerate(self.cells, 1) if cell.collidepoint(point)), 0)
        if found:
            self.action(found)

    def key(self, event: pygame.event.Event) -> bool:
        """Choose a move with Left and Right; call `action` with its number by Enter, which does nothing without one."""
        steps = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}
        if event.key in steps:
            self.chosen = max(1, min(self.chosen + steps[event.key], len(self.cells)))
        elif event.key in ENTER and self.chosen:
            self.action(self.chosen)
        return event.key in (*steps, *ENTER)

    def draw(self, surface: pygame.Surface) -> None:
        """Write the label and the moves that fit, those up to the one pointed at highlighted, and … if moves are left
        out."""
        theme, palette, pointed = self.theme, self.theme.palette, self.pointed
        if self.label:
            row = pygame.Rect(self.rect.left, self.rect.top, self.rect.width, theme.px(ROW))
            write(surface, theme, self.label, row, _SIZE, self.colour, bold=True)
        for number, (name, cell) in enumerate(zip(self._names, self.cells, strict=False), 1):
            if number <= pointed:
                rounded(surface, cell.inflate(0, -theme.px(4)), mix(palette.panel, palette.accent, 0.28), theme.px(4))
            write(surface, theme, name, cell.inflate(-2 * theme.px(_PADDING), 0), _SIZE)
        if not self._whole and self.cells:
            after = self.cells[-1].move(self.cells[-1].width, 0)
            write(surface, theme, "…", after, _SIZE, palette.text)


TASK_LINE = 22
"""Height of a line in design pixels."""

_CARD_PADDING, _BADGE = 12, 20  # design pixels
_ROW_MOVES = 4  # moves of a line that fit behind its label


def build_task(host: Host, widgets: Widgets, space: Space, setup: Setup, turn: int, asked: str) -> None:
    """Take room from the top for the name of the game, the side to move and the question `asked`."""
    theme, px = host.theme, host.theme.px
    widgets.label(space.top(px(TASK_LINE)), setup_name(setup), 16, theme.palette.quiet)
    head = Space(space.top(px(28)), px(8))
    badge, place = look(setup.game).badge, head.left(px(_BADGE))
    widgets.paint(lambda surface: badge(surface, theme, place, turn))
    widgets.label(head.rest, t("play.turn", side=side_name(setup.game, turn)), bold=True)
    lines = wrapped(theme, asked, space.rest.width, 16)
    widgets.lines(Space(space.top(len(lines) * px(TASK_LINE))), lines, px(TASK_LINE))


def build_verdict(
    host: Host, widgets: Widgets, space: Space, told: Iterable[str], tone: Colour, label: str, start: Position,
    moves: Sequence[int], play: Callable[[int], object], rows: int,
) -> MoveLine | None:  # fmt: skip
    """Take room from the top for a card with the sentences `told`, the first in bold, and below them `moves` from
    `start` in at most `rows` rows. Return the widget of the moves, None if there are none. Without a sentence there is
    no card."""
    theme, px = host.theme, host.theme.px
    room = space.rest.width - 2 * px(_CARD_PADDING)
    sentences = [wrapped(theme, each, room, 16, bold=number == 0) for number, each in enumerate(told)]
    if not sentences:
        return None
    height = sum(map(len, sentences)) * px(TASK_LINE) + min(rows, -(-len(moves) // _ROW_MOVES)) * px(ROW)
    card = space.top(height + 2 * px(_CARD_PADDING))
    widgets.card(card, tone)
    inside = Space(card.inflate(-2 * px(_CARD_PADDING), -2 * px(_CARD_PADDING)))
    for number, lines in enumerate(sentences):
        widgets.lines(inside, lines, px(TASK_LINE), bold=number == 0)
    if not moves:
        return None
    return widgets.add("line", MoveLine(theme, inside.rest, start, moves, play, label, theme.palette.text))
