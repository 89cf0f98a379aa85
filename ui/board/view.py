"""The protocol of a board on the screen: it draws positions, and it alone converts pixels to moves and back."""

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
    """A move with which `side` would make a threat: `kind` as in `ai.review.report.THREATS`."""

    move: int
    side: int
    kind: str


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn on a board besides its stones.

    `hover` is the move under the pointer and `cursor` that of the keyboard; with `ghosts` both show a translucent
    stone, a ghost, if legal. `hints` are moves that a person is told to consider. With `numbers`, stones have the
    numbers of their moves. `line` is a variation to show as numbered ghosts, the side to move first; `row` are the
    cells with which it wins, which glow. `forbidden` are points that the rules forbid to the side to move. `veil` dims
    a board around a winning row. `drawn` are the marks of a person. `wrong` is a move that was a mistake, whether it is
    on the board or was taken back, with its `sign`; `decided` is the empty point of a grid at which the opponent makes
    the shape that refutes it. In an opening `allowed` are the points on which a stone may be placed, None for all, and
    `offers` fifth moves of black to choose from.
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
        """The moves at the pointer and the cursor, if they show as ghosts."""
        return {move for move in (self.hover, self.cursor) if move is not None and self.ghosts}

    def drawn_on(self, moves: range) -> tuple[Mark, ...]:
        """Return those of `drawn` that are on `moves`, without those that would cover the line or a candidate. A file
        may have marks elsewhere."""
        advised = {*self.line, *(candidate.move for candidate in self.candidates)}
        return tuple(mark for mark in self.drawn if mark.move in moves and mark.move not in advised)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where and how a board is drawn: `scale` is pixels per design pixel; without `motion` nothing is animated. `wood`
    and `stones` are kinds in `ui.board.materials`, for boards that are made of them."""

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
    """A renderer of positions of a game. Call `place` first, then `show` whenever the position changes."""

    def place(self, frame: Frame) -> None:
        """Lay the board out in `frame.rect`, and drop pictures that were made for another frame."""

    def show(self, position: Position, moves: tuple[int, ...], now: float) -> None:
        """Set the position to draw. `moves` have led from the start to it; `now` is `time.monotonic()`.

        A position one move after the one before is animated; any other is shown at once.
        """

    @property
    def area(self) -> pygame.Rect:
        """The rectangle of the board itself, without its shadow. It is known after `place` and `show`."""

    def draw(self, surface: pygame.Surface, marks: Marks, now: float) -> None:
        """Draw the board with `marks` inside of the frame, at the time `now`."""

    def moving(self, now: float) -> bool:
        """Whether an animation is running at `now`."""

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        """Return the move that a click on `pixel` means, legal or not; None where a click means no move."""

    def pixel_of(self, move: int) -> tuple[int, int]:
        """Return the middle of the area where a click means `move`."""

    def step(self, cursor: int | None, right: int, down: int) -> int:
        """Return the move that the keyboard cursor goes to from `cursor`, so many steps to the right and down; from
        None, where it first appears."""
