"""Let all tests share the compiled kernels of this machine, keep nothing in its home, and start programs that Ctrl+C
interrupts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from ai.system.compiler.cache import kernels_home
from games import storage as damage

os.environ.setdefault("NUMBA_CACHE_DIR", str(kernels_home()))

# Under nohup, or in a job in the background, they are ignored, and what we start would inherit that.
for _name, _usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL), ("SIGQUIT", signal.SIG_DFL)):
    if hasattr(signal, _name) and signal.getsignal(getattr(signal, _name)) == signal.SIG_IGN:
        signal.signal(getattr(signal, _name), _usual)


@pytest.fixture(scope="session", autouse=True)
def _home_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a test keeps without a home of its own is not kept among the files of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENGEN_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(autouse=True)
def _damage_is_said_where_it_belongs() -> Iterator[None]:
    """And not by the window of another test."""
    yield
    damage.new_damage()
