"""Let all tests share the compiled kernels of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ai.compiler.cache import kernels_home
from games import damage

os.environ.setdefault("NUMBA_CACHE_DIR", str(kernels_home()))


@pytest.fixture(autouse=True)
def _damage_is_said_where_it_belongs() -> Iterator[None]:
    """And not by the window of another test."""
    yield
    damage.fresh()
