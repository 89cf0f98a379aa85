"""Imports that let a window draw meanwhile."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from ai.system.threads import resting


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three modules of which the first imports the second."""
    names = ["resting_first", "resting_second", "resting_third"]
    for name in names:
        (tmp_path / f"{name}.py").write_text("import resting_second\n" if name == names[0] else "")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    return names


def test_a_thread_rests_before_each_module_that_it_imports(modules: list[str]) -> None:
    rests: list[set[str]] = []
    before = list(sys.meta_path)
    with resting(lambda: rests.append(sys.modules.keys() & set(modules))):
        __import__("resting_first")
    assert rests == [set(), {"resting_first"}]
    assert sys.meta_path == before
    __import__("resting_third")
    assert len(rests) == 2


def test_other_threads_do_not(modules: list[str]) -> None:
    rests: list[int] = []
    with resting(lambda: rests.append(threading.get_ident())):
        thread = threading.Thread(target=__import__, args=("resting_first",))
        thread.start()
        thread.join()
        assert not rests
        __import__("resting_third")
    assert rests == [threading.get_ident()]
    assert set(modules) <= sys.modules.keys()
