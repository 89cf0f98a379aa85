"""Which search a game that is played shows: that of the analysis, of a hint, or of the engine's move."""

from __future__ import annotations

from dataclasses import dataclass

from ai.player import Info
from games.position import Position
from games.record import Evaluation, Node
from ui.game.analyst import Analyst
from ui.game.hints import Hints
from ui.game.live_game import LiveGame


@dataclass(frozen=True, slots=True)
class Search:
    """What is thought about, the newest of the search, and how many nodes it has visited, 0 when none is under way.
    `known` is the evaluation of the position if that is shown instead."""

    position: Position
    info: Info | None = None
    nodes: int = 0
    known: Evaluation | None = None

    @property
    def evaluation(self) -> Evaluation | None:
        if self.known is not None or self.info is None:
            return self.known
        return self.info.evaluation(self.position.turn)

    @property
    def stand_in(self) -> bool:
        """Whether the search is by the player that stands in for the engine."""
        return self.info is not None and self.info.stand_in


def shown_search(live: LiveGame, hints: Hints, analyst: Analyst, shown: Node) -> Search:
    """The search to show while the board shows `shown`."""
    adviser, position = hints.adviser, live.record.position
    if analyst.on:
        return Search(shown.position, analyst.info, analyst.nodes, shown.evaluation)
    if adviser.position is position:
        return Search(position, adviser.info, adviser.nodes)
    return Search(live.thought_about or position, live.info, live.worker.nodes)


def best_evaluation(search: Search, shown: Node) -> Evaluation | None:
    """What the `search` under way says of the position that is shown, or else what is known of it."""
    return (search.evaluation if search.position is shown.position else None) or shown.evaluation
