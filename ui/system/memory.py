"""Keep the heap of a long session small: glibc's, and nothing is done on other systems."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

_M_ARENA_MAX = -8  # of malloc.h


def limit_arenas() -> None:
    """Let all threads share one arena. With eight for each processor, those of short threads fragment: the library's,
    begun by each visit to the first screen, cost 80 kB a visit. Call it before there are threads."""
    _glibc("mallopt", _M_ARENA_MAX, 1)


def trim() -> None:
    """Return the free pages of the heap, of which glibc would keep most."""
    _glibc("malloc_trim", 0)


def _glibc(function: str, *arguments: int) -> None:
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):  # musl has no such functions
            getattr(ctypes.CDLL(None), function)(*arguments)
