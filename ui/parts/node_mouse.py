"""The mouse over a picture of a search: the node under the pointer, and the one that is looked at."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ai.explorer import Explorer


class NodeMouse:
    """`node_at` returns the node at a pixel, or None. With the button held, the node under the pointer is looked at."""

    def __init__(self, explorer: Explorer, node_at: Callable[[tuple[int, int]], int | None]) -> None:
        self._explorer, self._node_at = explorer, node_at
        self._held = False

    def handle(self, event: pygame.event.Event, rect: pygame.Rect) -> bool:
        """Return whether `event` belongs to the picture in `rect`."""
        if event.type == pygame.MOUSEBUTTONUP:
            self._held = False
        moved = event.type == pygame.MOUSEMOTION
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT
        if not (moved or pressed) or not rect.collidepoint(event.pos):
            return False
        self._held = self._held or pressed
        node = self._node_at(event.pos)
        if moved:
            self._explorer.pointed = node
        if self._held and node is not None:
            self._explorer.look_at(node)
        return True
