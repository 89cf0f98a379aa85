"""The folders of compiled kernels on this machine: their names, their integrity, and how numba finds them.

A folder is named by a hash of what its contents depend on. A checkout and an installed copy share it. One kind has the
native library (`native.load` checks it), the other what numba has compiled for this Python and processor, where there
is no C compiler to link a library. `finish` lists the files of the latter with their checksums, so that an interrupted
compilation and a damaged file are detected before numba reads anything.

numba looks compiled code up by the path of its source; `Locator` directs it to our folder instead.
`ai.gomoku.compile_kernels` fills the folders.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import tempfile
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from ai.system.compiler.native import sources, system
from games.fields import DecodeError, entries, parsed
from games.storage import cache_home, read_regular, write_atomic

ABOUT = "about.json"
"""File in the folder: what the kernels were compiled for, and the checksum of each file."""

_MOST_BYTES = 1 << 30  # of a file in a folder of kernels
_STAMP = "tengen"  # constant: the folder's name already depends on the sources
_LINKING = Path(__file__).with_name("linking.py")
_OPTIONS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE")  # affect generated code

place: Path | None = None
"""The folder that numba reads kernels from and writes them to; None to store nothing."""


class Condition(Enum):
    """Integrity of a folder of compiled kernels."""

    MISSING = "missing"
    DAMAGED = "damaged"
    COMPLETE = "complete"


@cache
def load_numba() -> Any:
    """Import numba and configure it for our folders. Return None if it is missing."""
    os.environ.setdefault("NUMBA_SLP_VECTORIZE", "1")  # for kernels.evaluate.update_accumulator
    try:
        import numba
    except ImportError:
        return None
    config: Any = numba.config
    config.reload_config()  # in case somebody has imported numba without the option above
    # Not in the environment, which external players would inherit.
    config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"
    return numba


def compile_for(processor: str) -> None:
    """Have numba compile for a processor, as LLVM calls it, and not for that of this machine. Call it before anything
    is compiled."""
    config = load_numba().config
    config.CPU_NAME, config.CPU_FEATURES = processor, ""


def _description() -> list[str]:
    """Return what compiled kernels depend on besides their sources."""
    numba = load_numba()
    from numba.core.registry import cpu_target

    options = [f"{name}={getattr(numba.config, name, None)!s}" for name in _OPTIONS]
    versions = [platform.python_implementation(), platform.python_version(), numba.__version__]
    return [*versions, *options, *map(str, cpu_target.target_context.codegen().magic_tuple())]


def kernels_home() -> Path:
    """Return the parent of the kernel folders: NUMBA_CACHE_DIR if set, else our cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen).absolute() if chosen else cache_home()


def library_folder() -> Path:
    """Return the folder for the native library that is made on this machine. Raise `OSError`."""
    stamp = hashlib.sha256(system().encode())
    for source in (*sources(), _LINKING):
        stamp.update(source.read_bytes())
    return kernels_home() / f"library-{stamp.hexdigest()[:16]}"


def cache_folder() -> Path:
    """Return the folder for what numba compiles on this machine."""
    stamp = hashlib.sha256(json.dumps(_description()).encode())
    for source in sources():
        stamp.update(source.read_bytes())
    return kernels_home() / f"kernels-{stamp.hexdigest()[:16]}"


def complete_folder() -> Path | None:
    """Return a folder from which kernels can be loaded; None if they must be compiled first."""
    folder = cache_folder()
    return folder if condition(folder) is Condition.COMPLETE else None


def condition(folder: Path) -> Condition:
    """Check the files of `folder` against their checksums. Never raise `OSError`."""
    try:
        about = read_regular(folder / ABOUT, _MOST_BYTES)
    except OSError:
        return Condition.MISSING
    try:
        listed = entries(parsed(about))
        if listed.get("for") != _description():
            return Condition.MISSING
        intact = bool(listed.get("files")) and listed["files"] == _checksums(folder)
    except (OSError, DecodeError):
        intact = False
    return Condition.COMPLETE if intact else Condition.DAMAGED


def finish(folder: Path) -> None:
    """Mark `folder` complete. Raise `OSError`."""
    write_atomic(folder / ABOUT, json.dumps({"for": _description(), "files": _checksums(folder)}).encode())


def _checksums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each of numba's files in `folder`."""
    files = sorted(file for file in folder.iterdir() if file.suffix in (".nbi", ".nbc"))
    return {file.name: hashlib.sha256(read_regular(file, _MOST_BYTES)).hexdigest() for file in files}


def writable(folder: Path) -> bool:
    """Create `folder` and return whether files can be created in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


class Locator:
    """Tell numba where the compiled code of a kernel is stored; numba creates one for each kernel.

    Has the methods of numba's own locators but does not inherit from them, since numba is imported late.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def from_function(cls, _function: Callable[..., Any], _file: str) -> Locator | None:
        """Called by numba: the locator of our folder, or None where none is writable."""
        return None if place is None else cls(place)

    def get_cache_path(self) -> str:
        """Called by numba: the folder of the compiled kernels."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Called by numba: the stamp of all sources; another one invalidates what is cached."""
        return _STAMP

    def get_disambiguator(self) -> str:
        """Return an empty string: kernel names are unique."""
        return ""

    def ensure_cache_path(self) -> None:
        """Called by numba: create the folder."""
        self._folder.mkdir(parents=True, exist_ok=True)
