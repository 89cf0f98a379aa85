"""The log of what an external engine and the program have written to each other, the newest line last."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ai.core.player import Transcript, TranscriptLine
from ui.toolkit.art import clipped, rounded
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour
from ui.toolkit.typesetting import wrapped, write
from ui.window.host import Host
from ui.window.part import Part

_ROW, _PADDING, _SIGN = 20, 8, 16  # design pixels
_SIGNS = {"sent": ">", "heard": "<", "note": "·"}


class EngineLog(Part):
    """The log of the `transcript`, which may be None.

    Takes rows from the bottom of the space: at most `most`, None for no limit, but leaves `spared` design pixels. Takes
    no room for fewer than three rows, or without a transcript. The wheel scrolls back.
    """

    def __init__(
        self, host: Host, transcript: Callable[[], Transcript | None], most: int | None = None, spared: int = 0
    ) -> None:
        self._host, self._transcript, self._most, self._spared = host, transcript, most, spared
        self.rect: pygame.Rect | None = None
        self._back = 0  # rows from the newest
        self._rows: tuple[object, list[tuple[TranscriptLine, str, bool]]] = (None, [])  # for what, and the rows

    def shape(self) -> object:
        """What the layout depends on: whether there is a transcript."""
        return self._transcript() is not None

    def build(self, space: Space, spared: int = 0) -> None:
        """Take the room for the log; leave `spared` design pixels besides those of the constructor."""
        px, self.rect = self._host.theme.px, None
        room = space.rest.height - px(self._spared + spared)
        rows = (room - 2 * px(_PADDING)) // px(_ROW)
        rows = rows if self._most is None else min(rows, self._most)
        if self._transcript() is not None and rows >= _LEAST:
            self.rect = space.bottom(rows * px(_ROW) + 2 * px(_PADDING))

    @property
    def _inside(self) -> pygame.Rect:
        """The place of the lines."""
        assert self.rect is not None
        return self.rect.inflate(-2 * self._host.theme.px(_PADDING), -2 * self._host.theme.px(_PADDING))

    def rows(self) -> list[tuple[TranscriptLine, str, bool]]:
        """The last lines, wrapped into rows: the line, the text of the row, and whether it is the first of its line."""
        transcript = self._transcript()
        if transcript is None or self.rect is None:
            return []
        theme, wide = self._host.theme, self._inside.width - self._host.theme.px(_SIGN)
        known = transcript, transcript.count, theme, wide
        if self._rows[0] != known:
            found = [
                (said, text, number == 0)
                for said in transcript.last(_KEPT)
                for number, text in enumerate(wrapped(theme, said.text, wide, 14) or ("",))
            ]
            self._rows = known, found
        return self._rows[1]

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the box and the rows up to the one scrolled to, each line with its sign and colour; a sentence while
        nothing was said, and nothing without room."""
        if self.rect is None:
            return
        theme, inside = self._host.theme, self._inside
        rounded(surface, self.rect, theme.palette.raised, theme.px(8))
        rows, fits = self.rows(), inside.height // theme.px(_ROW)
        if not rows:
            write(surface, theme, t("engines.log.empty"), inside, 14, theme.palette.quiet, align="centre")
        self._back = max(0, min(self._back, len(rows) - fits))
        end, space = len(rows) - self._back, Space(inside)
        with clipped(surface, inside):
            for said, text, begins in rows[max(0, end - fits) : end]:
                row, colour = Space(space.top(theme.px(_ROW))), self._colour(said.kind)
                sign = row.left(theme.px(_SIGN))
                if begins:
                    write(surface, theme, _SIGNS[said.kind], sign, 14, colour, bold=True)
                write(surface, theme, text, row.rest, 14, colour)

    def _colour(self, kind: str) -> Colour:
        """The colour of a line of this kind."""
        palette = self._host.theme.palette
        return {"sent": palette.info, "note": palette.accent}.get(kind, palette.text)

    def handle(self, event: pygame.event.Event) -> bool:
        """Scroll back or on with the mouse wheel over the log; leave other events alone."""
        inside = self.rect is not None and self.rect.collidepoint(pygame.mouse.get_pos())
        if event.type != pygame.MOUSEWHEEL or not inside:
            return False
        self._back = max(0, self._back + event.y)
        return True

    def hint(self) -> str:
        """Explain signs and scrolling while the mouse is over the log; empty elsewhere."""
        inside = self.rect is not None and self.rect.collidepoint(pygame.mouse.get_pos())
        return t("engines.log.about") if inside else ""


_KEPT = 200  # lines that can be scrolled to
_LEAST = 3  # rows
