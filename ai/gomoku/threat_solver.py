"""Prove wins by continuous fours (VCF), or by fours, open threes and quiet threats (df-pn), with the whole proof. In
renju there are no quiet threats.

A proof is a tree: one move of the attacker at each of its turns, and every defence after which it has no win by fours.
The search tries the defences that the patterns leave; when the tree is made, all legal moves are tried, so that the
proof rests on no theory of which of them can matter.

See L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, "Go-Moku Solved by New Search Techniques" (1996).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ai.core.player import Limit, Stop, answer
from ai.gomoku.engine import RULES, UNLIMITED, GomokuEngine
from ai.gomoku.engine_board import Board, five_in_a_row
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels.board import count, find_cell, is_illegal, kind_of, make, undo
from ai.gomoku.kernels.dfpn import DELTA_SHIFT, LONGEST, MOVE_SHIFT, NEVER, PLIES_MASK, PLIES_SHIFT, prove
from ai.gomoku.kernels.layout import NO_MOVE
from ai.gomoku.kernels.parameters import ANYWHERE
from ai.gomoku.kernels.tt import clear
from ai.gomoku.kernels.vcf import vcf
from ai.gomoku.tables import build, cell_of, move_of
from ai.system.compiler.jit import new_table
from games.line import LinePosition
from games.position import Position

NODES = 1_000_000
"""The limit of a search that is given none."""

_PAIRS = 1 << 20  # entries of the table
_FOURS = 100  # in a win: more than any board has room for
_FOURS_LIMIT = 1_000  # of a search for fours, if the nodes are limited
_SHORTEN = 1_000_000  # nodes after which no shorter win is looked for, unless the first one took more than half of it
_LATE = 100_000  # nodes to write down a win after a stop
_WON = 1_000  # in place of the number of fives after a five
_FOUR_KINDS = (p.OPEN_FOUR, p.FOUR_THREE, p.FOUR_PLUS, p.FOUR)


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
        self._proofs: dict[int, Proof] = {}  # by the key of the position
        self._fours_limit = 0
        self._most = 0  # moves of the attacker that a tree may have
        self.complete = False
        """Whether the last search that found nothing has tried everything: then there is no such win."""

    @property
    def nodes(self) -> int:
        """Moves made on the board by the last search."""
        return 0 if self._board is None else int(self._board.state.nodes)

    def prove(
        self, position: Position, by_threats: bool = True, nodes: int | None = NODES, first: int | None = None,
        stop: Stop | None = None, most: int = 100_000,
    ) -> Proof | None:  # fmt: skip
        """Return a win of the side to move by fours, or else by threats; None if none is found. If the whole tree has
        more than `most` moves of the attacker, return only the longest line, with one line after each other defence on
        it.

        Without `by_threats` only fours are tried. `nodes` limits the moves made on the board until a win is found, and
        with it each search for fours; None is no limit. What is left of them goes into a search for the shortest win by
        threats. With `first`, the win must begin with this move. `complete` tells whether None means that there is no
        such win. Raise `ValueError` for a game that is not five in a row.
        """
        stop = stop or Stop()
        if not self.plies(position, by_threats, nodes, first, stop):
            return None
        only = NO_MOVE if first is None else cell_of(first, self._size)
        self._proofs.clear()
        self._most = most
        with self._proving(stop) as board:
            return self._tree(board, only)
        with self._proving(stop) as board:
            return self._outline(board, only)
        return None

    def line(
        self, position: Position, by_threats: bool = True, nodes: int | None = NODES, first: int | None = None,
        stop: Stop | None = None,
    ) -> MainLine | None:  # fmt: skip
        """Return the longest line of what `prove` finds with the same arguments; None if nothing is found. Where the
        tree is large, this is much faster."""
        stop = stop or Stop()
        if not self.plies(position, by_threats, nodes, first, stop):
            return None
        with self._proving(stop) as board:
            return self._longest_line(board, NO_MOVE if first is None else cell_of(first, self._size))
        return None

    @contextmanager
    def _proving(self, stop: Stop) -> Iterator[Board]:
        """Provide the board, to write down a win that was found, and suppress `_Halted`. There is no limit but `stop`;
        if that has ended the search for a shorter win, there are a few nodes for what the table has lost."""
        board, late = self._board, stop.is_set()
        assert board is not None
        st = board.state
        st.stop, st.node_limit = 0, int(st.nodes) + _LATE if late else UNLIMITED
        with nullcontext() if late else stop.calling(board.halt), suppress(_Halted):
            yield board

    def plies(
        self, position: Position, by_threats: bool = True, nodes: int | None = NODES, first: int | None = None,
        stop: Stop | None = None,
    ) -> int:  # fmt: skip
        """Return the plies of the win that `prove` finds with the same arguments; 0 if none is found. A shorter win may
        exist."""
        board = self._prepare(position)
        with (stop or Stop()).calling(board.halt):
            return self._search(board, by_threats, nodes, NO_MOVE if first is None else cell_of(first, self._size))

    def wins(self, position: Position, by_threats: bool, nodes: int) -> Iterator[int]:
        """Yield the moves with which the side to move begins a win. Each search uses the table of those before, so that
        this may find more than `plies` does."""
        board = self._prepare(position)
        for move in position.legal_moves():
            if self._search(board, by_threats, nodes, cell_of(move, self._size), shortest=False):
                yield move

    def replies(self, position: Position, by_threats: bool, nodes: int) -> Iterator[tuple[int, int]]:
        """Yield each move of the side to move, with the plies of the other side's win after it, 0 for none. Each search
        uses the table of those before."""
        board = self._prepare(position)
        st, tb = board.state, board.tables
        for move in position.legal_moves():
            cell, plies = cell_of(move, self._size), 0
            if kind_of(st, cell, st.side) != p.FIVE:
                make(st, tb, cell)
                plies = self._search(board, by_threats, nodes, NO_MOVE)
                undo(st, tb)
            yield move, plies

    def _search(
        self, board: Board, by_threats: bool, nodes: int | None, only: int, shortest: bool = True
    ) -> int:  # fmt: skip
        """Return the plies of a win by fours, else of one by threats, if possible the `shortest`; 0 if none is found.
        Set `complete`, and `proof_end` of the board to the limit under which the table has the win. `only` is the first
        move, or NO_MOVE for any."""
        st = board.state
        st.nodes, st.node_limit, self._fours_limit = 0, nodes or UNLIMITED, _FOURS_LIMIT if nodes else UNLIMITED
        stones, found = int(st.stones), self._by_fours(board, only)
        st.proof_end, st.left_out = stones + found, int(st.vcf_left <= 0)
        if by_threats and not found:
            st.proof_end, st.left_out = stones + LONGEST, 0
            found = self._by_threats(board, only)
            if found and shortest:
                return self._shorten(board, only, found)
        self.complete = not (found or st.stop or st.nodes >= st.node_limit or st.left_out)
        return found

    def _shorten(self, board: Board, only: int, plies: int) -> int:
        """Return the plies of the shortest win, or `plies`, those of a known one, if that takes too many nodes. Set
        `proof_end` to the limit under which it was found."""
        st, self.complete = board.state, False
        st.node_limit = min(st.node_limit, max(2 * st.nodes, _SHORTEN))
        for limit in range(5, plies + 1, 2):
            if st.stop or st.nodes >= st.node_limit:
                break
            st.proof_end = st.stones + limit
            if shorter := self._by_threats(board, only):
                return shorter
        st.proof_end = st.stones + LONGEST
        return plies

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

    def _by_fours(self, board: Board, only: int = NO_MOVE) -> int:
        """Return the plies of a win by fours, 0 if none is found. Unless `only` is NO_MOVE, it must begin with that
        move."""
        st, side = board.state, int(board.state.side)
        st.vcf_left = self._fours_limit
        if only == NO_MOVE:
            return int(vcf(st, board.tables, self._table, _FOURS, ANYWHERE))
        if kind_of(st, only, side) == p.FIVE:
            return 1
        with self._played(board, only):
            fives = int(count(st, side, p.FIVE))
            if count(st, 1 - side, p.FIVE) or not fives:
                return 0
            reply = int(find_cell(st, board.tables, side, p.FIVE))
            if fives > 1 or is_illegal(st, board.tables, reply):
                return 3
            with self._played(board, reply):
                plies = self._by_fours(board)
            return plies + 2 if plies else 0

    def _by_threats(self, board: Board, only: int = NO_MOVE) -> int:
        """Return the plies of a win by threats that ends in time, 0 if none is found. Unless `only` is NO_MOVE, it must
        begin with that move."""
        if only == NO_MOVE:
            entry = self._entry(board, 0, 1)
            return 0 if entry & NEVER else (entry >> PLIES_SHIFT) & PLIES_MASK
        with self._played(board, only):
            entry = self._entry(board, 1, 0)
        return 0 if (entry >> DELTA_SHIFT) & NEVER else ((entry >> PLIES_SHIFT) & PLIES_MASK) + 1

    def _entry(self, board: Board, ply: int, attacking: int) -> int:
        """Return what the proof-number search finds out about the position."""
        return int(prove(board.state, board.tables, self._table, NEVER, NEVER, ply, attacking))

    def _plies(self, board: Board) -> int:
        """Return the plies of a win that ends in time, by fours if there is one, 0 if none is found."""
        by_fours = self._by_fours(board)
        return by_fours if 0 < by_fours <= self._left(board) else self._by_threats(board) or by_fours

    def _left(self, board: Board) -> int:
        """Return the plies within which the win must end."""
        return int(board.state.proof_end - board.state.stones)

    def _tree(self, board: Board, only: int = NO_MOVE) -> Proof:
        """Return the whole proof of a win that ends in time. Equal positions share one proof. Raise `_Halted` if the
        search was stopped or the tree is too large."""
        known = int(board.state.key)
        if only == NO_MOVE and known in self._proofs:
            return self._proofs[known]
        with self._attack(board, only) as (move, fives):
            answers = []
            for reply in self._replies_to_answer(board, fives):
                with self._played(board, reply):
                    answers.append((move_of(reply, self._size), self._tree(board)))
        proof = self._combine(move, fives, answers)
        if proof.size > self._most:
            raise _Halted
        return proof if only else self._proofs.setdefault(known, proof)

    def _outline(self, board: Board, only: int = NO_MOVE) -> Proof:
        """Return the longest line of a win that ends in time, with one line after each other defence on it. Raise
        `_Halted` if the search was stopped."""
        with self._attack(board, only) as (move, fives):
            replies = self._replies_to_answer(board, fives)
            replies.sort(key=lambda reply: self._plies_after(board, reply))
            answers = []
            for reply in replies:
                with self._played(board, reply):
                    last = reply == replies[-1]
                    rest = self._outline(board) if last else self._longest_line(board, NO_MOVE).proof()
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
    def _attack(self, board: Board, only: int) -> Iterator[tuple[int, int]]:
        """Inside, a winning move of the side to move is made on the board. Provide the move, and how many fives it
        threatens (`_WON` if it is a five, which is not made). Raise `_Halted`."""
        st, side = board.state, int(board.state.side)
        move = only or self._winning_move(board)
        if st.stop or move == NO_MOVE:
            raise _Halted
        if kind_of(st, move, side) == p.FIVE:
            yield move, _WON
            return
        with self._played(board, move):
            yield move, int(count(st, side, p.FIVE))

    @contextmanager
    def _played(self, board: Board, cell: int) -> Iterator[None]:
        """Inside, a move is made on the board; at the end it is undone."""
        make(board.state, board.tables, cell)
        try:
            yield
        finally:
            undo(board.state, board.tables)

    def _longest_line(self, board: Board, only: int) -> MainLine:
        """Return the longest line of a win that ends in time. Raise `_Halted`."""
        cells: list[int] = []
        with ExitStack() as made:
            while True:
                move, fives = made.enter_context(self._attack(board, only))
                only = NO_MOVE
                cells.append(move)
                replies = self._replies_to_answer(board, fives)
                if not replies:
                    break
                cells.append(max(replies, key=lambda reply: self._plies_after(board, reply)))
                made.enter_context(self._played(board, cells[-1]))
        plies = len(cells) + (0 if fives == _WON else 2)
        return MainLine(tuple(move_of(cell, self._size) for cell in cells), plies, fives == 1)

    def _replies_to_answer(self, board: Board, fives: int) -> list[int]:
        """Return the replies to the attacker's last move, which threatens so many `fives` (`_WON` if it is a five).

        After none, these are the replies that leave it no win by fours in time; if all do, the one that delays that win
        most. After one, it is the block, if that is legal; after more, nothing helps.
        """
        st, tb = board.state, board.tables
        lasting: list[int] = []
        refuted: list[tuple[int, int]] = []
        for reply in self._replies(board, 1 - int(st.side)) if fives < 2 else ():
            make(st, tb, reply)
            by_fours, left = self._by_fours(board), self._left(board)
            undo(st, tb)
            if fives or not 0 < by_fours <= left:
                lasting.append(reply)
            else:
                refuted.append((by_fours, reply))
        return lasting or [reply for _, reply in refuted and [max(refuted)]]

    def _plies_after(self, board: Board, reply: int) -> int:
        """Return the plies of the attacker's win after a reply."""
        with self._played(board, reply):
            return self._plies(board)

    def _replies(self, board: Board, side: int) -> list[int]:
        """Return the legal cells with which the other side may answer a threat of `side`: the block of a four, else
        all."""
        st, tb = board.state, board.tables
        block = int(find_cell(st, tb, side, p.FIVE))
        cells = [int(cell) for cell in tb.cells[: tb.cell_count]] if block == NO_MOVE else [block]
        return [cell for cell in cells if not st.board[cell] and not is_illegal(st, tb, cell)]

    def _winning_move(self, board: Board) -> int:
        """Return a move that wins in time: a five; else the four that begins the shortest win by fours; else the move
        of the proof-number search. NO_MOVE if none is found."""
        st, side = board.state, int(board.state.side)
        if (five := int(find_cell(st, board.tables, side, p.FIVE))) != NO_MOVE:
            return five
        by_fours = self._by_fours(board)
        if not 0 < by_fours <= self._left(board) and not (entry := self._entry(board, 0, 1)) & NEVER:
            return entry >> MOVE_SHIFT
        kinds = board.kinds(side) if by_fours else np.zeros(0, np.uint8)
        fours = [int(cell) for kind in _FOUR_KINDS for cell in np.flatnonzero(kinds == kind)]
        wins = [(self._by_fours(board, cell), cell) for cell in fours if not is_illegal(st, board.tables, cell)]
        return min((win for win in wins if win[0]), default=(0, NO_MOVE))[1]


_PUZZLE_NODES = 200_000
"""The limit of a search for a win that a puzzle asks for."""
_DEEP = 200_000
"""Nodes of the search that must not find a defence to be lost."""


class ThreatProver:
    """A `Prover` for five in a row, of wins by fours, or by threats. A win that it does not find may exist."""

    earliest = 4

    def __init__(self) -> None:
        self._solver = ThreatSolver()

    def plies(self, position: Position, first: int | None = None) -> int:
        """Return the plies of a win by threats within the limits for puzzles; 0 if none is found within them."""
        return self._solver.plies(position, True, _PUZZLE_NODES, first)

    def wins(self, position: Position) -> Iterator[int]:
        """Yield the moves that begin a win: by fours alone if there is such a win, else by threats."""
        by_threats = not self._solver.plies(position, False, _PUZZLE_NODES)
        return self._solver.wins(position, by_threats, _PUZZLE_NODES)

    def replies(self, position: Position) -> Iterator[tuple[int, int]]:
        """Yield each legal move with the plies of the other side's win by threats after it, within the limits for
        puzzles."""
        return self._solver.replies(position, True, _PUZZLE_NODES)

    def theme(self, position: Position) -> str:
        """Return ``forbidden`` if the win in renju depends on a four that the other side is forbidden to block, else
        ``fours`` or ``threats``."""
        by_fours = bool(self._solver.plies(position, False, _PUZZLE_NODES))
        if isinstance(position, LinePosition) and position.rules.rule == "renju":
            line = self._solver.line(position, not by_fours, _PUZZLE_NODES)
            if line is not None and line.forbidden:
                return "forbidden"
        return "fours" if by_fours else "threats"

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        """Return the moves of the win by threats; empty if the solver finds none within the limits for puzzles."""
        line = self._solver.line(position, True, _PUZZLE_NODES, first)
        return () if line is None else line.moves

    def is_lost(self, position: Position) -> bool:
        """Return whether the gomoku engine finds a loss of the side to move, by a deeper search."""
        engine = GomokuEngine(memory_mb=16)
        mate = answer(engine, position, Limit(nodes=_DEEP)).mate
        engine.close()
        return mate is not None and mate < 0
