"""The panel of a task: what is asked, and a card with the verdict on the move that was tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from games.position import Position
from games.registry import Setup
from ui.board.looks import look
from ui.parts.move_line import ROW, MoveLine
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour
from ui.toolkit.typesetting import wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.words.games import setup_name, side_name

TASK_LINE = 22
"""Height of a line in design pixels."""

_PADDING, _BADGE = 12, 20  # design pixels
_ROW_MOVES = 4  # moves of a line that fit behind its label


def build_task(host: Host, widgets: Widgets, space: Space, setup: Setup, turn: int, asked: str) -> None:
    """Take room from the top for the game, whose turn it is, and what is asked."""
    theme, px = host.theme, host.theme.px
    widgets.label(space.top(px(TASK_LINE)), setup_name(setup), 16, theme.palette.quiet)
    head = Space(space.top(px(28)), px(8))
    badge, place = look(setup.game).badge, head.left(px(_BADGE))
    widgets.paint(lambda surface: badge(surface, theme, place, turn))
    widgets.label(head.rest, t("play.turn", side=side_name(setup.game, turn)), bold=True)
    lines = wrapped(theme, asked, space.rest.width, 16)
    widgets.lines(Space(space.top(len(lines) * px(TASK_LINE)), 0), lines, px(TASK_LINE))


def build_verdict(
    host: Host, widgets: Widgets, space: Space, told: Iterable[str], tone: Colour, label: str, start: Position,
    moves: Sequence[int], play: Callable[[int], object], rows: int,
) -> MoveLine | None:  # fmt: skip
    """Take room from the top for a card with the sentences `told`, the first in bold, and below them `moves` from
    `start` in at most so many `rows`; return the latter, if there are any. Without a sentence there is no card."""
    theme, px = host.theme, host.theme.px
    room = space.rest.width - 2 * px(_PADDING)
    sentences = [wrapped(theme, each, room, 16, bold=number == 0) for number, each in enumerate(told)]
    if not sentences:
        return None
    height = sum(map(len, sentences)) * px(TASK_LINE) + min(rows, -(-len(moves) // _ROW_MOVES)) * px(ROW)
    card = space.top(height + 2 * px(_PADDING))
    widgets.card(card, tone)
    inside = Space(card.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), 0)
    for number, lines in enumerate(sentences):
        widgets.lines(inside, lines, px(TASK_LINE), bold=number == 0)
    if not moves:
        return None
    return widgets.add("line", MoveLine(theme, inside.rest, start, moves, play, label, theme.palette.text))
