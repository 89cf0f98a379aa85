"""The tactics of each game, which a player may see or overlook: a `Tactics` entry for each, with working defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from ai.players.opponent import chances as gomoku_chances
from ai.players.opponent.chances import BLOCK, FORK, FORK_BLOCK, OPENS, WIN, Chance, at_once, with_forks
from games.bones import MOST_TAKEN, BonesPosition
from games.connect4 import WIDTH
from games.position import Outcome, Position

_MULTIPLE = "multiple"
_ROW, _COLUMN, _DIAGONAL = "block_row", "block_column", "block_diagonal"


@dataclass(frozen=True, kw_only=True)
class Tactics:
    """What can be seen or overlooked: the `chances` of a position, most urgent first, and their `kinds`. `depths` are
    the plies that a player may look ahead when it compares moves."""

    chances: Callable[[Position], Iterable[Chance]] = at_once
    kinds: tuple[str, ...] = (WIN, BLOCK, OPENS)
    depths: tuple[int, ...] = (1, 2)


def _bones(position: Position) -> Iterator[Chance]:
    """The chance to leave a multiple of four."""
    assert isinstance(position, BonesPosition)
    if surplus := position.left % (MOST_TAKEN + 1):
        yield Chance(_MULTIPLE, frozenset((surplus,)))


def _line_of(end: Outcome) -> str:
    """The direction of the row that ends a game."""
    step = end.cells[1] - end.cells[0] if len(end.cells) > 1 else 0
    return {1: _ROW, WIDTH: _COLUMN}.get(step, _DIAGONAL)


TACTICS: dict[str, Tactics] = {
    "gomoku": Tactics(
        chances=gomoku_chances.chances,
        kinds=(
            WIN, gomoku_chances.FOUR, gomoku_chances.BROKEN_FOUR, gomoku_chances.ATTACK,
            gomoku_chances.THREE, gomoku_chances.BROKEN_THREE, gomoku_chances.DOUBLE,
        ),
        depths=(1,),
    ),
    "tictactoe": Tactics(chances=with_forks, kinds=(WIN, BLOCK, FORK, FORK_BLOCK)),
    "bones": Tactics(chances=_bones, kinds=(_MULTIPLE,), depths=(1,)),
    "connect4": Tactics(
        chances=lambda position: at_once(position, _line_of),
        kinds=(WIN, _ROW, _COLUMN, _DIAGONAL, OPENS),
        depths=(1, 2, 3, 4),
    ),
}  # fmt: skip


def tactics(game: str) -> Tactics:
    """Return the entry of `game`, or the default."""
    return TACTICS.get(game, Tactics())


@lru_cache(maxsize=4096)
def chances(position: Position) -> tuple[Chance, ...]:
    """Return what the side to move can see in `position`, most urgent first."""
    return tuple(tactics(position.game).chances(position))
