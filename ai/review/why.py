"""Why a move was a mistake: what it overlooked, as data that a window or a page puts into words.

What is said is true of the position, whatever a search believes: `simple` plays the moves out. A forced win that is
mentioned is one that a search has proven.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ai.review.judgement import proves
from ai.review.view import own_moves
from ai.threats import forks_of, wins_of
from games.evaluation import Evaluation
from games.position import Position, played


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that lost something: `played` in `position` where `best` was better, and what was known `before` and
    `after` it, None if nothing was. `only` tells that every move but the best loses much."""

    position: Position
    played: int
    best: int
    before: Evaluation | None = None
    after: Evaluation | None = None

    @property
    def side(self) -> int:
        return self.position.turn

    @property
    def reached(self) -> Position:
        return self.position.play(self.played)


@dataclass(frozen=True, slots=True)
class Why:
    """What a mistake overlooked, by `kind`:

    - ``win_at_once``: the side that moved could win with `move`;
    - ``ignores``: the other side already threatened, with a `shape` on the board (empty: to win at once), and `move`
      was needed;
    - ``opens``: the move makes it possible that the other side wins at once with `move`;
    - ``forks``: the other side now gets two ways to win at once with `move`;
    - ``allows``: the other side now makes a `shape` with `move`, and wins;
    - ``misses``: the side that moved could force a win in `count` of its moves with `line`, by fours only if `fours`;
    - ``loses``: the other side can now do so;
    - ``only_move``: nothing but `move` held the game;
    - ``hastens``: the game was lost, but now the other side needs only so many moves;
    - ``wastes``: the move makes a `shape` that the other side blocks with `move`;
    - ``yields``: the other side now gets the good point `move`;
    - ``overlooks``: `move` makes and blocks more;
    - ``strays``: the move is `count` lines from the nearest stone, and `move` is nearer;
    - ``leaves``: it leaves `count` bones, and a multiple of `move` would have won.
    """

    kind: str
    move: int
    shape: str = ""
    line: tuple[int, ...] = ()
    fours: bool = False
    count: int = 0

    @property
    def refutes(self) -> bool:
        """Whether it tells what the other side can do now, and not what would have been better."""
        return self.kind in ("opens", "forks", "allows", "loses", "hastens", "wastes", "yields")


def simple(mistake: Mistake) -> Why | None:
    """What can be said of a game of few moves by playing them."""
    before, after = mistake.position, mistake.reached
    if wins := wins_of(before):
        return None if mistake.played in wins else Why("win_at_once", next(iter(wins)))
    if after.outcome is not None or after.turn == before.turn:
        return None
    if lost := wins_of(after):
        needed = [move for move in before.legal_moves() if not wins_of(before.play(move))]
        if not needed:
            return None  # it was lost
        old = [move for move in lost if _threatened(before, move, mistake.played)]
        if old:
            return Why("ignores", old[0]) if needed == [old[0]] else None
        return Why("opens", next(iter(lost)))
    if any(not forks_of(before.play(move)) for move in before.legal_moves()):
        forks = forks_of(after)
        if forks:
            return Why("forks", forks[0])
    return None


def _threatened(position: Position, move: int, instead: int) -> bool:
    """Whether the other side could win with `move` before `instead` was played: it can after other moves as well."""
    others = (other for other in position.legal_moves() if other not in (move, instead))
    return any(move in wins_of(position.play(other)) for other in others)


def proven(mistake: Mistake) -> Why | None:
    """What follows from proofs alone."""
    side, before, after = mistake.side, mistake.before, mistake.after
    lost = after is not None and after.mate is not None and proves(after, 1 - side)
    if before is not None and before.mate is not None:
        if proves(before, side):
            won = after is not None and proves(after, side)
            return None if won else _forced("misses", mistake.position, side, before)
        if lost and after is not None and after.mate is not None:
            sooner = abs(after.mate) < abs(before.mate) - 2
            return _forced("hastens", mistake.reached, 1 - side, after) if sooner else None
        return None
    if lost and after is not None:
        return _forced("loses", mistake.reached, 1 - side, after)
    if before is not None and before.only and mistake.best != mistake.played:
        return Why("only_move", mistake.best)
    return None


def _forced(kind: str, position: Position, winner: int, known: Evaluation) -> Why | None:
    if not known.line or known.mate is None:
        return None
    own = (move for before, move in played(position, known.line) if before.turn == winner)
    count = own_moves(position, known.line, winner, abs(known.mate))
    return Why(kind, next(own, known.line[0]), line=known.line, count=count)


def first_of(reasons: Iterable[Why | None]) -> Why | None:
    """Return the first that there is."""
    return next((reason for reason in reasons if reason is not None), None)


def why(mistake: Mistake) -> Why | None:
    """What a mistake overlooked in a game of few moves; None where nothing simple is true."""
    return first_of(find(mistake) for find in (simple, proven))
