"""What the toolkit needs of the window: its size, theme and widget manager, which change while the program runs."""

from __future__ import annotations

from typing import Protocol

import pygame_gui

from ui.toolkit.theme import Theme


class Display(Protocol):
    """Read the attributes anew whenever they are needed: resizing or restyling the window replaces them."""

    @property
    def theme(self) -> Theme: ...

    @property
    def manager(self) -> pygame_gui.UIManager: ...

    @property
    def size(self) -> tuple[int, int]: ...
