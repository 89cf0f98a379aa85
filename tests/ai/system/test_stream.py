"""Generators in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.system.stream import Stream, TaskFailure
from tests.waiting import wait

ROOT = Path(__file__).parents[3]


def numbers(count: int) -> Iterator[int]:
    yield from range(count)


def failing() -> Iterator[int]:
    yield 1
    raise ValueError("no")


def refusing() -> Iterator[int]:
    yield 1
    raise TaskFailure("There is no such thing.")


def endless() -> Iterator[int]:
    yield os.getpid()
    while True:
        time.sleep(0.01)


def dying() -> Iterator[int]:
    yield 1
    os._exit(3)


def taken(stream: Stream[int]) -> list[int]:
    found: list[int] = []
    wait(lambda: not stream.busy, lambda: found.extend(stream.take()))
    return found


def alive(number: int) -> bool:
    """Whether there is such a process, and not only its remains."""
    stat = Path(f"/proc/{number}/stat")
    return stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def test_what_is_yielded_arrives_in_order() -> None:
    calls: list[None] = []
    stream = Stream(lambda: calls.append(None), numbers, 500)
    assert (stream.failed, stream.busy) == (False, True)
    assert taken(stream) == list(range(500))
    assert not stream.failed
    assert calls


def test_an_error_ends_it_and_is_logged_with_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    """Only the error was, and not where it was raised."""
    stream = Stream(lambda: None, failing)
    assert taken(stream) == [1]
    assert stream.failed
    assert "ValueError: no" in caplog.text
    assert "in failing" in caplog.text


def test_an_expected_failure_is_logged_as_its_sentence(caplog: pytest.LogCaptureFixture) -> None:
    """It was logged with a traceback."""
    stream = Stream(lambda: None, refusing)
    assert taken(stream) == [1]
    assert stream.failed
    assert [record.getMessage() for record in caplog.records] == ["There is no such thing."]


def test_a_process_that_dies_ends_it() -> None:
    stream = Stream(lambda: None, dying)
    assert taken(stream) == [1]
    assert stream.failed


def test_closing_ends_the_process_at_once() -> None:
    stream, found = Stream(lambda: None, endless), list[int]()
    wait(lambda: found, lambda: found.extend(stream.take()))
    began = time.monotonic()
    stream.close()
    assert time.monotonic() - began < 1.0
    assert not alive(found[0])
    assert not stream.busy
    assert stream.take() == []
    stream.close()


def test_the_process_ends_when_its_parent_is_killed() -> None:
    code = (
        "import time\nfrom ai.system.stream import Stream\nfrom tests.ai.system.test_stream import endless\n"
        "if __name__ == '__main__':\n stream = Stream(lambda: None, endless)\n"
        " while not (found := stream.take()): time.sleep(0.01)\n print(found[0], flush=True)\n time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    assert alive(child)
    parent.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    wait(lambda: not alive(child))
