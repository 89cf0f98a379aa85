"""Which moment of a game under way the board shows."""

from __future__ import annotations

from games.position import Position
from games.record import GameRecord, Node


class Viewpoint:
    """The cursor of `record` is where the game stands; `earlier` is the moment shown in its place, None if there is
    none. A viewpoint never moves the cursor, so that clocks and engines go on meanwhile."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self.earlier: Node | None = None

    @property
    def cursor(self) -> Node:
        """The moment that is shown."""
        return self.earlier or self.record.cursor

    @property
    def position(self) -> Position:
        return self.cursor.position

    def show(self, node: Node) -> None:
        self.earlier = None if node is self.record.cursor else node

    def update(self) -> None:
        """Follow the game again once it has come to the moment that is shown."""
        self.show(self.cursor)

    def leave(self) -> None:
        """Show where the game stands."""
        self.earlier = None
