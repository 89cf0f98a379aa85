"""The sounds of a game: of its moves and of its end."""

from __future__ import annotations

from games.position import Outcome
from games.record import GameRecord, Node, only_person
from ui.board.looks import look
from ui.system.sound import Name
from ui.window.host import Host
from ui.window.part import Part


class MoveSounds(Part):
    """`endings` tells whether the end of the game is heard, too."""

    def __init__(self, host: Host, record: GameRecord, endings: bool = False) -> None:
        self._host, self._record, self._endings = host, record, endings
        self._heard: tuple[Node, Outcome | None] | None = None

    def open(self) -> None:
        self._heard = self._heard or (self._record.cursor, self._record.outcome)

    def update(self, now: float) -> None:
        record, before = self._record, self._heard
        self._heard = record.cursor, record.outcome
        if before is None:
            return
        node, outcome = before
        if record.position.ply > node.position.ply:
            self._host.sounds.play(look(record.setup.game).sound)
        ending = ending_sound(record)
        if self._endings and outcome is None and ending is not None:
            self._host.sounds.play(ending)


def ending_sound(record: GameRecord) -> Name | None:
    """How the end of `record` sounds to whom it may concern: a loss only to the one person at the board."""
    if record.outcome is None:
        return None
    if record.outcome.winner is None:
        return "draw"
    return "loss" if only_person(record.seats) == 1 - record.outcome.winner else "win"
