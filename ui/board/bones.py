"""The board of the Game of Bones: the heap, the number of bones left, and a card for each move.

`ui.board.bones_art` makes the layout and the pictures. A heap has no coordinates: `Marks.coordinates` has no effect.
"""

from __future__ import annotations

import pygame

from games.bones import MOST_TAKEN, BonesPosition
from games.position import played
from ui.board.animated_view import AnimatedView
from ui.board.bones_art import BonesArt
from ui.board.shapes import put
from ui.board.view import Marks

_SLIDE, _AFTER = 0.25, 0.03  # seconds that a bone slides, and between the starts of two bones


class BonesView(AnimatedView[BonesPosition, BonesArt]):
    """A `BoardView` for heaps of up to 60 bones."""

    def __init__(self) -> None:
        super().__init__(BonesPosition, BonesArt)
        self._static: tuple[tuple[BonesArt, int, tuple[int, ...], bool], pygame.Surface] | None = None

    def _size(self, position: BonesPosition) -> tuple[int, ...]:
        return (position.left + sum(self._moves),)

    @property
    def area(self) -> pygame.Rect:
        layout = self._require_art().layout
        return layout.square.inflate(-2 * layout.inset, -2 * layout.inset)

    def moving(self, now: float) -> bool:
        return self._age(now) < _SLIDE + _AFTER * (MOST_TAKEN - 1)

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        if self._art is None or self._position is None:
            return None
        return self._art.layout.move_at(pixel, self._position.left)

    def pixel_of(self, move: int) -> tuple[int, int]:
        x, y = self._require_art().layout.cards[move - 1].center
        return x, y

    def step(self, cursor: int | None, right: int, down: int) -> int:
        most = len(self._position.legal_moves()) if self._position else 0
        return 1 if cursor is None else (cursor - 1 + right - down) % (most or MOST_TAKEN) + 1

    def _paint(
        self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, marks: Marks, now: float
    ) -> None:
        surface.blit(self._static_picture(art, position, marks.numbers), art.layout.square)
        self._draw_chosen(surface, art, position, marks)
        self._draw_cards(surface, art, position, marks)
        self._draw_line(surface, art, position, marks)
        if self.moving(now):
            self._draw_sliding(surface, art, position, now)

    def _static_picture(self, art: BonesArt, position: BonesPosition, numbers: bool) -> pygame.Surface:
        """The cached picture of the heap, the outlines of taken bones and the count."""
        key = art, position.left, self._moves, numbers
        if self._static is None or self._static[0] != key:
            self._static = key, self._compose(art, position, numbers)
        return self._static[1]

    def _compose(self, art: BonesArt, position: BonesPosition, numbers: bool) -> pygame.Surface:
        """Draw the heap with the places of bones taken; with `numbers` each bears the number of its move."""
        picture = art.ground().copy()
        moves = self._moves
        end = len(art.layout.slots)
        for number, taken in enumerate(moves, 1):
            for index in range(end - taken, end):
                art.taken_bone(picture, index, number == len(moves))
                if numbers:
                    art.number(picture, index, number)
            end -= taken
        for index in range(position.left):
            art.bone(picture, index)
        art.count(picture, position.left, moves[-1] if moves else None)
        return picture

    def _draw_chosen(self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, marks: Marks) -> None:
        """Highlight the bones that a move would take: of the pointer, else of the keyboard cursor, else of the hint."""
        wanted = (marks.hover, marks.cursor, *(marks.hints if len(marks.hints) == 1 else ()))
        legal = position.legal_moves()
        move = next((move for move in wanted if move in legal and move not in marks.forbidden), None)
        if move is None:
            return
        hinted = move not in (marks.hover, marks.cursor)
        chosen = range(position.left - move, position.left)
        for index in chosen:
            art.glow(surface, index, hinted)
        for index in chosen:
            art.raised_bone(surface, index)

    def _draw_cards(self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, marks: Marks) -> None:
        """Draw the cards of moves with what `marks` says of each."""
        legal = position.legal_moves()
        for move in range(1, MOST_TAKEN + 1):
            hot = move in (marks.hover, marks.cursor) and move in legal
            art.card(surface, move, hot, move in legal)
            if move in marks.hints and move in legal:
                art.hint(surface, move)
            if move == marks.cursor:
                art.cursor(surface, move)
            if move in marks.forbidden:
                art.forbidden(surface, move)
        for candidate in marks.candidates:
            if candidate.move in legal:
                art.candidate(surface, candidate)
        for mark in marks.drawn_on(range(1, MOST_TAKEN + 1)):
            art.person_mark(surface, mark)
        if marks.wrong is not None:
            art.wrong(surface, marks.wrong, marks.sign)

    def _draw_line(self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, marks: Marks) -> None:
        for number, (heap, taken) in enumerate(played(position, marks.line), 1):
            for index in range(heap.left - taken, heap.left):
                art.step(surface, index, number, heap.turn)

    def _draw_sliding(self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, now: float) -> None:
        """Draw the bones of the last move on their way off the board, one after another."""
        taken = self._moves[-1]
        for order in range(taken):
            share = (self._age(now) - order * _AFTER) / _SLIDE
            index = position.left + taken - 1 - order
            if share < 1:
                share = max(0.0, share) ** 2  # accelerating
                x, y = art.layout.slots[index].center
                way = art.layout.square.right - x
                put(surface, art.picture(index), (x + way * share, y - art.layout.length * 0.25 * share), 1 - share)
