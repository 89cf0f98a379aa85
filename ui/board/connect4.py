"""The Connect Four rack: discs that fall behind a plate with holes, and light up where four are in a row.

Moves are columns; a move is marked where its disc would come to lie. The pictures are made by `ui.board.connect4_art`.
"""

from __future__ import annotations

import math

import pygame

from games.connect4 import HEIGHT, WIDTH, Connect4Position
from games.position import played
from ui.board.animated_view import GLOWING, glow
from ui.board.cells import CellView
from ui.board.connect4_art import RackArt
from ui.board.shapes import put
from ui.board.view import Marks
from ui.toolkit.art import clipped

_FALL = 0.34  # seconds from the top to the lowest cell, with the bounce; less to higher cells
_LANDED = 0.62  # of that time when the disc first touches the ground
_BOUNCE = 0.05  # of the height that it fell from


class Connect4View(CellView[Connect4Position, RackArt]):
    """A `BoardView` for Connect Four."""

    def __init__(self) -> None:
        super().__init__(Connect4Position, RackArt)

    # Places.

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        cell = super().move_at(pixel)
        return None if cell is None else cell % WIDTH

    def pixel_of(self, move: int) -> tuple[int, int]:
        return super().pixel_of(move if self._position is None else _landing(self._position, move))

    def step(self, cursor: int | None, right: int, down: int) -> int:
        return super().step(cursor, right, 0) % WIDTH

    # Motion.

    def _last(self) -> int | None:
        """The cell of the disc that came last."""
        numbers = self._numbers()
        return max(numbers, key=lambda cell: numbers[cell]) if numbers else None

    def _numbers(self) -> dict[int, int]:
        """The number of the move that filled each cell: what was set up lies below the moves."""
        numbers: dict[int, int] = {}
        if self._position is not None:
            free = list(map(self._position.landing, range(WIDTH)))
            top = [column if cell is None else cell + WIDTH for column, cell in enumerate(free)]
            for number, column in reversed(list(enumerate(self._moves, 1))):
                numbers[top[column]] = number
                top[column] += WIDTH
        return numbers

    def _fall_time(self) -> float:
        """Seconds that the last disc falls."""
        last = self._last()
        rows = 0 if last is None else last // WIDTH + 1
        return _FALL * math.sqrt(rows / HEIGHT)

    def _falling(self, now: float) -> int | None:
        """The cell to which a disc is on its way."""
        return self._last() if self._age(now) < self._fall_time() else None

    def moving(self, now: float) -> bool:
        outcome = self._position.outcome if self._position else None
        return self._age(now) < self._fall_time() + (GLOWING if outcome and outcome.cells else 0)

    # Picture.

    def _paint(
        self, surface: pygame.Surface, art: RackArt, position: Connect4Position, marks: Marks, now: float
    ) -> None:
        falling = self._falling(now)
        won = position.outcome.cells if position.outcome and falling is None else ()
        art.back(surface)
        self._draw_discs(surface, art, position, falling, now, won if marks.veil else ())
        surface.blit(art.ground(marks.coordinates), art.rect)
        for cell in won or marks.row:
            art.glow(surface, cell, glow(max(0.0, self._age(now) - self._fall_time())))
            if position.cells[cell]:
                put(surface, art.disc(position.cells[cell] - 1), art.pixel_of(cell))
        self._draw_numbers(surface, art, position, marks, falling)
        self._draw_advice(surface, art, position, marks)
        self._draw_drawn(surface, art, position, marks)

    def _draw_discs(
        self, surface: pygame.Surface, art: RackArt, position: Connect4Position, falling: int | None, now: float,
        won: tuple[int, ...],
    ) -> None:  # fmt: skip
        """All discs; pale where there is a winning row that they are not in."""
        for cell, content in enumerate(position.cells):
            if content and cell != falling:
                put(surface, art.disc(content - 1), art.pixel_of(cell), 0.45 if won and cell not in won else 1.0)
        if falling is not None:
            x, y = art.pixel_of(falling)
            above = (falling // WIDTH + 1) * _height(self._age(now) / self._fall_time())
            with clipped(surface, art.rect):
                put(surface, art.disc(position.cells[falling] - 1), (x, y - above * art.cell))

    def _draw_numbers(
        self, surface: pygame.Surface, art: RackArt, position: Connect4Position, marks: Marks, falling: int | None
    ) -> None:
        """Number the discs, but for the falling one, or mark the last one."""
        last = self._last()
        if marks.numbers:
            for cell, number in self._numbers().items():
                if cell != falling:
                    art.number(surface, cell, number, position.cells[cell] - 1)
        elif last is not None and falling is None:
            art.last(surface, last, position.cells[last] - 1)

    def _draw_drawn(self, surface: pygame.Surface, art: RackArt, position: Connect4Position, marks: Marks) -> None:
        """Marks where discs would come to lie; the badge of a mistake on the disc, if that came last."""
        for mark in marks.drawn_on(range(WIDTH)):
            art.person_mark(surface, mark, _landing(position, mark.move), position.cells)
        if marks.wrong is not None:
            played = self._moves[-1:] == (marks.wrong,)
            last = self._last() if played else None
            art.wrong(surface, _landing(position, marks.wrong) if last is None else last, marks.sign)

    def _draw_advice(self, surface: pygame.Surface, art: RackArt, position: Connect4Position, marks: Marks) -> None:
        """Draw ghosts, candidates, forbidden columns, the line, hints and the cursor; nothing after the end."""
        if position.outcome is not None:
            return
        marked = {candidate.move for candidate in marks.candidates} | set(marks.line)
        taken_back = None if self._moves[-1:] == (marks.wrong,) else marks.wrong
        for column in {*marks.pointed, taken_back} - marked:
            if column is not None and (cell := position.landing(column)) is not None:
                put(surface, art.disc(position.turn), art.pixel_of(cell), 0.5)
        for candidate in marks.candidates:
            if candidate.move not in marks.line and (cell := position.landing(candidate.move)) is not None:
                art.candidate(surface, cell, candidate)
        for column in marks.forbidden:
            art.forbidden(surface, column)
        for number, (before, column) in enumerate(played(position, marks.line), 1):
            cell = _landing(before, column)
            put(surface, art.disc(before.turn), art.pixel_of(cell), 0.8)
            art.number(surface, cell, number, before.turn)
        pointed = [] if marks.cursor is None else [(marks.cursor, art.cursor)]
        for column, mark in (*((column, art.hint) for column in marks.hints), *pointed):
            mark(surface, _landing(position, column))


def _landing(position: Connect4Position, column: int) -> int:
    """The cell in which a disc would come to lie; the uppermost of a full column."""
    cell = position.landing(column)
    return column if cell is None else cell


def _height(share: float) -> float:
    """How high a falling disc is after `share` of its time: 1 at first, 0 on the ground, which it touches twice."""
    if share < _LANDED:
        return 1 - (max(0.0, share) / _LANDED) ** 2
    bounce = (share - _LANDED) / (1 - _LANDED)
    return _BOUNCE * 4 * bounce * max(0.0, 1 - bounce)
