"""The key of a position: equal for positions that are turned or mirrored into each other, by whatever moves they are
reached.

Zobrist hashing, for all symmetries of the board at once: one integer holds 64 bits for each of them, and the least is
the key. Keys are stored in files, so the numbers are derived from BLAKE2b and must not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from struct import Struct
from typing import NamedTuple

from games.coords import images_of
from games.game import single_cell
from games.position import PASS, Position, cells_of
from games.registry import GAMES, Setup

END = -2
"""Stands for a move where a game ends."""

_BYTES = 8


class KeyedMove(NamedTuple):
    """A position of a game: its `key`, the canonical form of the `move` that was played there or `END`, and how many
    cells are `filled`."""

    key: int
    move: int
    filled: int


class Place(NamedTuple):
    """A position: its `key`, the indices of the `symmetries` that bring it into its canonical form, and how many cells
    are `filled`."""

    key: int
    symmetries: tuple[int, ...]
    filled: int


def number_of(text: str) -> int:
    """Return a signed 64-bit hash of `text`, which is the same for ever."""
    return int.from_bytes(blake2b(text.encode(), digest_size=_BYTES).digest(), "little", signed=True)


class Keys:
    """The keys of the positions of a game of `setup`. Create one with `keys_of`."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._game = GAMES[setup.game]
        width, height = setup.board
        count = self._game.symmetries
        self._images = images_of(width, height, count)
        self._layout, self._bytes = Struct(f"<{count}q"), count * _BYTES
        self._inverse = [_inverse(image, self._images) for image in self._images]
        self._numbers = _numbers(width, height, count)
        self._of = f"{setup.game} {setup.rule}"
        self._salts = [number_of(f"{self._of} {width}x{height} {side}") for side in (0, 1)]

    def place(self, position: Position) -> Place:
        """Return key and symmetries of a position."""
        return next(self.places((position,)))

    def places(self, positions: Iterable[Position]) -> Iterator[Place]:
        """Yield key and symmetries of each position, fast if each differs little from the one before."""
        if self._game.board is None:
            yield from (Place(number_of(f"{self._of} {position.key}"), (0,), 0) for position in positions)
            return
        hashes, before, number, filled = 0, bytes(len(self._images[0])), 0, 0
        numbers, unpack, size = self._numbers, self._layout.unpack, self._bytes
        for position in positions:
            cells = cells_of(position)
            other = int.from_bytes(cells, "little")
            changed, number = number ^ other, other
            while changed:
                cell = ((changed & -changed).bit_length() - 1) >> 3
                changed &= ~(0xFF << 8 * cell)
                old, new = before[cell], cells[cell]
                if old:
                    hashes ^= numbers[old - 1][cell]
                    filled -= 1
                if new:
                    hashes ^= numbers[new - 1][cell]
                    filled += 1
            before = cells
            found = unpack(hashes.to_bytes(size, "little"))
            least = min(found)
            best = (found.index(least),) if found.count(least) == 1 else _indices_of(found, least)
            yield Place(least ^ self._salts[position.turn], best, filled)

    def steps(self, positions: Sequence[Position], moves: Sequence[int]) -> Iterator[KeyedMove]:
        """Yield each of the `positions` of a game with the move that was played there, in canonical form; the last one
        with `END`."""
        for place, move in zip(self.places(positions), (*moves, END), strict=True):
            yield KeyedMove(place.key, self.canonical(place, move), place.filled)

    def canonical(self, place: Place, move: int) -> int:
        """Return `move` as it is in the canonical form of its position. Moves that a symmetry of the position takes
        into each other have the same one. Negative moves, such as passes, stay."""
        if move < 0:
            return move
        return min(self._transform(each, move) for each in place.symmetries)

    def moves(self, place: Place, canonical: int) -> list[int]:
        """Return the moves in a position whose canonical form is `canonical`, ascending: several if the position is
        symmetric. Raise `ValueError` for a move that the board does not have."""
        if canonical in (PASS, END) or self._game.board is None:
            return [canonical]
        cells = range(len(self._images[0]))
        if canonical < 0 or any(cell not in cells for cell in self._game.fills(canonical)):
            raise ValueError(f"the board has no move {canonical}")
        return sorted({self._transform(self._inverse[index], canonical) for index in place.symmetries})

    def _transform(self, symmetry: int, move: int) -> int:
        """Return `move` on the board that is turned or mirrored by a symmetry."""
        if symmetry == 0:
            return move
        image = self._images[symmetry]
        return image[move] if self._game.fills is single_cell else _transform_by_cells(self.setup.game, image, move)


@lru_cache(maxsize=1 << 14)
def _transform_by_cells(game: str, image: tuple[int, ...], move: int) -> int:
    """Return the move that fills the cells to which `image` takes those of `move`, for games in which a move is not a
    cell."""
    fills = GAMES[game].fills
    cell = image[fills(move)[0]]
    return next(other for other in range(len(image)) if cell in fills(other))


@lru_cache(maxsize=64)
def keys_of(setup: Setup) -> Keys:
    """Return the shared `Keys` of a setup, so that its tables are built once."""
    return Keys(setup)


@cache
def _numbers(width: int, height: int, count: int) -> tuple[list[int], list[int]]:
    """Return the Zobrist numbers of a stone on each cell, for the first and the second side. Each packs the 64-bit
    numbers for all symmetries."""

    def packed(side: int, cell: int) -> int:
        """Return the number of a stone of `side` on `cell`."""
        numbers = (number_of(f"{width}x{height} {side + 1} {image[cell]}") for image in images)
        return int.from_bytes(b"".join(number.to_bytes(_BYTES, "little", signed=True) for number in numbers), "little")

    images = images_of(width, height, count)
    first, second = ([packed(side, cell) for cell in range(width * height)] for side in (0, 1))
    return first, second


def _inverse(image: tuple[int, ...], images: Sequence[tuple[int, ...]]) -> int:
    """Return the index among `images` of the symmetry that undoes `image`."""
    cells = range(len(image))
    return next(index for index, other in enumerate(images) if all(other[image[cell]] == cell for cell in cells))


def _indices_of(found: Sequence[int], wanted: int) -> tuple[int, ...]:
    """Return the indices at which `found` has the value `wanted`."""
    return tuple(index for index, each in enumerate(found) if each == wanted)
