"""How the window is opened, and with which status the process ends; `tests.ui.window.test_crash` starts real ones."""

from __future__ import annotations

import logging
import os
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from ui import start as starting
from ui.system.instance import NoAnswer

Logged = list[dict[str, int]]


@pytest.fixture(autouse=True)
def logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Logged:
    """How large the log may be; neither the process nor its log is touched."""
    limits: Logged = []

    def handler(_file: Path, **sizes: int) -> logging.Handler:
        limits.append(sizes)
        return logging.NullHandler()

    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    for name in ("prepare", "clear_temporaries"):
        monkeypatch.setattr(starting, name, lambda: None)
    monkeypatch.setattr(starting, "RotatingFileHandler", handler)
    monkeypatch.setattr(starting, "Faults", lambda _: SimpleNamespace(install=nullcontext, note=lambda _error: None))
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)
    monkeypatch.setattr(logging, "shutdown", lambda: None)
    monkeypatch.setattr(os, "_exit", lambda status: (_ for _ in ()).throw(SystemExit(status)))
    monkeypatch.setattr("ui.parts.ratings.count_after_crash", lambda _: None)
    return limits


@pytest.mark.parametrize(("file", "run", "status", "said"), [
    ("a.txt", True, 0, ""), (None, True, 0, ""), (None, False, 1, ""), (None, ValueError(), 1, "Tengen has to close"),
    (None, pygame.error("no display"), 1, "No window can be opened: no display."),
])  # fmt: skip
def test_a_window_is_opened_with_its_file_and_ends_with_a_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], logged: Logged, file: str | None,
    run: bool | Exception, status: int, said: str,
) -> None:  # fmt: skip
    opened, held = list[object](), SimpleNamespace()

    def window(*_: Any, **__: Any) -> SimpleNamespace:
        if isinstance(run, Exception):
            raise run
        return SimpleNamespace(open_file=opened.append, serve=opened.append, run=lambda: run)

    monkeypatch.setattr("ui.app.App", window)
    monkeypatch.setattr(starting, "claim", lambda _file: held)
    with pytest.raises(SystemExit) as ended:
        starting.start(file)
    assert (ended.value.code, logged) == (status, [{"maxBytes": 500_000, "backupCount": 3}])
    assert opened == ([] if isinstance(run, Exception) else [*([Path(file).absolute()] if file else []), held])
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.parametrize(("file", "said"), [("a.txt", "opens “a.txt”."), (None, "comes to the front.")])
def test_a_window_that_is_open_already_does_it_or_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: str | None, said: str
) -> None:
    def silent(_file: Path | None) -> None:
        raise NoAnswer("It does not answer.")

    monkeypatch.setattr(starting, "claim", lambda _file: None)
    assert (starting.start(file), capsys.readouterr().out) == (0, f"Tengen is already running; its window {said}\n")
    monkeypatch.setattr(starting, "claim", silent)
    assert (starting.start(file), capsys.readouterr().err) == (1, "It does not answer.\n")
