"""The engine is loaded behind the window: what is waited for, what is read first, and what is said when it fails."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest

from ai.gomoku import loading, tables
from ai.gomoku.engine import RULES
from ai.gomoku.loading import Loading


def loaded(wait: Any) -> Loading:
    made = Loading()
    made.start(wait)
    assert made._thread is not None
    made._thread.join(120)
    assert not made.busy
    return made


def test_one_waits_reads_ahead_and_then_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setattr(loading, "_read_ahead", lambda *_names: done.append("read"))
    monkeypatch.setattr(tables, "build", lambda rule, _size: done.append(rule))
    thresholds = gc.get_threshold()
    assert not loaded(lambda: done.append("waited")).failed
    assert done[:2] == ["waited", "read"]
    assert done[2:] == list(RULES.values())
    assert gc.get_threshold() == thresholds


def test_what_cannot_be_loaded_is_said_to_have_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_rule: object, _size: int) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(tables, "build", broken)
    assert loaded(lambda: None).failed


def test_libraries_are_read_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "some_package" / "inner"
    inner.mkdir(parents=True)
    libraries = {inner / "one.so", inner.parent / "two.so.3", inner / "three.dll"}
    for file in (*libraries, inner.parent / "__init__.py", inner / "notes.txt"):
        file.write_bytes(b"x" * 10)
    (inner / "folder.so").mkdir()  # cannot be read, and is passed over
    read: set[Path] = set()
    opened = Path.open

    def noting(self: Path, *arguments: Any, **options: Any) -> Any:
        file = opened(self, *arguments, **options)
        read.add(self)
        return file

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(Path, "open", noting)
    loading._read_ahead("no_such_package", "some_package")
    assert read == libraries
