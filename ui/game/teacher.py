"""The teaching game: tells a person at once that a move is a blunder, and how it is refuted."""

from __future__ import annotations

from dataclasses import dataclass

from ai.player import Info, Limit
from ai.review.evidence import playable
from ai.review.kinds import MISTAKES, kind_of
from ai.review.view import own_moves
from ai.review.win_probability import win_probability
from ai.searches import Purpose, Search, Searches
from games.record import Node
from games.registry import Setup
from ui.toolkit.i18n import t
from ui.words.games import side_name

_BEFORE = Limit(seconds=2.0)  # while the person thinks
_AFTER = Limit(seconds=0.35)  # of the position after the move, and after the better one
_SHOWN = 7  # moves of the refutation


@dataclass(frozen=True, slots=True)
class Refutation:
    """`node` is the position after the move, which is a mistake of a `kind` of `MISTAKES`; `line` refutes it. `plies`
    is how far the forced win of the other side is, None if there is none."""

    node: Node
    kind: str
    line: tuple[int, ...]
    plies: int | None


class Teacher:
    """`follow` the game: while the person thinks, the position is searched, and after the move the positions after it
    and after the better move are. So a position that was lost anyway is no reason for a warning."""

    def __init__(self, searches: Searches, setup: Setup) -> None:
        self._searches = searches
        self._search: Search | None = None
        self._setup = setup
        self._node: Node | None = None  # where the game stands
        self._best: tuple[Node, Info] | None = None  # what is known of the position before the person's move
        self._after: Info | None = None  # what is known of the position after it
        self._judging = False
        self.warning: Refutation | None = None

    @property
    def holds(self) -> bool:
        """Whether the answer to the person's move has to wait."""
        return self._judging or self.warning is not None

    def follow(self, node: Node, person_to_move: bool) -> None:
        """The game stands at `node`. Call it before an answer to the move can land."""
        if node is not self._node:
            self._keep()
            self._node, self.warning, self._after = node, None, None
            self._judging = not person_to_move and self._best is not None and self._best[0] is node.parent
            if node.outcome is not None or not (person_to_move or self._judging):
                self._judging = False
                if self._search is not None:
                    self._search.drop()
                self._search = None
            else:
                self._ask(node, _BEFORE if person_to_move else _AFTER)
        elif self._search is not None and self._search.over:
            self._step(self._search)

    def _ask(self, node: Node, limit: Limit) -> None:
        self._search = self._searches.ask(node, Purpose.TEACHING, limit)

    def _keep(self) -> None:
        """Keep what was found before the person moved, unless it is from another player than the engine."""
        search = self._search
        known = search is not None and search.info is not None and search.node is self._node and not search.stand_in
        self._best = (search.node, search.info) if search is not None and search.info is not None and known else None

    def _step(self, search: Search) -> None:
        """Judge when the searches are over: that of the better move is needed only if the move looks bad."""
        info = search.info
        if not self._judging or self._best is None or self._node is None:
            return
        if info is None or info.stand_in or self._best[1].move == self._node.move:
            self._judging = False
        elif self._after is None:
            self._after = info
            better = self._best[0].position.play(self._best[1].move)
            if not self._judge(self._best[1].score, self._best[1].mate):
                self._judging = False
            elif better.outcome is None:
                self._ask(Node(better), _AFTER)
            else:
                self._warn(self._best[1].score, self._best[1].mate)
        else:
            self._warn(-info.score, None if info.mate is None else -info.mate)

    def _warn(self, score: int, mate: int | None) -> None:
        kind, node, after = self._judge(score, mate), self._node, self._after
        self._judging = False
        if kind and node is not None and after is not None:
            line = playable(node.position, after.pv)[:_SHOWN]
            plies = after.mate if after.mate is not None and after.mate > 0 else None
            self.warning = Refutation(node, kind, line, plies)

    def _judge(self, score: int, mate: int | None) -> str:
        """The kind of the move if the best one is worth `score` and `mate` to the person; empty if it is no blunder."""
        after, node = self._after, self._node
        assert after is not None
        assert node is not None
        ply = node.position.ply
        won = win_probability(self._setup, score, mate, ply - 1)
        left = 1 - win_probability(self._setup, after.score, after.mate, ply)
        lost_in = after.mate if after.mate is not None and after.mate > 0 else None
        kind = kind_of(
            max(0.0, won - left), first_choice=False, only=False, won_before=mate is not None and mate > 0,
            lost_in=lost_in,
        )  # fmt: skip
        return kind if kind in MISTAKES and kind != "mistake" else ""

    def dismiss(self) -> None:
        """The person plays on."""
        self.warning = None

    def close(self) -> None:
        """Forget the game until it is followed again."""
        self._node = self._search = None


def warning_sentence(game: str, warning: Refutation) -> str:
    """What a move gives away."""
    position = warning.node.position
    side = side_name(game, position.turn)
    if warning.plies is not None:
        return t("teach.loses", side=side, count=own_moves(position, warning.line, position.turn, warning.plies))
    return t("teach.missed_win" if warning.kind == "missed_win" else "teach.worse", side=side)
