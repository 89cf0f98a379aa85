"""The menu that asks before a game goes on from an earlier position."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from games.record import Node
from ui.board.view import BoardView
from ui.host import Host
from ui.toolkit.i18n import t
from ui.toolkit.layout import BUTTON
from ui.toolkit.menu import Menu
from ui.words.moves import move_name


def open_branch_menu(
    host: Host, board: BoardView, node: Node, move: int, branch: Callable[[], object], *, leave: Callable[[], object]
) -> None:
    """Ask at the point of `move` on the `board`, which shows `node`; call `branch`, or `leave` to return."""
    side = host.theme.px(BUTTON)
    under = pygame.Rect(board.pixel_of(move), (0, 0)).inflate(side, side)
    words = t("play.branch_here", move=move_name(node.position, move))
    actions = {"branch": branch, "return": leave}
    options = [("branch", words), ("return", t("play.return"))]
    host.overlay = Menu(host, under, options, "", lambda answer: actions[answer]())
