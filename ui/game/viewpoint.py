"""Which moment of a game under way the board shows."""

from __future__ import annotations

from games.record import GameRecord, Node


class Viewpoint:
    """The cursor of `record` is where the game stands; `earlier` is the moment shown in its place, None if there is
    none. A viewpoint never moves the cursor, so that clocks and engines go on meanwhile."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self.earlier: Node | None = None

    @property
    def node(self) -> Node:
        """The moment that is shown."""
        return self.earlier or self.record.cursor

    def show(self, node: Node) -> None:
        self.earlier = None if node is self.record.cursor else node

    def back(self) -> None:
        """Show the move before."""
        self.show(self.node.parent or self.record.root)

    def forward(self) -> None:
        """Show the move after."""
        self.show(self.node.next or self.node)

    def update(self) -> None:
        """Follow the game again once it has come to the moment that is shown."""
        self.show(self.node)

    def leave(self) -> None:
        """Show where the game stands."""
        self.earlier = None
