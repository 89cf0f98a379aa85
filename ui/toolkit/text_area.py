"""Several lines of text that a person types, wrapped at words: all that a `TextLine` can do, and Enter, Up and Down."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pygame

from ui.toolkit.art import rounded
from ui.toolkit.keys import COMMAND, ENTER
from ui.toolkit.space import knob
from ui.toolkit.text_line import Span, TextLine
from ui.toolkit.theme import Theme, mix
from ui.toolkit.typesetting import pieces, width_of, wrapped, write

LINE = 20
"""Height of a line in design pixels."""
PADDING = 8
"""Between the edge and the text, in design pixels."""

SIZE = 14
"""Of its letters, in design pixels."""


class TextArea(TextLine):
    """`changed` gets the text whenever a person changes it. Enter begins a new line; Esc, Tab and Ctrl+Enter leave."""

    _size, _line, _around = SIZE, LINE, 4

    def __init__(
        self, theme: Theme, rect: pygame.Rect, text: str, longest: int, changed: Callable[[str], object], hint: str = ""
    ) -> None:
        super().__init__(theme, rect, text, longest, changed, hint=hint)

    def set_text(self, text: str) -> None:
        super().set_text(text)
        self._top = 0  # pixels of the text that are out of sight above
        self._followed = self.caret  # the caret that was last brought into sight
        self._column: tuple[int, int] | None = None  # the caret that Up or Down led to, and the x that it is to keep

    def resume(self, other: TextArea) -> None:
        """Go on where `other`, which this area replaces, was: its text, caret and undo."""
        self.text, self.caret, self.anchor = other.text, other.caret, other.anchor
        self._undo, self.composing, self._top = other._undo, other.composing, other._top

    def focus(self) -> None:
        super().focus()
        self._followed = -1  # bring the caret into sight

    # Lines.

    def _inside(self) -> pygame.Rect:
        """The rectangle of the text."""
        px = self.theme.px
        return self.rect.inflate(-2 * px(PADDING), -2 * px(PADDING))

    def _spans(self, text: str) -> tuple[Span, ...]:
        """Start and end of each row in the text."""
        return spans(self.theme, text, self._inside().width, SIZE)

    # The keyboard.

    def clean(self, text: str) -> str:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return "\n".join(super(TextArea, self).clean(line) for line in lines)

    def key(self, event: pygame.event.Event) -> bool:
        if event.key in ENTER and not self.composing:
            if event.mod & COMMAND:
                return False  # leaves
            self.type_text("\n")
            return True
        return super().key(event)

    def _target(self, event: pygame.event.Event) -> int | None:
        x, row = self._point(self.text, self.caret)
        by = {pygame.K_UP: -1, pygame.K_DOWN: 1}.get(event.key)
        if by is not None:
            return self._vertical(x, row, by)
        if event.key in (pygame.K_HOME, pygame.K_END) and not event.mod & COMMAND:
            return self._index(0 if event.key == pygame.K_HOME else 1 << 20, row)
        return super()._target(event)

    def _vertical(self, x: int, row: int, by: int) -> int:
        """One line up or down, in the column where that began; past the first and the last line, to the end."""
        if self._column is not None and self._column[0] == self.caret:
            x = self._column[1]
        if not 0 <= row + by < len(self._spans(self.text)):
            return 0 if by < 0 else len(self.text)
        to = self._index(x, row + by)
        self._column = to, x
        return to

    def wheel(self, notches: int) -> bool:
        self._scroll_to(self._top - notches * self.theme.px(LINE))
        return True

    def _scroll_to(self, top: int) -> None:
        high = len(self._spans(self._displayed_text()[0])) * self.theme.px(LINE)
        self._top = max(0, min(top, high - self._inside().height))

    # The picture.

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        self._draw_scroll_bar(surface, len(self._spans(self._displayed_text()[0])) * self.theme.px(LINE))

    def _draw_hint(self, surface: pygame.Surface, inside: pygame.Rect) -> None:
        lines = wrapped(self.theme, self.hint, inside.width, SIZE)[: inside.height // self.theme.px(LINE)]
        for row, line in enumerate(lines):
            write(surface, self.theme, line, self._row(row), SIZE, self.theme.palette.quiet)

    def _follow(self, text: str, caret: int) -> None:
        """Bring the caret into sight after it has moved."""
        if self.focused and caret != self._followed:
            self._followed = caret
            top = self._point(text, caret)[1] * self.theme.px(LINE)
            self._scroll_to(max(min(self._top, top), top + self.theme.px(LINE) - self._inside().height))
        self._scroll_to(self._top)

    def _row(self, row: int) -> pygame.Rect:
        inside, high = self._inside(), self.theme.px(LINE)
        return pygame.Rect(inside.left, inside.top - self._top + row * high, inside.width, high)

    def _row_at(self, y: int) -> int:
        """The row of text at a height."""
        return (y - self._inside().top + self._top) // self.theme.px(LINE)

    def _draw_scroll_bar(self, surface: pygame.Surface, high: int) -> None:
        inside, px = self._inside(), self.theme.px
        if high > inside.height:
            track = pygame.Rect(inside.left, inside.top, self.rect.right - px(3) - inside.left, inside.height)
            bar = knob(track, px(3), self._top, inside.height, high, px(12))
            rounded(surface, bar, mix(self.theme.palette.line, self.theme.palette.quiet, 0.4), px(1))


_MEASURED = 100  # characters


@lru_cache(maxsize=32)
def spans(theme: Theme, text: str, width: int, size: int) -> tuple[Span, ...]:
    """The lines of `text` in `width` pixels, each from a first to before a last character: broken at line ends, after
    spaces, between Chinese characters, and inside of what is wider than a line. The spans of a paragraph join."""
    lines: list[Span] = []
    begin = 0
    for paragraph in text.split("\n"):
        start = at = begin
        for piece in pieces(paragraph):
            if at > start and width_of(theme, text[start : at + len(piece)].rstrip(), size) > width:
                lines.append((start, at))
                start = at
            end = at + len(piece)
            while at < end:  # in parts: measuring all of an endless word for each of its lines is slow
                at = min(end, at + _MEASURED)
                while at - start > 1 and width_of(theme, text[start:at].rstrip(), size) > width:
                    fits = start + _fitting(theme, text[start:at], width, size)
                    lines.append((start, fits))
                    start = fits
        lines.append((start, at))
        begin = at + 1
    return tuple(lines)


def _fitting(theme: Theme, text: str, width: int, size: int) -> int:
    """How many characters of `text` fit, at least one."""
    low, high = 1, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width_of(theme, text[:middle], size) <= width else (low, middle - 1)
    return low
