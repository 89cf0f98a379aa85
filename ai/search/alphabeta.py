"""Alpha-beta for any `Position`: negamax with iterative deepening, a transposition table and killer moves.

It knows only the `Position` interface. The strong gomoku engine is another player. Each part of the search can be left
out, to show its effect: without all of them it is the alpha-beta of textbooks.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ai.core.player import Budget, Info, Limit, Line, Stop
from ai.core.score import Score, delayed, settled
from ai.search.trace import INFINITY, ROOT, End, Trace, Traceable
from games.position import Position, threat_moves, urgent_moves

# Which moves a search tries beyond its depth, where a position is not quiet: the loud ones, which decide at once.


THREATS = 4
"""Plies beyond the horizon up to which threats are tried; forced moves are always."""


def loud_moves(position: Position, beyond: int) -> tuple[Sequence[int], bool]:
    """Return the moves that quiescence search tries in a position `beyond` plies past the horizon, and whether they are
    forced. Forced are wins at once; without one, the replies to a win at once that the other side threatens.

    Without forced moves, return the moves that threaten a win at once; none from `THREATS` plies beyond the horizon on.
    """
    urgent = urgent_moves(position)
    if urgent or beyond >= THREATS:
        return urgent, bool(urgent)
    return [move for move in threat_moves(position) if _threatens(position, move)], False


def _threatens(position: Position, move: int) -> bool:
    """Whether `move` threatens a win at once: the other side has to reply, and cannot win instead."""
    after = position.play(move)
    replies = urgent_moves(after) if after.outcome is None and after.turn != position.turn else ()
    return bool(replies) and after.play(replies[0]).outcome is None


_DEEPEST = 400  # plies; longer than any game here
TO_THE_END = _DEEPEST + 1  # least depth of a table entry that used no heuristic score
_TABLE_ENTRIES = 200_000
_FORCED_SHARE = 0.1  # share of the time for a position with one legal move
_NEXT_FITS = 0.6  # share of the time after which another iteration would hardly finish


class Spent(Exception):
    """The budget is used up, or the search was stopped."""


class TableEntry(NamedTuple):
    """A transposition table entry: bounds of the score at this depth, relative to its position, and the best line, of
    at least one move."""

    depth: int
    low: int
    high: int
    line: tuple[int, ...]


Table = dict[Hashable, TableEntry]


@dataclass(frozen=True, slots=True)
class Parts:
    """Which parts a search has besides alpha and beta: `ordering` (the game's candidates, with the move of the table
    and killers first; else moves by number), a transposition `table`, iterative `deepening`, the `extension` of forced
    replies, and the `selection` of candidates; without it all legal moves are tried. Without `distance` all wins have
    the same value, however far away.

    Two parts are off by default. With `pvs`, principal variation search, only the first move of a node is searched with
    the full window, the others with a null window, and again if they are better. With `quiescence` the search continues
    beyond its depth where a position is not quiet.
    """

    ordering: bool = True
    table: bool = True
    deepening: bool = True
    extension: bool = True
    selection: bool = True
    distance: bool = True
    pvs: bool = False
    quiescence: bool = False


class AlphaBeta(Traceable):
    """A `Player` by alpha-beta. Each search starts with an empty table, so that equal searches give equal answers."""

    def __init__(self, parts: Parts = Parts()) -> None:
        self._parts = parts
        self._search = TreeSearch(Budget(Limit(), Stop()), parts, None)

    @property
    def nodes(self) -> int:
        """Nodes of the current or last search."""
        return self._search.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield the evaluation, then an answer after every iteration, and once more if the last one is interrupted."""
        if self.trace is not None:
            self.trace.clear()
        self._search = TreeSearch(Budget(limit, stop), self._parts, self.trace)
        yield from self._search.deepen(position)


class TreeSearch:
    """One search by alpha-beta. `nodes` counts the positions visited."""

    def __init__(self, budget: Budget, parts: Parts, trace: Trace | None, table: Table | None = None) -> None:
        self.budget, self.parts, self._trace = budget, parts, trace
        # Looked up at each node.
        self._distance, self._has_table = int(parts.distance), parts.table
        self._ordering, self._selection = parts.ordering, parts.selection
        self._pvs, self._quiescence = parts.pvs, parts.quiescence
        self.nodes = 0
        self._end: End  # why the node that was left last has ended, if it is no leaf
        self._untried: int  # the moves that its cut has saved
        self._heuristic = 0  # heuristic scores used so far
        self._iteration = 0
        self._table = {} if table is None else table
        self._killers: dict[int, tuple[int, ...]] = {}
        self._lines: list[tuple[int, ...]] = [()] * (_DEEPEST + 2)  # principal variation at each ply
        self._partial: Line | None = None  # best line of the current iteration

    def deepen(self, position: Position) -> Iterator[Info]:
        """Search to depth 1, then deeper until the budget is used up or the result is proven. Yield the evaluation,
        then an answer after every iteration, and once more if the last one is interrupted."""
        limit = self.budget.limit
        moves = list(self._moves(position, None, 0))
        info = self._info([Line(position.evaluate(), (moves[0],))], 0)
        yield info
        deepest = min(limit.depth or _DEEPEST, _DEEPEST)
        for depth in range(1 if self.parts.deepening else deepest, 1 + deepest):
            self._iteration, self._heuristic = depth, 0
            lines: list[Line] = []
            try:
                for line in self._best_lines(position, moves, min(limit.lines, len(moves))):
                    lines.append(line)
                    moves.remove(line.moves[0])
                    moves.insert(len(lines) - 1, line.moves[0])
            except Spent:
                if self._trace is not None:
                    self._trace.stop()
                # A partial iteration counts: a move that beat the first one is better.
                if self._partial is not None and limit.lines == 1:
                    info = self._info([self._partial], depth - 1 if self.parts.deepening else 0)
                seconds, bounded = self.budget.seconds, limit.depth is not None or not self.parts.deepening
                yield replace(info, nodes=self.nodes, seconds=seconds, complete=False if bounded else None)
                return
            found = [Line(line.score, line.moves, self._heuristic == 0) for line in lines]
            info = self._info(found, depth if self.parts.deepening else depth_reached(found[0], depth))
            yield info
            if self._is_exact(lines) or not self._next_fits(len(moves) == 1):
                return

    def _info(self, lines: list[Line], depth: int) -> Info:
        """Return the answer with these `lines`, best first."""
        best = lines[0]
        return Info(best.moves[0], best.score, depth, self.nodes, self.budget.seconds, tuple(lines))

    def _is_exact(self, lines: list[Line]) -> bool:
        """Whether the result is proven: no heuristic score was used, or all lines are wins or losses that are
        proven."""
        return self._heuristic == 0 or all(settled(line.score) for line in lines)

    def _next_fits(self, forced: bool) -> bool:
        """Whether there is likely time for another iteration; `forced` if there is only one legal move."""
        seconds = self.budget.limit.seconds
        return seconds is None or self.budget.seconds < seconds * (_FORCED_SHARE if forced else _NEXT_FITS)

    def _best_lines(self, position: Position, moves: Sequence[int], count: int) -> Iterator[Line]:
        """Yield the lines of the `count` best moves, best first. Each takes a search without the moves before."""
        searched: set[int] = set()
        for _ in range(count):
            line = self._search_root(position, [move for move in moves if move not in searched])
            searched.add(line.moves[0])
            yield line

    def _search_root(self, position: Position, moves: Sequence[int]) -> Line:
        """Search `moves` at the root to the depth of this iteration, and return the best line."""
        best = -INFINITY
        self._partial = None
        self.nodes += 1
        if self._trace is not None:
            self._trace.enter(ROOT, position.turn, -INFINITY, INFINITY, self._iteration)
        for move in moves:
            score = self._score_move_pvs(position, move, self._iteration - 1, best, INFINITY, 1, move != moves[0])
            if score > best:
                best = score
                self._partial = Line(score, (move, *self._lines[1]))
        assert self._partial is not None
        if self._trace is not None:
            self._trace.leave(best, End.ALL)
        return self._partial

    def _score_move_pvs(
        self, position: Position, move: int, depth: int, alpha: int, beta: int, ply: int, later: bool
    ) -> int:
        """Score `move`, with principal variation search if that is on: if `later` than the first move, search it with a
        null window, then again only if it is better than `alpha`, unless the score at the horizon is exact."""
        if later and self._pvs:
            score = self._score_move(position, move, depth, alpha, alpha + 1, ply)
            if not alpha < score < beta or (depth <= 0 and not self._quiescence):
                return score
        return self._score_move(position, move, depth, alpha, beta, ply)

    def _score_move(self, position: Position, move: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Score `move` for the side that plays it, which may be to move again. `depth` counts the plies below the move,
        `ply` those from the root."""
        if self._trace is not None:
            return self._score_move_traced(self._trace, position, move, depth, alpha, beta, ply)
        following = position.play(move)
        if following.turn == position.turn:
            return self._visit(following, depth, alpha, beta, ply)
        return -self._visit(following, depth, -beta, -alpha, ply)

    def _score_move_traced(
        self, trace: Trace, position: Position, move: int, depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        """Do what `_score_move` does, and record the node in the trace."""
        following = position.play(move)
        same = following.turn == position.turn
        low, high = (alpha, beta) if same else (-beta, -alpha)
        trace.enter(move, following.turn, low, high, max(0, depth))
        score = self._visit(following, depth, low, high, ply)
        if following.outcome is not None:
            trace.leave(score, End.OUTCOME)
        elif depth <= 0 and not self._quiescence:
            trace.leave(score, End.HORIZON)
        else:
            trace.leave(score, self._end, self._untried)
        return score if same else -score

    def _visit(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Score `position`, `ply` plies below the root, for the side to move, to `depth` plies: exact if within alpha …
        beta, else a bound.

        Leave the best line in `_lines[ply]`. Raise `Spent`.
        """
        self.nodes += 1
        self._lines[ply] = ()
        if self.budget.spent(self.nodes):
            raise Spent
        outcome = position.outcome
        if outcome is not None:
            return int(Score.of_outcome(outcome, position.turn, ply * self._distance))
        if depth <= 0:
            if self._quiescence:
                return self._quiesce(position, alpha, beta, ply, -depth)
            self._heuristic += 1
            return position.evaluate()
        entry = self._table.get(position.key) if self._has_table else None
        if entry is not None and self._serves(entry, depth):
            plies = ply * self._distance
            low, high = at_ply(entry.low, plies), at_ply(entry.high, plies)
            if low >= beta or high <= alpha or low == high:
                self._heuristic += entry.depth < TO_THE_END
                self._lines[ply] = entry.line
                self._end, self._untried = End.TABLE, 0
                return low if low >= beta else high
        return self._expand(position, depth, alpha, beta, ply, entry.line[0] if entry else None)

    def _quiesce(self, position: Position, alpha: int, beta: int, ply: int, beyond: int) -> int:
        """Score a position `beyond` plies past the horizon by its loud moves. Where none is forced, the side to move
        may also stand pat and take the evaluation."""
        moves, forced = loud_moves(position, beyond)
        best, end = -INFINITY, End.ALL
        if not forced:
            self._heuristic += 1
            best, end = position.evaluate(), End.QUIET if moves else End.HORIZON
            if self._trace is not None and moves:
                self._trace.stand(best)
            alpha = max(alpha, best)
        untried = 0
        if alpha < beta:
            for number, move in enumerate(moves, 1):
                score = self._score_move(position, move, -beyond - 1, alpha, beta, ply + 1)
                if score > best:
                    best, end = score, End.ALL
                    self._lines[ply] = (move, *self._lines[ply + 1])
                alpha = max(alpha, best)
                if alpha >= beta:
                    end, untried = End.CUT, len(moves) - number
                    break
        self._end, self._untried = end, untried
        return best

    def _stored_depth(self, depth: int, whole: bool) -> int:
        """Return the depth to store in an entry: at least `TO_THE_END` if its search was `whole`, without heuristic
        scores."""
        return TO_THE_END if whole else depth

    def _serves(self, entry: TableEntry, depth: int) -> bool:
        """Whether the bounds of `entry` may answer a search to `depth`."""
        return entry.depth >= depth

    def _expand(self, position: Position, depth: int, alpha: int, beta: int, ply: int, tt_move: int | None) -> int:
        """Search the moves of a position, `tt_move` first if there is one, and store the result in the table. Score as
        `_visit`."""
        heuristic = self._heuristic
        moves = self._moves(position, tt_move, ply)
        # Extend forced replies: otherwise a series of fours would push threats over the horizon.
        forced = len(moves) == 1 and ply < 2 * self._iteration and self.parts.extension
        next_depth = depth if forced else depth - 1
        best, window, end, untried = -INFINITY, (alpha, beta), End.ALL, 0
        for move in moves:
            score = self._score_move_pvs(position, move, next_depth, alpha, beta, ply + 1, move != moves[0])
            if score > best:
                best = score
                self._lines[ply] = (move, *self._lines[ply + 1])
            alpha = max(alpha, best)
            if alpha >= beta:
                self._killers[ply] = (move, *self._killers.get(ply, ()))[:2]
                end, untried = End.CUT, len(moves) - 1 - moves.index(move)
                break
        if self._has_table:
            stored_depth = self._stored_depth(depth, self._heuristic == heuristic)
            self._store(position.key, stored_depth, best, window, ply)
        self._end, self._untried = end, untried
        return best

    def _moves(self, position: Position, tt_move: int | None, ply: int) -> Sequence[int]:
        """Return the moves to try at `ply` in this order: `tt_move`, killers, the others; without `ordering`, by
        number."""
        if not self._ordering:
            return sorted(position.candidates()) if self._selection else position.legal_moves()
        moves = position.candidates()
        if not self._selection:
            moves = list(dict.fromkeys((*moves, *position.legal_moves())))
        first = (tt_move, *self._killers.get(ply, ()))
        return sorted(moves, key=lambda move: first.index(move) if move in first else len(first))

    def _store(self, key: Hashable, depth: int, score: int, window: tuple[int, int], ply: int) -> None:
        """Store bounds of a node in the transposition table. Its search had `window`; proven scores become relative to
        the node."""
        alpha, beta = window
        if len(self._table) >= _TABLE_ENTRIES:
            self._table.clear()
        stored = at_ply(score, -ply * self._distance)
        low = stored if score > alpha else -INFINITY
        high = stored if score < beta else INFINITY
        self._table[key] = TableEntry(depth, low, high, self._lines[ply])


def depth_reached(best: Line, depth: int) -> int:
    """Return how deep a search to `depth` that was not deepened went: where all lines ended before, as deep as its
    `best` line."""
    return min(depth, len(best.moves)) if best.exact else depth


class ExactSearch(TreeSearch):
    """A search whose value does not depend on what else is in the table: an entry serves only a search of the same
    depth, or a deeper one if it saw only ends of the game."""

    def _stored_depth(self, depth: int, whole: bool) -> int:
        """Return the depth to store in an entry: `TO_THE_END` more if its search was `whole`, without heuristic
        scores."""
        return TO_THE_END + depth if whole else depth

    def _serves(self, entry: TableEntry, depth: int) -> bool:
        """Whether `entry` is of a search to the same depth, or of one that was whole and to at most `depth`."""
        return entry.depth == depth or TO_THE_END <= entry.depth <= TO_THE_END + depth


def at_ply(score: int, ply: int) -> int:
    """Convert a table score, relative to its position `ply` plies below the root, to one relative to the root. A
    negative `ply` converts back."""
    return score if abs(score) == INFINITY else delayed(score, ply)
