"""Tables of a search: its result in each iteration, newest last; and what each worker is doing."""

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
from ui.words.views import Depths, cells, depths_sentence, heads, outcome_of

_HEAD, _ROW = 22, 20  # design pixels
_WIDTHS = (40, 37, 42, 43, 36, 36, 38)  # of the columns, in design pixels
_WORDS = 28  # more for a score in words


class DepthTable(Part):
    """A table with a row for each iteration, of what `shown` returns, in a game with the key `game`.

    It takes room for up to `most` rows from the bottom of the space, but leaves `spared` design pixels; no room if that
    is not enough for `least` rows, or while `shown` returns None.
    """

    def __init__(
        self, host: Host, game: str, shown: Callable[[], Depths | None], least: int = 4, most: int = 12,
        spared: int = 0,
    ) -> None:  # fmt: skip
        self._host, self._game, self._shown = host, game, shown
        self._least, self._most, self._spared = least, most, spared
        self.rect: pygame.Rect | None = None
        self._rows = 0

    def shape(self) -> object:
        """What the layout depends on: whether there is a search to show."""
        return self._shown() is not None

    def build(self, space: Space) -> None:
        """Take the head and as many rows as fit from the bottom, but leave the design pixels of `spared`; nothing if
        too few fit."""
        self.make_room(space, self._spared)

    def make_room(self, space: Space, spared: int) -> bool:
        """Take the room, but leave `spared` design pixels. Return whether there was enough for the table."""
        px = self._host.theme.px
        room = space.rest.height - space.gap - px(spared) - px(_HEAD)
        self._rows = max(0, min(self._most, room // px(_ROW)))
        fits = self._rows >= self._least and self._shown() is not None
        self.rect = space.bottom(px(_HEAD) + self._rows * px(_ROW)) if fits else None
        return fits

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the heads of the columns and the latest iterations, the last one emphasised; scores of proven wins and
        losses have colours. Nothing without room."""
        found = self._shown()
        if self.rect is None or found is None:
            return
        theme, palette = self._host.theme, self._host.theme.palette
        space, wide = Space(self.rect), self._has_words
        head = space.top(theme.px(_HEAD))
        self._write_row(surface, head, heads(), [palette.quiet] * len(_WIDTHS))
        pygame.draw.line(surface, palette.line, head.bottomleft, head.bottomright)
        for row in found.rows[-self._rows :]:
            colours = [palette.text if row is found.rows[-1] else palette.quiet] * len(_WIDTHS)
            colours[2] = (colours[2], palette.good, palette.bad)[outcome_of(found, row)]
            self._write_row(surface, space.top(theme.px(_ROW)), cells(found, row, not wide), colours)

    @property
    def _has_words(self) -> bool:
        """Whether there is room for scores in words."""
        return self.rect is not None and self.rect.width >= self._host.theme.px(sum(_WIDTHS) + _WORDS + 12)

    def _write_row(
        self, surface: pygame.Surface, rect: pygame.Rect, texts: tuple[str, ...],
        colours: list[tuple[int, int, int]],
    ) -> None:  # fmt: skip
        """Write one row, each text right-aligned in its column and in its colour."""
        px, space = self._host.theme.px, Space(rect)
        widths = [px(width) for width in _WIDTHS]
        widths[2] += px(_WORDS) if self._has_words else 0
        space.gap = (rect.width - sum(widths)) // (len(widths) - 1)
        for text, width, colour in zip(texts, widths, colours, strict=True):
            write(surface, self._host.theme, text, space.left(width), 14, colour, align="right")

    def hint(self) -> str:
        """Summarise the iterations in a sentence while the mouse is over the table; empty elsewhere."""
        found = self._shown()
        inside = self.rect is not None and self.rect.collidepoint(pygame.mouse.get_pos())
        return depths_sentence(found, self._game) if inside and found is not None else ""


_MOST = 6  # rows of words
_GAP = 8  # design pixels
_NAME = 46  # per cent of the width
_SWATCH = 10  # design pixels


@dataclass(frozen=True, slots=True)
class WorkerLine:
    """A row of the table: the name of the worker, its task in words, and its colour `tone`, None for none."""

    name: str
    task: str = ""
    tone: Colour | None = None


class WorkersTable(Part):
    """A table of the workers, with the rows that `lines` returns. Without a `name_width`, rows that do not fit are
    summed up in the last. With one, in design pixels, all are shown, and the caller may draw the tasks itself."""

    def __init__(
        self, host: Host, lines: Callable[[], Sequence[WorkerLine]], row_height: int = _ROW, name_width: int = 0
    ) -> None:
        self._host, self._lines, self._row_height, self._name_width = host, lines, row_height, name_width
        self.rows = pygame.Rect()
        """All rows; empty where there is no room."""

    def make_room(self, space: Space, spared: int) -> None:
        """Take room for up to `_MOST` rows from the bottom of the space, but leave `spared` design pixels. Take none if
        that is not enough for two rows."""
        px = self._host.theme.px
        count = min(_MOST, (space.rest.height - space.gap - px(spared)) // px(_ROW))
        self.rows = space.bottom(count * px(_ROW)) if count >= 2 else pygame.Rect()

    def row(self, number: int, count: int) -> tuple[pygame.Rect, pygame.Rect]:
        """Return the places of the name and of the task in row `number`, where the table has `count` rows."""
        px, width = self._host.theme.px, self._name_width
        high = min(px(self._row_height), self.rows.height // max(1, count))
        row = Space(pygame.Rect(self.rows.left, self.rows.top + number * high, self.rows.width, high))
        name = row.left(px(width) if width else self.rows.width * _NAME // 100)
        if not width:
            row.left(px(_GAP))
        return name, row.rest

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw a row for each worker; where rows do not fit, say in the last one how many are left out."""
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
        """Draw the name of a worker, with its colour, and its task."""
        theme, (place, task) = self._host.theme, self.row(number, count)
        name = Space(place, theme.px(6))
        if line.tone is not None:
            swatch = pygame.Rect(0, 0, theme.px(_SWATCH), theme.px(_SWATCH))
            swatch.center = name.left(theme.px(_SWATCH)).center
            rounded(surface, swatch, line.tone, theme.px(3))
        write(surface, theme, line.name, name.rest, 14, theme.palette.quiet if line.tone is None else None)
        if line.task:
            write(surface, theme, line.task, task, 14, theme.palette.text, align="right")
