"""A shallow search with noise and errors, for any game, in plain Python.

The lower levels use it, and it stands in for the gomoku engine while that is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

from ai.player import Budget, Info, Limit, Line, Player, Stop, answer
from ai.registry import Level
from ai.score import Score, delayed
from ai.search.alphabeta import AlphaBeta
from games.position import Position, own_plans


def chance(seed: int, about: str, position: Position, move: int = -1) -> float:
    """Return a pseudo-random number from 0 to 1 that depends on the arguments only."""
    digest = blake2b(f"{seed} {about} {position.key!r} {move}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") / (1 << 48)


class ShallowSearch(Player):
    """Play with the limits of a `level`: always the same answer for a position and a `seed`, unless time runs out.

    The strings passed to `chance` are part of the levels as measured: do not change them.
    """

    nodes: int = 0

    def __init__(self, level: Level, seed: int) -> None:
        self._level = level
        self._seed = seed

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield the first move evaluated, and each better one."""
        budget = Budget(limit, stop)
        self.nodes = 0
        lines: list[Line] = []
        depth = self._level.depth if limit.depth is None else min(limit.depth, self._level.depth)
        moves = self._moves(position)
        for move in moves:
            lines.append(self._line(position, move, depth, len(moves), limit, stop))
            lines.sort(key=lambda line: -line.score)
            if lines[0].moves[0] == move:
                yield self._info(lines, depth, limit, budget)
            if budget.spent(self.nodes):
                break
        yield self._info(lines, depth, limit, budget)

    def _info(self, lines: list[Line], depth: int, limit: Limit, budget: Budget) -> Info:
        best = tuple(lines[: limit.lines])
        return Info(best[0].moves[0], best[0].score, depth, self.nodes, budget.seconds, best)

    def _moves(self, position: Position) -> Sequence[int]:
        """Return the moves to compare; a single one in the share `error_rate` of all positions."""
        if chance(self._seed, "care", position) < self._level.error_rate:
            return own_plans(position)[:1] or [self._any(position)]
        moves = position.candidates()
        return moves[: self._level.breadth] if self._level.breadth else moves

    def _any(self, position: Position) -> int:
        moves = position.legal_moves()
        return moves[int(chance(self._seed, "any", position) * len(moves))]

    def _line(self, position: Position, move: int, depth: int, count: int, limit: Limit, stop: Stop) -> Line:
        """Return the best line that starts with `move`, one of `count`, with noise added to its score."""
        after = position.play(move)
        self.nodes += 1
        sign = 1 if after.turn == position.turn else -1  # of scores after the move
        line: tuple[int, ...] = (move,)
        if (outcome := after.outcome) is not None:
            score = int(Score.of_outcome(outcome, position.turn, 1))
        elif depth <= 1:
            score = sign * after.evaluate()
        else:
            share = Limit(limit.seconds, depth - 1, max(1, self._level.nodes // count))
            info = answer(player := AlphaBeta(), after, share, stop)
            self.nodes += player.nodes
            score, line = delayed(sign * info.score, 1), (move, *info.pv)
        return Line(score + self._noise(position, move, score), line)

    def _noise(self, position: Position, move: int, score: int) -> int:
        if Score(score).mate is not None:
            return 0
        return round((2 * chance(self._seed, "blur", position, move) - 1) * self._level.noise)
