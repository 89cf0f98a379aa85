"""How each game looks and sounds: one `Look` for each game that differs from the defaults. Its words are in the
locales."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pygame

from games.registry import GAMES
from ui.board.bones import BonesView
from ui.board.connect4 import DISCS, EDGES, Connect4View
from ui.board.grid import GridView
from ui.board.plain import PlainView
from ui.board.tictactoe import TicTacToeView
from ui.board.tiles import TilesView
from ui.board.view import BoardView
from ui.system.sound import Name
from ui.toolkit.art import icon
from ui.toolkit.theme import Colour, Theme, mix
from ui.toolkit.typesetting import write

Badge = Callable[[pygame.Surface, Theme, pygame.Rect, int], None]
"""Draws the sign of a side in the middle of a rectangle, no larger than that."""

_LARGEST = 11  # design pixels of the radius


def _badge_radius(theme: Theme, rect: pygame.Rect) -> int:
    """Return the radius of a badge's disc that fits into `rect`, at most 11 design pixels."""
    return min(theme.px(_LARGEST), (min(rect.size) - 1) // 2)


def number_badge(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, side: int) -> None:
    """Draw a badge (see `Badge`) with the number of the side on a disc, for a game without stones."""
    palette = theme.palette.usual
    ground = mix(palette.line, palette.quiet, 0.25)
    pygame.draw.aacircle(surface, ground, rect.center, _badge_radius(theme, rect))
    write(surface, theme, str(side + 1), rect, 14, palette.text, bold=True, align="centre")


def disc_badge(*colours: tuple[Colour, Colour]) -> Badge:
    """Return a badge that is a disc; `colours` are for each side that of the disc and that of its edge."""

    def draw(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, side: int) -> None:
        """Draw the disc of `side`."""
        fill, edge = colours[side]
        radius = _badge_radius(theme, rect)
        pygame.draw.aacircle(surface, edge, rect.center, radius)
        pygame.draw.aacircle(surface, fill, rect.center, radius - theme.px(1))

    return draw


def cross_or_circle_badge(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, side: int) -> None:
    """Draw a badge (see `Badge`) of tic-tac-toe: a cross for the first side, a circle for the second."""
    name, colour = (("close", theme.palette.accent), ("ring", theme.palette.info))[side]
    image = icon(name, 2 * _badge_radius(theme, rect), colour)
    surface.blit(image, image.get_rect(center=rect.center))


STONES = disc_badge(((24, 24, 26), (110, 112, 118)), ((246, 244, 238), (150, 146, 138)))


@dataclass(frozen=True, kw_only=True)
class Look:
    """How a game looks and sounds. `view` makes a renderer of the board; if None, the game has a plain board of cells
    and stones, or of tiles.

    `badge` draws the sign of a side; `sides` are the colours of the two sides in a bar, None for those of the palette.
    `sound` (`ui.system.sound.NAMES`) is played at a move. A level answers quickly in the first `opening` plies, and
    takes longer afterwards; 0 for a game in which all plies take the same. `caption` returns a text that a small
    picture of a position shows in place of the board; None to show the board.
    """

    view: Callable[[], BoardView] | None = None
    badge: Badge = STONES
    sides: tuple[Colour, Colour] | None = None
    sound: Name = "stone"
    opening: int = 0
    caption: Callable[[Any], str] | None = None


LOOKS: dict[str, Look] = {
    "gomoku": Look(view=GridView, sides=((24, 24, 26), (246, 244, 238)), opening=6),
    "tictactoe": Look(view=TicTacToeView, badge=cross_or_circle_badge),
    "bones": Look(view=BonesView, badge=number_badge, sound="bones", caption=lambda heap: str(heap.left)),
    "connect4": Look(
        view=Connect4View, badge=disc_badge(*zip(DISCS, EDGES, strict=True)), sides=DISCS, sound="disc"
    ),
}


def look(game: str) -> Look:
    """Return the look of `game`, or the default one."""
    return LOOKS.get(game, Look())


def board_view(game: str) -> BoardView:
    """Return a new renderer for `game`. Raise `KeyError` for an unknown game."""
    view, rules = look(game).view, GAMES[game]
    if view is not None:
        return view()
    return TilesView() if rules.board is None else PlainView(rules)
