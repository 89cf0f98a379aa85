"""A text field of several lines, wrapped at words: all that a `TextLine` can do, and Enter, Up and Down."""

from __future__ import annotations

import sys
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
    """A text field of several lines. `changed` gets the text whenever a person changes it. Enter begins a new line;
    Esc, Tab and Ctrl+Enter leave the field."""

    _size, _line, _around = SIZE, LINE, 4

    def __init__(
        self, theme: Theme, rect: pygame.Rect, text: str, longest: int, changed: Callable[[str], object], hint: str = ""
    ) -> None:
        super().__init__(theme, rect, text, longest, changed, hint=hint)

    def set_text(self, text: str) -> None:
        """Replace the text as in `TextLine`, scroll to the top, and forget the column that Up and Down keep."""
        super().set_text(text)
        self._top = 0  # pixels of the text that are out of sight above
        self._followed = self.caret  # the caret that was last brought into sight
        self._column: tuple[int, int] | None = None  # the caret that Up or Down led to, and the x that it is to keep

    def resume(self, other: TextArea) -> None:
        """Take over text, caret, undo and scroll position from `other`, which this area replaces."""
        self.text, self.caret, self.anchor = other.text, other.caret, other.anchor
        self._undo, self.composing, self._top = other._undo, other.composing, other._top

    def focus(self) -> None:
        """Take the keyboard, and scroll to the caret at the next `draw`."""
        super().focus()
        self._followed = -1  # bring the caret into sight

    # Lines.

    def _text_rect(self) -> pygame.Rect:
        """The rectangle in which the text is written."""
        px = self.theme.px
        return self.rect.inflate(-2 * px(PADDING), -2 * px(PADDING))

    def _row_spans(self, text: str) -> tuple[Span, ...]:
        """Return the first and the end index of each row of `text`."""
        return spans(self.theme, text, self._text_rect().width, SIZE)

    # The keyboard.

    def clean(self, text: str) -> str:
        """Return `text` without what the field cannot show; line breaks of all systems become newlines and stay."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return "\n".join(super(TextArea, self).clean(line) for line in lines)

    def key(self, event: pygame.event.Event) -> bool:
        """Begin a new line with Enter. Return False for Ctrl+Enter, which leaves the field; other keys as in
        `TextLine`."""
        if event.key in ENTER and not self.composing:
            if event.mod & COMMAND:
                return False  # leaves
            self.type_text("\n")
            return True
        return super().key(event)

    def _caret_target(self, event: pygame.event.Event) -> int | None:
        """As in `TextLine`; Up and Down move by rows, and Home and End go to the ends of the row rather than of the
        text."""
        x, row = self._place_of(self.text, self.caret)
        by = {pygame.K_UP: -1, pygame.K_DOWN: 1}.get(event.key)
        if by is not None:
            return self._vertical_target(x, row, by)
        if event.key in (pygame.K_HOME, pygame.K_END) and not event.mod & COMMAND:
            return self._index_at(0 if event.key == pygame.K_HOME else sys.maxsize, row)
        return super()._caret_target(event)

    def _vertical_target(self, x: int, row: int, by: int) -> int:
        """Return the caret one row up (`by` -1) or down, in the column `x` where such moves began; in the first or last
        row, the beginning or the end of the text."""
        if self._column is not None and self._column[0] == self.caret:
            x = self._column[1]
        if not 0 <= row + by < len(self._row_spans(self.text)):
            return 0 if by < 0 else len(self.text)
        to = self._index_at(x, row + by)
        self._column = to, x
        return to

    def wheel(self, notches: int) -> bool:
        """Scroll one row for each notch; always use the wheel, even at an end of the text."""
        self._scroll_to(self._top - notches * self.theme.px(LINE))
        return True

    def _scroll_to(self, top: int) -> None:
        """Scroll so that `top` pixels of the text are out of sight above, within the text."""
        high = len(self._row_spans(self._displayed_text()[0])) * self.theme.px(LINE)
        self._top = max(0, min(top, high - self._text_rect().height))

    # The picture.

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the field as `TextLine` does, and a scroll bar if rows are out of sight."""
        super().draw(surface)
        self._draw_scroll_bar(surface, len(self._row_spans(self._displayed_text()[0])) * self.theme.px(LINE))

    def _draw_hint(self, surface: pygame.Surface, inside: pygame.Rect) -> None:
        """Write the hint in as many rows as fit."""
        lines = wrapped(self.theme, self.hint, inside.width, SIZE)[: inside.height // self.theme.px(LINE)]
        for row, line in enumerate(lines):
            write(surface, self.theme, line, self._row_rect(row), SIZE, self.theme.palette.quiet)

    def _scroll_to_caret(self, text: str, caret: int) -> None:
        """Scroll to the caret if it has moved."""
        if self.focused and caret != self._followed:
            self._followed = caret
            top = self._place_of(text, caret)[1] * self.theme.px(LINE)
            self._scroll_to(max(min(self._top, top), top + self.theme.px(LINE) - self._text_rect().height))
        self._scroll_to(self._top)

    def _row_rect(self, row: int) -> pygame.Rect:
        """Return the rectangle of a row on the screen, moved by the scroll position; it may be out of sight."""
        inside, high = self._text_rect(), self.theme.px(LINE)
        return pygame.Rect(inside.left, inside.top - self._top + row * high, inside.width, high)

    def _row_at(self, y: int) -> int:
        """Return the row of the text at the height `y`; it may be outside of the text."""
        return (y - self._text_rect().top + self._top) // self.theme.px(LINE)

    def _draw_scroll_bar(self, surface: pygame.Surface, high: int) -> None:
        """Draw a scroll bar beside the text if that is `high` pixels high and does not fit."""
        inside, px = self._text_rect(), self.theme.px
        if high > inside.height:
            track = pygame.Rect(inside.left, inside.top, self.rect.right - px(3) - inside.left, inside.height)
            bar = knob(track, px(3), self._top, inside.height, high, px(12))
            rounded(surface, bar, mix(self.theme.palette.line, self.theme.palette.quiet, 0.4), px(1))


_MEASURED = 100  # characters


@lru_cache(maxsize=32)
def spans(theme: Theme, text: str, width: int, size: int) -> tuple[Span, ...]:
    """Return the lines of `text` in `width` pixels, each as its first and its end index. Lines are broken at line ends,
    after spaces, between Chinese characters, and inside of a word that is wider than a line. Each line of a paragraph
    begins where the one before ends."""
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
                    fits = start + _fitting_length(theme, text[start:at], width, size)
                    lines.append((start, fits))
                    start = fits
        lines.append((start, at))
        begin = at + 1
    return tuple(lines)


def _fitting_length(theme: Theme, text: str, width: int, size: int) -> int:
    """Return how many characters of `text` fit in `width` pixels, at least one."""
    low, high = 1, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width_of(theme, text[:middle], size) <= width else (low, middle - 1)
    return low
