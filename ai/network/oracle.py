"""A trained network as what guides a Monte Carlo tree search."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from ai.network.network import Floats, Network, load_weights, planes_of, weights_file
from ai.search.guidance import Guidance
from ai.search.oracles import quiet, result, win_at_once
from games.position import FIRST, Position


class NetworkOracle:
    """An `Oracle`: the policy head gives the priors of the candidates; the value head judges the position after the
    replies that are forced.

    Raise `ValueError` with a sentence if the weights for `game` cannot be read.
    """

    def __init__(self, game: str) -> None:
        self._network = Network(load_weights(weights_file(game)))

    def evaluate(self, position: Position) -> Guidance:
        moves = position.candidates()
        if (win := win_at_once(position, moves)) is not None:
            return win
        if len(moves) == 1:
            return Guidance({moves[0]: 1.0}, self._forced_value(position, moves))
        logits, value = self._judge(position)
        return Guidance(softmax(logits, moves), value)

    def _forced_value(self, position: Position, moves: Sequence[int]) -> float:
        """Return the value for the side to move, judged after the replies that are forced."""
        after = quiet(position, moves)
        value = self._judge(after)[1] if after.outcome is None else result(after.outcome)
        first = after.turn if after.outcome is None else FIRST
        return value if position.turn == first else -value

    def _judge(self, position: Position) -> tuple[Floats, float]:
        return self._network.evaluate(planes_of(position, self._network.width))


def softmax(logits: Floats, moves: Sequence[int]) -> dict[int, float]:
    """Return the probabilities of `moves`, in their order."""
    chosen = [float(logits[move]) for move in moves]
    most = max(chosen)
    weights = [exp(logit - most) for logit in chosen]
    total = sum(weights)
    return {move: weight / total for move, weight in zip(moves, weights, strict=True)}
