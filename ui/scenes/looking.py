"""A game scene in which a click on a move looks at it: the board shows that moment, and the game goes on meanwhile."""

from __future__ import annotations

from pathlib import Path

import pygame

from games.record import GameRecord, Node, path
from ui.host import Host
from ui.panels.moves import MoveList
from ui.scenes.game import GameScene
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import write

LOOKING = (
    Binding(("pageup",), "do_look_back", "keys.look_back"),
    Binding(("pagedown",), "do_look_on", "keys.look_on"),
    Binding(("end",), "do_return", "keys.return"),
)

_FRAME = 3  # design pixels of the line around a board that does not show the game as it stands


class LookingScene(GameScene):
    """The cursor of the record is where the game stands; `looked` is the moment that is looked at instead, if any.

    Looking never moves the cursor: clocks and engines know nothing of it.
    """

    def __init__(self, host: Host, record: GameRecord, file: Path | None = None) -> None:
        super().__init__(host, record)
        self.looked: Node | None = None

    def shown(self) -> Node:
        return self.looked or self.record.cursor

    def look(self, node: Node) -> None:
        self.looked = None if node is self.record.cursor or self.hidden else node

    # The list of moves.

    def build_panel(self, space: Space) -> None:
        """Fill what is left of the panel with the list of moves."""
        self.moves = MoveList(self.host.theme, space.rest, self.record)

    def sync(self, now: float) -> None:
        super().sync(now)
        self.moves.follow(self.shown())

    def wheel(self, turns: int) -> bool:
        over = self.moves.rect.collidepoint(pygame.mouse.get_pos())
        if over:
            self.moves.scroll(-turns)
        return over

    def clicked(self, pixel: tuple[int, int]) -> bool:
        node = None if self.hidden else self.moves.node_at(pixel)
        if node is None:
            return super().clicked(pixel)
        self.widgets.leave_focus()
        self.look(node)
        return True

    def pointed_node(self) -> Node | None:
        return self.moves.node_at(pygame.mouse.get_pos())

    def places(self) -> dict[str, tuple[int, int]]:
        return self.moves.places()

    # Ways to look.

    def do_look_back(self) -> None:
        self.look(self.shown().parent or self.record.root)

    def do_look_on(self) -> None:
        self.look(self.shown().next or self.shown())

    def do_return(self) -> None:
        """Back to where the game stands."""
        self.looked = None

    def do_back(self) -> None:
        if self.looked is not None:
            self.do_return()
        else:
            super().do_back()

    # Time and picture.

    def update(self, now: float) -> None:
        if self.looked is not None:
            self.look(self.looked)  # the game may have come to this moment
        super().update(now)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        super().draw(surface, now)
        if not self.hidden:
            self.moves.draw(surface, pygame.mouse.get_pos())
        if self.looked is not None:
            theme, px = self.host.theme, self.host.theme.px
            around = self.board_rect.inflate(2 * px(_FRAME + 2), 2 * px(_FRAME + 2))
            pygame.draw.rect(surface, theme.palette.info, around, px(_FRAME), px(12))

    def draw_turn(self, surface: pygame.Surface) -> None:
        """Says which move is looked at."""
        at, last = len(path(self.shown())) - 1, len(self.record.line()) - 1
        text = t("play.looking", ply=at, total=last)
        write(surface, self.host.theme, text, self.turn_rect, 16, self.host.theme.palette.info, bold=True)

    def status_text(self) -> str:
        return t("play.looking_about")
