"""Judge a move by what is known of the positions before and after it: its kind, by win probability lost.

This is the only judge of mistakes: the review and the teaching game both call `judge`. Which searches a judgement
needs is decided by them.

| kind | the move |
|---|---|
| `only_move` | `best`, and every other move is proven to lose |
| `best` | the engine's first choice, or less than `BEST` lost |
| `good` | less than `INACCURACY` lost |
| `blunder` | `BLUNDER` or more lost, or `INACCURACY` or more and a forced win in at most `NEAR` plies given |
| `missed_win` | gives away a forced win, for `INACCURACY` or more, but none to the other side |
| | neither of these if the move looked as good as the best to a search without hindsight |
| `mistake` | `MISTAKE` or more lost, in no such way; or a forced win given, whatever was lost |
| `inaccuracy` | `INACCURACY` or more lost, in no such way; or a win at once not taken |
| `forced` | a pass where nothing else was legal, which says nothing of who makes it |

In a position that is proven lost no move is `best`, and none is a mistake: it is an `inaccuracy` if it is proven to
lose `HASTENED` plies earlier than best play, otherwise `good`. Where a game counts and the result is proven, a move
that gives points away, but not the win, is at most `good`, and an `inaccuracy` from the share `GIVEN` of all points on.

The loss of a move is the mover's win probability (0–1) before it, with best play, minus that after it, at least 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ai.core.score import PROVEN, Score, margin_of, side_wins, win_probability
from ai.players.opponents import opponents
from games.evaluation import Evaluation
from games.position import FIRST, Position, must_pass, played, score_of
from games.record import Node
from games.registry import Setup

BEST, INACCURACY, MISTAKE, BLUNDER = 0.02, 0.05, 0.10, 0.20

NEAR = 11
"""A forced win in at most so many plies is blamed on the move before it. A longer one may have been there already."""

HASTENED = 4
"""Plies by which a move in a lost position must hasten the end to be an inaccuracy."""

GIVEN = 0.05
"""Share of the points of both sides that an inaccuracy gives away."""

KINDS = ("best", "good", "inaccuracy", "mistake", "blunder", "missed_win", "only_move", "forced")

FAULTLESS = ("best", "only_move", "forced")
"""The kinds for which there is no better line."""

BLUNDERS = ("blunder", "missed_win")
"""The kinds that the teaching game warns of."""

MISTAKES = ("mistake", *BLUNDERS)
"""The kinds that a better line is shown for, and that a longer search has to confirm."""


def kind_of(
    loss: float,
    *,
    first_choice: bool,
    only: bool,
    won_before: bool,
    lost_in: int | None,
    sound: bool = False,
    held: int | None = None,
) -> str:
    """Return the kind of a move, one of `KINDS`, by the win probability lost.

    `first_choice`: the search before it found the same move. `only`: all other moves are proven to lose. `won_before`:
    the mover had a forced win. `lost_in`: plies to the opponent's forced win after the move, or None. `sound`: without
    hindsight the move looked as good as the best. `held`: if the position was lost before, the plies after the move for
    which best play is proven to hold out, at most `lost_in` if none are proven; otherwise None.
    """
    if held is not None:
        hastened = not first_choice and lost_in is not None and held - lost_in >= HASTENED
        return "inaccuracy" if hastened else "good"
    if lost_in is not None:
        if first_choice:
            return "good"  # nothing better is known
        near = loss >= BLUNDER or (loss >= INACCURACY and lost_in <= NEAR)
        return "blunder" if near and not sound else "mistake"
    if loss < BEST or (first_choice and loss < INACCURACY):
        return "only_move" if only and first_choice else "best"
    if loss < INACCURACY:
        return "good"
    if sound:
        return "mistake" if loss >= MISTAKE else "inaccuracy"
    if won_before:
        return "missed_win"
    if loss >= BLUNDER:
        return "blunder"
    return "mistake" if loss >= MISTAKE else "inaccuracy"


def move_accuracy(loss: float) -> float:
    """Return the accuracy of a move in per cent: 100 where nothing is lost, 64 for 0.1, 25 for 0.3, 0 from 0.8 on.

    The formula and constants of https://lichess.org/page/accuracy: its argument is win probability in per cent, which
    our curves are calibrated to give as well, so that no constant depends on the engine's unit. Its source (lila,
    AccuracyPercent.scala) adds 1 for imperfect analysis.
    """
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354 * loss) - 3.1669))


def accuracy(losses: Sequence[float], wins: Sequence[float], whose: Sequence[int | None], side: int) -> float | None:
    """Return the accuracy of `side` in a game, in per cent; None if it made no move that counts.

    `losses` are the win probabilities lost by each move, `whose` the side of each, None for one that does not count;
    `wins` is the first side's win probability before each move and after the last.

    It is the mean of `move_accuracy` over the side's moves, weighted by what was at stake. The idea is KaTrain's
    (https://github.com/sanderland/katrain, `game_report` in katrain/core/ai.py): a weight from 0.05 to 1, the larger of
    what a move drawn from the policy would lose there and a quarter of the points that were lost. Without a policy, how
    open the game was stands for the first. lichess takes the mean of a mean weighted by volatility and of a harmonic
    one, which a single blunder pulls far down.
    """
    chosen = [number for number, mover in enumerate(whose) if mover == side]
    if not chosen:
        return None
    weights = [_stake(losses[number], wins[number]) for number in chosen]
    accuracies = (move_accuracy(losses[number]) for number in chosen)
    return sum(map(float.__mul__, accuracies, weights)) / sum(weights)


def _stake(loss: float, win: float) -> float:
    """Return the weight of a move that lost `loss` at a win probability `win`, from 0.1 to 1: the larger of how open
    the game was, 1 at a win probability of 0.5 and 0 at 0 or 1, and four times the loss."""
    return min(1.0, max(0.1, 4 * win * (1 - win), 4 * loss))


# Judging.


_LONGEST_LINE = 30  # of what is not proven
AT_ONCE = 3
"""Plies of a forced win up to which it is the shortest by the rules: a five, or a four that cannot be stopped."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged move: the `number`-th of its line, from 0, by `side`, which led to `node`.

    `kind` is one of `KINDS`. `loss` and `win` are win probabilities of the side that moved: what it lost, and what it
    has after the move. `line` is best play from the position before the move, beginning with `best`, which may be the
    move.
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
        """The node of the position in which the move was played."""
        assert self.node.parent is not None
        return self.node.parent

    @property
    def move(self) -> int:
        """The judged move."""
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
    With `confirmed`, both searches were long enough for a mistake to rest on them: then even the first choice of the
    search before the move can be one.
    """
    assert node.parent is not None
    assert node.move is not None
    before, side = node.parent.position, node.parent.position.turn
    won, win = win_for(setup, before, known, side), win_for(setup, node.position, after, side)
    if win is not None and must_pass(before):
        following = () if after is None else playable(node.position, after.line)
        return Judged(number, node, side, "forced", 0.0, win, node.move, (node.move, *following))
    if known is None or won is None or win is None:
        return None
    loss, line = max(0.0, won - win), playable(before, known.line)
    first_choice = line[:1] == (node.move,)
    lost_in = plies_to_loss(node.position, after, side)
    if first_choice and (loss < MISTAKE or confirmed or lost_in is not None):
        loss = 0.0  # what refutes it is beyond the engine's horizon
    if first_choice or (not line and loss < INACCURACY):
        line = (node.move, *(playable(node.position, after.line) if after is not None else ()))
    line = line or (node.move,)
    kind = kind_of(
        loss,
        first_choice=line[0] == node.move,
        only=known.only,
        won_before=proves(known, side),
        lost_in=lost_in,
        sound=node.move in known.sound,
        held=_holdout_plies(setup, before, known, lost_in),
    )
    if node.outcome is None and plies_to_loss(before, known, 1 - side) == 1 and kind in ("best", "good"):
        kind = "inaccuracy"  # five was there
    given = 0 if first_choice else points_given(node, known, after)
    if given and kind in ("best", "good"):
        kind = "inaccuracy" if given >= GIVEN * sum(score_of(node.position) or ()) else "good"
    proven = known.mate is not None or (first_choice and after is not None and after.mate is not None)
    return Judged(number, node, side, kind, loss, win, line[0], line if proven else line[:_LONGEST_LINE])


def points_given(node: Node, known: Evaluation | None, after: Evaluation | None) -> int:
    """Return how many points the move that led to `node` gave away in a game that counts; 0 if a result is not proven.

    `known` is the evaluation of the position before the move, `after` of the one after it.
    """
    assert node.parent is not None
    best, left = _lead(node.parent.position, known), _lead(node.position, after)
    if best is None or left is None:
        return 0
    return max(0, best - left if node.parent.position.turn == FIRST else left - best)


def _lead(position: Position, known: Evaluation | None) -> int | None:
    """Return by how many points the first side wins with best play, negative for a loss; None if that is not proven."""
    if position.outcome is not None and position.outcome.score is not None:
        first, second = position.outcome.score
        return first - second
    if known is None or not known.exact:
        return None
    margin = 0 if known.mate is None else margin_of(known)
    return -margin if margin and known.winner else margin


def win_for(setup: Setup, position: Position, known: Evaluation | None, side: int) -> float | None:
    """Return the win probability of `side`, a draw counting half; None if the game goes on and nothing is `known`."""
    outcome = position.outcome
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner == side)
    return None if known is None else side_wins(setup, known, position.turn, position.ply, side)


def plies_to_loss(position: Position, known: Evaluation | None, side: int) -> int | None:
    """Return the plies to the proven forced win of the opponent of `side`, 0 if it has won; None if there is none."""
    if position.outcome is not None:
        return 0 if position.outcome.winner == 1 - side else None
    return abs(known.mate) if known is not None and known.mate is not None and proves(known, 1 - side) else None


def _holdout_plies(setup: Setup, position: Position, known: Evaluation, lost_in: int | None) -> int | None:
    """Return the plies after the next move for which best play holds out in a position that is proven lost; else None.

    `lost_in` is the plies to the loss after the move that was played. A proof need not be the shortest: unless it is,
    best play is not said to hold out for longer.
    """
    plies = plies_to_loss(position, known, position.turn)
    if plies is None:
        return None
    shortest = opponents(setup.game).solvable or (lost_in is not None and lost_in <= AT_ONCE)
    return plies - 1 if shortest or lost_in is None else lost_in


def is_only_move(scores: tuple[int, ...]) -> bool:
    """Return whether the best move does not lose, and every other one is proven to.

    `scores` are those of the two best moves: a single one if the engine saw no other move worth a search, and none if
    the second best move was not searched.
    """
    lost = [score <= -PROVEN for score in scores]
    return bool(lost) and not lost[0] and all(lost[1:])


def is_sound(setup: Setup, position: Position, best: int, played: int) -> bool:
    """Return whether a move with the score `played` does not lose, and costs less than `MISTAKE` against `best`."""
    return _win(setup, position, played) > max(0.0, _win(setup, position, best) - MISTAKE)


def _win(setup: Setup, position: Position, score: int) -> float:
    """Return the win probability of a score for the side to move."""
    return win_probability(setup, score, Score(score).mate, position.ply)


# What follows from evaluations.


def playable(position: Position, moves: tuple[int, ...]) -> tuple[int, ...]:
    """Return the first of `moves` that can be played one after the other from `position`."""
    return tuple(move for _, move in played(position, moves))


def lost_since(judged: Judged) -> int | None:
    """Return the ply of the move by which the side of `judged` came into the lost position before it.

    Return 0 if that is not known or it began in one; None if that position is not proven lost.
    """
    node, other = judged.before, 1 - judged.side
    if node.evaluation is None or not proves(node.evaluation, other):
        return None
    while (before := node.parent) is not None and before.evaluation is not None and proves(before.evaluation, other):
        node = before
    if before is None or before.evaluation is None:
        return 0
    return node.position.ply - (before.position.turn == other)  # who wins has only answered what lost


def proves(known: Evaluation, side: int) -> bool:
    """Return whether the evaluation proves that `side` wins."""
    return known.mate is not None and (known.mate > 0) == (side == FIRST)


def proven_after(known: Evaluation, move: int, after: Evaluation) -> Evaluation | None:
    """Return the evaluation `after` of the position after `move`, with the proof in `known`, that of the one before.

    Return None if `after` is a proof already, or the proof in `known` does not begin with `move`.
    """
    found = None if known.mate is None or after.mate is not None else known.carried_over(move)
    if found is None:
        return None
    return replace(found, depth=max(found.depth, after.depth), seconds=after.seconds).with_findings_of(after)


def deep_enough(known: Evaluation, seconds: float) -> bool:
    """Return whether a search of `seconds` would hardly improve an evaluation.

    It is proven, was searched as long, or is as deep as such searches are: twelve plies in 0.5 s, two more for each
    doubling.
    """
    deep = known.depth >= max(6, 12 + round(2 * math.log2(seconds / 0.5)))
    return known.proven or known.seconds >= seconds or deep


def confidence(known: Evaluation | None, seconds: float) -> float:
    """Return the time that was asked for the search behind an evaluation, as a multiple of `seconds`: infinite if
    proven, 0 without a line. A review may have granted less (`ai.review.assessment`)."""
    if known is None or not known.line:
        return 0.0
    return math.inf if known.proven else round(known.seconds / seconds, 3)
