"""Measures a long session: `python -m ui.lab.measure_session [--minutes 5] [--size 1280x800] [--scale 100] [--acts 1]`.

A script visits the screens, plays against the engine with all that one does in a game, has games analysed and turns
the pages of the library: so many acts a second, before each of which the pointer moves for a third of a second, in a
window that shows nothing. Every frame of the app's own loop is timed, those in which a screen opens like all others:
how long after its moment it is done, and the processor time that the window's own thread has spent on it. Its moment
is when what it shows happened or was due, but a sixtieth of a second after the frame before at the soonest. On Linux
it also tells how long that thread could have run and had no processor, which is the part of other programs and of the
engine, and what other virtual machines took from the processors it ran on. The first frame is left to `bench`, which
measures the start; the engine is taken as it is, compiled, if it has been started before.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from typing import TYPE_CHECKING, Any

from ai.system.compiler.cache import kernels_home
from ui.lab.measure_library import make_games
from ui.lab.punctuality import prepare_hidden, print_figures

if TYPE_CHECKING:
    from ui.lab.scripted_session import Timed

LATE = 0.033  # seconds: what nobody should see
_GAMES = 400  # in the library
_WORST = 12  # late frames that are listed: those that were late by themselves


def main() -> None:
    """Measure a session as the command line says, in a temporary folder, and print the figures."""
    parser = argparse.ArgumentParser(description="Measures the frames of a long session.")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--scale", type=int, default=100)
    parser.add_argument("--acts", type=float, default=1.0, help="a second; 3 leave the pointer no rest")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    width, _, height = options.size.partition("x")
    os.environ["NUMBA_CACHE_DIR"] = str(kernels_home())
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TENGEN_HOME"] = folder
        figures = measure_session(60 * options.minutes, (int(width), int(height)), options.scale, options.acts)
    print_figures(figures, options.json)


def measure_session(
    seconds: float, size: tuple[int, int] = (1280, 800), scale: int = 100, acts: float = 1.0
) -> dict[str, Any]:
    """Figures by name, of a session of that length in the home that `TENGEN_HOME` names."""
    prepare_hidden()
    from ui.lab.scripted_session import ScriptedSession  # late: numba and SDL read the environment as they are imported

    make_games(_GAMES)
    session = ScriptedSession(seconds, size, scale, acts)
    session.run()
    return summary(session.timed)


def summary(frames: list[Timed]) -> dict[str, Any]:
    """Return the figures of the frames by name: how late they were, how many were over the limit `LATE`, the processor
    time of each screen, and the worst frames in words. `frames` must not be empty."""
    late = sorted(frames, key=lambda frame: frame.late, reverse=True)
    scenes = sorted({frame.scene for frame in frames})
    costs = {name: [frame.cost for frame in frames if frame.scene == name] for name in scenes}
    return {
        "session_frames": len(frames),
        "session_late_ms_p99": _ms(late[len(late) // 100].late),
        "session_latest_ms": _ms(late[0].late),
        "session_over_33_ms": sum(frame.late > LATE for frame in frames),
        "session_cpu_over_33_ms": sum(frame.cost > LATE for frame in frames),
        "session_over_33_ms_alone": sum(frame.alone > LATE for frame in frames),
        "session_stolen_s": round(sum(frame.stolen for frame in frames), 2),
        **{f"session_{name}_cpu_ms": _ms(statistics.mean(spent)) for name, spent in costs.items()},
        "session_worst": [
            f"{_ms(frame.late)} ms late, {_ms(frame.cost)} of processor, {_ms(frame.waited)} waiting for one, "
            f"{_ms(frame.stolen)} stolen: {frame.scene} {frame.after}".strip()
            for frame in sorted(frames, key=lambda frame: frame.alone, reverse=True)[:_WORST]
        ],
    }


def _ms(seconds: float) -> float:
    """Return `seconds` in milliseconds, rounded to hundredths."""
    return round(1000 * seconds, 2)


if __name__ == "__main__":
    main()
