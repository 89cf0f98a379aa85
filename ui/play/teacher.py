"""The teaching game: warn a person at once of a blunder, and show its refutation.

`ai.review.judgement` says what a blunder is; the searches here are fewer and shorter than those of a review.
"""

from __future__ import annotations

from dataclasses import dataclass

from ai.core.player import Limit
from ai.review.insights import why_mistake
from ai.review.judgement import BLUNDERS, judge, playable, plies_to_loss
from ai.review.why import Why
from ai.service.searches import Purpose, Search, Searches
from games.evaluation import Evaluation
from games.position import played
from games.record import Node, path
from games.registry import Setup

_BEFORE = Limit(seconds=2.0)  # while the person thinks
_AFTER = Limit(seconds=0.35)  # of the position after the move, and after the better one
_SHOWN = 7  # moves of a refutation that is not proven to win


@dataclass(frozen=True, slots=True)
class Refutation:
    """A blunder that led to `node`, of a `kind` in `BLUNDERS`, and the `line` that refutes it. `plies` is the number of
    plies to the opponent's forced win, or None; `why` is what the move overlooked, None if that is not simple to say.
    """

    node: Node
    kind: str
    line: tuple[int, ...]
    plies: int | None
    why: Why | None = None

    @property
    def row(self) -> tuple[int, ...]:
        """The winning cells of the opponent at the end of the line; empty if the line does not reach the end of the
        game."""
        steps = list(played(self.node.position, self.line))
        outcome = steps[-1][0].play(steps[-1][1]).outcome if steps else None
        return () if outcome is None else outcome.cells


class Teacher:
    """Finds blunders of the person. It searches the position while the person thinks, then the one after the move. If
    that looks like a blunder, it searches the one after the better move too: the position may have been lost before.

    `warning` is the blunder found last; the answer to it waits until the warning is cleared.
    """

    def __init__(self, searches: Searches, setup: Setup) -> None:
        self._searches = searches
        self._search: Search | None = None
        self._setup = setup
        self._node: Node | None = None  # where the game stands
        self._best: Search | None = None  # of the position before the person's move
        self._after: Evaluation | None = None  # of the position after it
        self._judging = self._awaited = False  # whether it is the person's turn at the node
        self.warning: Refutation | None = None

    @property
    def holds_answer(self) -> bool:
        """Whether the computer's answer to the person's move has to wait."""
        return self._judging or self.warning is not None

    def follow(self, node: Node, person_to_move: bool) -> None:
        """Called once a frame, before the answer to a move can be played: start and end searches for the game at
        `node`. A new node clears the warning."""
        if node is not self._node:
            self._keep_best()
            self._node, self.warning, self._after = node, None, None
            self._judging = self._best is not None and self._best.node is node.parent
            self._awaited = person_to_move
            if node.outcome is not None or not (person_to_move or self._judging):
                self._judging = False
                if self._search is not None:
                    self._search.drop()
                self._search = None
            else:
                self._search_node(node, _AFTER if self._judging else _BEFORE)
        elif self._search is not None and self._search.over:
            self._judge_if_ready(self._search)

    def _search_node(self, node: Node, limit: Limit) -> None:
        """Start a search of `node`; it replaces the one before."""
        self._search = self._searches.ask(node, Purpose.TEACHING, limit)

    def _keep_best(self) -> None:
        """Keep the search of the position before the person's move, unless it has no result or a stand-in made it."""
        search = self._search if self._awaited and not self._judging else None
        known = search is not None and search.opinion is not None and not search.stand_in
        self._best = search if known else None

    def _judge_if_ready(self, search: Search) -> None:
        """Judge the move, now that `search` is over; search the better move first if this one looks like a blunder."""
        if not self._judging:
            return
        assert self._best is not None
        assert self._best.info is not None
        assert self._node is not None
        best, known, found = self._best.info, self._best.opinion, search.opinion
        if known is None or found is None or search.stand_in or best.move == self._node.move:
            self._end_judgement(None)
            return
        better = self._best.position.play(best.move)
        if self._after is None:
            self._after = found
            if better.outcome is None and self._refutation(known) is not None:
                self._search_node(Node(better), _AFTER)
                return
        else:
            known = found.backed_up(best.move, best.depth)
        self._end_judgement(self._refutation(known))

    def _end_judgement(self, warning: Refutation | None) -> None:
        """Set the warning, None for none. If the person moves again, search the new position."""
        self._judging, self.warning = False, warning
        assert self._node is not None
        if self._awaited:
            self._search_node(self._node, _BEFORE)

    def _refutation(self, known: Evaluation) -> Refutation | None:
        """The refutation if the move is a blunder, else None; `known` is the evaluation of the position before it."""
        node, after = self._node, self._after
        assert node is not None
        assert after is not None
        judged = judge(self._setup, len(path(node)) - 2, node, known, after)
        if judged is None or judged.kind not in BLUNDERS:
            return None
        plies, line = plies_to_loss(node.position, after, judged.side), playable(node.position, after.line)
        why = why_mistake(judged, known, after)
        return Refutation(node, judged.kind, line if plies is not None else line[:_SHOWN], plies, why)

    def close(self) -> None:
        """Forget the game, until `follow` is called again."""
        self._node = self._search = None


