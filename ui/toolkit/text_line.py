"""A text field: caret, selection, clipboard, undo, and the composition of an input method."""

from __future__ import annotations

import re
from collections.abc import Callable

import pygame

from ui.toolkit import clipboard
from ui.toolkit.box_art import clipped, rounded
from ui.toolkit.controls import Point, Widget
from ui.toolkit.keys import COMMAND
from ui.toolkit.palette import mix
from ui.toolkit.text import write
from ui.toolkit.theme import Theme

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

    def __init__(
        self, theme: Theme, rect: pygame.Rect, text: str, longest: int, changed: Callable[[str], object],
        done: Callable[[str], object] = lambda _: None, hint: str = "",
    ) -> None:  # fmt: skip
        super().__init__(theme, rect)
        self.longest, self.changed, self.done, self.hint = longest, changed, done, hint
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Replace the text, and move the caret to its end."""
        self.text = text
        self.caret = self.anchor = len(text)
        self._composition = ""
        self._undo: list[tuple[str, int]] = []
        self._left = 0  # pixels scrolled to the left

    def select(self, first: int, last: int) -> None:
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
        self.focused, self._composition = False, ""
        rest_input_method()

    def enter(self) -> None:
        self.done(self.text)

    def typed(self, text: str) -> None:
        """Replace the selection by `text`, or as much of it as fits."""
        first, last = self.selection
        clean = self.clean(text)[: max(0, self.longest - len(self.text) + last - first)]
        self._composition = ""
        if clean or first != last:
            self._undo.append((self.text, self.caret))
            self.text = self.text[:first] + clean + self.text[last:]
            self.caret = self.anchor = first + len(clean)
            self.changed(self.text)

    def clean(self, text: str) -> str:
        """`text` without what the widget cannot show."""
        return "".join(letter if letter >= " " else " " for letter in text.strip("\r\n"))

    @property
    def composing(self) -> str:
        """What an input method is about to write."""
        return self._composition

    def compose(self, text: str) -> None:
        """Show the composition of an input method."""
        self._composition = text

    def key(self, event: pygame.event.Event) -> bool:
        if self._composition:
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
            self.typed("")
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
        first, last = self.selection
        if key == pygame.K_a:
            self.select(0, len(self.text))
        elif key in (pygame.K_c, pygame.K_x):
            if clipboard.put(self.text[first:last]) and key == pygame.K_x:
                self.typed("")
        elif key == pygame.K_v:
            self.typed(clipboard.text())
        elif key == pygame.K_z and self._undo:
            self.text, self.caret = self._undo.pop()
            self.anchor = self.caret
            self.changed(self.text)
        return True

    # The mouse.

    def press(self, point: Point) -> None:
        self.drag(point)
        if not pygame.key.get_mods() & pygame.KMOD_SHIFT:
            self.anchor = self.caret

    def drag(self, point: Point) -> None:
        x = point[0] - self._inside().left + self._left
        self.caret = min(range(len(self.text) + 1), key=lambda index: abs(self._x(self.text[:index]) - x))

    # The picture.

    def _inside(self) -> pygame.Rect:
        return self.rect.inflate(-2 * self.theme.px(10), -2 * self.theme.px(4))

    def _x(self, text: str) -> int:
        return self.theme.font(self.theme.px(16)).size(text)[0]

    def draw(self, surface: pygame.Surface) -> None:
        theme, palette, inside = self.theme, self.theme.palette, self._inside()
        rounded(surface, self.rect, palette.background, theme.px(8), palette.line, max(1, theme.px(1)))
        with clipped(surface, inside):
            if not self.text and not self._composition:
                write(surface, theme, self.hint, inside, 16, palette.quiet)
            self._draw_text(surface, inside)

    def _draw_text(self, surface: pygame.Surface, inside: pygame.Rect) -> None:
        theme, palette, px = self.theme, self.theme.palette, self.theme.px
        first, last = self.selection
        composed = self.text[:first] + self._composition
        shown = composed + self.text[last:] if self._composition else self.text
        caret = self._x(composed if self._composition else self.text[: self.caret])
        furthest = max(0, self._x(shown) + px(2) - inside.width)
        self._left = max(0, min(self._left, caret, furthest), caret + px(2) - inside.width)
        begin, line = inside.left - self._left, px(24)
        top = inside.centery - line // 2
        if self.focused and first != last and not self._composition:
            start, end = self._x(self.text[:first]), self._x(self.text[:last])
            surface.fill(mix(palette.background, palette.info, 0.3), (begin + start, top, end - start, line))
        image = theme.text(shown, 16, palette.text)
        surface.blit(image, image.get_rect(left=begin, centery=inside.centery))
        if self.focused:
            bar = pygame.Rect(begin + caret, top, max(1, px(1.5)), line)
            surface.fill(palette.accent, bar)
            if self._composition:
                start = self._x(self.text[:first])
                surface.fill(palette.text, (begin + start, bar.bottom - px(2), caret - start, max(1, px(1))))
            pygame.key.set_text_input_rect(bar)
