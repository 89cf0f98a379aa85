"""Child programs: each ends, with all that it has started, when this program ends it, and when this process ends in any
way.

On Windows a job object sees to that (`ai.system.windows_job`), elsewhere a process that keeps the program
(`ai.system.keeper`).

Other people's programs are started here only. `tests/ai/pbrain/misbehaving.py` is one that misbehaves in each way.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_START_SECONDS = 20.0  # for the keeper, on a busy machine
_END_SECONDS = 8.0  # for the keeper to kill what it keeps


def ourselves() -> list[str]:
    """Return the command line that starts this program."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, str(Path(__file__).resolve().parents[2] / "main.py")]


class Program:
    """A program that is started in the background, in `folder`, by default the current one. The caller closes its pipes
    `stdin` and `stdout`.

    Raise `OSError`, with the `errno` of the system, or `ValueError` if it cannot be started.
    """

    stdin: IO[bytes]
    stdout: IO[bytes]

    def __init__(self, arguments: str | Sequence[str], folder: str | None = None) -> None:
        self._child, self._kill = _start(arguments, folder)
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self.stdin, self.stdout = self._child.stdin, self._child.stdout

    @property
    def status(self) -> int | None:
        """Its exit status, or minus the signal that ended it; None while it runs."""
        return self._child.poll()

    def wait(self, seconds: float) -> int | None:
        """Wait at most `seconds` for it to end. Return its `status`; None if it still runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._child.wait(seconds)
        return None

    def end(self) -> None:
        """Kill the program and its descendants, even those that outlive it, and wait for it."""
        self._kill()
        if self.wait(_END_SECONDS) is None:
            self._child.kill()
            self._child.wait()


def _start(arguments: str | Sequence[str], folder: str | None) -> tuple[subprocess.Popen[bytes], Callable[[], object]]:
    """Start a program. Return its process, or elsewhere than on Windows that of its keeper, and a function that kills
    it with its descendants. Raise as `Program`."""
    if sys.platform == "win32":
        from ai.system.windows_job import Job

        job = Job(arguments if isinstance(arguments, str) else subprocess.list2cmdline(arguments), folder)
        return job.child, job.end
    import socket  # late: `tengen engine`, which starts no program, need not wait for it

    from ai.system import keeper

    ours, theirs = socket.socketpair()
    with contextlib.ExitStack() as undo:
        undo.callback(ours.close)
        with theirs:
            child = subprocess.Popen(
                [*ourselves(), keeper.COMMAND, str(theirs.fileno()), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                cwd=folder,
                start_new_session=True,  # out of reach of Ctrl+C in our terminal
            )
        undo.enter_context(child)  # closes its pipes and waits
        undo.callback(child.kill)
        ours.settimeout(_START_SECONDS)
        reply = ours.recv(32)
        if not reply:
            raise OSError("the process that keeps it has died")
        if error := int(reply):
            raise OSError(error, os.strerror(error), arguments[0])
        undo.pop_all()
    return child, ours.close


def end_with_parent(leash: Connection, leave: Callable[[], object]) -> None:
    """Call this in a process that Python's multiprocessing has started. Ignore Ctrl+C, which the parent handles. Call
    `leave` on a thread when the parent closes its end of `leash` or dies: a killed parent cannot end the process
    itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        """Wait for the end of the leash, then leave."""
        with contextlib.suppress(EOFError, OSError):
            leash.recv()
        leave()

    threading.Thread(target=wait, name="tengen-parent", daemon=True).start()


def output_of(arguments: Sequence[str], seconds: float) -> str:
    """Run a short program of the system, and return what it prints; "" if it is missing, fails, or takes longer than
    `seconds`."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    if (before := os.environ.get("LD_LIBRARY_PATH_ORIG")) is not None:  # PyInstaller's libraries are not the system's
        environment["LD_LIBRARY_PATH"] = before
    try:
        found = subprocess.run(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
            timeout=seconds, env=environment,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.decode(errors="replace")
