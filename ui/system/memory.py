"""Return freed memory to the operating system."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress


def trim() -> None:
    """Return the free pages of glibc's heap, of which it would keep most. Do nothing on other systems."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):  # musl has no such function
            ctypes.CDLL(None).malloc_trim(0)
