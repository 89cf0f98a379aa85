"""A game under way, without pixels: who plays which side, whose clock runs, when a computer searches and when its move
is played.

A move of a computer arrives when its search is over, and lands when it is played on the board, which may be later.
"""

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
    """Plays `record`: moves of persons come by `play`, those of computers from `searches`. Call `update` often, since
    only it plays the moves that have arrived.

    `changed` is called after every change of the record. `pace` is the least time in seconds between two moves, so that
    a person can follow; `hold` returns the least thinking time of a player in games without clocks, `lines` the number
    of best moves that it is asked for. The clock of a computer stops when its move arrives, not when it lands. In a
    game with clocks an absence (see `games.clock`) takes no time and pauses the game. A step of an opening is taken by
    the player whom the rule asks; `draw` chooses at random between options that are equally good for a computer.
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
        """Start or continue the game: a computer to move searches, unless `waiting`.

        A game with clocks that has begun stays paused, so that nobody loses time finding out where it stands.
        """
        root = self.record.root
        self.paused = self.timed and bool(root.children or root.spent)
        self._start_turn()

    def close(self) -> None:
        """Stop the clock, and cancel the search."""
        self._stop_turn()

    @property
    def timed(self) -> bool:
        """Whether the game has clocks."""
        return self.record.control is not None

    @property
    def running(self) -> bool:
        """Whether the clock of the side to move runs."""
        return self._watch.running

    def clocks(self) -> tuple[ClockFace, ClockFace] | None:
        """The clock displays now; None in a game without clocks."""
        return self.record.clocks(self.seconds)

    def record_time(self) -> None:
        """Store in the record how long the side to move has thought so far."""
        self.record.cursor.spent = _milliseconds(self.seconds)

    @property
    def seat(self) -> Seat:
        """The seat of the player who has to act."""
        return self.record.seats[self.record.turn]

    @property
    def person_to_move(self) -> bool:
        """Whether the game is not over and a person has to act."""
        return self.record.outcome is None and self.seat.player == PERSON

    @property
    def thinking(self) -> bool:
        """Whether a computer is searching, or its move has arrived but not landed."""
        return (self.search is not None and not self._heard) or self._answer is not None

    @property
    def due(self) -> float | None:
        """Seconds until the move that has arrived lands, infinite while `held_back`; None if none has arrived."""
        if self._answer is None:
            return None
        return math.inf if self.held_back else max(0.0, self._held - (self._now() - self._landed))

    @property
    def seconds(self) -> float:
        """The seconds that the side to move has thought so far."""
        return self._watch.seconds if self._watch.running else self.record.cursor.spent

    @property
    def people(self) -> tuple[int, ...]:
        """The sides played by persons."""
        return tuple(side for side, seat in enumerate(self.record.seats) if seat.player == PERSON)

    def play(self, move: int, answer: bool = False) -> None:
        """Play `move` of the person to move or, as an `answer`, of the computer. Do nothing if it is not the turn of
        that player, or in a pause. Raise `IllegalMove`, also if the game is over.

        If the time of the side to move has run out, end the game instead.
        """
        demand = self.record.demand
        if demand is not None:
            self.take(OpeningStep(demand.point, move), answer)
            return
        before = self.record.cursor
        if self._cannot_play(answer):
            return
        seconds = _milliseconds(self.seconds)
        node = self.record.play(move, seconds)
        self._finish_turn(before, node, seconds)
        opening = self.record.opening
        if not answer or opening is None or before.position.ply > len(opening.stones):
            self.decision = None
        if answer and before.evaluation is not None and node.outcome is None:
            after = before.evaluation.carried_over(move)
            if after is not None:
                node.learn(after)
        self._continue_after_move()

    def take(self, step: OpeningStep, answer: bool = False) -> None:
        """Take a step of the opening, with the same conditions as `play`."""
        before = self.record.cursor
        if self._cannot_play(answer):
            return
        seconds = _milliseconds(self.seconds)
        node = self.record.take(replace(step, seconds=seconds))
        self._finish_turn(before, node, seconds)
        if not answer:
            self.decision = None
        self._continue_after_move()

    def _cannot_play(self, answer: bool) -> bool:
        """Whether `play` must do nothing: a pause, the other kind of player is to move, or the time has run out, which
        ends the game. False if the game is over."""
        return self.record.outcome is None and (self.person_to_move == answer or self.paused or self._lose_on_time())

    def _finish_turn(self, before: Node, node: Node, seconds: float) -> None:
        """Stop the clock, and store the `seconds` that the turn took. `node` is `before` for a step of the opening that
        is no move."""
        self._untaken.clear()
        if node is not before:
            self.record.promote(node)  # what was taken back is a variation
            node.seconds = seconds  # also where this move was played before
        self._watch.stop()
        before.spent = node.spent = 0.0  # also where the answer was interrupted by an undo

    def _continue_after_move(self) -> None:
        """Report the change, and start the next turn."""
        self.waiting = False
        self._landed = self._now()
        self._changed()
        self._start_turn()

    def branch(self, node: Node, move: int) -> bool:
        """Play a person's `move` at the earlier `node`, and continue the game from there; the moves after it become a
        variation. Return False, without a change, if the game is over or paused, or the node is in the opening or has
        no person to move.

        If the time of the side to move has run out, end the game instead and return False. Raise `IllegalMove`, without
        a change.
        """
        if self.record.outcome is not None or self.paused or self.in_opening(node):
            return False
        if node.position.turn not in self.people or self._lose_on_time():
            return False
        node.position.play(move)
        self._stop_turn()
        self.record.go_to(node)
        self.play(move)
        return True

    @property
    def before_own_move(self) -> Node | None:
        """The position before the last move of a person, to which `undo` leads; without persons, that before the last
        move. None if there is no such move after the opening."""
        people, agreed = self.people or (0, 1), self._opening_length
        moved = (node for node in path(self.record.cursor)[-2::-1] if node.position.ply >= agreed)
        return next((node for node in moved if node.position.turn in people), None)

    @property
    def _opening_length(self) -> float:
        """The number of moves in the opening: 0 in a game without one, infinite while it is under way."""
        opening = self.record.opening_here
        return 0 if opening is None else len(opening.stones) if opening.demand is None else math.inf

    def in_opening(self, node: Node) -> bool:
        """Whether the next move after `node`, which is on the line of play, belongs to the opening."""
        return node.position.ply < self._opening_length

    @property
    def can_undo(self) -> bool:
        """Whether the game is not over and a person has a move, or a step of the opening, to take back. Without
        persons, any move."""
        if self.record.outcome is not None:
            return False
        return self.before_own_move is not None or self._undo_steps > 0

    @property
    def _undo_steps(self) -> int:
        """How many steps of the opening an undo takes back: back to the last one of a person, inclusive; 0 if there is
        none."""
        opening, people = self.record.opening_here, self.people or (0, 1)
        if opening is None:
            return 0
        players = enumerate(reversed(opening.players), 1)
        return next((count for count, player in players if opening.side_of(player) in people), 0)

    def undo(self) -> bool:
        """Take back the last move of a person and what followed it. Without persons, take back one move. Return whether
        that was done.

        A computer that is searching is stopped. If the time of the side to move has run out, end the game instead and
        return False.
        """
        if not self.can_undo or self._lose_on_time():
            return False
        before, steps = self.before_own_move, self._undo_steps
        self._stop_turn()
        self.decision = None
        if before is not None:
            while self.record.cursor is not before:
                self.record.undo()
        else:
            while not self.record.may_untake:  # moves of computers after the opening
                self.record.undo()
            for _ in range(steps):
                self._untaken.append(self.record.untake())
        self._continue_after_undo()
        return True

    @property
    def can_redo(self) -> bool:
        """Whether the game is not over and a move or step of the opening can be played again."""
        if self.record.outcome is not None:
            return False
        return bool(self._untaken) if self.record.demand is not None else self.record.cursor.next is not None

    def redo(self) -> bool:
        """Play again what `undo` took back. Return False if there is nothing, or the time has run out, which ends the
        game."""
        if not self.can_redo or self._lose_on_time():
            return False
        self._stop_turn()
        self._redo_once()
        while self.can_redo and self.people and self.record.turn not in self.people:
            self._redo_once()
        self._continue_after_undo()
        return True

    def _redo_once(self) -> None:
        """Play the move, or take the step of the opening, that was taken back last; there must be one."""
        if self.record.demand is None:
            self.record.redo()
        else:
            self.record.take(self._untaken.pop())

    def resume(self) -> None:
        """End a pause, or start a computer that is `waiting`."""
        self.waiting = self.paused = False
        self.error = None
        self._start_turn()

    def pause(self) -> None:
        """Stop the clock and cancel the search until `resume`, unless the game is over."""
        if self.record.outcome is None and not self.paused:
            self._stop_turn()
            self.paused = True
            self._changed()

    def move_now(self) -> None:
        """Have the computer end its search and play the best move found so far, without delay."""
        if self.search is not None:
            self.search.stop()
        self._held, self._hurried = 0.0, True  # and not held back either

    def resign(self) -> None:
        """Resign for the person to move; while a computer is to move, for the first person. Do nothing without persons,
        or if the game is over."""
        turn = self.record.turn
        if self.record.outcome is None and self.people:
            self._stop_turn()
            self.record.resign(turn if turn in self.people else self.people[0])
            self._changed()

    def update(self) -> None:
        """Take the result of a finished search, play a move that is due, and end the game if the time has run out."""
        if self._watch.update() and self.timed:
            self.pause()
            return
        if self.search is not None:
            self._take_result(self.search)
        if self._lose_on_time():
            return
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

    def _take_result(self, search: Search) -> None:
        """Note the time and the result of a search that is over, and whether a stand-in made it. Continue a decision in
        the opening with it."""
        self.stood_in = self.stood_in or search.stand_in
        if search.over and not self._heard and self._deciding is not None and search.error is None:
            assert search.info is not None
            self._continue_decision(search.info)
        elif search.over and not self._heard:
            self._heard = True
            self.record.cursor.spent = _milliseconds(self._watch.stop(search.at))
            self._answer = search.info if search.error is None else None
            self.error = search.error
            self.waiting = self._answer is None

    def _lose_on_time(self) -> bool:
        """End the game if the side to move has no time left. Return whether it did."""
        faces, turn = self.clocks(), self.record.turn
        if faces is None or self.record.outcome is not None or not faces[turn].expired:
            return False
        self._stop_turn()
        self.record.end(Outcome(1 - turn, "time"))
        self._changed()
        return True

    def _continue_after_undo(self) -> None:
        """Report the change. A computer to move searches if no moves follow, else it waits for `resume`."""
        stays = self.record.cursor.next is not None or self.record.demand is not None
        self.waiting = stays and not self.person_to_move
        self._landed = self._now()
        self._changed()
        self._start_turn()

    def _stop_turn(self) -> None:
        """Stop the clock, cancel the search, and drop a move that has arrived. Call this before moving the cursor."""
        if self._watch.running:
            self.record.cursor.spent = _milliseconds(self._watch.stop())
        if self.search is not None:
            self.search.drop()
        self.search = self._answer = self.error = self._deciding = None
        self._plan.clear()

    def _start_turn(self) -> None:
        """Start the clock of the side to move and, if it is a computer, its search; not in a pause or while `waiting`.
        """
        if self.paused or self.waiting or self.record.outcome is not None:
            return
        self._watch.start(self.record.cursor.spent)
        if not self.person_to_move:
            self._ask_player()

    def _ask_player(self) -> None:
        """Have the computer to move search for a move, or for a step of the opening."""
        named, position = self.seat.player, self.record.position
        player = for_seat(named, position.game)
        self._held = self.pace if self.timed else max(self.pace, self._hold(named, position))
        self._heard = self._hurried = False
        if self.record.demand is not None:
            self._ask_for_opening_step()
            return
        limit = Limit(seconds=self._move_seconds(player), lines=self._lines(player))
        self.search = self.searches.ask(self.record.cursor, Purpose.MOVE, limit, player)

    def _ask_for_opening_step(self) -> None:
        """Take the next step that the computer has planned or, without a plan, let it begin its decision."""
        opening = self.record.opening
        if self._plan:
            self._answer, self._heard, self.search = self._plan.popleft(), True, None
            self.record.cursor.spent = _milliseconds(self._watch.stop())
        else:
            assert opening is not None
            self._deciding = decide(self.record.setup, opening, self.record.position, self._draw)
            self._continue_decision(None)

    def _continue_decision(self, found: Info | None) -> None:
        """Pass `found`, the last search's result (None at the beginning), to the decision. Start the search that it
        asks for next, or take its first step if it is complete."""
        assert self._deciding is not None
        try:
            asked = next(self._deciding) if found is None else self._deciding.send(found)
        except StopIteration as end:
            self.decision = end.value
            assert self.record.demand is not None
            self.decided_by = self.record.demand.player
            self._deciding = self.search = None
            self._plan.extend(end.value.steps)
            self._answer, self._heard = self._plan.popleft(), True
            self.record.cursor.spent = _milliseconds(self._watch.stop())
        except IllegalMove as error:  # a player has found a move that is none
            self._heard = self.waiting = True
            self.error, self._deciding = error, None
        else:
            self._search_for_opening(asked)

    def _search_for_opening(self, asked: Ask) -> None:
        """Start a search that the decision asks for, in its share of the time."""
        node, player = self.record.cursor, for_seat(self.seat.player, self.record.setup.game)
        share = 0.0 if self._hurried else asked.share
        limit = Limit(seconds=max(_HURRIED, share * self._move_seconds(player)), lines=asked.lines)
        of = node if asked.position is node.position else Node(asked.position)
        self.search = self.searches.ask(of, Purpose.MOVE, limit, player)

    def _move_seconds(self, player: str) -> float:
        """The seconds that `player` may search: its share of the time left, limited by its seat; without clocks those
        of its seat or a default."""
        own, controls, faces, turn = self.seat.seconds, self.record.controls, self.clocks(), self.record.turn
        if controls is None or faces is None:
            return own or (DEFAULT_SECONDS if is_timed(player) else UNTIMED_SECONDS)
        return min(controls[turn].share(faces[turn]), own or math.inf)


def _milliseconds(seconds: float) -> float:
    """Round seconds down to whole milliseconds, as records store them. Rounding up could exceed the time left."""
    return int(seconds * 1000) / 1000
