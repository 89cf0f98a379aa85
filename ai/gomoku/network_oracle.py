"""The network for gomoku as what guides a Monte Carlo tree search, with the engine's proofs."""

from __future__ import annotations

from math import sqrt

from ai.gomoku.patterns_oracle import PatternsOracle
from ai.network.network import Network, load_weights, planes_of, weights_file
from ai.network.oracle import softmax
from ai.search.guidance import Guidance
from games.line import LinePosition
from games.position import Position


class GuidedNetwork:
    """An `Oracle`: the engine's patterns, with priors that are the geometric mean of theirs and the network's, which is
    closer to the engine's moves than either (ai/lab/PLAYERS.md). The value is the engine's evaluation: the network's is
    worse so far.

    The network was trained on 15×15 without forbidden points. Raise `ValueError` with a sentence if its weights cannot
    be read.
    """

    def __init__(self) -> None:
        self._weights = load_weights(weights_file("gomoku"))
        self._patterns, self._network = PatternsOracle(), Network(self._weights)

    def evaluate(self, position: Position) -> Guidance:
        """Raise `ValueError` for a game that is not five in a row."""
        known = self._patterns.evaluate(position)
        if known.win:
            return known
        assert isinstance(position, LinePosition)
        logits, _value = self._of(position).evaluate(planes_of(position, position.rules.width))
        network = softmax(logits, list(known.priors))
        weights = {move: sqrt(prior * network[move]) for move, prior in known.priors.items()}
        total = sum(weights.values())
        return known._replace(priors={move: weight / total for move, weight in weights.items()})

    def _of(self, position: LinePosition) -> Network:
        """Return the network for the size of the board."""
        board = position.rules.height, position.rules.width
        if board != (self._network.height, self._network.width):
            self._network = Network(self._weights, board)
        return self._network
