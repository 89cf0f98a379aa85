"""The app in the hands of a script, with its frames timed."""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame

from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from ui.app import App
from ui.home.screen import Home
from ui.library.screen import LibraryScreen
from ui.play.screen import Play
from ui.profile.screen import ProfileScreen
from ui.replay.screen import Replay
from ui.settings.screen import SettingsScreen
from ui.system.settings import Settings
from ui.window.host import Content

FRAME = 1 / 60
_VISIT = 12.0  # seconds on a screen
_GAME = 40.0  # seconds of a game
_REACH = 20  # frames in which the pointer moves to where something is done

Pixel = tuple[int, int]

Script = Iterator[tuple[str, float]]
"""What has just been done, mostly nothing, and in how many seconds something else will be."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One frame: `late`, `cost`, how long it `waited` for a processor, and how much other machines had meanwhile
    `stolen` of the processor on which it began or that on which it ended (counted in steps of 10 ms), in seconds;
    `after` is what was done."""

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


@dataclass(frozen=True, slots=True)
class _Moment:
    """What the thread has had until now, in seconds: `spent` of a processor, `waited` for one; and what was `stolen`
    from each. It runs on the one of the number `processor`."""

    spent: float
    waited: float
    stolen: dict[str, float]
    processor: str


class ScriptedSession(App):
    """The app, whose events come from a script of so many `acts` a second, and which times its frames for so many
    `seconds`."""

    def __init__(self, seconds: float, size: tuple[int, int], scale: int, acts: float) -> None:
        super().__init__(Settings(language="en", scale=scale), size)
        self.timed: list[Timed] = []
        self._seconds, self._until = seconds, math.inf
        self._script, self._step_at, self._done = _session(self, acts), math.inf, ""
        self._frame_due = self._happened = math.inf
        self._moment: float | None = None  # of the frame that is being made
        self._before = _had()

    def begin(self) -> None:
        """Begin the background work of the app, and from now on the script and the time it runs for."""
        super().begin()
        self._step_at = time.monotonic()
        self._until = self._step_at + self._seconds

    def wake(self) -> None:
        """Note the time of the first wake since the last frame, for which the next one is due, and wake the loop."""
        self._happened = min(self._happened, time.monotonic())
        super().wake()

    def _wait_for_events(self, last: float) -> list[pygame.event.Event]:
        """Note the end of a frame, wait, and note the beginning of the next."""
        if self._moment is not None:
            self._note(self._moment)
        events = super()._wait_for_events(last)
        now = time.monotonic()
        moment = min(self._frame_due, self._happened, self._step_at, now)
        self._moment, self._happened, self._done = max(moment, last + FRAME), math.inf, ""
        if self._step_at <= now:
            self._done, pause = next(self._script)
            self._step_at = now + pause
            events += pygame.event.get()
        self.running = now < self._until
        return events

    def _due(self, now: float) -> float:
        """Return when the next frame is due: by the app, noted in `_frame_due`, or by the next step of the script."""
        self._frame_due = super()._due(now)
        return min(self._frame_due, self._step_at)

    def _sleep(self, seconds: float) -> None:
        """Note what the thread has had so far, then wait. What is noted last before a frame counts as its beginning."""
        self._before = _had()
        super()._sleep(seconds)

    def _note(self, moment: float) -> None:
        """Add the figures of the frame that was due at `moment`, and has just been drawn, to `timed`."""
        late, before, now = time.monotonic() - moment, self._before, _had()
        ran_on = {before.processor, now.processor} & now.stolen.keys()
        stolen = max((now.stolen[each] - before.stolen[each] for each in ran_on), default=0.0)
        cost, waited = now.spent - before.spent, now.waited - before.waited
        self.timed.append(Timed(self.scene.name, self._done, late, cost, waited, stolen))


def _had() -> _Moment:
    """Return what this thread has had until now."""
    return _Moment(time.thread_time(), _waited(), _stolen(), _processor())


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


class _Hand:
    """Does `acts` things a second; before each of them the pointer moves about, and then it rests."""

    def __init__(self, acts: float) -> None:
        self.chance = random.Random(5)
        self._rest = max(FRAME, 1 / acts - _REACH * FRAME)

    def does(self, act: Callable[[], str], seconds: float, point: Callable[[], Pixel]) -> Script:
        """Do `act` again and again for so long; the pointer moves from `point` to `point`."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for _ in range(_REACH):
                _post("MOUSEMOTION", pos=point(), rel=(1, 1), buttons=(0, 0, 0))
                yield "", FRAME
            yield act(), self._rest


def _session(app: App, acts: float) -> Script:
    """Yield the steps of the session, endlessly: home, a game with its replay and review, library, profile and
    settings."""
    hand = _Hand(acts)
    chance = hand.chance
    width, height = app.size

    def anywhere() -> Pixel:
        """Return a random pixel of the window."""
        return chance.randrange(width), chance.randrange(height)

    while True:
        yield from hand.does(str, _VISIT, anywhere)
        yield from _game(app, hand)
        yield _show(app, LibraryScreen(app))
        yield from hand.does(lambda: _post("MOUSEWHEEL", x=0, y=chance.choice((-3, -1, 2))), _VISIT, anywhere)
        for page in (ProfileScreen(app), SettingsScreen(app)):
            yield _show(app, page)
            yield from hand.does(lambda: _press("tab"), _VISIT / 4, anywhere)
        yield _show(app, Home(app))


def _game(app: App, hand: _Hand) -> Script:
    """Played against the engine, then gone through step by step while the engine analyses each position, and at last
    reviewed."""
    record, chance = GameRecord(setup("gomoku"), (Seat(PERSON), Seat("engine", seconds=1.0))), hand.chance
    play = Play(app, record)

    def point() -> Pixel:
        """Return the pixel of a random candidate move."""
        return play.board.pixel_of(_near(record, chance))

    yield _show(app, play)
    yield from hand.does(lambda: _act(play, point, chance), _GAME, point)
    replay = Replay(app, record)
    replay.state.analyst.on = True
    yield _show(app, replay)
    steps = "left", "right", "left", "home", "end"
    yield from hand.does(lambda: _press(chance.choice(steps)), 2 * _VISIT, point)
    replay.state.choose_tab("review")
    replay.state.reviewer.start()
    mistakes = "pagedown", "pageup", *steps
    yield from hand.does(lambda: _press(chance.choice(mistakes)), 2 * _VISIT, point)


def _show(app: App, scene: Content) -> tuple[str, float]:
    """Show `scene`. Return the step of a script: what was done, and the seconds until the next."""
    app.show(scene)
    return "open", FRAME


def _act(scene: Play, point: Callable[[], Pixel], chance: random.Random) -> str:
    """Move against the engine mostly, and else undo, a hint, numbers, analysis; each move is saved."""
    done = chance.choices(("move", "h", "ctrl+z", "n", "a"), (12, 1, 1, 1, 1))[0]
    if done != "move":
        return _press(done)
    if not scene.state.live.person_to_move:
        return ""
    return _post("MOUSEBUTTONDOWN", pos=point(), button=1)


def _near(record: GameRecord, chance: random.Random) -> int:
    """A point near the stones."""
    return chance.choice(list(record.position.candidates())[:6] or [0])


def _post(name: str, **facts: Any) -> str:
    """Post the pygame event called `name` with `facts`. Return its name for the script, such as ``motion``."""
    pygame.event.post(pygame.event.Event(getattr(pygame, name), **facts))
    return name.removeprefix("MOUSE").lower()


def _press(name: str) -> str:
    """Press a key and release it."""
    *held, key = name.split("+")
    mod = pygame.KMOD_LCTRL if held else 0
    facts: dict[str, Any] = {"key": pygame.key.key_code(key), "mod": mod, "unicode": "", "scancode": 0}
    for kind in ("KEYDOWN", "KEYUP"):
        pygame.event.post(pygame.event.Event(getattr(pygame, kind), **facts))
    return name
