"""The contract between the window and its contents: what a `Content` and its parts may ask of their `Host`.

`ui.app.App` is the only Host, and every content is a `ui.window.screen.Screen`. Neither side imports the other. A `Job`
is what a content hands to its Host where work may take long.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, Protocol, TypeVar

import pygame

from ai.gomoku.handle import EngineHandle
from ai.service.searches import Searches
from games.formats.common import OnProgress
from games.record import GameRecord
from ui.system.files import Files
from ui.system.settings import Settings
from ui.system.sound import Sounds
from ui.toolkit.accessible import Accessible
from ui.toolkit.dialogs import Holds, always
from ui.toolkit.i18n import t
from ui.toolkit.theme import Colour, Display
from ui.window.background import Imports, Tournaments

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


class Opened(NamedTuple):
    """A game that was read from `file`: the `original` that was asked for, or the copy in the library that has the
    changes made to it."""

    record: GameRecord
    file: Path
    original: Path


class Overlay(Protocol):
    """Something over the screen that takes all events: a menu, a dialog, the key page, a progress card."""

    holds: Holds
    """Whether what it says or asks is still true; else it is closed."""

    @property
    def typing(self) -> bool:
        """Whether a text field in it takes the keys."""

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle `event`. Return False to close the overlay."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw over the screen."""

    def accessible(self) -> Accessible:
        """Return what a screen reader is told of it besides its texts."""


class Content(Protocol):
    """What fills the window: a `ui.window.screen.Screen`. Only the window looks into it."""

    name: str

    def lay_out(self) -> None:
        """Rebuild the widgets for the size of the window."""


Shown = TypeVar("Shown", bound=Content)


class Host(Display, Protocol):
    """The interface of the window for screens, parts and running games."""

    settings: Settings
    files: Files
    sounds: Sounds
    engine: EngineHandle
    overlay: Overlay | None
    """Lies over the screen and takes all events."""
    encodings: dict[Path, str]
    """Those that a person has chosen for files, by their absolute paths, while the window lives."""
    modifiers: int
    """The modifier keys during the current event."""

    @property
    def message(self) -> tuple[str, Colour]:
        """The message in the status line, empty if there is none, and its colour."""

    @property
    def motion(self) -> bool:
        """Whether things may move, as the settings or the system have it."""

    # Screens.

    def show(self, screen: Content) -> None:
        """Replace the screen before the next frame."""

    def open(
        self, screen: Callable[Concatenate[Host, Arguments], Shown],
        *state: Arguments.args, **options: Arguments.kwargs,
    ) -> Shown:  # fmt: skip
        """Show a new `screen` of `ui.screens`, made of `state` and `options`; with ``back`` that is where it
        leads. The screen that is returned can be shown again."""

    def show_keys(self) -> None:
        """Open or close the key page."""

    def toggle_full_screen(self) -> None:
        """Switch between the whole screen and a window."""

    def rebuild(self) -> None:
        """Rebuild the widgets of the screen before the next frame."""

    def restyle(self) -> None:
        """Save the settings, and rebuild theme and widgets before the next frame."""

    # Messages and files.

    def say(self, text: str, kind: str = "info", holds: Holds = always, lasting: bool = False) -> None:
        """Show a sentence in the status line while it `holds` and its screen is shown: the next screen if one is
        wanted, any screen if `lasting`. `kind` is ``info``, ``good`` or ``bad``."""

    def save_settings(self) -> None:
        """Write the settings, on the thread of the files."""

    def choose_file(
        self, start: Path, then: Callable[[Path], object], saving: bool = False, folder: bool = False,
        kinds: tuple[str, ...] | None = None, title: str = "",
    ) -> None:  # fmt: skip
        """Open a file dialog at the folder or the proposed file `start`; call `then` with what is chosen, a file with
        one of the endings `kinds`, by default those of the formats that can be read or, for `saving`, written."""

    def read_game(
        self, path: Path, then: Callable[[Opened], object], failed: Callable[[], object] = lambda: None,
        copies: bool = False,
    ) -> None:  # fmt: skip
        """Read a game file without blocking the window; call `then` with the game, or say why not and call `failed`. If
        `copies` are wanted, a copy that keeps changes of the file is read in its place."""

    def start_job(self, job: Job[Any]) -> None:
        """Do work that may take long, behind a card with its progress that can cancel it."""

    def open_file(
        self, path: Path, back: Content | None = None, failed: Callable[[], object] = lambda: None
    ) -> None:
        """Show the game, or the copy that keeps changes of it, in a replay that leads back to `back`, or home. Call
        `failed` if it cannot be read."""

    # Threads.

    @property
    def searches(self) -> Searches:
        """All that thinks."""

    @property
    def imports(self) -> Imports:
        """What is imported into databases."""

    @property
    def tournaments(self) -> Tournaments:
        """The tournament that is played."""

    def wake(self) -> None:
        """Run the loop once more. Any thread may call this."""

    def rest(self) -> None:
        """Return when no frame is being made, or soon. Call it often in a Python thread that computes for long."""


class Stopped(Exception):
    """Nobody waits for the result any more."""


class Job(Generic[Result]):
    """Work that a person waits for: `ui.window.jobs` has a thread do it, and calls `then` with its result on the
    window's thread. `title` and `name` are on its card; `stopped` is said when it is cancelled.

    `work` is called with a function that takes the progress from 0 to 1 and raises `Stopped` once the job is cancelled.
    """

    at_once = False
    """Whether the window waits for a moment, since it is done soon as a rule."""

    def __init__(
        self, host: Host, title: str, name: str, stopped: str, work: Callable[[OnProgress], Result],
        then: Callable[[Result], object],
    ) -> None:  # fmt: skip
        self.title, self.name, self.stopped, self.work, self.then = title, name, stopped, work, then
        self.share = 0.0
        """How much is done, from 0 to 1."""
        self.future: Future[Result] = Future()
        """What the thread does."""
        self._host = host
        self._unwanted = threading.Event()

    @property
    def pause(self) -> float:
        """Seconds until the next step."""
        return 0.05

    def step(self) -> None:
        """Do the share of the window's thread. Called once a frame."""

    def stop(self) -> None:
        """Cancel the job."""
        self._unwanted.set()

    def succeeded(self, result: Result) -> None:
        """Called with the result before `then`."""

    def fail(self, error: BaseException) -> None:
        """Say that the work raised `error`."""
        self._host.say(t("job.failed", name=self.name), "bad")

    def note_progress(self, share: float) -> None:
        """Note how much is done, on the thread of the work. Raise `Stopped`."""
        if self._unwanted.is_set():
            raise Stopped
        self.share = share
        self._host.rest()
