"""The protocol of a board on the screen: draws positions, and alone converts pixels to moves and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import pygame

from games.position import Position
from games.record import Mark
from ui.toolkit.theme import Palette


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move an engine considers: `text` is its evaluation, `quality` 1.0 (best) to 0.0 (a blunder)."""

    move: int
    text: str
    quality: float


@dataclass(frozen=True, slots=True)
class Threat:
    """A move with which `side` would make something: `kind` as in `ai.review.report.THREATS`."""

    move: int
    side: int
    kind: str


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn on a board besides its stones.

    `hover` is the move under the pointer and `cursor` that of the keyboard; with `ghosts` both show as a ghost if
    legal. `hints` are moves that a person is told to consider.
    `line` is a variation to show as numbered ghost stones, the side to move first; `row` are cells with which it wins,
    which glow. `forbidden` are points
    that the rules deny the side to move. `veil` dims a board around a winning row. `drawn` are the marks of a
    person, and `wrong` is a move that was a mistake, whether it lies on the board or was taken back, with its `sign`;
    `decided` is the empty point of a grid at which its refutation is decided. In an opening `allowed` are the points
    where a stone may lie, None for all, and `offers` fifth moves of black to choose from.
    """

    hover: int | None = None
    cursor: int | None = None
    hints: tuple[int, ...] = ()
    numbers: bool = False
    coordinates: bool = True
    veil: bool = True
    forbidden: tuple[int, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    line: tuple[int, ...] = ()
    row: tuple[int, ...] = ()
    threats: tuple[Threat, ...] = ()
    drawn: tuple[Mark, ...] = ()
    wrong: int | None = None
    sign: str = "?"
    decided: int | None = None
    allowed: frozenset[int] | None = None
    offers: tuple[int, ...] = ()
    ghosts: bool = True

    @property
    def pointed(self) -> set[int]:
        """The moves that show as ghosts."""
        return {move for move in (self.hover, self.cursor) if move is not None and self.ghosts}

    def drawn_on(self, moves: range) -> tuple[Mark, ...]:
        """Those of `drawn` that are on one of `moves`, since a file may have others, and do not cover advice."""
        advised = {*self.line, *(candidate.move for candidate in self.candidates)}
        return tuple(mark for mark in self.drawn if mark.move in moves and mark.move not in advised)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where and how a board is drawn: `scale` is pixels per design pixel; without `motion` nothing is animated. `wood`
    and `stones` are of `materials`, where the board is made of them."""

    rect: pygame.Rect
    scale: float
    palette: Palette
    font: Callable[[int, bool], pygame.font.Font]
    """A cached font: (height in pixels, bold) -> Font."""
    motion: bool = True
    wood: str = "kaya"
    stones: str = "shell"


@dataclass(slots=True)
class Pointer:
    """What is pointed at on a board: `hover` is the move under the mouse, `cursor` that of the keyboard until the mouse
    moves."""

    hover: int | None = None
    cursor: int | None = None


class BoardView(Protocol):
    """A renderer. Call `place` first, then `show` whenever the position changes."""

    def place(self, frame: Frame) -> None:
        """Lay the board out in `frame.rect` and drop what was cached for another frame."""

    def show(self, position: Position, moves: tuple[int, ...], now: float) -> None:
        """Set what is drawn. `moves` led from the start to `position`; `now` is `time.monotonic()`.

        A position one move after the one shown before is animated; any other is shown at once.
        """

    @property
    def area(self) -> pygame.Rect:
        """What the board itself takes of the frame, without its shadow, after `show`."""

    def draw(self, surface: pygame.Surface, marks: Marks, now: float) -> None:
        """Draw the board with `marks` inside its rect."""

    def moving(self, now: float) -> bool:
        """Whether an animation is running at `now`."""

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        """The move that a click on `pixel` means, legal or not; None off the playing area."""

    def pixel_of(self, move: int) -> tuple[int, int]:
        """The middle of where one clicks for `move`."""

    def step(self, cursor: int | None, right: int, down: int) -> int:
        """The move that the keyboard cursor steps to; from None, where it first appears."""
