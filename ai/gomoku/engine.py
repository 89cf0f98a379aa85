"""The gomoku engine as a `Player`: root VCF, then iterative deepening by threads that share a transposition table."""

from __future__ import annotations

import atexit
import queue
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from ai.core.player import Info, Limit, Line, Stop
from ai.gomoku.book import reply
from ai.gomoku.engine_board import Board, five_in_a_row
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import count, find_cell, is_illegal, make, undo
from ai.gomoku.kernels.evaluate import evaluate
from ai.gomoku.kernels.layout import BUSY_SLOTS, INFINITY, MAX_PLY, NO_MOVE, PROVEN, WIN
from ai.gomoku.kernels.movegen import list_root_moves
from ai.gomoku.kernels.parameters import ANYWHERE
from ai.gomoku.kernels.search import search
from ai.gomoku.kernels.tt import clear
from ai.gomoku.kernels.vcf import vcf
from ai.gomoku.root_proof import win_by_threats
from ai.gomoku.table_walk import Counts, Deepening, DepthRows, Iteration, Searched, table_tree
from ai.gomoku.tables import FITTED, build, cell_of, load_weights, move_of, to_score
from ai.search.trace import TREE_NODES, TableTree, Traceable, Walkable
from ai.system.compiler.jit import COMPILED, fill, new_table
from ai.system.threads import behind_window, give_way
from games.line import LinePosition
from games.position import Position

RULES = {"freestyle": p.FREESTYLE, "standard": p.STANDARD, "renju": p.RENJU}

UNLIMITED = 1 << 60
_WINDOW = 40  # half width of the first aspiration window (https://www.chessprogramming.org/Aspiration_Windows)
_FORCED_SHARE = 0.05  # of the time, after which a search with one root move ends
_WAKE = 1.0  # seconds between chances to handle Ctrl+C while waiting, which Windows needs
_PATIENCE = 0.003  # seconds to wait for stopped threads; on a busy machine they may take longer
_MARGIN = 0.005  # seconds reserved for delivering the answer
_ROOT_VCF = ((3, 2_000), (6, 4_000), (12, 8_000), (40, 40_000))
"""Limits of successive VCF searches at the root: fours in the win, fours tried."""
_LINE_VCF = (2_000, 40_000)  # fours tried for each move of a line, first and second attempt
_VCF_TRIES = 50_000
"""Fours tried at the root per second of the limit: about a quarter of its time."""
_PROOF_NODES, _PROOF_SECONDS = 200_000, 0.1
"""Most that a proof-number search at the root may take."""


def _vcf_tries(limit: Limit) -> int:
    """Return how many fours the searches for a VCF at the root may try within `limit`."""
    tries = UNLIMITED if limit.seconds is None else int(limit.seconds * _VCF_TRIES)
    return tries if limit.nodes is None else min(tries, limit.nodes // 4)


_late: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
"""Stopped threads, of all engines, that are still running: the interpreter must not exit before them."""


@atexit.register
def _wait_for_late() -> None:
    """At exit, wait for search threads that outlived their search, one second for each at most."""
    for thread in list(_late):
        thread.join(1.0)


class GomokuEngine(Traceable, Walkable):
    """A `Player` of gomoku on boards of 5 to 20 cells a side. After a search, `trace` is the tree of its table unless
    it was None.

    `memory_mb` is the size of the transposition table, which is kept between moves. `parameters` override
    `kernels.parameters`; `root_vcf` enables the searches for a forced win at the root, `book` the opening book. Raise
    `ValueError` with a sentence if the file of `weights` cannot be read.
    """

    def __init__(
        self,
        threads: int = 1,
        memory_mb: int = 64,
        weights: str = FITTED,
        parameters: dict[str, int] | None = None,
        root_vcf: bool = True,
        book: bool = False,
    ) -> None:
        load_weights(weights)  # report a missing file before the game
        self.threads, self._book = threads, book
        self._weights, self._parameters, self._root_vcf = weights, parameters, root_vcf
        pairs = 1 << (memory_mb << 16).bit_length() - 1  # of 16 bytes
        self._mask = pairs - 1
        self._table = new_table(2 * pairs + BUSY_SLOTS)
        self._boards: list[Board] = []
        self._kind: tuple[int, int] | None = None
        self._searched: Searched | None = None
        self._age = 0
        self._late: list[threading.Thread] = []  # stopped, not yet ended

    @property
    def nodes(self) -> int:
        """Nodes of the current or last search, over the boards of all threads."""
        return sum(int(board.state.nodes) for board in self._boards)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield the first move of the move ordering at once, then an answer after every iteration; or a move of the
        book, or a win by VCF, instead. Raise `ValueError` for a game that is not five in a row."""
        began = time.monotonic()
        position = five_in_a_row(position)
        self._prepare(position, limit)
        self._searched = searched = Searched(position, int(self._boards[0].state.key))
        for info in self._think(position, limit, stop, began):
            searched.info = info
            yield info
        if self.trace is not None:
            self.trace = self.table_tree(position, TREE_NODES)

    def table_tree(
        self, position: Position, most: int, rest: Callable[[], object] = lambda: None
    ) -> TableTree | None:
        """Return the tree of the table at `position`, at most `most` nodes; None if that is not the position searched
        last, or without a table."""
        searched, table = self._searched, self._table
        if searched is None or table is None or searched.position != position:
            return None
        return table_tree(searched, table, self._boards[0].tables, self._mask, most, rest)

    def _think(self, position: LinePosition, limit: Limit, stop: Stop, began: float) -> Iterator[Info]:
        """Do what `think` does, on boards that are set up. `began` is the time of `time.monotonic()` at which the
        search began."""
        size = position.rules.width
        first = self._immediate_answer(position, began, limit.without)
        yield first
        if first.mate is not None:
            return
        known = reply(position) if self._book and not limit.without else None
        if known is not None:
            yield Info(known, first.score, 0, self.nodes, time.monotonic() - began, (Line(first.score, (known,)),))
            return
        forced_wins = self._root_vcf and not limit.without
        won = self._vcf(size, began, _vcf_tries(limit), stop) if forced_wins else None
        if won is not None:
            yield won
            return
        threats = self._threats(size, limit, stop, began) if forced_wins else None
        if threats is not None:
            yield threats
        for info in self._deepen(size, limit, stop, began) if not stop.is_set() else ():
            if threats is None or 0 < (info.mate or 0) <= (threats.mate or 0):  # the win that is known stands
                yield info

    def vcf(self, position: LinePosition) -> Info | None:
        """Return an answer with a win by a five or by continuous fours, with all its moves; None if the side to move
        has none."""
        began = time.monotonic()
        self._prepare(position, Limit())
        first = self._immediate_answer(position, began)
        return first if first.mate is not None else self._vcf(position.rules.width, began)

    def forget(self) -> None:
        """Clear the transposition table, so that the next answer does not depend on earlier searches."""
        self._join_late()
        if self._kind is not None:  # a new table is empty
            clear(self._table)

    def close(self) -> None:
        """Wait for the search threads and release the table."""
        self._join_late()
        self._boards, self._table = [], None

    # Preparation.

    def _join_late(self) -> None:
        """Wait until the threads of an earlier search have ended."""
        while self._late:
            self._late.pop().join()

    def _join_briefly(self, threads: list[threading.Thread]) -> None:
        """Wait for stopped `threads`, but no longer than `_PATIENCE`; remember those that still run in `_late`."""
        until = time.monotonic() + _PATIENCE
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        self._late = [thread for thread in threads if thread.is_alive()]
        _late.update(self._late)

    def _prepare(self, position: LinePosition, limit: Limit) -> None:
        """Set up the boards of all threads for `position`: tables of its size and rule, age, node limits. Clear the
        transposition table if the size or the rule has changed."""
        self._join_late()
        kind = (position.rules.width, RULES[position.rules.rule])
        if kind != self._kind:
            tables = build(kind[1], kind[0], self._weights, self._parameters)
            self._boards = [Board(tables, self._mask, self.threads > 1) for _ in range(self.threads)]
            if self._kind is not None:  # a new table is zero already; clearing it would allocate its pages
                clear(self._table)
            self._kind = kind
        self._age = (self._age + 1) & 0xFF
        for board in self._boards:
            board.set(position)
            board.clear_memory(self._age)
            board.state.node_limit = UNLIMITED if limit.nodes is None else max(1, limit.nodes // self.threads)

    def _root_moves(self, position: LinePosition, without: frozenset[int] = frozenset()) -> list[int]:
        """Return the cells worth searching, or all legal ones if the move generator finds none; without the moves
        `without` unless there are no others."""
        board = self._boards[0]
        st, size = board.state, position.rules.width
        if not any(position.cells):
            return [cell_of(size // 2 * size + size // 2, size)]
        cells = [int(st.root_moves[i]) for i in range(list_root_moves(st, board.tables))]
        cells = cells or [cell_of(move, size) for move in position.legal_moves()]
        return [cell for cell in cells if move_of(cell, size) not in without] or cells

    def _immediate_answer(self, position: LinePosition, began: float, without: frozenset[int] = frozenset()) -> Info:
        """Answer from move ordering alone, and set the root moves of all boards. The answer has a mate if the move is a
        five."""
        board = self._boards[0]
        st, size = board.state, position.rules.width
        five = find_cell(st, board.tables, position.turn, p.FIVE)
        moves = [five] if five != NO_MOVE else self._root_moves(position, without)
        for other in self._boards:
            fill(other.state.root_moves, moves)
            other.state.root_count = len(moves)
        score = WIN - 1 if five != NO_MOVE else int(evaluate(st, board.tables))
        return self._info(size, 0, [(score, moves[:1])], began)

    def _info(self, size: int, depth: int, lines: list[tuple[int, list[int]]], began: float) -> Info:
        """Return an answer from the lines of the kernels: (score, cells), best first."""
        converted_lines = tuple(
            Line(to_score(score), tuple(move_of(cell, size) for cell in cells)) for score, cells in lines
        )
        best = converted_lines[0]
        return Info(best.moves[0], best.score, depth, self.nodes, time.monotonic() - began, converted_lines)

    # Victory by continuous fours.

    def _vcf(self, size: int, began: float, tries: int = UNLIMITED, stop: Stop | None = None) -> Info | None:
        """Return the answer of a search at the root for a win by continuous fours, with at most `tries` fours tried;
        None if none is found."""
        board = self._boards[0]
        with (stop or Stop()).calling(board.halt):
            plies = self._vcf_by_steps(board, tries)
        if plies == 0:
            return None
        board.state.stop = 0
        line, plies = self.vcf_line(board, plies)
        return self._info(size, plies, [(WIN - plies, line)], began)

    def _vcf_by_steps(self, board: Board, left: int) -> int:
        """Search for a VCF of more and more fours, and return its plies; 0 if none is found. `left` is how many fours
        may be tried in all."""
        for fours, tries in _ROOT_VCF:
            if left > 0 and not board.state.stop:
                plies = self._vcf_plies(board, fours, min(tries, left))
                if plies:
                    return plies
                left -= tries
        return 0

    def _vcf_plies(self, board: Board, fours: int, tries: int) -> int:
        """Return the plies of a VCF of at most `fours` fours, found by trying at most `tries` fours; 0 if none is
        found."""
        board.state.vcf_left = tries
        return int(vcf(board.state, board.tables, self._table, fours, ANYWHERE))

    def vcf_line(self, board: Board, plies: int) -> tuple[list[int], int]:
        """Return the moves, as cells, of the win in `plies` that a VCF search has found on `board`, and the plies to
        its five.

        The plies exceed the moves by two if the last move is a four whose only reply is forbidden.
        """
        st, tb = board.state, board.tables
        side, line = int(st.side), []
        while (five := int(find_cell(st, tb, side, p.FIVE))) == NO_MOVE:
            plies, pair = self._winning_four(board, plies)
            plies -= 2
            line += pair
            for cell in pair:
                make(st, tb, cell)
            if len(pair) == 1:  # the only reply is forbidden
                break
        for _ in line:
            undo(st, tb)
        return (line, len(line) + 2) if five == NO_MOVE else ([*line, five], len(line) + 1)

    def _winning_four(self, board: Board, plies: int) -> tuple[int, list[int]]:
        """Return the shortest win that `_after_four` finds: its plies, and the four with its reply. A win in `plies`
        must exist."""
        for tries in _LINE_VCF:
            wins = [self._after_four(board, four, plies // 2, tries) for four in self._four_cells(board)]
            if any(length for length, _ in wins):
                return min(win for win in wins if win[0])
        raise AssertionError("vcf found a win but its line was not found")

    def _four_cells(self, board: Board) -> list[int]:
        """Return the cells on which the side to move makes a four."""
        kinds = board.kinds(int(board.state.side))
        return [int(cell) for cell in np.flatnonzero((kinds >= p.FOUR) & (kinds <= p.OPEN_FOUR))]

    def _after_four(self, board: Board, four: int, fours: int, tries: int) -> tuple[int, list[int]]:
        """Return the plies of a win by `four` and at most `fours` more, 0 if none is found; and `four` with its reply,
        or without one if that is illegal."""
        st, tb = board.state, board.tables
        side, plies, pair = int(st.side), 0, [four]
        make(st, tb, four)
        if count(st, 1 - side, p.FIVE) == 0:
            reply, plies = int(find_cell(st, tb, side, p.FIVE)), 3
            if not is_illegal(st, tb, reply):
                pair.append(reply)
                make(st, tb, reply)
                rest = self._vcf_plies(board, fours, tries)
                plies = rest + 2 if rest else 0
                undo(st, tb)
        undo(st, tb)
        return plies, pair

    # Victory by threats.

    def _threats(self, size: int, limit: Limit, stop: Stop, began: float) -> Info | None:
        """Return the answer of a proof-number search at the root for a win by threats; None if none is found. It takes
        the share `PROOF` of the limit, and a part of a second at most; none of a search to a depth or of several lines.
        """
        board = self._boards[0]
        share = min(max(int(board.tables.PROOF), 0), 100) / 100
        if share == 0 or limit.depth is not None or limit.lines > 1:
            return None
        nodes = _PROOF_NODES if limit.nodes is None else min(_PROOF_NODES, int(limit.nodes * share))
        seconds = _PROOF_SECONDS if limit.seconds is None else min(_PROOF_SECONDS, limit.seconds * share)
        whole = int(board.state.node_limit)
        found = win_by_threats(board, self._table, nodes, seconds, stop)
        board.state.node_limit = whole
        return None if found is None else self._info(size, found[0], [(WIN - found[0], found[1])], began)

    # Iterative deepening.

    def _deepen(self, size: int, limit: Limit, stop: Stop, began: float) -> Iterator[Info]:
        """Search on all threads, and yield an answer for each reported iteration. In any case end the search and the
        threads."""
        deepening = Deepening(self._boards, together=limit.lines == 1)
        behind = behind_window.get()
        threads = [
            threading.Thread(target=self._run, args=(deepening, number, limit, behind), daemon=True)
            for number in range(self.threads)
        ]
        for thread in threads:
            thread.start()
        try:
            with stop.calling(deepening.end):
                yield from self._follow(size, limit, began, deepening)
        finally:
            deepening.end()
            self._join_briefly(threads)

    def _follow(self, size: int, limit: Limit, began: float, deepening: Deepening) -> Iterator[Info]:
        """Yield answers from the iterations that the threads report, and end the search when its time is up. Raise what
        a thread raised."""
        deadline = None if limit.seconds is None else began + max(0.0, limit.seconds - _MARGIN)
        forced, rows = self._boards[0].state.root_count == 1, DepthRows()
        while True:
            left = _WAKE if deadline is None else deadline - time.monotonic()
            if left <= 0 and not deepening.over:
                deepening.end()
            wait = _PATIENCE if left > 0 else max(_PATIENCE, left + _MARGIN)
            try:
                news = deepening.results.get(timeout=wait if deepening.over else min(_WAKE, left))
            except queue.Empty:
                if deepening.over:  # the last answer stands
                    return
                continue
            if news is None:
                continue
            if isinstance(news, BaseException):
                raise news
            if news.lines:
                info = self._info(size, news.depth, news.lines, began)
                yield rows.with_rows(replace(info, nodes=news.counts.nodes), news.counts)
            if news.final or self._is_enough(news, limit, began, forced):
                return

    def _is_enough(self, news: Iteration, limit: Limit, began: float, forced: bool) -> bool:
        """Whether to stop deepening after the iteration `news`.

        Stop once all lines are proven; with a `forced` move, the only one at the root, soon. Otherwise all of the time
        is used, since a part of an iteration may find a better move, too.
        """
        if all(abs(score) > PROVEN for score, _ in news.lines):
            return True
        return forced and limit.seconds is not None and time.monotonic() - began > _FORCED_SHARE * limit.seconds

    def _run(self, deepening: Deepening, number: int, limit: Limit, behind: bool) -> None:
        """Be search thread `number` until the search is over, at low priority if `behind` a window. Exceptions go to
        the reader."""
        try:
            if behind and COMPILED:
                give_way()
            self._iterate(deepening, number, limit)
        except BaseException as error:  # raised by the reader
            deepening.results.put(error)

    def _iterate(self, deepening: Deepening, number: int, limit: Limit) -> None:
        """Run iterative deepening on thread `number`, and report each iteration to `deepening`. Only thread 0 searches
        several lines."""
        board = self._boards[number]
        st = board.state
        wanted = min(limit.lines, int(st.root_count)) if number == 0 else 1
        deepest = min(limit.depth or MAX_PLY, MAX_PLY - 10)
        scores = [int(evaluate(st, board.tables))] * wanted
        depth = 0
        while (depth := deepening.next_depth(number, depth)) <= deepest:
            lines: list[tuple[int, list[int]]] = []
            for place in range(wanted):
                st.root_from = place
                scores[place], line = self._aspire(board, depth, scores[place])
                if st.stop and (not line or wanted > 1):
                    break
                lines.append((scores[place], line))
            counts = Counts.of(self._boards)
            stopped = bool(st.stop)  # before the next question: a thread that finishes meanwhile stops this one, too
            if deepening.is_outdated(depth):
                continue
            if stopped:
                if number == 0:
                    # A partial iteration counts: a move that beat the first one is better. Not one that another thread
                    # has finished.
                    counted = lines if wanted == 1 and not deepening.is_finished(depth) else []
                    deepening.results.put(Iteration(depth - 1, counts, counted, final=True))
                return
            lines.sort(key=lambda line: -line[0])
            deepening.finish(number, Iteration(depth, counts, lines, final=depth == deepest))

    def _aspire(self, board: Board, depth: int, expected: int) -> tuple[int, list[int]]:
        """Search the root with a window around `expected` that widens until the score lies within it. Return the score
        and the line, as cells.

        If the search was stopped, return the score and the line of its best move so far. If it has none yet, return
        those of the move that was above the last window; if there is none either, `expected` and an empty line.
        """
        st, known, line = board.state, expected, list[int]()
        width, narrow = _WINDOW, depth > 4 and abs(expected) < PROVEN
        alpha, beta = (expected - width, expected + width) if narrow else (-INFINITY, INFINITY)
        while True:
            score = int(search(st, board.tables, self._table, depth, alpha, beta, 0, 1))
            if alpha < score < beta or (st.stop and st.best_move != NO_MOVE):
                return score, board.line()
            if st.stop:
                return known, line
            width *= 4
            if score <= alpha:
                known, line = expected, []
                alpha = max(-INFINITY, score - width)
            else:
                known, line = score, board.line()
                beta = min(INFINITY, score + width)
