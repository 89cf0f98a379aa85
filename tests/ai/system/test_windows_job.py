"""Job objects of Windows, with its functions replaced by some that keep what they are asked."""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import pytest

import ai.system

HANDLE, PROCESS = 70, 80


class Windows:
    """The functions of `kernel32` and `ntdll`; that called `fails` does."""

    def __init__(self, fails: str = "") -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.child = MagicMock(_handle=PROCESS)
        for name in ("SetInformationJobObject", "AssignProcessToJobObject", "TerminateJobObject", "CloseHandle"):
            setattr(self, name, self._function(name, name != fails))
        self.CreateJobObjectW = self._function("CreateJobObjectW", HANDLE if fails != "CreateJobObjectW" else None)
        self.NtResumeProcess = self._function("NtResumeProcess", -1 if fails == "NtResumeProcess" else 0)

    def _function(self, name: str, result: object) -> MagicMock:
        return MagicMock(side_effect=lambda *given: self.asked.append((name, *given)) or result)

    def start(self, *_: object, **options: Any) -> MagicMock:
        self.asked.append(("Popen", options["creationflags"], options["cwd"]))
        return self.child


def module_on(windows: Windows, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as Windows would import it."""
    monkeypatch.setattr(sys, "platform", "win32")
    for name, function in (("WinDLL", lambda *_, **__: windows), ("WinError", OSError), ("get_last_error", lambda: 5)):
        monkeypatch.setattr(ctypes, name, function, raising=False)
    monkeypatch.setattr(ctypes, "byref", lambda limits: limits)
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 1 << 27, raising=False)
    monkeypatch.setattr(subprocess, "Popen", windows.start)
    spec = importlib.util.spec_from_file_location("job_on_windows", Path(ai.system.__path__[0]) / "windows_job.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_program_is_started_in_a_job_that_ends_with_us(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = Windows()
    job = module_on(windows, monkeypatch).Job("a program", "C:/folder")
    created, (_, handle, kind, limits, size), *rest = windows.asked
    assert (created, handle, kind, size) == (("CreateJobObjectW", None, None), HANDLE, 9, ctypes.sizeof(limits))
    assert limits.BasicLimitInformation.LimitFlags == 0x2000
    assert len(limits.IoInfo) == 6
    assert rest == [
        ("Popen", 1 << 27 | 4, "C:/folder"), ("AssignProcessToJobObject", HANDLE, PROCESS),
        ("NtResumeProcess", PROCESS),
    ]  # fmt: skip
    assert job.child is windows.child
    windows.asked.clear()
    for _ in range(2):
        job.end()
    assert windows.asked == [("TerminateJobObject", HANDLE, 1), ("CloseHandle", HANDLE)]


@pytest.mark.parametrize(
    ("fails", "started"),
    [("CreateJobObjectW", None), ("SetInformationJobObject", False), ("AssignProcessToJobObject", True),
     ("NtResumeProcess", True)],
)  # fmt: skip
def test_a_job_that_cannot_be_made_leaves_nothing(
    fails: str, started: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows = Windows(fails)
    with pytest.raises(OSError, match="resumed" if fails == "NtResumeProcess" else "5"):
        module_on(windows, monkeypatch).Job("a program", None)
    assert (windows.child.kill.called, windows.child.wait.called) == (bool(started), bool(started))
    assert ("CloseHandle" in {name for name, *_ in windows.asked}) is (started is not None)
