"""The compiled kernels that the packaged program brings along, so that its first move waits for no compiler.

numba finds compiled code again by the path of its source and a hash of the program, and checks that it could
write beside it: none of which survives that the program's folder is moved, or belongs to someone else. So the
packaged program names the place itself, and compiles for a processor that nearly everyone's is a kind of.
`ai.gomoku.pack` fills the folder when the program is packaged; where it does not fit the machine, kernels are
compiled into the user's cache as ever.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = "ai/gomoku/compiled"
"""In the packaged program."""

ABOUT = "about.json"
"""What the code in the folder was compiled with, and for: see `_description`."""

_STAMP = "tengen"  # numba asks for the state of the source; here the folder is made anew for each
_PROCESSORS = {"x86_64": "x86-64-v2", "amd64": "x86-64-v2", "aarch64": "generic", "arm64": "generic"}
_NEEDED = {"x86-64-v2": ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"), "generic": ()}

filling: Path | None = None
"""The folder that `ai.gomoku.pack` fills; set before any kernel is made."""


def folder() -> Path | None:
    """Where the packaged program has, or gets, its compiled kernels; None when it is run from its sources."""
    if filling is not None or not getattr(sys, "frozen", False):
        return filling
    return Path(getattr(sys, "_MEIPASS", Path(sys.executable).parent), FOLDER)


def prepare(numba: Any) -> None:
    """Sets numba up for the folder, before it makes anything. Not by way of the environment, which players that
    are programs of their own would inherit, and some have a numba of their own."""
    if folder() is None:
        return
    numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"
    processor = _PROCESSORS.get(platform.machine().lower())
    if processor is not None and _has(_NEEDED[processor]):
        numba.config.CPU_NAME, numba.config.CPU_FEATURES = processor, ""


def _has(features: tuple[str, ...]) -> bool:
    """Whether this processor has all of `features`: code that uses others would end the program."""
    from llvmlite import binding

    found = binding.get_host_cpu_features()
    return all(found.get(feature, False) for feature in features)


def _description() -> list[str]:
    """What has to be the same for numba to find what is in the folder: its version, system, processor."""
    import numba
    from numba.core.registry import cpu_target

    return [numba.__version__, *cpu_target.target_context.codegen().magic_tuple()]


@cache
def usable() -> bool:
    """Whether there are compiled kernels in the folder for what this is running on. If numba were left to find
    out that there are none, it would write some there."""
    place = folder()
    if place is None or filling is not None:
        return filling is not None
    try:
        about = json.loads((place / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(about == _description())


def finish() -> None:
    """Ends the filling of the folder: from now on it is usable, if there is anything in it."""
    if filling is not None and any(filling.glob("*.nbi")):
        (filling / ABOUT).write_text(json.dumps(_description()), encoding="utf-8")


class Locator:
    """Tells numba where it has and keeps the compiled form of a kernel; it makes one for each. Has the methods of
    numba's own locators, but is not derived from them, since numba is imported late."""

    def __init__(self, place: Path) -> None:
        self._place = place

    @classmethod
    def from_function(cls, _function: Callable[..., Any], _file: str) -> Locator:
        import numba

        config: Any = numba.config
        bundled = folder() if usable() else None
        return cls(bundled or Path(config.CACHE_DIR))

    def get_cache_path(self) -> str:
        return str(self._place)

    def get_source_stamp(self) -> str:
        return _STAMP

    def get_disambiguator(self) -> str:
        """Nothing: no two kernels have the same name."""
        return ""

    def ensure_cache_path(self) -> None:
        self._place.mkdir(parents=True, exist_ok=True)
