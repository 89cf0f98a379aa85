"""All tests share the compiled kernels of this machine: in a home of its own, each would have them compiled anew."""

from __future__ import annotations

import os

from ai.gomoku.cache import kernels_home

os.environ.setdefault("NUMBA_CACHE_DIR", str(kernels_home()))
