"""Other programs that we start: each in a process group of its own, and ended with all that it has started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence

_running: set[subprocess.Popen[bytes]] = set()
_lock = threading.Lock()  # held while a program is started, so that `end_all` misses none


def start(arguments: str | Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts a program with pipes to its stdin and stdout. Raises `OSError` or `ValueError`.

    A Ctrl+C in our terminal does not reach it: its end is ours to decide.
    """
    with _lock:
        child = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        _running.add(child)
    return child


def end(child: subprocess.Popen[bytes]) -> None:
    """Kills the program and the processes it has started, also where it has ended by itself before them.

    On Windows, the processes of a program that has ended by itself go on.
    """
    if os.name == "nt":
        tree = ["taskkill", "/F", "/T", "/PID", str(child.pid)]
        subprocess.run(tree, capture_output=True, check=False, creationflags=subprocess.CREATE_NO_WINDOW)  # type: ignore[attr-defined]
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: permission, for a group of zombies
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()
    _running.discard(child)


def end_all() -> None:
    """Kills every program that is running, for the end of this process: no other can be started afterwards."""
    _lock.acquire()
    for child in list(_running):
        end(child)
