"""Measures a long session: `python -m ui.measure_session [--minutes 5] [--size 1280x800] [--scale 100] [--json]`.

A script visits the screens, plays against the engine with all that one does in a game, has games analysed and turns
the pages of the library, in a window that shows nothing. Every frame is timed at 60 a second, those in which a screen
opens like all others: how long after its moment it is done, and the processor time that the window's own thread has
spent on it. On Linux it also tells how long that thread could have run and had no processor, which is the part of
other programs and of the engine, and what other virtual machines took from the processor it ran on. The first frame is
left to `bench`, which measures the start; the engine is taken as it is, compiled, if it has been started before.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.gomoku.jit import cache_folder
from ui.measure_library import make_games
from ui.start import prepare

if TYPE_CHECKING:
    from ui.app import App

FRAME = 1 / 60
LATE = 0.033  # seconds: what nobody should see
_GAMES = 400  # in the library
_VISIT = 12.0  # seconds on a screen
_GAME = 40.0  # seconds of a game
_WORST = 12  # late frames that are listed: those that were late by themselves
_EVERY = 20  # frames between two things that the hand does

Script = Generator[str, None, None]
"""Yields before each frame what has just been done, mostly nothing."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One frame: `late`, `cost`, how long it `waited` for a processor, and how much other machines had meanwhile
    `stolen` of the processor on which it ended (counted in steps of 10 ms), in seconds; `after` is what was done."""

    scene: str
    after: str
    late: float
    cost: float
    waited: float
    stolen: float = 0.0

    @property
    def alone(self) -> float:
        """How late it would have been, had there been a processor at once and to the end. One that is stolen from a
        thread that waits for it is counted once."""
        return self.late - max(self.waited, self.stolen)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the frames of a long session.")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--scale", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    width, _, height = options.size.partition("x")
    os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TENGEN_HOME"] = folder
        figures = measure_session(60 * options.minutes, (int(width), int(height)), options.scale)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<26}{value}")


def measure_session(seconds: float, size: tuple[int, int] = (1280, 800), scale: int = 100) -> dict[str, Any]:
    """Figures by name, of a session of that length in the home that `TENGEN_HOME` names."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    prepare()
    import pygame

    from ui.app import App
    from ui.settings import Settings

    make_games(_GAMES)
    app = App(Settings(language="en", scale=scale), size)
    try:
        return summary(list(_timed(app, seconds)))
    finally:
        app.scene.leave()
        app.sounds.close()
        pygame.quit()


def summary(frames: list[Timed]) -> dict[str, Any]:
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
    return round(1000 * seconds, 2)


def _timed(app: App, seconds: float) -> Generator[Timed, None, None]:
    """Runs the script for so long, a frame at a time, as the loop of the app does."""
    script = _session(app)
    next(script)
    app.frame(time.monotonic(), FRAME)
    due = last = time.monotonic()
    until = due + seconds
    while due < until:
        waited, stolen = _waited(), _stolen()
        time.sleep(max(0.0, due - time.monotonic()))
        spent, now = time.thread_time(), time.monotonic()
        after = next(script)
        app.frame(now, now - last)
        last, done = now, time.monotonic()
        cost, waited = time.thread_time() - spent, _waited() - waited
        taken = _stolen().get(own := _processor(), 0.0) - stolen.get(own, 0.0)
        yield Timed(app.scene.name, after, done - due, cost, waited, taken)
        due = max(due + FRAME, done)  # a frame that is missed is not made up for


def _waited() -> float:
    """Seconds that this thread has waited for a processor, all in all; 0 where the system does not tell."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def _stolen() -> dict[str, float]:
    """Seconds that other machines have taken from each processor; nothing where the system does not tell."""
    try:
        lines = Path("/proc/stat").read_text().splitlines()
    except OSError:
        return {}
    processors = (line.split() for line in lines if line.startswith("cpu") and line[3].isdigit())
    return {name.removeprefix("cpu"): int(times[7]) / os.sysconf("SC_CLK_TCK") for name, *times in processors}


def _processor() -> str:
    """The number of the processor that this thread runs on; "" where the system does not tell."""
    try:
        return Path("/proc/thread-self/stat").read_text().rpartition(")")[2].split()[36]
    except OSError:
        return ""


def _session(app: App) -> Script:
    from ui.scenes.library import LibraryScene
    from ui.scenes.profile import ProfileScene
    from ui.scenes.settings import SettingsScene

    chance = random.Random(5)
    app.go_home()
    yield "start"
    app.begin()
    while True:
        yield from _visit(lambda: None)
        yield from _play(app, chance)
        yield from _replay(app, chance)
        app.show(LibraryScene(app))
        yield from _visit(lambda: app._dispatch(_event("MOUSEWHEEL", x=0, y=chance.choice((-3, -1, 2)))))
        for scene in (ProfileScene(app), SettingsScene(app)):
            app.show(scene)
            yield from _visit(lambda: _press(app, "tab"), 0.25)
        app.go_home()


def _visit(act: Callable[[], object], times: float = 1) -> Script:
    """Stays on a screen, `times` as long as usual, and does `act` three times a second."""
    until, number = time.monotonic() + times * _VISIT, 0
    while time.monotonic() < until:
        number += 1
        if number % _EVERY == 0:
            act()
        yield ""


def _play(app: App, chance: random.Random) -> Script:
    """Against the engine, with undo, hints, numbers and a pointer that moves about; each move is saved."""
    from games.record import PERSON, GameRecord, Seat
    from games.registry import setup
    from ui.scenes.play import Play

    scene = Play(app, GameRecord(setup("gomoku"), (Seat(PERSON), Seat("engine", seconds=1.0))))
    app.show(scene)
    yield "open"
    until, number = time.monotonic() + _GAME, 0
    while time.monotonic() < until and scene.record.outcome is None:
        number += 1
        yield _act(app, scene, chance) if number % _EVERY == 0 else ""
        if number % 3 == 0:
            cell = chance.choice(scene.record.position.candidates() or (0,))
            app._dispatch(_event("MOUSEMOTION", pos=scene.board.pixel_of(cell), rel=(1, 1), buttons=(0, 0, 0)))


def _act(app: App, scene: Any, chance: random.Random) -> str:
    done = chance.choices(("move", "h", "ctrl+z", "n", "a"), (12, 1, 1, 1, 1))[0]
    if done != "move":
        _press(app, done)
    elif scene.match.person_to_move:
        cell = chance.choice(scene.record.position.candidates()[:6])
        app._dispatch(_event("MOUSEBUTTONDOWN", pos=scene.board.pixel_of(cell), button=1))
    return done


def _replay(app: App, chance: random.Random) -> Script:
    """The game that was played, step by step, while the engine looks at each position."""
    from ui.scenes.replay import Replay

    played: Any = app.scene
    scene = Replay(app, played.record)
    scene.analysing = True
    app.show(scene)
    yield "open"
    yield from _visit(lambda: _press(app, chance.choice(("left", "right", "left", "home", "end"))), 2)


def _event(name: str, **facts: Any) -> Any:
    import pygame

    return pygame.event.Event(getattr(pygame, name), **facts)


def _press(app: App, name: str) -> None:
    """Presses a key and lets it go."""
    import pygame

    *held, key = name.split("+")
    facts = {"key": pygame.key.key_code(key), "mod": pygame.KMOD_LCTRL if held else 0, "unicode": "", "scancode": 0}
    for kind in ("KEYDOWN", "KEYUP"):
        app._dispatch(_event(kind, **facts))


if __name__ == "__main__":
    main()
