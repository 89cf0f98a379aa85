"""What kernels are written with: the decorator, the types of parameters, records and tables.

Kernels work on numpy records, passed as pointers. Interpreted ones work on an object with lists, which Python reads
several times faster than arrays. Importing this module waits for a compilation (`compilation.ensure`).
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from ai.system.compiler import cache as folders
from ai.system.compiler import compilation, native
from ai.system.compiler.backend import Backend, backend, library
from ai.system.compiler.native import ArrayParameter, Kernel, Parameter, RecordParameter

F = TypeVar("F", bound=Callable[..., Any])

compilation.ensure()
LIBRARY = library()
NUMBA: Any = folders.load_numba() if backend() is Backend.NUMBA else None
COMPILED = backend() is not Backend.INTERPRETED
CACHED = NUMBA is not None and folders.place is not None
"""Whether kernels compiled by numba are stored for the next start."""


KERNELS: dict[str, Kernel] = {}
"""All kernels that have been imported, by name. A name is unique."""

listener: Callable[[str], object] | None = None
"""Called with the name of each kernel before numba compiles or loads it."""


def kernel(*parameters: Parameter) -> Callable[[F], F]:
    """Decorate a kernel that takes `parameters` (int stands for an integer) and returns an integer.

    Every kernel has one explicit signature: with several, a recursive kernel fails when loaded from the cache
    (numba issue 6061).
    """

    def decorate(function: F) -> F:
        """Return `function` to be called natively, compiled by numba or interpreted, and list it in `KERNELS`."""
        made: Any = function
        if LIBRARY is not None:
            made = LIBRARY.bind(function, parameters)
        elif NUMBA is not None:
            made = _with_numba(function, parameters)
        KERNELS[function.__name__] = Kernel(made, parameters)
        return made  # type: ignore[no-any-return]

    return decorate


def _with_numba(function: Callable[..., Any], parameters: tuple[Parameter, ...]) -> Any:
    """Return `function` compiled by numba for the one signature of `parameters`, or loaded from its cache. Call
    `listener` first. The kernel releases the GIL."""
    if listener is not None:
        listener(function.__name__)
    signature = NUMBA.int64(*(numba_type(NUMBA, each) for each in parameters))
    return NUMBA.njit(signature, cache=CACHED, nogil=True, error_model="numpy")(function)


_PREFETCH = "llvm.prefetch.p0"


def _make_prefetch(numba: Any) -> Callable[[Any, int], int]:
    """Return the function `prefetch` for kernels that numba compiles: LLVM's instruction, which cannot fail."""
    from llvmlite import ir
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def prefetch(_context: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            items = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            word = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
            function = builder.module.globals.get(_PREFETCH) or ir.Function(builder.module, kind, _PREFETCH)
            place = builder.bitcast(builder.gep(items, [arguments[1]]), cgutils.voidptr_t)
            builder.call(function, [place, word(0), word(3), word(1)])  # to read, into all caches, data
            return context.get_constant(signature.return_type, 0)

        return numba.int64(array, index), generate

    return prefetch  # type: ignore[return-value]


def _no_prefetch(_array: Any, _index: int) -> int:
    return 0


prefetch: Callable[[Any, int], int] = _no_prefetch if NUMBA is None else _make_prefetch(NUMBA)
"""Have the element of an array at an index brought into the cache, while other work is done. Only for kernels."""


def numba_type(numba: Any, parameter: Parameter) -> Any:
    """Return what numba calls a parameter of a kernel."""
    if isinstance(parameter, RecordParameter):
        return _record_type(numba, parameter)
    return numba.types.Array(numba.int64, 1, "C") if isinstance(parameter, ArrayParameter) else numba.int64


@cache
def _record_type(numba: Any, parameter: RecordParameter) -> Any:
    """Return the numba type of a record, made once for each parameter."""
    return numba.from_dtype(parameter.dtype)


def new_record(dtype: np.dtype[Any]) -> Any:
    """Return a record of zeros: a numpy record when compiled, else an object with lists and integers."""
    if COMPILED:
        return native.new_record(dtype)
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
