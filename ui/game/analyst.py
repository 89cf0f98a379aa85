"""The analysis of a game: what an engine finds at the cursor, kept in the nodes."""

from __future__ import annotations

from functools import partial

from ai.player import Info, Limit
from ai.score import Score
from games.record import GameRecord, Node
from ui.board.view import Candidate
from ui.game.adviser import Adviser
from ui.game.words import first_side_score
from ui.host import Host

_LIMIT = Limit(seconds=8.0, lines=3)


class Analyst:
    """While it is `on`, an engine thinks about the position at the cursor of `record`.

    A position has one evaluation, that of its node: the best that is known, from this search or an earlier one.
    """

    def __init__(self, host: Host, record: GameRecord) -> None:
        self.record = record
        self.on = False
        self.learned = False
        """Whether there are evaluations that were not in the file; for the scene to reset."""
        self._adviser = Adviser(host.wake, partial(host.player, "engine", book=False), host.engine)
        self._best: dict[Node, Info] = {}  # the search that the evaluation of a node is from

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
        live = self._adviser.info if self._adviser.position is self.record.position else None
        return self._best.get(self.record.cursor, live)

    @property
    def stand_in(self) -> bool:
        """Whether that is from the player that stands in for the engine."""
        return self.info is not None and self.info.stand_in

    def toggle(self) -> None:
        self.on = not self.on
        if not self.on:
            self._adviser.forget()

    def update(self) -> None:
        """Asks about the position at the cursor, and takes what is new."""
        position, node = self.record.position, self.record.cursor
        if self.on and self._adviser.position is not position:
            self._adviser.ask(position, _LIMIT)
        info = self._adviser.info if self._adviser.update() else None
        if info is None or info.depth <= 0 or info.stand_in or self._adviser.position is not position:
            return
        found = info.evaluation(position.turn)
        if node.learn(found):
            self.learned = True
        if node.evaluation == found:
            self._best[node] = info

    def candidates(self) -> tuple[Candidate, ...]:
        """The best moves, with their scores where these agree with the evaluation of the position."""
        info, position, node = self.info, self.record.position, self.record.cursor
        if info is None or not info.lines:
            return ()
        told, best = node in self._best, info.lines[0].score
        return tuple(
            Candidate(
                line.moves[0],
                first_side_score(line.score, position.turn) if told else "",
                _quality(line.score, best),
            )
            for line in info.lines
        )

    def close(self) -> None:
        self._adviser.close()


def _quality(score: int, best: int) -> float:
    """How good a move is beside the best one, 1 to 0."""
    if (Score(score).mate is None) != (Score(best).mate is None):
        return 0.1
    return max(0.0, 1.0 - abs(best - score) / 400)
