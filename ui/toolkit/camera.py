"""The part of a large drawing that is seen in a rectangle: zoom, pan, and animated moves to a place."""

from __future__ import annotations

import pygame

_GLIDE = 0.14  # seconds to go most of the way
_NEAR = 0.5  # pixels at which a glide ends


class Camera:
    """Maps a drawing to the rectangle `view`, real pixels of the window. `zoom` is pixels per unit of the drawing, from
    `least` to `most`; downwards `stretch` times as many. `x` and `y` are the drawing's origin relative to the view."""

    def __init__(self, least: float, most: float) -> None:
        self.view = pygame.Rect()
        self.zoom = self.x = self.y = 0.0
        self.stretch = 1.0
        self._least, self._most = least, most
        self._target: tuple[float, float] | None = None
        self._then = 0.0

    @property
    def gliding(self) -> bool:
        """Whether an animated move is under way."""
        return self._target is not None

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of the window that shows a point of the drawing."""
        return self.view.left + self.x + x * self.zoom, self.view.top + self.y + y * self.zoom * self.stretch

    def point(self, pixel: tuple[int, int]) -> tuple[float, float]:
        """Return the point of the drawing that is shown at a pixel of the window."""
        right, down = pixel[0] - self.view.left - self.x, pixel[1] - self.view.top - self.y
        return right / self.zoom, down / (self.zoom * self.stretch)

    def fit(self, width: float, height: float, most: float, stretch: float) -> None:
        """Zoom so that the whole drawing of `width` × `height` units is seen, with at most `most` pixels per unit; if
        it is too large for that, show the middle of its top. Stretch it to use the room below, at most by the factor
        `stretch`."""
        wanted = min(self.view.width / max(1.0, width), self.view.height / max(1.0, height), most)
        self.zoom = max(self._least, min(wanted, self._most))
        self.x = (self.view.width - width * self.zoom) / 2
        self.stretch = max(1.0, min(self.view.height / max(1.0, height * self.zoom), stretch))
        self.y = max(0.0, (self.view.height - height * self.zoom * self.stretch) / 2)
        self._target = None

    def zoom_by(self, factor: float, pixel: tuple[int, int]) -> None:
        """Zoom by a factor, within the limits; the point of the drawing at `pixel` stays there."""
        x, y = self.point(pixel)
        self.zoom = max(self._least, min(self.zoom * factor, self._most))
        self.x = pixel[0] - self.view.left - x * self.zoom
        self.y = pixel[1] - self.view.top - y * self.zoom * self.stretch
        self._target = None

    def move(self, right: float, down: float) -> None:
        """Shift the drawing by so many pixels, and end an animated move."""
        self.x, self.y, self._target = self.x + right, self.y + down, None

    def keep_in_view(self, width: float, height: float) -> None:
        """If the drawing, of `width` × `height` units, is nearly out of sight, shift it back: its edges come no nearer
        than a quarter of the view to the opposite edges of the view."""
        for_x, for_y = self.view.width / 4, self.view.height / 4
        self.x = max(for_x - width * self.zoom, min(self.x, self.view.width - for_x))
        self.y = max(for_y - height * self.zoom * self.stretch, min(self.y, self.view.height - for_y))

    def reveal(self, area: pygame.Rect, now: float, glide: bool) -> None:
        """Shift the drawing as little as needed to see `area`, real pixels of the window: at once, or with `glide` by
        an animation from the time `now` on."""
        right = max(0, self.view.left - area.left) or min(0, self.view.right - area.right)
        down = max(0, self.view.top - area.top) or min(0, self.view.bottom - area.bottom)
        if right or down:
            self._target, self._then = (self.x + right, self.y + down), now
            if not glide:
                self.x, self.y = self._target
                self._target = None

    def update(self, now: float) -> None:
        """Continue an animated move to the time `now`."""
        if self._target is None:
            return
        share = min(1.0, max(0.0, now - self._then) / _GLIDE)
        self._then = now
        self.x += (self._target[0] - self.x) * share
        self.y += (self._target[1] - self.y) * share
        if abs(self._target[0] - self.x) + abs(self._target[1] - self.y) < _NEAR:
            (self.x, self.y), self._target = self._target, None
