"""The board of a game without a look of its own: black and white stones on a cloth of width × height cells.

It needs moves that are cells, and positions with `cells` (see `games.position.cells_of`).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache, partial

import pygame

from games.coords import row_names
from games.game import Game
from games.position import Position, cells_of, changed_cells
from games.record import Mark
from ui.board.cells import CellArt, CellView
from ui.board.materials import material
from ui.board.shapes import BLACK, WHITE, ease, odd, put
from ui.board.view import Frame, Marks
from ui.toolkit.art import rounded
from ui.toolkit.space import centred
from ui.toolkit.theme import Colour, mix

_LANDING = 0.15  # seconds
_CLOTH: Colour = (58, 120, 92)
_LINE = mix(_CLOTH, BLACK, 0.5)
_LAST: Colour = (226, 96, 52)
_INK: tuple[Colour, Colour] = ((236, 234, 228), (30, 30, 32))  # on the stones of either side
_MARGIN = 0.55  # cells around the board, for the coordinates


class PlainArt(CellArt):
    """The pictures for one board in one frame; `names` are those of its rows."""

    WRONG = (0.3, -0.3, 0.36)
    DENIED = 0.4

    def __init__(self, frame: Frame, width: int, height: int, names: tuple[str, ...]) -> None:
        rect = frame.rect
        self.row_names = names
        cell = max(1, int(min(rect.width / (width + 2 * _MARGIN), rect.height / (height + 2 * _MARGIN))))
        self._cloth = centred(width * cell, height * cell, rect.center)
        edge, half = int(cell * _MARGIN), cell // 2
        first = self._cloth.left + half, self._cloth.top + half
        super().__init__(frame, width, height, cell, self._cloth.inflate(2 * edge, 2 * edge), first)
        self._lettering = round(min(cell * 0.3, 18)) if cell >= 24 else 0

    def pixel_of(self, cell: int) -> tuple[int, int]:
        """The middle of a cell; the middle of the board for a pass, which is negative."""
        return super().pixel_of(cell) if cell >= 0 else (self._cloth.centerx, self._cloth.centery)

    def _make_empty(self) -> pygame.Surface:
        """Make the picture of the cloth in its frame, with lines around all cells."""
        cell = self.cell
        ground = pygame.Surface(self.rect.size, pygame.SRCALPHA)
        board = self._cloth.move(-self.rect.left, -self.rect.top)
        rounded(ground, ground.get_rect(), mix(_CLOTH, BLACK, 0.45), round(cell * 0.2))
        ground.fill(_CLOTH, board)
        wide = max(1, round(cell * 0.025))
        for column in range(self.columns + 1):
            ground.fill(_LINE, (board.left + column * cell - wide // 2, board.top, wide, board.height))
        for row in range(self.rows + 1):
            ground.fill(_LINE, (board.left, board.top + row * cell - wide // 2, board.width, wide))
        return ground

    def _write_coordinates(self, ground: pygame.Surface) -> None:
        """Write the letters of the columns below the cloth and the names of the rows at its left."""
        board, colour = self._cloth.move(-self.rect.left, -self.rect.top), mix(_CLOTH, WHITE, 0.75)
        self._write_column_letters(ground, board.bottom + board.top / 2, colour)
        self._write_row_names(ground, board.left / 2, colour)

    def draw_stone(self, target: pygame.Surface, cell: int, side: int, opacity: float = 1.0) -> None:
        """Draw a stone of `side`, `opacity` 0.0 to 1.0."""
        size = odd(self.cell * 0.82)
        make = partial(material, ("black", "white")[side], (size, size))
        put(target, self._picture(("stone", side), make), self.pixel_of(cell), opacity)

    def draw_number(self, target: pygame.Surface, cell: int, number: int, side: int) -> None:
        """Write the number of a move on the stone of `side` in a cell."""
        self._write(target, str(number), self.pixel_of(cell), self._text_room(), _INK[side])

    def _text_room(self) -> tuple[float, float]:
        """Return the largest width and height of a text in a cell."""
        return self.cell * 0.58, self.cell * 0.34

    def _dot_size(self, quality: float) -> tuple[int, tuple[float, float]]:
        """Return a disc larger than on other boards of cells, and for its evaluation the room of a text in a cell."""
        return odd(self.cell * (0.60 + 0.16 * quality)), self._text_room()

    def draw_person_mark(self, target: pygame.Surface, mark: Mark, side: int | None) -> None:
        """Draw a mark that a person has set, on an empty cell, or on a stone of `side`."""
        self._draw_mark(target, mark, self.pixel_of(mark.move), self.cell * 0.5, WHITE if side is None else _INK[side])

    def draw_last_mark(self, target: pygame.Surface, cell: int) -> None:
        """Draw the mark of the last move in its cell."""
        self._draw_ring(target, cell, _LAST, 0.4, 0.05)

    def draw_won_mark(self, target: pygame.Surface, cell: int) -> None:
        """Draw the mark of a winning row in one of its cells."""
        self._draw_ring(target, cell, mix(self._palette.accent, WHITE, 0.3), 0.96, 0.08)

    def draw_hint(self, target: pygame.Surface, cell: int) -> None:
        """Draw the ring of a hint in a cell."""
        self._draw_ring(target, cell, mix(self._palette.good, WHITE, 0.5), 0.7, 0.08)

    def draw_cursor(self, target: pygame.Surface, cell: int) -> None:
        """Draw the keyboard cursor in a cell."""
        self._draw_ring(target, cell, WHITE, 0.96, 0.04)


class PlainView(CellView[Position, PlainArt]):
    """A `BoardView` for any `game` whose moves place stones on cells."""

    def __init__(self, game: Game) -> None:
        super().__init__(object, PlainArt)
        self._game = game
        self._changed = lru_cache(maxsize=8)(changed_cells)  # asked for in each frame

    def _art_key(self, position: Position) -> tuple[Hashable, ...]:
        """Return columns, rows, and the names of the rows."""
        count, board = len(cells_of(position)), self._game.board
        assert board is not None
        size = next((width, height) for width, height in map(board, self._game.sizes) if width * height == count)
        return *size, row_names(position, *size)

    def moving(self, now: float) -> bool:
        """Whether the last stone is landing; a winning row does not pulse."""
        return self._age(now) < _LANDING

    def _paint(self, surface: pygame.Surface, art: PlainArt, position: Position, marks: Marks, now: float) -> None:
        """Draw the cloth, the stones, marks of the last move or the winning row, advice, a person's marks, the sign of
        a mistake (not on a pass) and the cursor."""
        cells = cells_of(position)
        surface.blit(art.ground(marks.coordinates), art.rect)
        self._draw_stones(surface, art, cells, marks, now)
        self._draw_last(surface, art, position, marks)
        self._draw_advice(surface, art, position, marks)
        for mark in marks.drawn_on(range(len(cells))):
            art.draw_person_mark(surface, mark, cells[mark.move] - 1 if cells[mark.move] else None)
        if marks.wrong is not None and marks.wrong >= 0:
            art.draw_mistake(surface, marks.wrong, marks.sign)
        if marks.cursor is not None:
            art.draw_cursor(surface, marks.cursor)

    def _draw_stones(self, surface: pygame.Surface, art: PlainArt, cells: bytes, marks: Marks, now: float) -> None:
        """Draw the stones, except on cells that the moves of `marks.line` would change; the last one fades in."""
        numbers = self._numbers() if marks.numbers else {}
        arriving = self._moves[-1] if self.moving(now) else None
        changed = self._changed(self._position, marks.line)
        for cell, content in enumerate(cells):
            if content and cell not in changed:
                share = self._age(now) / _LANDING if cell == arriving else 1.0
                art.draw_stone(surface, cell, content - 1, ease(share))
                if cell in numbers:
                    art.draw_number(surface, cell, numbers[cell], content - 1)

    def _draw_last(self, surface: pygame.Surface, art: PlainArt, position: Position, marks: Marks) -> None:
        """Mark the winning row, and the last move unless the numbers show it."""
        for cell in position.outcome.cells if position.outcome else ():
            art.draw_won_mark(surface, cell)
        last = self._moves[-1:]
        if last and last[0] >= 0 and not marks.numbers:
            art.draw_last_mark(surface, last[0])

    def _draw_advice(self, surface: pygame.Surface, art: PlainArt, position: Position, marks: Marks) -> None:
        """Draw ghosts, forbidden cells, candidates, the line, hints and the cursor."""
        legal = {move for move in position.legal_moves() if move >= 0}
        candidates = {candidate.move for candidate in marks.candidates}
        for move in marks.pointed & legal - candidates - {*marks.forbidden, *marks.line}:
            for cell, content in self._changed(position, (move,)).items():
                if content:
                    art.draw_stone(surface, cell, content - 1, 0.5)
        for cell in marks.forbidden:
            art.draw_forbidden(surface, cell)
        for candidate in marks.candidates:
            if candidate.move in legal and candidate.move not in marks.line:
                art.draw_candidate(surface, candidate.move, candidate)
        for cell in legal.intersection(marks.hints):
            art.draw_hint(surface, cell)
        changed = self._changed(position, marks.line)
        numbers = {move: number for number, move in enumerate(marks.line, 1)}
        for cell, content in changed.items():
            if content:
                art.draw_stone(surface, cell, content - 1, 0.8)
                if cell in numbers:
                    art.draw_number(surface, cell, numbers[cell], content - 1)
