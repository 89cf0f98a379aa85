"""Prove wins by threats: victory by continuous fours (VCF) and by fours and open threes (VCT), with the whole proof.

A proof is a tree: one move of the attacker at each of its turns, and every defence after which it has no win by fours.
All legal moves are tried as defences, so that the proof rests on no theory of which of them can matter.

See L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, "Go-Moku Solved by New Search Techniques" (1996).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.core.player import Limit, Stop, answer
from ai.gomoku.engine import RULES, UNLIMITED, GomokuEngine
from ai.gomoku.engine_board import Board
from ai.gomoku.kernels import patterns as p
from ai.gomoku.kernels import vct
from ai.gomoku.kernels.board import count, find_cell, is_illegal, kind_of, make, undo
from ai.gomoku.kernels.layout import NO_MOVE
from ai.gomoku.kernels.tt import clear
from ai.gomoku.tables import build, cell_of, move_of
from ai.system.compiler.jit import new_table
from games.line import LinePosition
from games.position import Position

_PAIRS = 1 << 16  # entries of the table
_FOURS_LIMIT = 1_000
_FOURS = (p.OPEN_FOUR, p.FOUR_THREE, p.FOUR_PLUS, p.FOUR)
_THREATS = tuple(int(vct.threat_kind(place)) for place in range(vct.KINDS))


@dataclass(frozen=True, slots=True)
class Proof:
    """A win that begins with `move` and takes at most `plies`. `defences` are the replies that are to be answered, each
    with its answer; after all other replies a five, or continuous fours, win sooner. `forbidden` marks a four that the
    rule forbids the other side to block."""

    move: int
    plies: int
    defences: tuple[tuple[int, Proof], ...] = ()
    forbidden: bool = False

    def line(self) -> tuple[int, ...]:
        """Return the moves of both sides with the longest defence."""
        reply = self.longest()
        return (self.move,) if reply is None else (self.move, reply[0], *reply[1].line())

    def longest(self) -> tuple[int, Proof] | None:
        """Return the defence that holds out longest, with its answer; None if there is none."""
        return max(self.defences, key=lambda defence: defence[1].plies, default=None)

    def end(self) -> Proof:
        """Return what is left of the win before the last move of `line`."""
        reply = self.longest()
        return self if reply is None else reply[1].end()

    def size(self) -> int:
        """Return how many moves of the attacker the tree has."""
        return 1 + sum(rest.size() for _, rest in self.defences)


class ThreatSolver:
    """Proves wins in positions of five in a row. One thread at a time may use it."""

    def __init__(self) -> None:
        self._board: Board | None = None
        self._kind: tuple[int, str] | None = None
        self._size = 0
        self._table = new_table(2 * _PAIRS)
        self.complete = False
        """Whether the last search that found nothing has tried everything: then there is no such win."""

    @property
    def nodes(self) -> int:
        """Moves made on the board by the last search."""
        return 0 if self._board is None else int(self._board.state.nodes)

    def prove(
        self, position: Position, threats: int = 8, nodes: int | None = 1_000_000, first: int | None = None,
        stop: Stop | None = None,
    ) -> Proof | None:  # fmt: skip
        """Return a win of the side to move with as few threats before its last fours as possible, None if none is
        found.

        With `threats` 0 only fours are tried. `nodes` limits the moves made on the board, and with it each search for
        fours; None is no limit. With `first`, the win must begin with this move. Raise `ValueError` for a game that is
        not five in a row.
        """
        if not self.plies(position, threats, nodes, first, stop):
            return None
        board = self._board
        assert board is not None
        board.state.stop, board.state.node_limit = 0, UNLIMITED
        return self._tree(board, self._threats, NO_MOVE if first is None else cell_of(first, self._size))

    def plies(
        self, position: Position, threats: int = 8, nodes: int | None = 1_000_000, first: int | None = None,
        stop: Stop | None = None,
    ) -> int:  # fmt: skip
        """Return the plies of a win that `prove` finds, 0 for none. A shorter one may exist."""
        board = self._prepare(position)
        st, only = board.state, NO_MOVE if first is None else cell_of(first, self._size)
        st.node_limit = nodes or UNLIMITED
        st.fours_limit = _FOURS_LIMIT if nodes else UNLIMITED
        with (stop or Stop()).calling(board.halt):
            for self._threats in range(threats + 1):
                st.left_out = 0
                found = self._plies(board, self._threats, only)
                ended = bool(st.stop or st.nodes >= st.node_limit)
                self.complete = not (found or ended or st.left_out) and (self._threats > 0 or threats == 0)
                if found or ended or self.complete:
                    return found
        return 0

    def _prepare(self, position: Position) -> Board:
        """Set up the board, with an empty table: its entries hold for one side to move."""
        if not isinstance(position, LinePosition) or position.rules.length != 5:
            raise ValueError("Wins by threats are those of five in a row only.")
        kind = (position.rules.width, position.rules.rule)
        if self._board is None or kind != self._kind:
            self._board, self._kind = Board(build(RULES[kind[1]], kind[0]), _PAIRS - 1), kind
        self._size = kind[0]
        self._board.set(position)
        clear(self._table)
        return self._board

    def _plies(self, board: Board, threats: int, only: int) -> int:
        """Plies of a win by at most `threats`; with `only`, of one that begins with it: a five, a four, or a threat."""
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
        """Return the proof of a win of which `_plies` has found the length."""
        st, tb, table = board.state, board.tables, self._table
        side, size, defences = int(st.side), self._size, []
        move = only or self._winning_move(board, threats)
        if kind_of(st, move, side) == p.FIVE:
            return Proof(move_of(move, size), 1)
        left = threats - (int(kind_of(st, move, side)) not in _FOURS or not vct.wins_by_fours(st, tb, table))
        make(st, tb, move)
        fives = count(st, side, p.FIVE)
        lasting: list[tuple[int, int]] = []  # how long a reply holds out against fours, and the reply
        for reply in self._replies(board, side) if fives < 2 else ():
            make(st, tb, reply)
            by_fours = int(vct.wins_by_fours(st, tb, table))
            if fives or not by_fours:
                defences.append((move_of(reply, size), self._tree(board, max(left, 0))))
            lasting.append((by_fours, reply))
            undo(st, tb)
        if not defences and lasting:
            _, reply = max(lasting)
            make(st, tb, reply)
            defences.append((move_of(reply, size), self._tree(board, 0)))
            undo(st, tb)
        undo(st, tb)
        plies = 2 + max((rest.plies for _, rest in defences), default=1)
        return Proof(move_of(move, size), plies, tuple(defences), forbidden=fives == 1 and not defences)

    def _replies(self, board: Board, side: int) -> list[int]:
        """Return the legal cells that answer a threat of `side`: the block of a four, else all."""
        st, tb = board.state, board.tables
        block = int(find_cell(st, tb, side, p.FIVE))
        cells = [int(cell) for cell in tb.cells[: tb.cell_count]] if block == NO_MOVE else [block]
        return [cell for cell in cells if not st.board[cell] and not is_illegal(st, tb, cell)]

    def _winning_move(self, board: Board, threats: int) -> int:
        """Return a five, or the four with which the shortest win by fours begins, or a threat that wins."""
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
    """Of five in a row: wins by fours, and by fours and open threes. What is not found may exist."""

    earliest = 4

    def __init__(self) -> None:
        self._solver = ThreatSolver()

    def plies(self, position: Position, first: int | None = None) -> int:
        return self._solver.plies(position, _PUZZLE_THREATS, _PUZZLE_NODES, first)

    def theme(self, position: Position) -> str:
        proof = self._solver.prove(position, _PUZZLE_THREATS, _PUZZLE_NODES)
        if proof is not None and proof.end().forbidden:
            return "forbidden"
        return "fours" if self._solver.plies(position, 0) else "threats"

    def line(self, position: Position, first: int | None = None) -> tuple[int, ...]:
        proof = self._solver.prove(position, _PUZZLE_THREATS, _PUZZLE_NODES, first)
        return () if proof is None else proof.line()

    def is_lost(self, position: Position) -> bool:
        engine = GomokuEngine(memory_mb=16)
        mate = answer(engine, position, Limit(nodes=_DEEP)).mate
        engine.close()
        return mate is not None and mate < 0
