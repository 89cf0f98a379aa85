"""The gomoku board: what is shown on it, in which order, and how it moves.

`ui.board.grid_art` makes the pictures. Stones are what `cells` of the position holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pygame

from games.position import played
from ui.board.animated_view import GLOWING, glow
from ui.board.cells import LineBoard, SquareView, ghosts
from ui.board.grid_art import GridArt
from ui.board.shapes import ease, put
from ui.board.view import Marks
from ui.toolkit.art import clipped

_LANDING = 0.15  # seconds
_FEW = 4  # changed stones up to which only their surroundings are redrawn


@dataclass(frozen=True, slots=True)
class _StaticState:
    """What the static part of the picture depends on."""

    art: GridArt
    cells: bytes
    moves: tuple[int, ...]
    falling: int | None
    veil: bool
    numbers: bool
    coordinates: bool

    def stones(self) -> dict[int, tuple[int, int, bool]]:
        """The stones at rest, by cell: side, the number written on it or 0, and whether it was the last move."""
        numbers = {cell: number for number, cell in enumerate(self.moves, 1)} if self.numbers else {}
        lying = ((cell, content - 1) for cell, content in enumerate(self.cells) if content and cell != self.falling)
        return {
            cell: (side, numbers.get(cell, 0), cell in numbers and numbers[cell] == len(self.moves))
            for cell, side in lying
        }

    def changed_cells(self, before: _StaticState) -> list[int] | None:
        """The cells whose stones differ from `before`; None if more than stones differs."""
        if (self.art, self.veil, self.coordinates) != (before.art, before.veil, before.coordinates):
            return None
        now, then = self.stones(), before.stones()
        return [cell for cell in now.keys() | then.keys() if now.get(cell) != then.get(cell)]


class GridView(SquareView[GridArt]):
    """A `BoardView` for square boards of 5 to 20 lines."""

    def __init__(self) -> None:
        super().__init__(GridArt)
        self._static: tuple[_StaticState, pygame.Surface] | None = None

    def moving(self, now: float) -> bool:
        return self._age(now) < _LANDING + (GLOWING if self._position and _winning_row(self._position) else 0)

    def _paint(self, surface: pygame.Surface, art: GridArt, board: LineBoard, marks: Marks, now: float) -> None:
        falling = board.last if self._age(now) < _LANDING else None
        won = _winning_row(board) if falling is None else ()
        surface.blit(self._static_picture(art, board, marks, falling, won), art.rect)
        self._draw_glowing(surface, art, board, won or marks.row, marks.numbers, now)
        _draw_advice(surface, art, board, marks)
        if falling is not None:
            _draw_falling(surface, art, board, falling, self._age(now) / _LANDING)
        if board.last is not None and falling is None and not marks.numbers:
            art.last(surface, board.last, board.cells[board.last] - 1)
        _draw_drawn(surface, art, board, marks, falling)
        if marks.cursor is not None:
            art.cursor(surface, marks.cursor)

    def _draw_glowing(
        self, surface: pygame.Surface, art: GridArt, board: LineBoard, row: tuple[int, ...], numbered: bool, now: float
    ) -> None:
        """The row that has won or threatens to, with the stones that lie in it."""
        for cell in row:
            art.glow(surface, cell, glow(max(0.0, self._age(now) - _LANDING)))
        numbers = self._numbers() if numbered else {}
        for cell in row:
            if board.cells[cell]:
                put(surface, art.stone(board.cells[cell] - 1), art.pixel_of(cell))
                if cell in numbers:
                    art.number(surface, art.pixel_of(cell), numbers[cell], board.cells[cell] - 1, cell == board.last)

    def _static_picture(
        self, art: GridArt, board: LineBoard, marks: Marks, falling: int | None, won: tuple[int, ...]
    ) -> pygame.Surface:
        """The board without what moves, composed again only where it differs from the picture before."""
        veil = bool(won) and marks.veil
        state = _StaticState(art, board.cells, self._moves, falling, veil, marks.numbers, marks.coordinates)
        if self._static is None:
            self._static = state, _compose(state)
        elif self._static[0] != state:
            self._static = state, _update(state, *self._static)
        return self._static[1]


def _winning_row(board: LineBoard) -> tuple[int, ...]:
    """The cells that won the game; none while it goes on."""
    return board.outcome.cells if board.outcome else ()


def _draw_advice(surface: pygame.Surface, art: GridArt, board: LineBoard, marks: Marks) -> None:
    """Draw forbidden points, threats and candidates on empty points, and the row that a line completes."""
    free = {cell for cell, content in enumerate(board.cells) if not content}.difference(marks.line)
    for cell in free.intersection(marks.forbidden):
        art.forbidden(surface, cell)
    threats = () if marks.line else marks.threats  # their digits would be taken for numbers of the line
    for cell in free.intersection(threat.move for threat in threats).difference(marks.forbidden):
        art.threats(surface, cell, [threat for threat in threats if threat.move == cell])
    for candidate in sorted(marks.candidates, key=lambda candidate: candidate.quality):
        if candidate.move in free:
            art.candidate(surface, candidate.move, candidate)
    for cell in free.intersection(marks.hints):
        art.hint(surface, cell)
    if marks.decided in free:
        art.decided(surface, marks.decided)
    for cell in ghosts(board, marks):
        put(surface, art.stone(board.turn), art.pixel_of(cell), 0.55)
    for number, (before, cell) in enumerate(played(board, marks.line), 1):
        put(surface, art.shadow(), art.pixel_of(cell), 0.5)
        put(surface, art.stone(before.turn), art.pixel_of(cell), 0.84)
        art.number(surface, art.pixel_of(cell), number, before.turn, False)


def _draw_drawn(surface: pygame.Surface, art: GridArt, board: LineBoard, marks: Marks, falling: int | None) -> None:
    """The marks of a person, on stones in place of their numbers, and the badge of a mistake."""
    for mark in marks.drawn_on(range(len(board.cells))):
        if mark.move != falling:
            content = board.cells[mark.move]
            art.person_mark(surface, mark, content - 1 if content else None, mark.move == board.last)
    if marks.wrong is not None and marks.wrong != falling:
        art.wrong(surface, marks.wrong, marks.sign)


def _draw_falling(surface: pygame.Surface, art: GridArt, board: LineBoard, cell: int, share: float) -> None:
    """Draw a stone coming down on its cell; `share` of the animation is done."""
    share = min(1.0, max(0.0, share))
    # It shrinks from above, with a slight undershoot.
    size = 1 + 0.30 * (1 - ease(share)) - 0.035 * math.sin(math.pi * share) * share
    x, y = art.pixel_of(cell)
    height = (1 - ease(share)) * art.cell * 0.18
    stone, shadow = art.stone(board.cells[cell] - 1), art.shadow()
    put(surface, pygame.transform.smoothscale_by(shadow, size), (x + height, y + height), ease(share * 1.2))
    put(surface, pygame.transform.smoothscale_by(stone, size), (x, y), ease(share * 2))


def _compose(state: _StaticState) -> pygame.Surface:
    """The board with its stones, without what changes from frame to frame."""
    picture = state.art.ground(state.coordinates).copy()
    _draw_stones(picture, state)
    return picture


def _update(state: _StaticState, before: _StaticState, picture: pygame.Surface) -> pygame.Surface:
    """Update `picture` from `before` around the stones that changed, or compose a new one if there are many.

    A large board is seven megabytes, and every move changes it twice.
    """
    changed = state.changed_cells(before)
    if changed is None or len(changed) > _FEW:
        return _compose(state)
    left, top = state.art.rect.topleft
    for cell in changed:
        x, y = state.art.pixel_of(cell)
        near = state.art.shadow().get_rect().union(state.art.stone(0).get_rect())
        near.center = x - left, y - top
        with clipped(picture, near.inflate(2, 2)):
            picture.fill((0, 0, 0, 0))
            picture.blit(state.art.ground(state.coordinates), (0, 0), special_flags=pygame.BLEND_RGBA_ADD)
            _draw_stones(picture, state)
    return picture


def _draw_stones(picture: pygame.Surface, state: _StaticState) -> None:
    """Draw the stones at rest with their shadows, numbers and the mark of the last one."""
    art = state.art
    left, top = art.rect.topleft
    lying = [(art.pixel_of(cell), stone) for cell, stone in state.stones().items()]
    for (x, y), _ in lying:  # below all stones: shadows fall on wood only
        put(picture, art.shadow(), (x - left, y - top))
    for (x, y), (side, number, last) in lying:
        put(picture, art.stone(side), (x - left, y - top))
        if number:
            art.number(picture, (x - left, y - top), number, side, last)
    if state.veil:
        art.veil(picture)
