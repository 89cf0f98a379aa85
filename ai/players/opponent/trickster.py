"""Expectimax against an opponent who errs: among moves that cost little, the one after which it is likely to err.

The strongest player of the game says which moves cost little, and the value of a position after the opponent's reply;
the model says how probable each reply is. Where a game is small, the search goes on for more than these two plies.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace

from ai.core.player import Budget, Info, Limit, Line, Player, Stop, answer
from ai.core.score import Score
from ai.players.opponent.chances import pool, result, win_chance, win_chance_by
from ai.players.opponent.model import Opponent
from games.position import Position

COST = 0.05
"""The win probability that a move may cost."""

_SLIP = 0.03
"""The probability that the side with a proven win errs with a move. So even the longest loss scores less than a draw.
"""

_LINES = 8  # moves compared
_ROOT_SHARE = 0.3  # of the time and the nodes: for the moves that cost little
_COVERED = 0.97  # of the probability: rarer replies are left out
_MOST_REPLIES = 10
_NO_LIMIT = 1.0  # seconds of a search without any limit
_DEEPEST = 9  # plies after the move, where a game is small
_TABLE_ENTRIES = 100_000


class _Spent(Exception):
    """The budget is used up."""


class Trickster(Player):
    """`base` is the strongest player of the game, which is closed with this one. `model` returns what is known of the
    opponent when a search begins; with None it is taken to play the best reply: the same search, to compare with.
    `deepening` goes on to further plies while there is time: only where `base` solves any position at once.
    """

    def __init__(self, base: Player, model: Callable[[], Opponent | None], deepening: bool = False) -> None:
        self._base, self._model, self._deepening = base, model, deepening
        self._search: _Search | None = None
        self._before = 0  # nodes of the searches before the one under way

    @property
    def nodes(self) -> int:
        """Nodes of the base player in all its searches."""
        return self._search.nodes if self._search else self._before + self._base.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield what the base player finds, and then each move that is expected to do better."""
        if limit.seconds is None and limit.nodes is None and limit.depth is None:
            limit = replace(limit, seconds=_NO_LIMIT)
        self._search, self._before, budget, info = None, 0, Budget(limit, stop), None
        for info in self._base.think(position, _share(limit, _ROOT_SHARE, max(_LINES, limit.lines)), stop):
            yield replace(info, lines=info.lines[: limit.lines])
        assert info is not None
        lines = cheap(position, info)
        if stop.is_set():
            return
        if len(lines) > 1:
            yield from self._compare(position, info, lines, budget)
        elif info.mate is None and not lines[0].exact:
            yield from self._go_on(position, budget)

    def _go_on(self, position: Position, budget: Budget) -> Iterator[Info]:
        """Search for the rest of the limit as the base player does: there is nothing to choose from."""
        self._before = self._base.nodes
        left = budget.share_left(self._before)
        if left < 1:  # by a limit of depth alone it would search the same again
            for info in self._base.think(position, _share(budget.limit, left, budget.limit.lines), budget.stop):
                yield replace(info, nodes=self.nodes, seconds=budget.seconds)

    def _compare(self, position: Position, info: Info, lines: Sequence[Line], budget: Budget) -> Iterator[Info]:
        """Yield a better move of `lines` after each depth, or once the time is up."""
        self._search = search = _Search(self._base, self._model(), budget, position.turn)
        for depth in range(1, _DEEPEST + 1 if self._deepening else 2, 2):
            expected: dict[int, float] = {}
            search.begin(len(lines))
            try:
                for line in lines:
                    expected[line.moves[0]] = search.expected_result(position.play(line.moves[0]), depth)
            except _Spent:
                pass
            if depth == 1 or len(expected) == len(lines):
                yield self._report(info, _ranked(info, lines, expected), budget)
            if len(expected) < len(lines) or search.whole:
                return

    def _report(self, info: Info, lines: Sequence[Line], budget: Budget) -> Info:
        """Return `info` with the first of `lines` as the answer, and the nodes and seconds of all searches."""
        best, seconds = lines[0], budget.seconds
        reported = replace(info, move=best.moves[0], score=best.score, nodes=self.nodes, seconds=seconds)
        return replace(reported, lines=tuple(lines[: budget.limit.lines]))

    def close(self) -> None:
        """Close the base player."""
        self._base.close()


def cheap(position: Position, info: Info) -> Sequence[Line]:
    """Return the lines whose moves cost little: at most `COST`, and no proven result. A proven win is played at once;
    where all is lost, every move costs nothing."""
    best = info.lines[0] if info.lines else Line(info.score, (info.move,))
    if (info.mate or 0) > 0 or len(info.lines) < 2:
        return (best,)
    if best.exact and info.mate is None:
        return [line for line in info.lines if line.exact and line.score >= best.score]
    least = win_chance(position, best.score) - COST
    kept = (line for line in info.lines if info.mate is not None or Score(line.score).mate is None)
    return [line for line in kept if win_chance(position, line.score) >= least]


def _ranked(info: Info, lines: Sequence[Line], expected: dict[int, float]) -> list[Line]:
    """Return all lines: those with an `expected` result by that, before the others."""
    compared = sorted((line for line in lines if line.moves[0] in expected), key=lambda line: -expected[line.moves[0]])
    return [*compared, *(line for line in info.lines if line.moves[0] not in expected)]


def _share(limit: Limit, share: float, lines: int = 1, plies: int = 0) -> Limit:
    """Return a part of `limit`, for a search that begins so many `plies` later."""
    seconds = None if limit.seconds is None else limit.seconds * share
    nodes = None if limit.nodes is None else max(1, int(limit.nodes * share))
    return Limit(seconds, None if limit.depth is None else max(1, limit.depth - plies), nodes, lines)


class _Search:
    """One search for the expected result of `side`; `nodes` are those of all searches of `base` so far."""

    def __init__(self, base: Player, model: Opponent | None, budget: Budget, side: int) -> None:
        self._base, self._model, self._budget, self._side = base, model, budget, side
        self.nodes = base.nodes
        self.whole: bool
        self._moves_left: int
        self._table: dict[Hashable, float] = {}
        self._leaves: dict[Hashable, float] = {}

    def begin(self, moves: int) -> None:
        """Begin a depth, at which so many `moves` are compared. `whole` tells afterwards whether every line was
        searched to the end of the game."""
        self.whole, self._moves_left = True, moves
        self._table.clear()

    def expected_result(self, position: Position, depth: int) -> float:
        """Return the expected result of `position`, the one after a root move, searched to `depth` more plies.

        Call it once for each move announced to `begin`: it gets an equal share of what is left of the budget. Raise
        `_Spent` if the budget runs out.
        """
        value = self._node(position, depth, self._budget.share_left(self.nodes) / self._moves_left)
        self._moves_left -= 1
        return value

    def _node(self, position: Position, depth: int, share: float) -> float:
        """Return the expected result in a position, searched with a `share` of the limit."""
        if (end := position.outcome) is not None:
            return result(end, self._side)
        if self._budget.spent(self.nodes):
            raise _Spent
        if depth <= 0:
            self.whole = False
            return self._leaf(position, share)
        if (known := self._table.get(position.key)) is None:
            if len(self._table) >= _TABLE_ENTRIES:
                self._table.clear()
            own = position.turn == self._side
            known = self._best(position, depth, share) if own else self._reply(position, depth, share)
            self._table[position.key] = known
        return known

    def _leaf(self, position: Position, share: float) -> float:
        """The expected result at a leaf, by a short search of the base player."""
        if position.key not in self._leaves:
            info = self._ask(position, _share(self._budget.limit, share, plies=2))
            self._leaves[position.key] = _with_hope(win_chance_by(position, info, self._side), info.mate)
        return self._leaves[position.key]

    def _ask(self, position: Position, limit: Limit) -> Info:
        """Search by the base player, and count its nodes."""
        info = answer(self._base, position, limit, self._budget.stop)
        self.nodes += self._base.nodes
        return info

    def _best(self, position: Position, depth: int, share: float) -> float:
        """Return the greatest expected result over the own moves that `cheap` keeps."""
        lines = cheap(position, self._ask(position, _share(self._budget.limit, share, _LINES, plies=2)))
        return max(self._node(position.play(line.moves[0]), depth - 1, share / len(lines)) for line in lines)

    def _reply(self, position: Position, depth: int, share: float) -> float:
        """Return the mean result of the opponent's replies, or that of the best one without a model."""
        if self._model is None:
            moves = pool(position)
            return min(self._node(position.play(move), depth - 1, share / len(moves)) for move in moves)
        replies = _probable(self._model.replies(position, self._budget))
        total = sum(replies.values())
        each = share / len(replies)
        chances = ((self._node(position.play(move), depth - 1, each), chance) for move, chance in replies.items())
        return sum(value * chance for value, chance in chances) / total


def _with_hope(chance: float, mate: int | None) -> float:
    """Return the win probability `chance`; of a proven loss in `mate` plies the probability that the winner errs with
    one of its moves, which are taken to be half of them."""
    return 1 - (1 - _SLIP) ** (abs(mate) // 2) if chance == 0 and mate is not None else chance


def _probable(replies: dict[int, float]) -> dict[int, float]:
    """Return the most probable replies, which have nearly all of the probability."""
    kept: dict[int, float] = {}
    for move, chance in replies.items():
        if sum(kept.values()) >= _COVERED or len(kept) >= _MOST_REPLIES:
            break
        kept[move] = chance
    return kept
