"""Wait for the kernels that numba compiles, in a process of its own, once on each machine.

Whoever needs the kernels calls `ensure`. The first caller starts `tengen compile`; others wait for the same process.
It outlives its parent: a manager that kills its engine after every short game finds compiled kernels in the next one.
A lock file lets one process compile at a time; the system releases it when that process dies.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ai.system.compiler import cache
from ai.system.compiler.backend import Backend, backend
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
    """Block until the kernels can be imported quickly, and set `cache.place` to the folder of numba's.

    Leave it None, so that this process compiles them for itself, where no folder can be written or no process be
    started. Call `report` during a compilation. Raise `CompilationFailed`, or `backend.Unavailable`.
    """
    global ensured  # noqa: PLW0603
    if not ensured and cache.place is None and backend() is Backend.NUMBA:
        cache.place = cache.complete_folder() or _compiled(cache.cache_folder(), report)
    ensured = True


def _compiled(folder: Path, report: Report) -> Path | None:
    """Return `folder` once a process has filled it, or None where that is impossible."""
    again = cache.condition(folder) is Condition.DAMAGED
    if again:
        _log.warning("The compiled engine in %s is damaged; it is being compiled again.", folder)
    if not cache.writable(folder.parent):
        return None
    report(0.0, again)
    try:
        return folder if _wait(folder, lambda share: report(share, again)) else None
    except (OSError, NotImplementedError):  # no processes, or no locks, on this system
        _log.warning("The kernels cannot be compiled in a process of their own.", exc_info=True)
        return None


def _wait(folder: Path, report: Callable[[float], object]) -> bool:
    """Wait until a process, ours or another's, has filled `folder`; return False if it cannot be written.

    Raise `CompilationFailed` or `OSError`.
    """
    process: subprocess.Popen[bytes] | None = None
    failures = 0
    while True:
        status = None if process is None else process.poll()
        if cache.condition(folder) is Condition.COMPLETE:
            return True
        if status == NOT_WRITABLE:
            return False
        if status is not None:
            process, failures = None, failures + 1
            if failures == _ATTEMPTS:
                raise CompilationFailed(_reason(folder, status))
        if process is None and not is_locked(folder.parent):
            process = _start()
        report(progress(folder))
        time.sleep(_POLL)


def _reason(folder: Path, status: int) -> str:
    """Why the kernels could not be compiled, in a sentence."""
    error = read_progress(folder).error
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
    detached = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    with contextlib.suppress(OSError):  # a job may forbid it
        return subprocess.Popen(command, creationflags=detached | subprocess.CREATE_BREAKAWAY_FROM_JOB, **quiet)
    return subprocess.Popen(command, creationflags=detached, **quiet)


def progress(folder: Path, now: float | None = None) -> float:
    """Estimate the share of the compilation into `folder` that is done; 0 if unknown."""
    state = read_progress(folder)
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


def read_progress(folder: Path) -> CompilationState:
    """Return what `compile_kernels.write_progress` wrote, or nothing if it cannot be read."""
    try:
        return with_valid(CompilationState(), parsed(read_regular(folder / PROGRESS, _MOST_BYTES)))
    except (OSError, DecodeError):
        return CompilationState()
