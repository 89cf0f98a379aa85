"""Let all tests share the compiled kernels of this machine, and start programs that Ctrl+C interrupts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from ai.compiler.cache import kernels_home
from games import damage

os.environ.setdefault("NUMBA_CACHE_DIR", str(kernels_home()))

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # in a job in the background; what we start would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _damage_is_said_where_it_belongs() -> Iterator[None]:
    """And not by the window of another test."""
    yield
    damage.fresh()
