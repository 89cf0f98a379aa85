"""Measures the window from outside and inside: frame cost and punctuality, time to the first window, idle load,
memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.core.player import Limit
from ai.service.searches import Worker
from ai.system.compiler.cache import kernels_home
from ai.system.programs import ourselves
from ui.start import prepare

if TYPE_CHECKING:
    from ui.app import App

_SETTLE = 2.5  # seconds until a window has nothing left to draw
_LONGEST_SETTLE = 180.0  # seconds until the engine, too, must have been compiled
_FRAME = 1 / 60
_BUSY = 0.2  # of one processor
_PATIENCE = 30.0  # seconds a start may take before it is given up


def measure(seconds: float) -> dict[str, Any]:
    """Figures by name; None where this system does not tell them."""
    figures = {
        "frame_ms": _frame_ms(seconds, (1280, 800), 100),
        "frame_ms_1440": _frame_ms(seconds, (2560, 1440), 200),
        "frame_late_ms_p99": _frame_late_ms(max(1.0, 3 * seconds)),
    }
    with tempfile.TemporaryDirectory() as folder:
        return figures | _window(Path(folder), max(seconds, 2.0))


@contextmanager
def _app(size: tuple[int, int], scale: int) -> Iterator[App]:
    """A game in play, without a display."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    prepare()

    from games.formats import read_target
    from ui.app import App
    from ui.commands.screenshot import SAMPLE
    from ui.play.screen import Play
    from ui.system.settings import Settings

    app = App(Settings(language="en", scale=scale, sound=False), size)
    app.show(Play(app, read_target(SAMPLE), autosave=False))
    for _ in range(5):
        app.frame(time.monotonic())
    yield app
    app.close()


def _frame_ms(seconds: float, size: tuple[int, int], scale: int) -> float:
    """The mean cost of drawing one frame."""
    with _app(size, scale) as app:
        frames, began = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - began) < seconds:
            app.frame(time.monotonic())
            frames += 1
    return round(1000 * elapsed / frames, 2)


def _frame_late_ms(seconds: float) -> float:
    """How late a frame begins, of 60 a second, while the engine searches on two threads: the 99th percentile."""
    from ai.gomoku.engine import GomokuEngine
    from ai.lab.engine_speed import positions

    worker = Worker()
    with _app((1280, 800), 100) as app:
        worker.start(GomokuEngine(threads=2), positions()[0], Limit())
        late, due = [], time.monotonic()
        until = due + seconds
        while due < until:
            time.sleep(max(0.0, due - time.monotonic()))
            now = time.monotonic()
            late.append(now - due)
            app.frame(now)
            due = max(due + _FRAME, time.monotonic())  # a frame that is missed is not made up for
        worker.close()
    return round(1000 * sorted(late)[len(late) * 99 // 100], 2)


def _window(folder: Path, seconds: float) -> dict[str, Any]:
    """Start the program as a person would, with a game open so that nothing moves."""
    game = folder / "game.txt"
    game.write_text("h8i9g7i7i8g8")
    trace = folder / "trace"
    # A home of its own, but the engine as it is: compiled, if it is.
    shared = {"NUMBA_CACHE_DIR": str(kernels_home())}
    places = {"TENGEN_HOME": str(folder), "TENGEN_TRACE": str(trace)}
    environment = os.environ | shared | places | {"PYTHONSAFEPATH": ""}  # main.py finds our packages beside it
    if os.environ.get("DISPLAY") or sys.platform != "linux":
        environment.pop("SDL_VIDEODRIVER", None)
    began = time.time()
    process = subprocess.Popen([*ourselves(), str(game)], env=environment, stdout=subprocess.DEVNULL)
    try:
        shown = _first_frame(trace, process)
        _settle(process.pid)
        idle = _load(process.pid, seconds)
        memory = _memory_mb(process.pid)
    finally:
        process.kill()
        process.wait()
    return {"window_s": shown and round(shown - began, 3), "idle_cpu": idle, "memory_mb": memory}


def _settle(process: int) -> None:
    """Wait until the window has nothing left to do; on a new machine it first has its engine compiled."""
    until = time.monotonic() + _LONGEST_SETTLE
    time.sleep(_SETTLE)
    while time.monotonic() < until and (_load(process, 0.5) or 0.0) > _BUSY:
        pass


def _load(process: int, seconds: float) -> float | None:
    """The part of one processor that `process` uses during the next `seconds`."""
    before = _processor_seconds(process)
    time.sleep(seconds)
    after = _processor_seconds(process)
    return None if before is None or after is None else round((after - before) / seconds, 4)


def _first_frame(trace: Path, process: subprocess.Popen[bytes]) -> float | None:
    """When the first frame was on the screen, in seconds since the epoch."""
    until = time.time() + _PATIENCE
    while time.time() < until and process.poll() is None:
        lines = trace.read_text().splitlines() if trace.exists() else []
        for event in map(json.loads, lines):
            if event["event"] == "frame":
                return float(event["time"])
        time.sleep(0.02)
    return None


def _processor_seconds(process: int) -> float | None:
    """Processor time that `process` has used; None where the system has no /proc."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def _memory_mb(process: int) -> float | None:
    """Return the peak of the resident memory of `process`, a process id, in MiB; None if the process is gone or the
    system is not Linux."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return None
    peak = next((line for line in lines if line.startswith("VmHWM")), "VmHWM: 0")
    return round(int(peak.split()[1]) / 1024, 1)
