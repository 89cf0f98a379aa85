"""How each game looks and sounds: one `Look` entry a game. Its words are in the locales, with fallbacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ui.board import badges
from ui.board.badges import Badge
from ui.board.bones import BonesView
from ui.board.connect4 import Connect4View
from ui.board.connect4_art import DISCS, EDGES
from ui.board.grid import GridView
from ui.board.tictactoe import TicTacToeView
from ui.board.view import BoardView
from ui.system.sound import Name


@dataclass(frozen=True, kw_only=True)
class Look:
    """`view` makes a renderer of the board; it is all that a game must give.

    `badge` draws the sign of a side, and `sound` (`ui.system.sound.NAMES`) is heard at a move. The demo on the home
    screen is played at `demo_size`, or the usual one. The first `opening` plies of a demo are chosen at random, and a
    level answers quickly in them if `deep`: then it takes longer elsewhere.
    """

    view: Callable[[], BoardView]
    badge: Badge = badges.number
    sound: Name = "stone"
    demo_size: int | None = None
    opening: int = 2
    deep: bool = False


STONES = badges.discs(((24, 24, 26), (110, 112, 118)), ((246, 244, 238), (150, 146, 138)))

LOOKS: dict[str, Look] = {
    "gomoku": Look(view=GridView, badge=STONES, demo_size=11, opening=6, deep=True),
    "tictactoe": Look(view=TicTacToeView, badge=badges.crosses_and_circles),
    "bones": Look(view=BonesView, sound="bones", demo_size=15),
    "connect4": Look(view=Connect4View, badge=badges.discs(*zip(DISCS, EDGES, strict=True))),
}


def board_view(game: str) -> BoardView:
    """A new renderer for `game`. Raises `KeyError`."""
    return LOOKS[game].view()
