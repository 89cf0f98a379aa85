"""The text on the system's clipboard."""

from __future__ import annotations

import pygame


def text() -> str:
    """The text, empty if there is none."""
    try:
        return pygame.scrap.get_text()
    except pygame.error:
        return ""


def put(text: str) -> bool:
    """Replace what is there. False if the system does not let us."""
    try:
        pygame.scrap.put_text(text)
    except pygame.error:
        return False
    return True
