"""Measures the window from outside and inside: frame cost, time to the first window, idle load, memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ui.start import prepare

_SETTLE = 2.5  # seconds until a window has nothing left to draw
_LONGEST_SETTLE = 180.0  # seconds until the engine, too, must have been compiled
_BUSY = 0.2  # of one processor
_PATIENCE = 30.0  # seconds a start may take before it is given up


def measure(seconds: float) -> dict[str, Any]:
    """Figures by name; None where this system does not tell them."""
    figures = {"frame_ms": _frame_ms(seconds)}
    with tempfile.TemporaryDirectory() as folder:
        return figures | _window(Path(folder), max(seconds, 2.0))


def _frame_ms(seconds: float) -> float:
    """The mean cost of drawing one frame of a game in play at 1280×800, without a display."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    prepare()
    import pygame

    from games.formats import read_target
    from ui.app import App
    from ui.scenes.play import Play
    from ui.screenshot import SAMPLE
    from ui.settings import Settings

    app = App(Settings(language="en", scale=100), (1280, 800))
    app.show(Play(app, read_target(SAMPLE), keep=False))
    for _ in range(5):
        app.frame(time.monotonic(), 0.016)
    frames, began = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        app.frame(time.monotonic(), 0.016)
        frames += 1
    pygame.quit()
    return round(1000 * elapsed / frames, 2)


def _window(folder: Path, seconds: float) -> dict[str, Any]:
    """Starts the program as a person would, with a game open so that nothing moves."""
    game = folder / "game.txt"
    game.write_text("h8i9g7i7i8g8")
    trace = folder / "trace"
    environment = os.environ | {"TENGEN_HOME": str(folder), "TENGEN_TRACE": str(trace)}
    if os.environ.get("DISPLAY") or sys.platform != "linux":
        environment.pop("SDL_VIDEODRIVER", None)
    began = time.time()
    process = subprocess.Popen([*command(), str(game)], env=environment, stdout=subprocess.DEVNULL)
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
    """Waits until the window has nothing left to do; on a new machine it first has its engine compiled."""
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


def command() -> list[str]:
    """How this program is started."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, str(Path(__file__).resolve().parent.parent / "main.py")]


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
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return None
    peak = next((line for line in lines if line.startswith("VmHWM")), "VmHWM: 0")
    return round(int(peak.split()[1]) / 1024, 1)
