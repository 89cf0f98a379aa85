"""What the workers of a cluster do, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.position import Position, played
from ui.toolkit.i18n import t
from ui.words.moves import move_name

if TYPE_CHECKING:
    from ai.distributed.player import Doing


def address(worker: str) -> str:
    """Return the address of a worker without its protocol."""
    return worker.rpartition("//")[2]


def worker_task(position: Position, worker: Doing) -> str:
    """Return what a worker searches, as ``h8 i9 · depth 14``."""
    moves = " ".join(move_name(before, move) for before, move in played(position, worker.line))
    depth = t("cluster.depth", depth=worker.depth) if worker.depth else ""
    return " · ".join(filter(None, (moves, depth)))


def workers_sentence(position: Position, workers: tuple[Doing, ...]) -> str:
    """Return what all workers do, for a line of text."""
    return "  ".join(f"{address(worker.name)}: {worker_task(position, worker)}" for worker in workers)
