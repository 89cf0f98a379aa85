"""Pictures of games for files: which kinds there are, and how large they may be. Import pygame only to draw one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.formats import svg
from games.record import GameRecord, Node
from ui.system.animation import LONGEST, SHORTEST, Film, animated, png
from ui.toolkit.palette import PALETTES, Palette

if TYPE_CHECKING:
    from ui.board.painter import Painter

ANIMATED = (".gif", ".webp")
KINDS = (".png", *ANIMATED, ".svg")



def kinds(record: GameRecord) -> tuple[str, ...]:
    """Return the kinds of pictures that there are of a game."""
    return tuple(kind for kind in KINDS if kind != ".svg" or svg.has_pictures(record.root.position))


NARROWEST, WIDEST, WIDEST_ANIMATED = 120, 4000, 1200
"""Pixels of a picture."""

_WIDTH, _WIDTH_ANIMATED = 720, 480
_DELAY = 800  # milliseconds


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
