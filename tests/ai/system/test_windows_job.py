"""Job objects of Windows, with its functions replaced by some that note what they are asked."""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from unittest.mock import MagicMock, call

import pytest

import ai.system

HANDLE, PROCESS = 70, 80


def module_on(windows: MagicMock, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as Windows would import it."""
    windows.CreateJobObjectW.return_value, windows.NtResumeProcess.return_value = HANDLE, 0
    windows.SetInformationJobObject.return_value = windows.AssignProcessToJobObject.return_value = 1
    windows.Popen.return_value = MagicMock(_handle=PROCESS)
    monkeypatch.setattr(sys, "platform", "win32")
    for name, value in (("WinDLL", lambda *_, **__: windows), ("WinError", OSError), ("get_last_error", lambda: 5)):
        monkeypatch.setattr(ctypes, name, value, raising=False)
    monkeypatch.setattr(ctypes, "byref", lambda limits: limits)
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 1 << 27, raising=False)
    monkeypatch.setattr(subprocess, "Popen", windows.Popen)
    spec = importlib.util.spec_from_file_location("job_on_windows", Path(ai.system.__path__[0]) / "windows_job.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_program_is_started_in_a_job_that_ends_with_us(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = MagicMock()
    job = module_on(windows, monkeypatch).Job("a program", "C:/folder")
    created, limited, started = windows.mock_calls[:3]
    limits = limited.args[2]
    assert (limits.BasicLimitInformation.LimitFlags, len(limits.IoInfo)) == (0x2000, 6)
    assert [created, limited] == [
        call.CreateJobObjectW(None, None), call.SetInformationJobObject(HANDLE, 9, limits, ctypes.sizeof(limits)),
    ]  # fmt: skip
    assert (started.kwargs["creationflags"], started.kwargs["cwd"]) == (1 << 27 | 4, "C:/folder")
    job.end()
    job.end()
    assert windows.mock_calls[3:] == [
        call.AssignProcessToJobObject(HANDLE, PROCESS), call.NtResumeProcess(PROCESS),
        call.TerminateJobObject(HANDLE, 1), call.CloseHandle(HANDLE),
    ]  # fmt: skip
