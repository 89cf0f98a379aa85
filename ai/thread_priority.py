"""Searches behind a window, which give way to it."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from contextvars import ContextVar

behind_window: ContextVar[bool] = ContextVar("behind_window", default=False)
"""Whether what this thread does is for a window of the same process. Threads that it starts have to be told."""

_NICENESS = 5  # above that of the window: about a third of its claim to a processor that both want


def give_way() -> None:
    """Lets the window have a processor before this thread: else its frames wait up to 15 ms for one while as many
    threads search as there are processors.

    Not for threads that hold the interpreter for long: one that has it and no processor holds up the window.
    Only Linux has a niceness for each thread.
    """
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):  # where a sandbox forbids it, the search matters more
            os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + _NICENESS))
