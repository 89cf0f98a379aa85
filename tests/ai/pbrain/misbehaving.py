"""An external engine that misbehaves: ``python misbehaving.py MODE MARK``. MARK is for finding its processes.

Run by its path: it uses nothing but the standard library. Unless its mode says otherwise it plays on the first free
point, and exits at END.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

MODE, MARK = sys.argv[1:3]
LONG = 4000
"""Bytes of a line of a flood: memory fills sooner than with short ones."""


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def rest(seconds: float = 600.0) -> None:
    time.sleep(seconds)


def child(*, session: bool) -> None:
    """Start a process that does nothing; it holds our pipes."""
    command = [sys.executable, "-c", "import time; time.sleep(600)", MARK]
    subprocess.Popen(command, start_new_session=session)


def daemon() -> None:
    """Start a process in a session of its own whose parent exits, so that init would adopt it."""
    start = "import subprocess, sys; subprocess.Popen(sys.argv[1:], start_new_session=True)"
    sleep = [sys.executable, "-c", "import time; time.sleep(600)", MARK]
    subprocess.run([sys.executable, "-c", start, *sleep], check=True)


def play(move: Callable[[set[str]], None], begin: Callable[[], None] = lambda: None, stubborn: bool = False) -> None:
    """Serve the protocol: `begin` at START, and `move` with the occupied points when it is our turn."""
    taken: set[str] = set()
    for line in sys.stdin:
        word = line.strip()
        if word.startswith("START"):
            begin()
            say("OK")
        elif word == "BOARD":
            taken = set()
        elif word == "END" and not stubborn:
            return
        elif word in ("DONE", "BEGIN"):
            move(taken)
        elif "," in word:
            taken.add(word.rpartition(",")[0])


def first_free(taken: set[str]) -> None:
    say(next(point for point in (f"{x},{y}" for y in range(5) for x in range(15)) if point not in taken))


def silent() -> None:
    play(lambda _taken: rest(), rest)


def thinking() -> None:
    play(lambda _taken: rest())


def deaf() -> None:
    """Never read, and answer all the same. A small pipe is full sooner."""
    if sys.platform == "linux":
        import fcntl

        fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
    while True:
        for answer in ("OK", "14,14"):
            say(answer)
            rest(0.001)


def dumb() -> None:
    """Never read, and never answer."""
    rest()


def flood(before: bool = True) -> None:
    def move(taken: set[str]) -> None:
        if not before:
            first_free(taken)
        while True:
            sys.stdout.write("MESSAGE " + LONG * "x" + "\n")

    play(move)


def endless_line() -> None:
    def move(_taken: set[str]) -> None:
        while True:
            sys.stdout.write(LONG * "x")

    play(move)


def orphan() -> None:
    """Exit while a child holds the pipes."""

    def move(_taken: set[str]) -> None:
        child(session=False)
        sys.exit(3)

    play(move)


def garbage() -> None:
    def move(_taken: set[str]) -> None:
        while True:
            sys.stdout.buffer.write(os.urandom(LONG).replace(b",", b";"))  # by chance a line would be a move

    play(move)


def crash() -> None:
    """Play a move, then crash."""
    moves = iter((first_free, lambda _taken: os.kill(os.getpid(), signal.SIGSEGV)))

    def move(taken: set[str]) -> None:
        next(moves)(taken)

    play(move)


def stubborn() -> None:
    """Ignore END, and all signals that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    play(first_free, stubborn=True)
    rest()


def stderr() -> None:
    def move(taken: set[str]) -> None:
        sys.stderr.write(1000 * (LONG * "x" + "\n"))
        first_free(taken)

    play(move)


def closed() -> None:
    """Close stdout, and live on."""

    def move(_taken: set[str]) -> None:
        os.close(1)
        rest()

    play(move)


MODES: dict[str, Callable[[], None]] = {
    "well": lambda: play(first_free),
    "silent": silent,
    "thinking": thinking,
    "slow": lambda: play(first_free, lambda: rest(1.0)),
    "deaf": deaf,
    "dumb": dumb,
    "flood": flood,
    "flood-later": lambda: flood(before=False),
    "endless-line": endless_line,
    "orphan": orphan,
    "session": lambda: play(first_free, lambda: child(session=True)),
    "daemon": lambda: play(first_free, daemon),
    "thinking-daemon": lambda: play(lambda _taken: rest(), daemon),
    "garbage": garbage,
    "illegal": lambda: play(lambda _taken: say("99,99")),
    "crash": crash,
    "stubborn": stubborn,
    "stderr": stderr,
    "closed": closed,
}


if __name__ == "__main__":
    MODES[MODE]()
