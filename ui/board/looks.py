"""How each game looks and sounds: one `Look` entry a game, with working defaults. Its words are in the locales."""

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


def _radius(theme: Theme, rect: pygame.Rect) -> int:
    """The radius of a badge's disc that fits into `rect`, at most 11 design pixels."""
    return min(theme.px(_LARGEST), (min(rect.size) - 1) // 2)


def number(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, side: int) -> None:
    """The default badge of a game without stones: the number of the side on a disc."""
    palette = theme.palette.usual
    ground = mix(palette.line, palette.quiet, 0.25)
    pygame.draw.aacircle(surface, ground, rect.center, _radius(theme, rect))
    write(surface, theme, str(side + 1), rect, 14, palette.text, bold=True, align="centre")


def discs(*colours: tuple[Colour, Colour]) -> Badge:
    """A disc for each side, by its colour and that of its edge."""

    def draw(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, side: int) -> None:
        fill, edge = colours[side]
        radius = _radius(theme, rect)
        pygame.draw.aacircle(surface, edge, rect.center, radius)
        pygame.draw.aacircle(surface, fill, rect.center, radius - max(1, theme.px(1)))

    return draw


def crosses_and_circles(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, side: int) -> None:
    """The badge of tic-tac-toe: a cross for the first side, a circle for the second."""
    name, colour = (("close", theme.palette.accent), ("ring", theme.palette.info))[side]
    image = icon(name, 2 * _radius(theme, rect), colour)
    surface.blit(image, image.get_rect(center=rect.center))


STONES = discs(((24, 24, 26), (110, 112, 118)), ((246, 244, 238), (150, 146, 138)))


@dataclass(frozen=True, kw_only=True)
class Look:
    """`view` makes a renderer of the board; without one the game has a plain board of cells and stones.

    `badge` draws the sign of a side; `sides` are their colours in a bar, those of the palette if None. `sound`
    (`ui.system.sound.NAMES`) is heard at a move. A level answers quickly in the first `opening` plies of a deep game,
    and takes longer elsewhere; other games have 0. `caption` is what a small picture of a position says in place of the
    board.
    """

    view: Callable[[], BoardView] | None = None
    badge: Badge = STONES
    sides: tuple[Colour, Colour] | None = None
    sound: Name = "stone"
    opening: int = 0
    caption: Callable[[Any], str] | None = None


LOOKS: dict[str, Look] = {
    "gomoku": Look(view=GridView, sides=((24, 24, 26), (246, 244, 238)), opening=6),
    "tictactoe": Look(view=TicTacToeView, badge=crosses_and_circles),
    "bones": Look(view=BonesView, badge=number, sound="bones", caption=lambda heap: str(heap.left)),
    "connect4": Look(
        view=Connect4View, badge=discs(*zip(DISCS, EDGES, strict=True)), sides=DISCS, sound="disc"
    ),
}


def look(game: str) -> Look:
    """The entry of `game`, or the default."""
    return LOOKS.get(game, Look())


def board_view(game: str) -> BoardView:
    """A new renderer for `game`. Raise `KeyError`."""
    view, rules = look(game).view, GAMES[game]
    if view is not None:
        return view()
    return TilesView() if rules.board is None else PlainView(rules)
