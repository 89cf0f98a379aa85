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

from ai.system.compiler import cache as folders
from ai.system.compiler import native

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


def precompiled() -> bool:
    """Return whether the kernels need no compilation, so that loading them takes a moment only."""
    try:
        return library() is not None
    except Unavailable:
        return False


@cache
def backend() -> Backend:
    """Return how the kernels of this process run. Raise `Unavailable`."""
    if library() is not None:
        return Backend.NATIVE
    wanted = os.environ.get(VARIABLE, "")
    if wanted != Backend.INTERPRETED.value and folders.load_numba() is not None:
        return Backend.NUMBA
    if wanted == Backend.NUMBA.value:
        raise Unavailable(f"{VARIABLE}={wanted}: numba is not installed.")
    return Backend.INTERPRETED


def describe() -> str:
    """Return how the kernels run, and where from, for problem reports."""
    try:
        chosen, found = backend(), library()
    except Unavailable as error:
        return str(error)
    if found is not None:
        return f"native library {found.file}, for {found.processor}"
    if chosen is Backend.INTERPRETED:
        return f"interpreted{_why_not_native()}"
    place = folders.complete_folder()
    if place is not None:
        return f"numba, compiled, kept in {place}{_why_not_native()}"
    writable = folders.writable(folders.kernels_home())
    return f"numba, {'not compiled yet' if writable else 'compiled anew at each start'}{_why_not_native()}"


def _why_not_native() -> str:
    """Return why the library beside the program, if there is one, is not used."""
    if not native.FOLDER.exists() or os.environ.get(VARIABLE):
        return ""
    try:
        native.load(native.FOLDER)
    except native.Unfit as error:
        return f". {error}"
    return ""
