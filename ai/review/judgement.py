"""Judge a move by what is known of the positions before and after it.

This is the only judge of mistakes: the review and the teaching game both call `judge`. Which searches a judgement needs
is decided by them, and `ai.review.kinds` defines the kinds of moves.
"""

from __future__ import annotations

from dataclasses import dataclass

from ai.review.evidence import playable, proves
from ai.review.kinds import BLUNDER, INACCURACY, MISTAKE, kind_of
from ai.review.win_probability import side_wins, win_probability
from ai.score import Score
from games.position import Position
from games.record import Evaluation, Node
from games.registry import Setup

_LONGEST_LINE = 30


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of a line: the `number`-th, from 0, by `side`, which led to `node`.

    `kind` is one of `kinds.KINDS`; `loss` and `win` are win probabilities of the side that moved: what it lost, and
    what it has after the move. `line` is best play from before the move on and begins with `best`, which may be the
    move itself.
    """

    number: int
    node: Node
    side: int
    kind: str
    loss: float
    win: float
    best: int
    line: tuple[int, ...]

    @property
    def before(self) -> Node:
        """The node at which the move was played."""
        assert self.node.parent is not None
        return self.node.parent

    @property
    def move(self) -> int:
        assert self.node.move is not None
        return self.node.move


def judge(
    setup: Setup,
    number: int,
    node: Node,
    known: Evaluation | None,
    after: Evaluation | None,
    confirmed: bool = False,
) -> Judged | None:
    """Judge the move that led to `node`, the `number`-th of its line; None if either position is not evaluated.

    `known` is the evaluation of the position before the move, `after` of the one after it; a finished game needs none.
    Set `confirmed` if both searches were long enough for a mistake to rest on them: they overrule a first choice.
    """
    assert node.parent is not None
    assert node.move is not None
    before, side = node.parent.position, node.parent.position.turn
    won, win = win_for(setup, before, known, side), win_for(setup, node.position, after, side)
    if known is None or won is None or win is None:
        return None
    loss, line = max(0.0, won - win), playable(before, known.line)
    first_choice = line[:1] == (node.move,)
    if first_choice and (loss < MISTAKE or confirmed):
        loss = 0.0  # what refutes it is beyond the engine's horizon
    if first_choice or (not line and loss < INACCURACY):
        line = (node.move, *(playable(node.position, after.line) if after is not None else ()))
    line = line or (node.move,)
    kind = kind_of(
        loss,
        first_choice=line[0] == node.move,
        only=known.only,
        won_before=proves(known, side),
        lost_in=plies_to_loss(node.position, after, side),
        sound=node.move in known.sound,
    )
    return Judged(number, node, side, kind, loss, win, line[0], line[:_LONGEST_LINE])


def win_for(setup: Setup, position: Position, known: Evaluation | None, side: int) -> float | None:
    """The win probability of `side`, a draw being half a win; None if the game goes on and nothing is `known`."""
    outcome = position.outcome
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == side)
    return None if known is None else side_wins(setup, known, position.turn, position.ply, side)


def plies_to_loss(position: Position, known: Evaluation | None, side: int) -> int | None:
    """Plies to the forced win of the opponent of `side`, or None; 0 if the opponent has won."""
    if position.outcome is not None:
        return 0 if position.outcome.winner == 1 - side else None
    return abs(known.mate) if known is not None and known.mate is not None and proves(known, 1 - side) else None


def is_only_move(setup: Setup, position: Position, scores: tuple[int, ...]) -> bool:
    """Whether every move but the best loses `BLUNDER` or more.

    `scores` are those of the two best moves: a single one if the engine saw no other move worth a search, and none if
    the second best move was not searched.
    """
    if not scores:
        return False
    best, *others = (_win(setup, position, score) for score in scores)
    return not others or best - others[0] >= BLUNDER


def is_sound(setup: Setup, position: Position, best: int, played: int) -> bool:
    """Whether a move with the score `played` loses less than `MISTAKE` against the best one, and wins at times."""
    return _win(setup, position, played) > max(0.0, _win(setup, position, best) - MISTAKE)


def _win(setup: Setup, position: Position, score: int) -> float:
    return win_probability(setup, score, Score(score).mate, position.ply)
