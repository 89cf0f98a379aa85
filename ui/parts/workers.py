"""What each worker of a cluster does: the moves it searches, and how deep."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame

from games.position import Position
from ui.host import Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import write
from ui.words.workers import address, worker_task

if TYPE_CHECKING:
    from ai.distributed.player import Doing

_ROW, _NAME = 20, 46  # design pixels of a row; per cent of its width for the name
_MOST = 6  # rows


class WorkersTable(Part):
    """Takes its room from the bottom of the space, for at most `_MOST` rows; none where there is no room for two.

    `workers` returns what the workers do, searching the position that `position` returns.
    """

    def __init__(
        self, host: Host, workers: Callable[[], tuple[Doing, ...]], position: Callable[[], Position]
    ) -> None:
        self._host, self._workers, self._position = host, workers, position
        self.rect: pygame.Rect | None = None

    def make_room(self, space: Space, spared: int) -> None:
        """Take the room, and leave `spared` design pixels."""
        px = self._host.theme.px
        rows = min(_MOST, (space.rest.height - space.gap - px(spared)) // px(_ROW))
        self.rect = space.bottom(rows * px(_ROW)) if rows >= 2 else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self.rect is None:
            return
        theme, quiet, position = self._host.theme, self._host.theme.palette.quiet, self._position()
        space, workers = Space(self.rect, 0), self._workers()
        rows = self.rect.height // theme.px(_ROW)
        shown = workers if len(workers) <= rows else workers[: rows - 1]
        for worker in shown:
            row = Space(space.top(theme.px(_ROW)), theme.px(8))
            write(surface, theme, address(worker.name), row.left(row.rest.width * _NAME // 100), 14, quiet)
            write(surface, theme, worker_task(position, worker), row.rest, 14, theme.palette.text, align="right")
        if len(shown) < len(workers):
            text = t("cluster.more", count=len(workers) - len(shown))
            write(surface, theme, text, space.top(theme.px(_ROW)), 14, quiet)
