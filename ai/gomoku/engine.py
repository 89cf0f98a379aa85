"""The gomoku engine as a `Player`: threads that deepen, share a table, and tell what they find."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ai.gomoku import kernels as k
from ai.gomoku import patterns as p
from ai.gomoku.jit import fill, new_array, new_record
from ai.gomoku.tables import FITTED, build, cell_of, move_of
from ai.player import WIN, Info, Limit, Line, Stop
from games.line import LinePosition
from games.position import Position

RULES = {"freestyle": p.FREESTYLE, "standard": p.STANDARD, "renju": p.RENJU}

_UNLIMITED = 1 << 60
_WINDOW = 40  # half width of the first aspiration window
_NEXT_FITS = 0.55  # of the time used: beyond it another iteration would hardly end
_LOOK = 0.002  # seconds between two looks at the clock
_MARGIN = 0.008  # seconds kept back from the time, for the way of the answer
_ROOT_VCF = 40  # fours that the search for a win at the root may be long
_ROOT_VCF_MOVES = 40_000


def scaled(score: int) -> int:
    """A kernel's score in the unit of `ai.player`: wins are counted from another `WIN`."""
    if score > k.PROVEN:
        return score + WIN - k.WIN
    return score - WIN + k.WIN if score < -k.PROVEN else score


class Board:
    """One thread's state of the kernels."""

    def __init__(self, tables: Any, mask: int) -> None:
        self.tables = tables
        self.state = new_record(k.STATE)
        self.state.mask = mask

    def set(self, position: LinePosition) -> None:
        """Puts the stones of `position` on the board, the last one played as the last."""
        st, size = self.state, position.rules.width
        k.reset(st, self.tables)
        stones = [(stone, cell) for cell, stone in enumerate(position.cells) if stone]
        stones.sort(key=lambda item: item[1] == position.last)
        for stone, move in stones:
            st.side = stone - 1
            k.make(st, self.tables, cell_of(move, size))
        st.side = position.turn
        st.nodes = st.stop = st.deepest = 0

    def clear_memory(self, age: int) -> None:
        """Forgets what an earlier search learned of moves, but not what it keeps in the table."""
        st = self.state
        st.age = age
        for field in (st.history, st.counter, st.killers):
            fill(field, [0] * len(field))

    def line(self) -> list[int]:
        """The principal variation of the last search, as cells."""
        return [int(self.state.pv[i]) for i in range(int(self.state.pv_length[0]))]


@dataclass(frozen=True)
class _Found:
    """What a thread found: complete lines (score, cells) at a depth; the last of a thread is `final`."""

    depth: int
    nodes: int
    lines: list[tuple[int, list[int]]]
    final: bool = False


class GomokuEngine:
    """Plays gomoku on boards of 5 to 20 cells a side.

    `memory_mb` is for the transposition table, which is kept from move to move.
    """

    def __init__(
        self, threads: int = 1, memory_mb: int = 64, weights: str = FITTED, knobs: dict[int, int] | None = None
    ) -> None:
        self.threads = threads
        self._weights, self._knobs = weights, knobs
        pairs = 1 << max(10, (memory_mb * (1 << 20) // 16).bit_length() - 1)
        self._mask = pairs - 1
        self._table = new_array(2 * pairs)
        self._boards: list[Board] = []
        self._kind: tuple[int, int] | None = None
        self._age = 0

    @property
    def nodes(self) -> int:
        return sum(int(board.state.nodes) for board in self._boards)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yields after every iteration of the first thread. Raises `ValueError` for a game it does not play."""
        began = time.monotonic()
        if not isinstance(position, LinePosition) or position.rules.length != 5:
            raise ValueError("The gomoku engine plays five in a row only.")
        self._prepare(position, limit)
        size = position.rules.width
        known = self._at_once(position, began)
        yield known
        if known.mate is not None:
            return
        won = self._vcf(size, began)
        if won is not None:
            yield won
            return
        yield from self._deepen(size, limit, stop, began)

    def vcf(self, position: LinePosition) -> Info | None:
        """A win of the side to move by a five or by fours alone, with all its moves; None where none is found."""
        began = time.monotonic()
        self._prepare(position, Limit())
        known = self._at_once(position, began)
        return known if known.mate is not None else self._vcf(position.rules.width, began)

    # Preparation.

    def _prepare(self, position: LinePosition, limit: Limit) -> None:
        kind = (position.rules.width, RULES[position.rules.rule])
        if kind != self._kind:
            tables = build(kind[1], kind[0], self._weights, self._knobs)
            self._boards = [Board(tables, self._mask) for _ in range(self.threads)]
            self._kind = kind
            k.clear(self._table)
        self._age = (self._age + 1) & 0xFF
        for board in self._boards:
            board.set(position)
            board.clear_memory(self._age)
            board.state.node_limit = _UNLIMITED if limit.nodes is None else max(1, limit.nodes // self.threads)

    def _root_moves(self, position: LinePosition) -> list[int]:
        """The cells worth searching; any legal ones where the kernels see none."""
        board = self._boards[0]
        st, size = board.state, position.rules.width
        if position.ply == 0:
            return [cell_of(size // 2 * size + size // 2, size)]
        found = [int(st.root_moves[i]) for i in range(k.list_root_moves(st, board.tables))]
        return found or [cell_of(move, size) for move in position.legal_moves()]

    def _at_once(self, position: LinePosition, began: float) -> Info:
        """The first answer, from the generator's order alone; a five is the last word as well."""
        board = self._boards[0]
        st, size = board.state, position.rules.width
        five = k.find(st, board.tables, position.turn, p.FIVE)
        moves = [five] if five != k.NO_MOVE else self._root_moves(position)
        for other in self._boards:
            fill(other.state.root_moves, moves)
            other.state.root_count = len(moves)
        score = k.WIN - 1 if five != k.NO_MOVE else int(k.evaluate(st, board.tables))
        return self._info(size, 0, [(score, moves[:1])], began)

    def _info(self, size: int, depth: int, lines: list[tuple[int, list[int]]], began: float) -> Info:
        told = tuple(Line(scaled(score), tuple(move_of(cell, size) for cell in cells)) for score, cells in lines)
        best = told[0]
        return Info(best.moves[0], best.score, depth, self.nodes, time.monotonic() - began, told)

    # Victory by continuous fours.

    def _vcf(self, size: int, began: float) -> Info | None:
        """A win by fours alone from the root, with all its moves."""
        board = self._boards[0]
        st = board.state
        st.vcf_left = _ROOT_VCF_MOVES
        plies = int(k.vcf(st, board.tables, self._table, _ROOT_VCF, 0))
        if plies == 0:
            return None
        line = self.vcf_line(board)
        return self._info(size, len(line), [(k.WIN - len(line), line)], began)

    def vcf_line(self, board: Board) -> list[int]:
        """The moves, as cells, of a win by fours that `vcf` has found for the side to move on `board`."""
        st, tb = board.state, board.tables
        side, line = int(st.side), []
        while (five := int(k.find(st, tb, side, p.FIVE))) == k.NO_MOVE:
            pair = self._winning_four(board)
            line += pair
            for cell in pair:
                k.make(st, tb, cell)
            if len(pair) == 1:  # the only reply is forbidden
                break
        else:
            line.append(five)
        for _ in range(len(line) - (five != k.NO_MOVE)):
            k.undo(st, tb)
        return line

    def _winning_four(self, board: Board) -> list[int]:
        """A four with which the win goes on and, if there is one, the reply to it."""
        st, tb = board.state, board.tables
        side = int(st.side)
        for move in range(int(tb.cell_count)):
            four = int(tb.cells[move])
            if st.board[four] != 0 or not p.FOUR <= st.kind[side * k.CELLS + four] <= p.OPEN_FOUR:
                continue
            k.make(st, tb, four)
            pair = [four]
            won = st.cnt[(1 - side) * 16 + p.FIVE] == 0
            reply = int(k.find(st, tb, side, p.FIVE))
            if won and not k.denied(st, tb, reply):
                pair.append(reply)
                k.make(st, tb, reply)
                st.vcf_left = _ROOT_VCF_MOVES
                won = k.vcf(st, tb, self._table, _ROOT_VCF, 0) > 0
                k.undo(st, tb)
            k.undo(st, tb)
            if won:
                return pair
        raise AssertionError("a win by fours was promised")

    # Iterative deepening.

    def _deepen(self, size: int, limit: Limit, stop: Stop, began: float) -> Iterator[Info]:
        found: queue.SimpleQueue[_Found | BaseException] = queue.SimpleQueue()
        threads = [
            threading.Thread(target=self._run, args=(board, number, limit, found), daemon=True)
            for number, board in enumerate(self._boards)
        ]
        for thread in threads:
            thread.start()
        try:
            yield from self._follow(size, limit, stop, began, found)
        finally:
            for board in self._boards:
                board.state.stop = 1
            for thread in threads:
                thread.join()

    def _follow(
        self, size: int, limit: Limit, stop: Stop, began: float, found: queue.SimpleQueue[_Found | BaseException]
    ) -> Iterator[Info]:
        """Tells what the first thread finds, and ends the search when its time has come."""
        deadline = None if limit.seconds is None else began + max(0.0, limit.seconds - _MARGIN)
        main = self._boards[0].state
        forced = main.root_count == 1
        while True:
            now = time.monotonic()
            if stop.is_set() or (deadline is not None and now >= deadline):
                for board in self._boards:
                    board.state.stop = 1
            try:
                news = found.get(timeout=_LOOK)
            except queue.Empty:
                continue
            if isinstance(news, BaseException):
                raise news
            if news.lines:
                yield replace(self._info(size, news.depth, news.lines, began), nodes=news.nodes)
            if news.final or self._enough(news, limit, began, forced):
                return

    def _enough(self, news: _Found, limit: Limit, began: float, forced: bool) -> bool:
        if all(abs(score) > k.PROVEN for score, _ in news.lines):
            return True
        if limit.seconds is None:
            return False
        share = 0.05 if forced else _NEXT_FITS
        return time.monotonic() - began > share * limit.seconds

    def _run(
        self, board: Board, number: int, limit: Limit, found: queue.SimpleQueue[_Found | BaseException]
    ) -> None:
        """One thread: deepens until it is stopped. Only the first one reports; the others fill the table."""
        report = found.put if number == 0 else lambda _news: None
        try:
            self._iterate(board, number, limit, report)
        except BaseException as error:  # a thread must not die unheard
            found.put(error)

    def _iterate(self, board: Board, number: int, limit: Limit, report: Callable[[_Found], None]) -> None:
        st = board.state
        wanted = min(limit.lines, int(st.root_count)) if number == 0 else 1
        deepest = min(limit.depth or k.MOST_PLIES - 10, k.MOST_PLIES - 10)
        scores = [int(k.evaluate(st, board.tables))] * wanted
        for depth in range(1 + number % 2, deepest + 1):
            lines: list[tuple[int, list[int]]] = []
            for place in range(wanted):
                st.root_from = place
                scores[place] = self._aspire(board, depth, scores[place])
                if st.stop and (st.best_move == k.NO_MOVE or wanted > 1):
                    break
                lines.append((scores[place], board.line()))
            if st.stop:
                # An iteration cut short still counts: whatever beat its first move is better.
                report(_Found(depth - 1, self.nodes, lines if wanted == 1 else [], final=True))
                return
            lines.sort(key=lambda line: -line[0])
            report(_Found(depth, self.nodes, lines, final=depth == deepest))

    def _aspire(self, board: Board, depth: int, expected: int) -> int:
        """Searches the root with a window around `expected` that grows until the score lies within."""
        st = board.state
        width = _WINDOW if depth > 4 and abs(expected) < k.PROVEN else 2 * k.INFINITY
        alpha, beta = max(-k.INFINITY, expected - width), min(k.INFINITY, expected + width)
        while True:
            score = int(k.search_root(st, board.tables, self._table, depth, alpha, beta))
            if st.stop or alpha < score < beta:
                return score
            width *= 4
            if score <= alpha:
                alpha = max(-k.INFINITY, score - width)
            else:
                beta = min(k.INFINITY, score + width)
