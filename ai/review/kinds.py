"""The kinds of moves, and the accuracy of players, by win probability lost.

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

In a position that is proven lost no move is `best`, and none is a mistake: it is an `inaccuracy` if it is proven to
lose `HASTENED` plies earlier than best play, otherwise `good`.

The loss of a move is the mover's win probability (0–1) before it, with best play, minus that after it, at least 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

BEST, INACCURACY, MISTAKE, BLUNDER = 0.02, 0.05, 0.10, 0.20

NEAR = 11
"""A forced win in at most so many plies is blamed on the move before it. A longer one may have been there already."""

HASTENED = 4
"""Plies by which a move in a lost position must hasten the end to be an inaccuracy."""

KINDS = ("best", "good", "inaccuracy", "mistake", "blunder", "missed_win", "only_move")

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
    """One of `KINDS`. `only`: all other moves are proven to lose. `won_before`: the mover had a forced win.
    `lost_in`: plies to the opponent's forced win after the move, or None.
    `sound`: without hindsight the move looked as good as the best. `held`: plies that best play is proven to hold out
    after the move if the position was lost before, else None; not more than `lost_in` if nothing is proven."""
    if held is not None:
        hastened = 0 if first_choice or lost_in is None else held - lost_in
        return "inaccuracy" if hastened >= HASTENED else "good"
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
    """Accuracy of a move in per cent: 100 where nothing is lost, 64 for 0.1, 25 for 0.3, 0 from 0.8 on.

    lichess's formula and constants as https://lichess.org/page/accuracy has them: its argument is win probability in per
    cent, which our curves are calibrated to give as well, so that no constant depends on the engine's unit. Its source
    (lila, AccuracyPercent.scala) adds 1 for imperfect analysis.
    """
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354 * loss) - 3.1669))


def accuracy(losses: Sequence[float], wins: Sequence[float], whose: Sequence[int], side: int) -> float | None:
    """Accuracy of `side` in a game, in per cent, or None if it made no move: `losses` by move, `whose` they were, and
    `wins`, the first side's win probability before each move and after the last.

    The mean of `move_accuracy` over the side's moves, each of which counts by what was at stake. The idea is KaTrain's
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
    """The weight of a move that lost `loss`, before which either side's win probability was `win`: 1 in a level game,
    at least 0.1 in a decided one."""
    return min(1.0, max(0.1, 4 * win * (1 - win), 4 * loss))
