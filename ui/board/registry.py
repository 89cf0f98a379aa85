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

    `badge` draws the sign of a side, and `sound` (`ui.system.sound.NAMES`) is heard at a move. A level answers
    quickly in the first `opening` plies of a deep game, and takes longer elsewhere; other games have 0.
    """

    view: Callable[[], BoardView]
    badge: Badge = badges.number
    sound: Name = "stone"
    opening: int = 0


STONES = badges.discs(((24, 24, 26), (110, 112, 118)), ((246, 244, 238), (150, 146, 138)))

LOOKS: dict[str, Look] = {
    "gomoku": Look(view=GridView, badge=STONES, opening=6),
    "tictactoe": Look(view=TicTacToeView, badge=badges.crosses_and_circles),
    "bones": Look(view=BonesView, sound="bones"),
    "connect4": Look(view=Connect4View, badge=badges.discs(*zip(DISCS, EDGES, strict=True))),
}


def board_view(game: str) -> BoardView:
    """A new renderer for `game`. Raises `KeyError`."""
    return LOOKS[game].view()
