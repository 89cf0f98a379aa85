"""Compile the kernels with numba, or run the same source interpreted where numba is missing; and their tables.

Compiled kernels work on numpy records, passed as pointers. Interpreted ones work on an object with lists, which
Python reads several times faster than arrays. Importing this module waits for the compilation (`compilation.ensure`).
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from ai.system.compiler import cache, compilation

F = TypeVar("F", bound=Callable[..., Any])

compilation.ensure()
NUMBA = cache.load_numba()
COMPILED = NUMBA is not None
CACHED = COMPILED and cache.place is not None
"""Whether compiled kernels are stored for the next start."""


listener: Callable[[str], object] | None = None
"""Called with the name of each kernel before it is compiled or loaded."""


def record_type(dtype: np.dtype[Any]) -> Any:
    """Return the type of a record in a kernel's signature."""
    return NUMBA.from_dtype(dtype) if COMPILED else None


def array_type() -> Any:
    """Return the type of a one-dimensional int64 array in a kernel's signature."""
    return NUMBA.types.Array(NUMBA.int64, 1, "C") if COMPILED else None


def kernel(*arguments: Any) -> Callable[[F], F]:
    """Decorate a kernel that takes `arguments` (types; int stands for an integer) and returns an integer.

    Every kernel has one explicit signature: with several, a recursive kernel fails when loaded from the cache
    (numba issue 6061).
    """

    def decorate(function: F) -> F:
        if not COMPILED:
            return function
        if listener is not None:
            listener(function.__name__)
        integer = NUMBA.int64
        types = [integer if argument is int else argument for argument in arguments]
        compiled: F = NUMBA.njit(integer(*types), cache=CACHED, nogil=True, error_model="numpy")(function)
        return compiled

    return decorate


def new_record(dtype: np.dtype[Any]) -> Any:
    """Return a record of zeros: a numpy record when compiled, else an object with lists and integers."""
    if COMPILED:
        return np.zeros(1, dtype).view(np.recarray)[0]
    record = SimpleNamespace()
    for name in dtype.names or ():
        shape = dtype[name].shape
        setattr(record, name, [0] * shape[0] if shape else 0)
    return record


def new_array(length: int) -> Any:
    """Return zeros: a NumPy array of int64 for compiled kernels, a list for interpreted ones."""
    return np.zeros(length, np.int64) if COMPILED else [0] * length


def fill(field: Any, values: Any) -> None:
    """Write `values` to the beginning of an array field of a record."""
    if COMPILED:
        field[: len(values)] = values
    else:
        field[: len(values)] = [int(value) for value in values]


# Large integer tables in anonymous memory maps, returned to the system as soon as a table is freed.


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
    """Anonymous memory, with huge pages where the system has them."""
    if not hasattr(mmap, "MAP_ANONYMOUS"):  # Windows
        return mmap.mmap(-1, size)
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(AttributeError, OSError):  # where supported: fewer TLB misses
        pages.madvise(mmap.MADV_HUGEPAGE)
    return pages
