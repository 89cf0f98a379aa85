"""The process of `tengen engine`: nothing but protocol lines on stdout, and an immediate exit."""

from __future__ import annotations

import os
import signal
import sys
from typing import BinaryIO

from ai.pbrain.server import serve


def run(version: str) -> int:
    """Serve stdin and stdout. Do not return unless one of them is missing: the status is then 1."""
    if sys.stdin is None or sys.stdout is None:
        return 1
    # Let the system end the process at any time: waiting for input, searching, compiling.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with open(sys.stdin.fileno(), "rb", closefd=False) as stdin:
        serve(stdin, _private_stdout(), version)
        # Exit at once: closing would wait for a thread that reads input, and a compilation cannot be interrupted.
        os._exit(0)


def _private_stdout() -> BinaryIO:
    """Return the real stdout, and redirect all other output, of Python and of libraries, to stderr."""
    sys.stdout.flush()
    real = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    try:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    except (OSError, AttributeError):  # no stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return real
