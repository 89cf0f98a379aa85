"""Open the window: `python main.py [FILE]`."""

from __future__ import annotations

import logging
import os
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

from ai.system.version import VERSION
from games.storage import clear_temporaries, log_file
from ui.diagnosis import quick_diagnosis
from ui.system import event_log as memory
from ui.system.faults import Faults
from ui.system.instance import Instance, NoAnswer, claim


def start(file: str | None) -> int:
    """Open the window with the home screen, or with `file` in a replay; when it is closed, end the process at once. If
    a window is open already, that one shows `file` instead: return 0, or 1 if it does not answer."""
    prepare()
    asked = None if file is None else Path(file).absolute()
    try:
        instance = claim(asked)
    except NoAnswer as error:
        print(error, file=sys.stderr)
        return 1
    if instance is None:
        print(f"Tengen is already running; its window {f'opens “{asked.name}”' if asked else 'comes to the front'}.")
        return 0
    _log_to_file()
    faults = Faults(lambda: quick_diagnosis(VERSION))
    with faults.install():
        status = _run_guarded(instance, asked, faults)
    logging.shutdown()
    # The window is closed and the game is saved. Python would wait for native code of threads that still run.
    os._exit(status)


def _run_guarded(instance: Instance, asked: Path | None, faults: Faults) -> int:
    """Run the window until it is closed. Log and report an unexpected error. Return the exit status."""
    clear_temporaries()
    try:
        return _run_window(instance, asked, faults)
    except Exception as error:
        from ui.window.crash import report_end

        faults.note(error)
        report_end()
    return 1


def _run_window(instance: Instance, asked: Path | None, faults: Faults) -> int:
    """Open the window, with the file `asked` unless None, and run its loop. Return the exit status: 0, or 1 if no
    window can be opened or errors have ended it."""
    import pygame

    from ui.app import App
    from ui.parts.ratings import count_after_crash
    from ui.system.preferences import SystemPreferences, read_preferences
    from ui.system.settings import load_settings

    settings, system = load_settings(), SystemPreferences(read_preferences)
    system.ask()
    try:
        app = App(settings, faults=faults, system=system)
    except pygame.error as error:
        print(f"No window can be opened: {error}.", file=sys.stderr)
        return 1
    count_after_crash(app)
    if asked is not None:
        app.open_file(asked)
    app.serve(instance)
    return 0 if app.run() else 1


def prepare() -> None:
    """Call this before pygame is imported and threads are started: set SDL's environment variables, and how threads
    share the GIL and the heap."""
    os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
    os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "tengen")
    # A frame may release and reacquire the GIL forty times. Python threads that search must give it back quickly.
    sys.setswitchinterval(0.0002)
    memory.limit_arenas()


def _log_to_file() -> None:
    """Log warnings and errors to a file; to stderr if that cannot be written."""
    try:
        handler: logging.Handler = RotatingFileHandler(log_file(), maxBytes=500_000, backupCount=3)
    except OSError:
        handler = logging.StreamHandler()
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=logging.WARNING, handlers=[handler], format=form)
