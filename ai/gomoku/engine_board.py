"""The board of one search thread of the engine, set up from a `LinePosition`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.gomoku.kernels.board import make
from ai.gomoku.kernels.evaluate import reset
from ai.gomoku.kernels.layout import KIND_BITS, KIND_MASK, STATE
from ai.gomoku.tables import cell_of
from ai.system.compiler.jit import COMPILED, fill, new_record
from games.line import LinePosition
from games.position import Position


def five_in_a_row(position: Position) -> LinePosition:
    """Return the position. Raise `ValueError` unless it is of five in a row."""
    if not isinstance(position, LinePosition) or position.rules.length != 5:
        raise ValueError("This is not a position of five in a row.")
    return position


class Board:
    """Owns one `kernels.layout.STATE` record. `tables` are its read-only tables; `shared` tells that other threads
    search with the same transposition table, whose mask is `mask`."""

    def __init__(self, tables: Any, mask: int, shared: bool = False) -> None:
        self.tables = tables
        self.state = new_record(STATE)
        self.state.mask, self.state.shared = mask, int(shared)

    def set(self, position: LinePosition) -> None:
        """Set up `position` by making its moves in any order, but the last one last, and clear the counters and the
        stop."""
        st, size = self.state, position.rules.width
        reset(st, self.tables)
        stones = [(stone, cell) for cell, stone in enumerate(position.cells) if stone]
        stones.sort(key=lambda item: item[1] == position.last)
        for stone, move in stones:
            st.side = stone - 1
            make(st, self.tables, cell_of(move, size))
        st.side = position.turn
        st.nodes = st.hits = st.cuts = st.first_cuts = st.stop = st.deepest = 0

    def halt(self) -> None:
        """Stop the search; any thread may call it."""
        self.state.stop = 1

    def counters(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return several fields of the state, by name, in one read, which is several times as fast as one by one."""
        if COMPILED:
            values: tuple[int, ...] = self.state[list(names)].item()
            return values
        return tuple(int(getattr(self.state, name)) for name in names)

    def kinds(self, side: int) -> npt.NDArray[np.uint8]:
        """Return the class of the patterns that a stone of `side` would make on each cell of the padded board; 0 on a
        stone."""
        return (np.array(self.state.kind, np.uint8) >> np.uint8(KIND_BITS * side)) & np.uint8(KIND_MASK)

    def clear_memory(self, age: int) -> None:
        """Clear history, counter-moves and killers, and begin a new `age` of the transposition table."""
        st = self.state
        st.age = age
        for field in (st.history, st.counter, st.killers):
            fill(field, [0] * len(field))

    def learn_from(self, other: Board) -> None:
        """Copy history and counter-moves of the `other` board, whose search may be running."""
        mine, theirs = self.state, other.state
        fill(mine.history, list(theirs.history))
        fill(mine.counter, list(theirs.counter))

    def line(self) -> list[int]:
        """Return the principal variation of the last search, as cells of the padded board."""
        return [int(self.state.pv[i]) for i in range(int(self.state.pv_length[0]))]
