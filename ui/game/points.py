"""What the rules and the patterns say of the points of a position."""

from __future__ import annotations

from ai.review.registry import insight
from games.position import FIRST, SECOND, Position, forbidden_points
from games.record import Node
from ui.board.view import Threat


class Points:
    """Computes everything once for each position."""

    def __init__(self) -> None:
        self._forbidden: tuple[Position, dict[int, str]] | None = None
        self._threats: tuple[Position, tuple[Threat, ...]] | None = None

    def forbidden(self, node: Node) -> dict[int, str]:
        """The points that the rules deny the side to move, each with the reason."""
        position = node.position
        if node.outcome is not None:
            return {}
        if self._forbidden is None or self._forbidden[0] is not position:
            self._forbidden = position, forbidden_points(position)
        return self._forbidden[1]

    def threats(self, position: Position) -> tuple[Threat, ...]:
        """What either side can make."""
        if self._threats is None or self._threats[0] is not position:
            threats = insight(position.game).threats
            found = ((side, threats(position, side)) for side in (FIRST, SECOND) if threats)
            self._threats = position, tuple(Threat(cell, side, kind) for side, of in found for cell, kind in of.items())
        return self._threats[1]
