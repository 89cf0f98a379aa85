"""The contract between the window and its contents: the loop drives a `Content`, which may ask its `Host`.

`ui.app.App` is the only Host, and every content is a `ui.screen.Screen`. Neither side imports the other.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pygame

from ai.engine_handle import EngineHandle
from ai.searches import Searches
from games.record import GameRecord
from games.registry import Setup
from ui.system.files import Files
from ui.system.settings import Settings
from ui.system.sound import Sounds
from ui.toolkit.display import Display
from ui.toolkit.keys import Binding
from ui.toolkit.notices import Holds, always
from ui.toolkit.palette import Colour
from ui.toolkit.widgets import Widgets


class Overlay(Protocol):
    """Something over the screen that takes all events: a menu, a dialog, the key page, a progress card."""

    @property
    def typing(self) -> bool:
        """Whether a text field in it takes the keys."""

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle `event`. Return False to close the overlay."""

    def draw(self, surface: pygame.Surface) -> None: ...


class Content(Protocol):
    """What fills the window: a `ui.screen.Screen`, as the loop drives it."""

    name: str
    setup: Setup | None
    widgets: Widgets

    @property
    def bindings(self) -> tuple[Binding, ...]: ...
    def lay_out(self) -> None: ...
    def handle(self, event: pygame.event.Event) -> bool: ...
    def key(self, event: pygame.event.Event) -> bool: ...
    def update(self, now: float) -> None: ...
    def wake(self, now: float) -> float | None: ...
    def draw(self, surface: pygame.Surface, now: float) -> None: ...
    def draw_over(self, surface: pygame.Surface, now: float) -> None: ...
    def open(self) -> None: ...
    def close(self) -> None: ...
    def open_file(self, path: Path) -> None: ...
    def paste(self, record: GameRecord) -> bool: ...
    def places(self) -> dict[str, tuple[int, int]]: ...


class Job(Protocol):
    """Something that a person waits for. `title` and `name` are on the card; `stopped` is said when it is cancelled."""

    title: str
    name: str
    stopped: str

    @property
    def pause(self) -> float:
        """Seconds until the next step."""

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""

    def step(self) -> bool:
        """Work for a few milliseconds, or look what a thread has done. True when nothing is left to do."""

    def finish(self) -> None:
        """Use what was made; the card is gone."""

    def stop(self) -> None:
        """Cancel the job."""


class Host(Display, Protocol):
    """The interface of the window for screens, parts and running games."""

    settings: Settings
    files: Files
    sounds: Sounds
    engine: EngineHandle
    overlay: Overlay | None
    """Lies over the screen and takes all events."""
    modifiers: int
    """The modifier keys during the current event."""

    @property
    def covered(self) -> bool:
        """Whether an overlay lies over the screen."""

    @property
    def message(self) -> tuple[str, Colour]:
        """The message in the status line, empty if there is none, and its colour."""

    # Screens.

    def show(self, screen: Content) -> None:
        """Replace the screen before the next frame."""

    def open(self, name: str, *state: Any, back: Content | None = None, **options: Any) -> None:
        """Show a new screen of `ui.screens.registry.SCREENS`, made of `state` and `options`, that leads to `back`."""

    def show_keys(self) -> None:
        """Open or close the key page."""

    def toggle_full_screen(self) -> None: ...

    def rebuild(self) -> None:
        """Rebuild the widgets of the screen before the next frame."""

    def restyle(self) -> None:
        """Save the settings, and rebuild theme and widgets before the next frame."""

    # Messages and files.

    def say(self, text: str, kind: str = "info", holds: Holds = always, lasting: bool = False) -> None:
        """Show a sentence in the status line while it `holds` and its screen is shown: the next screen if one is
        wanted, any screen if `lasting`. `kind` is ``info``, ``good`` or ``bad``."""

    def save_settings(self) -> None: ...

    def choose_file(
        self, start: Path, then: Callable[[Path], object], saving: bool = False, folder: bool = False,
        kinds: tuple[str, ...] | None = None, title: str = "",
    ) -> None:  # fmt: skip
        """Open a file dialog at the folder or the proposed file `start`; call `then` with what is chosen, a file with
        one of the endings `kinds`, by default those of the formats that can be read or, for `saving`, written."""

    def read_game(
        self, path: Path, then: Callable[[GameRecord], object], failed: Callable[[], object] = lambda: None
    ) -> None:
        """Read a game file without blocking the window; call `then` with the game, or say why not and call `failed`."""

    def start_job(self, job: Job) -> None:
        """Do work that may take long, behind a card with its progress that can cancel it."""

    def open_file(self, path: Path, back: Content | None = None) -> None:
        """Show the game in a replay that leads back to `back`, or home."""

    # Threads.

    @property
    def searches(self) -> Searches:
        """All that thinks."""

    def wake(self) -> None:
        """Run the loop once more. Any thread may call this."""

    def rest(self) -> None:
        """Return when no frame is being made, or soon. Call it often in a Python thread that computes for long."""
