"""Large tables of numbers, in pages that the system gets back as soon as a table is dropped."""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import Any

import numpy as np

from ai.gomoku.jit import COMPILED, new_array


def new_table(length: int) -> Any:
    """Like `jit.new_array`, for megabytes: zeros that take no memory before they are written to.

    The allocator of the C library keeps blocks of this size in its heap once some have been freed. Smaller blocks then
    come to lie between them, and a process that makes one engine after the other grows for ever.

    Raises `MemoryError`.
    """
    if not COMPILED:
        return new_array(length)
    try:
        pages = _pages(8 * length)
    except (OSError, OverflowError) as error:
        raise MemoryError(length) from error
    return np.frombuffer(pages, np.int64)


def _pages(size: int) -> mmap.mmap:
    if not hasattr(mmap, "MAP_ANONYMOUS"):  # Windows
        return mmap.mmap(-1, size)
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(AttributeError, OSError):  # where the system has them: fewer misses of the address cache
        pages.madvise(mmap.MADV_HUGEPAGE)
    return pages
