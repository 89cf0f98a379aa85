"""Compiles the kernels with numba where there is one, and lets the same source run interpreted where not.

Compiled kernels work on one numpy record each, so that a kernel is passed a pointer; interpreted ones work on
an object with lists, which Python reads several times faster than arrays.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from ai.gomoku import bundle
from games.storage import cache_home

F = TypeVar("F", bound=Callable[..., Any])

SOURCES = ("kernels.py", "patterns.py", "jit.py")


def cache_folder() -> Path:
    """Where compiled kernels are kept: another folder for each state of the sources, because numba does not
    notice when a kernel that another one calls has changed."""
    here = Path(__file__).parent
    stamp = hashlib.sha256()
    for name in SOURCES:
        source = here / name
        stamp.update(source.read_bytes() if source.exists() else b"")
    return cache_home() / f"kernels-{stamp.hexdigest()[:12]}"


def _load_numba() -> Any:
    """numba, or None where it is missing or TENGEN_INTERPRETED is set."""
    if os.environ.get("TENGEN_INTERPRETED"):
        return None
    os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))
    os.environ.setdefault("NUMBA_SLP_VECTORIZE", "1")  # four words are then added at once (kernels.sum_up)
    try:
        import numba
    except ImportError:
        return None
    bundle.prepare(numba)
    return numba


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


made: list[str] = []
"""The kernels that there are so far: compiling them takes a while, and someone may be waiting."""

NUMBA = _load_numba()
COMPILED = NUMBA is not None
BUNDLED = COMPILED and bundle.usable()
"""The kernels came with the program, compiled."""

KEPT = COMPILED and (BUNDLED or _writable(Path(NUMBA.config.CACHE_DIR)))
"""What is compiled is there at the next start."""


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
        made.append(function.__name__)
        if not COMPILED:
            return function
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
