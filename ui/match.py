"""A game under way: who plays which side, when the engine thinks, and what its answer does to the record.

No pixels here: a scene shows a match and passes clicks on to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ai.player import PROVEN, Info, Limit, Player
from ai.players import PLAYERS, Engine, default_player, make_player
from ai.worker import Worker
from games.position import FIRST, IllegalMove, Position
from games.record import PERSON, Evaluation, GameRecord, Node, Seat

DEFAULT_SECONDS = 2.0
"""Thinking time of an engine whose seat does not say."""

_PACE = 0.4  # seconds a move stays alone on the board before the engine's reply may land


def player_of_window(name: str) -> Player:
    """The player of that name; where the engine is still being compiled, another stands in for it."""
    return Engine(stand_in=True) if name == "engine" else make_player(name)


class Match:
    """Drives `record` with `worker`. Call `update` often; it is the only method that lands engine moves.

    `changed` is called after every change of the record, and is the place to save it. `pace` is the least
    time in seconds between two moves, so that a person can follow.
    """

    def __init__(
        self,
        record: GameRecord,
        worker: Worker,
        changed: Callable[[], None] = lambda: None,
        pace: float = _PACE,
        make: Callable[[str], Player] = player_of_window,
    ) -> None:
        self.record = record
        self.worker = worker
        self.info: Info | None = None
        """The newest from the engine, also after its move has landed; on `thought_about`."""
        self.thought_about: Position | None = None
        self.error: Exception | None = None
        self.waiting = False
        """Whether the engine is to move but waits for `resume`: after a look back, or when it failed."""
        self._changed = changed
        self._pace = pace
        self._make = make
        self._players: dict[int, Player] = {}
        self._answer: Info | None = None
        self._since = time.monotonic()

    def open(self) -> None:
        """Begins or goes on: an engine to move thinks, unless it waits."""
        self._since = time.monotonic()
        self._think()

    def close(self) -> None:
        """Forgets the engine's thinking; the record stays as it is."""
        self._forget()

    @property
    def seat(self) -> Seat:
        """Who is to move."""
        return self.record.seats[self.record.position.turn]

    @property
    def person_to_move(self) -> bool:
        return self.record.outcome is None and self.seat.player == PERSON

    @property
    def thinking(self) -> bool:
        """Whether an engine's move is under way."""
        return self.worker.busy or self._answer is not None

    @property
    def landing(self) -> bool:
        """Whether an answer is there and only waits for its moment, in `due` seconds."""
        return self._answer is not None

    @property
    def due(self) -> float:
        return max(0.0, self._pace - self.seconds)

    @property
    def seconds(self) -> float:
        """How long the side to move has been thinking."""
        return time.monotonic() - self._since

    @property
    def people(self) -> tuple[int, ...]:
        """The sides that persons play."""
        return tuple(side for side, seat in enumerate(self.record.seats) if seat.player == PERSON)

    def play(self, move: int) -> None:
        """A person's move. Ignored while an engine is to move; raises `IllegalMove`."""
        if self.record.outcome is not None or self.seat.player == PERSON:
            self._land(move, None)

    def undo(self) -> bool:
        """Takes back moves until a person is to move: against an engine its reply and one's own move.

        While the engine thinks, it is stopped and only one's own move is taken back. Without persons,
        one move. False if there was nothing to take back.
        """
        here = self.record.cursor
        if here.ending is None and not self._persons_turn_before(here):
            return False
        ended = here.ending is not None
        self._forget()
        self.record.undo()
        while not ended and self.people and self.record.position.turn not in self.people:
            self.record.undo()
        self._settle()
        return True

    def _persons_turn_before(self, node: Node) -> bool:
        ancestor = node.parent
        while ancestor is not None and self.people and ancestor.position.turn not in self.people:
            ancestor = ancestor.parent
        return ancestor is not None

    def redo(self) -> bool:
        """Plays again what `undo` took back. False if there is nothing."""
        if self.record.cursor.next is None:
            return False
        self._forget()
        self.record.redo()
        while self.people and self.record.position.turn not in self.people and self.record.redo():
            pass
        self._settle()
        return True

    def go_to(self, node: Node) -> None:
        """Looks at another moment of the game. An engine to move there waits, unless it is the end."""
        self._forget()
        self.record.go_to(node)
        self._settle()

    def resume(self) -> None:
        """Lets a waiting engine think."""
        self.waiting = False
        self.error = None
        self._think()

    def pause(self) -> None:
        """Stops the engine without an answer, until `resume`."""
        if self.record.outcome is None and not self.person_to_move:
            self._forget()
            self.waiting = True

    def move_now(self) -> None:
        self.worker.stop()
        self._since = min(self._since, time.monotonic() - self._pace)  # and not held back either

    def resign(self) -> None:
        """The person to move gives up; while an engine thinks, its opponent."""
        turn = self.record.position.turn
        if self.record.outcome is None and self.people:
            self._forget()
            self.record.resign(turn if turn in self.people else self.people[0])
            self._changed()

    def update(self) -> bool:
        """Takes what the engine has to say, and lands its answer when due. True if anything is new."""
        report = self.worker.poll()
        if report is not None:
            self.info = report.info or self.info
            if report.done:
                self._answer = report.info
                self.error = report.error
                self.waiting = report.info is None
        answer = self._answer
        if answer is not None and self.seconds >= self._pace:
            self._answer = None
            try:
                self._land(answer.move, answer)
            except IllegalMove as error:
                self.error, self.waiting = error, True
            return True
        return report is not None

    def _land(self, move: int, info: Info | None) -> None:
        seconds = round(self.seconds, 3)
        before = self.record.cursor
        self.record.play(move, seconds)
        if info is not None and info.depth > 0:
            before.evaluation = evaluation(info, before.position)
        self.waiting = False
        self._since = time.monotonic()
        self._changed()
        self._think()

    def _settle(self) -> None:
        """After a jump: an engine to move thinks at the end of the line and waits elsewhere."""
        self.waiting = self.record.cursor.next is not None and not self.person_to_move
        self._since = time.monotonic()
        self._changed()
        self._think()

    def _forget(self) -> None:
        self.worker.drop()
        self._answer = None
        self.info = None
        self.thought_about = None
        self.error = None

    def _think(self) -> None:
        if self.waiting or self.record.outcome is not None or self.person_to_move:
            return
        self.info = None
        self.thought_about = self.record.position
        turn = self.record.position.turn
        if turn not in self._players:
            # A file may name a player that this version does not have.
            named = self.seat.player
            known = named if named in PLAYERS else default_player(self.record.setup.game)
            self._players[turn] = self._make(known)
        limit = Limit(seconds=self.seat.seconds or DEFAULT_SECONDS)
        self.worker.start(self._players[turn], self.record.position, limit)


def evaluation(info: Info, position: Position) -> Evaluation:
    """`info` on `position` as a record keeps it: seen from the first side."""
    sign = 1 if position.turn == FIRST else -1
    score = max(-PROVEN, min(PROVEN, info.score))
    return Evaluation(sign * score, None if info.mate is None else sign * info.mate, info.depth)
