"""A text field of one line: caret, selection, system clipboard, undo, and the composition of an input method. Also the
selection of rows in a long list."""

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
    """Return the text on the system's clipboard, empty if there is none."""
    try:
        return pygame.scrap.get_text()
    except pygame.error:
        return ""


def put(text: str) -> bool:
    """Put `text` on the system's clipboard. Return False if that is impossible."""
    try:
        pygame.scrap.put_text(text)
    except pygame.error:
        return False
    return True


# The selected rows of a long list, as in file managers.


class Selection:
    """The selected rows of a list: `ids` are all rows in order, `at` is the index of the cursor, and `chosen` are the
    selected ids.

    A move with `extend` selects all rows from the last cursor without it to the new one. Until the person has selected
    something, the first row is selected, however the list changes.
    """

    def __init__(self) -> None:
        self.ids: Sequence[int] = ()
        self.chosen: set[int] = set()
        self.at = 0
        self._anchor = 0
        self._begun = False  # whether the person has selected

    @property
    def current(self) -> int | None:
        """The id under the cursor; None in an empty list."""
        return self.ids[self.at] if self.ids else None

    def show(self, ids: Sequence[int]) -> None:
        """Replace the list. Selected ids that remain stay selected, and the cursor stays on its id, else its index."""
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
        """Move the cursor to the row `to`, or the nearest there is, and select that row; with `extend`, all from the
        last one that was selected without it."""
        if not self.ids:
            return
        self._begun = True
        self.at = max(0, min(to, len(self.ids) - 1))
        if not extend:
            self._anchor = self.at
        first, last = sorted((self._anchor, self.at))
        self.chosen = set(self.ids[first : last + 1])

    def toggle(self, row: int | None = None) -> None:
        """Move the cursor to `row`, None for where it is, and select or deselect that row."""
        if self.ids:
            self._begun = True
            self.at = self._anchor = self.at if row is None else row
            self.chosen ^= {self.ids[self.at]}

    def all(self) -> None:
        """Select all rows."""
        self._begun = True
        self.chosen = set(self.ids)

    def in_order(self) -> list[int]:
        """Return the selected ids in the order of the list; if there are none, the one under the cursor."""
        if not self.chosen:
            return [] if self.current is None else [self.current]
        return [number for number in self.ids if number in self.chosen]


Span = tuple[int, int]
"""The first character of a line, and the one after its last."""

REPEAT = (350, 40)
"""Milliseconds before a held key repeats, and between repetitions."""

_WITH_METHOD = {"zh", "ja", "ko", "vi"}
_WORD = re.compile(r"\w+|[^\w\s]+")


def stop_input_method() -> None:
    """Stop text input outside text fields, where an input method would take the letters of key bindings.

    Leave it on if none of the user's preferred languages needs an input method, since pygame otherwise reports no
    character for keys such as “?” on a German keyboard.
    """
    if any(preferred["language"] in _WITH_METHOD for preferred in pygame.system.get_pref_locales()):
        pygame.key.stop_text_input()


class TextLine(Widget):
    """A text field of one line for at most `longest` characters, with a `hint` while it is empty. Calls `changed` with
    the text when the person changes it, `done` when they press Enter."""

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
        """Describe it as a text field with its text as the value; its tooltip or else the hint explains it."""
        return replace(super().accessible(key), role="field", about=self.tip or self.hint, value=self.text)

    def set_text(self, text: str) -> None:
        """Replace the text without calling `changed`, move the caret to its end, and forget the undo history."""
        self.text = text
        self.caret = self.anchor = len(text)
        self.composing = ""  # what an input method is about to write
        self._undo: list[tuple[str, int]] = []
        self._left = 0  # pixels scrolled to the left

    def select(self, first: int, last: int) -> None:
        """Select the characters from `first` to before `last`, and put the caret at `last`."""
        self.anchor, self.caret = first, last

    @property
    def selection(self) -> tuple[int, int]:
        """First and end index of the selection; both are the caret if nothing is selected."""
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    # The keyboard.

    def focus(self) -> None:
        """Show the caret, and have the input method type and compose here."""
        self.focused = True
        pygame.key.start_text_input()
        pygame.key.set_text_input_rect(self.rect)

    def blur(self) -> None:
        """Hide the caret, drop what is being composed, and stop the input method."""
        self.focused, self.composing = False, ""
        stop_input_method()

    def enter(self) -> None:
        """Call `done` with the text."""
        self.done(self.text)

    def type_text(self, text: str) -> None:
        """Replace the selection by `text`, or by as much of it as `longest` allows, and call `changed`."""
        first, last = self.selection
        clean = self.clean(text)[: max(0, self.longest - len(self.text) + last - first)]
        self.composing = ""
        if clean or first != last:
            self._undo.append((self.text, self.caret))
            self.text = self.text[:first] + clean + self.text[last:]
            self.caret = self.anchor = first + len(clean)
            self.changed(self.text)

    def clean(self, text: str) -> str:
        """Return `text` without what the field cannot show, such as line breaks."""
        return one_line(text.strip("\r\n"))

    def compose(self, text: str) -> None:
        """Show `text`, which an input method is composing."""
        self.composing = text

    def key(self, event: pygame.event.Event) -> bool:
        """Move the caret, extend the selection with Shift, erase, or run a command with Ctrl. Use all keys while an
        input method composes; typed letters come by `type_text`."""
        if self.composing:
            return True  # for the input method
        command = event.mod & COMMAND and not event.mod & pygame.KMOD_ALT  # both are AltGr on Windows
        erased = {pygame.K_BACKSPACE: -1, pygame.K_DELETE: 1}
        if (to := self._caret_target(event)) is not None:
            self.caret = to
            if not event.mod & pygame.KMOD_SHIFT:
                self.anchor = to
        elif event.key in erased:
            if self.anchor == self.caret:
                self.caret = self._step_target(erased[event.key], bool(command))
            self.type_text("")
        elif command:
            self._run_command(event.key)
        else:
            return False
        return True

    def _caret_target(self, event: pygame.event.Event) -> int | None:
        """Return where the pressed key moves the caret; None if it does not move it."""
        by = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}.get(event.key)
        if by is None:
            return {pygame.K_HOME: 0, pygame.K_END: len(self.text)}.get(event.key)
        if self.anchor != self.caret and not event.mod & pygame.KMOD_SHIFT:
            return self.selection[by > 0]
        return self._step_target(by, bool(event.mod & (COMMAND | pygame.KMOD_ALT)))

    def _step_target(self, by: int, word: bool) -> int:
        """Return the index one character from the caret, or with `word` one word; backwards if `by` is negative."""
        if not word:
            return max(0, min(len(self.text), self.caret + by))
        if by < 0:
            return max((found.start() for found in _WORD.finditer(self.text[: self.caret])), default=0)
        found = _WORD.search(self.text, self.caret)
        return found.end() if found else len(self.text)

    def _run_command(self, key: int) -> None:
        """Do what Ctrl and a key mean: select all, copy, cut, paste or undo; nothing for other keys."""
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

    # Lines: a single one here.

    def _text_rect(self) -> pygame.Rect:
        """The rectangle in which the text is written."""
        return self.rect.inflate(-2 * self.theme.px(10), -2 * self.theme.px(4))

    def _row_spans(self, text: str) -> tuple[Span, ...]:
        """Return the first and the end index of each row of `text`: of one row here."""
        return ((0, len(text)),)

    def _row_rect(self, row: int) -> pygame.Rect:
        """Return the rectangle of a row on the screen; it may be out of sight."""
        inside, high = self._text_rect(), self.theme.px(self._line)
        return pygame.Rect(inside.left - self._left, inside.centery - high // 2, inside.width + self._left, high)

    def _row_at(self, y: int) -> int:
        """Return the row at the height `y`: 0, the only one here."""
        return 0

    def _width(self, text: str) -> int:
        """The width of `text` in pixels."""
        return width_of(self.theme, text, self._size)

    def _place_of(self, text: str, index: int) -> Point:
        """Return where the character `index` of `text` begins: its pixel within its row, and the row."""
        lines = self._row_spans(text)
        row = max(row for row, (start, _) in enumerate(lines) if start <= index)
        return self._width(text[lines[row][0] : index]), row

    def _index_at(self, x: int, row: int) -> int:
        """Return the index in the text that is nearest to pixel `x` of `row`."""
        lines = self._row_spans(self.text)
        row = max(0, min(row, len(lines) - 1))
        start, end = lines[row]
        if row + 1 < len(lines) and lines[row + 1][0] == end and end > start:
            end -= 1  # a line that is wrapped ends before the character that the next one begins with
        return min(range(start, end + 1), key=lambda index: abs(self._width(self.text[start:index]) - x))

    # The mouse.

    def press(self, point: Point) -> None:
        """Put the caret at `point`; drop the selection, or with Shift extend it to there."""
        self.drag(point)
        if not pygame.key.get_mods() & pygame.KMOD_SHIFT:
            self.anchor = self.caret

    def drag(self, point: Point) -> None:
        """Extend the selection to the character nearest to `point`."""
        self.caret = self._index_at(point[0] - self._row_rect(0).left, self._row_at(point[1]))

    # The picture.

    def _displayed_text(self) -> tuple[str, int]:
        """Return the text with what an input method is composing, and the caret in it."""
        first, last = self.selection
        if not self.composing:
            return self.text, self.caret
        return self.text[:first] + self.composing + self.text[last:], first + len(self.composing)

    def _scroll_to_caret(self, text: str, caret: int) -> None:
        """Scroll to the caret, which is 0 while the field is not focused; show as much of the text as possible."""
        at, room = self._place_of(text, caret)[0], self._text_rect().width - self.theme.px(2)
        self._left = max(0, min(self._left, at, max(0, self._width(text) - room)), at - room)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the box, the text in sight with its selection or else the hint and, with the focus, the caret. Tell the
        input method where that is."""
        palette, px, inside = self.theme.palette, self.theme.px, self._text_rect()
        rounded(surface, self.rect, palette.background, px(8), palette.line, max(1, px(1)))
        text, caret = self._displayed_text()
        self._scroll_to_caret(text, caret if self.focused else 0)
        with clipped(surface, inside.inflate(px(self._around), px(self._around))):
            if not text:
                self._draw_hint(surface, inside)
            for row, (start, end) in enumerate(self._row_spans(text)):
                if self._row_rect(row).colliderect(inside):
                    self._draw_line(surface, text, row, start, end)
            if self.focused:
                x, row = self._place_of(text, caret)
                place = self._row_rect(row)
                bar = pygame.Rect(min(place.left + x, place.right), place.top, max(1, px(1.5)), place.height)
                surface.fill(palette.accent, bar)
                pygame.key.set_text_input_rect(bar)

    def _draw_hint(self, surface: pygame.Surface, inside: pygame.Rect) -> None:
        """Write the hint in the quiet colour, where the text would be."""
        write(surface, self.theme, self.hint, inside, self._size, self.theme.palette.quiet)

    def _draw_line(self, surface: pygame.Surface, text: str, row: int, start: int, end: int) -> None:
        """Draw the row `row` of the text, from `start` to `end`, with its selection, and a line below what an input
        method is composing."""
        theme, palette, place = self.theme, self.theme.palette, self._row_rect(row)

        def extent(first: int, last: int) -> tuple[int, int]:
            """Return left edge and width of the characters from `first` to `last`, as far as they are in the row."""
            first, last = max(first, start), min(last, end)
            left = self._width(text[start:first])
            return left, self._width(text[start:last]) - left if last > first else 0

        first, last = self.selection
        if self.focused and first != last and not self.composing:
            left, wide = extent(first, last)
            surface.fill(mix(palette.background, palette.info, 0.3), (place.left + left, place.top, wide, place.height))
        image = theme.text(text[start:end].rstrip("\n"), self._size, palette.text)
        surface.blit(image, image.get_rect(left=place.left, centery=place.centery))
        if self.composing:
            left, wide = extent(first, first + len(self.composing))
            line = pygame.Rect(place.left + left, place.bottom - theme.px(2), wide, max(1, theme.px(1)))
            surface.fill(palette.text, line)
