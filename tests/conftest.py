"""Let all tests share the compiled kernels of this machine, and start programs that Ctrl+C interrupts."""

from __future__ import annotations

import os
import signal

from ai.compiler.cache import kernels_home

os.environ.setdefault("NUMBA_CACHE_DIR", str(kernels_home()))

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # in a job in the background; what we start would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
