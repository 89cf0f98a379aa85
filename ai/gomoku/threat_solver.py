"""Prove wins by threats: victory by continuous fours (VCF) and by fours and open threes (VCT), with the whole proof.

A proof is a tree: one move of the attacker at each of its turns, and every defence after which it has no win by fours.
All legal moves are tried as defences, so that the proof rests on no theory of which of them can matter. A threat is a
move of the attacker that is not part of a win by fours alone.

See L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, "Go-Moku Solved by New Search Techniques" (1996).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ai.core.player import Limit, Stop, answer
from ai.gomoku.engine import RULES, UNLIMITED, GomokuEngine
from ai.gomoku.engine_board import Board, five_in_a_row
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels import vct
from ai.gomoku.kernels.board import count, find_cell, is_illegal, kind_of, make, undo
from ai.gomoku.kernels.layout import NO_MOVE
from ai.gomoku.kernels.tt import clear
from ai.gomoku.tables import build, cell_of, move_of
from ai.system.compiler.jit import new_table
from games.line import LinePosition
from games.position import Position

THREATS, NODES = 8, 1_000_000
"""Limits of a search that is given none."""

_PAIRS = 1 << 16  # entries of the table
_FOURS_LIMIT = 1_000
_WON = 1_000  # in place of the number of fives after a five
_FOURS = (p.OPEN_FOUR, p.FOUR_THREE, p.FOUR_PLUS, p.FOUR)
_THREATS = tuple(int(vct.threat_kind(place)) for place in range(vct.KINDS))


@dataclass(frozen=True)
class Proof:
    """A win that begins with `move` and takes at most `plies`. `defences` are the replies that need an answer, each
    with the proof that answers it; after all other replies a five or continuous fours win. `forbidden` marks a four
    that the rule forbids the other side to block. Unless it is `whole`, some defences are left out: only the longest is
    there."""

    move: int
    plies: int
    defences: tuple[tuple[int, Proof], ...] = ()
    forbidden: bool = False
    whole: bool = True

    @cached_property
    def size(self) -> int:
        """The number of the attacker's moves in the tree."""
        return 1 + sum(rest.size for _, rest in self.defences)


@dataclass(frozen=True, slots=True)
class MainLine:
    """The moves of both sides of a win against the longest defence. It ends with a five, or with a move that leaves no
    defence: `forbidden` if that is because the rule forbids the other side to block a four. `plies` counts to the
    five."""

    moves: tuple[int, ...]
    plies: int
    forbidden: bool

    def proof(self) -> Proof:
        """Return the line as a proof that is not `whole`."""
        *pairs, last = self.moves[::2]
        proof = Proof(last, self.plies - len(self.moves) + 1, forbidden=self.forbidden)
        for move, reply in zip(reversed(pairs), self.moves[-2::-2], strict=True):
            proof = Proof(move, proof.plies + 2, ((reply, proof),), whole=False)
        return proof


class _Halted(Exception):
    """The search was stopped, or the tree has grown too large."""


class ThreatSolver:
    """Proves wins by threats in positions of five in a row. Only one thread at a time may use it."""

    def __init__(self) -> None:
        self._board: Board | None = None
        self._kind: tuple[int, str] | None = None
        self._size = 0
        self._table = new_table(2 * _PAIRS)
        self._proofs: dict[tuple[int, int], Proof] = {}  # by the key of the position, and the threats left
        self._most = 0  # moves of the attacker that a tree may have
        self.complete = False
        """Whether the last search that found nothing has tried everything: then there is no such win."""

    @property
    def nodes(self) -> int:
        """Moves made on the board by the last search."""
        return 0 if self._board is None else int(self._board.state.nodes)

    def prove(
        self, position: Position, threats: int = THREATS, nodes: int | None = NODES, first: int | None = None,
        stop: Stop | None = None, most: int = 100_000,
    ) -> Proof | None:  # fmt: skip
        """Return a win of the side to move with as few threats, at most `threats`, before its last fours as possible;
        None if none is found. If the whole tree has more than `most` moves of the attacker, return only the longest
        line, with one line after each other defence on it.

        With `threats` 0 only fours are tried. `nodes` limits the moves made on the board, and with it each search for
        fours; None is no limit. With `first`, the win must begin with this move. `complete` tells whether None means
        that there is no such win. Raise `ValueError` for a game that is not five in a row.
        """
        stop = stop or Stop()
        if not self.plies(position, threats, nodes, first, stop):
            return None
        only = NO_MOVE if first is None else cell_of(first, self._size)
        board = self._unlimited_board()
        self._proofs.clear()
        self._most = most
        with stop.calling(board.halt), suppress(_Halted):
            return self._tree(board, self._threats, only)
        with stop.calling(board.halt), suppress(_Halted):
            return self._outline(board, self._threats, only)
        return None

    def line(
        self, position: Position, threats: int = THREATS, nodes: int | None = NODES, first: int | None = None,
        stop: Stop | None = None,
    ) -> MainLine | None:  # fmt: skip
        """Return the longest line of what `prove` finds with the same arguments; None if nothing is found. Where the
        tree is large, this is much faster."""
        stop = stop or Stop()
        if not self.plies(position, threats, nodes, first, stop):
            return None
        board = self._unlimited_board()
        with stop.calling(board.halt), suppress(_Halted):
            return self._longest_line(board, self._threats, NO_MOVE if first is None else cell_of(first, self._size))
        return None

    def _unlimited_board(self) -> Board:
        """Return the board, ready for a search without a limit."""
        board = self._board
        assert board is not None
        board.state.stop, board.state.node_limit = 0, UNLIMITED
        return board

    def plies(
        self, position: Position, threats: int = THREATS, nodes: int | None = NODES, first: int | None = None,
        stop: Stop | None = None,
    ) -> int:  # fmt: skip
        """Return the plies of the win that `prove` finds with the same arguments; 0 if none is found. A shorter win may
        exist."""
        board = self._prepare(position)
        with (stop or Stop()).calling(board.halt):
            return self._deepen(board, threats, nodes, NO_MOVE if first is None else cell_of(first, self._size))

    def wins(self, position: Position, threats: int, nodes: int) -> Iterator[int]:
        """Yield the moves with which the side to move begins a win. Each search uses the table of those before, so that
        this may find more than `plies` does."""
        board = self._prepare(position)
        for move in position.legal_moves():
            if self._deepen(board, threats, nodes, cell_of(move, self._size)):
                yield move

    def replies(self, position: Position, threats: int, nodes: int) -> Iterator[tuple[int, int]]:
        """Yield each move of the side to move, with the plies of the other side's win after it, 0 for none. Each search
        uses the table of those before."""
        board = self._prepare(position)
        st, tb = board.state, board.tables
        for move in position.legal_moves():
            cell, plies = cell_of(move, self._size), 0
            if kind_of(st, cell, st.side) != p.FIVE:
                make(st, tb, cell)
                plies = self._deepen(board, threats, nodes, NO_MOVE)
                undo(st, tb)
            yield move, plies

    def _deepen(self, board: Board, threats: int, nodes: int | None, only: int) -> int:
        """Return the plies of a win with as few threats as possible, from 0 (fours alone) to `threats`; 0 if none is
        found. Set `_threats` to the number tried last, and `complete`. `only` is the first move, or NO_MOVE for any."""
        st = board.state
        st.nodes, st.node_limit, st.fours_limit = 0, nodes or UNLIMITED, _FOURS_LIMIT if nodes else UNLIMITED
        for self._threats in range(threats + 1):
            st.left_out = 0
            found = self._plies(board, self._threats, only)
            ended = bool(st.stop or st.nodes >= st.node_limit)
            self.complete = not (found or ended or st.left_out) and (self._threats > 0 or threats == 0)
            if found or ended or self.complete:
                return found
        return 0

    def _prepare(self, position: Position) -> Board:
        """Set up and return the board, and clear the table: its entries hold for one side to move. Raise `ValueError`
        for a game that is not five in a row."""
        position = five_in_a_row(position)
        kind = (position.rules.width, position.rules.rule)
        if self._board is None or kind != self._kind:
            self._board, self._kind = Board(build(RULES[kind[1]], kind[0]), _PAIRS - 1), kind
        self._size = kind[0]
        self._board.set(position)
        clear(self._table)
        return self._board

    def _plies(self, board: Board, threats: int, only: int) -> int:
        """Return the plies of a win by at most `threats` threats, 0 if none is found. Unless `only` is NO_MOVE, the win
        must begin with it: a five, a four, or a threat."""
        if only == NO_MOVE and threats == 0:
            return int(vct.wins_by_fours(board.state, board.tables, self._table))
        if only == NO_MOVE:
            return int(vct.vct(board.state, board.tables, self._table, threats, only))
        kind = int(kind_of(board.state, only, board.state.side))
        if kind == p.FIVE:
            return 1
        if threats == 0 and kind not in _FOURS:
            return 0
        return int(vct.vct(board.state, board.tables, self._table, max(threats, 1), only))

    def _tree(self, board: Board, threats: int, only: int = NO_MOVE) -> Proof:
        """Return the whole proof of a win that `_plies` has found with the same arguments. Equal positions share one
        proof. Raise `_Halted` if the search was stopped or the tree is too large."""
        known = (int(board.state.key), threats)
        if only == NO_MOVE and known in self._proofs:
            return self._proofs[known]
        with self._attack(board, threats, only) as (move, fives, left):
            answers = []
            for reply in self._replies_to_answer(board, fives):
                with self._played(board, reply):
                    answers.append((move_of(reply, self._size), self._tree(board, left)))
        proof = self._combine(move, fives, answers)
        if proof.size > self._most:
            raise _Halted
        return proof if only else self._proofs.setdefault(known, proof)

    def _outline(self, board: Board, threats: int, only: int = NO_MOVE) -> Proof:
        """Return the longest line of a win that `_plies` has found, with one line after each other defence on it. Raise
        `_Halted` if the search was stopped."""
        with self._attack(board, threats, only) as (move, fives, left):
            replies = self._replies_to_answer(board, fives)
            replies.sort(key=lambda reply: self._plies_after(board, reply, left))
            answers = []
            for reply in replies:
                with self._played(board, reply):
                    last = reply == replies[-1]
                    rest = self._outline(board, left) if last else self._longest_line(board, left, NO_MOVE).proof()
                    answers.append((move_of(reply, self._size), rest))
        return replace(self._combine(move, fives, answers), whole=False)

    def _combine(self, move: int, fives: int, answers: Sequence[tuple[int, Proof]]) -> Proof:
        """Return the proof that begins with `move`, after which the side threatens so many `fives`. `answers` are its
        defences."""
        plies = 1 if fives == _WON else 2 + max((rest.plies for _, rest in answers), default=1)
        forbidden = fives == 1 and not answers
        whole = all(rest.whole for _, rest in answers)
        return Proof(move_of(move, self._size), plies, tuple(answers), forbidden, whole)

    @contextmanager
    def _attack(self, board: Board, threats: int, only: int) -> Iterator[tuple[int, int, int]]:
        """Inside, a winning move of the side to move is made on the board. Provide the move, how many fives it
        threatens (`_WON` if it is a five, which is not made), and the threats that are left. Raise `_Halted`."""
        st, side = board.state, int(board.state.side)
        move = only or self._winning_move(board, threats)
        if st.stop or move == NO_MOVE:
            raise _Halted
        if kind_of(st, move, side) == p.FIVE:
            yield move, _WON, 0
            return
        left = self._threats_left(board, threats, move)
        with self._played(board, move):
            yield move, int(count(st, side, p.FIVE)), left

    @contextmanager
    def _played(self, board: Board, cell: int) -> Iterator[None]:
        """Inside, a move is made on the board; at the end it is undone."""
        make(board.state, board.tables, cell)
        try:
            yield
        finally:
            undo(board.state, board.tables)

    def _longest_line(self, board: Board, threats: int, only: int) -> MainLine:
        """Return the longest line of a win that `_plies` has found with the same arguments. Raise `_Halted`."""
        cells: list[int] = []
        with ExitStack() as made:
            while True:
                move, fives, threats = made.enter_context(self._attack(board, threats, only))
                only = NO_MOVE
                cells.append(move)
                replies = self._replies_to_answer(board, fives)
                if not replies:
                    break
                cells.append(max(replies, key=lambda reply: self._plies_after(board, reply, threats)))
                made.enter_context(self._played(board, cells[-1]))
        plies = len(cells) + (0 if fives == _WON else 2)
        return MainLine(tuple(move_of(cell, self._size) for cell in cells), plies, fives == 1)

    def _threats_left(self, board: Board, threats: int, move: int) -> int:
        """Return how many of `threats` are left after `move` in the win that it begins. A four of a win by fours costs
        none."""
        four = int(kind_of(board.state, move, int(board.state.side))) in _FOURS
        by_fours = four and vct.wins_by_fours(board.state, board.tables, self._table)
        return max(threats - (not by_fours), 0)

    def _replies_to_answer(self, board: Board, fives: int) -> list[int]:
        """Return the replies to the attacker's last move, which threatens so many `fives` (`_WON` if it is a five).

        After none, these are the replies that leave it no win by fours; if all do, the one that delays that win most.
        After one, it is the block, if that is legal; after more, nothing helps.
        """
        st, tb = board.state, board.tables
        lasting: list[int] = []
        refuted: list[tuple[int, int]] = []
        for reply in self._replies(board, 1 - int(st.side)) if fives < 2 else ():
            make(st, tb, reply)
            by_fours = int(vct.wins_by_fours(st, tb, self._table))
            undo(st, tb)
            if fives or not by_fours:
                lasting.append(reply)
            else:
                refuted.append((by_fours, reply))
        return lasting or [reply for _, reply in refuted and [max(refuted)]]

    def _plies_after(self, board: Board, reply: int, threats: int) -> int:
        """Return the plies of the attacker's win after a reply."""
        make(board.state, board.tables, reply)
        plies = self._plies(board, threats, NO_MOVE)
        undo(board.state, board.tables)
        return plies

    def _replies(self, board: Board, side: int) -> list[int]:
        """Return the legal cells with which the other side may answer a threat of `side`: the block of a four, else
        all."""
        st, tb = board.state, board.tables
        block = int(find_cell(st, tb, side, p.FIVE))
        cells = [int(cell) for cell in tb.cells[: tb.cell_count]] if block == NO_MOVE else [block]
        return [cell for cell in cells if not st.board[cell] and not is_illegal(st, tb, cell)]

    def _winning_move(self, board: Board, threats: int) -> int:
        """Return a move that wins: a five; else the four that begins the shortest win by fours; else a threat, or the
        block of the other side's four. NO_MOVE if none is found."""
        st, tb, table = board.state, board.tables, self._table
        side = int(st.side)
        if (five := int(find_cell(st, tb, side, p.FIVE))) != NO_MOVE:
            return five
        by_fours = bool(vct.wins_by_fours(st, tb, table))
        kinds = board.kinds(side)
        block = int(find_cell(st, tb, 1 - side, p.FIVE))
        wins = []
        for kind in _FOURS if by_fours else _THREATS if block == NO_MOVE else ():
            for cell in np.flatnonzero(kinds == kind):
                if is_illegal(st, tb, int(cell)):
                    continue
                plies = self._plies(board, 1 if by_fours else threats, int(cell))
                if plies and not by_fours:
                    return int(cell)
                if plies:
                    wins.append((plies, int(cell)))
        return min(wins)[1] if wins else block


_PUZZLE_THREATS, _PUZZLE_NODES = 6, 60_000
"""Limits of a win that a puzzle asks for."""
_DEEP = 200_000
"""Nodes of the search that must not find a defence to be lost."""


class ThreatProver:
    """A `Prover` for five in a row, of wins by fours, or by fours and open threes. A win that it does not find may
    exist."""

    earliest = 4

    def __init__(self) -> None:
        self._solver = ThreatSolver()

    def plies(self, position: Position, first: int | None = None) -> int:
        """Return the plies of a win by fours and open threes within the limits for puzzles; 0 if none is found within
        them."""
        return self._solver.plies(position, _PUZZLE_THREATS, _PUZZLE_NODES, first)

    def wins(self, position: Position) -> Iterator[int]:
        """Yield the moves that begin a win: by fours alone if there is such a win, else by fours and open threes."""
        threats = 0 if self._solver.plies(position, 0, _PUZZLE_NODES) else _PUZZLE_THREATS
        return self._solver.wins(position, threats, _PUZZLE_NODES)

    def replies(self, position: Position) -> Iterator[tuple[int, int]]:
        """Yield each legal move with the plies of the other side's win by threats after it, within the limits for
        puzzles."""
        return self._solver.replies(position, _PUZZLE_THREATS, _PUZZLE_NODES)

    def theme(self, position: Position) -> str:
        """Return ``forbidden`` if the win in renju depends on a four that the other side is forbidden to block, else
        ``fours`` or ``threats``."""
        by_fours = bool(self._solver.plies(position, 0, _PUZZLE_NODES))
        if isinstance(position, LinePosition) and position.rules.rule == "renju":
            line = self._solver.line(position, 0 if by_fours else _PUZZLE_THREATS, _PUZZLE_NODES)
            if line is not None and line.forbidden:
                return "forbidden"
        return "fours" if by_fours else "threats"

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        """Return the moves of the win by threats; empty if the solver finds none within the limits for puzzles."""
        line = self._solver.line(position, _PUZZLE_THREATS, _PUZZLE_NODES, first)
        return () if line is None else line.moves

    def is_lost(self, position: Position) -> bool:
        """Return whether the gomoku engine finds a loss of the side to move, by a deeper search."""
        engine = GomokuEngine(memory_mb=16)
        mate = answer(engine, position, Limit(nodes=_DEEP)).mate
        engine.close()
        return mate is not None and mate < 0
