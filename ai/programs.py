"""Child programs: each in its own process group, killed together with its descendants."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection

_running: set[subprocess.Popen[bytes]] = set()
_lock = threading.Lock()  # held while a program starts, so that `end_all` misses none


def start(arguments: str | Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a program with pipes to its stdin and stdout. Raise `OSError` or `ValueError`.

    In its own session, so that Ctrl+C in our terminal does not reach it.
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


def end_with_parent(leash: Connection, leave: Callable[[], object]) -> None:
    """Have a process that Python started ignore Ctrl+C, which its parent handles, and `leave` when the parent has
    closed its end of `leash` or has died: a killed parent cannot end it itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        with contextlib.suppress(EOFError, OSError):
            leash.recv()
        leave()

    threading.Thread(target=wait, name="tengen-parent", daemon=True).start()


def end(child: subprocess.Popen[bytes]) -> None:
    """Kill the program and its descendants, even if it has exited before them.

    On Windows, descendants of a program that has exited survive.
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
    """Kill all running programs before this process exits; none can be started afterwards."""
    _lock.acquire()
    for child in list(_running):
        end(child)
