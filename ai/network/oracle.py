"""A trained network as what guides a Monte Carlo tree search."""

from __future__ import annotations

from math import exp

from ai.network.network import Network, load_weights, planes_of, weights_file
from ai.search.guidance import Guidance
from games.position import Position


class NetworkOracle:
    """An `Oracle`: priors from the policy head, over the candidates of a position, and the value of the value head.

    Raise `ValueError` with a sentence if the weights for `game` cannot be read.
    """

    def __init__(self, game: str) -> None:
        self._network = Network(load_weights(weights_file(game)))

    def evaluate(self, position: Position) -> Guidance:
        logits, value = self._network.evaluate(planes_of(position, self._network.width))
        moves = position.candidates()
        chosen = [float(logits[move]) for move in moves]
        most = max(chosen)
        weights = [exp(logit - most) for logit in chosen]
        total = sum(weights)
        return Guidance({move: weight / total for move, weight in zip(moves, weights, strict=True)}, value)
