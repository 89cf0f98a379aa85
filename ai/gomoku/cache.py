"""Where compiled kernels are kept, and whether those that are there can be trusted.

A folder of compiled kernels is named by what went into it: the sources, numba, Python, the processor. A checkout and
an installed copy share it. It is complete once `finish` has listed its files with their checksums, so that a process
that died while it compiled and a file that was damaged later are both noticed before numba reads anything.

numba itself finds compiled code by the path of its source. `Locator` tells it the folder instead.
`ai.gomoku.compilation` fills the folder, and `ai.gomoku.compile_kernels` that of the packaged program.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from games.storage import cache_home

SOURCES = ("jit.py", "patterns.py", "kernels/*.py")
"""Every module that defines kernels, and every one whose constants they use (a test compares)."""

BUNDLE = "ai/gomoku/compiled"
"""The folder of compiled kernels in the packaged program."""

ABOUT = "about.json"
"""In the folder: what the kernels were compiled for, and the checksum of each file."""

_STAMP = "tengen"  # numba asks for the state of the source; here the folder is another one for each
_OPTIONS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE")  # change the code
_PROCESSORS = {"x86_64": "x86-64-v2", "amd64": "x86-64-v2", "aarch64": "generic", "arm64": "generic"}
_NEEDED = {"x86-64-v2": ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"), "generic": ()}

portable = bool(getattr(sys, "frozen", False))
"""Whether to compile for a processor that nearly every other one includes, as the packaged program needs."""

place: Path | None = None
"""The folder from which numba reads kernels and to which it writes them; None to keep nothing."""


class Condition(Enum):
    """Of a folder of compiled kernels."""

    MISSING = "missing"
    DAMAGED = "damaged"
    COMPLETE = "complete"


@cache
def load_numba() -> Any:
    """numba, set up for our folders, or None where it is missing or TENGEN_INTERPRETED is set."""
    if os.environ.get("TENGEN_INTERPRETED"):
        return None
    os.environ.setdefault("NUMBA_SLP_VECTORIZE", "1")  # for kernels.evaluate.update_accumulator
    try:
        import numba
    except ImportError:
        return None
    config: Any = numba.config
    # Not by way of the environment: players that are programs of their own would inherit it.
    config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"
    processor = _PROCESSORS.get(platform.machine().lower())
    if portable and processor is not None and _has(_NEEDED[processor]):
        config.CPU_NAME, config.CPU_FEATURES = processor, ""
    return numba


def _has(features: tuple[str, ...]) -> bool:
    """Whether this processor has all of `features`: code that uses others would end the program."""
    from llvmlite import binding

    found = binding.get_host_cpu_features()
    return all(found.get(feature, False) for feature in features)


def _description() -> list[str]:
    """What has to be the same for compiled kernels to be used again."""
    import numba
    from numba.core.registry import cpu_target

    options = [f"{name}={getattr(numba.config, name, None)!s}" for name in _OPTIONS]
    versions = [platform.python_implementation(), platform.python_version(), numba.__version__]
    return [*versions, *options, *map(str, cpu_target.target_context.codegen().magic_tuple())]


def kernels_home() -> Path:
    """The folder in which the folders of compiled kernels lie: NUMBA_CACHE_DIR, where that is set."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen).absolute() if chosen else cache_home()


def sources() -> list[Path]:
    """The files of `SOURCES`, in an order that is the same everywhere."""
    return [file for pattern in SOURCES for file in sorted(Path(__file__).parent.glob(pattern))]


def cache_folder() -> Path:
    """Where kernels are kept that this machine has compiled."""
    stamp = hashlib.sha256(json.dumps(_description()).encode())
    for source in sources():
        stamp.update(source.read_bytes())
    return kernels_home() / f"kernels-{stamp.hexdigest()[:16]}"


def bundle_folder() -> Path | None:
    """Where the packaged program has its kernels; None when it is run from its sources."""
    if not getattr(sys, "frozen", False):
        return None
    return Path(getattr(sys, "_MEIPASS", Path(sys.executable).parent), BUNDLE)


def complete_folder() -> Path | None:
    """The folder from which kernels can be loaded as they are; None where they have to be compiled first."""
    folders = (bundle_folder(), cache_folder())
    return next((folder for folder in folders if folder and condition(folder) is Condition.COMPLETE), None)


def condition(folder: Path) -> Condition:
    """Whether all that was compiled is in `folder`, byte for byte. Never raises `OSError`."""
    try:
        about = (folder / ABOUT).read_bytes()
    except OSError:
        return Condition.MISSING
    try:
        known = json.loads(about)
        if known["for"] != _description():
            return Condition.MISSING
        whole = bool(known["files"]) and known["files"] == _checksums(folder)
    except (OSError, ValueError, TypeError, KeyError):
        whole = False
    return Condition.COMPLETE if whole else Condition.DAMAGED


def finish(folder: Path) -> None:
    """Declares `folder` complete. Raises `OSError`."""
    about = json.dumps({"for": _description(), "files": _checksums(folder)})
    temporary = folder / f"{ABOUT}.tmp"
    temporary.write_text(about, encoding="utf-8")
    temporary.replace(folder / ABOUT)


def _checksums(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file of numba's in `folder`."""
    files = sorted(file for file in folder.iterdir() if file.suffix in (".nbi", ".nbc"))
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def writable(folder: Path) -> bool:
    """Whether files can be made in `folder`, which is made first."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


class Locator:
    """Tells numba where it finds and keeps the compiled form of a kernel; numba makes one for each. Has the methods
    of numba's own locators, but is not derived from them, since numba is imported late."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def from_function(cls, _function: Callable[..., Any], _file: str) -> Locator | None:
        return None if place is None else cls(place)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return _STAMP

    def get_disambiguator(self) -> str:
        """Nothing: no two kernels have the same name."""
        return ""

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
