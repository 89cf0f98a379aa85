"""Draw only inside of a rectangle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pygame


@contextmanager
def clipped(target: pygame.Surface, rect: pygame.Rect) -> Iterator[None]:
    """Clip drawing on `target` to `rect`, and to what it was clipped to before."""
    before = target.get_clip()
    target.set_clip(rect.clip(before))
    try:
        yield
    finally:
        target.set_clip(before)
