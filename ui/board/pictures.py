"""Pictures and animations of games for files: which kinds there are, how large they may be, and how they are encoded.

Import pygame and Pillow only to make one.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from games.formats import svg
from games.record import GameRecord, Node
from ui.toolkit.palette import PALETTES, Palette

if TYPE_CHECKING:
    from PIL.Image import Image

    from ui.board.painter import Painter

ANIMATED = (".gif", ".webp")
KINDS = (".png", *ANIMATED, ".svg")

NARROWEST, WIDEST, WIDEST_ANIMATED = 120, 4000, 1200
"""Pixels of a picture."""

SHORTEST, LONGEST = 20, 60_000
"""Milliseconds that a picture of an animation may be shown; viewers replace shorter times by longer ones."""

_WIDTH, _WIDTH_ANIMATED = 720, 480
_DELAY = 800  # milliseconds
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


def kinds(record: GameRecord) -> tuple[str, ...]:
    """Return the kinds of pictures that there are of a game."""
    return tuple(kind for kind in KINDS if kind != ".svg" or svg.has_pictures(record.root.position))


@dataclass(frozen=True, slots=True)
class Picture:
    """How a picture of a `kind` looks. A `width` in pixels or a `delay` in milliseconds of None is the usual one.

    Raise `ValueError` with a sentence for sizes and times that no picture can have.
    """

    kind: str
    numbers: bool = False
    width: int | None = None
    delay: int | None = None
    coordinates: bool = True
    palette: Palette = PALETTES["paper"]

    def __post_init__(self) -> None:
        most = WIDEST_ANIMATED if self.animated else WIDEST
        if self.width is not None and not NARROWEST <= self.width <= most:
            raise ValueError(f"A {self.kind} picture is {NARROWEST} to {most} pixels wide, not {self.width}.")
        if self.delay is not None and not self.animated:
            raise ValueError(f"--delay is for animations ({', '.join(ANIMATED)}).")
        if self.delay is not None and not SHORTEST <= self.delay <= LONGEST:
            raise ValueError(f"A move is shown for {SHORTEST} to {LONGEST} milliseconds, not {self.delay}.")

    @property
    def animated(self) -> bool:
        return self.kind in ANIMATED

    @property
    def milliseconds(self) -> int:
        return self.delay or _DELAY

    def painter(self, record: GameRecord) -> Painter:
        from ui.board.painter import Painter

        width = self.width or (_WIDTH_ANIMATED if self.animated else _WIDTH)
        return Painter(record.setup.game, width, self.palette, self.numbers, self.coordinates)


def still(record: GameRecord, node: Node, picture: Picture) -> bytes:
    """The position of `node`, as SVG or PNG. Raise `FormatError` for a game of which there is no SVG."""
    if picture.kind == ".svg":
        return drawing(record, node, picture)
    painter = picture.painter(record)
    return png(painter.size, painter.paint(node))


def drawing(record: GameRecord, node: Node, picture: Picture) -> bytes:
    """The same as SVG."""
    return svg.dumps(record, node, picture.numbers, picture.width)


def animation(record: GameRecord, nodes: Sequence[Node], picture: Picture) -> bytes:
    """The positions of `nodes` one after the other."""
    painter = picture.painter(record)
    film = Film(painter.size, len(nodes), samples(painter, nodes), map(painter.paint, nodes))
    return animated(picture.kind[1:], film, picture.milliseconds)


def samples(painter: Painter, nodes: Sequence[Node]) -> list[bytes]:
    """Pictures that have all colours of the animation: its begin, middle and end."""
    return [painter.paint(node) for node in (nodes[0], nodes[len(nodes) // 2], nodes[-1])]
