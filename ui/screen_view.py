"""The screen that is shown with what lies over it: drawn in layers, and given events in the order of the layers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pygame
from pygame_gui.elements import UITextEntryLine, UITooltip, UIWindow

from ui.host import Overlay, Screen
from ui.system import trace
from ui.toolkit.display import Display
from ui.toolkit.file_chooser import FileChooser
from ui.toolkit.keys import repeats

Blits = list[Any]
"""What `Surface.blits` takes."""


class ScreenView:
    """Shows `screen`, and over it the file dialog of `chooser` and the `overlay`.

    `key` is tried with a pressed key that neither a widget nor the screen knows; it returns whether it did.
    """

    def __init__(
        self, display: Display, screen: Screen, chooser: FileChooser, key: Callable[[pygame.event.Event], bool]
    ) -> None:
        self._display, self._key = display, key
        self.screen, self.chooser = screen, chooser
        self.overlay: Overlay | None = None
        self._down: int | None = None  # the key pressed last, while it is held

    @property
    def covered(self) -> bool:
        return self.overlay is not None or self.chooser.open

    def replace(self, screen: Screen) -> None:
        """Show `screen` from now on, with nothing over it."""
        self.screen, self.overlay = screen, None
        self.chooser.close()
        self.build()
        screen.enter()

    def build(self) -> None:
        """Make all widgets anew."""
        self.screen.widgets.clear()
        self.screen.build()
        self.chooser.build()
        trace.scene(self.screen)

    # Drawing.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        surface.fill(self._display.theme.palette.background)
        self.screen.draw(surface, now)
        widgets, floating = self._layers()
        surface.blits(widgets)
        self.screen.draw_over(surface, now)
        self.screen.widgets.draw_over(surface)
        surface.blits(floating)
        self.chooser.draw_focus(surface)
        if self.overlay:
            self.overlay.draw(surface)

    def _layers(self) -> tuple[Blits, Blits]:
        """What pygame_gui draws: the widgets of the screen, and the dialogs and tooltips that lie over all of it."""
        sprites = self._display.manager.get_sprite_group().sprites()
        shown = [sprite for sprite in sprites if sprite.visible and sprite.image]
        floor = min((sprite.layer for sprite in shown if isinstance(sprite, UIWindow | UITooltip)), default=math.inf)
        widgets = [sprite.blit_data for sprite in shown if sprite.layer < floor]
        return widgets, [sprite.blit_data for sprite in shown if sprite.layer >= floor]

    @property
    def expectant(self) -> bool:
        """Whether a widget may change by itself: one under the pointer, or one in which is typed."""
        widgets = self.screen.widgets.elements.values()
        return self.chooser.open or self._typing() or any(widget.hovered for widget in widgets)

    # Events.

    def handle(self, event: pygame.event.Event) -> None:
        """Give `event` to the topmost of what is shown."""
        if event.type == pygame.KEYUP and event.key == self._down:
            self._down = None
        if event.type == pygame.KEYDOWN and self._held(event):
            return
        if self.screen.widgets.changed(event):
            return  # also under an overlay: the hand may have been faster than the widget
        if self.overlay:
            self.overlay = self.overlay if self.overlay.handle(event) else None
        elif self.chooser.open:
            self.chooser.handle(event)
        else:
            self._offer(event)

    def _held(self, event: pygame.event.Event) -> bool:
        """Whether `event` repeats a held key that must not act again, as it does where one types."""
        again, self._down = event.key == self._down, event.key
        return again and not repeats(event) and not self.chooser.open and not self._typing()

    def _offer(self, event: pygame.event.Event) -> None:
        """Give `event` to whoever takes it first: widgets, focus, keys, and what the screen draws itself."""
        pressed = event.type == pygame.KEYDOWN
        if self._display.manager.process_events(event) and not pressed:
            return
        if pressed and (self.screen.widgets.focus_key(event) or self._typing() or self._bound(event)):
            return
        self.screen.handle(event)

    def _bound(self, event: pygame.event.Event) -> bool:
        return self.screen.key(event) or self._key(event)

    def _typing(self) -> bool:
        """Whether a text entry takes the keys."""
        focused = self._display.manager.get_focus_set() or ()
        return any(isinstance(element, UITextEntryLine) for element in focused)
