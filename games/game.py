"""The descriptor of a game, with working defaults. `games.registry` lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.drawing import STONES_IN_CELLS, Sheet, Style
from games.position import Position, Stones


def square(size: int) -> tuple[int, int]:
    """Return width and height of a square board of `size`; the default of `Game.board`."""
    return size, size


def single_cell(move: int) -> Sequence[int]:
    """Return the one cell that a move fills, whose number the move is; the default of `Game.fills`."""
    return (move,)


@dataclass(frozen=True, kw_only=True)
class Game:
    """The rules' side of a game; the registries of ai/ and ui/ have its players and its looks.

    `start` creates the first position of a size and a rule. `sizes` are offered to a person, `size` first; `board`
    turns one into (width, height) in cells, or is None without cells. The first of the `rules` is the default. `sides`
    name the two sides in data, first player first. `move_pattern` is a regular expression for a move as
    `Position.move_text` writes it; ``pass`` is always accepted. `digits` are the moves that people also write as
    1, 2, 3 and so on, without spaces, where the game is known. `openings` are the opening rules with which a game can
    begin (`games.opening_rules`), by its rule. `passes` tells whether `PASS` may be a legal move. `arrange(start,
    stones)` creates a position that was set up, or is None where nothing can be. `fills(move)` are the cells that a
    move can fill, in the order in which they fill. `commutes` tells that the moves of a side lead to the same position
    in any order, as where pieces are only added. `size_at(position)` is the size of a game that begins with the
    position, None if moves do not change it; `arrange` needs it without cells, where a move in the editor takes so much
    from the size. `sgf_number` is the game's GM in SGF, which has games whose moves are passes and cells of a square
    board; None for one that is not written in SGF. `symmetries` is the number of ways to turn or mirror the board that
    keep the rules: 1, 2 (left and right) or, on a square board, 8.

    Positions with `cells` are drawn in SVG by their `style`; `draw(position, size, line)` draws those of another game,
    with the moves of `line` as advice. Without it such a game has no SVG pictures.
    """

    key: str
    start: Callable[[int, str], Position]
    sizes: Sequence[int]
    size: int
    rules: tuple[str, ...] = ("standard",)
    sides: tuple[str, str] = ("first", "second")
    board: Callable[[int], tuple[int, int]] | None = square
    move_pattern: str = r"[a-z][0-9]+"
    digits: Sequence[str] = ()
    openings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    passes: bool = False
    arrange: Callable[[Any, Stones], Position] | None = None
    fills: Callable[[int], Sequence[int]] = single_cell
    commutes: bool = False
    size_at: Callable[[Any], int] | None = None
    sgf_number: int | None = None
    symmetries: int = 1
    style: Style = STONES_IN_CELLS
    draw: Callable[[Any, int, Sequence[int]], Sheet] | None = None
