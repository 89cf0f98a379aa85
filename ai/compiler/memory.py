"""Large integer tables in anonymous memory maps, returned to the system as soon as a table is freed."""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import Any

import numpy as np

from ai.compiler.jit import COMPILED, new_array


def new_table(length: int) -> Any:
    """Return a zeroed array of int64 that takes no memory before it is written to. Raise `MemoryError`.

    malloc would keep freed blocks of this size in its heap, which then fragments: a process that creates one engine
    after another would grow without bound.
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
    with suppress(AttributeError, OSError):  # where supported: fewer TLB misses
        pages.madvise(mmap.MADV_HUGEPAGE)
    return pages
