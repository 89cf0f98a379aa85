"""The view of a position, why a move, and what threatens: as data, for a window or a page to put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from ai.player import Info, Limit, answer
from ai.search.alphabeta import AlphaBeta
from games.evaluation import Evaluation
from games.position import FIRST, SECOND, Position, played
from games.registry import GAMES

SHAPES = ("five", "open_four", "double_four", "four", "open_three", "open_two", "three")
"""What a stone makes in one line, strongest first; `double_four` are two fours in it."""

WEAK = ("open_two", "three")
"""Those of `SHAPES` that need no answer."""

THREATS = (
    "five", "open_four", "double_four", "four_three", "four", "double_three", "open_three", "three", "forbidden",
)  # fmt: skip
"""What a stone makes in all lines together, strongest first; `forbidden` is where black may not play in renju."""

WINNING = ("five", "open_four", "double_four", "four_three", "double_three")
"""Those of `THREATS` that win unless they are answered at once."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What a move `makes` for its side, and which shapes of the other side it `blocks`; each from `SHAPES`, strongest
    first, one for each line. A shape is blocked if the other side can no longer make as much in that line."""

    makes: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()

    @property
    def notable(self) -> Reason:
        """Without what is weak, where there is something else."""
        return Reason(_notable(self.makes), _notable(self.blocks))

    def beats(self, other: Reason) -> bool:
        """Whether it has something stronger than all that `other` has, or the same and more."""
        return _strength(self) > _strength(other)


def _notable(shapes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(shape for shape in shapes if shape not in WEAK) or shapes


def _strength(reason: Reason) -> list[int]:
    return sorted((-SHAPES.index(shape) for shape in (*reason.makes, *reason.blocks)), reverse=True)


@dataclass(frozen=True, slots=True)
class View:
    """What there is to say of a position, by `kind`:

    - ``wins``: `side` wins in `moves` moves of its own;
    - ``double_threat``: `side` threatens to win in two ways, but nothing is proven;
    - ``draw``: a draw with best play;
    - ``take``: the side to move wins by taking `move`, which leaves a multiple of `unit`;
    - ``multiple``: the heap is a multiple of `unit`, so that the side to move loses against best play.
    """

    kind: str
    side: int | None = None
    moves: int | None = None
    move: int | None = None
    unit: int | None = None


@lru_cache(maxsize=1024)  # a list of moves asks for all its rows in each frame
def own_moves(position: Position, line: tuple[int, ...], side: int, plies: int) -> int:
    """Return in how many moves of its own `side` wins after `plies` moves: counted in `line` if that is so long and
    legal, and otherwise as if the sides alternated. It is 1 where the last move is the other side's."""
    sides = [before.turn for before, _ in played(position, line[:plies])]
    return max(1, sides.count(side)) if len(sides) == plies else (plies + 1) // 2


def proof(position: Position, evaluation: Evaluation | None) -> View | None:
    """Return the forced win, or the draw, that `evaluation` has proven."""
    if evaluation is None or not evaluation.proven:
        return None
    if evaluation.mate is None:
        return View("draw")
    side = FIRST if evaluation.mate > 0 else SECOND
    return View("wins", side, own_moves(position, evaluation.line, side, abs(evaluation.mate)))


def solved(position: Position, _evaluation: Evaluation | None) -> View:
    """Return the result with best play, by a search to the end: for games as small as tic-tac-toe."""
    info = _searched(position)
    if info.mate is None:
        return View("draw")
    winner = position.turn if info.mate > 0 else 1 - position.turn
    return View("wins", winner, own_moves(position, info.pv, winner, abs(info.mate)), info.move)


@lru_cache(maxsize=1024)
def _searched(position: Position) -> Info:
    """Searched to the end: 0.03 s for an empty board of tic-tac-toe."""
    return answer(AlphaBeta(), position, Limit())


def line_texts(position: Position, moves: tuple[int, ...]) -> list[str]:
    """Return `moves`, played in sequence from `position`, as texts."""
    return [before.move_text(move) for before, move in played(position, moves)]


def line_sides(position: Position, moves: tuple[int, ...]) -> list[str]:
    """Return who makes each of `moves`."""
    sides = GAMES[position.game].sides
    return [sides[before.turn] for before, _ in played(position, moves)]


def line_text(texts: Sequence[str], sides: Sequence[str]) -> str:
    """Return a line of moves for people. Where the sides do not alternate, each turn begins with its side: ``first: 3 6
    second: 2``."""
    if all(one != other for one, other in pairwise(sides)):
        return " ".join(texts)
    turns = groupby(zip(sides, texts, strict=True), key=lambda step: step[0])
    return " ".join(f"{side}: {' '.join(text for _, text in steps)}" for side, steps in turns)
