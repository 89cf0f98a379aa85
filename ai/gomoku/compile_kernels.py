"""Compile the kernels by importing them: in this process, or once on each machine, to keep what is compiled.

python -m ai.gomoku.compile_kernels FOLDER

makes the library of packages and wheels in a folder (`ai.system.compiler.linking`); in `ai/native` a checkout uses it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ai.system.compiler import cache, compilation, linking, native
from ai.system.compiler.backend import VARIABLE, Backend, backend, choose_again
from ai.system.compiler.cache import Condition
from games.storage import write_atomic

FILE = Path(__file__).with_name("kernel_costs.json")
COSTS: dict[str, float] = json.loads(FILE.read_bytes())
"""Seconds to compile each kernel, as `ai.lab.kernel_costs` has measured them."""

_LINKING, _LINK_SECONDS = "linking", 2.7
"""The last step of making a library, and its cost beside those of the kernels."""

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
    """Run `tengen compile`, at low priority, unless another process has done so: make the native library, or fill the
    folder of numba's where there is to be no library.

    Return the exit status: 0, 1 where the kernels need no compilation, or `compilation.NOT_WRITABLE`. It is 0 also if
    the library cannot be linked. That is noted, and the next process turns to numba.
    """
    linked = compilation.makes_library()
    if linked:
        _drop_options()
    if backend() is not Backend.NUMBA:
        return 1
    if sys.platform != "win32":
        os.nice(_NICENESS)
    from filelock import FileLock

    try:
        with FileLock(cache.kernels_home() / compilation.LOCK):
            if not linked:
                _compile_into(cache.cache_folder())
            elif choose_again() is Backend.NUMBA and compilation.makes_library():
                _make_library_in(cache.library_folder())
    except OSError:
        return compilation.NOT_WRITABLE
    return 0


def _drop_options() -> None:
    """Drop options of numba that a library must not have, such as bounds checks. Call it before numba is imported."""
    for name in [name for name in os.environ if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"]:
        del os.environ[name]


def _compile_into(folder: Path) -> None:
    """Compile all kernels into `folder` unless it is complete, and delete what was in it. Write the progress, or the
    error. Raise `OSError`, or what the compilation raises."""
    if cache.condition(folder) is Condition.COMPLETE:
        return
    _use_empty_folder(folder)
    with _noted(COSTS) as begin:
        import_kernels(begin)
    cache.finish(folder)


def _make_library_in(folder: Path) -> None:
    """Make a library in place of what `folder` has, or note that it cannot be linked. Write the progress, or the error.
    Raise `OSError`, or what the compilation raises."""
    with _noted(COSTS | {_LINKING: _LINK_SECONDS}) as begin:
        _compile_for_library(begin)
        begin(_LINKING)
        try:
            with tempfile.TemporaryDirectory(dir=folder.parent) as place:
                made = Path(place, folder.name)
                _link(made)
                shutil.rmtree(folder, ignore_errors=True)
                made.rename(folder)  # whole from the beginning, for those who wait for it
            native.load(folder)
        except Exception as error:  # whatever the tools of this machine do, numba may still work
            linking.note_failure(folder, error)


@contextmanager
def _noted(costs: dict[str, float]) -> Iterator[Callable[[str], object]]:
    """Provide what notes the progress of a compilation of these `costs`, for those who wait for it. Note an exception,
    too."""
    home = cache.kernels_home()
    try:
        yield CompileProgress(lambda state: write_progress(home, state), costs=costs).begin
    except OSError:
        raise
    except Exception as error:
        write_progress(home, {"error": f"{type(error).__name__}: {error}"})
        raise


def make_library(folder: Path) -> Path:
    """Compile all kernels for any common processor, and link them into a library in `folder`. Return its file.

    Call it in a process of its own, whose environment it changes. Raise `RuntimeError` with a sentence, or `OSError`.
    """
    linking.c_compiler()
    _drop_options()
    os.environ[VARIABLE] = Backend.NUMBA.value
    backend()
    _compile_for_library(lambda _name: None)
    return _link(folder)


def _compile_for_library(begin: Callable[[str], object]) -> None:
    """Compile all kernels in this process, for any common processor, and keep nothing."""
    cache.compile_for(native.processors()[0])
    cache.place, compilation.ensured = None, True
    import_kernels(begin)


def _link(folder: Path) -> Path:
    """Link the compiled kernels into a library in `folder`, and return its file."""
    from ai.system.compiler import jit

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

    def __init__(
        self, write: Callable[[dict[str, Any]], object], now: Callable[[], float] = time.time,
        costs: dict[str, float] = COSTS,
    ) -> None:  # fmt: skip
        self._write, self._now, self._costs = write, now, costs
        self._began = now()
        self._done = self._step = 0.0

    def begin(self, name: str) -> None:
        """Report that the kernel `name`, or another step of the costs, is about to be done."""
        known = sum(self._costs.values())
        self._done += self._step
        self._step = self._costs.get(name, known / len(self._costs))
        at = self._now()
        speed = (at - self._began) / self._done if self._done else 1.0
        total = max(known, self._done + self._step)  # more with a kernel that was not measured
        state = {"done": self._done / total, "step": self._step / total, "at": at, "seconds": self._step * speed}
        self._write(state | {"process": os.getpid()})


def write_progress(home: Path, state: dict[str, Any]) -> None:
    """Replace the progress file in `home` atomically; ignore failures."""
    with suppress(OSError):  # on Windows: another process reads it
        write_atomic(home / compilation.PROGRESS, json.dumps(state).encode())


if __name__ == "__main__":
    print(make_library(Path(sys.argv[1]).absolute()))
