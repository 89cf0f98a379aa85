"""A new game that begins with the moves of another one."""

from __future__ import annotations

from games.record import GameRecord, Node, Seat, path


def continued(record: GameRecord, seats: tuple[Seat, Seat], end: Node | None = None) -> GameRecord:
    """Return a new game between `seats` that begins with the moves up to `end`, or else the cursor of `record`, and
    their evaluations."""
    copy = GameRecord(record.setup, seats, stones=record.stones)
    copy.cursor.evaluation = record.root.evaluation
    for node in path(end or record.cursor)[1:]:
        if node.move is not None:
            copy.play(node.move, node.seconds).evaluation = node.evaluation
    return copy
