"""The kinds of moves, and the accuracy of players, by win probability lost.

| kind | the move |
|---|---|
| `only_move` | `best`, and every other move would have lost `BLUNDER` or more |
| `best` | the engine's first choice, or less than `BEST` lost |
| `good` | less than `INACCURACY` lost |
| `blunder` | `BLUNDER` or more lost, or `INACCURACY` or more and a forced win in at most `NEAR` plies given |
| `missed_win` | gives away a forced win, for `INACCURACY` or more, but none to the other side |
| | neither of these if the move looked as good as the best to a search without hindsight |
| `mistake` | `MISTAKE` or more lost, in no such way |
| `inaccuracy` | `INACCURACY` or more lost, in no such way |

In a lost position no move is `best`: it is a `mistake` if it loses `HASTENED` plies earlier than best play, otherwise
`good`.

The loss of a move is the mover's win probability (0–1) before it, with best play, minus that after it, at least 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import pstdev

BEST, INACCURACY, MISTAKE, BLUNDER = 0.02, 0.05, 0.10, 0.20

NEAR = 11
"""A forced win in at most so many plies is blamed on the move before it. A longer one may have been there already."""

HASTENED = 4
"""Plies by which a move in a lost position must hasten the end to be a mistake."""

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
    """One of `KINDS`. `only`: all other moves lose `BLUNDER` or more. `won_before`: the mover had a forced win.
    `lost_in`: plies to the opponent's forced win after the move, or None.
    `sound`: without hindsight the move looked as good as the best. `held`: plies that best play would still have held
    out after the move if the position was lost before, else None."""
    if held is not None:
        hastened = 0 if first_choice or lost_in is None else held - lost_in
        return "mistake" if hastened >= HASTENED else "good"
    if loss < BEST or (first_choice and loss < INACCURACY):
        return "only_move" if only and first_choice else "best"
    if loss < INACCURACY:
        return "good"
    if sound:
        return "mistake" if loss >= MISTAKE else "inaccuracy"
    if won_before and lost_in is None:
        return "missed_win"
    if loss >= BLUNDER or (lost_in is not None and lost_in <= NEAR):
        return "blunder"
    return "mistake" if loss >= MISTAKE else "inaccuracy"


def move_accuracy(loss: float) -> float:
    """Accuracy of a move in per cent: 100 where nothing is lost, 64 for 0.1, 25 for 0.3, 0 from 0.8 on.

    lichess's formula and constants, https://lichess.org/page/accuracy: its argument is win probability in per cent,
    which our curves are calibrated to give as well, so that no constant depends on the engine's unit.
    """
    return max(0.0, min(100.0, 103.1668 * math.exp(-4.354 * loss) - 3.1669))


def accuracy(losses: Sequence[float], wins: Sequence[float], whose: Sequence[int], side: int) -> float | None:
    """Accuracy of `side` in a game, in per cent, or None if it made no move: `losses` by move, `whose` they were, and
    `wins`, the first side's win probability before each move and after the last.

    As lichess does, the mean of two means over the side's moves: one weighted by how much the win probability varied
    around the move, so that moves of a decided game count little, and the harmonic one, so that a single blunder
    counts much.
    """
    size = max(2, min(8, len(losses) // 10))
    chosen = [number for number, mover in enumerate(whose) if mover == side]
    if not chosen:
        return None
    accuracies = [move_accuracy(losses[number]) for number in chosen]
    weights = [_volatility(wins, number, size) for number in chosen]
    weighted = sum(map(float.__mul__, accuracies, weights)) / sum(weights)
    harmonic = len(accuracies) / sum(1 / max(1.0, each) for each in accuracies)
    return (weighted + harmonic) / 2


def _volatility(wins: Sequence[float], number: int, size: int) -> float:
    """Standard deviation of the win probability, in per cent, over the `size` moves up to `number`, within 0.5 … 12."""
    first = max(0, min(number + 2 - size, len(wins) - size))
    return max(0.5, min(12.0, 100 * pstdev(wins[first : first + size])))
