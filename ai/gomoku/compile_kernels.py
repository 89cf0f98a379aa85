"""Import, and thereby compile, the kernels: in this process, for the user's cache, or for the packaged program.

    python -m ai.gomoku.compile_kernels FOLDER

fills a folder for the packaged program (tengen.spec). Without numba it stays empty, and the program runs the kernels
interpreted.
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

from ai.gomoku import cache, compilation
from ai.gomoku.cache import Condition

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
"""Seconds to compile each kernel, in import order (`python -m ai.lab.kernel_costs` measures them)."""

_NICENESS = 5  # lower priority than the program that waits, which has a window to draw or a move to find


def load(report: compilation.Report) -> None:
    """Import the kernels and report their compilation, in whichever process it happens.

    Raise `CompilationFailed`, or what a compilation in this process raises.
    """
    compilation.ensure(report)
    in_process = cache.place is None and cache.load_numba() is not None
    progress = Progress(lambda state: report(state["done"], False) if in_process else None)
    import_kernels(progress.begin)


def run() -> int:
    """Run `tengen compile`: fill the cache folder unless another process does so first. Return the exit status."""
    if cache.load_numba() is None:
        return 1
    if sys.platform != "win32":
        os.nice(_NICENESS)
    from filelock import FileLock

    folder = cache.cache_folder()
    try:
        with FileLock(folder.parent / compilation.LOCK):
            if cache.condition(folder) is not Condition.COMPLETE:
                _fill(folder)
    except OSError:
        return compilation.NOT_WRITABLE
    return 0


def _fill(folder: Path) -> None:
    """Compile all kernels into `folder`, replacing its contents. Raise `OSError`."""
    _empty(folder)
    progress = Progress(lambda state: write_progress(folder, state))
    try:
        import_kernels(progress.begin)
    except OSError:
        raise
    except Exception as error:
        write_progress(folder, {"error": f"{type(error).__name__}: {error}"})
        raise
    cache.finish(folder)


def fill_bundle(folder: Path) -> None:
    """Compile all kernels into `folder` for any common processor, replacing its contents."""
    _empty(folder)
    cache.portable = True
    if cache.load_numba() is not None:
        import_kernels(lambda _name: None)
        cache.finish(folder)


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    cache.place = folder


def import_kernels(begin: Callable[[str], object]) -> None:
    """Import the kernels, which compiles them. Call `begin` with the name of each one first."""
    from ai.gomoku import jit

    jit.listener = begin
    import ai.gomoku.engine  # noqa: F401


class Progress:
    """Pass the progress to `write` before each kernel, as JSON data.

    `done` is the share compiled, `step` the share of the kernel begun at the time `at`, and `seconds` its estimated
    duration.
    """

    def __init__(self, write: Callable[[dict[str, Any]], object], now: Callable[[], float] = time.time) -> None:
        self._write, self._now = write, now
        self._began = now()
        self._done = self._step = 0.0

    def begin(self, name: str) -> None:
        """Record that the kernel `name` is about to be compiled."""
        self._done += self._step
        self._step = COSTS.get(name, sum(COSTS.values()) / len(COSTS))
        at = self._now()
        speed = (at - self._began) / self._done if self._done else 1.0
        total = sum(COSTS.values())
        state = {"done": self._done / total, "step": self._step / total, "at": at, "seconds": self._step * speed}
        self._write(state | {"process": os.getpid()})


def write_progress(folder: Path, state: dict[str, Any]) -> None:
    """Write the progress file atomically; ignore failures."""
    temporary = folder / f"{compilation.PROGRESS}.tmp"
    with contextlib.suppress(OSError):  # on Windows: another process reads it
        temporary.write_text(json.dumps(state), encoding="utf-8")
        temporary.replace(folder / compilation.PROGRESS)


if __name__ == "__main__":
    fill_bundle(Path(sys.argv[1]).absolute())
