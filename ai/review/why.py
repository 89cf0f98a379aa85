"""Why a move was a mistake: what it overlooked, as data that a window or a page puts into words.

What is said is true of the position, whatever a search believes: `simple_reason` plays the moves out, and a forced win
that is mentioned was proven by a search. The better move is the first choice of the search before the move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ai.review.judgement import AT_ONCE, plies_to_loss, proves
from ai.review.report import own_moves
from ai.search.proving import forks_of, wins_of
from games.evaluation import Evaluation
from games.position import Position, played


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that lost something: `played` in `position`, where `best` was better.

    `before` and `after` are the evaluations of the positions around it, None if unknown. `grave`: its kind is one of
    `MISTAKES`, worse than an inaccuracy. `won` and `win` are the win probabilities of its side before and after it. If
    the position was proven lost, `since` is the ply of the move that lost the game, 0 if unknown; otherwise None.
    """

    position: Position
    played: int
    best: int
    before: Evaluation | None = None
    after: Evaluation | None = None
    grave: bool = False
    won: float = 0.5
    win: float = 0.5
    since: int | None = None

    @property
    def side(self) -> int:
        """The side that made the mistake."""
        return self.position.turn

    @property
    def reached(self) -> Position:
        """The position after the mistake."""
        return self.position.play(self.played)


_REFUTING = (
    "opens", "forks", "allows", "loses", "hastens", "threatens", "leads", "attacks", "answered", "far", "centre",
    "wastes", "yields",
)  # fmt: skip
_HOPEFUL = 0.7
"""Win probability from which a side that misses a win may still have one."""

HOPELESS = 0.3
"""Win probability up to which a position seems lost."""


@dataclass(frozen=True, slots=True)
class Why:
    """What a mistake overlooked, by `kind`:

    - ``win_at_once``: the side that moved could win with `move`; it `seems` to still win;
    - ``ignores``: the other side already threatened, with a `shape` on the board (empty: to win at once), and `move`
      was needed, or stops an open three; it `seems` to have been lost before;
    - ``opens``: the move makes it possible that the other side wins at once with `move`;
    - ``forks``: the other side now gets two ways to win at once with `move`;
    - ``allows``: the other side now makes a `shape` with `move`, and wins;
    - ``misses``: the side that moved could force a win in `count` of its moves with `line`, by fours only if `fours`;
      or only `seems` to, where the other side is not proven to win now;
    - ``may_miss``: the same, and the side that moved may still win;
    - ``loses``: the other side can now force a win in the same way, and `seems` to have been able to before;
    - ``only_move``: every move but `move` is proven to lose;
    - ``lost``: the game was lost since move `count`, or already if that is 0;
    - ``hastens``: the game was lost before, and now the other side needs only one or two moves;
    - ``threatens``: the other side now gets `move`, which threatens to make a `shape` at `where`;
    - ``leads``: the other side now gets to make a `shape` at `where`, which `line` leads to;
    - ``attacks``: the other side now gets the attack with `move` and then a `shape` at `where`, as best play goes;
    - ``answered``: `move` is a good reply of the other side;
    - ``far``, ``centre``: in the opening the move is `count` lines from the nearest stone, or leaves the centre to the
      reply `move`;
    - ``wastes``: the move makes a `shape` that the other side blocks with `move`;
    - ``yields``: the other side now gets the good point `move`;
    - ``overlooks``: `move` makes and blocks more;
    - ``strays``: the move is `count` lines from the nearest stone, and `move` is nearer;
    - ``leaves``: it leaves `count` bones, and a multiple of `move` would have won.

    Where a forced `line` leads to a `shape` at `where`, in which two threats meet, that decides. `stopped` is the
    better move if it stands in the way of that, and `holds` it if that is not proven to lose. What is not proven only
    `seems` so.
    """

    kind: str
    move: int
    shape: str = ""
    line: tuple[int, ...] = ()
    fours: bool = False
    count: int = 0
    where: int | None = None
    stopped: int | None = None
    holds: int | None = None
    seems: bool = False
    since: int = 0

    @property
    def refutes(self) -> bool:
        """Whether it tells what the other side can do now, rather than what would have been better."""
        return self.kind in _REFUTING


def simple_reason(mistake: Mistake) -> Why | None:
    """Return a reason by wins at once and double threats, found by playing moves; None if none is true.

    It is for games of few moves: ``win_at_once``, ``ignores``, ``opens`` and ``forks``.
    """
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
    """Return whether the other side threatened to win with `move` already, whatever was played instead of `instead`.

    If these two are the only moves, it did: a win that `instead` opened would be made by the same move.
    """
    others = [other for other in position.legal_moves() if other not in (move, instead)]
    return not others or any(move in wins_of(position.play(other)) for other in others)


def already_lost(mistake: Mistake) -> Why | None:
    """Return since when the game is lost, if it was proven lost before the move: ``lost`` or ``hastens``; else None."""
    if mistake.since is None:
        return None
    side, after = mistake.side, mistake.after
    held, left = plies_to_loss(mistake.position, mistake.before, side), plies_to_loss(mistake.reached, after, side)
    quick = held is not None and left is not None and left <= AT_ONCE < held - 1
    if quick and mistake.played != mistake.best and after is not None:
        found = _forced_end("hastens", mistake.reached, 1 - side, after)
        if found is not None:
            return replace(found, since=mistake.since)
    return Why("lost", mistake.played, count=mistake.since, since=mistake.since)


def proven_reason(mistake: Mistake) -> Why | None:
    """Return a reason that rests on a proof: ``misses``, ``may_miss``, ``loses`` or ``only_move``; else None."""
    side, before, after = mistake.side, mistake.before, mistake.after
    beaten = after is not None and proves(after, 1 - side)
    if before is not None and before.mate is not None:
        if not proves(before, side) or (after is not None and proves(after, side)):
            return None
        kind = "misses" if beaten or mistake.win < _HOPEFUL else "may_miss"
        found = _forced_end(kind, mistake.position, side, before)
        return None if found is None else replace(found, seems=not beaten)
    if beaten and after is not None:
        found = _forced_end("loses", mistake.reached, 1 - side, after)
        hopeless = mistake.won <= HOPELESS
        known = hopeless or mistake.best == mistake.played or (before is not None and before.proven)
        held = None if known else mistake.best
        return None if found is None else replace(found, seems=hopeless, holds=held)
    if before is not None and before.only and mistake.best != mistake.played:
        return Why("only_move", mistake.best)
    return None


def _forced_end(kind: str, position: Position, winner: int, known: Evaluation) -> Why | None:
    """Return a `Why` of `kind` with the forced win of `winner` in the evaluation `known`; None if it has none."""
    if not known.line or known.mate is None:
        return None
    own = (move for before, move in played(position, known.line) if before.turn == winner)
    count = own_moves(position, known.line, winner, abs(known.mate))
    return Why(kind, next(own, known.line[0]), line=known.line, count=count)


def first_reason(reasons: Iterable[Why | None]) -> Why | None:
    """Return the first reason that is not None; None if there is none."""
    return next((reason for reason in reasons if reason is not None), None)


def why(mistake: Mistake) -> Why | None:
    """Return what a mistake in a game of few moves overlooked; None if no explanation is true."""
    return first_reason(find(mistake) for find in (already_lost, simple_reason, proven_reason))
