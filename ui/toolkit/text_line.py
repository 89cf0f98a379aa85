"""A text field: caret, selection, clipboard, undo, and the composition of an input method."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pygame

from games.fields import one_line
from ui.toolkit.accessible import Accessible
from ui.toolkit.art import clipped, rounded
from ui.toolkit.controls import Point, Widget
from ui.toolkit.keys import COMMAND
from ui.toolkit.theme import Theme, mix
from ui.toolkit.typesetting import width_of, write

# The text on the system's clipboard.


def text() -> str:
    """The text, empty if there is none."""
    try:
        return pygame.scrap.get_text()
    except pygame.error:
        return ""


def put(text: str) -> bool:
    """Replace what is there. False if the system does not let us."""
    try:
        pygame.scrap.put_text(text)
    except pygame.error:
        return False
    return True


# The selected rows of a long list, as in file managers.


class Selection:
    """`ids` are the rows in order, `at` is the row of the cursor, and `chosen` are the selected ids.

    A move that extends selects from the end of the last move that did not. Until the person selects, the first row is
    selected, however the list changes.
    """

    def __init__(self) -> None:
        self.ids: Sequence[int] = ()
        self.chosen: set[int] = set()
        self.at = 0
        self._anchor = 0
        self._begun = False  # whether the person has selected

    @property
    def current(self) -> int | None:
        """The id under the cursor."""
        return self.ids[self.at] if self.ids else None

    def show(self, ids: Sequence[int]) -> None:
        """Replace the list. What is in both stays selected, and the cursor stays on its row or index."""
        before = self.current if self._begun else None
        self.ids = ids
        if not self._begun:
            self.at, self.chosen = 0, set()
        self.chosen &= set(ids)
        if before in self.chosen or (before is not None and before in ids):
            self.at = ids.index(before)
        self.at = max(0, min(self.at, len(ids) - 1))
        self._anchor = self.at
        if not self.chosen and self.current is not None:
            self.chosen = {self.current}

    def move(self, to: int, extend: bool = False) -> None:
        """Move the cursor to row `to`, or the nearest there is."""
        if not self.ids:
            return
        self._begun = True
        self.at = max(0, min(to, len(self.ids) - 1))
        if not extend:
            self._anchor = self.at
        first, last = sorted((self._anchor, self.at))
        self.chosen = set(self.ids[first : last + 1])

    def toggle(self, row: int | None = None) -> None:
        """Add the row, or that of the cursor, to the selection, or remove it."""
        if self.ids:
            self._begun = True
            self.at = self._anchor = self.at if row is None else row
            self.chosen ^= {self.ids[self.at]}

    def all(self) -> None:
        """Select all rows."""
        self._begun = True
        self.chosen = set(self.ids)

    def in_order(self) -> list[int]:
        """Return the selected ids in list order; if there are none, the one under the cursor."""
        if not self.chosen:
            return [] if self.current is None else [self.current]
        return [number for number in self.ids if number in self.chosen]


Span = tuple[int, int]
"""The first character of a line, and the one after its last."""

REPEAT = (350, 40)
"""Milliseconds before a held key repeats, and between repetitions."""

_WITH_METHOD = {"zh", "ja", "ko", "vi"}
_WORD = re.compile(r"\w+|[^\w\s]+")


def rest_input_method() -> None:
    """Stop text input outside text fields, where an input method would take the letters of key bindings.

    It stays on where input methods are unusual, since pygame otherwise reports no character for keys such as “?” on a
    German keyboard.
    """
    if any(preferred["language"] in _WITH_METHOD for preferred in pygame.system.get_pref_locales()):
        pygame.key.stop_text_input()


class TextLine(Widget):
    """A text field for at most `longest` characters, with a `hint` while it is empty. Call `changed` with the text when
    the person changes it, `done` when they press Enter."""

    typing = True
    _size, _line, _around = 16, 24, 0
    """Design pixels: of the letters, of a line, and by how much letters may stand out at the edge."""

    def __init__(
        self, theme: Theme, rect: pygame.Rect, text: str, longest: int, changed: Callable[[str], object],
        done: Callable[[str], object] = lambda _: None, hint: str = "",
    ) -> None:  # fmt: skip
        super().__init__(theme, rect)
        self.longest, self.changed, self.done, self.hint = longest, changed, done, hint
        self.set_text(text)

    def accessible(self, key: str) -> Accessible:
        return replace(super().accessible(key), role="field", about=self.tip or self.hint, value=self.text)

    def set_text(self, text: str) -> None:
        """Replace the text, and move the caret to its end."""
        self.text = text
        self.caret = self.anchor = len(text)
        self.composing = ""  # what an input method is about to write
        self._undo: list[tuple[str, int]] = []
        self._left = 0  # pixels scrolled to the left

    def select(self, first: int, last: int) -> None:
        """Select the characters from `first` to before `last`; the caret is at `last`."""
        self.anchor, self.caret = first, last

    @property
    def selection(self) -> tuple[int, int]:
        """Start and end of the selection; equal if nothing is selected."""
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    # The keyboard.

    def focus(self) -> None:
        self.focused = True
        pygame.key.start_text_input()
        pygame.key.set_text_input_rect(self.rect)

    def blur(self) -> None:
        self.focused, self.composing = False, ""
        rest_input_method()

    def enter(self) -> None:
        self.done(self.text)

    def type_text(self, text: str) -> None:
        """Replace the selection by `text`, or as much of it as fits."""
        first, last = self.selection
        clean = self.clean(text)[: max(0, self.longest - len(self.text) + last - first)]
        self.composing = ""
        if clean or first != last:
            self._undo.append((self.text, self.caret))
            self.text = self.text[:first] + clean + self.text[last:]
            self.caret = self.anchor = first + len(clean)
            self.changed(self.text)

    def clean(self, text: str) -> str:
        """`text` without what the widget cannot show."""
        return one_line(text.strip("\r\n"))

    def compose(self, text: str) -> None:
        """Show the composition of an input method."""
        self.composing = text

    def key(self, event: pygame.event.Event) -> bool:
        if self.composing:
            return True  # for the input method
        command = event.mod & COMMAND and not event.mod & pygame.KMOD_ALT  # both are AltGr on Windows
        erased = {pygame.K_BACKSPACE: -1, pygame.K_DELETE: 1}
        if (to := self._target(event)) is not None:
            self.caret = to
            if not event.mod & pygame.KMOD_SHIFT:
                self.anchor = to
        elif event.key in erased:
            if self.anchor == self.caret:
                self.caret = self._step(erased[event.key], bool(command))
            self.type_text("")
        elif command:
            return self._command(event.key)
        else:
            return False
        return True

    def _target(self, event: pygame.event.Event) -> int | None:
        """Return where a key moves the caret; None if it does not."""
        by = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}.get(event.key)
        if by is None:
            return {pygame.K_HOME: 0, pygame.K_END: len(self.text)}.get(event.key)
        if self.anchor != self.caret and not event.mod & pygame.KMOD_SHIFT:
            return self.selection[by > 0]
        return self._step(by, bool(event.mod & (COMMAND | pygame.KMOD_ALT)))

    def _step(self, by: int, word: bool) -> int:
        """Return the place one character, or one word, from the caret."""
        if not word:
            return max(0, min(len(self.text), self.caret + by))
        if by < 0:
            return max((found.start() for found in _WORD.finditer(self.text[: self.caret])), default=0)
        found = _WORD.search(self.text, self.caret)
        return found.end() if found else len(self.text)

    def _command(self, key: int) -> bool:
        """Carry out Ctrl and a key: select all, copy, cut, paste, undo; return whether it is one of these."""
        first, last = self.selection
        if key == pygame.K_a:
            self.select(0, len(self.text))
        elif key in (pygame.K_c, pygame.K_x):
            if put(self.text[first:last]) and key == pygame.K_x:
                self.type_text("")
        elif key == pygame.K_v:
            self.type_text(text())
        elif key == pygame.K_z and self._undo:
            self.text, self.caret = self._undo.pop()
            self.anchor = self.caret
            self.changed(self.text)
        return True

    # Lines: a single one here.

    def _inside(self) -> pygame.Rect:
        """The rectangle of the text."""
        return self.rect.inflate(-2 * self.theme.px(10), -2 * self.theme.px(4))

    def _spans(self, text: str) -> tuple[Span, ...]:
        """Start and end of each row in the text: one row."""
        return ((0, len(text)),)

    def _row(self, row: int) -> pygame.Rect:
        """Where a line is on the screen; it may be out of sight."""
        inside, high = self._inside(), self.theme.px(self._line)
        return pygame.Rect(inside.left - self._left, inside.centery - high // 2, inside.width + self._left, high)

    def _row_at(self, y: int) -> int:
        """A single line has one row."""
        return 0

    def _width(self, text: str) -> int:
        return width_of(self.theme, text, self._size)

    def _point(self, text: str, index: int) -> Point:
        """Where the character `index` of `text` begins: the pixel in its line, and the number of the line."""
        lines = self._spans(text)
        row = max(row for row, (start, _) in enumerate(lines) if start <= index)
        return self._width(text[lines[row][0] : index]), row

    def _index(self, x: int, row: int) -> int:
        """The place in the text that is nearest to pixel `x` of line `row`."""
        lines = self._spans(self.text)
        row = max(0, min(row, len(lines) - 1))
        start, end = lines[row]
        if row + 1 < len(lines) and lines[row + 1][0] == end and end > start:
            end -= 1  # a line that is wrapped ends before the character that the next one begins with
        return min(range(start, end + 1), key=lambda index: abs(self._width(self.text[start:index]) - x))

    # The mouse.

    def press(self, point: Point) -> None:
        self.drag(point)
        if not pygame.key.get_mods() & pygame.KMOD_SHIFT:
            self.anchor = self.caret

    def drag(self, point: Point) -> None:
        self.caret = self._index(point[0] - self._row(0).left, self._row_at(point[1]))

    # The picture.

    def _displayed_text(self) -> tuple[str, int]:
        """The text with what an input method is about to write, and the caret in it."""
        first, last = self.selection
        if not self.composing:
            return self.text, self.caret
        return self.text[:first] + self.composing + self.text[last:], first + len(self.composing)

    def _follow(self, text: str, caret: int) -> None:
        """Bring the caret into sight, in a field that is left the beginning, and as much as possible of the text."""
        at, room = self._point(text, caret)[0], self._inside().width - self.theme.px(2)
        self._left = max(0, min(self._left, at, max(0, self._width(text) - room)), at - room)

    def draw(self, surface: pygame.Surface) -> None:
        palette, px, inside = self.theme.palette, self.theme.px, self._inside()
        rounded(surface, self.rect, palette.background, px(8), palette.line, max(1, px(1)))
        text, caret = self._displayed_text()
        self._follow(text, caret if self.focused else 0)
        with clipped(surface, inside.inflate(px(self._around), px(self._around))):
            if not text:
                self._draw_hint(surface, inside)
            for row, (start, end) in enumerate(self._spans(text)):
                if self._row(row).colliderect(inside):
                    self._draw_line(surface, text, row, start, end)
            if self.focused:
                x, row = self._point(text, caret)
                place = self._row(row)
                bar = pygame.Rect(min(place.left + x, place.right), place.top, max(1, px(1.5)), place.height)
                surface.fill(palette.accent, bar)
                pygame.key.set_text_input_rect(bar)

    def _draw_hint(self, surface: pygame.Surface, inside: pygame.Rect) -> None:
        write(surface, self.theme, self.hint, inside, self._size, self.theme.palette.quiet)

    def _draw_line(self, surface: pygame.Surface, text: str, row: int, start: int, end: int) -> None:
        """Draw one row of the text with its selection and what an input method is composing."""
        theme, palette, place = self.theme, self.theme.palette, self._row(row)

        def part(first: int, last: int) -> tuple[int, int]:
            """Left and width of what of these characters is in the line."""
            first, last = max(first, start), min(last, end)
            left = self._width(text[start:first])
            return left, self._width(text[start:last]) - left if last > first else 0

        first, last = self.selection
        if self.focused and first != last and not self.composing:
            left, wide = part(first, last)
            surface.fill(mix(palette.background, palette.info, 0.3), (place.left + left, place.top, wide, place.height))
        image = theme.text(text[start:end].rstrip("\n"), self._size, palette.text)
        surface.blit(image, image.get_rect(left=place.left, centery=place.centery))
        if self.composing:
            left, wide = part(first, first + len(self.composing))
            line = pygame.Rect(place.left + left, place.bottom - theme.px(2), wide, max(1, theme.px(1)))
            surface.fill(palette.text, line)
