"""Encodes pictures: one as PNG, several as an animated GIF or WebP. Imports Pillow only when it is needed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

SHORTEST, LONGEST = 20, 60_000
"""Milliseconds that a picture of an animation may be shown; viewers replace shorter times by longer ones."""

_HELD = 4  # how many times as long as the others the last picture is shown
_LEAST_HELD = 2_500  # milliseconds
_COLOURS = 255  # and one that stands for what has not changed

_OPTIONS: dict[str, dict[str, object]] = {
    "gif": {"optimize": True, "disposal": 1},
    "webp": {"quality": 85, "method": 4, "kmin": 0, "kmax": 0},  # no keyframes: the whole board takes most room
}


@dataclass(frozen=True, slots=True)
class Film:
    """`count` pictures of `size`, three bytes a pixel. `samples` are some of them in which all colours occur."""

    size: tuple[int, int]
    count: int
    samples: Sequence[bytes]
    frames: Iterable[bytes]


def png(size: tuple[int, int], pixels: bytes) -> bytes:
    """A picture as PNG."""
    out = io.BytesIO()
    _image(size, pixels).save(out, "PNG")
    return out.getvalue()


def animated(kind: str, film: Film, delay: int) -> bytes:
    """The pictures as ``gif`` or ``webp``, each shown for `delay` milliseconds and the last one longer; it starts again
    at its end. They share one palette. What an iteration of `film.frames` raises comes through.
    """
    from PIL import GifImagePlugin, WebPImagePlugin  # noqa: F401  (Pillow would load every format there is)
    from PIL.Image import Dither

    palette, plain = _palette(film), Dither.NONE  # dithering would change more of the board than a move does
    pictures = (_image(film.size, pixels).quantize(palette=palette, dither=plain) for pixels in film.frames)
    first = next(pictures)
    rest = islice(pictures, film.count - 1)
    durations = [delay] * (film.count - 1) + [max(_HELD * delay, _LEAST_HELD)]
    out = io.BytesIO()
    first.save(out, kind, save_all=True, append_images=chain(rest), duration=durations, loop=0, **_OPTIONS[kind])
    return out.getvalue()


def _image(size: tuple[int, int], pixels: bytes) -> Image:
    from PIL import Image

    return Image.frombytes("RGB", size, pixels)


def _palette(film: Film) -> Image:
    """An image with the colours of the samples, side by side."""
    width, height = film.size
    together = _image((width, height * len(film.samples)), b"".join(film.samples))
    return together.quantize(_COLOURS)
