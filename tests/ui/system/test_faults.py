"""What is logged of errors that nobody has caught, and how the loop is watched."""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ui.system.faults import REARM, STILL, Faults, faults_file


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def armed(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds for which faulthandler was armed; nothing is really enabled."""
    seconds: list[float] = []
    monkeypatch.setattr(faulthandler, "enable", lambda *_: None)
    monkeypatch.setattr(faulthandler, "disable", lambda: None)
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: seconds.append(0.0))
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda after, file: seconds.append(after))
    return seconds


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


@pytest.mark.usefixtures("armed")
def test_errors_that_nobody_has_caught_are_logged_under_one_heading(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[object] = []
    monkeypatch.setattr(sys, "__excepthook__", lambda _kind, error, _trace: printed.append(error))
    woken: list[bool] = []
    faults = Faults(lambda: "the versions", lambda: woken.append(True))
    before = sys.excepthook, threading.excepthook, sys.unraisablehook
    with faults.install():
        for error in (raised(KeyboardInterrupt()), raised(ValueError("one"))):
            sys.excepthook(type(error), error, None)
        assert len(printed) == 2
        thread: Any = threading.Thread(name="worker")
        for found in (None, SystemExit(), raised(ValueError("two"))):
            facts: Any = SimpleNamespace(exc_value=found, thread=thread)
            threading.excepthook(facts)
        threading.excepthook(SimpleNamespace(exc_value=raised(ValueError("three")), thread=None))  # type: ignore[arg-type]
        for found in (None, raised(ValueError("four"))):
            unraisable: Any = SimpleNamespace(exc_value=found, err_msg=None, object=7)
            sys.unraisablehook(unraisable)
        logging.getLogger("other").warning("no error")
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before
    assert [record.getMessage() for record in caplog.records] == [
        "An error in this program:\nthe versions", "An unexpected error.", "An error has ended the thread “worker”.",
        "An error has ended the thread “”.", "Exception ignored in: 7", "no error",
    ]  # fmt: skip
    assert (faults.ended_threads(), faults.ended_threads(), woken) == (["worker", ""], [], [True, True])
    assert "ValueError: four" in faults.report()


def test_a_report_has_no_name_of_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = Faults(lambda: "data /home/ada/games")
    faults.note(raised(ValueError("in /home/ada")))
    for home, path in (("/home/ada", "~/games"), ("/", "/home/ada/games"), ("/h", "~ome/ada/games")):
        monkeypatch.setattr("os.path.expanduser", lambda _path, home=home: home)
        assert faults.report().startswith(f"data {path}\n\nTraceback")


def test_the_watchdog_is_armed_again_after_a_second_and_tells_of_a_pause(
    armed: list[float], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    faults = Faults()
    faults.reset_watchdog()
    assert armed == [], "nothing is watched before it is installed"
    with faults.install():
        for at, times in ((100.0, 1), (100.5, 1), (101.0, 2), (101.5, 2), (106.0, 3)):
            now[0] = at
            faults.reset_watchdog()
            assert armed == [STILL + REARM] * times
        faults_file().write_bytes(b"a stack")
        now[0] = 106.0 + STILL
        faults.reset_watchdog()
        assert caplog.records == [], "not longer than may be"
        now[0] += STILL + 1.0
        faults.reset_watchdog()
        assert faults_file().read_bytes() == b""
        assert caplog.records[-1].getMessage().startswith("The window stood still for 6.0 seconds. All stacks")
        faults.pause_watchdog()
        now[0] += 100.0
        faults_file().write_bytes(b"a stack")
        faults.reset_watchdog()
        assert len(caplog.records) == 2, "the window had waited for a person"
    assert "The window stood still. All stacks" in caplog.records[-1].getMessage()
    faults.reset_watchdog()
    assert armed == [*[6.0] * 5, 0.0, 6.0, 0.0]


@pytest.mark.usefixtures("armed")
@pytest.mark.parametrize(("size", "whole"), [(7, True), (2**20, True), (2**20 + 1, False)])
def test_what_an_earlier_run_left_is_logged_at_the_start_and_makes_room_even_if_it_is_endless(
    caplog: pytest.LogCaptureFixture, size: int, whole: bool
) -> None:
    faults_file().parent.mkdir(parents=True, exist_ok=True)
    faults_file().write_bytes(b"a stack".ljust(size))
    with Faults().install():
        text = caplog.records[-1].getMessage()
        assert text.startswith("An earlier run was ended. All stacks")
        assert ("a stack" in text, "too large" in text) == (whole, not whole)
    assert faults_file().read_bytes() == b""


@pytest.mark.usefixtures("armed")
def test_a_file_that_cannot_be_written_is_a_warning(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults_file().mkdir(parents=True)
    enabled: list[object] = []
    monkeypatch.setattr(faulthandler, "enable", lambda *file: enabled.append(file))
    for stream, times in ((sys.stderr, 1), (None, 1)):
        monkeypatch.setattr(sys, "stderr", stream)
        with Faults().install():
            assert "cannot be written" in caplog.records[-1].getMessage()
            assert enabled == [()] * times
