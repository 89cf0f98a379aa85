"""A second opinion on the judgements behind reasons, by another player than the one that found them.

Reasons say what is true of shapes and proofs (`ai.lab.claims` proves that). Whether a move is to blame is another
question: it is not if the better move loses as well, or the move still wins. A player of its own, such as an external
engine, answers it as far as it proves wins and losses in the time that it has.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ai.core.player import Info, Limit, Player, answer
from ai.core.threats import wins_of
from ai.review.judgement import MISTAKES, Judged, proves
from ai.review.report import Reviewed
from ai.review.why import Why
from games.position import Position
from games.record import Node

CAUSES = (
    "win_at_once", "ignores", "opens", "forks", "allows", "misses", "may_miss", "loses", "only_move", "lost", "hastens",
    "threatens", "leads", "attacks", "far", "centre", "side", "leaves",
)  # fmt: skip
"""The kinds of reasons that name what loses, or what would have won; the others only compare shapes."""


class Blame(StrEnum):
    """Whether a move is to blame for what its reason says: `RIGHT` as far as the other player sees; `DOUBTED` if it
    proves the opposite of what was said as an opinion; `MISPLACED` if the better move loses as well, or the move still
    wins; `FALSE` if it refutes a proof."""

    RIGHT = "right"
    DOUBTED = "doubted"
    MISPLACED = "misplaced"
    FALSE = "false"


@dataclass(slots=True)
class SecondOpinion:
    """What `player` proves of positions within `seconds` each."""

    player: Player
    seconds: float

    def wins(self, position: Position, side: int) -> bool | None:
        """Whether `side` is proven to win, or to lose; None for neither."""
        if position.outcome is not None:
            return None if position.outcome.winner is None else position.outcome.winner == side
        if wins_of(position):  # an external engine plays it without a word
            return position.turn == side
        mate = self._searched(position).mate
        return None if mate is None else (mate > 0) == (position.turn == side)

    def _searched(self, position: Position) -> Info:
        return answer(self.player, position, Limit(seconds=self.seconds))

    def blame(self, judged: Judged, why: Why) -> Blame:
        """Judge what `why` says of a move."""
        side, before = judged.side, judged.before.position
        played = self.wins(judged.node.position, side)
        better = self.wins(before.play(judged.best), side) if judged.best != judged.move else played
        match why.kind:
            case "misses" | "may_miss" | "win_at_once":
                if better is False:
                    return Blame.FALSE
                said = why.kind == "may_miss" or why.seems
                return Blame.RIGHT if played is not True else Blame.DOUBTED if said else Blame.MISPLACED
            case "lost" | "hastens":
                return Blame.FALSE if played is True or better is True else Blame.RIGHT
            case "loses" | "allows":
                if played is True:
                    return Blame.FALSE
                return Blame.RIGHT if better is not False else Blame.DOUBTED if why.seems else Blame.MISPLACED
        wrong = better is False or played is True
        return Blame.RIGHT if not wrong else Blame.MISPLACED if judged.kind in MISTAKES else Blame.DOUBTED

    def decisive(self, review: Reviewed) -> Judged | None:
        """The move after which the win of the winner of a game is proven, as it is after all later ones, and before
        which it is not; None where nobody wins, or the game was won from the start."""
        outcome = review.record.line()[-1].position.outcome
        if outcome is None or outcome.winner is None:
            return None
        found = None
        for judged in reversed([each for each in review.moves if each.side != outcome.winner]):
            if not self._proven(judged.node, outcome.winner):
                return found
            found = judged
            if not self._proven(judged.before, outcome.winner):
                return found
        return None

    def throws_away(self, decisive: Judged) -> bool:
        """Whether another move than the `decisive` one is not proven to lose: the better one of the review, or the one
        that the player would choose."""
        before, side = decisive.before.position, decisive.side
        chosen = dict.fromkeys([decisive.best, self._searched(before).move])
        others = [move for move in chosen if move != decisive.move]
        return any(self.wins(before.play(move), side) is not False for move in others)

    def _proven(self, node: Node, winner: int) -> bool:
        """Whether `winner` is proven to win, by the review or by the player."""
        known = node.evaluation
        return (known is not None and proves(known, winner)) or self.wins(node.position, winner) is True

