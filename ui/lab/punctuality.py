"""Frames as a window makes them: each is due a sixtieth of a second after the one before began."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ui.start import prepare

if TYPE_CHECKING:
    from ui.app import App

FRAME = 1 / 60
"""Seconds."""


def prepare_hidden() -> None:
    """Set what must be set before pygame is imported, for a window that shows nothing."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    prepare()


def print_figures(figures: Mapping[str, Any], as_json: bool) -> None:
    """Print the figures."""
    if as_json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<26}{value}")


@dataclass
class Frames:
    """Seconds by which frames began `late`, and after which they were `done`, counted from when they were due."""

    late: list[float] = field(default_factory=list)
    done: list[float] = field(default_factory=list)
    began: float = 0.0

    @property
    def figures(self) -> dict[str, float]:
        """Percentiles by name, in milliseconds."""
        return _shares("late_ms", self.late) | _shares("done_ms", self.done)


def frames(app: App, goes_on: Callable[[], bool], act: Callable[[int], object]) -> Frames:
    """Make frames while `goes_on`; before each, `act` gets its number, to do what a person does."""
    found = Frames(began=time.monotonic())
    due = found.began
    while goes_on():
        with app.clock.between_frames():
            time.sleep(max(0.0, due - time.monotonic()))
        began = time.monotonic()
        found.late.append(began - due)
        act(len(found.late))
        app.frame(time.monotonic())
        found.done.append(time.monotonic() - due)
        due = began + FRAME
    return found


def point(app: App, x: int, y: int, held: bool = False) -> None:
    """Move the pointer there."""
    import pygame

    app.dispatch(pygame.event.Event(pygame.MOUSEMOTION, pos=(x, y), rel=(3, 1), buttons=(int(held), 0, 0)))


def _shares(name: str, seconds: list[float]) -> dict[str, float]:
    """Return the median, the 90th and 99th percentile and the maximum of `seconds` in milliseconds, as ``NAME_p50`` to
    ``NAME_p100``. `seconds` must not be empty."""
    ordered = [round(1000 * each, 2) for each in sorted(seconds)]
    return {f"{name}_p{share}": ordered[(len(ordered) - 1) * share // 100] for share in (50, 90, 99, 100)}
