"""Solve all Connect Four positions of so many discs, and add them and all earlier ones to the book.

    nice -n 19 python -m ai.lab.make_connect4_book --discs 8 --threads 2 --memory-mb 2048

It takes hours: the book is saved every minute, and the program goes on where it was interrupted. The positions come in
the order in which a search from the empty board meets them, the centre first: what is done settles whole openings.
"""

from __future__ import annotations

import argparse
import io
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ai.solvers import connect4
from ai.solvers.connect4 import BOOK
from ai.solvers.connect4_kernels import (
    BOARD,
    BOTTOM,
    CELLS,
    HEIGHT,
    NO_LIMIT,
    STATE,
    STEP,
    UNKNOWN,
    WIDTH,
    key_of,
    solve,
    winning_cells,
)
from ai.system.compiler.jit import new_record, new_table
from games.storage import write_atomic

_EVERY = 60.0  # seconds between two saves
_MOST = CELLS // 2
_CENTRE_FIRST = sorted(range(WIDTH), key=lambda column: abs(column - WIDTH // 2))


def position_of(key: int) -> tuple[int, int]:
    """Return the discs of the side to move, and all discs, of the position with that key."""
    own = filled = 0
    for column in range(WIDTH):
        bits = key >> STEP * column & (1 << STEP) - 1
        height = (bits + 1).bit_length() - 1
        filled |= (1 << height) - 1 << STEP * column
        own |= bits - (1 << height) + 1 << STEP * column
    return own, filled


def wins_at_once(key: int) -> bool:
    own, filled = position_of(key)
    return bool(winning_cells(own, filled) & (filled + BOTTOM))


def replies(key: int) -> Iterator[int]:
    """Yield the keys of the positions after each move that does not win, central moves first."""
    own, filled = position_of(key)
    playable = (filled + BOTTOM) & BOARD & ~winning_cells(own, filled)
    for column in _CENTRE_FIRST:
        move = playable & (1 << HEIGHT) - 1 << STEP * column
        if move:
            yield int(key_of(own ^ filled, filled | move, 0))


def layers(discs: int) -> list[list[int]]:
    """Return the keys of all positions of 0 … `discs` discs in which no side has won or wins with the next move."""
    found: list[dict[int, None]] = [{} for _ in range(discs + 1)]
    seen = set[int]()

    def visit(key: int, depth: int) -> None:
        if key in seen:
            return
        seen.add(key)
        if not wins_at_once(key):
            found[depth][key] = None
        if depth < discs:
            for reply in replies(key):
                visit(reply, depth + 1)

    visit(0, 0)
    return [list(layer) for layer in found]


def derived(book: Mapping[int, int], earlier: list[list[int]]) -> dict[int, int]:
    """Return the book with those of the positions of `earlier` layers whose replies are all known."""
    known = dict(book)

    def after(key: int, lost: int) -> Iterator[int | None]:
        for reply in replies(key):
            if wins_at_once(reply):
                yield lost
            else:
                yield -known[reply] if reply in known else None

    for discs, layer in reversed(list(enumerate(earlier))):
        for key in layer:
            values = list(after(key, -((CELLS - discs) // 2)))
            if None not in values:
                known[key] = max(value for value in values if value is not None)
    return known


def save(values: Mapping[int, int], file: Path) -> None:
    """Write a book that `ai.solvers.connect4.book` can read. Raise `OSError`."""
    keys, packed = sorted(values), io.BytesIO()
    steps = np.diff(np.array(keys, np.int64), prepend=0)
    np.savez_compressed(packed, steps=steps, values=np.array([values[key] for key in keys], np.int8))
    write_atomic(file, packed.getvalue())


class Solving:
    """Solve positions on threads that share one table, until `stop`."""

    def __init__(self, threads: int, memory_mb: int) -> None:
        self._table = new_table(memory_mb << 17)
        self._pool = ThreadPoolExecutor(threads)
        self._states: list[Any] = []
        self._own = threading.local()
        self._stopped = False

    def values(self, keys: list[int]) -> Iterator[tuple[int, int]]:
        """Yield each key with its value."""
        yield from zip(keys, self._pool.map(self._solve, keys), strict=True)

    def _solve(self, key: int) -> int:
        if not hasattr(self._own, "state"):
            self._own.state = new_record(STATE)
            self._own.state.node_limit = NO_LIMIT
            self._states.append(self._own.state)
        return UNKNOWN if self._stopped else int(solve(self._own.state, self._table, *position_of(key), -_MOST, _MOST))

    def stop(self) -> None:
        self._stopped = True
        for state in self._states:
            state.stop = 1
        self._pool.shutdown(cancel_futures=True)


def make(discs: int, threads: int, memory_mb: int, file: Path = BOOK) -> None:
    """Add all positions of up to `discs` discs to the book in `file`."""
    *earlier, last = layers(discs)
    known = dict(connect4.book(file))
    unknown = [key for key in last if key not in known]
    print(f"{len(last)} positions of {discs} discs, {len(unknown)} to be solved", flush=True)
    solving = Solving(threads, memory_mb)
    began = saved = time.monotonic()
    try:
        for number, (key, value) in enumerate(solving.values(unknown), 1):
            known[key] = value
            if time.monotonic() - saved > _EVERY:
                save(derived(known, earlier), file)
                saved = time.monotonic()
                print(f"{number} of {len(unknown)}, {(saved - began) / number:.3f} s each", flush=True)
    finally:
        solving.stop()
        save(derived(known, earlier), file)
    print(f"{time.monotonic() - began:.0f} s, {file.stat().st_size} bytes", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m ai.lab.make_connect4_book", description="Make the book of solved Connect Four positions."
    )
    parser.add_argument("--discs", type=int, default=8, help="solve all positions of so many discs")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory-mb", type=int, default=1024, help="the size of the table")
    parser.add_argument("--file", type=Path, default=BOOK, help="the book")
    options = parser.parse_args()
    make(options.discs, options.threads, options.memory_mb, options.file)


if __name__ == "__main__":
    main()
