"""Wait for the kernels of a source install, which a process of its own compiles once on each machine.

Whoever needs the kernels calls `ensure`. The first caller starts `tengen compile`; others wait for the same process.
It outlives its parent: a manager that kills its engine after every short game finds compiled kernels in the next one.
A lock file lets one process compile at a time; the system releases it when that process dies.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ai.system.compiler import cache, linking, native
from ai.system.compiler.backend import VARIABLE, Backend, backend, choose_again
from ai.system.compiler.cache import Condition
from ai.system.programs import ourselves
from games.fields import DecodeError, checked, number, parsed, text, whole, with_valid
from games.storage import lock, read_regular

COMMAND = "compile"
"""The hidden subcommand that runs `ai.gomoku.compile_kernels.run`."""

LOCK = "compile.lock"
PROGRESS = "progress.json"
NOT_WRITABLE = 3
"""Exit status: the folder cannot be written."""

Report = Callable[[float, bool], object]
"""Called with the share compiled, from 0 to 1, and whether this replaces damaged kernels."""

_MOST_BYTES = 1 << 16  # of the progress
_ATTEMPTS = 2
_POLL = 0.1  # seconds
_MAX_PROGRESS = 0.99  # until the process has finished

_log = logging.getLogger(__name__)
ensured = False


class CompilationFailed(RuntimeError):
    """The kernels cannot be compiled; `str(error)` is one sentence."""


def ensure(report: Report = lambda _share, _again: None) -> None:
    """Block until the kernels can be imported quickly: from a native library, or from the folder of numba's, which
    `cache.place` is set to.

    Leave it None, so that this process compiles them for itself, where no folder can be written or no process be
    started. Call `report` during a compilation. Raise `CompilationFailed`, or `backend.Unavailable`.
    """
    global ensured  # noqa: PLW0603
    if not ensured and cache.place is None and backend() is Backend.NUMBA:
        cache.place = cache.complete_folder()
        if cache.place is None or makes_library():
            _compile(report)
            cache.place = cache.complete_folder() if backend() is Backend.NUMBA else None
    ensured = True


def makes_library() -> bool:
    """Return whether a compilation is to make a native library: this machine can, has not failed to, and nobody has
    asked for numba. Call it where no library fits."""
    asked = os.environ.get(VARIABLE) == Backend.NUMBA.value
    return not asked and linking.can_link() and not linking.noted_failure(cache.library_folder())


def _compile(report: Report) -> None:
    """Wait until a process has made a native library, or has filled the folder of numba's; give up where that is
    impossible. Choose again how kernels run. Raise `CompilationFailed`."""
    home = cache.kernels_home()
    if not cache.writable(home):
        return
    damaged = _damaged()
    if damaged is not None:
        _log.warning("The compiled engine in %s is damaged; it is being compiled again.", damaged)
    report(0.0, damaged is not None)
    try:
        _wait(home, lambda share: report(share, damaged is not None))
    except (OSError, NotImplementedError):  # no processes, or no locks, on this system
        _log.warning("The kernels cannot be compiled in a process of their own.", exc_info=True)


def _damaged() -> Path | None:
    """Return the folder of a library, or of numba's, that was once complete and is so no more; None if neither is."""
    linked, folder = cache.library_folder(), cache.cache_folder()
    if (linked / native.MANIFEST).exists():
        try:
            native.load(linked)
        except native.Unfit:
            return linked
    return folder if cache.condition(folder) is Condition.DAMAGED else None


def _wait(home: Path, report: Callable[[float], object]) -> None:
    """Wait until a process, ours or another's, has compiled the kernels, or cannot write them. Raise
    `CompilationFailed` or `OSError`."""
    process: subprocess.Popen[bytes] | None = None
    failures = 0
    while choose_again() is Backend.NUMBA and (cache.complete_folder() is None or makes_library()):
        status = None if process is None else process.poll()
        if status == NOT_WRITABLE:
            return
        if status is not None:
            process, failures = None, failures + 1
            if failures == _ATTEMPTS:
                raise CompilationFailed(_reason(home, status))
        if process is None and not is_locked(home):
            with contextlib.suppress(OSError):
                (home / PROGRESS).unlink()  # of another compilation
            process = _start()
        report(progress(home))
        time.sleep(_POLL)


def _reason(home: Path, status: int) -> str:
    """Why the kernels could not be compiled, in a sentence."""
    error = read_progress(home).error
    return f"The gomoku engine cannot be compiled: {error or f'its process ended with status {status}'}."


def is_locked(home: Path) -> bool:
    """Return whether a process is compiling."""
    held = lock(home / LOCK)
    if held is not None:
        held.release()
    return held is None


def _start() -> subprocess.Popen[bytes]:
    """Start the process in its own session, or on Windows outside our job, so that it outlives us."""
    quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    command = [*ourselves(), COMMAND]
    if sys.platform != "win32":
        return subprocess.Popen(command, start_new_session=True, **quiet)
    # Not without a console: each program that it starts, such as a compiler, would open a window with one.
    detached = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
    with contextlib.suppress(OSError):  # a job may forbid it
        return subprocess.Popen(command, creationflags=detached | subprocess.CREATE_BREAKAWAY_FROM_JOB, **quiet)
    return subprocess.Popen(command, creationflags=detached, **quiet)


def progress(home: Path, now: float | None = None) -> float:
    """Estimate the share of the compilation below `home` that is done; 0 if unknown."""
    state = read_progress(home)
    passed = ((time.time() if now is None else now) - state.at) / max(0.001, state.seconds)
    share = state.done + state.step * max(0.0, min(1.0, passed))
    return max(0.0, min(_MAX_PROGRESS, share))


@dataclass(frozen=True)
class CompilationState:
    """The file of a compilation by a `process`: the shares that are `done` and under way, in a `step` begun `at` a time
    and expected to take so many `seconds`; or the `error` that ended it."""

    done: float = checked(number(0, 1), 0.0)
    step: float = checked(number(0, 1), 0.0)
    at: float = checked(number(0, 1e11), 0.0)
    seconds: float = checked(number(0, 1e6), 0.0)
    process: int = checked(whole(0, 2**63 - 1), 0)
    error: str = checked(text(_MOST_BYTES), "")


def read_progress(home: Path) -> CompilationState:
    """Return what `compile_kernels.write_progress` wrote, or nothing if it cannot be read."""
    try:
        return with_valid(CompilationState(), parsed(read_regular(home / PROGRESS, _MOST_BYTES)))
    except (OSError, DecodeError):
        return CompilationState()
