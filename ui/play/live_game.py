"""A game under way without pixels: who plays which side, whose clock runs, when the computer thinks and when its answer
lands. A screen shows it and passes clicks on to it."""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from ai.core.player import Info, Limit
from ai.gomoku.opening_decisions import Ask, OpeningDecision, Searching, decide
from ai.players.table import for_seat, is_timed
from ai.service.searches import Purpose, Search, Searches
from games.clock import ClockFace, Stopwatch
from games.opening_rules import OpeningStep
from games.position import IllegalMove, Outcome, Position
from games.record import PERSON, GameRecord, Node, Seat, path
from ui.system.settings import DEFAULT_SECONDS

UNTIMED_SECONDS = 10.0
"""The longest that a player limited by nodes may take: only a very slow machine needs so long."""

_HURRIED = 0.05  # seconds of each further search for a decision in the opening, once the move is wanted now
_PACE = 0.4  # seconds a move stays alone on the board before the reply of a computer may land


class LiveGame:
    """Drives `record` with the moves that `searches` finds. Call `update` often; only it lands them.

    `changed` is called after every change of the record, to save it. `pace` is the minimum time in seconds between two
    moves, so that a person can follow; `hold` returns the minimum thinking time of a player in games without clocks,
    and `lines` how many best moves it is asked for. A computer is charged until its answer arrives, not until it lands.
    In a game with clocks an absence (see `games.clock`) is not charged and pauses the game. The steps of an opening are
    taken by whoever it asks; `draw` chooses for a computer among what is equally good.
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
        draw: random.Random | None = None,
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
        self.decision: OpeningDecision | None = None
        """What a computer has decided last in the opening, while that is news."""
        self.decided_by = 0
        """The player of the opening that has decided."""
        self._draw = draw or random.Random()
        self._deciding: Searching | None = None  # what a computer decides in the opening
        self._plan: deque[OpeningStep] = deque()  # the steps that it has decided on
        self._untaken: list[OpeningStep] = []  # steps of the opening that were taken back, the last one first taken
        self._hurried = False
        self._heard = False  # whether the search is over, and its answer taken
        self._answer: Info | OpeningStep | None = None
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
        """The seat of the side whose player is to act."""
        return self.record.seats[self.record.turn]

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
        demand = self.record.demand
        if demand is not None:
            self.take(OpeningStep(demand.point, move), answer)
            return
        before = self.record.cursor
        if self._refuses(answer):
            return
        seconds = _milliseconds(self.seconds)
        node = self.record.play(move, seconds)
        self._moved(before, node, seconds)
        opening = self.record.opening
        if not answer or opening is None or before.position.ply > len(opening.stones):
            self.decision = None
        if answer and before.evaluation is not None and node.outcome is None:
            after = before.evaluation.carried_over(move)
            if after is not None:
                node.learn(after)
        self._went_on()

    def take(self, step: OpeningStep, answer: bool = False) -> None:
        """Take a person's step of the opening, or that of a computer, as `play` does a move. Raise `IllegalMove`."""
        before = self.record.cursor
        if self._refuses(answer):
            return
        seconds = _milliseconds(self.seconds)
        node = self.record.take(replace(step, seconds=seconds))
        self._moved(before, node, seconds)
        if not answer:
            self.decision = None
        self._went_on()

    def _refuses(self, answer: bool) -> bool:
        """Whether nothing can be played now, by a person or as the `answer` of a computer."""
        return self.record.outcome is None and (self.person_to_move == answer or self.paused or self._expire())

    def _moved(self, before: Node, node: Node, seconds: float) -> None:
        """Note what a move from `before` to `node`, or a step that is none, took, and stop the clock."""
        self._untaken.clear()
        if node is not before:
            self.record.promote(node)  # what was taken back is a variation
            node.seconds = seconds  # also where this move was played before
        self._watch.stop()
        before.spent = node.spent = 0.0  # also where the answer was interrupted by an undo

    def _went_on(self) -> None:
        """Continue after a move: save it, and let the next player think."""
        self.waiting = False
        self._landed = self._now()
        self._changed()
        self._go_on()

    def branch(self, node: Node, move: int) -> bool:
        """Play a person's `move` at `node` and continue the game from there; what followed becomes a
        variation. False, and nothing is changed, when the game is over or paused, no person is to move there, or the
        opening is not over there.

        Raise `IllegalMove`, and nothing is changed.
        """
        if self.record.outcome is not None or self.paused or self.in_opening(node):
            return False
        if node.position.turn not in self.people or self._expire():
            return False
        node.position.play(move)
        self._forget()
        self.record.go_to(node)
        self.play(move)
        return True

    @property
    def before_own_move(self) -> Node | None:
        """The position before the last move of a person, to which `undo` leads; without persons, before the last move.
        None if there is no such move after the opening."""
        people, agreed = self.people or (0, 1), self._agreed
        moved = (node for node in path(self.record.cursor)[-2::-1] if node.position.ply >= agreed)
        return next((node for node in moved if node.position.turn in people), None)

    @property
    def _agreed(self) -> float:
        """How many moves belong to the opening; infinite until it is over."""
        opening = self.record.opened
        return 0 if opening is None else len(opening.stones) if opening.demand is None else math.inf

    def in_opening(self, node: Node) -> bool:
        """Whether the move from `node`, which is on the line of play, belongs to the opening."""
        return node.position.ply < self._agreed

    @property
    def can_undo(self) -> bool:
        """Whether a person has a move, or a step of the opening, to take back. A game that is over stays so."""
        if self.record.outcome is not None:
            return False
        return self.before_own_move is not None or self._own_steps > 0

    @property
    def _own_steps(self) -> int:
        """How many steps of the opening are taken back at once: up to the last one of a person; 0 for none."""
        opening, people = self.record.opened, self.people or (0, 1)
        players = () if opening is None else opening.players[::-1]
        if opening is None:
            return 0
        return next((count for count, player in enumerate(players, 1) if opening.side_of(player) in people), 0)

    def undo(self) -> bool:
        """Take back moves until a person is to move: against a computer, its reply and the person's move.

        While the computer thinks, it is stopped and only one's own move is taken back. Without persons,
        one move. False if there was nothing to take back, or the time has run out before: then the game is lost.
        """
        if not self.can_undo or self._expire():
            return False
        before, steps = self.before_own_move, self._own_steps
        self._forget()
        self.decision = None
        if before is not None:
            while self.record.cursor is not before:
                self.record.undo()
        else:
            while not self.record.may_untake:  # moves of computers after the opening
                self.record.undo()
            for _ in range(steps):
                self._untaken.append(self.record.untake())
        self._settle()
        return True

    @property
    def can_redo(self) -> bool:
        """Whether a move, or a step of the opening, that was taken back can be played again."""
        if self.record.outcome is not None:
            return False
        return bool(self._untaken) if self.record.demand is not None else self.record.cursor.next is not None

    def redo(self) -> bool:
        """Replay what `undo` took back. Return False if there is nothing, or the game is over."""
        if not self.can_redo or self._expire():
            return False
        self._forget()
        self._redo_once()
        while self.can_redo and self.people and self.record.turn not in self.people:
            self._redo_once()
        self._settle()
        return True

    def _redo_once(self) -> None:
        """Play the move, or take the step of the opening, that was taken back last; there must be one."""
        if self.record.demand is None:
            self.record.redo()
        else:
            self.record.take(self._untaken.pop())

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
        self._held, self._hurried = 0.0, True  # and not held back either

    def resign(self) -> None:
        """Resign for the person to move, or for the opponent of the computer to move."""
        turn = self.record.turn
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
                if isinstance(answer, OpeningStep):
                    self.take(answer, answer=True)
                else:
                    self.play(answer.move, answer=True)
            except IllegalMove as error:
                self.error, self.waiting = error, True
            return True
        return False

    def _hear(self, search: Search) -> None:
        """Take note of a search that is over: its time, and whether another player stood in."""
        self.stood_in = self.stood_in or search.stand_in
        if search.over and not self._heard and self._deciding is not None and search.error is None:
            assert search.info is not None
            self._decide(search.info)
        elif search.over and not self._heard:
            self._heard = True
            self.record.cursor.spent = _milliseconds(self._watch.stop(search.at))
            self._answer = search.info if search.error is None else None
            self.error = search.error
            self.waiting = self._answer is None

    def _expire(self) -> bool:
        """End the game if the side to move has no time left. Return whether it did."""
        faces, turn = self.clocks(), self.record.turn
        if faces is None or self.record.outcome is not None or not faces[turn].expired:
            return False
        self._forget()
        self.record.end(Outcome(1 - turn, "time"))
        self._changed()
        return True

    def _settle(self) -> None:
        """Continue after an undo or redo: a computer to move thinks at the end of the line, and waits elsewhere."""
        stays = self.record.cursor.next is not None or self.record.demand is not None
        self.waiting = stays and not self.person_to_move
        self._landed = self._now()
        self._changed()
        self._go_on()

    def _forget(self) -> None:
        """Stop the clock and the search. Call this before moving the cursor."""
        if self._watch.running:
            self.record.cursor.spent = _milliseconds(self._watch.stop())
        if self.search is not None:
            self.search.drop()
        self.search = self._answer = self.error = self._deciding = None
        self._plan.clear()

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
        self._heard = self._hurried = False
        if self.record.demand is not None:
            self._think_of_opening()
            return
        limit = Limit(seconds=self._allowed(player), lines=self._lines(player))
        self.search = self.searches.ask(self.record.cursor, Purpose.MOVE, limit, player)

    def _think_of_opening(self) -> None:
        """Take the next step of the plan of the player whose turn it is, or begin to decide what the opening asks."""
        opening = self.record.opening
        if self._plan:
            self._answer, self._heard, self.search = self._plan.popleft(), True, None
            self.record.cursor.spent = _milliseconds(self._watch.stop())
        elif opening is not None:
            self._deciding = decide(self.record.setup, opening, self.record.position, self._draw)
            self._decide(None)

    def _decide(self, found: Info | None) -> None:
        """Go on with what the last search has found: search again, or take the first step that was decided on."""
        assert self._deciding is not None
        try:
            asked = next(self._deciding) if found is None else self._deciding.send(found)
        except StopIteration as end:
            self.decision = end.value
            demand = self.record.demand
            self.decided_by = 0 if demand is None else demand.player
            self._deciding = self.search = None
            self._plan.extend(end.value.steps)
            self._answer, self._heard = self._plan.popleft(), True
            self.record.cursor.spent = _milliseconds(self._watch.stop())
        except IllegalMove as error:  # a player has found a move that is none
            self._heard = self.waiting = True
            self.error, self._deciding = error, None
        else:
            self._search(asked)

    def _search(self, asked: Ask) -> None:
        """Search a position for a decision in the opening, in its share of the time."""
        node, player = self.record.cursor, for_seat(self.seat.player, self.record.setup.game)
        seconds = _HURRIED if self._hurried else self._allowed(player) * asked.share
        limit = Limit(seconds=max(_HURRIED, seconds), lines=asked.lines)
        of = node if asked.position is node.position else Node(asked.position)
        self.search = self.searches.ask(of, Purpose.MOVE, limit, player)

    def _allowed(self, player: str) -> float:
        """Seconds for the move of `player`: its share of the time left, at most what its seat says."""
        own, controls, faces, turn = self.seat.seconds, self.record.controls, self.clocks(), self.record.turn
        if controls is None or faces is None:
            return own or (DEFAULT_SECONDS if is_timed(player) else UNTIMED_SECONDS)
        share = controls[turn].share(faces[turn])
        return min(share, own) if own else share


def _milliseconds(seconds: float) -> float:
    """Round down to milliseconds, as records store them. Rounding up could end a game on time."""
    return int(seconds * 1000) / 1000
