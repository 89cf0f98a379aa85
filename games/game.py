"""What a game is: one descriptor for each, with defaults that work. `games.registry` lists them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.position import Position


def square(size: int) -> tuple[int, int]:
    """The usual board: as wide as high."""
    return size, size


@dataclass(frozen=True, kw_only=True)
class Game:
    """The rules' side of a game; how it is played by machines and drawn is told by the registries of ai/ and ui/.

    `start` makes the first position of a size and a rule. `sizes` are what a person can choose from, and the `size`
    that is offered first; `board` turns one into (width, height) in cells and is None where there are no cells.
    The first of the `rules` is the default. `sides` name the two sides in data, the one that begins first.
    `move_pattern` is a regular expression for one move as `Position.move_text` writes it; ``pass`` is read anywhere.
    `passes` tells whether `PASS` may ever be a legal move.
    """

    key: str
    start: Callable[[int, str], Position]
    sizes: Sequence[int]
    size: int
    rules: tuple[str, ...] = ("standard",)
    sides: tuple[str, str] = ("first", "second")
    board: Callable[[int], tuple[int, int]] | None = square
    move_pattern: str = r"[a-z][0-9]+"
    passes: bool = False
