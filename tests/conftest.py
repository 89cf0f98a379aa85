"""Let all tests share the compiled kernels of this machine."""

from __future__ import annotations

import os

from ai.compiler.cache import kernels_home

os.environ.setdefault("NUMBA_CACHE_DIR", str(kernels_home()))
