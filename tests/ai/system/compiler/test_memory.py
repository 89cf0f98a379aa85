"""The transposition table's memory: zeroed at first, and freed with its engine."""

from __future__ import annotations

import psutil
import pytest

from ai.system.compiler.jit import COMPILED, new_table

MEGABYTES = 1 << 17  # numbers in one
SIZE = 16


def resident() -> float:
    return psutil.Process().memory_info().rss / 2**20


@pytest.mark.skipif(not COMPILED, reason="lists are Python's")
def test_a_process_that_made_one_engine_after_the_other_grew() -> None:
    """The heap kept freed tables, and small blocks that came to lie between them kept the heap."""
    new_table(31 * MEGABYTES)  # freed: glibc now takes blocks up to this size from its heap
    before, blocks = resident(), []
    for number in range(8):
        table = new_table((SIZE + number) * MEGABYTES)  # larger each time: no gap of an earlier one will do
        assert not table.any()
        table[:] = number
        blocks.append(bytearray(100_000))
        del table
    assert resident() - before < SIZE


def test_a_table_that_is_too_large_is_a_memory_error() -> None:
    with pytest.raises(MemoryError):
        new_table(1 << 62)
