"""The gomoku board: what is shown on it, in which order, and how it moves.

`GridArt` makes the pictures and draws them; `GridView` decides what is drawn when. Stones are what `cells` of the
position holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pygame

from ai.review.report import WINNING
from games.coords import star_points
from games.position import FIRST, played
from games.record import Mark
from ui.board.animated_view import GLOWING, glow
from ui.board.cells import LineBoard, SquareArt, SquareView, ghosts
from ui.board.materials import ROUND, material, stone, wood
from ui.board.shapes import (
    BLACK,
    WHITE,
    box,
    cover,
    disc,
    ease,
    haze,
    odd,
    outline,
    plane,
    put,
    stack,
    stroke,
    surface,
)
from ui.board.view import Frame, Marks, Threat
from ui.toolkit.art import clipped
from ui.toolkit.space import centred
from ui.toolkit.theme import Colour, mix

# The pictures of a gomoku board: wood, lines, stones and marks.


LINE: Colour = (84, 52, 20)
LETTER: Colour = (82, 50, 18)

# The wood is the same in both themes, so the marks on it are too.
_GOOD: Colour = (24, 122, 70)
_FAIR: Colour = (142, 98, 0)
_BAD: Colour = (172, 44, 34)
_CURSOR: Colour = (20, 92, 200)
_HINT: Colour = (0, 112, 122)
_LAST: tuple[Colour, Colour] = ((255, 122, 82), (204, 58, 22))
_LAST_INK: tuple[Colour, Colour] = ((255, 148, 114), (156, 34, 8))
_LAST_NUMBER: tuple[Colour, Colour] = ((255, 218, 150), (156, 34, 8))  # readable on the gleam of a black stone
_GLOW: Colour = (255, 214, 96)
_INK: tuple[Colour, Colour] = ((236, 234, 228), (30, 30, 32))
_WOOD: Colour = (222, 178, 112)
_DARK: Colour = (24, 12, 2)
_STONE: tuple[Colour, Colour] = ((34, 34, 38), (244, 242, 236))
_THREATS = {
    "five": "5", "open_four": "4", "double_four": "44", "four_three": "43", "four": "4", "double_three": "33",
    "open_three": "3",
}  # fmt: skip
"""What is written where something can be made; those of `WINNING` have a red ring."""


class GridArt(SquareArt):
    """The pictures of a gomoku board in one frame. Methods draw on the surface of the window, except where they say
    otherwise."""

    WRONG = (0.37, -0.37, 0.42)

    def __init__(self, frame: Frame, count: int) -> None:
        super().__init__(frame, count)
        self._grades = (_GOOD, _FAIR, _BAD)
        self._wood, self._stones = frame.wood, frame.stones
        self._stone = odd(self.cell * 0.97 - 1.9)
        self._shaded: tuple[frozenset[int], pygame.Surface] | None = None

    def _make_empty(self) -> pygame.Surface:
        """Make the picture of the wooden board with its lines and star points."""
        ground = wood(self._wood, self.rect.size)
        self._draw_lines(ground)
        first = self.first[0] - self.rect.left
        radius = max(1.3, self.cell * 0.085)
        star = surface(LINE, cover(disc(*plane(odd(3 * radius), odd(3 * radius)), radius)))
        for column, row in star_points(self.columns):
            put(ground, star, (first + column * self.cell, first + row * self.cell))
        return ground

    def _draw_lines(self, ground: pygame.Surface) -> None:
        """Draw the lines of the grid, the outer ones thicker."""
        first, last = self.first[0] - self.rect.left, self.columns - 1
        span, thin = last * self.cell, max(1.0, self.cell * 0.032)
        for index in range(self.columns):
            thick = thin * 1.6 if index in (0, last) else thin
            pixels = plane(span + 1 + 2 * math.ceil(thin), odd(thick + 1))
            line = surface(LINE, cover(box(*pixels, span + thin * 1.6, thick, 0), 0.92))
            middle, at = first + span / 2, first + index * self.cell
            put(ground, line, (middle, at))
            put(ground, pygame.transform.rotate(line, 90), (at, middle))

    def _write_coordinates(self, ground: pygame.Surface) -> None:
        """Write the coordinates along all four edges."""
        near = self.inset + self._zone * 0.60
        for edge in (near, self.rect.width - 1 - near):
            self._write_column_letters(ground, edge, LETTER)
            self._write_row_names(ground, edge, LETTER)

    def stone(self, side: int) -> pygame.Surface:
        """Return the cached picture of a stone of `side`."""
        return self._picture(("stone", side), lambda: self._make_stone(side))

    def _make_stone(self, side: int) -> pygame.Surface:
        """Make the picture of a stone of `side` in the material of the frame."""
        if self._stones != "plain":
            return stone(self._stones, side, (self._stone, self._stone))
        field = disc(*plane(self._stone, self._stone), self._stone / 2 - 0.8)
        rim = mix(_STONE[side], (128, 128, 128), 0.7)
        return stack((_STONE[side], cover(field)), (rim, outline(field, max(1.0, self._stone * 0.03))))

    def shadow(self) -> pygame.Surface:
        """Return the cached picture of a stone's shadow."""
        wide = 2 * self._stone + 1
        return self._picture("shadow", lambda: material("shadow", (wide, wide)))

    def draw_number(self, target: pygame.Surface, centre: tuple[int, int], number: int, side: int, last: bool) -> None:
        """Write a number on a stone of `side`; that of the `last` move has a colour of its own."""
        room = (self._stone * 0.74, self._stone * 0.56)
        colour = _LAST_NUMBER[side] if last else _INK[side]
        self._write(target, str(number), centre, room, colour)

    def draw_last_mark(self, target: pygame.Surface, cell: int, side: int) -> None:
        """Draw the mark of the last move on its stone, of `side`."""
        put(target, self._picture(("last", side), lambda: self._make_last_mark(side)), self.pixel_of(cell))

    def _make_last_mark(self, side: int) -> pygame.Surface:
        """Make the picture of the mark of the last move, a ring."""
        size, width = odd(self._stone * 0.56), max(1.4, self._stone * 0.085)
        return surface(_LAST[side], outline(disc(*plane(size, size), size / 2 - 0.6 - width / 2), width))

    def draw_cursor(self, target: pygame.Surface, cell: int) -> None:
        """Draw the keyboard cursor at a point."""
        size = odd(self.cell * 1.12)
        put(target, self._picture("cursor", lambda: self._make_cursor(size)), self.pixel_of(cell))

    def _make_cursor(self, size: int) -> pygame.Surface:
        """Make the picture of the keyboard cursor."""
        width = max(1.6, size * 0.055)
        field = box(*plane(size, size), size - 2 - 2 * width, size - 2 - 2 * width, size * 0.26)
        return stack((WHITE, outline(field, width + 2.4, 0.75)), (_CURSOR, outline(field, width)))

    def draw_hint(self, target: pygame.Surface, cell: int) -> None:
        """Draw a ring and a dot at a point: a hint."""
        size = odd(self.cell * 1.5)
        put(target, self._picture("hint", lambda: self._make_hint(size)), self.pixel_of(cell))

    def _make_hint(self, size: int) -> pygame.Surface:
        """Make the picture of a hint."""
        x, y = plane(size, size)
        ring, width = disc(x, y, size * 0.27), max(1.5, size * 0.05)
        return stack(
            ((190, 255, 250), haze(ring, size * 0.2, 0.9)),
            (_HINT, outline(ring, width)),
            (_HINT, cover(disc(x, y, size * 0.09))),
        )

    def draw_refutation_mark(self, target: pygame.Surface, cell: int) -> None:
        """Mark the point at which the opponent makes the shape that refutes a mistake (`Marks.decided`): by a square on
        its corner, in the colour of mistakes."""
        size = odd(self.cell * 1.4)
        put(target, self._picture("decided", lambda: self._make_refutation_mark(size)), self.pixel_of(cell))

    def _make_refutation_mark(self, size: int) -> pygame.Surface:
        """Make the picture of the mark at a refutation."""
        x, y = plane(size, size)
        across, along, width = (x + y) / math.sqrt(2), (x - y) / math.sqrt(2), max(1.5, size * 0.06)
        field = box(across, along, size * 0.42, size * 0.42, size * 0.03)
        core = box(across, along, size * 0.13, size * 0.13, 0.0)
        return stack(
            ((255, 228, 180), haze(field, size * 0.14, 0.9)), (_BAD, outline(field, width)), (_BAD, cover(core))
        )

    def draw_forbidden(self, target: pygame.Surface, cell: int) -> None:
        """Draw a cross on a point that the rules forbid to the side to move."""
        size = odd(self.cell * 0.5)
        put(target, self._picture("forbidden", lambda: self._make_cross(size)), self.pixel_of(cell))

    def _make_cross(self, size: int) -> pygame.Surface:
        """Make the picture of a cross on a forbidden point."""
        x, y = plane(size, size)
        width = max(1.5, size * 0.15)
        arm = max(1.0, size / 2 - width * 0.8 - 0.5) * 0.86
        arms = (stroke(x, y, (-arm, -arm * turn), (arm, arm * turn), width) for turn in (1, -1))
        field = np.minimum(*arms)
        return stack(((255, 228, 180), haze(field, 1.6, 0.6)), (_BAD, cover(field)))

    def draw_shade(self, target: pygame.Surface, cells: frozenset[int]) -> None:
        """Darken the points on which no stone may be placed."""
        if self._shaded is None or self._shaded[0] != cells:  # a large board is seven megabytes: keep one
            self._shaded = cells, self._make_shade(cells)
        target.blit(self._shaded[1], self.rect)

    def _make_shade(self, cells: frozenset[int]) -> pygame.Surface:
        """Make the picture of dark squares around points, of the size of `rect`."""
        shade = pygame.Surface(self.rect.size, pygame.SRCALPHA)
        left, top = self.rect.topleft
        for cell in cells:
            x, y = self.pixel_of(cell)
            shade.fill((*_DARK, 96), centred(self.cell, self.cell, (x - left, y - top)))
        return shade

    def draw_threats(self, target: pygame.Surface, cell: int, threats: Sequence[Threat]) -> None:
        """Draw the threats that a move to the empty `cell` makes: each on a small stone of its side, two of them beside
        each other."""
        shown = [threat for threat in threats if threat.kind in _THREATS]
        size = odd(self.cell * (0.50 if len(shown) > 1 else 0.56))
        x, y = self.pixel_of(cell)
        for number, threat in enumerate(shown):
            away = self.cell * 0.21 * (2 * number - len(shown) + 1)
            side, wins = threat.side, threat.kind in WINNING
            chip = self._picture(("threat", size, side, wins), partial(self._make_chip, size, side, wins))
            put(target, chip, (x + away, y + away))
            room = (size, size * 0.50)
            self._write(target, _THREATS[threat.kind], (x + away, y + away), room, _INK[side])

    def _make_chip(self, size: int, side: int, wins: bool) -> pygame.Surface:
        """Make the picture of the small stone of a threat; for one that `wins` it has a bright rim."""
        field = disc(*plane(size, size), size / 2 - 0.8)
        rim = _LAST[1] if wins else mix(_STONE[side], _INK[side], 0.4)
        return stack((rim, cover(field)), (_STONE[side], cover(field + max(1.2, size * (0.10 if wins else 0.05)))))

    def draw_person_mark(self, target: pygame.Surface, mark: Mark, side: int | None, last: bool) -> None:
        """Draw a mark that a person has set: on an empty point, or on a stone of `side` in place of its number. On the
        `last` stone it has a colour of its own."""
        centre = self.pixel_of(mark.move)
        if side is None:
            self._draw_mark(target, mark, centre, self.cell * 0.66, LETTER, _WOOD)
        else:
            put(target, self.stone(side), centre)  # over a number
            self._draw_mark(target, mark, centre, self._stone * 0.60, _LAST_INK[side] if last else _INK[side])

    def _dot_size(self, quality: float) -> tuple[int, tuple[float, float]]:
        """Return the size of a candidate's disc, larger than on other boards, as it may cover most of the space between
        lines."""
        size = max(3, odd(self.cell * (0.70 + 0.24 * quality)) - 2)
        return size, (size * 0.82, size * 0.44)

    def _make_dot(self, size: int, colour: Colour, best: bool) -> pygame.Surface:
        """Make the picture of a candidate's disc; the best one has a rim."""
        wide = size + 2 * max(1, round(size * 0.08))
        x, y = plane(wide, wide)
        field = disc(x, y, size / 2 - 0.5)
        rim = outline(field, max(1.2, size * 0.06), 1.0 if best else 0.0)
        return stack(
            (BLACK, haze(disc(x, y - size * 0.04, size / 2 - 0.5), size * 0.08, 0.4)),
            (colour, cover(field, 0.96)),
            ((255, 250, 235), rim),
        )

    def draw_glow(self, target: pygame.Surface, cell: int, strength: float) -> None:
        """Draw a halo around the stone on `cell`; `strength` is 0.0 to 1.0."""
        size = odd(self.cell * 2.1)
        halo = self._picture("halo", lambda: self._make_halo(size))
        put(target, halo, self.pixel_of(cell), strength)

    def _make_halo(self, size: int) -> pygame.Surface:
        """Make the picture of the halo of a stone in a winning row."""
        field, edge = disc(*plane(size, size), self._stone / 2), self._stone * 0.14
        return stack((_GLOW, haze(field, size * 0.22, 1.0)), ((255, 246, 214), outline(field, edge, 0.95)))

    def draw_veil(self, target: pygame.Surface) -> None:
        """Darken `target`, a picture of the size of `rect`, so that a winning row stands out."""
        target.blit(self._picture("veil", self._make_veil), (0, 0))

    def _make_veil(self) -> pygame.Surface:
        """Make the picture of a dark layer over the board, without its shadow."""
        side = self.rect.width
        veil = pygame.Surface((side, side), pygame.SRCALPHA)
        wood = veil.get_rect().inflate(-2 * self.inset, -2 * self.inset)
        pygame.draw.rect(veil, (*_DARK, 43), wood, border_radius=round(side * ROUND))
        return veil


# The view: what is drawn when.


_LANDING = 0.15  # seconds
_FEW = 4  # changed stones up to which only their surroundings are redrawn


@dataclass(frozen=True, slots=True)
class _StaticState:
    """What the static part of the picture depends on. `falling` is the cell of a stone in motion, None without one."""

    art: GridArt
    cells: bytes
    moves: tuple[int, ...]
    falling: int | None
    veil: bool
    numbers: bool
    coordinates: bool

    def stones(self) -> dict[int, tuple[int, int, bool]]:
        """Return the stones at rest, by cell: (side, the number written on it or 0, whether that is of the last
        move)."""
        numbers = {cell: number for number, cell in enumerate(self.moves, 1)} if self.numbers else {}
        lying = ((cell, content - 1) for cell, content in enumerate(self.cells) if content and cell != self.falling)
        return {
            cell: (side, numbers.get(cell, 0), cell in numbers and numbers[cell] == len(self.moves))
            for cell, side in lying
        }

    def changed_cells(self, before: _StaticState) -> list[int] | None:
        """Return the cells whose stones differ from those of `before`; None if anything else differs, too."""
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
        """Whether the last stone is landing or, where it wins, its row still pulses."""
        return self._age(now) < _LANDING + (GLOWING if self._position and _winning_row(self._position) else 0)

    def _paint(self, surface: pygame.Surface, art: GridArt, board: LineBoard, marks: Marks, now: float) -> None:
        """Draw the board and the stones that lie, then glow, advice, the stone that is landing, the mark of the last
        move, a person's marks and the cursor. Numbers stand in for the mark of the last move."""
        falling = board.last if self._age(now) < _LANDING else None
        won = _winning_row(board) if falling is None else ()
        surface.blit(self._static_picture(art, board, marks, falling, won), art.rect)
        if marks.allowed is not None:
            free = {cell for cell, content in enumerate(board.cells) if not content}
            art.draw_shade(surface, frozenset(free - marks.allowed))
        self._draw_glowing(surface, art, board, won or marks.row, marks.numbers, now)
        _draw_advice(surface, art, board, marks)
        if falling is not None:
            _draw_falling(surface, art, board, falling, self._age(now) / _LANDING)
        if board.last is not None and falling is None and not marks.numbers:
            art.draw_last_mark(surface, board.last, board.cells[board.last] - 1)
        _draw_person_marks(surface, art, board, marks, falling)
        if marks.cursor is not None:
            art.draw_cursor(surface, marks.cursor)

    def _draw_glowing(
        self, surface: pygame.Surface, art: GridArt, board: LineBoard, row: tuple[int, ...], numbered: bool, now: float
    ) -> None:
        """Draw a row that has won, or that completes the variation shown: a glow, and its stones again above it; with
        `numbered`, also their numbers."""
        for cell in row:
            art.draw_glow(surface, cell, glow(max(0.0, self._age(now) - _LANDING)))
        numbers = self._numbers() if numbered else {}
        for cell in row:
            if board.cells[cell]:
                side, centre = board.cells[cell] - 1, art.pixel_of(cell)
                put(surface, art.stone(side), centre)
                if cell in numbers:
                    art.draw_number(surface, centre, numbers[cell], side, cell == board.last)

    def _static_picture(
        self, art: GridArt, board: LineBoard, marks: Marks, falling: int | None, won: tuple[int, ...]
    ) -> pygame.Surface:
        """Return the picture of the board without what moves. It is cached, and drawn again only where it has
        changed."""
        veil = bool(won) and marks.veil
        state = _StaticState(art, board.cells, self._moves, falling, veil, marks.numbers, marks.coordinates)
        if self._static is None:
            self._static = state, _compose(state)
        elif self._static[0] != state:
            self._static = state, _updated_picture(state, *self._static)
        return self._static[1]


def _winning_row(board: LineBoard) -> tuple[int, ...]:
    """Return the cells of the row that has won; empty if none has."""
    return board.outcome.cells if board.outcome else ()


def _draw_advice(surface: pygame.Surface, art: GridArt, board: LineBoard, marks: Marks) -> None:
    """Draw on empty points: forbidden points, threats, candidates, hints, offered moves, ghosts and the stones of the
    line."""
    free = {cell for cell, content in enumerate(board.cells) if not content}.difference(marks.line)
    for cell in free.intersection(marks.forbidden):
        art.draw_forbidden(surface, cell)
    threats = () if marks.line else marks.threats  # their digits would be taken for numbers of the line
    for cell in free.intersection(threat.move for threat in threats).difference(marks.forbidden):
        art.draw_threats(surface, cell, [threat for threat in threats if threat.move == cell])
    for candidate in sorted(marks.candidates, key=lambda candidate: candidate.quality):
        if candidate.move in free:
            art.draw_candidate(surface, candidate.move, candidate)
    for cell in free.intersection(marks.hints):
        art.draw_hint(surface, cell)
    if marks.decided in free:
        art.draw_refutation_mark(surface, marks.decided)
    for number, cell in enumerate(marks.offers, 1):
        if cell in free:
            put(surface, art.stone(FIRST), art.pixel_of(cell), 0.8)
            art.draw_number(surface, art.pixel_of(cell), number, FIRST, False)
    for cell in ghosts(board, marks):
        put(surface, art.stone(board.turn), art.pixel_of(cell), 0.55)
    for number, (before, cell) in enumerate(played(board, marks.line), 1):
        put(surface, art.shadow(), art.pixel_of(cell), 0.5)
        put(surface, art.stone(before.turn), art.pixel_of(cell), 0.84)
        art.draw_number(surface, art.pixel_of(cell), number, before.turn, False)


def _draw_person_marks(
    surface: pygame.Surface, art: GridArt, board: LineBoard, marks: Marks, falling: int | None
) -> None:
    """Draw the marks that a person has set, and the badge of a mistake, but nothing on the `falling` stone."""
    for mark in marks.drawn_on(range(len(board.cells))):
        if mark.move != falling:
            content = board.cells[mark.move]
            art.draw_person_mark(surface, mark, content - 1 if content else None, mark.move == board.last)
    if marks.wrong is not None and marks.wrong != falling:
        art.draw_mistake(surface, marks.wrong, marks.sign)


def _draw_falling(surface: pygame.Surface, art: GridArt, board: LineBoard, cell: int, share: float) -> None:
    """Draw the stone that is placed on `cell`; `share` (0 … 1) of its animation is done."""
    share = min(1.0, max(0.0, share))
    # It shrinks from above, with a slight undershoot.
    size = 1 + 0.30 * (1 - ease(share)) - 0.035 * math.sin(math.pi * share) * share
    x, y = art.pixel_of(cell)
    height = (1 - ease(share)) * art.cell * 0.18
    stone, shadow = art.stone(board.cells[cell] - 1), art.shadow()
    put(surface, pygame.transform.smoothscale_by(shadow, size), (x + height, y + height), ease(share * 1.2))
    put(surface, pygame.transform.smoothscale_by(stone, size), (x, y), ease(share * 2))


def _compose(state: _StaticState) -> pygame.Surface:
    """Make the picture of the board with its stones, without what changes from frame to frame."""
    picture = state.art.ground(state.coordinates).copy()
    _draw_stones(picture, state)
    return picture


def _updated_picture(state: _StaticState, before: _StaticState, picture: pygame.Surface) -> pygame.Surface:
    """Bring `picture`, which shows `before`, up to date around the stones that have changed, and return it; or return a
    new one if there are many.

    A large board is seven megabytes, and every move changes it twice.
    """
    changed = state.changed_cells(before)
    if changed is None or len(changed) > _FEW:
        return _compose(state)
    left, top = state.art.rect.topleft
    for cell in changed:
        x, y = state.art.pixel_of(cell)
        near = state.art.shadow().get_rect(center=(x - left, y - top))  # wider than a stone
        with clipped(picture, near):
            picture.fill((0, 0, 0, 0))
            picture.blit(state.art.ground(state.coordinates), (0, 0), special_flags=pygame.BLEND_RGBA_ADD)
            _draw_stones(picture, state)
    return picture


def _draw_stones(picture: pygame.Surface, state: _StaticState) -> None:
    """Draw the stones at rest with their shadows and numbers; dim the board around a winning row."""
    art = state.art
    left, top = art.rect.topleft
    lying = [(art.pixel_of(cell), stone) for cell, stone in state.stones().items()]
    for (x, y), _ in lying:  # below all stones: shadows fall on wood only
        put(picture, art.shadow(), (x - left, y - top))
    for (x, y), (side, number, last) in lying:
        put(picture, art.stone(side), (x - left, y - top))
        if number:
            art.draw_number(picture, (x - left, y - top), number, side, last)
    if state.veil:
        art.draw_veil(picture)
