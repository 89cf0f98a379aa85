"""The loop of the window: as many frames as one can see, and none while nothing happens."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pygame
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from ui.app import App
from ui.scene import Scene
from ui.scenes.play import Play
from ui.settings import Settings


class Counting(App):
    """Ends after `seconds`, and posts `event` in each frame if there is one."""

    def __init__(self, seconds: float, event: pygame.event.Event | None = None) -> None:
        super().__init__(Settings(motion=False, language="en", scale=100), (960, 640))
        self.began: list[float] = []
        self._event = event
        self.drawing = False
        self.after: Callable[[float], None] = lambda _now: None
        self.slow = 0.0  # seconds that each frame takes longer
        self._until = time.monotonic() + seconds

    def begin(self) -> None:
        """Without the engine."""

    def frame(self, now: float, seconds: float) -> None:
        self.began.append(now)
        self.drawing = len(self.began) > 2  # the loop has waited for events once
        time.sleep(self.slow)
        super().frame(now, seconds)
        self.drawing = False
        self.after(now)
        if self._event is not None:
            pygame.event.post(self._event)

    def _sleep(self, seconds: float) -> None:
        super()._sleep(seconds)
        if time.monotonic() >= self._until:
            pygame.event.post(pygame.event.Event(pygame.QUIT))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))


def test_a_mouse_that_moves_without_a_pause_gets_sixty_frames_a_second() -> None:
    moved = pygame.event.Event(pygame.MOUSEMOTION, pos=(5, 5), rel=(1, 1), buttons=(0, 0, 0))
    app = Counting(0.5, moved)
    app.show(Scene(app))
    app.run()
    frames = app.began[1:]  # the first one is before the loop
    assert len(frames) > 4
    assert min(later - earlier for earlier, later in pairwise(frames)) >= 1 / 60 - 1e-6


def test_nothing_is_drawn_while_nothing_happens() -> None:
    app = Counting(2.0)
    app.show(Scene(app))
    app.run()
    lively = app.began[0] + 1.5  # the window itself has things to tell when it opens
    assert not [began for began in app.began if began > lively]


@pytest.mark.parametrize(("game", "move"), [("gomoku", 112), ("tictactoe", 4), ("bones", 2)])
def test_what_has_moved_is_drawn_once_more_at_rest(game: str, move: int) -> None:
    app = Counting(1.5)
    app.settings.motion = True
    scene = Play(app, GameRecord(setup(game), (Seat(PERSON), Seat(PERSON))), keep=False)
    app.show(scene)

    def after(now: float) -> None:
        if len(app.began) == 3:
            scene.chosen(move)
        moved.append(scene.board.moving(now))

    moved: list[bool] = []
    app.after = after
    app.run()
    assert True in moved
    assert moved[-1] is False


def test_a_thread_that_rests_goes_on_between_frames_and_soon_in_any_case() -> None:
    moved = pygame.event.Event(pygame.MOUSEMOTION, pos=(5, 5), rel=(1, 1), buttons=(0, 0, 0))
    app = Counting(0.5, moved)
    app.rest()  # without a loop there is nothing to wait for
    rests: list[tuple[float, bool]] = []
    over = threading.Event()

    def reader() -> None:
        while not over.is_set():
            began = time.monotonic()
            app.rest()
            rests.append((time.monotonic() - began, app.drawing))
            time.sleep(0.001)

    thread = threading.Thread(target=reader)
    app.slow = 0.008
    app.show(Scene(app))
    thread.start()
    app.run()
    over.set()
    thread.join(10)
    assert max(rested for rested, _ in rests) > 0.003, "it has waited for a frame"
    assert sum(drawing for _, drawing in rests) < 5, "and until it was there, but for one that had just begun"
