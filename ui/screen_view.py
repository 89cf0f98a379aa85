"""The screen that is shown with what lies over it: drawn in layers, and given events in the order of the layers."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ui.host import Overlay, Screen
from ui.system import trace
from ui.toolkit.display import Display
from ui.toolkit.keys import repeats


class ScreenView:
    """Shows `screen`, and over it the `overlay`: a dialog or a menu.

    `key` is tried with a pressed key that neither a widget nor the screen knows; it returns whether it did.
    """

    def __init__(self, display: Display, screen: Screen, key: Callable[[pygame.event.Event], bool]) -> None:
        self._display, self._key = display, key
        self.screen = screen
        self.overlay: Overlay | None = None
        self._down: int | None = None  # the key pressed last, while it is held

    @property
    def covered(self) -> bool:
        return self.overlay is not None

    def replace(self, screen: Screen) -> None:
        """Show `screen` from now on, with nothing over it."""
        self.screen.widgets.clear()
        self.screen, self.overlay = screen, None
        self.build()
        screen.enter()

    def build(self) -> None:
        """Make all widgets anew."""
        self.screen.widgets.clear()
        self.screen.build()
        trace.scene(self.screen)

    # Drawing.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        surface.fill(self._display.theme.palette.background)
        self.screen.draw(surface, now)
        self.screen.widgets.update(now, None if self.covered else pygame.mouse.get_pos())
        self.screen.widgets.draw(surface)
        self.screen.draw_over(surface, now)
        self.screen.widgets.draw_over(surface)
        if self.overlay:
            self.overlay.draw(surface)

    @property
    def expectant(self) -> bool:
        """Whether a widget may change by itself: one under the pointer, or one in which is typed."""
        return self.covered or self._typing() or self.screen.widgets.hovered

    # Events.

    def handle(self, event: pygame.event.Event) -> None:
        """Give `event` to the topmost of what is shown."""
        if event.type == pygame.KEYUP and event.key == self._down:
            self._down = None
        if event.type == pygame.KEYDOWN and self._held(event):
            return
        if overlay := self.overlay:
            if not overlay.handle(event) and self.overlay is overlay:
                self.overlay = None
        else:
            self._offer(event)

    def _held(self, event: pygame.event.Event) -> bool:
        """Whether `event` repeats a held key that must not act again, as it does where one types."""
        again, self._down = event.key == self._down, event.key
        return again and not repeats(event) and not self._typing()

    def _offer(self, event: pygame.event.Event) -> None:
        """Give `event` to whoever takes it first: widgets, focus, keys, and what the screen draws itself."""
        taken = self.screen.widgets.handle(event)
        if not (taken or (event.type == pygame.KEYDOWN and self._bound(event))):
            self.screen.handle(event)

    def _bound(self, event: pygame.event.Event) -> bool:
        return self.screen.key(event) or self._key(event)

    def _typing(self) -> bool:
        """Whether a line of text takes the keys."""
        return self.overlay.typing if self.overlay else self.screen.widgets.typing
