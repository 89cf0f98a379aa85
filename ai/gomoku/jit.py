"""Compiles the kernels with numba where there is one, and lets the same source run interpreted where not.

Compiled kernels work on one numpy record each, so that a kernel is passed a pointer; interpreted ones work on
an object with lists, which Python reads several times faster than arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from ai.gomoku import cache, compilation

F = TypeVar("F", bound=Callable[..., Any])

compilation.ensure()
NUMBA = cache.load_numba()
COMPILED = NUMBA is not None
KEPT = COMPILED and cache.place is not None
"""What is compiled is there at the next start."""


def _ignore(_name: str) -> None:
    """Nobody waits."""


listener: Callable[[str], object] = _ignore
"""Called with the name of each kernel before it is compiled or loaded."""


def record_type(dtype: np.dtype[Any]) -> Any:
    """The type of a record in a kernel's signature."""
    return NUMBA.from_dtype(dtype) if COMPILED else None


def array_type() -> Any:
    """The type of a one-dimensional array of int64 in a kernel's signature."""
    return NUMBA.types.Array(NUMBA.int64, 1, "C") if COMPILED else None


def kernel(*arguments: Any) -> Callable[[F], F]:
    """Decorates a kernel that takes `arguments` (types; int stands for an integer) and returns an integer.

    The signature is explicit for every kernel: with more than one, a recursive kernel does not survive its
    own cache (numba issue 6061).
    """

    def decorate(function: F) -> F:
        if not COMPILED:
            return function
        listener(function.__name__)
        integer = NUMBA.int64
        types = [integer if argument is int else argument for argument in arguments]
        compiled: F = NUMBA.njit(integer(*types), cache=KEPT, nogil=True, error_model="numpy")(function)
        return compiled

    return decorate


def new_record(dtype: np.dtype[Any]) -> Any:
    """A record of zeros: of numpy when compiled, of lists and integers when interpreted."""
    if COMPILED:
        return np.zeros(1, dtype).view(np.recarray)[0]
    made = SimpleNamespace()
    for name in dtype.names or ():
        shape = dtype[name].shape
        setattr(made, name, [0] * shape[0] if shape else 0)
    return made


def new_array(length: int) -> Any:
    return np.zeros(length, np.int64) if COMPILED else [0] * length


def fill(field: Any, values: Any) -> None:
    """Writes `values` over the beginning of an array field of a record."""
    if COMPILED:
        field[: len(values)] = values
    else:
        field[: len(values)] = [int(value) for value in values]
