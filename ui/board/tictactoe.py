"""The tic-tac-toe board: what is shown on it, in which order, and how X and O draw themselves.

`ui.board.tictactoe_art` makes the pictures.
"""

from __future__ import annotations

import math

import pygame

from games.position import played
from ui.board.animated_view import GLOWING
from ui.board.cells import LineBoard, SquareView, ghosts
from ui.board.shapes import ease, put
from ui.board.tictactoe_art import TicTacToeArt
from ui.board.view import Marks

_DRAWING = 0.20  # seconds to draw X or O
_STRIKING = 0.30  # then seconds for the stroke through a winning row
_THREATENED = 0.5  # how bright the row is that threatens


class TicTacToeView(SquareView[TicTacToeArt]):
    """A `BoardView` for square boards of few cells."""

    def __init__(self) -> None:
        super().__init__(TicTacToeArt)

    def moving(self, now: float) -> bool:
        return self._age(now) < _DRAWING + (GLOWING if self._position and _rows(self._position) else 0)

    def _paint(self, surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, marks: Marks, now: float) -> None:
        surface.blit(art.ground(marks.coordinates), art.rect)
        for cell in self._tinted_cells(board, now):
            art.tint(surface, cell, board.cells[cell] - 1)
        self._draw_strokes(surface, art, board, now)
        _draw_advice(surface, art, board, marks)
        self._draw_numbers(surface, art, board, marks)
        self._draw_rows(surface, art, board, now)
        _draw_threat(surface, art, board, marks)
        for mark in marks.drawn_on(range(len(board.cells))):
            art.person_mark(surface, mark, bool(board.cells[mark.move]))
        if marks.wrong is not None:
            art.wrong(surface, marks.wrong, marks.sign)
        if marks.cursor is not None:
            art.cursor(surface, marks.cursor)

    def _tinted_cells(self, board: LineBoard, now: float) -> tuple[int, ...]:
        """The cells with a tinted ground: the last move, or the winning row."""
        won = board.outcome.cells if board.outcome else ()
        if won and self._age(now) >= _DRAWING:
            return won
        return () if board.last is None else (board.last,)

    def _draw_strokes(self, surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, now: float) -> None:
        """Draw all marks, the last one as far as it has been drawn; beside a winning row they are faint."""
        drawing = board.last if self._age(now) < _DRAWING else None
        won = board.outcome.cells if board.outcome else ()
        for cell, content in enumerate(board.cells):
            place = art.pixel_of(cell)
            if content and cell == drawing:
                share = max(0.0, self._age(now) / _DRAWING)
                put(surface, art.strokes(content - 1, ease(share)), place)
            elif content:
                beside = bool(won) and cell not in won and drawing is None
                art.mark(surface, place, content - 1, 0.4 if beside else 1.0)

    def _draw_numbers(self, surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, marks: Marks) -> None:
        if marks.numbers:
            for number, cell in enumerate(self._moves, 1):
                art.number(surface, cell, number, strong=cell == board.last)
        for number, cell in enumerate(marks.line, 1):
            if not board.cells[cell]:
                art.number(surface, cell, number, strong=True)

    def _draw_rows(self, surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, now: float) -> None:
        """Draw the stroke through each winning row, as far as it has been drawn."""
        age = self._age(now) - _DRAWING
        if age <= 0 or board.last is None:
            return
        share = ease(age / _STRIKING)
        pulse = 1.0 if age >= GLOWING else 0.78 + 0.22 * math.cos(age / GLOWING * 4 * math.pi)
        for ends in _rows(board):
            art.row(surface, ends, board.cells[board.last] - 1, share, pulse)


def _draw_advice(surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, marks: Marks) -> None:
    """Draw ghosts, forbidden cells, candidates, the line, hints and the cursor."""
    free = {cell for cell, content in enumerate(board.cells) if not content}
    for cell in ghosts(board, marks):
        art.mark(surface, art.pixel_of(cell), board.turn, 0.3)
    for cell in free.intersection(marks.forbidden):
        art.forbidden(surface, cell)
    for candidate in marks.candidates:
        if candidate.move in free and candidate.move not in marks.line:
            art.candidate(surface, candidate.move, candidate)
    for cell in free.intersection(marks.hints):
        art.hint(surface, cell)
    for before, cell in played(board, marks.line):
        art.mark(surface, art.pixel_of(cell), before.turn, 0.5)


def _draw_threat(surface: pygame.Surface, art: TicTacToeArt, board: LineBoard, marks: Marks) -> None:
    """The row with which the line that is shown wins."""
    steps = list(played(board, marks.line)) if marks.row else []
    for before, move in steps[-1:]:
        for ends in _rows(before.play(move)):
            art.row(surface, ends, before.turn, 1.0, _THREATENED)


def _rows(board: LineBoard) -> list[tuple[int, int]]:
    """Both ends of every winning row; one move may complete two."""
    outcome, last = board.outcome, board.last
    if outcome is None or last is None:
        return []
    found = (_run(outcome.cells, last, board.rules.width, *way) for way in ((0, 1), (1, 0), (1, 1), (1, -1)))
    return [(run[0], run[-1]) for run in found if len(run) >= board.rules.length]


def _run(cells: tuple[int, ...], through: int, width: int, down: int, right: int) -> list[int]:
    """The unbroken run of `cells` in one direction and its opposite through one of them, in order."""
    points = {divmod(cell, width) for cell in cells}
    row, column = divmod(through, width)
    while (row - down, column - right) in points:
        row, column = row - down, column - right
    run = []
    while (row, column) in points:
        run.append(row * width + column)
        row, column = row + down, column + right
    return run
