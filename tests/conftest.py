"""Let all tests share the compiled kernels of this machine, and start programs that Ctrl+C interrupts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from ai.compiler.cache import kernels_home
from games import damage

os.environ.setdefault("NUMBA_CACHE_DIR", str(kernels_home()))

# Under nohup, or in a job in the background, they are ignored, and what we start would inherit that.
for _name, _usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL), ("SIGQUIT", signal.SIG_DFL)):
    if hasattr(signal, _name) and signal.getsignal(getattr(signal, _name)) == signal.SIG_IGN:
        signal.signal(getattr(signal, _name), _usual)


@pytest.fixture(autouse=True)
def _damage_is_said_where_it_belongs() -> Iterator[None]:
    """And not by the window of another test."""
    yield
    damage.fresh()
