"""Weak players for any game, in plain Python: a shallow search with noise and oversights.

The lower levels use them, and they stand in for the gomoku engine while it is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b

from ai.levels.sight import Glance
from ai.player import Budget, Info, Limit, Line, Stop, answer
from ai.score import Score, further
from ai.search.alphabeta import AlphaBeta
from games.position import Position, own_plans


def chance(seed: int, about: str, position: Position, move: int = -1) -> float:
    """Return a pseudo-random number from 0 to 1 that depends on the arguments only."""
    digest = blake2b(f"{seed} {about} {position.key!r} {move}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") / (1 << 48)


class Casual:
    """Play by a `Glance`: always the same answer for a position and a `seed`, unless time runs out."""

    def __init__(self, glance: Glance, seed: int) -> None:
        self.glance = glance
        self.nodes = 0
        self._seed = seed

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield the first move evaluated, and each better one."""
        budget = Budget(limit, stop)
        self.nodes = 0
        lines: list[Line] = []
        glance = self.glance if limit.depth is None else replace(self.glance, depth=min(limit.depth, self.glance.depth))
        moves = self._moves(position)
        for move in moves:
            lines.append(self._line(position, move, glance, len(moves), limit, stop))
            lines.sort(key=lambda line: -line.score)
            if lines[0].moves[0] == move:
                yield self._info(lines, glance, limit, budget)
            if budget.spent(self.nodes):
                break
        yield self._info(lines, glance, limit, budget)

    def _info(self, lines: list[Line], glance: Glance, limit: Limit, budget: Budget) -> Info:
        best = tuple(lines[: limit.lines])
        return Info(best[0].moves[0], best[0].score, glance.depth, self.nodes, budget.seconds, best)

    def _moves(self, position: Position) -> Sequence[int]:
        if chance(self._seed, "care", position) < self.glance.careless:
            return own_plans(position)[:1] or [self._any(position)]
        moves = position.candidates()
        return moves[: self.glance.breadth] if self.glance.breadth else moves

    def _any(self, position: Position) -> int:
        moves = position.legal_moves()
        return moves[int(chance(self._seed, "any", position) * len(moves))]

    def _line(self, position: Position, move: int, glance: Glance, count: int, limit: Limit, stop: Stop) -> Line:
        """Return the best line that starts with `move`, with noise added to its score."""
        after = position.play(move)
        self.nodes += 1
        own = 1 if after.turn == position.turn else -1  # sign of scores after the move
        line: tuple[int, ...] = (move,)
        if (outcome := after.outcome) is not None:
            score = int(Score.of_outcome(outcome, position.turn, 1))
        elif glance.depth <= 1:
            score = own * after.evaluate()
        else:
            share = Limit(limit.seconds, glance.depth - 1, max(1, glance.nodes // count))
            info = answer(player := AlphaBeta(), after, share, stop)
            self.nodes += player.nodes
            score, line = further(own * info.score, 1), (move, *info.pv)
        return Line(score + self._blur(position, move, score), line)

    def _blur(self, position: Position, move: int, score: int) -> int:
        if Score(score).mate is not None:
            return 0
        return round((2 * chance(self._seed, "blur", position, move) - 1) * self.glance.blur)
