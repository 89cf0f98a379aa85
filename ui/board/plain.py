"""The board of a game without a look of its own: black and white stones on a cloth of width × height cells.

It needs moves that are cells, and positions with `cells` (see `games.position.cells_of`).
"""

from __future__ import annotations

import pygame

from games.game import Game
from games.position import Position, cells_of, played
from ui.board.animated_view import AnimatedView
from ui.board.plain_art import PlainArt
from ui.board.shapes import ease
from ui.board.view import Marks
from ui.toolkit.box_art import clipped

_LANDING = 0.15  # seconds


class PlainView(AnimatedView[PlainArt]):
    """A `BoardView` for any `game` of stones on cells."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game
        self._position: Position | None = None
        self._cells = b""

    def _take(self, position: Position) -> None:
        if position is not self._position:
            self._position, self._cells = position, cells_of(position)

    def _lay(self) -> None:
        if self._frame is None or not self._cells or self._game.board is None:
            return
        if self._art is None or self._art.width * self._art.height != len(self._cells):
            boards = (self._game.board(size) for size in self._game.sizes)
            width, height = next(each for each in boards if each[0] * each[1] == len(self._cells))
            self._art = PlainArt(self._frame, width, height)

    @property
    def area(self) -> pygame.Rect:
        return self._placed().area

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        return self._art.move_at(pixel) if self._art else None

    def pixel_of(self, move: int) -> tuple[int, int]:
        return self._placed().pixel_of(move)

    def step(self, cursor: int | None, right: int, down: int) -> int:
        width, height = self._placed().width, self._placed().height
        if cursor is None:
            return height // 2 * width + width // 2
        row, column = divmod(cursor, width)
        return max(0, min(height - 1, row + down)) * width + max(0, min(width - 1, column + right))

    def moving(self, now: float) -> bool:
        return self._animation.age(now) < _LANDING

    def draw(self, surface: pygame.Surface, marks: Marks, now: float) -> None:
        art, position = self._art, self._position
        if art is None or position is None or self._frame is None:
            return
        with clipped(surface, self._frame.rect):
            art.ground(surface, marks.coordinates)
            self._draw_stones(surface, art, marks, now)
            self._draw_last(surface, art, position, marks)
            self._draw_advice(surface, art, position, marks)
            for mark in marks.drawn_on(range(len(self._cells))):
                art.drawn(surface, mark, self._cells[mark.move] - 1 if self._cells[mark.move] else None)
            if marks.wrong is not None and marks.wrong >= 0:
                art.wrong(surface, marks.wrong)
            if marks.cursor is not None:
                art.cursor(surface, marks.cursor)

    def _draw_stones(self, surface: pygame.Surface, art: PlainArt, marks: Marks, now: float) -> None:
        moves = self._animation.moves
        numbers = {cell: number for number, cell in enumerate(moves, 1)} if marks.numbers else {}
        arriving = moves[-1] if self.moving(now) else None
        for cell, content in enumerate(self._cells):
            if content:
                share = self._animation.age(now) / _LANDING if cell == arriving else 1.0
                art.stone(surface, cell, content - 1, ease(share))
                if cell in numbers:
                    art.number(surface, cell, numbers[cell], content - 1)

    def _draw_last(self, surface: pygame.Surface, art: PlainArt, position: Position, marks: Marks) -> None:
        for cell in position.outcome.cells if position.outcome else ():
            art.won(surface, cell)
        last = self._animation.moves[-1:]
        if last and last[0] >= 0 and not marks.numbers:
            art.last(surface, last[0])

    def _draw_advice(self, surface: pygame.Surface, art: PlainArt, position: Position, marks: Marks) -> None:
        legal = {move for move in position.legal_moves() if move >= 0}
        candidates = {candidate.move for candidate in marks.candidates}
        for cell in marks.pointed & legal - candidates - {*marks.forbidden, *marks.line}:
            art.stone(surface, cell, position.turn, 0.5)
        for cell in marks.forbidden:
            art.forbidden(surface, cell)
        for candidate in marks.candidates:
            if candidate.move in legal and candidate.move not in marks.line:
                art.candidate(surface, candidate)
        for cell in legal.intersection(marks.hints):
            art.hint(surface, cell)
        self._draw_line(surface, art, position, marks.line)

    def _draw_line(self, surface: pygame.Surface, art: PlainArt, position: Position, line: tuple[int, ...]) -> None:
        """A variation, as far as it can be played."""
        for number, (before, move) in enumerate(played(position, line), 1):
            if move >= 0:
                art.stone(surface, move, before.turn, 0.8)
                art.number(surface, move, number, before.turn)
