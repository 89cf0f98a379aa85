"""The board of a game without a grid and without a look of its own: the position in words, and a tile for each move."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pygame

from games.position import Position
from ui.board.animated_view import AnimatedView
from ui.board.shapes import ink_on, quality_colour
from ui.board.view import Frame, Marks
from ui.toolkit.art import rounded
from ui.toolkit.space import centred
from ui.toolkit.theme import Colour, mix

_UNTOLD = {"ply", "turn"}  # fields of a position that the screen tells elsewhere
_MARGIN, _GAP = 0.06, 0.02  # of the side of the board
_TEXT, _LINE = 0.045, 0.065  # of that side, too: the height of the text, and of a line
_LONGEST = 40  # characters of a line
_SHOWN = 0.2  # seconds in which the tile of the last move fades


class Tiles:
    """The layout of some `moves` in the largest square in the middle of the frame: `words` above `tiles`, one tile for
    each move."""

    def __init__(self, frame: Frame, *moves: int) -> None:
        self.frame = frame
        side = min(frame.rect.size)
        self.rect = centred(side, side, frame.rect.center)
        inside = self.rect.inflate(-2 * _MARGIN * side, -2 * _MARGIN * side)
        self.words = pygame.Rect(inside.topleft, (inside.width, inside.height // 2))
        self.columns = max(1, math.ceil(math.sqrt(2 * len(moves))))
        rows, gap = max(1, math.ceil(len(moves) / self.columns)), max(1, round(_GAP * side))
        wide, high = inside.width // self.columns, inside.height // 2 // rows
        self.tiles = {
            move: pygame.Rect(inside.left + number % self.columns * wide,
                              self.words.bottom + number // self.columns * high, wide - gap, high - gap)
            for number, move in enumerate(moves)
        }  # fmt: skip

    def text(self, surface: pygame.Surface, text: str, centre: tuple[int, int], height: float, colour: Colour) -> None:
        """Write `text` around `centre`, `height` pixels high, but at least 8."""
        picture = self.frame.font(max(8, round(height)), False).render(text, True, colour)
        surface.blit(picture, picture.get_rect(center=centre))


class TilesView(AnimatedView[Position, Tiles]):
    """A `BoardView` for positions of any kind. A move has a tile as soon as either side could play it next, and keeps
    it."""

    def __init__(self) -> None:
        super().__init__(object, Tiles)
        self._known: set[int] = set()

    def _art_key(self, position: Position) -> tuple[int, ...]:
        """Return the moves that have tiles, in order, without passes."""
        legal = position.legal_moves()
        after = (position.play(move) for move in legal)
        self._known.update(self._moves, legal, *(each.legal_moves() for each in after))
        return tuple(sorted(move for move in self._known if move >= 0))

    @property
    def area(self) -> pygame.Rect:
        """The square of words and tiles."""
        return self._require_art().rect

    def moving(self, now: float) -> bool:
        """Whether the colour of the last move's tile is still fading."""
        return self._age(now) < _SHOWN

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        """Return the move whose tile is at a pixel, legal now or not; None beside the tiles."""
        tiles = {} if self._art is None else self._art.tiles
        return next((move for move, rect in tiles.items() if rect.collidepoint(pixel)), None)

    def pixel_of(self, move: int) -> tuple[int, int]:
        """The middle of its tile; the middle of the board for a pass."""
        x, y = self._require_art().tiles.get(move, self.area).center
        return x, y

    def step(self, cursor: int | None, right: int, down: int) -> int:
        """Return the move whose tile is so many columns to the right and rows down, or else the last tile or the first;
        from None, the first."""
        moves, columns = list(self._require_art().tiles), self._require_art().columns
        if cursor not in moves:
            return moves[0]
        return moves[min(max(0, moves.index(cursor) + right + down * columns), len(moves) - 1)]

    # The picture.

    def _paint(self, surface: pygame.Surface, art: Tiles, position: Position, marks: Marks, now: float) -> None:
        """Write the position in words, and draw a tile for each move: quiet if it is illegal, lit under the pointer,
        with a ring for its marks. Evaluations and hints are written on top."""
        palette, side = art.frame.palette, art.rect.width
        rounded(surface, art.rect, palette.panel, round(0.03 * side), palette.line)
        lines = list(describe_fields(position))
        top = art.words.centery - (len(lines) - 1) * _LINE * side / 2
        for number, line in enumerate(lines):
            centre = art.words.centerx, round(top + number * _LINE * side)
            art.text(surface, line, centre, min(_TEXT * side, 1.6 * art.words.width / len(line)), palette.text)
        legal, last = set(position.legal_moves()), self._moves[-1:]
        for move, rect in art.tiles.items():
            lit = move in marks.pointed and move in legal
            plain = palette.raised if move in legal else palette.panel
            fresh = max(0.0, 1.0 - self._age(now) / _SHOWN) if move in last else 0.0
            ground = mix(plain, palette.accent, max(fresh, 0.35 if lit else 0.0))
            ring = self._ring_colour(marks, move, move in last)
            rounded(surface, rect, ground, round(0.02 * side), ring or palette.line, 3 if ring else 1)
            ink = palette.text if move in legal else palette.quiet
            below = rect.centerx, rect.top + rect.height * 5 // 8  # a tag has room above
            art.text(surface, position.move_text(move), below, 0.4 * rect.height, ink)
        self._draw_advice(surface, art, marks)

    def _ring_colour(self, marks: Marks, move: int, last: bool) -> Colour | None:
        """Return the colour of the ring around a tile, for the most important of its marks; None without a mark."""
        palette, drawn = self._require_art().frame.palette, bool(marks.drawn_on(range(move, move + 1)))
        rings = (
            (marks.cursor == move, palette.text), (marks.wrong == move, palette.bad),
            (move in marks.hints, palette.good), (drawn, palette.info), (last, palette.accent),
        )  # fmt: skip
        return next((colour for there, colour in rings if there), None)

    def _draw_advice(self, surface: pygame.Surface, art: Tiles, marks: Marks) -> None:
        """Write evaluations, hints and the sign of a mistake on tiles, and which moves of the line a tile is: it may be
        several."""
        palette = art.frame.palette
        for candidate in marks.candidates:
            if rect := art.tiles.get(candidate.move):
                colour = quality_colour(candidate.quality, palette.good, palette.accent, palette.bad)
                self._draw_tag(surface, art, rect, candidate.text, colour)
        for move in marks.hints:
            if rect := art.tiles.get(move):
                self._draw_tag(surface, art, rect, "!", palette.good)
        if marks.wrong is not None and (rect := art.tiles.get(marks.wrong)):
            self._draw_tag(surface, art, rect, marks.sign, palette.bad)
        for move, rect in art.tiles.items():
            numbers = [str(number) for number, each in enumerate(marks.line, 1) if each == move]
            if numbers:
                self._draw_tag(surface, art, rect, " ".join(numbers), palette.info)

    def _draw_tag(self, surface: pygame.Surface, art: Tiles, rect: pygame.Rect, text: str, colour: Colour) -> None:
        """Write `text` on a strip along the top of a tile."""
        strip = pygame.Rect(rect.topleft, (rect.width, max(4, rect.height * 3 // 10)))
        rounded(surface, strip, colour, strip.height // 3)
        art.text(surface, text, strip.center, 0.8 * strip.height, ink_on(colour))


def describe_fields(position: Position) -> Iterator[str]:
    """Yield each public field of a position as its name and value: ``places 2 2 2 0 2 2 2 0``; long ones are
    shortened."""
    known: Any = position
    names = [field.name for field in fields(known)] if is_dataclass(known) else []
    for name in names:
        value = getattr(position, name)
        if name.startswith("_") or name in _UNTOLD or not isinstance(value, int | str | bytes | tuple):
            continue
        text = " ".join(map(str, value)) if isinstance(value, bytes | tuple) else str(value)
        yield f"{name} {text}" if len(text) <= _LONGEST else f"{name} … {text[-_LONGEST:]}"
