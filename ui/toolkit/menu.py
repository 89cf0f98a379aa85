"""A menu that opens below a button, for mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pygame

from ui.toolkit.box_art import rounded
from ui.toolkit.keys import ENTER, key_label
from ui.toolkit.layout import knob
from ui.toolkit.notices import Holds, always
from ui.toolkit.palette import mix
from ui.toolkit.text import width_of, write
from ui.toolkit.theme import Display

_ROW, _PADDING, _MARGIN = 34, 6, 8
_STEPS = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_PAGEUP: -8, pygame.K_PAGEDOWN: 8}
_FAR = 1_000_000


class Menu:
    """A menu of `options` (value, text), with a mark at the value `chosen` if it is one of them. Call `then` with the
    value that the person chooses. `keys` are the names of keys that do the same, by value. Take all events."""

    typing = False

    def __init__(
        self, display: Display, under: pygame.Rect, options: Sequence[tuple[str, str]], chosen: str,
        then: Callable[[str], object], keys: Mapping[str, str] = {}, holds: Holds = always,
    ) -> None:  # fmt: skip
        self.holds = holds
        self.display, self.options, self.then = display, options, then
        self._keys = [key_label(keys[value]) if keys.get(value) else "" for value, _ in options]
        values = [value for value, _ in options]
        self.chosen = values.index(chosen) if chosen in values else None
        self.at = self.chosen or 0
        self._first = 0  # the row at the top
        self.rect = self._place(under)
        self._reveal()

    def places(self) -> dict[str, tuple[int, int]]:
        """The centres of the rows in sight, by value."""
        shown = range(self._first, self._first + self._fits)
        return {self.options[row][0]: self._row(row).center for row in shown}

    def _place(self, under: pygame.Rect) -> pygame.Rect:
        """Place the menu below the button, or above it if there is more room."""
        theme = self.display.theme
        px = theme.px
        window = pygame.Rect((0, 0), self.display.size).inflate(-2 * px(_MARGIN), -2 * px(_MARGIN))
        widths = [width_of(theme, text, 16) for _, text in self.options]
        hints = [width_of(theme, key, 14) + px(24) if key else 0 for key in self._keys]
        widest = max(map(sum, zip(widths, hints, strict=True)), default=0) + px(56)
        above, below = under.top - window.top, window.bottom - under.bottom
        room = max(above, below) - px(4)
        self._fits = max(1, min(len(self.options), (room - 2 * px(_PADDING)) // px(_ROW)))
        height = self._fits * px(_ROW) + 2 * px(_PADDING)
        rect = pygame.Rect(under.left, under.bottom + px(4), max(under.width, min(widest, px(360))), height)
        if height > below:
            rect.bottom = under.top - px(4)
        return rect.clamp(window)

    def _row(self, row: int) -> pygame.Rect:
        px = self.display.theme.px
        inside = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        return pygame.Rect(inside.left, inside.top + (row - self._first) * px(_ROW), inside.width, px(_ROW))

    def _reveal(self) -> None:
        self._first = max(min(self._first, self.at), self.at - self._fits + 1)

    def _scroll(self, rows: int) -> None:
        self._first = max(0, min(self._first + rows, len(self.options) - self._fits))

    def _at(self, pixel: tuple[int, int]) -> int | None:
        shown = range(self._first, self._first + self._fits)
        return next((row for row in shown if self._row(row).collidepoint(pixel)), None)

    def handle(self, event: pygame.event.Event) -> bool:
        """Return False to close the menu."""
        if event.type == pygame.MOUSEWHEEL:
            self._scroll(-event.y)
        elif event.type == pygame.MOUSEMOTION:
            row = self._at(event.pos)
            self.at = self.at if row is None else row
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button <= 3:
            row = self._at(event.pos)
            return self._choose(row) if row is not None else self.rect.collidepoint(event.pos)
        elif event.type == pygame.KEYDOWN:
            return self._key(event.key)
        return True

    def _key(self, key: int) -> bool:
        if key in (*ENTER, pygame.K_SPACE):
            return self._choose(self.at)
        steps = _STEPS | {pygame.K_HOME: -_FAR, pygame.K_END: _FAR}
        self.at = max(0, min(self.at + steps.get(key, 0), len(self.options) - 1))
        self._reveal()
        return key not in (pygame.K_ESCAPE, pygame.K_TAB)

    def _choose(self, row: int) -> bool:
        self.then(self.options[row][0])
        return False

    def draw(self, surface: pygame.Surface) -> None:
        theme = self.display.theme
        palette, px = theme.palette, theme.px
        rounded(surface, self.rect, palette.raised, px(8), mix(palette.line, palette.quiet, 0.5))
        for row in range(self._first, self._first + self._fits):
            box = self._row(row)
            if row == self.at:
                rounded(surface, box.inflate(0, -px(2)), mix(palette.raised, palette.line, 0.95), px(6))
            inside = box.inflate(-2 * px(10), 0)
            if row == self.chosen:
                pygame.draw.aacircle(surface, palette.accent, (inside.right - px(4), inside.centery), px(4))
            inside.width -= px(14)
            write(surface, theme, self._keys[row], inside, 14, palette.quiet, align="right")
            write(surface, theme, self.options[row][1], inside, 16)
        if self._fits < len(self.options):
            self._draw_bar(surface)

    def _draw_bar(self, surface: pygame.Surface) -> None:
        px = self.display.theme.px
        track = self.rect.inflate(-2 * px(2), -2 * px(_PADDING))
        bar = knob(track, px(3), self._first, self._fits, len(self.options), px(20))
        rounded(surface, bar, self.display.theme.palette.line, px(1))
