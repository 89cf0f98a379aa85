"""What each worker of a search does: a table with a row for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from ui.toolkit.art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour
from ui.toolkit.typesetting import write
from ui.window.host import Host
from ui.window.part import Part

_MOST = 6  # rows of words
_ROW, _GAP = 20, 8  # design pixels
_NAME = 46  # per cent of the width
_SWATCH = 10  # design pixels


@dataclass(frozen=True, slots=True)
class WorkerLine:
    """A row: who the worker is, what it does in words, and its colour, if it has one."""

    name: str
    task: str = ""
    tone: Colour | None = None


class WorkersTable(Part):
    """`lines` returns the rows. With a `name_width`, in design pixels, all have a row, in which something other than
    words can be drawn."""

    def __init__(
        self, host: Host, lines: Callable[[], Sequence[WorkerLine]], row_height: int = _ROW, name_width: int = 0
    ) -> None:
        self._host, self._lines, self._row_height, self._name_width = host, lines, row_height, name_width
        self.rows = pygame.Rect(0, 0, 0, 0)
        """All rows; empty where there is no room."""

    def make_room(self, space: Space, spared: int) -> None:
        """Take room for at most `_MOST` rows from the bottom of the space, none where there is no room for two, and
        leave `spared` design pixels."""
        px = self._host.theme.px
        count = min(_MOST, (space.rest.height - space.gap - px(spared)) // px(_ROW))
        self.rows = space.bottom(count * px(_ROW)) if count >= 2 else pygame.Rect(0, 0, 0, 0)

    def row(self, number: int, count: int) -> tuple[pygame.Rect, pygame.Rect]:
        """Return the places of the name and of what the worker does, in one row of so many."""
        px, width = self._host.theme.px, self._name_width
        high = min(px(self._row_height), self.rows.height // max(1, count))
        row = Space(pygame.Rect(self.rows.left, self.rows.top + number * high, self.rows.width, high), 0)
        name = row.left(px(width) if width else self.rows.width * _NAME // 100)
        if not width:
            row.left(px(_GAP))
        return name, row.rest

    def draw(self, surface: pygame.Surface, now: float) -> None:
        lines = self._lines()
        fit = len(lines) if self._name_width else self.rows.height // self._host.theme.px(_ROW)
        shown = lines if len(lines) <= fit else lines[: max(0, fit - 1)]
        for number, line in enumerate(shown):
            self._draw_row(surface, number, fit, line)
        if fit and len(shown) < len(lines):
            place = self.row(len(shown), fit)[0].union(self.row(len(shown), fit)[1])
            text = t("cluster.more", count=len(lines) - len(shown))
            write(surface, self._host.theme, text, place, 14, self._host.theme.palette.quiet)

    def _draw_row(self, surface: pygame.Surface, number: int, count: int, line: WorkerLine) -> None:
        """The name of a worker, with its colour, and its task."""
        theme, (place, task) = self._host.theme, self.row(number, count)
        name = Space(place, theme.px(6))
        if line.tone is not None:
            swatch = pygame.Rect(0, 0, theme.px(_SWATCH), theme.px(_SWATCH))
            swatch.center = name.left(theme.px(_SWATCH)).center
            rounded(surface, swatch, line.tone, theme.px(3))
        write(surface, theme, line.name, name.rest, 14, theme.palette.quiet if line.tone is None else None)
        if line.task:
            write(surface, theme, line.task, task, 14, theme.palette.text, align="right")
