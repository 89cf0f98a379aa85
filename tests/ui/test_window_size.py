"""A window opens no larger than its display, unless that is how it was left there."""

from __future__ import annotations

import pygame
import pytest

from ui.system.settings import Settings
from ui.system.window import remembered_size

Size = tuple[int, int]


@pytest.mark.parametrize(
    ("display", "wanted", "displays", "opened"),
    [
        ((1366, 768), (1280, 800), "", (1280, 691)),
        ((1366, 768), (3000, 1900), "3840x2160", (1366, 691)),
        ((800, 600), (1280, 800), "", (960, 640)),
        ((1920, 1080), (1280, 800), "3840x2160", (1280, 800)),
        ((1366, 768), (3000, 1900), "1366x768", (3000, 1900)),
    ],
)
def test_a_remembered_window_fits_another_display(
    monkeypatch: pytest.MonkeyPatch, display: Size, wanted: Size, displays: str, opened: Size
) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [display])
    settings = Settings(width=wanted[0], height=wanted[1], displays=displays)
    assert remembered_size(settings) == opened
