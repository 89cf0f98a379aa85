"""Give memory that the program has freed back to the operating system."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable


def trim() -> None:
    """Return free pages of the C library's heap; it would keep most of them. Do nothing where it cannot."""
    release = _malloc_trim()
    if release is not None:
        release(0)


@functools.cache
def _malloc_trim() -> Callable[[int], int] | None:
    """glibc's function of that name."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # musl has none
        return None
    return found
