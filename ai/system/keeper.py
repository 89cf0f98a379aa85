"""The keeper: a small process between us and a program that we start, on systems without job objects.

It kills the program and all that this has started when we ask for it, when the program ends, and when we end however:
killed, crashed, or by `os._exit`. It is a process of its own because one that is killed cannot tidy up, and because
only a process can adopt orphans. On Linux nothing that it may kill escapes it: it is the subreaper of all descendants,
also of those in sessions of their own. Elsewhere a descendant escapes that has left the program's process group and
whose parent has exited.

`main.py keep LEASH PROGRAM [ARGUMENT…]` runs it. LEASH is the file descriptor of a socket: the keeper writes there a 0
once the program has started, or the `errno` of why it has not, and kills the program when the other end is closed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

COMMAND = "keep"
"""The hidden subcommand that runs it."""

_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36  # options of prctl(2)
_SWEEP_SECONDS = 5.0  # for processes that cannot be killed at once, such as those that wait for a disk
_SWEEP_POLL = 0.01  # seconds
_PROC = Path("/proc")


def run(arguments: Sequence[str]) -> int:
    """Run the program of `arguments`, after the LEASH, and end as it does: with its exit status, or by the signal that
    ended it.

    Return 1 if it cannot be started; otherwise this does not return.
    """
    leash, program = int(arguments[0]), arguments[1:]
    _prctl(_SET_CHILD_SUBREAPER, 1)
    try:
        child = subprocess.Popen(program, start_new_session=True, preexec_fn=_in_child)  # noqa: PLW1509  (one thread)
    except OSError as error:
        os.write(leash, f"{error.errno}\n".encode())
        return 1
    _release_pipes()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: _kill_tree(child.pid))
    threading.Thread(target=_await_end, args=(leash, child.pid), name="tengen-leash", daemon=True).start()
    os.write(leash, b"0\n")
    code = _reap_until(child.pid)
    _sweep(child.pid)
    return _end_as(code)


def _in_child() -> None:
    """In the new process, before the program starts: reset ignored and blocked signals, which it would inherit, such as
    Ctrl+C in a background job. On Linux, have it killed when the keeper dies."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError, ValueError):  # reserved ones
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    """Call prctl(2) on Linux; elsewhere do nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _release_pipes() -> None:
    """Close the program's pipes in this process, so that their other ends see when the program closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)


def _await_end(leash: int, program: int) -> None:
    """Wait until the other end of the leash is closed, then kill the program and its descendants."""
    with contextlib.suppress(OSError):
        os.read(leash, 1)
    _kill_tree(program)


def _kill_tree(program: int) -> None:
    """Kill the descendants of the program, then the program itself: once it has ended they cannot be found on every
    system."""
    for process in (*descendants(program), program):
        _kill(process)


def _kill(process: int) -> None:
    """Kill one process; ignore errors, as it may have ended."""
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGKILL)


def _reap_until(program: int) -> int:
    """Wait for the program to end, and reap orphans that end before it. Return its exit status, or minus the signal
    that ended it."""
    while True:
        process, status = os.waitpid(-1, 0)
        if process == program:
            return os.waitstatus_to_exitcode(status)


def _sweep(program: int) -> None:
    """After the program has ended, kill its process group and all descendants of this process, also those started
    meanwhile, for some seconds at most."""
    end = time.monotonic() + _SWEEP_SECONDS
    with contextlib.suppress(OSError):
        os.killpg(program, signal.SIGKILL)
    while (left := list(descendants(os.getpid()))) and time.monotonic() < end:
        for process in left:
            _kill(process)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        time.sleep(_SWEEP_POLL)


def descendants(ancestor: int) -> Iterator[int]:
    """Yield the ids of all processes that `ancestor` has started, those that these have started, and so on."""
    children: dict[int, list[int]] = {}
    for process, parent in _parents():
        children.setdefault(parent, []).append(process)
    left = [ancestor]
    while left:
        found = children.get(left.pop(), [])
        yield from found
        left += found


def _parents() -> Iterator[tuple[int, int]]:
    """Yield the id of each process of the system with that of its parent."""
    if (_PROC / "self" / "stat").exists():
        for folder in _PROC.iterdir():
            if folder.name.isdecimal():
                with contextlib.suppress(OSError):  # it has just ended
                    after_name = (folder / "stat").read_bytes().rpartition(b")")[2]
                    yield int(folder.name), int(after_name.split()[1])
        return
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], stdout=subprocess.PIPE, check=True)
    for line in listed.stdout.splitlines():
        process, parent = map(int, line.split())
        if parent != os.getpid():  # without adoption our only child besides the program is `ps`
            yield process, parent


def _end_as(code: int) -> NoReturn:
    """End this process as the program ended: with its exit code, or if `code` is negative by that signal, without a
    core dump."""
    if code < 0:
        import resource  # late: Windows has none

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError, ValueError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
        time.sleep(_SWEEP_SECONDS)  # until it arrives
    os._exit(code & 0xFF)
