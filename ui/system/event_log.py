"""Log what is on the screen, for tests with a real mouse and for measurements.

If TENGEN_TRACE is set, append a line of JSON to that file for each scene, message, dialog, menu and saved game, and for
the first frame. Otherwise do nothing.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_logged: dict[str, Any] = {}  # the last scene


def _path() -> str:
    """The file to append to; empty for none."""
    return os.environ.get("TENGEN_TRACE", "")


def _log(**facts: Any) -> None:
    """Append `facts` and the time to the file TENGEN_TRACE as a line of JSON; do nothing if that is not set."""
    if path := _path():
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"time": time.time(), **facts}) + "\n")


@cache
def frame() -> None:
    """Log that a frame was drawn, at the first call only."""
    _log(event="frame")


def message(text: str) -> None:
    """Log a sentence that the window showed."""
    _log(event="message", text=text)


def overlay(shown: Any) -> None:
    """Log an overlay that was opened: the centres of a menu's entries, or of a dialog's widgets. Do nothing for None
    and for overlays without either."""
    if places := getattr(shown, "places", None):
        _log(event="menu", widgets=places())
    elif widgets := getattr(shown, "widgets", None):
        _log(event="dialog", widgets=_centres(widgets))


def saved(file: Path, moves: int) -> None:
    """Log that a game has been saved to `file`. `moves` counts all its moves, those of variations, too."""
    _log(event="saved", file=str(file), moves=moves)


def scene(screen: Any, built: bool) -> None:
    """Log a screen that was `built` anew, or whose widgets or moves have changed since the last call: the centres of
    its widgets, and of the legal moves on its board."""
    if not _path():  # finding the legal moves takes time
        return
    board, position = getattr(screen, "board", None), getattr(screen, "first_position", None)
    moves = {position.move_text(m): board.pixel_of(m) for m in position.legal_moves()} if board and position else {}
    places = {"scene": screen.name, "widgets": _centres(screen.widgets) | screen.places(), "moves": moves}
    if built or places != _logged:
        _logged.update(places)
        _log(event="scene", **places)


def _centres(widgets: Any) -> dict[str, tuple[int, int]]:
    """The centre of each widget in pixels, by the widget's name."""
    return {name: element.rect.center for name, element in widgets.elements.items()}


# Keep the heap of a long session small: glibc's, and nothing is done on other systems.


_M_ARENA_MAX = -8  # of malloc.h


def limit_arenas() -> None:
    """Let all threads allocate from one arena of glibc's heap, since the arenas of short-lived threads become
    fragmented. Call it before there are threads; it does nothing on other systems."""
    _glibc("mallopt", _M_ARENA_MAX, 1)


def trim() -> None:
    """Give the free pages of glibc's heap back to the system. It does nothing on other systems."""
    _glibc("malloc_trim", 0)


def _glibc(function: str, *arguments: int) -> None:
    """Call a function of the C library on Linux; do nothing elsewhere, or if the library lacks it."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):  # musl has no such functions
            getattr(ctypes.CDLL(None), function)(*arguments)
