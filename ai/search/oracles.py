"""What guides a Monte Carlo tree search: priors over the moves of a position and its value.

An `Oracle` is asked once for each position that the search adds to its tree. Playouts, the game's own evaluation, the
patterns of an engine and a network are oracles alike: the search knows none of them.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, Protocol

from ai.core.score import curve_of
from games.position import FIRST, Outcome, Position


class Guidance(NamedTuple):
    """What an oracle says about a position in which the game is not over.

    `priors` are the probabilities of the legal moves worth searching, at least one, in the order in which to try equal
    ones; they add up to 1. `value` is the expected result for the side to move: 1 a win, 0 a draw, -1 a loss. `win`, if
    not empty, is a proven win of the side to move: its first move and, as far as they are known, those after it, the
    last of which ends the game in `plies`. With `complete`, the position is lost if each of these moves loses; without
    it the search then tries the other legal moves, too.
    """

    priors: Mapping[int, float]
    value: float
    win: tuple[int, ...] = ()
    plies: int = 0
    complete: bool = False


class Oracle(Protocol):
    """A judge of positions for the search. Only one thread uses it at a time."""

    def evaluate(self, position: Position) -> Guidance:
        """Judge `position`, in which the game is not over. Take a few milliseconds at most: a stop waits for it."""


class CachingOracle:
    """Asks `oracle` once for each position and then repeats its answer. A repeated search is faster, and is the same
    even if the oracle draws random numbers."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._known: dict[Hashable, Guidance] = {}

    def evaluate(self, position: Position) -> Guidance:
        """Return the first answer of the oracle to a position with the same key."""
        found = self._known.get(position.key)
        if found is None:
            found = self._known[position.key] = self._oracle.evaluate(position)
        return found


# Oracles for any game: its own evaluation, and random playouts.


_DEEPEST = 400  # plies of a playout; longer than any game here
_FALL = 0.8  # factor from the prior of a candidate to that of the next one
_LONGEST_FORCED = 8  # forced replies that a static evaluation follows


class StaticOracle:
    """An oracle from the rules of a game: priors fall in the order of its candidates, and the value is its evaluation.

    Where there is one candidate only, the position is not quiet: the evaluation is that of the first position after it
    with a choice.
    """

    def __init__(self) -> None:
        self._priors: dict[int, Sequence[float]] = {}

    def evaluate(self, position: Position) -> Guidance:
        """Return a win at once by the first candidate; else falling priors, and as the value the expected result by the
        static evaluation after forced moves. No other win is proven."""
        moves = position.candidates()
        if (win := win_at_once(position, moves)) is not None:
            return win
        value = _value_after_forced_moves(position, moves)
        priors = dict(zip(moves, self._falling_priors(len(moves)), strict=True))
        return Guidance(priors, value if position.turn == FIRST else -value)

    def _falling_priors(self, count: int) -> Sequence[float]:
        """Return `count` priors, each smaller than the one before by the same factor, which add up to 1."""
        if count not in self._priors:
            weights = [_FALL**place for place in range(count)]
            total = sum(weights)
            self._priors[count] = [weight / total for weight in weights]
        return self._priors[count]


def win_at_once(position: Position, moves: Sequence[int]) -> Guidance | None:
    """Return the guidance for a win at once by the first of the candidates `moves`, which are sorted; None if that move
    does not win."""
    outcome = position.play(moves[0]).outcome
    if outcome is None or outcome.winner != position.turn:
        return None
    return Guidance({moves[0]: 1.0}, 1.0, (moves[0],), 1)


def follow_forced_moves(position: Position, moves: Sequence[int]) -> Position:
    """Return the position after playing the only candidate as long as there is just one, for a few plies at most; the
    game may be over there. `moves` are the candidates at `position`."""
    for _ in range(_LONGEST_FORCED):
        if len(moves) != 1:
            break
        position = position.play(moves[0])
        moves = position.candidates()
    return position


def _value_after_forced_moves(position: Position, moves: Sequence[int]) -> float:
    """Return the expected result for the first side, -1 to 1, after `follow_forced_moves`."""
    position = follow_forced_moves(position, moves)
    if position.outcome is not None:
        return result(position.outcome)
    value = 2 * curve_of(position).probability(position.evaluate(), position.ply) - 1
    return value if position.turn == FIRST else -value


class PlayoutOracle:
    """An oracle by random games: the mean of `count` results is the value of a position; all candidates have the same
    prior."""

    def __init__(self, count: int, seed: int | None = None) -> None:
        self._count = count
        self._random = random.Random(seed)

    def evaluate(self, position: Position) -> Guidance:
        """Return equal priors for the candidates, and as the value the mean result of `count` random games for the side
        to move. No win is proven."""
        moves = position.candidates()
        value = sum(self._playout(position) for _ in range(self._count)) / self._count
        return Guidance(dict.fromkeys(moves, 1 / len(moves)), value if position.turn == FIRST else -value)

    def _playout(self, position: Position) -> float:
        """Return the result of one random game for the first side, 1, 0 or -1; 0 also if it is too long."""
        for _ in range(_DEEPEST):
            outcome = position.outcome
            if outcome is not None:
                return result(outcome)
            position = position.play(self._random.choice(position.legal_moves()))
        return 0.0


def result(outcome: Outcome) -> float:
    """Return the result of `outcome` for the first side: 1 a win, 0 a draw, -1 a loss."""
    return 0.0 if outcome.winner is None else 1.0 if outcome.winner == FIRST else -1.0
