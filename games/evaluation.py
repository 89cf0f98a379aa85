"""What an engine finds of a position: the best lines with their scores, or a proof."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """A line of moves that an engine found: `score` for the first side, `mate` in plies or None (positive if the first
    side wins), and the search `depth` in plies. `exact` tells that a score without a mate is proven: a draw. In a game
    that counts the score of a proven win has its margin (`ai.core.score.margin_of`). From a file `line` may be illegal
    or empty."""

    score: int
    mate: int | None
    depth: int
    line: tuple[int, ...] = ()
    exact: bool = field(default=False, kw_only=True)

    @property
    def proven(self) -> bool:
        """Whether the value is exact or a forced win or loss."""
        return self.exact or self.mate is not None

    def improves(self, previous: ScoredLine | None) -> bool:
        """Return whether to prefer this to `previous`; True if that is None. A proof beats a score, a shorter mate a
        longer one with the same margin, otherwise a search that is at least as deep."""
        if previous is None or previous.proven != self.proven:
            return previous is None or self.proven
        if previous.mate is not None and self.mate is not None and abs(self.score) == abs(previous.score):
            return abs(self.mate) <= abs(previous.mate)
        return self.depth >= previous.depth


@dataclass(frozen=True, slots=True)
class Evaluation(ScoredLine):
    """An engine's evaluation: its principal variation, and the lines of `others` of the best moves.

    `seconds` is the longest time that a finished search was asked for, or that another one has had; 0 if unknown.
    `wanted` is the most lines that a finished search was asked for. `sound` are the moves about as good as the best, to
    a search without hindsight. `only` tells that every move but the best loses much. `by` is the player that found it,
    empty where a file does not say.
    """

    seconds: float = 0.0
    sound: tuple[int, ...] = ()
    only: bool = False
    others: tuple[ScoredLine, ...] = ()
    wanted: int = 1
    by: str = ""

    @property
    def lines(self) -> tuple[ScoredLine, ...]:
        """All lines that have moves, `others` included, the principal variation first."""
        best = ScoredLine(self.score, self.mate, self.depth, self.line, exact=self.exact)
        return tuple(each for each in (best, *self.others) if each.line)

    @property
    def winner(self) -> int | None:
        """The side that is proven to win; None without a forced win."""
        return None if self.mate is None else int(self.mate < 0)

    def backed_up(self, move: int, depth: int = 0) -> Evaluation:
        """Return the evaluation of the position before `move`, if `move` is the best there: the mate is a ply longer,
        and the depth a ply more, or `depth`, that of a search of that position, if it is greater. `others` are left
        out."""
        mate = None if self.mate is None else self.mate + (1 if self.mate > 0 else -1)
        line = (move, *self.line)
        return Evaluation(self.score, mate, max(depth, self.depth + 1), line, self.seconds, by=self.by)

    def carried_over(self, move: int) -> Evaluation | None:
        """Return the evaluation of the position after `move`, from the rest of the principal variation; None if that
        does not begin with `move` or ends there."""
        if self.line[:1] != (move,) or len(self.line) < 2:
            return None
        mate = None if self.mate is None else self.mate - (1 if self.mate > 0 else -1)
        return Evaluation(self.score, mate, max(0, self.depth - 1), self.line[1:], by=self.by)

    def with_findings_of(self, previous: Evaluation | None) -> Evaluation:
        """Return this with `sound` and `only`, which only a review finds, taken from `previous` where they are missing
        here."""
        if previous is None:
            return self
        return replace(self, sound=self.sound or previous.sound, only=self.only or previous.only)

    def merged(self, previous: Evaluation | None) -> Evaluation:
        """Return the better one of this and `previous` (see `improves`), with the review's findings, the other lines,
        the longer time and the greater `wanted` of both."""
        if previous is None:
            return self
        better, worse = (self, previous) if self.improves(previous) else (previous, self)
        return replace(
            better.with_findings_of(worse),
            seconds=max(self.seconds, previous.seconds),
            others=_others(better, worse),
            wanted=max(self.wanted, previous.wanted),
        )


def _others(better: Evaluation, worse: Evaluation) -> tuple[ScoredLine, ...]:
    """Return the lines of both for the moves beside the best one, deepest first, one for each move: at most as many as
    the evaluation with more lines has."""
    best, most = better.line[:1], max(len(better.lines), len(worse.lines))
    lines: dict[int, ScoredLine] = {}
    for each in (*better.lines, *worse.lines):
        move, known = each.line[0], lines.get(each.line[0])
        if known is None or not known.improves(each):
            lines.pop(move, None)  # so that it takes its place behind the others of its search
            lines[move] = each
    others = sorted((each for each in lines.values() if each.line[:1] != best), key=lambda each: -each.depth)
    return tuple(others[: most - len(best)])
