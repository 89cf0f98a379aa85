"""The network for gomoku as what guides a Monte Carlo tree search, with the engine's proofs."""

from __future__ import annotations

from ai.gomoku.patterns_oracle import PatternsOracle
from ai.network.network import Network, load_weights, planes_of, weights_file
from ai.network.oracle import softmax
from ai.search.guidance import Guidance
from games.line import LinePosition
from games.position import Position


class GuidedNetwork:
    """An `Oracle`: the engine's patterns say which moves matter and prove wins by fours; the network gives the priors
    of these moves and the value.

    It was trained on 15×15 without forbidden points. Raise `ValueError` with a sentence if its weights cannot be read.
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
        logits, value = self._of(position).evaluate(planes_of(position, position.rules.width))
        return known._replace(priors=softmax(logits, list(known.priors)), value=value)

    def _of(self, position: LinePosition) -> Network:
        """Return the network for the size of the board."""
        board = position.rules.height, position.rules.width
        if board != (self._network.height, self._network.width):
            self._network = Network(self._weights, board)
        return self._network
