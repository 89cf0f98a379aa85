"""Measures the contrast of every text that a scene or a board writes with the pixels that are really behind it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pygame
import pytest

import ui.toolkit.typesetting
from ui.board.cells import Art
from ui.board.shapes import contrast
from ui.toolkit.theme import Colour

LEAST = 4.5
_WRITTEN = 48  # of 255: how near to the colour of the text a pixel of a letter is
_PACKED = np.array((1 << 16, 1 << 8, 1))  # a colour as one number
_STRAY = 0.05  # of the pixels of a text, which may be on an edge of what is behind it


class Reader:
    """Watches texts being written, and keeps the contrast of each."""

    def __init__(self) -> None:
        self.read: dict[str, float] = {}

    @property
    def poor(self) -> dict[str, float]:
        return {text: ratio for text, ratio in self.read.items() if ratio < LEAST}

    def watch(
        self, surface: pygame.Surface, area: pygame.Rect, colour: Colour, text: str, draw: Callable[[], Any]
    ) -> None:
        area = area.clip(surface.get_clip())
        before = _pixels(surface, area)
        draw()
        after = _pixels(surface, area)
        ink = (_distance(after, np.array(colour, np.int16)) <= _WRITTEN) & (_distance(after, before) > 0)
        grounds = before[ink]
        if len(grounds):
            kinds, counts = np.unique(grounds.astype(int) @ _PACKED, return_counts=True)
            unpacked = zip((tuple(int(kind).to_bytes(3)) for kind in kinds), counts, strict=True)
            ratios = [(contrast(kind, colour), int(count)) for kind, count in unpacked]
            self.read[text] = min(self.read.get(text, 21.0), _low(sorted(ratios), len(grounds)))


def _pixels(surface: pygame.Surface, area: pygame.Rect) -> Any:
    return pygame.surfarray.array3d(surface.subsurface(area)).astype(np.int16)


def _distance(one: Any, other: Any) -> Any:
    """The largest difference of a channel, for each pixel."""
    channels = np.abs(one - other)
    return np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2])


def _low(ratios: list[tuple[float, int]], count: int) -> float:
    """The lowest of `ratios`, each of so many pixels, but for a few strays."""
    passed = 0
    for ratio, pixels in ratios:
        passed += pixels
        if passed > _STRAY * count:
            return ratio
    return ratios[-1][0]


def watching(monkeypatch: pytest.MonkeyPatch) -> Reader:
    """A reader of all that is written from now on."""
    made, write, put = Reader(), ui.toolkit.typesetting.write, Art.draw_centred

    def watched(
        surface: pygame.Surface,
        theme: Any,
        string: str,
        rect: pygame.Rect,
        size: int = 16,
        colour: Colour | None = None,
        *rest: Any,
        **more: Any,
    ) -> None:
        room = rect.inflate(0, size)
        ink = colour or theme.palette.text
        made.watch(surface, room, ink, string, lambda: write(surface, theme, string, rect, size, colour, *rest, **more))

    def centred(art: Art, target: pygame.Surface, text: str, centre: Any, height: int, colour: Colour) -> None:
        area = art.text(text, height, colour).get_rect(center=centre).inflate(4, 4)
        made.watch(target, area, colour, text, lambda: put(art, target, text, centre, height, colour))

    for name, module in list(sys.modules.items()):
        if name.startswith("ui.") and name != "ui.toolkit.art" and getattr(module, "write", None) is write:
            monkeypatch.setattr(module, "write", watched)
    monkeypatch.setattr(Art, "draw_centred", centred)
    return made
