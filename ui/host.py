"""The contract between the window and its contents: the loop drives a `Screen`, which may ask its `Host`.

`ui.app.App` is the only Host, `ui.scene.Scene` the base of every screen. Neither side imports the other.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pygame

from ai.engine_handle import EngineHandle
from ai.player import Player
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


class Screen:
    """What fills the window. `handle` decides, `update` writes, `draw` reads. `setup` is that of the game it shows."""

    name = "screen"
    setup: Setup | None = None
    bindings: tuple[Binding, ...] = ()
    widgets: Widgets

    def build(self) -> None:
        """Create the widgets. Called again whenever size or theme of the window change."""

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event that no key binding and no widget used. Return whether it was used."""
        return False

    def key(self, event: pygame.event.Event) -> bool:
        """Run the action of the pressed key. Return whether it is bound."""
        return False

    def update(self, now: float) -> None:
        """Advance to the time `now` (`time.monotonic()`)."""

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw what is below the widgets."""

    def draw_over(self, surface: pygame.Surface, now: float) -> None:
        """Draw what is above the widgets."""

    def wake(self, now: float) -> float | None:
        """Return the seconds until the next frame is due without an event; None if nothing moves."""
        return None

    def enter(self) -> None:
        """Called when the screen is shown and its widgets are built."""

    def leave(self) -> None:
        """Called before the screen is replaced."""

    def open_file(self, path: Path) -> None:
        """Open a file that was dropped on the window or chosen."""

    def paste(self, record: GameRecord) -> bool:
        """Take a game that was pasted. False to have it shown in a replay."""
        return False

    def places(self) -> dict[str, tuple[int, int]]:
        """Return where to click what is neither a widget nor a move, by name, for tests in a real window."""
        return {}


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
        """Leave off: nobody wants it any more."""


class Host(Display, Protocol):
    """The interface of the window for scenes, panels and running games."""

    settings: Settings
    files: Files
    sounds: Sounds
    engine: EngineHandle
    overlay: Overlay | None
    """Lies over the scene and takes all events."""
    modifiers: int
    """The modifier keys during the current event."""

    @property
    def covered(self) -> bool:
        """Whether an overlay lies over the scene."""

    @property
    def message(self) -> tuple[str, Colour]:
        """The message in the status line, empty if there is none, and its colour."""

    # Screens.

    def show(self, screen: Screen) -> None:
        """Replace the screen before the next frame."""

    def go_home(self) -> None: ...

    def new_game(self, game: str = "") -> None:
        """Show the set-up of a new game: of `game`, or of the last one that was set up."""

    def show_keys(self) -> None:
        """Open or close the key page."""

    def toggle_full_screen(self) -> None: ...

    def rebuild(self) -> None:
        """Rebuild the widgets of the screen before the next frame."""

    def restyle(self) -> None:
        """Save the settings, and rebuild theme and widgets before the next frame."""

    def set_up_position(self, record: GameRecord | None = None, back: Screen | None = None) -> None:
        """Show the analysis board, with the position at the cursor of `record`; it leads back to `back`, or home."""

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

    def open_file(self, path: Path, back: Screen | None = None) -> None:
        """Show the game in a replay that leads back to `back`, or home."""

    def review(self, record: GameRecord, file: Path | None) -> None:
        """Show the finished game at the cursor of `record`, which is saved in `file`, in a replay that reviews it."""

    # Threads.

    def player(self, name: str, book: bool = True) -> Player:
        """A player for the window, with the threads, memory and, if wanted, opening book of the settings."""

    def wake(self) -> None:
        """Run the loop once more. Any thread may call this."""

    def rest(self) -> None:
        """Return when no frame is being made, or soon. Call it often in a Python thread that computes for long."""
