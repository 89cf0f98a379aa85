"""Pictures and animations of games for files: which kinds there are, how large they may be, and how they are encoded.
Also the thumbnails of positions in the window.

Import pygame and Pillow only to make one.
"""

from __future__ import annotations

import io
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol

import pygame

from games.formats import svg
from games.formats.text import parse
from games.game import single_cell
from games.position import Stones, cells_of
from games.record import GameRecord, Node, moves_to
from games.registry import GAMES, Setup
from ui.board.looks import board_view, look
from ui.board.view import BoardView, Frame, Marks
from ui.toolkit.art import rounded
from ui.toolkit.theme import PALETTES, Display, Palette, Theme
from ui.toolkit.typesetting import width_of, write

if TYPE_CHECKING:
    from PIL.Image import Image

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
    """The pictures of an animation: `frames`, of which there are `count`, of `size`, with three bytes a pixel.
    `samples` are some of them in which all colours occur."""

    size: tuple[int, int]
    count: int
    samples: Sequence[bytes]
    frames: Iterable[bytes]


def png(size: tuple[int, int], pixels: bytes) -> bytes:
    """Encode a picture with three bytes a pixel as PNG."""
    out = io.BytesIO()
    _image(size, pixels).save(out, "PNG")
    return out.getvalue()


def film_bytes(kind: str, film: Film, delay: int) -> bytes:
    """Encode an animation as ``gif`` or ``webp``, which repeats endlessly. Each picture is shown for `delay`
    milliseconds, the last one longer. They share one palette. Raise whatever iterating `film.frames` raises."""
    from PIL import GifImagePlugin, WebPImagePlugin  # noqa: F401  (Pillow would load every format there is)
    from PIL.Image import Dither

    palette, plain = _palette_image(film), Dither.NONE  # dithering would change more of the board than a move does
    pictures = (_image(film.size, pixels).quantize(palette=palette, dither=plain) for pixels in film.frames)
    first = next(pictures)
    rest = islice(pictures, film.count - 1)
    durations = [delay] * (film.count - 1) + [max(_HELD * delay, _LEAST_HELD)]
    out = io.BytesIO()
    first.save(out, kind, save_all=True, append_images=chain(rest), duration=durations, loop=0, **_OPTIONS[kind])
    return out.getvalue()


def _image(size: tuple[int, int], pixels: bytes) -> Image:
    """Return a picture with three bytes a pixel as an image of Pillow."""
    from PIL import Image

    return Image.frombytes("RGB", size, pixels)


def _palette_image(film: Film) -> Image:
    """Return an image whose palette has the colours of the samples."""
    width, height = film.size
    together = _image((width, height * len(film.samples)), b"".join(film.samples))
    return together.quantize(_COLOURS)


def kinds(record: GameRecord) -> tuple[str, ...]:
    """Return the kinds of pictures that can be made of a game, as endings of files such as ``.png``."""
    return tuple(kind for kind in KINDS if kind != ".svg" or svg.has_pictures(record.root.position))


@dataclass(frozen=True, slots=True)
class Picture:
    """How a picture is to look; `kind` is one of `KINDS`. `width` is in pixels and `delay` in milliseconds, None for
    the usual one.

    Raise `ValueError` with a sentence for a size or time that no picture can have.
    """

    kind: str
    numbers: bool = False
    width: int | None = None
    delay: int | None = None
    coordinates: bool = True
    palette: Palette = PALETTES["paper"]

    def __post_init__(self) -> None:
        """Raise ValueError for a width or delay out of range, or a delay of a picture that is no animation."""
        most = WIDEST_ANIMATED if self.animated else WIDEST
        if self.width is not None and not NARROWEST <= self.width <= most:
            raise ValueError(f"A {self.kind} picture is {NARROWEST} to {most} pixels wide, not {self.width}.")
        if self.delay is not None and not self.animated:
            raise ValueError(f"--delay is for animations ({', '.join(ANIMATED)}).")
        if self.delay is not None and not SHORTEST <= self.delay <= LONGEST:
            raise ValueError(f"A move is shown for {SHORTEST} to {LONGEST} milliseconds, not {self.delay}.")

    @property
    def animated(self) -> bool:
        """Whether `kind` is that of an animation."""
        return self.kind in ANIMATED

    @property
    def milliseconds(self) -> int:
        """Milliseconds for which a picture of an animation is shown."""
        return self.delay or _DELAY

    def painter(self, record: GameRecord) -> Painter:
        """Return a painter of the positions of a game in this look."""
        from ui.board.pictures import Painter

        width = self.width or (_WIDTH_ANIMATED if self.animated else _WIDTH)
        return Painter(record.setup.game, width, self.palette, self.numbers, self.coordinates)


def still_picture(record: GameRecord, node: Node, picture: Picture) -> bytes:
    """Return the position of `node` encoded as SVG or PNG, whichever `picture.kind` is. Raise `FormatError` for SVG if
    the game has none."""
    if picture.kind == ".svg":
        return drawing(record, node, picture)
    painter = picture.painter(record)
    return png(painter.size, painter.paint(node))


def drawing(record: GameRecord, node: Node, picture: Picture) -> bytes:
    """Return the position of `node` as SVG. Raise `FormatError` if the game has none."""
    return svg.dumps(record, node, picture.numbers, picture.width)


def animation(record: GameRecord, nodes: Sequence[Node], picture: Picture) -> bytes:
    """Return an animation, encoded as `picture.kind`, that shows the positions of `nodes` one after the other."""
    painter = picture.painter(record)
    film = Film(painter.size, len(nodes), samples(painter, nodes), map(painter.paint, nodes))
    return film_bytes(picture.kind[1:], film, picture.milliseconds)


def samples(painter: Painter, nodes: Sequence[Node]) -> list[bytes]:
    """Return the first, middle and last picture of an animation, in which all its colours occur."""
    return [painter.paint(node) for node in (nodes[0], nodes[len(nodes) // 2], nodes[-1])]


# Small pictures of final positions, drawn by the boards, a few in each frame.


_CACHE_BYTES = 32 * 1024 * 1024
_CACHE_BOARDS = 12
_BUDGET = 0.0015  # seconds of a frame; at least one picture is made
_DESIGN = 400  # design pixels of the board that a thumbnail shows smaller
PICTURE = 92  # design pixels: the side of the picture on a card
_SMALL = 64  # design pixels: below it, a thumbnail of a large board shows the stones and what is near
_FEWEST = 7  # cells across
_CAPTION, _LARGEST = 20, 0.7  # design pixels of a caption, and at most so much of the side
_LEAST = 276  # pixels: smaller thumbnails are scaled down from a board of this size

class Pictured(Protocol):
    """Something with a thumbnail: a position, by how it came about. It is an entry of the library, or a node of a
    search tree."""

    @property
    def setup(self) -> Setup | None:
        """Game, size and rule; None if there is no thumbnail."""

    @property
    def stones(self) -> Stones | None:
        """The stones that were set up before the first move; None for the usual start."""

    @property
    def moves(self) -> str:
        """The moves that led to the position, as text."""


Key = tuple[Theme, Setup, Stones | None, str, int]


class Thumbnails:
    """A cache of small pictures of positions. `picture` returns one, or queues it for `work`, which is to be called
    once a frame."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._pictures: OrderedDict[Key, pygame.Surface] = OrderedDict()
        self._bytes = 0
        self._wanted: dict[Key, None] = {}  # in order
        self._board = lru_cache(_CACHE_BOARDS)(_make_board)

    @property
    def busy(self) -> bool:
        """Whether thumbnails are still to be drawn."""
        return bool(self._wanted)

    def picture(self, entry: Pictured, side: int) -> pygame.Surface | None:
        """Return a square of `side` pixels with the position of `entry`. Return None, and queue it, if it is not made
        yet; None, too, if `entry` has no set-up."""
        if entry.setup is None:
            return None
        key = (self._display.theme, entry.setup, entry.stones, entry.moves, side)
        if key in self._pictures:
            self._pictures.move_to_end(key)
            return self._pictures[key]
        self._wanted[key] = None
        return None

    def work(self) -> bool:
        """Make queued pictures for a moment, at least one. Return whether any was queued. Pictures not asked for again
        are dropped."""
        until, wanted = time.perf_counter() + _BUDGET, list(self._wanted)
        self._wanted.clear()  # those still in sight are asked for again
        for number, key in enumerate(wanted):
            if number and time.perf_counter() >= until:
                self._wanted.update(dict.fromkeys(wanted[number:]))
                break
            self._cache(key, self._make_picture(*key))
        return bool(wanted)

    def _cache(self, key: Key, picture: pygame.Surface) -> None:
        """Put a picture into the cache, and drop the least recently used ones if it takes too many bytes."""
        self._pictures[key] = picture
        self._bytes += picture.get_width() * picture.get_height() * 4
        while self._bytes > _CACHE_BYTES and len(self._pictures) > 1:
            _, old = self._pictures.popitem(last=False)
            self._bytes -= old.get_width() * old.get_height() * 4

    def _make_picture(self, theme: Theme, setup: Setup, stones: Stones | None, moves: str, side: int) -> pygame.Surface:
        """Return a picture of the position after `moves`. A small one shows the game's caption, if it has one, or only
        the part of a large board where stones are. It is empty if the moves are unreadable."""
        drawn, small = max(side, _LEAST), side < theme.px(_SMALL)
        try:
            record = parse(moves, setup, stones)
        except ValueError:  # a stale index; opening the file will report it
            return pygame.Surface((side, side), pygame.SRCALPHA)
        if small and (caption := look(setup.game).caption) is not None:
            return caption_picture(theme, caption(record.position), side)
        picture = whole = pygame.Surface((drawn, drawn), pygame.SRCALPHA)
        board = self._board(theme, setup.game, setup.size, drawn)
        board.show(record.position, moves_to(record.cursor), 0.0)
        board.draw(whole, Marks(coordinates=False, veil=False), 0.0)
        if small and setup.board[0] > _FEWEST and GAMES[setup.game].fills is single_cell:
            picture = whole.subsurface(_around_stones(board, cells_of(record.position)))
        return picture if picture.get_width() == side else pygame.transform.smoothscale(picture, (side, side))


def caption_picture(theme: Theme, text: str, side: int) -> pygame.Surface:
    """Return a square of `side` pixels with the text, as large as fits: trees show it much smaller."""
    picture = pygame.Surface((side, side), pygame.SRCALPHA)
    rounded(picture, picture.get_rect(), theme.palette.lit(0.6), theme.px(4))
    sizes = range(round(_LARGEST * side / theme.scale), _CAPTION, -2)
    size = next((size for size in sizes if width_of(theme, text, size, bold=True) < 0.9 * side), _CAPTION)
    write(picture, theme, text, picture.get_rect(), size, bold=True, align="centre")
    return picture


def _around_stones(board: BoardView, cells: bytes) -> pygame.Rect:
    """Return the smallest square of the board that contains all stones, with a margin."""
    cell = board.pixel_of(1)[0] - board.pixel_of(0)[0]
    taken = [pygame.Rect(board.pixel_of(place), (1, 1)) for place, content in enumerate(cells) if content]
    stones = board.area if not taken else taken[0].unionall(taken).inflate(2 * cell, 2 * cell)
    side = min(max(_FEWEST * cell, *stones.size), *board.area.size)
    return stones.inflate(side - stones.width, side - stones.height).clamp(board.area)


def _make_board(theme: Theme, game: str, _size: int, side: int) -> BoardView:
    """Return a new renderer of boards of `side` pixels. There is one for each `_size` of the game, so that each keeps
    its own pictures."""
    board = board_view(game)
    board.place(Frame(pygame.Rect(0, 0, side, side), side / _DESIGN, theme.palette, theme.font, motion=False))
    return board


_DESIGN_BOARD = 640  # design pixels of the board that a picture shows smaller or larger


class Painter:
    """Draws positions of one `game` as opaque squares with sides of `width` pixels."""

    def __init__(self, game: str, width: int, palette: Palette, numbers: bool, coordinates: bool) -> None:
        pygame.font.init()
        self.size = width, width
        self._background = palette.background
        self._numbers, self._coordinates = numbers, coordinates
        self._board = board_view(game)
        scale = width / _DESIGN_BOARD
        theme = Theme(palette, scale, "en")
        self._board.place(Frame(pygame.Rect(0, 0, *self.size), scale, palette, theme.font, motion=False))

    def paint(self, node: Node) -> bytes:
        """Return the pixels of the position of `node` with its marks: three bytes each, row by row."""
        return self.paint_with(node, Marks(numbers=self._numbers, drawn=node.marks))

    def paint_with(self, node: Node, marks: Marks) -> bytes:
        """Return the pixels of the position of `node` with these `marks` instead of its own, as `paint` does."""
        picture = pygame.Surface(self.size)
        picture.fill(self._background)
        self._board.show(node.position, moves_to(node), 0.0)
        self._board.draw(picture, replace(marks, coordinates=self._coordinates, veil=False), 0.0)
        return pygame.image.tobytes(picture, "RGB")
