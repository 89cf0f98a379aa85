"""What the pictures of all boards share: a cache, what a person drew on a point, and the badge of a mistake."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
import pygame

from games.record import Mark
from ui.board.shapes import Field, Point, box, cover, disc, haze, ink_on, odd, plane, prohibition_sign, put, stack
from ui.board.shapes import stroke as straight
from ui.board.view import Frame
from ui.toolkit.theme import Colour

_LEAST_TYPE = 7  # pixels
_LEAST_SIGN = 15  # design pixels: the badge of a mistake, where cells are not too small
_WIDTH = 0.09  # of a line, as a share of a mark's size


class Art:
    """The pictures of a board in one frame, each made when it is first needed."""

    def __init__(self, frame: Frame) -> None:
        palette = frame.palette
        self._palette = palette
        self._grades = (palette.good, palette.accent, palette.bad)  # of candidates, the best first
        self._font, self._scale = frame.font, frame.scale
        self._pictures: dict[Hashable, pygame.Surface] = {}

    def _picture(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """The cached picture of a key, made when first needed."""
        if key not in self._pictures:
            self._pictures[key] = make()
        return self._pictures[key]

    def text(self, text: str, height: int, colour: Colour) -> pygame.Surface:
        """The picture of a bold text, cropped to its ink."""

        def make() -> pygame.Surface:
            drawn = self._font(height, True).render(text, True, colour)
            ink = drawn.get_bounding_rect()
            return drawn.subsurface(ink).copy() if ink.width and ink.height else drawn

        return self._picture(("text", text, height, colour), make)

    def _write(self, target: pygame.Surface, text: str, centre: Point, room: Point, colour: Colour) -> None:
        """Draw `text` as large as fits in `room` (width, height), with the centre of its ink on `centre`; not at all if
        it would be illegible."""
        height = int(room[1])
        width = self.text(text, height, colour).get_width() if height >= _LEAST_TYPE else 0
        if width > room[0]:
            height = int(height * room[0] / width)
        if height >= _LEAST_TYPE:
            self.centred(target, text, centre, height, colour)

    def centred(self, target: pygame.Surface, text: str, centre: Point, height: int, colour: Colour) -> None:
        """Draw `text` with the centre of its ink on `centre`."""
        put(target, self.text(text, height, colour), centre)

    def _draw_mark(
        self, target: pygame.Surface, mark: Mark, centre: Point, size: float, colour: Colour,
        ground: Colour | None = None,
    ) -> None:  # fmt: skip
        """Draw the `mark` of a person, as wide as `size`, around `centre`; on a soft patch of `ground`, if given."""
        side = odd(max(9, size))
        if ground is not None:
            put(target, self._picture(("patch", side, ground), lambda: _patch(side, ground)), centre)
        if mark.kind == "label":
            self._write(target, mark.text, centre, (side * 0.86, side * 0.58), colour)
        else:
            key = "mark", mark.kind, side, colour
            put(target, self._picture(key, lambda: stack((colour, cover(_field(mark.kind, side))))), centre)

    def _draw_wrong(self, target: pygame.Surface, centre: Point, size: float, sign: str) -> None:
        """Draw the badge of a mistake: a disc with its sign."""
        least = min(_LEAST_SIGN * self._scale, 1.7 * size)
        side, colour = odd(max(9, size, least)), self._grades[2]
        ink = ink_on(colour)
        put(target, self._picture(("wrong", side), lambda: _badge(side, colour, ink)), centre)
        self._write(target, sign, centre, (side * 0.62, side * 0.56), ink)

    def _draw_denied(self, target: pygame.Surface, centre: Point, size: float) -> None:
        """Draw a prohibition sign."""
        put(target, self._picture("denied", lambda: prohibition_sign(odd(size), self._palette.bad)), centre)


def _field(kind: str, side: int) -> Field:
    """The shape of a mark that fills a square of `side` pixels; a kind that is not known looks selected."""
    x, y = plane(side, side)
    width = max(1.6, side * _WIDTH)
    radius = side / 2 - width / 2 - 0.5
    if kind == "circle":
        return np.asarray(np.abs(disc(x, y, radius)) - width / 2)
    if kind == "square":
        edge = 1.62 * radius
        return np.asarray(np.abs(box(x, y, edge, edge, width)) - width / 2)
    if kind == "triangle":
        top, *feet = (0.0, -radius), (0.87 * radius, 0.5 * radius), (-0.87 * radius, 0.5 * radius)
        return _strokes(x, y, ((top, feet[0]), (feet[0], feet[1]), (feet[1], top)), width)
    if kind == "cross":
        arm = 0.72 * radius
        return _strokes(x, y, (((-arm, -arm), (arm, arm)), ((-arm, arm), (arm, -arm))), width)
    return box(x, y, 1.1 * radius, 1.1 * radius, width)


def _strokes(x: Field, y: Field, ends: tuple[tuple[Point, Point], ...], width: float) -> Field:
    """The distance of each pixel from the nearest of several strokes."""
    return np.asarray(np.minimum.reduce([straight(x, y, *pair, width) for pair in ends]))


def _patch(side: int, colour: Colour) -> pygame.Surface:
    """A soft disc that covers the lines below a mark."""
    wide = odd(side * 1.2)
    return stack((colour, haze(disc(*plane(wide, wide), side * 0.48), wide * 0.1, 0.92)))


def _badge(side: int, colour: Colour, ink: Colour) -> pygame.Surface:
    """A disc with a rim, for the sign of a mistake."""
    field = disc(*plane(side, side), side / 2 - 0.8)
    return stack((ink, cover(field)), (colour, cover(field + max(1.2, side * 0.07))))
