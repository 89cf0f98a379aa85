"""One renderer for each kind of board."""

from __future__ import annotations

from ui.board.bones import BonesView
from ui.board.grid import GridView
from ui.board.tictactoe import NoughtsView
from ui.board.view import BoardView


def board_view(game: str) -> BoardView:
    """A new renderer for the game of that key in `games.registry.GAMES`. Raises `KeyError`."""
    views: dict[str, type[BoardView]] = {"tictactoe": NoughtsView, "gomoku": GridView, "bones": BonesView}
    return views[game]()
