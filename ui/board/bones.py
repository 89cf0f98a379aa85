"""The board of the Game of Bones: the heap, the number of bones left, and a card for each move.

`BonesArt` makes the layout and the pictures, and draws them; `BonesView` decides what is drawn when. A heap has no
coordinates: `Marks.coordinates` has no effect. Bones are counted from 0 in reading order, and taken from the end.
"""

from __future__ import annotations

import numpy as np
import pygame

from games.bones import MOST_TAKEN, BonesPosition
from games.position import played
from games.record import Mark
from ui.board.animated_view import AnimatedView
from ui.board.cells import Art
from ui.board.materials import BONE_ROOM, LEANS, leaning_bone, table
from ui.board.shapes import (
    BLACK,
    WHITE,
    box,
    cover,
    disc,
    haze,
    ink_on,
    luminance,
    odd,
    outline,
    plane,
    put,
    quality_colour,
    stack,
    surface,
)
from ui.board.view import Candidate, Frame, Marks
from ui.toolkit.space import centred
from ui.toolkit.theme import Colour, Palette, mix

# The layout and the pictures of the Game of Bones: bones, the table they lie on, the count, the cards and the marks.


_UPRIGHT, _BESIDE = 1.20, 0.49  # a bone's place, in lengths of a bone
_LONGEST = 0.62  # the longest bone, as a share of the height for the heap


class BonesLayout:
    """The layout for a heap that began with `size` bones, in the largest square in the middle of `rect`.

    `slots` has each bone's place, `cards` those of the moves 1, 2, 3; `count` is the centre of the number of bones
    left, and `type_height` its font height; `length` is that of a bone, `inset` the width of the shadow around the
    square.
    """

    def __init__(self, rect: pygame.Rect, size: int) -> None:
        side = min(rect.size)
        self.square = centred(side, side, rect.center)
        self.inset = max(2, round(side * 0.011))
        wide = round(side * 0.90)
        left, top = self.square.centerx - wide // 2, self.square.top + round(side * 0.17)
        room = pygame.Rect(left, top, wide, round(side * 0.58))
        columns, self.length = _bones_in_row(room, size)
        self.slots = _bone_places(room, size, columns, self.length)
        self.cards = _card_places(self.square)
        self.count = (self.square.centerx, self.square.top + round(side * 0.095))
        self.type_height = max(8, round(side * 0.115))

    def move_at(self, pixel: tuple[int, int], left: int) -> int | None:
        """Return the move at `pixel`, the number of bones it takes; None if there is none. `left` bones are left.

        A card stands for its number, even if fewer bones are left. A bone stands for taking it and all after it.
        """
        for move, card in enumerate(self.cards, 1):
            if card.collidepoint(pixel):
                return move
        for move in range(1, min(MOST_TAKEN, left) + 1):
            if self.slots[left - move].collidepoint(pixel):
                return move
        return None


def _bones_in_row(room: pygame.Rect, size: int) -> tuple[int, float]:
    """Return how many of `size` bones are in a row, and their length.

    Prefer long bones, then rows that are all full.
    """

    def length(columns: int) -> float:
        """The length of bones in so many columns."""
        rows = -(-size // columns)
        return min(room.height / rows / _UPRIGHT, room.width / columns / _BESIDE, room.height * _LONGEST)

    step = room.height / 25
    best = max(
        range(1, size + 1),
        key=lambda columns: (round(length(columns) / step), -(-size % columns), -columns),
    )
    return best, length(best)


def _bone_places(room: pygame.Rect, size: int, columns: int, length: float) -> list[pygame.Rect]:
    """Return the places of `size` bones in `columns`, row by row, filling `room` as far as their `length` allows."""
    rows = -(-size // columns)
    width = min(room.width / columns, length * 0.68)
    height = min(room.height / rows, length * 1.32)
    left, top = room.centerx - width * columns / 2, room.centery - height * rows / 2
    slots = []
    for index in range(size):
        row, column = divmod(index, columns)
        corner = round(left + column * width), round(top + row * height)
        far = round(left + (column + 1) * width), round(top + (row + 1) * height)
        slots.append(pygame.Rect(corner, (far[0] - corner[0], far[1] - corner[1])))
    return slots


def _card_places(square: pygame.Rect) -> list[pygame.Rect]:
    """Return the places of the three cards on the square."""
    width, height, gap = (round(square.width * share) for share in (0.27, 0.15, 0.03))
    left = square.centerx - (3 * width + 2 * gap) // 2
    top = square.bottom - height - round(square.width * 0.055)
    return [pygame.Rect(left + index * (width + gap), top, width, height) for index in range(MOST_TAKEN)]


_ROOMY = 30  # pixels: the height of a card, with its shadow, that has room for more than a digit


def table_colour(palette: Palette) -> Colour:
    """Return the colour of the table, dark enough for ivory to stand out against it."""
    dark = luminance(palette.raised) < 0.2
    return palette.raised if dark else mix(palette.line, palette.accent, 0.12)


class BonesArt(Art):
    """The pictures for a heap that began with `size` bones. A method with `ground` draws on a picture of the layout's
    square, one with `target` on the window's surface; `index` is that of a bone."""

    def __init__(self, frame: Frame, size: int) -> None:
        super().__init__(frame)
        self.layout = BonesLayout(frame.rect, size)
        self._card = self.layout.cards[0]  # of the size of them all
        palette = frame.palette
        self._quiet = mix(palette.quiet, palette.text, 0.45)  # the table is darker than a panel
        self._sides = (palette.accent, palette.info)

    def ground(self) -> pygame.Surface:
        """Return the empty table, of the size of the layout's square; do not draw on it."""
        return self._picture("ground", lambda: table("bones", self._palette, self.layout.square.width))

    def _middle(self, index: int) -> tuple[int, int]:
        """The centre of a bone in the window."""
        x, y = self.layout.slots[index].center
        return x, y

    def _middle_in_square(self, index: int) -> tuple[int, int]:
        """The centre of a bone, relative to the layout's square."""
        x, y = self._middle(index)
        return x - self.layout.square.left, y - self.layout.square.top

    def picture(self, index: int) -> pygame.Surface:
        """Return the cached picture of a bone."""
        return self._bone("bones", index)

    def _bone(self, name: str, index: int, tint: Colour = WHITE, length: float | None = None) -> pygame.Surface:
        """Return the cached picture `name` of a bone. `index` determines its lean; `length` defaults to that of the
        heap."""
        lean = (3 * index + index // 5) % len(LEANS)  # no row or column repeats another
        # Odd sizes have a middle pixel.
        width, height = (int((length or self.layout.length) * share) | 1 for share in BONE_ROOM)
        key = name, lean, (width, height), tint
        return self._picture(key, lambda: leaning_bone(*key))

    def draw_bone(self, ground: pygame.Surface, index: int) -> None:
        """Draw a bone in its place."""
        put(ground, self._bone("bones", index), self._middle_in_square(index))

    def draw_taken_bone(self, ground: pygame.Surface, index: int, just: bool) -> None:
        """Draw the outline of a taken bone, stronger if it was `just` taken."""
        put(ground, self._bone("places", index, self._quiet), self._middle_in_square(index), 1.0 if just else 0.5)

    def draw_number(self, ground: pygame.Surface, index: int, number: int) -> None:
        """Draw the number of the move that took a bone."""
        size, colour = odd(max(11.0, self.layout.length * 0.26)), table_colour(self._palette)
        put(ground, self._picture("number", lambda: self._make_dot(size, colour)), self._middle_in_square(index))
        room = (size * 0.72, max(9.0, size * 0.62))
        self._write(ground, str(number), self._middle_in_square(index), room, self._quiet)

    def draw_count(self, ground: pygame.Surface, left: int, taken: int | None) -> None:
        """Draw how many bones are left and, beside it, how many the last move took; None at the start."""
        x, y = self.layout.count[0] - self.layout.square.left, self.layout.count[1] - self.layout.square.top
        self.draw_centred(ground, str(left), (x, y), self.layout.type_height, self._palette.text)
        if taken is not None:
            beside = x + self.layout.type_height * (0.62 + 0.3 * len(str(left)))
            self.draw_centred(ground, f"−{taken}", (beside, y), self._taken_height(), self._quiet)

    def _taken_height(self) -> int:
        """The font height of the number of bones just taken."""
        return max(8, round(self.layout.type_height * 0.42))

    def draw_glow(self, target: pygame.Surface, index: int, hinted: bool) -> None:
        """Draw a glow behind a bone that a move would take; if the move is `hinted`, in the colour of a hint."""
        colour = self._palette.good if hinted else self._palette.accent
        put(target, self._bone("glows", index, colour), self._middle(index))

    def draw_raised_bone(self, target: pygame.Surface, index: int) -> None:
        """Draw a bone again, above a glow."""
        put(target, self._bone("bones", index), self._middle(index))

    def draw_step(self, target: pygame.Surface, index: int, number: int, side: int) -> None:
        """Draw a numbered disc on a bone: the move of a variation, by `side`, that takes it."""
        size, colour = odd(self.layout.length * 0.34), self._sides[side]
        dot = self._picture(("step", side), lambda: self._make_dot(size, colour))
        put(target, dot, self._middle(index))
        room = (size * 0.7, size * 0.62)
        self._write(target, str(number), self._middle(index), room, ink_on(colour))

    def _make_dot(self, size: int, colour: Colour) -> pygame.Surface:
        """Make the picture of a disc with an edge."""
        field = disc(*plane(size, size), size / 2 - 1)
        return stack((colour, cover(field)), (mix(colour, BLACK, 0.35), outline(field, 1.0)))

    def draw_card(self, target: pygame.Surface, move: int, hot: bool, legal: bool) -> None:
        """Draw the card for `move`: its digit and as many bones. It is highlighted if `hot` (under the pointer or
        cursor), and pale if not `legal`."""
        card = self._picture(("card", move, hot), lambda: self._make_card(move, hot))
        put(target, card, self._card_middle(move), 1.0 if legal else 0.35)

    def _card_middle(self, move: int) -> tuple[int, int]:
        """The centre of the card of a move."""
        x, y = self.layout.cards[move - 1].center
        return x, y

    def _make_card(self, move: int, hot: bool) -> pygame.Surface:
        """Make the picture of the card for `move`, highlighted if `hot`."""
        card, palette = self._card, self._palette
        edge = self._card_shadow()
        width, height = card.width + 2 * edge, card.height + 2 * edge
        x, y = plane(width, height)
        radius = card.height * 0.14
        field = box(x, y, card.width - 1, card.height - 1, radius)
        face = mix(palette.raised, WHITE, 0.04)
        rim = outline(field + 0.6, max(1.2, card.height * (0.026 if hot else 0.012)))
        made = stack(
            (BLACK, haze(box(x, y - edge * 0.4, card.width - 1, card.height - 1, radius), edge, 0.38)),
            (mix(face, palette.accent, 0.14) if hot else face, cover(field)),
            (palette.accent if hot else palette.line, rim),
        )
        self._fill_card(made, move)
        return made

    def _card_shadow(self) -> int:
        """The width of the shadow around a card."""
        return max(1, round(self._card.height * 0.06))

    def _digit_height(self) -> int:
        """The font height of the digit on a card."""
        height = self._card.height + 2 * self._card_shadow()
        return max(8, round(height * 0.40)) + (2 if height < _ROOMY else 0)

    def _fill_card(self, made: pygame.Surface, move: int) -> None:
        """Draw the digit at the left of a card, and the bones at its right; a low card has only the digit."""
        width, height = made.get_size()
        alone = height < _ROOMY
        middle = (width * (0.5 if alone else 0.24), height / 2)
        self.draw_centred(made, str(move), middle, self._digit_height(), self._palette.text)
        if alone:
            return
        apart = width * 0.15
        for index in range(move):
            bone = self._bone("bones", index, length=self._card.height * 0.66)
            put(made, bone, (width * 0.62 + (index - (move - 1) / 2) * apart, height / 2))

    def _make_ring(self, colour: Colour, glow: float) -> pygame.Surface:
        """Make the picture of a ring around a card, with a glow of that strength, 0.0 to 1.0."""
        card = self._card
        edge = max(4, round(card.height * 0.16))
        size = card.width + 2 * edge, card.height + 2 * edge
        field = box(*plane(*size), card.width + edge * 0.7, card.height + edge * 0.7, card.height * 0.14 + edge * 0.35)
        width = max(1.6, card.height * 0.022)
        return stack((colour, haze(np.abs(field), edge * 0.6, glow)), (colour, outline(field, width)))

    def draw_cursor(self, target: pygame.Surface, move: int) -> None:
        """Draw the keyboard cursor around a card."""
        ring = self._picture("cursor", lambda: self._make_ring(self._palette.text, 0.0))
        put(target, ring, self._card_middle(move))

    def draw_hint(self, target: pygame.Surface, move: int) -> None:
        """Draw a ring around the card of a hint."""
        ring = self._picture("hint", lambda: self._make_ring(self._palette.good, 0.8))
        put(target, ring, self._card_middle(move))

    def draw_forbidden(self, target: pygame.Surface, move: int) -> None:
        """Draw a prohibition sign on a card."""
        self._draw_prohibition(target, self._card_middle(move), self._card.height * 0.7)

    def draw_person_mark(self, target: pygame.Surface, mark: Mark) -> None:
        """Draw a mark that a person has set, in the top left corner of a card."""
        card, palette = self.layout.cards[mark.move - 1], self._palette
        size = card.height * 0.26
        self._draw_mark(target, mark, (card.left + size * 0.7, card.top + size * 0.7), size, palette.text)

    def draw_mistake(self, target: pygame.Surface, move: int, sign: str) -> None:
        """Draw the badge of a mistake, with its `sign`, at the corner of a card."""
        card = self.layout.cards[move - 1]
        size = card.height * 0.34
        self._draw_badge(target, (card.right - size * 0.4, card.bottom - size * 0.4), size, sign)

    def draw_candidate(self, target: pygame.Surface, candidate: Candidate) -> None:
        """Draw a tag with a candidate's evaluation on the corner of its card, in the colour of its quality."""
        card, quality = self.layout.cards[candidate.move - 1], candidate.quality
        colour = quality_colour(quality, *self._grades)
        width, height = odd(card.width * (0.30 + 0.06 * quality)), odd(card.height * (0.27 + 0.05 * quality))
        tag = self._picture(("tag", width, height, colour), lambda: self._make_tag(width, height, colour))
        centre = (card.right - width * 0.42, card.top + height * 0.06)
        put(target, tag, centre)
        self._write(target, candidate.text, centre, (width * 0.8, height * 0.72), ink_on(colour))

    def _make_tag(self, width: int, height: int, colour: Colour) -> pygame.Surface:
        """Make the picture of a rounded rectangle in one colour."""
        field = box(*plane(width, height), width - 2, height - 2, height / 2 - 1)
        return surface(colour, cover(field))


# The view: what is drawn when.


_SLIDE, _AFTER = 0.25, 0.03  # seconds that a bone slides, and between the starts of two bones


class BonesView(AnimatedView[BonesPosition, BonesArt]):
    """A `BoardView` for heaps of up to 60 bones."""

    def __init__(self) -> None:
        super().__init__(BonesPosition, BonesArt)
        self._static: tuple[tuple[BonesArt, int, tuple[int, ...], bool], pygame.Surface] | None = None

    def _art_key(self, position: BonesPosition) -> tuple[int, ...]:
        """Return how many bones the heap began with."""
        return (position.left + sum(self._moves),)

    @property
    def area(self) -> pygame.Rect:
        """The square of heap and cards, without the shadow around it."""
        layout = self._require_art().layout
        return layout.square.inflate(-2 * layout.inset, -2 * layout.inset)

    def moving(self, now: float) -> bool:
        """Whether bones of the last move may still be sliding, reckoned for the largest number that a move takes."""
        return self._age(now) < _SLIDE + _AFTER * (MOST_TAKEN - 1)

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        """Return the move of the card at a pixel, or None; the bones of the heap mean no move."""
        if self._art is None or self._position is None:
            return None
        return self._art.layout.move_at(pixel, self._position.left)

    def pixel_of(self, move: int) -> tuple[int, int]:
        """Return the middle of the card of `move`."""
        x, y = self._require_art().layout.cards[move - 1].center
        return x, y

    def step(self, cursor: int | None, right: int, down: int) -> int:
        """Return the move whose card is `right` steps to the right and `down` steps to the left, in a cycle of the
        legal moves; from None, 1."""
        moves = self._position.legal_moves() if self._position else ()
        return 1 if cursor is None else (cursor - 1 + right - down) % (len(moves) or MOST_TAKEN) + 1

    def _paint(
        self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, marks: Marks, now: float
    ) -> None:
        """Draw heap, count, cards and what `marks` has, and last the bones that slide off after a move."""
        surface.blit(self._static_picture(art, position, marks.numbers), art.layout.square)
        self._draw_chosen(surface, art, position, marks)
        self._draw_cards(surface, art, position, marks)
        self._draw_line(surface, art, position, marks)
        if self.moving(now):
            self._draw_sliding(surface, art, position, now)

    def _static_picture(self, art: BonesArt, position: BonesPosition, numbers: bool) -> pygame.Surface:
        """Return the cached picture of the heap, the outlines of taken bones and the count."""
        key = art, position.left, self._moves, numbers
        if self._static is None or self._static[0] != key:
            self._static = key, self._compose(art, position, numbers)
        return self._static[1]

    def _compose(self, art: BonesArt, position: BonesPosition, numbers: bool) -> pygame.Surface:
        """Draw the heap with the outlines of taken bones; with `numbers`, each has the number of its move."""
        picture = art.ground().copy()
        moves = self._moves
        end = len(art.layout.slots)
        for number, taken in enumerate(moves, 1):
            for index in range(end - taken, end):
                art.draw_taken_bone(picture, index, number == len(moves))
                if numbers:
                    art.draw_number(picture, index, number)
            end -= taken
        for index in range(position.left):
            art.draw_bone(picture, index)
        art.draw_count(picture, position.left, moves[-1] if moves else None)
        return picture

    def _draw_chosen(self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, marks: Marks) -> None:
        """Highlight the bones that a move would take: that under the pointer, else at the keyboard cursor, else the
        only hint."""
        wanted = (marks.hover, marks.cursor, *(marks.hints if len(marks.hints) == 1 else ()))
        legal = position.legal_moves()
        move = next((move for move in wanted if move in legal and move not in marks.forbidden), None)
        if move is None:
            return
        hinted = move not in (marks.hover, marks.cursor)
        chosen = range(position.left - move, position.left)
        for index in chosen:
            art.draw_glow(surface, index, hinted)
        for index in chosen:
            art.draw_raised_bone(surface, index)

    def _draw_cards(self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, marks: Marks) -> None:
        """Draw the cards of all moves, with what `marks` has of each."""
        legal = position.legal_moves()
        for move in range(1, MOST_TAKEN + 1):
            hot = move in (marks.hover, marks.cursor) and move in legal
            art.draw_card(surface, move, hot, move in legal)
            if move in marks.hints and move in legal:
                art.draw_hint(surface, move)
            if move == marks.cursor:
                art.draw_cursor(surface, move)
            if move in marks.forbidden:
                art.draw_forbidden(surface, move)
        for candidate in marks.candidates:
            if candidate.move in legal:
                art.draw_candidate(surface, candidate)
        for mark in marks.drawn_on(range(1, MOST_TAKEN + 1)):
            art.draw_person_mark(surface, mark)
        if marks.wrong is not None:
            art.draw_mistake(surface, marks.wrong, marks.sign)

    def _draw_line(self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, marks: Marks) -> None:
        """Draw on the bones that the moves of `marks.line` take the numbers of these moves."""
        for number, (heap, taken) in enumerate(played(position, marks.line), 1):
            for index in range(heap.left - taken, heap.left):
                art.draw_step(surface, index, number, heap.turn)

    def _draw_sliding(self, surface: pygame.Surface, art: BonesArt, position: BonesPosition, now: float) -> None:
        """Draw the bones of the last move on their way off the board, one after another."""
        taken = self._moves[-1]
        for order in range(taken):
            share = min(1.0, max(0.0, (self._age(now) - order * _AFTER) / _SLIDE)) ** 2  # accelerating
            index = position.left + taken - 1 - order
            x, y = art.layout.slots[index].center
            way = art.layout.square.right - x
            put(surface, art.picture(index), (x + way * share, y - art.layout.length * 0.25 * share), 1 - share)
