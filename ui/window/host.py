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
    """A game that was read, and the `file` it is in. That is `original`, which was to be opened, or a copy of it in the
    library, with the changes that were made to it."""

    record: GameRecord
    file: Path
    original: Path


class Overlay(Protocol):
    """Something over the screen that takes all events: a menu, a dialog, the key page or a progress card."""

    holds: Holds
    """Whether what it says or asks is still true; else it is closed."""

    @property
    def typing(self) -> bool:
        """Whether a text field in it has the keyboard focus."""

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle `event`. Return False if the overlay is to be closed."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the overlay over the screen."""

    def accessible(self) -> Accessible:
        """Return its accessible tree, without the texts that it writes."""


class Content(Protocol):
    """What fills the window: a `ui.window.screen.Screen`. Only the window looks into it."""

    name: str

    def lay_out(self) -> None:
        """Create the widgets anew for the size of the window."""


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
        """Whether animations are wanted, by the settings or the system."""

    # Screens.

    def show(self, screen: Content) -> None:
        """Show `screen` in place of the present one, from the next frame on."""

    def open(
        self, screen: Callable[Concatenate[Host, Arguments], Shown],
        *state: Arguments.args, **options: Arguments.kwargs,
    ) -> Shown:  # fmt: skip
        """Create a screen by calling `screen`, one of `ui.screens`, with this host, `state` and `options`. Show it from
        the next frame on, and return it; `show` can show it again. The option ``back`` is the screen that Escape leads
        to."""

    def show_keys(self) -> None:
        """Open the key page, or close whatever overlay is open."""

    def toggle_full_screen(self) -> None:
        """Switch between full screen and window."""

    def rebuild(self) -> None:
        """Create the widgets of the screen anew before the next frame."""

    def restyle(self) -> None:
        """Save the settings; update the theme, and create the widgets anew, before the next frame."""

    # Messages and files.

    def say(
        self, text: str, kind: str = "info", holds: Holds = always, lasting: bool = ..., follows: bool = ...
    ) -> None:  # fmt: skip
        """Show a sentence in the status line for some seconds, while `holds` returns True and its screen is shown. That
        is the one passed to `show`, else the present one; if `lasting`, any screen. `kind` is ``info``, ``good`` or
        ``bad``. If it `follows`, it waits until the sentence that is shown ends."""

    def save_settings(self) -> None:
        """Write the settings on the thread of `files`; say so if that fails."""

    def choose_file(
        self, start: Path, then: Callable[[Path], object], saving: bool = ..., folder: bool = ...,
        kinds: tuple[str, ...] | None = None, title: str = "",
    ) -> None:  # fmt: skip
        """Open a dialog at `start`, a folder or a proposed file; call `then` with the path that the person chooses, or
        never. The dialog picks a file to open, with `saving` a name to save under, with `folder` a folder.

        `kinds` are the endings of the files it shows; by default those of the formats that can be read or, for
        `saving`, written. An empty `title` is replaced by a general one.
        """

    def read_game(
        self, path: Path, then: Callable[[Opened], object], failed: Callable[[], object] = lambda: None,
        copies: bool = ...,
    ) -> None:  # fmt: skip
        """Read a game file without blocking the window; call `then` with the game, or say why not and call `failed`.
        With `copies`, read the copy in the library that has the changes made to that file, if there is one."""

    def start_job(self, job: Job[Any]) -> None:
        """Run a job that may take long, behind a card with its progress that can cancel it. Cancel the running one."""

    def open_file(
        self, path: Path, back: Content | None = None, failed: Callable[[], object] = lambda: None
    ) -> None:
        """Read a game file as `read_game` does with `copies`, and show the game in a replay. Escape leads from there to
        `back`, or home. If the file cannot be read, say why and call `failed`."""

    # Threads.

    @property
    def searches(self) -> Searches:
        """All searches of players, which run on threads and in processes."""

    @property
    def imports(self) -> Imports:
        """The import of games into a database."""

    @property
    def tournaments(self) -> Tournaments:
        """The tournament that is being played."""

    def wake(self) -> None:
        """Make the loop run once more, even without an event. Any thread may call this."""

    def rest(self) -> None:
        """Block the calling thread while a frame is being drawn, at most for some milliseconds. Call it often in a
        Python thread that computes for long, so that frames are not late."""


class Stopped(Exception):
    """Raised in the work of a job that was cancelled."""


class Job(Generic[Result]):
    """Work that a person waits for. `Jobs` runs `work` on a thread, then calls `then` with its result on the window's
    thread. `title` and `name` are written on the card, `stopped` in the status line when the person cancels the job.

    `work` is called with a function that takes the progress from 0 to 1, and raises `Stopped` once the job is
    cancelled.
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
        """Seconds between two calls of `step`."""
        return 0.05

    def step(self) -> None:
        """Do a piece of the work that needs the window's thread, if there is any. Called once a frame."""

    def stop(self) -> None:
        """Cancel the job: the next `note_progress` raises `Stopped`."""
        self._unwanted.set()

    def succeeded(self, result: Result) -> None:
        """Called with the result on the window's thread, before `then`."""

    def fail(self, error: BaseException) -> None:
        """Called on the window's thread if the work has raised `error`: say that the job has failed."""
        self._host.say(t("job.failed", name=self.name), "bad")

    def note_progress(self, share: float) -> None:
        """Set the progress, from 0 to 1, and let frames be drawn. Called by the work on its thread. Raise `Stopped` if
        the job is cancelled."""
        if self._unwanted.is_set():
            raise Stopped
        self.share = share
        self._host.rest()
