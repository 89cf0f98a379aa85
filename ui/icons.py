"""The icons on buttons, drawn as strokes of one weight (fonts lack half of them), and the app's own icon.

Each icon is a function that draws on a square of 24 units with a `Pen`. The emblem is in `ui/emblem.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING

import pygame

from ui.emblem import app_icon
from ui.palette import Colour
from ui.pen import Pen, Point, arc_points

if TYPE_CHECKING:
    from pygame_gui.elements import UIButton

__all__ = ["NAMES", "app_icon", "icon", "put_icon"]

STATES = ("normal", "hovered", "selected", "disabled")


@lru_cache(maxsize=400)
def icon(name: str, size: int, colour: Colour) -> pygame.Surface:
    """A transparent square of `size` pixels with the icon. Kept; copy it before changing it.

    Raises `KeyError` when there is no such icon.
    """
    pen = Pen(size, colour)
    _ICONS[name](pen)
    return pen.result()


def put_icon(button: UIButton, name: str, size: int, place: tuple[float, float] = (0.5, 0.5)) -> None:
    """Puts an icon of `size` pixels on a button of pygame_gui's, in each state in the colour of its text there.

    `place` is where on the button, from (0, 0), the upper left corner, to (1, 1). pygame_gui copies an image
    that lies on a clear button as it is, and takes it for one with premultiplied alpha.
    """
    for state in STATES:
        *colour, _ = _rgba(button, f"{state}_text")
        clear = _rgba(button, f"{state}_bg")[3] == 0
        image = icon(name, size, (colour[0], colour[1], colour[2]))
        setattr(button, f"{state}_images", [image.premul_alpha() if clear else image])
        setattr(button, f"{state}_image_positions", [place])
    button.rebuild()


def _rgba(button: UIButton, colour_id: str) -> tuple[int, int, int, int]:
    colour = button.colours[colour_id]
    if not isinstance(colour, pygame.Color):
        raise TypeError(f"{colour_id} is a gradient; our themes have none")
    return colour.r, colour.g, colour.b, colour.a


def _play(pen: Pen) -> None:
    pen.shape(((8, 5.5), (18.5, 12), (8, 18.5)))


def _pause(pen: Pen) -> None:
    pen.shape(((7.5, 6), (8.8, 6), (8.8, 18), (7.5, 18)))
    pen.shape(((15.2, 6), (16.5, 6), (16.5, 18), (15.2, 18)))


def _stop(pen: Pen) -> None:
    pen.shape(((7, 7), (17, 7), (17, 17), (7, 17)))


def _first(pen: Pen) -> None:
    pen.line((6, 6), (6, 18))
    pen.shape(((17.5, 6.5), (17.5, 17.5), (10, 12)))


def _last(pen: Pen) -> None:
    pen.line((18, 6), (18, 18))
    pen.shape(((6.5, 6.5), (6.5, 17.5), (14, 12)))


def _back(pen: Pen) -> None:
    pen.line((14.8, 5.5), (8.3, 12), (14.8, 18.5))


def _forward(pen: Pen) -> None:
    pen.line((9.2, 5.5), (15.7, 12), (9.2, 18.5))


def _down(pen: Pen) -> None:
    pen.line((5.5, 9.2), (12, 15.7), (18.5, 9.2))


def _up(pen: Pen) -> None:
    pen.line((12, 19.5), (12, 4.8))
    pen.line((5.8, 11), (12, 4.8), (18.2, 11))


def _undo(pen: Pen) -> None:
    pen.line((8.8, 4.8), (4, 9.6), (8.8, 14.4))
    pen.line((4, 9.6), *arc_points((14.8, 14.4), 4.8, -90, 90), (9.5, 19.2))


def _redo(pen: Pen) -> None:
    pen.line((15.2, 4.8), (20, 9.6), (15.2, 14.4))
    pen.line((20, 9.6), *arc_points((9.2, 14.4), 4.8, -90, -270), (14.5, 19.2))


def _refresh(pen: Pen) -> None:
    pen.arc((12, 12.2), 8.2, -22, -328)
    pen.line((20.2, 3.6), (20.2, 9.2), (14.6, 9.2))


def _home(pen: Pen) -> None:
    pen.line((3.5, 11.5), (12, 4), (20.5, 11.5))
    pen.line((6, 10), (6, 20), (18, 20), (18, 10))
    pen.line((12, 20), (12, 15))


def _settings(pen: Pen) -> None:
    def at(radius: float, turn: float) -> Point:
        return 12 + radius * cos(turn), 12 + radius * sin(turn)

    outline = []
    for tooth in range(8):
        turn = tooth * pi / 4
        outline += [at(9.6, turn - 0.16), at(9.6, turn + 0.16), at(7.2, turn + 0.28), at(7.2, turn + pi / 4 - 0.28)]
    pen.line(*outline, closed=True)
    pen.ring((12, 12), 2.9)


def _open(pen: Pen) -> None:
    pen.line((3.2, 19), (3.2, 5.5), (9, 5.5), (11.5, 8.5), (20.8, 8.5), (20.8, 19), closed=True)


def _save(pen: Pen) -> None:
    pen.line((12, 3.8), (12, 14.6))
    pen.line((7, 9.8), (12, 14.8), (17, 9.8))
    pen.line((4, 15.8), (4, 20), (20, 20), (20, 15.8))


def _new(pen: Pen) -> None:
    pen.line((13.5, 3.2), (5.5, 3.2), (5.5, 20.8), (18.5, 20.8), (18.5, 8.2), (13.5, 3.2))
    pen.line((12, 10.4), (12, 16.8))
    pen.line((8.8, 13.6), (15.2, 13.6))


def _flag(pen: Pen) -> None:
    pen.line((5.5, 21), (5.5, 4), (18.5, 4), (15.2, 8.8), (18.5, 13.6), (5.5, 13.6))


def _hint(pen: Pen) -> None:
    pen.line((9.6, 16.8), *arc_points((12, 9.4), 6.2, 122, 418), (14.4, 16.8), (9.6, 16.8))
    pen.line((10.4, 20.8), (13.6, 20.8))


def _moon(pen: Pen) -> None:
    pen.line(*arc_points((11.6, 12.4), 8.4, 8, 262), *reversed(arc_points((16, 8), 6.8, 66, 204)), closed=True)


def _sun(pen: Pen) -> None:
    pen.ring((12, 12), 4)
    for turn in range(8):
        x, y = cos(turn * pi / 4), sin(turn * pi / 4)
        pen.line((12 + 7.6 * x, 12 + 7.6 * y), (12 + 9.6 * x, 12 + 9.6 * y))


def _globe(pen: Pen) -> None:
    pen.ring((12, 12), 8.8)
    pen.line(*arc_points((12, 12), 3.9, 0, 360, tall=8.8 / 3.9))
    pen.line((3.4, 12), (20.6, 12))


def _keys(pen: Pen) -> None:
    pen.box(2, 5.5, 22, 18.5, 2.5)
    for x in (6.2, 10.1, 13.9, 17.8):
        pen.disc((x, 10), 1.25)
    pen.line((8, 14.6), (16, 14.6))


def _close(pen: Pen) -> None:
    pen.line((5.8, 5.8), (18.2, 18.2))
    pen.line((18.2, 5.8), (5.8, 18.2))


def _about(pen: Pen) -> None:
    pen.ring((12, 12), 8.2)
    pen.line((12, 11.4), (12, 16))
    pen.disc((12, 8), 1.25)


def _plus(pen: Pen) -> None:
    pen.line((12, 4.5), (12, 19.5))
    pen.line((4.5, 12), (19.5, 12))


def _minus(pen: Pen) -> None:
    pen.line((4.5, 12), (19.5, 12))


def _ring(pen: Pen) -> None:
    pen.line(*arc_points((12, 12), 7, 0, 360))


def _check(pen: Pen) -> None:
    pen.line((4.8, 12.6), (9.8, 17.6), (19.2, 7))


def _trash(pen: Pen) -> None:
    pen.line((4, 6.5), (20, 6.5))
    pen.line((9, 6.2), (9, 3.4), (15, 3.4), (15, 6.2))
    pen.line((6, 6.5), (6.9, 20.6), (17.1, 20.6), (18, 6.5))
    pen.line((10.2, 11), (10.4, 16.4))
    pen.line((13.8, 11), (13.6, 16.4))


def _star(pen: Pen) -> None:
    tips = [(9.6 if turn % 2 == 0 else 4.2, turn * pi / 5 - pi / 2) for turn in range(10)]
    pen.line(*((12 + radius * cos(turn), 12.6 + radius * sin(turn)) for radius, turn in tips), closed=True)


def _search(pen: Pen) -> None:
    pen.ring((10.4, 10.4), 6.4)
    pen.line((15.2, 15.2), (20.2, 20.2))


def _library(pen: Pen) -> None:
    for left in (3.5, 13.5):
        for top in (3.5, 13.5):
            pen.box(left, top, left + 7, top + 7, 1.5)


def _edit(pen: Pen) -> None:
    pen.line((4, 20), (5, 15.2), (16.2, 4), (20, 7.8), (8.8, 19), closed=True)
    pen.line((13.2, 7), (17, 10.8))


def _swap(pen: Pen) -> None:
    pen.line((4, 8), (20, 8))
    pen.line((16, 4), (20, 8), (16, 12))
    pen.line((20, 16), (4, 16))
    pen.line((8, 12), (4, 16), (8, 20))


def _person(pen: Pen) -> None:
    pen.ring((12, 7.8), 4)
    pen.arc((12, 22), 7.8, 192, 348)


def _computer(pen: Pen) -> None:
    pen.box(2.8, 4, 21.2, 16.4)
    pen.line((12, 16.4), (12, 20.4))
    pen.line((7.8, 20.4), (16.2, 20.4))


def _board(pen: Pen) -> None:
    pen.box(3.5, 3.5, 20.5, 20.5, 2)
    pen.line((9.2, 3.5), (9.2, 20.5))
    pen.line((3.5, 14.8), (20.5, 14.8))
    pen.disc((14.8, 9.2), 3)


def _speaker(pen: Pen) -> None:
    pen.line((3.2, 9.2), (6.8, 9.2), (11.6, 5), (11.6, 19), (6.8, 14.8), (3.2, 14.8), closed=True)


def _sound(pen: Pen) -> None:
    _speaker(pen)
    pen.arc((11.6, 12), 4.2, -48, 48)
    pen.arc((11.6, 12), 8.6, -48, 48)


def _mute(pen: Pen) -> None:
    _speaker(pen)
    pen.line((15.6, 9.2), (21.2, 14.8))
    pen.line((21.2, 9.2), (15.6, 14.8))


def _expand(pen: Pen) -> None:
    for x, right in ((4, 1), (20, -1)):
        for y, down in ((4, 1), (20, -1)):
            pen.line((x, y + 5 * down), (x, y), (x + 5 * right, y))


_ICONS: dict[str, Callable[[Pen], None]] = {
    draw.__name__[1:]: draw
    for draw in (
        *(_play, _pause, _stop, _first, _last, _back, _forward, _up, _down, _undo, _redo, _refresh),
        *(_home, _settings, _open, _save, _new, _flag, _hint, _moon, _sun, _globe, _keys, _close, _about, _plus),
        *(_minus, _ring, _check),
        *(_search, _library),
        *(_trash, _star, _edit, _swap, _person, _computer, _board, _sound, _mute, _expand),
    )
}

NAMES = tuple(_ICONS)
