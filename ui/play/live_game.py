"""A game under way without pixels: who plays which side, whose clock runs, when the computer thinks and when its answer
lands. A screen shows it and passes clicks on to it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from ai.core.player import Info, Limit
from ai.players.table import for_seat, is_timed
from ai.service.searches import Purpose, Search, Searches
from games.clock import ClockFace, Stopwatch
from games.position import IllegalMove, Outcome, Position
from games.record import PERSON, GameRecord, Node, Seat, path
from ui.system.settings import DEFAULT_SECONDS

UNTIMED_SECONDS = 10.0
"""The longest that a player limited by nodes may take: only a very slow machine needs so long."""

_PACE = 0.4  # seconds a move stays alone on the board before the reply of a computer may land


class LiveGame:
    """Drives `record` with the moves that `searches` finds. Call `update` often; only it lands them.

    `changed` is called after every change of the record, to save it. `pace` is the minimum time in seconds between two
    moves, so that a person can follow; `hold` returns the minimum thinking time of a player in games without clocks,
    and `lines` how many best moves it is asked for. A computer is charged until its answer arrives, not until it lands.
    In a game with clocks an absence (see `games.clock`) is not charged and pauses the game.
    """

    def __init__(
        self,
        record: GameRecord,
        searches: Searches,
        changed: Callable[[], None] = lambda: None,
        pace: float = _PACE,
        now: Callable[[], float] = time.monotonic,
        hold: Callable[[str, Position], float] = lambda _player, _position: 0.0,
        lines: Callable[[str], int] = lambda _player: 1,
    ) -> None:
        self.record = record
        self.search: Search | None = None
        """That of the move to come, or of the last one; None after an undo or a pause."""
        self.error: Exception | None = None
        """Why the computer has failed, until `resume` or until a move is taken back."""
        self.waiting = False
        """Whether the computer is to move but waits for `resume`, after an undo, a redo or a failure."""
        self.stood_in = False
        """Whether another player has answered for one whose engine was not ready."""
        self.paused = False
        """Whether the game is paused until `resume`, whoever is to move."""
        self.held_back = False
        """Set by the owner: while true, no answer of a computer lands."""
        self._changed = changed
        self.pace = self._held = pace
        self._hold, self._lines = hold, lines
        self.searches = searches
        self._heard = False  # whether the search is over, and its answer taken
        self._answer: Info | None = None
        self._now = now
        self._watch = Stopwatch(now)  # of the side to move
        self._landed = now()

    def open(self) -> None:
        """Start or continue the game: a computer to move thinks unless it waits.

        A game with clocks that is under way stays paused, so that nobody loses time finding out where it stands.
        """
        root = self.record.root
        self.paused = self.timed and bool(root.children or root.spent)
        self._go_on()

    def close(self) -> None:
        """Stop the clock and the search."""
        self._forget()

    @property
    def timed(self) -> bool:
        """Whether the game has clocks."""
        return self.record.control is not None

    @property
    def running(self) -> bool:
        """Whether the clock of the side to move runs."""
        return self._watch.running

    def clocks(self) -> tuple[ClockFace, ClockFace] | None:
        """The clock displays now; None in an untimed game."""
        return self.record.clocks(self.seconds)

    def record_time(self) -> None:
        """Store in the record how long the side to move has thought so far."""
        self.record.cursor.spent = _milliseconds(self.seconds)

    @property
    def seat(self) -> Seat:
        """The seat of the side to move."""
        return self.record.seats[self.record.position.turn]

    @property
    def person_to_move(self) -> bool:
        """Whether the game goes on and waits for a person."""
        return self.record.outcome is None and self.seat.player == PERSON

    @property
    def thinking(self) -> bool:
        """Whether a computer searches, or its answer has not landed yet."""
        return (self.search is not None and not self._heard) or self._answer is not None

    @property
    def due(self) -> float | None:
        """Seconds until the answer that has arrived lands, infinite while it is `held_back`; None without one."""
        if self._answer is None:
            return None
        return math.inf if self.held_back else max(0.0, self._held - (self._now() - self._landed))

    @property
    def seconds(self) -> float:
        """Thinking time of the side to move so far."""
        return self._watch.seconds if self._watch.running else self.record.cursor.spent

    @property
    def people(self) -> tuple[int, ...]:
        """The sides played by persons."""
        return tuple(side for side, seat in enumerate(self.record.seats) if seat.player == PERSON)

    def play(self, move: int, answer: bool = False) -> None:
        """Play a person's move, or the `answer` of a computer. Do nothing in a pause, or while it is not their turn.
        Raise `IllegalMove`, also after the end.

        Where the time has run out before, the game is lost instead.
        """
        before = self.record.cursor
        if self.record.outcome is None and (self.person_to_move == answer or self.paused or self._expire()):
            return
        seconds = _milliseconds(self.seconds)
        node = self.record.play(move, seconds)
        self.record.promote(node)  # what was taken back is a variation
        node.seconds = seconds  # also where this move was played before
        self._watch.stop()
        before.spent = node.spent = 0.0  # also where the answer was interrupted by an undo
        if answer and before.evaluation is not None and node.outcome is None:
            after = before.evaluation.carried_over(move)
            if after is not None:
                node.learn(after)
        self.waiting = False
        self._landed = self._now()
        self._changed()
        self._go_on()

    def branch(self, node: Node, move: int) -> bool:
        """Play a person's `move` at `node` and continue the game from there; what followed becomes a
        variation. False, and nothing is changed, when the game is over or paused, or no person is to move there.

        Raise `IllegalMove`, and nothing is changed.
        """
        if self.record.outcome is not None or self.paused or node.position.turn not in self.people or self._expire():
            return False
        node.position.play(move)
        self._forget()
        self.record.go_to(node)
        self.play(move)
        return True

    @property
    def before_own_move(self) -> Node | None:
        """The position before the last move of a person, to which `undo` leads; without persons, before the last move.
        None if there is no such move."""
        people = self.people or (0, 1)
        return next((node for node in path(self.record.cursor)[-2::-1] if node.position.turn in people), None)

    @property
    def can_undo(self) -> bool:
        """Whether a person has a move to take back. A game that is over stays so."""
        return self.record.outcome is None and self.before_own_move is not None

    def undo(self) -> bool:
        """Take back moves until a person is to move: against a computer, its reply and the person's move.

        While the computer thinks, it is stopped and only one's own move is taken back. Without persons,
        one move. False if there was nothing to take back, or the time has run out before: then the game is lost.
        """
        before = self.before_own_move
        if before is None or not self.can_undo or self._expire():
            return False
        self._forget()
        while self.record.cursor is not before:
            self.record.undo()
        self._settle()
        return True

    @property
    def can_redo(self) -> bool:
        """Whether a move that was taken back can be played again."""
        return self.record.outcome is None and self.record.cursor.next is not None

    def redo(self) -> bool:
        """Replay what `undo` took back. Return False if there is nothing, or the game is over."""
        if not self.can_redo or self._expire():
            return False
        self._forget()
        self.record.redo()
        while self.people and self.record.position.turn not in self.people and self.record.redo():
            pass
        self._settle()
        return True

    def resume(self) -> None:
        """End a pause, and start a waiting computer."""
        self.waiting = self.paused = False
        self.error = None
        self._go_on()

    def pause(self) -> None:
        """Stop the clock and the computer, without an answer, until `resume`."""
        if self.record.outcome is None and not self.paused:
            self._forget()
            self.paused = True
            self._changed()

    def move_now(self) -> None:
        """Have the computer play the best move that it has found."""
        if self.search is not None:
            self.search.stop()
        self._held = 0.0  # and not held back either

    def resign(self) -> None:
        """Resign for the person to move, or for the opponent of the computer to move."""
        turn = self.record.position.turn
        if self.record.outcome is None and self.people:
            self._forget()
            self.record.resign(turn if turn in self.people else self.people[0])
            self._changed()

    def update(self) -> bool:
        """Take what the search has found, land its answer when due, and check the clock.

        True if a move has landed or the game has ended or stands still now.
        """
        if self._watch.update() and self.timed:
            self.pause()
            return True
        if self.search is not None:
            self._hear(self.search)
        if self._expire():
            return True
        answer = self._answer
        if answer is not None and self.due == 0:
            self._answer = None
            try:
                self.play(answer.move, answer=True)
            except IllegalMove as error:
                self.error, self.waiting = error, True
            return True
        return False

    def _hear(self, search: Search) -> None:
        """Take note of a search that is over: its time, and whether another player stood in."""
        self.stood_in = self.stood_in or search.stand_in
        if search.over and not self._heard:
            self._heard = True
            self.record.cursor.spent = _milliseconds(self._watch.stop(search.at))
            self._answer = search.info if search.error is None else None
            self.error = search.error
            self.waiting = self._answer is None

    def _expire(self) -> bool:
        """End the game if the side to move has no time left. Return whether it did."""
        faces, turn = self.clocks(), self.record.position.turn
        if faces is None or self.record.outcome is not None or not faces[turn].expired:
            return False
        self._forget()
        self.record.end(Outcome(1 - turn, "time"))
        self._changed()
        return True

    def _settle(self) -> None:
        """Continue after an undo or redo: a computer to move thinks at the end of the line, and waits elsewhere."""
        self.waiting = self.record.cursor.next is not None and not self.person_to_move
        self._landed = self._now()
        self._changed()
        self._go_on()

    def _forget(self) -> None:
        """Stop the clock and the search. Call this before moving the cursor."""
        if self._watch.running:
            self.record.cursor.spent = _milliseconds(self._watch.stop())
        if self.search is not None:
            self.search.drop()
        self.search = self._answer = self.error = None

    def _go_on(self) -> None:
        """Start the clock of the side to move, and its computer."""
        if self.paused or self.waiting or self.record.outcome is not None:
            return
        self._watch.start(self.record.cursor.spent)
        if not self.person_to_move:
            self._think()

    def _think(self) -> None:
        """Ask the player whose turn it is for a move, within its time."""
        named, position = self.seat.player, self.record.position
        player = for_seat(named, position.game)
        self._held = self.pace if self.timed else max(self.pace, self._hold(named, position))
        self._heard = False
        limit = Limit(seconds=self._allowed(player), lines=self._lines(player))
        self.search = self.searches.ask(self.record.cursor, Purpose.MOVE, limit, player)

    def _allowed(self, player: str) -> float:
        """Seconds for the move of `player`: its share of the time left, at most what its seat says."""
        own, control, faces = self.seat.seconds, self.record.control, self.clocks()
        if control is None or faces is None:
            return own or (DEFAULT_SECONDS if is_timed(player) else UNTIMED_SECONDS)
        share = control.share(faces[self.record.position.turn])
        return min(share, own) if own else share


def _milliseconds(seconds: float) -> float:
    """Round down to milliseconds, as records store them. Rounding up could end a game on time."""
    return int(seconds * 1000) / 1000
