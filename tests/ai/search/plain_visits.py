"""Monte Carlo tree search written once more, in a few lines: by UCT, or by PUCT with priors. Results run from 0 to 1.

What judges a new position is the oracle of the program; everything else is of its own.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import inf, log, sqrt

from ai.search.oracles import Oracle
from games.position import Position

LEFT_OUT = 0.001
"""The prior of a legal move that the oracle leaves out: they are tried when all others are proven."""


@dataclass
class Seen:
    """A position of the tree, from the view of the side to move. `plies` tells when a `proven` result comes."""

    position: Position
    own: float = 0.5
    proven: float | None = None
    plies: int = 0
    value: float = 0.5
    visits: int = 1
    moves: list[tuple[int, float]] = field(default_factory=list)
    after: list[Seen] = field(default_factory=list)
    times: list[int] = field(default_factory=list)

    def mean(self, place: int) -> float:
        return 1 - self.after[place].value if place < len(self.after) else self.value

    def bonus(self, place: int, c: float, by_prior: bool) -> float:
        times = self.times[place] if place < len(self.times) else 0
        if by_prior:
            return c * self.moves[place][1] * sqrt(self.visits) / (1 + times)
        return c * sqrt(log(self.visits) / times) if times else inf

    def back_up(self) -> None:
        known = [(1 - each.proven, -each.plies) for each in self.after if each.proven is not None]
        best, sooner = max(known, default=(0.0, 0))
        if best < 1 and len(known) == len(self.moves):
            self.moves += [(move, LEFT_OUT) for move in self.position.legal_moves() if move not in dict(self.moves)]
        if best == 1 or len(known) == len(self.moves):
            late = [plies for result, plies in known if result == best]
            self.value = self.proven = best
            self.plies = 1 - (sooner if best == 1 else min(late))
            return
        counted = [(times, 1 - each.value) for times, each in zip(self.times, self.after, strict=True)
                   if each.proven is None or each.proven < 1]  # fmt: skip
        total = self.own + sum(times * mean for times, mean in counted)
        self.value = total / (1 + sum(times for times, _ in counted))
        if known and best == 0.5:
            self.value = max(self.value, 0.5)


class Visits:
    """A search of `position`; each call of `visit` is one visit. Equal positions are one."""

    def __init__(self, position: Position, oracle: Oracle, c: float, by_prior: bool) -> None:
        self._oracle, self.c, self.by_prior = oracle, c, by_prior
        self._known: dict[Hashable, Seen] = {}
        self.root = self._seen(position)

    def _seen(self, position: Position) -> Seen:
        if position.key in self._known:
            return self._known[position.key]
        found = self._known[position.key] = Seen(position)
        if position.outcome is not None:
            winner = position.outcome.winner
            found.value = found.proven = 0.5 if winner is None else float(winner == position.turn)
            return found
        judged = self._oracle.evaluate(position)
        found.moves = sorted(judged.priors.items(), key=lambda item: -item[1])
        found.own = found.value = (1 + judged.value) / 2
        if judged.win:
            found.value = found.proven = 1.0
            found.plies = judged.plies
        return found

    def choice(self, at: Seen) -> int | None:
        """The place of the move with the largest sum of mean and bonus, the first of equal ones; no proven move. None
        where all were proven on other ways."""
        open_ = [place for place, each in enumerate(at.after) if each.proven is None]
        open_ += [len(at.after)] if len(at.after) < len(at.moves) else []
        return max(open_, key=lambda place: at.mean(place) + at.bonus(place, self.c, self.by_prior), default=None)

    def visit(self) -> None:
        path, new = [self.root], False
        while path[-1].proven is None and not new:
            at = path[-1]
            place = self.choice(at)
            if place is None:
                break
            if place == len(at.after):
                position = at.position.play(at.moves[place][0])
                new = position.key not in self._known
                at.after.append(self._seen(position))
                at.times.append(0)
            at.visits += 1
            at.times[place] += 1
            path.append(at.after[place])
        for at in reversed(path):
            if at.after and at.proven is None:
                at.back_up()
