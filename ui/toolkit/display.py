"""The window as the toolkit sees it: size and theme, which may change."""

from __future__ import annotations

from typing import Protocol

from ui.toolkit.theme import Theme


class Display(Protocol):
    """Read the attributes anew whenever they are needed: resizing or restyling the window replaces them."""

    @property
    def theme(self) -> Theme: ...

    @property
    def size(self) -> tuple[int, int]: ...
