"""Choose how the kernels run, in this one place: a native library, numba, or the interpreter.

The same source runs in all three ways and visits the same nodes. Packages and wheels carry the library, which needs
neither numba nor LLVM. A source install without a library that fits compiles the kernels with numba, once on each
machine; without numba they run interpreted, about a hundred times slower.
"""

from __future__ import annotations

import os
from enum import Enum
from functools import cache
from pathlib import Path

from ai.system.compiler import native
from ai.system.compiler.cache import load_numba

VARIABLE = "TENGEN_KERNELS"
"""The environment variable that names a `Backend`, or the folder of a library to use."""


class Backend(Enum):
    """How kernels run."""

    NATIVE = "native"
    NUMBA = "numba"
    INTERPRETED = "interpreted"


class Unavailable(RuntimeError):
    """The backend that `VARIABLE` asks for is not available; `str(error)` is one sentence."""


@cache
def library() -> native.Library | None:
    """Return the native library that the kernels run in, None if they run in another way. Raise `Unavailable`."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted in (Backend.NUMBA.value, Backend.INTERPRETED.value):
        return None
    asked = bool(wanted)
    try:
        return native.load(Path(wanted) if asked and wanted != Backend.NATIVE.value else native.FOLDER)
    except native.Unfit as error:
        if asked:
            raise Unavailable(f"{VARIABLE}={wanted}: {error}") from error
        return None


@cache
def backend() -> Backend:
    """Return how the kernels of this process run. Raise `Unavailable`."""
    if library() is not None:
        return Backend.NATIVE
    wanted = os.environ.get(VARIABLE, "")
    if wanted != Backend.INTERPRETED.value and load_numba() is not None:
        return Backend.NUMBA
    if wanted == Backend.NUMBA.value:
        raise Unavailable(f"{VARIABLE}={wanted}: numba is not installed.")
    return Backend.INTERPRETED
