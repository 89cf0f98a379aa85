"""A position that is being set up, without pixels: what the parts of the analysis board share."""

from __future__ import annotations

from dataclasses import replace

from games.arrangement import Arrangement
from games.game import Game
from games.record import GameRecord
from games.registry import GAMES, setup
from ui.board.registry import look
from ui.board.view import Pointer
from ui.host import Host
from ui.toolkit.i18n import t

ERASER, TURNS = 2, 3
"""The tools that take stones away, and put one for the side to move; the others are sides, whose stones they put."""


def arrangeable() -> list[Game]:
    """The games in which positions can be set up."""
    return [game for game in GAMES.values() if game.arrange is not None]


class Arranging:
    """Begins with the position at the cursor of `record`, or with an empty board.

    What cannot stand is never on the board: a change that would lead there is refused with a sentence.
    """

    def __init__(self, host: Host, record: GameRecord | None) -> None:
        self._host, self.pointer, self.tool = host, Pointer(), TURNS
        self.painted: int | None = None
        """The content that a held button gives to cells."""
        self._past: list[Arrangement] = []
        self._ground: object = None  # what the pointer is on
        if record is None or GAMES[record.setup.game].arrange is None:
            self._show(Arrangement.empty(setup(arrangeable()[0].key)))
        else:
            self._show(Arrangement.of(record))

    def _show(self, to: Arrangement) -> None:
        self.now = to
        self.position = to.position(to.turn)
        if self._ground != self.ground:
            self._ground, self.pointer, self.painted = self.ground, Pointer(), None

    @property
    def ground(self) -> tuple[str, tuple[int, int]]:
        """The game and the size of its board, which decide what moves there are to point at."""
        return self.now.setup.game, self.now.setup.board

    @property
    def ready(self) -> bool:
        """Whether a game can go on from here."""
        return self.position.outcome is None

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    def change(self, to: Arrangement) -> bool:
        """Go on with `to`, or say why it cannot be."""
        if to == self.now:
            return False
        try:
            to.position(to.turn)
        except ValueError:
            here = self.now
            self._host.say(t("editor.refused"), "bad", holds=lambda: self.now is here)
            return False
        self._past.append(self.now)
        self._show(to)
        return True

    def undo(self) -> None:
        if self._past:
            self._show(self._past.pop())

    def clear(self) -> None:
        self.change(Arrangement.empty(self.now.setup))

    def set_game(self, game: str) -> None:
        if game != self.now.setup.game:
            self.change(Arrangement.empty(setup(game)))

    def set_rule(self, rule: str) -> None:
        self.change(self.now.on(replace(self.now.setup, rule=rule)))

    def step_size(self, step: int) -> None:
        sizes = GAMES[self.now.setup.game].sizes
        size = max(sizes[0], min(sizes[-1], self.now.setup.size + step))
        self.change(self.now.on(replace(self.now.setup, size=size)))

    def take(self, tool: int) -> None:
        self.tool = tool

    def set_turn(self, side: int) -> None:
        self.change(replace(self.now, turn=side))

    def paint(self, move: int, content: int) -> None:
        """Give `content` to the cell of `move`."""
        self._put(self.now.with_content(move, content))

    def _put(self, to: Arrangement) -> None:
        grows = sum(map(bool, to.cells)) >= sum(map(bool, self.now.cells))
        if self.change(to) and grows:
            self._host.sounds.play(look(self.now.setup.game).sound)

    def press(self, move: int, erasing: bool = False) -> None:
        """Put a stone of the tool's side, or take away one that lies there already; paint the same as long as a mouse
        button is held, but with the tool `TURNS`. Without cells, make the move in the heap, or undo it."""
        if self.tool == TURNS and self.now.cells and not erasing:
            self._put(self.now.played(move))
        elif self.now.cells:
            wanted = 0 if erasing or self.tool == ERASER else self.tool + 1
            self.painted = self.now.clicked(move, wanted)
            self.paint(move, self.painted)
        else:
            self.step_size(move if erasing else -move)
