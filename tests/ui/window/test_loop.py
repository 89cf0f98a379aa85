"""The loop of the window: as many frames as one can see, and none while nothing happens."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest

from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from tests.games.strategies import Ticking
from ui import app as app_module
from ui.app import App
from ui.play.screen import Play
from ui.settings.screen import SettingsScreen
from ui.system import frame_clock
from ui.system.frame_clock import FrameClock
from ui.system.settings import Settings
from ui.toolkit.dialogs import Question
from ui.window.part import Group, Part
from ui.window.screen import Screen

MOVED = pygame.event.Event(pygame.MOUSEMOTION, pos=(5, 5), rel=(1, 1), buttons=(0, 0, 0))


class Clock(Ticking):
    """Calls `slept` whenever somebody has."""

    slept: Callable[[], object]

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.slept()


class Counting(App):
    """Ends after `seconds`, and posts `event` in each frame if there is one."""

    def __init__(self, clock: Clock, seconds: float, event: pygame.event.Event | None = None) -> None:
        super().__init__(Settings(motion="off", language="en", scale=100), (960, 640))
        self.began: list[float] = []
        self._event = event
        self._clock = clock
        self.after: Callable[[float], None] = lambda _now: None
        self._until = clock() + seconds
        clock.slept = self.slept

    def begin(self) -> None:
        """Without the engine."""

    def frame(self, now: float) -> None:
        self.began.append(now)
        super().frame(now)
        self.after(now)
        if self._event is not None:
            pygame.event.post(self._event)

    def slept(self) -> None:
        if self._clock() >= self._until:
            pygame.event.post(pygame.event.Event(pygame.QUIT))


@pytest.fixture(autouse=True)
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of the loop, in which it alone sleeps: no frame is late, whatever else the machine does."""
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    made = Clock(1e-5)
    monkeypatch.setattr(app_module, "time", made)
    monkeypatch.setattr(frame_clock, "time", made)
    return made


def test_a_mouse_that_moves_without_a_pause_gets_sixty_frames_a_second(clock: Clock) -> None:
    app = Counting(clock, 0.5, MOVED)
    app.show(Screen(app))
    app.run()
    frames = app.began[1:]  # the first one is before the loop
    assert 28 <= len(frames) <= 31
    assert min(later - earlier for earlier, later in pairwise(frames)) >= 1 / 60 - 1e-6


def test_nothing_is_drawn_while_nothing_happens(clock: Clock) -> None:
    app = Counting(clock, 2.0)
    app.show(Screen(app))
    app.run()
    lively = app.began[0] + 1.5  # the window itself has things to tell when it opens
    assert not [began for began in app.began if began > lively]


@pytest.mark.parametrize(("game", "move"), [("gomoku", 112), ("tictactoe", 4), ("bones", 2)])
def test_what_has_moved_is_drawn_once_more_at_rest(clock: Clock, game: str, move: int) -> None:
    app = Counting(clock, 1.5)
    app.settings.motion = "on"
    scene = Play(app, GameRecord(setup(game), (Seat(PERSON), Seat(PERSON))), autosave=False)
    app.show(scene)

    def after(now: float) -> None:
        if len(app.began) == 3:
            scene.state.choose(move)
        moved.append(scene.board.moving(now))

    moved: list[bool] = []
    app.after = after
    app.run()
    assert True in moved
    assert moved[-1] is False


class Resting(Counting):
    """Has a thread rest from within each frame after the first one, which is before the loop."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock, 0.2, MOVED)
        self.rested = threading.Event()
        self.during: list[bool] = []
        self.between: list[bool] = []
        self.patience = 0.02  # seconds in which a frame waits for the thread

    def frame(self, now: float) -> None:
        super().frame(now)
        if len(self.began) > 2:  # the loop has waited for events once
            self.rested.clear()
            threading.Thread(target=lambda: (self.rest(), self.rested.set())).start()
            self.during.append(self.rested.wait(self.patience))

    def slept(self) -> None:
        if self.during:
            self.between.append(self.rested.wait(60))
        super().slept()


@pytest.mark.parametrize(("rest", "patience", "during"), [(600.0, 0.02, False), (0.001, 60.0, True)])
def test_a_thread_that_rests_goes_on_between_frames_and_soon_in_any_case(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, rest: float, patience: float, during: bool
) -> None:
    """However long a frame may take."""
    monkeypatch.setattr(frame_clock, "REST", rest)
    app = Resting(clock)
    app.rest()  # without a loop there is nothing to wait for
    app.patience = patience
    app.show(Screen(app))
    app.run()
    assert len(app.during) > 4
    assert set(app.during) == {during}
    assert all(app.between)


class Opening(Resting):
    """Opens a screen in a frame, and has a thread rest while that is made."""

    def frame(self, now: float) -> None:
        super().frame(now)
        if len(self.during) == 1:
            self.open(self.make)

    def make(self, *_state: object, **_options: object) -> Screen:
        self.during.append(self.rested.wait(60))
        return Screen(self)


def test_a_screen_is_opened_while_no_thread_rests(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window waited for modules that a resting thread imported: 0.37 s for a replay."""
    monkeypatch.setattr(frame_clock, "REST", 600.0)
    app = Opening(clock)
    app.show(Screen(app))
    app.run()
    assert app.during[:2] == [False, True]


def test_an_event_goes_from_the_part_on_top_to_the_first_that_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told, parts = list[int](), [Part() for _ in range(4)]
    for number, part in enumerate(parts):
        monkeypatch.setattr(part, "handle", lambda _event, number=number: (told.append(number), number < 3)[1])
    assert Group([parts[0], Group(parts[1:])]).handle(MOVED)
    assert not Group(parts[3:]).handle(MOVED)
    assert told == [3, 2, 3]


def test_the_loop_looks_for_events_more_often_soon_after_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [100.0], list[float]()
    found: list[list[pygame.event.Event]] = [[], [], [], [], [MOVED], [], [MOVED]]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(frame_clock, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(pygame.event, "get", lambda: found.pop(0))
    made = FrameClock(sleep)
    assert made.events(100.0, 100.03) == []
    assert slept == pytest.approx([1 / 60, 0.008, 0.03 - 1 / 60 - 0.008])
    now[0] = 200.0
    made.touch()
    for expectant, end in ((True, 201.0), (False, 200.05)):
        assert [made.active(end + by, expectant) for by in (-0.01, 0.01)] == [True, False]
    assert not made.active(201.0, expectant=True)
    for last, at, waits in ((200.0, 200.0, [1 / 60, 0.002]), (201.0, 202.0, [0.0, 0.008])):
        slept.clear()
        now[0] = at
        assert made.events(last, math.inf) == [MOVED]
        assert slept == pytest.approx(waits)


def test_widgets_are_watched_while_a_person_may_be_about_to_use_them() -> None:
    app = App(Settings(motion="off", language="en"), (960, 640))
    screen = SettingsScreen(app)
    app.show(screen)
    app.frame(0.0)
    widgets, seen = screen.widgets, list[bool]()
    for focus, pointer, overlay in ((None, None, None), ("name", None, None), ("sound.on", None, None),
                                    (None, widgets.elements["name"].rect.center, None),
                                    (None, None, Question(app, "", ""))):  # fmt: skip
        widgets.focus, app.overlay = focus, overlay
        widgets.update(0.0, pointer)
        seen.append(app.view.expectant)
    app.overlay = None
    widgets.update(0.0, None)
    widgets.move_focus(1)
    assert (seen, app.view.expectant) == ([False, True, False, True, True], True)
