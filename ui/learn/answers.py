"""The controls of an exercise: a number to fill in under a node, and a node to mark or to move."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.toolkit.box_art import rounded
from ui.toolkit.controls import Point, Widget
from ui.toolkit.palette import Colour
from ui.toolkit.text import write
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import Theme

_LONGEST = 7  # characters
_SIGN = 14  # design pixels
_LETTERS = str.maketrans({"-": "−", "i": "∞", "I": "∞"})


class NumberField(TextLine):
    """A number; Up and Down go to the field before and after it. `tone` and `sign` tell what the last check said."""

    _size = 14

    def __init__(
        self, theme: Theme, rect: pygame.Rect, text: str, changed: Callable[[str], object],
        done: Callable[[str], object], entered: Callable[[], object], go: Callable[[int], object],
    ) -> None:  # fmt: skip
        super().__init__(theme, rect, text, _LONGEST, changed, done)
        self._entered, self._go = entered, go
        self.tone: Colour | None = None
        self.sign = ""

    def clean(self, text: str) -> str:
        """Without what belongs to no number; ``i`` is written for infinity."""
        return "".join(letter for letter in super().clean(text).translate(_LETTERS) if letter in "0123456789.,−+∞½")

    def focus(self) -> None:
        super().focus()
        self._entered()

    def key(self, event: pygame.event.Event) -> bool:
        by = {pygame.K_UP: -1, pygame.K_DOWN: 1}.get(event.key)
        if by is not None and not self.composing:
            self._go(by)
            return True
        return super().key(event)

    def _inside(self) -> pygame.Rect:
        return self.rect.inflate(-2 * self.theme.px(5), -2 * self.theme.px(2))

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        if self.tone is not None:
            px = self.theme.px
            pygame.draw.rect(surface, self.tone, self.rect, max(2, px(1.5)), px(7))
            draw_sign(surface, self.theme, self.rect, self.sign, self.tone)


def draw_sign(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, sign: str, tone: Colour) -> None:
    """Draw a sign over the upper right corner of `rect`."""
    if sign:
        px = theme.px
        place = pygame.Rect(0, 0, px(_SIGN), px(_SIGN))
        place.center = rect.right - px(3), rect.top + px(2)
        rounded(surface, place, theme.palette.background, px(_SIGN // 2))
        write(surface, theme, sign, place, 14, tone, bold=True, align="centre")


class NodeMark(Widget):
    """A node that `press` acts on, as Space does; with `move`, Left and Right move it. `tone` and `sign` tell what the
    last check said, `chosen` whether it is the one that is moved."""

    def __init__(
        self, theme: Theme, rect: pygame.Rect, pressed: Callable[[], object], entered: Callable[[], object],
        move: Callable[[int], object] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, rect)
        self._pressed, self._entered, self._move = pressed, entered, move
        self.tone: Colour | None = None
        self.sign = ""
        self.chosen = False

    def focus(self) -> None:
        self._entered()

    def release(self, point: Point) -> None:
        if self.enabled and self.rect.collidepoint(point):
            self._entered()
            self._pressed()

    def key(self, event: pygame.event.Event) -> bool:
        by = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}.get(event.key)
        if by is not None and self._move is not None:
            self._move(by)
            return True
        if event.key == pygame.K_SPACE:
            self._pressed()
            return True
        return False

    def draw(self, surface: pygame.Surface) -> None:
        px, palette = self.theme.px, self.theme.palette
        around = self.rect.inflate(px(6), px(6))
        ring = palette.text if self.chosen else palette.quiet if self.hovered else self.tone
        if ring is not None:
            pygame.draw.rect(surface, ring, around, max(2, px(2)), px(7))
        if self.tone is not None:
            draw_sign(surface, self.theme, around, self.sign, self.tone)
