"""The process of `main.py engine`: protocol lines alone on stdout, and a way out that waits for nothing."""

from __future__ import annotations

import os
import signal
import sys
from typing import BinaryIO

from ai.pbrain.server import serve


def run(version: str) -> int:
    """Serves stdin and stdout. Does not return unless one of them is missing: the status is then 1."""
    if sys.stdin is None or sys.stdout is None:
        return 1
    # The system ends the process, whatever it is doing: waiting for input, searching, compiling.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with open(sys.stdin.fileno(), "rb", closefd=False) as stdin:
        serve(stdin, _private_stdout(), version)
        # From in here: a thread may be waiting for input, and closing would wait for it; and the engine may be
        # in the middle of its compilation, which nothing can interrupt.
        os._exit(0)


def _private_stdout() -> BinaryIO:
    """The real stdout. Whatever else prints, in Python or beneath it, prints on stderr from now on."""
    sys.stdout.flush()
    real = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    try:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    except (OSError, AttributeError):  # no stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return real
