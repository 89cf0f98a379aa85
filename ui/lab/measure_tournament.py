"""Measures the frames of the window while a tournament is played: `python -m ui.lab.measure_tournament [--seconds 30]`.

Its table and boards are shown, and the pointer moves before each frame, which is due a sixtieth of a second after the
one before began. Prints how late frames began, when they were done, and what they took of the processor, in
milliseconds; and the same without a game.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from typing import Any

from ui.lab.punctuality import frames, point, prepare_hidden


def main() -> None:
    """Measure without games and with as many at a time as the command line says, and print both as JSON."""
    parser = argparse.ArgumentParser(description="Measures the frames of the window during a tournament.")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--at-once", type=int, default=1, help="games at a time")
    options = parser.parse_args()
    prepare_hidden()
    print(json.dumps({
        "idle": measure_tournament(0, options.seconds / 3),
        "playing": measure_tournament(options.at_once, options.seconds),
    }, indent=1))  # fmt: skip


def measure_tournament(at_once: int, seconds: float) -> dict[str, Any]:
    """Figures by name, in milliseconds: of so many seconds with `at_once` games at a time, none for 0."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["TENGEN_HOME"] = home
        return _measure(at_once, seconds)


def _measure(at_once: int, seconds: float) -> dict[str, Any]:
    """Return the figures of the tournament screen while `at_once` games are played for `seconds`: frames drawn, games
    finished, processor time of a frame and punctuality. With 0, the tournament does not begin."""
    from ai.arena.tournament import JOURNAL, Entrant, Tournament, open_journal
    from games.registry import setup
    from ui.app import App
    from ui.system.settings import Settings
    from ui.tournament.screen import TournamentScreen
    from ui.tournament.state import tournaments_home

    entrants = tuple(Entrant(name, 0.1) for name in ("engine", "level:5", "level:3", "mcts", "level:8"))
    made = Tournament(entrants, setup("gomoku"), rounds=500, openings=("h8i9g7", "h8h9j7"))
    open_journal(tournaments_home() / "measured" / JOURNAL, made)
    app = App(Settings(), (1280, 800))
    app.tournaments.at_once = at_once
    app.show(TournamentScreen(app, "measured", begin=at_once > 0))
    for _ in range(60):
        app.frame(time.monotonic())
    until, used, frame = time.monotonic() + seconds, list[float](), app.frame

    def timed(now: float) -> None:
        """Draw a frame, and note its milliseconds of the processor."""
        before = time.thread_time()
        frame(now)
        used.append(1000 * (time.thread_time() - before))

    app.frame = timed  # type: ignore[method-assign]
    found = frames(app, lambda: time.monotonic() < until, lambda number: point(app, 200 + number % 400, 300))
    run = app.tournaments.run
    games = 0 if run is None else len(run.played)
    app.scene.close()
    app.close()
    shares = {f"processor_ms_p{each}": round(sorted(used)[(len(used) - 1) * each // 100], 2) for each in (50, 99, 100)}
    return {"frames": len(found.late), "games": games} | shares | found.figures


if __name__ == "__main__":
    main()
