"""Compiles the kernels in a process of its own, once on each machine.

Whoever needs them calls `ensure`: the window, a command, an engine under a manager. The first one starts the process,
the others wait for it too. It outlives them all, so that a manager that kills its engine after every short game has a
compiled one in the next. A file lock lets one process compile at a time; the system releases it when that dies.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ai.gomoku import cache
from ai.gomoku.cache import Condition

COMMAND = "compile"
"""The hidden command of our program that runs `run`."""

LOCK = "compile.lock"

COSTS = {
    "count": 0.20, "kind_of": 0.06, "patterns_in": 0.08, "combination_at": 0.12, "make": 0.50, "undo": 0.16,
    "make_null": 0.06, "undo_null": 0.05, "clear_board": 0.24, "find_cell": 0.15, "is_forbidden": 0.51,
    "is_illegal": 0.14, "reset": 0.22, "threats": 0.08, "update_accumulator": 0.44, "low_half": 0.03, "forward": 0.41,
    "evaluate": 0.32, "blocks": 0.23, "generate": 0.53, "pick": 0.11, "load_root_moves": 0.08, "first_moves": 0.30,
    "other_moves": 0.24, "add_history": 0.07, "update_history": 0.17, "list_root_moves": 0.32,
    "promote_root_move": 0.11, "pack_entry": 0.05, "entry_move": 0.04, "entry_static": 0.05, "score_to_tt": 0.13,
    "score_from_tt": 0.04, "cutoff": 0.06, "clear": 0.05, "probe": 0.07, "keep_value": 0.04, "store": 0.10, "vcf": 0.66,
    "danger": 0.07, "is_quiet": 0.09, "is_improving": 0.07, "decided": 0.22, "static_score": 0.27, "horizon": 0.42,
    "margin_score": 0.26, "settled": 0.46, "may_pass": 0.08, "late_move": 0.13, "reduction": 0.13,
    "internal_reduction": 0.07, "busy_hash": 0.06, "busy_slot": 0.05, "is_busy": 0.08, "enter": 0.07, "leave": 0.07,
    "visit": 0.07, "update_pv": 0.18, "store_result": 0.10, "search": 2.91,
}  # fmt: skip
"""Seconds that each kernel took to compile, in their order (`python -m ai.gomoku.compilation` prints them anew)."""

Report = Callable[[float, bool], object]
"""Is told the share that is done, from 0 to 1, and whether this is done again, for damage."""

_PROGRESS = "progress.json"
_ATTEMPTS = 2
_LOOK = 0.1  # seconds between two looks at the process
_NICENESS = 5  # below whoever waits for it, who has a window to draw or a move to find
_FULL = 3  # status: the folder cannot be written
_MOST = 0.99  # of the progress, until all is done

_log = logging.getLogger(__name__)
_settled = False


class CompilationFailed(RuntimeError):
    """The kernels cannot be compiled; `str(error)` is one sentence."""


def ensure(report: Report = lambda _share, _again: None) -> None:
    """Returns when the kernels can be imported: from `cache.place`, or, where no folder can be written or no process
    be started, to be compiled by this process and not kept. `report` is called while it waits for a compilation.
    Raises `CompilationFailed`."""
    global _settled  # noqa: PLW0603
    if not _settled and cache.place is None and cache.load_numba() is not None:
        cache.place = cache.complete_folder() or _compiled(cache.cache_folder(), report)
    _settled = True


def load(report: Report) -> None:
    """Imports the kernels, and reports their compilation, wherever it happens. Raises `CompilationFailed`, and what
    a compilation by this process raises."""
    ensure(report)
    here = cache.place is None and cache.load_numba() is not None
    told = Progress(lambda state: report(state["done"], False) if here else None)
    compile_kernels(told.begin)


def _compiled(folder: Path, report: Report) -> Path | None:
    """`folder`, filled by a process; None where that is impossible."""
    again = cache.condition(folder) is Condition.DAMAGED
    if again:
        _log.warning("The compiled engine in %s is damaged; it is being compiled again.", folder)
    if not cache.writable(folder.parent):
        return None
    report(0.0, again)
    try:
        return folder if _wait(folder, lambda share: report(share, again)) else None
    except (OSError, NotImplementedError):  # no processes, or no locks, on this system
        _log.warning("the kernels cannot be compiled by a process of their own", exc_info=True)
        return None


def _wait(folder: Path, report: Callable[[float], object]) -> bool:
    """Sees to it that a process, ours or another's, fills `folder`. False if it cannot be written. Raises
    `CompilationFailed`, or `OSError`."""
    process: subprocess.Popen[bytes] | None = None
    failures = 0
    while True:
        ended = None if process is None else process.poll()
        if cache.condition(folder) is Condition.COMPLETE:
            return True
        if ended == _FULL:
            return False
        if ended is not None:
            process, failures = None, failures + 1
            if failures == _ATTEMPTS:
                raise CompilationFailed(_reason(folder, ended))
        if process is None and not _locked(folder.parent):
            process = _start()
        report(progress(folder))
        time.sleep(_LOOK)


def _reason(folder: Path, status: int) -> str:
    told = _read(folder).get("error")
    return f"The gomoku engine cannot be compiled: {told or f'its process ended with status {status}'}."


def _locked(home: Path) -> bool:
    """Whether a process compiles."""
    from filelock import FileLock, Timeout  # late: it takes long to load, and is rarely needed

    try:
        with FileLock(home / LOCK, timeout=0):
            return False
    except Timeout:
        return True


def program() -> list[str]:
    """How this program is started."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, str(Path(__file__).resolve().parents[2] / "main.py")]


def _start() -> subprocess.Popen[bytes]:
    """The process: in a session, or on Windows outside of the job, of its own, so that it is not ended with us."""
    quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    command = [*program(), COMMAND]
    if sys.platform != "win32":
        return subprocess.Popen(command, start_new_session=True, **quiet)
    apart = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    with contextlib.suppress(OSError):  # a job may forbid it
        return subprocess.Popen(command, creationflags=apart | subprocess.CREATE_BREAKAWAY_FROM_JOB, **quiet)
    return subprocess.Popen(command, creationflags=apart, **quiet)


# The process.


def run() -> int:
    """Fills the folder, unless another process does so first. Returns the exit status."""
    if cache.load_numba() is None:
        return 1
    if sys.platform != "win32":
        os.nice(_NICENESS)
    from filelock import FileLock

    folder = cache.cache_folder()
    try:
        with FileLock(folder.parent / LOCK):
            if cache.condition(folder) is not Condition.COMPLETE:
                _fill(folder)
    except OSError:
        return _FULL
    return 0


def _fill(folder: Path) -> None:
    """Compiles all kernels into `folder`, in place of what is there. Raises `OSError`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    cache.place = folder
    told = Progress(lambda state: _write(folder, state))
    try:
        compile_kernels(told.begin)
    except OSError:
        raise
    except Exception as error:
        _write(folder, {"error": f"{type(error).__name__}: {error}"})
        raise
    cache.finish(folder)


def compile_kernels(begin: Callable[[str], object]) -> None:
    """Imports the kernels, which compiles them. `begin` is called with the name of each before it is compiled."""
    from ai.gomoku import jit

    jit.listener = begin
    import ai.gomoku.engine  # noqa: F401


# Its progress.


class Progress:
    """Tells `write` after every step how far the compilation is, as JSON: the share `done`, the share of the `step`
    that began at the time `at`, and how many `seconds` that will take at the speed seen so far."""

    def __init__(self, write: Callable[[dict[str, Any]], object], now: Callable[[], float] = time.time) -> None:
        self._write, self._now = write, now
        self._began = now()
        self._done = self._step = 0.0

    def begin(self, name: str) -> None:
        """The kernel `name` is about to be compiled."""
        self._done += self._step
        self._step = COSTS.get(name, sum(COSTS.values()) / len(COSTS))
        at = self._now()
        speed = (at - self._began) / self._done if self._done else 1.0
        whole = sum(COSTS.values())
        state = {"done": self._done / whole, "step": self._step / whole, "at": at, "seconds": self._step * speed}
        self._write(state | {"process": os.getpid()})


def progress(folder: Path, now: float | None = None) -> float:
    """The share of the compilation into `folder` that is done, as far as can be told."""
    state = _read(folder)
    try:
        passed = ((time.time() if now is None else now) - state["at"]) / max(0.001, state["seconds"])
        share = state["done"] + state["step"] * max(0.0, min(1.0, passed))
        return float(max(0.0, min(_MOST, share)))
    except (KeyError, TypeError):
        return 0.0


def _read(folder: Path) -> dict[str, Any]:
    try:
        state = json.loads((folder / _PROGRESS).read_bytes())
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def _write(folder: Path, state: dict[str, Any]) -> None:
    temporary = folder / f"{_PROGRESS}.tmp"
    with contextlib.suppress(OSError):  # nobody is told then; on Windows, because somebody reads it
        temporary.write_text(json.dumps(state), encoding="utf-8")
        temporary.replace(folder / _PROGRESS)


def _measure() -> None:
    """Prints `COSTS` as they are on this machine."""
    times: list[tuple[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        cache.place = Path(folder)
        compile_kernels(lambda name: times.append((name, time.process_time())))
    ends = [at for _, at in times[1:]] + [time.process_time()]
    for (name, began), end in zip(times, ends, strict=True):
        print(f'    "{name}": {end - began:.2f},')


if __name__ == "__main__":
    _measure()
