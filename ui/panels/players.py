"""The two players: stone, name, time used, and whose turn it is."""

from __future__ import annotations

import pygame

from games.position import FIRST
from games.record import GameRecord, path
from ui.icons import icon
from ui.layout import Space
from ui.palette import mix
from ui.shapes import rounded
from ui.text import write
from ui.theme import Theme
from ui.words import player_name, side_name, time_text

HEIGHT = 104
"""In design pixels."""


def draw_players(
    surface: pygame.Surface, theme: Theme, rect: pygame.Rect, record: GameRecord, running: float | None
) -> None:
    """`running` is how long the side to move has been thinking, in seconds; None when no clock runs."""
    gap = theme.px(4)
    space = Space(rect, gap)
    height = (rect.height - gap) // 2
    used = seconds_used(record)
    for side in (0, 1):
        on_move = record.outcome is None and record.position.turn == side
        extra = running if on_move and running is not None else 0.0
        _draw_player(surface, theme, space.top(height), record, side, on_move, used[side] + extra)


def seconds_used(record: GameRecord) -> list[float]:
    """How long each side has thought on the way to the cursor, in seconds."""
    used = [0.0, 0.0]
    for node in path(record.cursor)[1:]:
        used[1 - node.position.turn] += node.seconds or 0.0
    return used


def _draw_player(
    surface: pygame.Surface, theme: Theme, rect: pygame.Rect, record: GameRecord, side: int, on_move: bool, used: float
) -> None:
    palette = theme.palette
    ground = palette.raised if on_move else mix(palette.panel, palette.raised, 0.4)
    rounded(surface, rect, ground, theme.px(8))
    if on_move:
        bar = pygame.Rect(rect.left, rect.top + theme.px(10), theme.px(4), rect.height - 2 * theme.px(10))
        rounded(surface, bar, palette.accent, theme.px(2))
    space = Space(rect.inflate(-2 * theme.px(16), 0), theme.px(12))
    draw_badge(surface, theme, space.left(theme.px(24)), record.setup.game, side)
    clock = space.right(theme.px(72))
    write(surface, theme, time_text(used), clock, 20, palette.text if on_move else palette.quiet, align="right")
    seat = record.seats[side]
    mark = space.right(theme.px(18))
    image = icon("person" if seat.player == "person" else "computer", theme.px(18), palette.quiet)
    surface.blit(image, image.get_rect(center=mark.center))
    name = player_name(record.setup.game, record.seats, side)
    colour = palette.text if on_move else palette.quiet
    upper = pygame.Rect(space.rest.left, rect.top + theme.px(4), space.rest.width, rect.height // 2 - theme.px(3))
    write(surface, theme, name, upper, 16, colour, bold=True)
    lower = upper.move(0, upper.height - theme.px(1))
    write(surface, theme, side_name(record.setup.game, side), lower, 14, palette.quiet)


def draw_badge(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, game: str, side: int) -> None:
    """The sign of a side: a stone, X or O, or its number."""
    palette = theme.palette
    radius = theme.px(11)
    if game == "gomoku":
        fill, edge = ((24, 24, 26), (110, 112, 118)) if side == FIRST else ((246, 244, 238), (150, 146, 138))
        pygame.draw.aacircle(surface, edge, rect.center, radius)
        pygame.draw.aacircle(surface, fill, rect.center, radius - max(1, theme.px(1)))
    elif game == "tictactoe":
        name, colour = ("close", palette.accent) if side == FIRST else ("ring", palette.info)
        image = icon(name, theme.px(22), colour)
        surface.blit(image, image.get_rect(center=rect.center))
    else:
        pygame.draw.aacircle(surface, palette.line, rect.center, radius)
        write(surface, theme, str(side + 1), rect, 14, palette.text, bold=True, align="centre")
