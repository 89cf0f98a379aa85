"""Measures the frames of the window while games are imported: `python -m ui.lab.measure_imports FOLDER [--seconds 30]`.

The explorer is beside the board, and the pointer moves before each frame; every second another position is shown. A
frame is due a sixtieth of a second after the one before began. Prints percentiles of how late frames began, of when
they were done, of how long they took by the clock and by the processor, and how many games were imported meanwhile;
and the same without an import.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from ui.lab.measure_review import SAMPLE
from ui.lab.punctuality import frames, point, prepare_hidden


def main() -> None:
    """Measure as the command line says, without an import and with one into an empty database, and print both as
    JSON."""
    parser = argparse.ArgumentParser(description="Measures the frames of the window during an import.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args()
    prepare_hidden()
    with tempfile.TemporaryDirectory() as home:
        database = Path(home, "games.tengendb")
        print(json.dumps({
            "idle": measure_imports(database, [], options.seconds / 3),
            "importing": measure_imports(database, [options.folder], options.seconds),
        }, indent=1))  # fmt: skip


def measure_imports(database: Path, chosen: list[Path], seconds: float) -> dict[str, Any]:
    """Figures by name, in milliseconds: of so many seconds of an import, or until its end."""
    from games.database.importer import import_games
    from games.formats import read_target
    from ui.app import App
    from ui.replay.screen import Replay
    from ui.system.settings import Settings

    list(import_games(database, []))
    app = App(Settings(), (1280, 800))
    app.settings.remember_database(database)
    scene = Replay(app, read_target(SAMPLE), tab="explorer", autosave=False)
    app.show(scene)
    for _ in range(60):
        app.frame(time.monotonic())
    if chosen:
        app.imports.start(database, chosen)
        while not app.imports.progress.games:
            app.frame(time.monotonic())
    until, took, used = time.monotonic() + seconds, list[float](), list[float]()
    line = scene.state.record.line()

    def act(number: int) -> None:
        """Move the pointer, and once a second go to another move."""
        point(app, 200 + number % 400, 300)
        if number % 60 == 0:
            scene.state.go(line[number // 60 % 8])

    def goes_on() -> bool:
        """Return whether there is time left and, for an import, whether it is still running."""
        return time.monotonic() < until and (not chosen or app.imports.busy)

    frame = app.frame

    def timed(now: float) -> None:
        """Draw a frame, and note its milliseconds and those of the processor."""
        began, before = time.perf_counter(), time.thread_time()
        frame(now)
        took.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (time.thread_time() - before))

    app.frame = timed  # type: ignore[method-assign]
    found = frames(app, goes_on, act)
    games = app.imports.progress.games
    scene.close()
    app.close()
    shares = {
        f"{name}_p{each}": round(sorted(values)[(len(values) - 1) * each // 100], 2)
        for name, values in (("frame_ms", took), ("frame_processor_ms", used))
        for each in (50, 90, 99, 100)
    }
    return {"frames": len(took), "games": games} | shares | found.figures


if __name__ == "__main__":
    main()
