"""The analysis of a game: what an engine finds at the cursor, kept in the nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from operator import is_not
from typing import Protocol

from ai.player import Info, Limit
from ai.review.review import playable
from ai.score import Score
from games.position import Position
from games.record import Node
from ui.board.view import Candidate
from ui.game.adviser import Adviser
from ui.game.words import evaluation_text, first_side_score
from ui.host import Host

SECONDS = 20.0
"""Of a search, unless `deepen` asks for more."""

MOST_LINES = 5


@dataclass(frozen=True, slots=True)
class Found:
    """One of the best moves with what follows it: `text` is its score from the first side, or empty where another
    search knows the position better; `quality` is 1 (the best) to 0."""

    moves: tuple[int, ...]
    text: str
    quality: float


class Shown(Protocol):
    """What is analysed: a record, or a view of one."""

    @property
    def cursor(self) -> Node: ...

    @property
    def position(self) -> Position: ...


class Analyst:
    """While it is `on`, an engine thinks about the position at the cursor of `record`.

    A position has one evaluation, that of its node: the best that is known, from this search or an earlier one. A
    position that was searched for long enough, also if its file says so, is not searched again.
    """

    def __init__(self, host: Host, record: Shown, lines: int = 3) -> None:
        self.record = record
        self.on = False
        self.learned = False
        """Whether there are evaluations that were not in the file; for the scene to reset."""
        self.wanted = lines
        """How many of the best moves are wanted, at most `MOST_LINES`."""
        self._adviser = Adviser(host.wake, partial(host.player, "engine", book=False), host.engine)
        self._best: dict[Node, Info] = {}  # the search that the evaluation of a node is from
        self._newest: dict[Node, Info] = {}
        self._times: dict[Node, int] = {}  # how many times as long as usual a position is to be searched
        self._lines_of_file = lines  # as many are taken as asked for where only the file knows the position
        self._lines: dict[Node, int] = {}  # how many were asked for, by finished searches
        self._asked: Limit | None = None
        self._told: tuple[tuple[object, ...], tuple[Found, ...]] = ((), ())

    @property
    def busy(self) -> bool:
        return self._adviser.busy

    @property
    def nodes(self) -> int:
        return self._adviser.nodes

    @property
    def info(self) -> Info | None:
        """The best search of the position at the cursor."""
        if not self.on:
            return None
        node = self.record.cursor
        return self._best.get(node) or self._live or self._newest.get(node)

    @property
    def _live(self) -> Info | None:
        """What the search under way has found."""
        return self._adviser.info if self._adviser.position is self.record.position else None

    @property
    def stand_in(self) -> bool:
        """Whether that is from the player that stands in for the engine."""
        return self.info is not None and self.info.stand_in

    def toggle(self) -> None:
        self.on = not self.on
        if not self.on:
            self._adviser.forget()

    def pause(self) -> None:
        """Think about nothing until the next `update`."""
        self._adviser.forget()

    def deepen(self) -> None:
        """Search the position at the cursor twice as long as before."""
        node = self.record.cursor
        self._times[node] = 2 * self._times.get(node, 1)

    @property
    def complete(self) -> bool:
        """Whether the position at the cursor has been searched for long enough, for as many moves as wanted."""
        node = self.record.cursor
        known, times = node.evaluation, self._times.get(node, 1)
        if node.outcome is not None:
            return True
        if known is None or not (known.line or node in self._newest):
            return False
        if self._lines.get(node, self._lines_of_file) < self.wanted:
            return False
        return known.seconds >= times * SECONDS

    def update(self) -> None:
        """Ask about the position at the cursor, and take what is new."""
        if not self.on:
            return
        node, adviser = self.record.cursor, self._adviser
        limit = Limit(seconds=SECONDS * self._times.get(node, 1), lines=self.wanted)
        if adviser.position is not node.position or self._asked != limit:
            adviser.forget()
            if not self.complete:
                self._asked = limit
                adviser.ask(node.position, limit)
        fresh, info = adviser.update(), self._live
        if fresh and info is not None and not info.stand_in and (info.depth > 0 or info.mate is not None):
            self._take(node, info)
            if not adviser.busy:
                self._finish(node, limit)

    def _take(self, node: Node, info: Info) -> None:
        self._newest[node] = info
        known = node.evaluation
        found = info.evaluation(node.position.turn, round(info.seconds, 3)).with_findings_of(known)
        self.learned = node.learn(found) or self.learned
        if node.evaluation == found:
            self._best[node] = info

    def _finish(self, node: Node, limit: Limit) -> None:
        """Note that the search had all its time, also where it needed less or found less than was known."""
        known, seconds = node.evaluation, limit.seconds or 0.0
        self._lines[node] = limit.lines
        if known is not None and known.seconds < seconds:
            node.evaluation = replace(known, seconds=seconds)
            self.learned = True

    def lines(self) -> tuple[Found, ...]:
        """The best moves at the cursor with what follows them, as far as it can be played, best first."""
        node, info = self.record.cursor, self.info
        if not self.on or node.outcome is not None:
            return ()
        known = node, info, node.evaluation, self.wanted
        if len(self._told[0]) != len(known) or any(map(is_not, self._told[0], known)):
            self._told = known, self._lines_of(node, info)
        return self._told[1]

    def _lines_of(self, node: Node, info: Info | None) -> tuple[Found, ...]:
        position, known = node.position, node.evaluation
        others = info.lines if info is not None else ()
        told = info is not None and self._best.get(node) is info
        found = [] if told or known is None else [Found(playable(position, known.line), evaluation_text(known), 1.0)]
        for line in others:
            text = first_side_score(line.score, position.turn) if told else ""
            found.append(Found(playable(position, line.moves), text, _quality(line.score, others[0].score)))
        best = {each.moves[0]: each for each in reversed(found) if each.moves}
        return tuple(each for each in found if each.moves and best[each.moves[0]] is each)[: self.wanted]

    def candidates(self) -> tuple[Candidate, ...]:
        """The best moves, with their scores where these agree with the evaluation of the position."""
        return tuple(Candidate(found.moves[0], found.text, found.quality) for found in self.lines())

    def close(self) -> None:
        self._adviser.close()


def _quality(score: int, best: int) -> float:
    """How good a move is beside the best one, 1 to 0."""
    if (Score(score).mate is None) != (Score(best).mate is None):
        return 0.1
    return max(0.0, 1.0 - abs(best - score) / 400)
