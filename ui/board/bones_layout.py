"""The layout of a heap of bones and of the three cards that stand for moves.

Bones are taken from the end, the last in reading order first.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from games.bones import MOST_TAKEN

_UPRIGHT, _BESIDE = 1.20, 0.49  # a bone's place, in lengths of a bone
_LONGEST = 0.62  # the longest bone, as a share of the height for the heap


@dataclass(frozen=True, slots=True)
class BonesLayout:
    """The layout for a heap that began with `size` bones.

    `slots` has each bone's place, `cards` those of the moves 1, 2, 3; `count` is the centre of
    the number of bones left and `type_height` its font height; `length` is that of a bone.
    """

    square: pygame.Rect
    inset: int
    length: float
    slots: tuple[pygame.Rect, ...]
    cards: tuple[pygame.Rect, ...]
    count: tuple[int, int]
    type_height: int

    @classmethod
    def within(cls, rect: pygame.Rect, size: int) -> BonesLayout:
        """The layout in the largest square in the middle of `rect`."""
        side = min(rect.size)
        square = pygame.Rect(0, 0, side, side)
        square.center = rect.center
        room = pygame.Rect(0, 0, round(side * 0.90), round(side * 0.58))
        room.midtop = (square.centerx, square.top + round(side * 0.17))
        columns, length = _columns(room, size)
        count = (square.centerx, square.top + round(side * 0.095))
        slots = tuple(_slots(room, size, columns, length))
        inset = max(2, round(side * 0.011))
        return cls(square, inset, length, slots, tuple(_cards(square)), count, max(8, round(side * 0.115)))

    def move_at(self, pixel: tuple[int, int], left: int) -> int | None:
        """The move of the card or bone at `pixel` while `left` bones remain."""
        for move, card in enumerate(self.cards, 1):
            if card.collidepoint(pixel):
                return move
        for move in range(1, min(MOST_TAKEN, left) + 1):
            if self.slots[left - move].collidepoint(pixel):
                return move
        return None


def _columns(room: pygame.Rect, size: int) -> tuple[int, float]:
    """How many bones in a row, and their length: long bones first, then rows that come out even,
    then rows of five or ten."""

    def length(columns: int) -> float:
        rows = -(-size // columns)
        return min(room.height / rows / _UPRIGHT, room.width / columns / _BESIDE, room.height * _LONGEST)

    size = max(1, size)
    step = room.height / 25
    best = max(
        range(1, size + 1),
        key=lambda columns: (round(length(columns) / step), -(-size % columns), columns % 5 == 0, -columns),
    )
    return best, length(best)


def _slots(room: pygame.Rect, size: int, columns: int, length: float) -> list[pygame.Rect]:
    rows = max(1, -(-size // columns))
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


def _cards(square: pygame.Rect) -> list[pygame.Rect]:
    width, height, gap = (round(square.width * share) for share in (0.27, 0.15, 0.03))
    left = square.centerx - (3 * width + 2 * gap) // 2
    top = square.bottom - height - round(square.width * 0.055)
    return [pygame.Rect(left + index * (width + gap), top, width, height) for index in range(MOST_TAKEN)]
