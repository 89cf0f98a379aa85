"""What is logged of errors that nobody has caught, and how the loop is watched."""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest

from tests.waiting import PATIENCE
from ui.system import faults as faults_module
from ui.system.faults import Faults, faults_file


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked of faulthandler, which is not really enabled, by a watchdog that looks often. It writes a word in
    the place of the stacks."""
    asked: list[str] = []

    def dump(file: BinaryIO) -> None:
        asked.append("dump")
        file.write(b"a stack")

    monkeypatch.setattr(faults_module, "LOOK", 0.001)
    monkeypatch.setattr(faulthandler, "enable", lambda *_: None)
    monkeypatch.setattr(faulthandler, "disable", lambda: None)
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: asked.append("cancel"))
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda _after, file: asked.append("later"))
    monkeypatch.setattr(faulthandler, "dump_traceback", dump)
    return asked


def looked(asked: list[str]) -> None:
    """Wait until the watchdog has looked twice more, so that one look has begun and ended since."""
    before, end = asked.count("later"), time.monotonic() + PATIENCE
    while asked.count("later") < before + 2:
        assert time.monotonic() < end
        time.sleep(0.001)


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


@pytest.mark.usefixtures("watched")
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


def test_a_loop_that_stands_still_leaves_the_stacks_once_in_the_log(
    watched: list[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults_module, "STILL", 0.05)
    faults = Faults()
    faults.reset_watchdog()
    with faults.install():
        for _ in range(2):
            faults.reset_watchdog()
            time.sleep(0.06)
            looked(watched)
            looked(watched)
        assert watched.count("dump") == 2
        faults.reset_watchdog()
        for record in caplog.records[1:]:  # after the heading
            assert record.getMessage().startswith("The window stood still for ")
            assert record.getMessage().endswith("All stacks, the last call first:\na stack")
        assert len(caplog.records) == 3
        time.sleep(0.06)
        looked(watched)
    assert "The window stood still. All stacks" in caplog.records[-1].getMessage(), "it did not move again"
    assert watched[-1] == "cancel"
    asked = len(watched)
    time.sleep(0.05)
    faults.reset_watchdog()
    assert len(watched) == asked, "nothing is watched any more"


def test_a_loop_that_turns_or_waits_for_a_person_does_not_stand_still(
    watched: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    faults = Faults()
    with faults.install():
        time.sleep(0.02)
        assert watched == [], "the loop has not begun"
        faults.reset_watchdog()
        looked(watched)
        faults.pause_watchdog()
        asked = len(watched)
        assert watched[-1] == "cancel"
        time.sleep(0.05)
        assert len(watched) == asked
        faults.reset_watchdog()
        looked(watched)
    assert "dump" not in watched
    assert caplog.records == []


def test_a_loop_that_stands_still_before_the_first_look_is_watched(
    watched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults_module, "LOOK", PATIENCE)
    faults = Faults()
    with faults.install():
        faults.reset_watchdog()
        assert watched == ["later"]
        faults.pause_watchdog()
        faults.reset_watchdog()
        faults.reset_watchdog()
        assert watched == ["later", "cancel", "later"], "once until the next pause; then the watchdog does it"


def test_stacks_that_were_written_before_the_window_waits_for_a_person_are_logged_and_make_room_for_the_next(
    watched: list[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults_module, "STILL", 0.05)
    faults = Faults()
    with faults.install():
        for _ in range(2):
            faults.reset_watchdog()
            time.sleep(0.06)
            looked(watched)
            faults.pause_watchdog()
            assert caplog.records[-1].getMessage().endswith("first:\na stack")
            assert faults_file().read_bytes() == b""
    assert watched.count("dump") == 2


@pytest.mark.usefixtures("watched")
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


@pytest.mark.usefixtures("watched")
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
