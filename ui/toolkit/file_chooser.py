"""Asks for a file or a folder in a dialog that survives resizing and restyling of the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pygame

from ui.system import trace
from ui.toolkit.dialogs import FileDialog
from ui.toolkit.display import Display


class _Request(NamedTuple):
    start: Path
    then: Callable[[Path], object]
    saving: bool
    folder: bool


class FileChooser:
    """At most one dialog is open. `suffixes` are the endings of the files it offers; `complain` shows a sentence."""

    def __init__(self, display: Display, suffixes: tuple[str, ...], complain: Callable[[str], object]) -> None:
        self._display, self._suffixes, self._complain = display, suffixes, complain
        self._request: _Request | None = None
        self.dialog: FileDialog | None = None

    @property
    def open(self) -> bool:
        return self._request is not None

    def choose(self, start: Path, then: Callable[[Path], object], saving: bool = False, folder: bool = False) -> None:
        """Let the person choose a file, or a `folder`, from the folder `start` or with the proposal `start`."""
        self._request = _Request(start, then, saving, folder)
        self.build()

    def build(self) -> None:
        """Make the dialog anew, if one is open, after the widget manager was cleared or replaced."""
        request = self._request
        if request is None:
            return
        kind = {"saving": request.saving, "folder": request.folder}
        start = _reachable(request.start, request.saving)
        display = self._display
        self.dialog = FileDialog(
            display.theme, display.manager, start, self._suffixes, self._answer, say=self._complain, **kind
        )  # fmt: skip
        trace.dialog(self.dialog)

    def _answer(self, path: Path) -> None:
        request, self._request = self._request, None
        if request is not None:
            request.then(path)

    def handle(self, event: pygame.event.Event) -> None:
        """Pass on an event; while the dialog is open, it takes all of them."""
        self._display.manager.process_events(event)
        if self.dialog is not None and not self.dialog.alive():  # type: ignore[no-untyped-call]
            self.close()

    def close(self) -> None:
        """Forget the question; the widget manager removes the dialog."""
        self.dialog = self._request = None

    def draw_focus(self, surface: pygame.Surface) -> None:
        if self.dialog is not None:
            self.dialog.draw_focus(surface)


def _reachable(start: Path, saving: bool) -> Path:
    """`start`, or the same name in the home folder where the folder of `start` cannot be used."""
    try:
        (start.parent if saving else start).mkdir(parents=True, exist_ok=True)
        start.exists()  # raises where the folder is closed to us, as it would in the dialog
    except OSError:
        return Path.home() / start.name if saving else Path.home()
    return start
