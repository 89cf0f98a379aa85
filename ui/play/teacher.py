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
    """A blunder that led to `node`, of a `kind` in `BLUNDERS`, and the `line` that refutes it. `plies` are those to the
    opponent's forced win, or None; `why` is what the move overlooked, as far as that is simple."""

    node: Node
    kind: str
    line: tuple[int, ...]
    plies: int | None
    why: Why | None = None

    @property
    def row(self) -> tuple[int, ...]:
        """The cells with which the opponent wins at the end of the line; none if it does not come so far."""
        steps = list(played(self.node.position, self.line))
        outcome = steps[-1][0].play(steps[-1][1]).outcome if steps else None
        return () if outcome is None else outcome.cells


class Teacher:
    """Call `follow` each frame. It searches the position while the person thinks; then the one after the move and, if
    that looks like a blunder, the one after the better move, which tells a blunder from a position lost before."""

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
    def holds(self) -> bool:
        """Whether the answer to the person's move has to wait."""
        return self._judging or self.warning is not None

    def follow(self, node: Node, person_to_move: bool) -> None:
        """Follow the game to `node`. Call this before the answer to a move can be played."""
        if node is not self._node:
            self._keep()
            self._node, self.warning, self._after = node, None, None
            self._judging = self._best is not None and self._best.node is node.parent
            self._awaited = person_to_move
            if node.outcome is not None or not (person_to_move or self._judging):
                self._judging = False
                if self._search is not None:
                    self._search.drop()
                self._search = None
            else:
                self._ask(node, _AFTER if self._judging else _BEFORE)
        elif self._search is not None and self._search.over:
            self._step(self._search)

    def _ask(self, node: Node, limit: Limit) -> None:
        self._search = self._searches.ask(node, Purpose.TEACHING, limit)

    def _keep(self) -> None:
        """Keep what was found before the person moved, unless a stand-in found it."""
        search = self._search
        own = search is not None and search.node is self._node and self._awaited and not self._judging
        known = own and search is not None and search.opinion is not None and not search.stand_in
        self._best = search if known else None

    def _step(self, search: Search) -> None:
        """Judge when the searches are over. The better move is searched only if the move looks like a blunder."""
        if not self._judging or self._best is None or self._best.info is None or self._node is None:
            return
        best, known, found = self._best.info, self._best.opinion, search.opinion
        if known is None or found is None or search.stand_in or best.move == self._node.move:
            self._judged(None)
            return
        better = self._best.position.play(best.move)
        if self._after is None:
            self._after = found
            if better.outcome is None and self._refutation(known) is not None:
                self._ask(Node(better), _AFTER)
                return
        else:
            known = found.backed_up(best.move, best.depth)
        self._judged(self._refutation(known))

    def _judged(self, warning: Refutation | None) -> None:
        """End the judgement. After a move that gives another turn, search the position where the person goes on."""
        self._judging, self.warning = False, warning
        if self._awaited and self._node is not None:
            self._ask(self._node, _BEFORE)

    def _refutation(self, known: Evaluation) -> Refutation | None:
        """The refutation of the move if it is a blunder, and `known` evaluates the position before it."""
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
        """Forget the game until it is followed again."""
        self._node = self._search = None


