"""Import, and thereby compile, the kernels: in this process, into the user's cache folder, or into the native library.

python -m ai.gomoku.compile_kernels FOLDER

makes the library of packages and wheels in a folder (`ai.system.compiler.linking`); in `ai/native` a checkout uses it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ai.system.compiler import cache, compilation, native
from ai.system.compiler.backend import VARIABLE, Backend, backend
from ai.system.compiler.cache import Condition
from games.storage import write_atomic

FILE = Path(__file__).with_name("kernel_costs.json")
COSTS: dict[str, float] = json.loads(FILE.read_bytes())
"""Seconds to compile each kernel, as `ai.lab.kernel_costs` has measured them."""

_NICENESS = 5  # lower priority than the program that waits, which has a window to draw or a move to find


def load(report: compilation.Report) -> None:
    """Import the engine's kernels, and call `report` with the progress if they are compiled, in this process or
    another.

    The solver's kernels are imported when it is first used. Raise `CompilationFailed`, or what a compilation in this
    process raises.
    """
    compilation.ensure(report)
    in_process = cache.place is None and backend() is Backend.NUMBA
    progress = CompileProgress(lambda state: report(state["done"], False) if in_process else None)
    import_engine(progress.begin)


def run() -> int:
    """Run `tengen compile`, at low priority: fill the cache folder unless another process does so first. Return the
    exit status: 0, 1 where kernels are not compiled by numba, or `compilation.NOT_WRITABLE`."""
    if backend() is not Backend.NUMBA:
        return 1
    if sys.platform != "win32":
        os.nice(_NICENESS)
    from filelock import FileLock

    folder = cache.cache_folder()
    try:
        with FileLock(folder.parent / compilation.LOCK):
            if cache.condition(folder) is not Condition.COMPLETE:
                _compile_into(folder)
    except OSError:
        return compilation.NOT_WRITABLE
    return 0


def _compile_into(folder: Path) -> None:
    """Compile all kernels into `folder`, and delete what was in it. Write the progress, or the error, there. Raise
    `OSError`, or what the compilation raises."""
    _use_empty_folder(folder)
    progress = CompileProgress(lambda state: write_progress(folder, state))
    try:
        import_kernels(progress.begin)
    except OSError:
        raise
    except Exception as error:
        write_progress(folder, {"error": f"{type(error).__name__}: {error}"})
        raise
    cache.finish(folder)


def make_library(folder: Path) -> Path:
    """Compile all kernels for any common processor, and link them into a library in `folder`. Return its file.

    Call it in a process of its own, whose environment it changes. Raise `RuntimeError` with a sentence, or `OSError`.
    """
    for name in [name for name in os.environ if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"]:
        del os.environ[name]  # such as bounds checks
    os.environ[VARIABLE] = Backend.NUMBA.value
    cache.processor, *_ = native.processors()
    if run() != 0:  # without a cache: compile them in this process
        cache.place, compilation.ensured = None, True
    else:
        cache.place = cache.cache_folder()
    import_kernels(lambda _name: None)
    from ai.system.compiler import jit, linking

    return linking.link(jit.KERNELS, folder)


def _use_empty_folder(folder: Path) -> None:
    """Delete what is in `folder`, and have compiled kernels stored there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    cache.place = folder


def import_kernels(begin: Callable[[str], object]) -> None:
    """Import the kernels of the engine and of the solvers, which compiles them. Call `begin` with the name of each one
    first."""
    import_engine(begin)
    import ai.gomoku.kernels.guide
    import ai.gomoku.kernels.speed
    import ai.gomoku.kernels.vct
    import ai.solvers.connect4_kernels  # noqa: F401


def import_engine(begin: Callable[[str], object]) -> None:
    """Import the engine's kernels only, and call `begin` with the name of each one first."""
    from ai.system.compiler import jit

    jit.listener = begin
    import ai.gomoku.engine  # noqa: F401


class CompileProgress:
    """Reports the progress of a compilation to `write`, as data for JSON, before each kernel.

    `done` is the share compiled, `step` the share of the kernel begun at the time `at`, and `seconds` its estimated
    duration. `process` is the process that compiles.
    """

    def __init__(self, write: Callable[[dict[str, Any]], object], now: Callable[[], float] = time.time) -> None:
        self._write, self._now = write, now
        self._began = now()
        self._done = self._step = 0.0

    def begin(self, name: str) -> None:
        """Report that the kernel `name` is about to be compiled."""
        self._done += self._step
        self._step = COSTS.get(name, sum(COSTS.values()) / len(COSTS))
        at = self._now()
        speed = (at - self._began) / self._done if self._done else 1.0
        total = max(sum(COSTS.values()), self._done + self._step)  # more with a kernel that was not measured
        state = {"done": self._done / total, "step": self._step / total, "at": at, "seconds": self._step * speed}
        self._write(state | {"process": os.getpid()})


def write_progress(folder: Path, state: dict[str, Any]) -> None:
    """Replace the progress file in `folder` atomically; ignore failures."""
    with contextlib.suppress(OSError):  # on Windows: another process reads it
        write_atomic(folder / compilation.PROGRESS, json.dumps(state).encode())


if __name__ == "__main__":
    print(make_library(Path(sys.argv[1]).absolute()))
