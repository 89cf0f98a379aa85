"""Choose how the kernels run, in this one place: a native library, numba, or the interpreter.

The same source runs in all three ways and visits the same nodes. Packages and wheels carry the library, which needs
neither numba nor LLVM. A source install makes it, once on each machine, with numba and a C compiler. Where it has no C
compiler, it keeps what numba has compiled, which is slower; without numba the kernels run interpreted, about a hundred
times slower.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from functools import cache
from pathlib import Path

from ai.system.compiler import cache as folders
from ai.system.compiler import linking, native

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
    reasons = list[native.Unfit]()
    for folder in [Path(wanted)] if wanted not in ("", Backend.NATIVE.value) else _library_folders():
        try:
            return native.load(folder)
        except native.Unfit as error:
            reasons.append(error)
    if wanted:
        raise Unavailable(f"{VARIABLE}={wanted}: {reasons[-1]}") from reasons[-1]
    return None


def _library_folders() -> Iterator[Path]:
    """Yield where a library may be: beside the program, and where this machine keeps the one that it has made."""
    yield native.FOLDER
    with suppress(OSError):
        yield folders.library_folder()


def precompiled() -> bool:
    """Return whether the kernels need no compilation, so that loading them takes a moment only."""
    try:
        return library() is not None
    except Unavailable:
        return False


def compiled_here() -> bool:
    """Return whether the kernels of this process were compiled on this machine. Raise `Unavailable`."""
    found = library()
    return backend() is Backend.NUMBA if found is None else found.file.parents[1] == folders.kernels_home()


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


def choose_again() -> Backend:
    """Choose as if for the first time, since a library may have been made meanwhile. Call it only where no kernel has
    been imported. Raise `Unavailable`."""
    library.cache_clear()
    backend.cache_clear()
    return backend()


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
    """Return why the library beside the program, if there is one, is not used, or why this machine has made none."""
    if os.environ.get(VARIABLE):
        return ""
    if native.FOLDER.exists():
        try:
            native.load(native.FOLDER)
        except native.Unfit as error:
            return f". {error}"
    with suppress(OSError):
        failure = linking.noted_failure(folders.library_folder())
        return f". {failure}" if failure else ""
    return ""
