"""Our engine as a Gomocup brain, in a process of its own: how it starts, answers and ends."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

ROOT = Path(__file__).parents[3]

PATIENCE = 60.0  # seconds; who is to stop has ten times as many for a move


def started(
    home: Path, stderr: int = subprocess.DEVNULL, stdout: int | IO[bytes] = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """`main.py engine` with `TENGEN_HOME` at `home`."""
    command = [sys.executable, str(ROOT / "main.py"), "engine"]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=stdout, stderr=stderr, env=os.environ | {"TENGEN_HOME": str(home)}
    )


class Process:
    """`main.py engine`, driven as a manager does."""

    def __init__(self, home: Path) -> None:
        self.child = started(home)
        self.replies: queue.Queue[bytes] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.replies.put(line)

    def send(self, text: str) -> None:
        self.child.stdin.write(text.replace("\n", "\r\n").encode())
        self.child.stdin.flush()

    def reply(self) -> str:
        """The next line that is no message."""
        while True:
            line = self.replies.get(timeout=PATIENCE).decode().rstrip()
            if not line.startswith("MESSAGE"):
                return line

    def await_thinking(self) -> None:
        """Wait until it tells of a search; it tells nothing of a move from the book."""
        while not self.replies.get(timeout=PATIENCE).startswith(b"MESSAGE"):
            pass

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        self.reader.join()
        for pipe in (self.child.stdin, self.child.stdout):
            with contextlib.suppress(OSError):  # bytes that could not be written any more
                pipe.close()


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    made = Process(tmp_path)
    yield made
    made.close()


def test_a_start_waited_for_modules_that_only_openings_need() -> None:
    code = "import sys, ai.pbrain.server; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    slow = (
        "pygame", "ui", "sqlite3", "games.formats", "games.library", "games.record", "ai.review", "ai.gomoku.openings"
    )  # fmt: skip
    assert [name for name in found.split() if name in slow] == []


@pytest.mark.slow
def test_a_manager_that_does_not_wait(process: Process) -> None:
    process.send("START 15\nINFO timeout_turn 400\nINFO timeout_match 100000\nINFO rule 0\nINFO time_left 100000\n")
    process.send("BOARD\nDONE\nINFO time_left 99000\nTURN 0,0\n")
    assert process.reply() == "OK"
    assert process.reply() == "7,7"
    assert re.fullmatch(r"\d+,\d+", process.reply())


@pytest.mark.slow
@pytest.mark.parametrize("by", ["END\n", "the end of input"])
def test_it_leaves_at_once_while_it_thinks(process: Process, by: str) -> None:
    process.send("START 15\nINFO timeout_turn 600000\nTURN 0,0\n")
    process.await_thinking()
    if by == "END\n":
        process.send(by)
    else:
        process.child.stdin.close()
    assert process.child.wait(PATIENCE) == 0


@pytest.mark.slow
def test_yxstop_moves_now(process: Process) -> None:
    process.send("START 15\nINFO timeout_turn 600000\nTURN 0,0\n")
    process.await_thinking()
    process.send("YXSTOP\n")
    assert re.fullmatch(r"\d+,\d+", process.reply())
    process.send("ABOUT\n")
    assert process.reply().startswith('name="Tengen"')


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
@pytest.mark.parametrize("said", ["", "START 15\nINFO timeout_turn 60000\nTURN 0,0\n"], ids=["idle", "searching"])
def test_ctrl_c_ends_it_at_once_and_without_a_traceback(said: str, tmp_path: Path) -> None:
    """It was waited for until the search ended, and then the interpreter told where it had been."""
    with started(tmp_path, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write(b"ABOUT\n" + said.encode())
        child.stdin.flush()
        for _ in range(2 if said else 1):
            child.stdout.readline()
        child.send_signal(signal.SIGINT)
        assert child.wait(10) == -signal.SIGINT
        assert child.stderr.read() == b""


@pytest.mark.slow
def test_a_manager_that_has_gone_ends_it(tmp_path: Path) -> None:
    """Its end of the pipe is closed, so that the answer cannot be written."""
    with started(tmp_path) as child:
        child.stdout.close()
        child.stdin.write(b"START 15\n")
        child.stdin.flush()
        assert child.wait(PATIENCE) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that Linux has")
@pytest.mark.parametrize("said", ["ABOUT\n", "START 15\nINFO timeout_turn 500\nTURN 7,7\n"])
def test_an_output_that_is_full_was_a_traceback(said: str, tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full, started(tmp_path, subprocess.PIPE, full) as child:
        _, err = child.communicate(said.encode() + b"END\n", PATIENCE)
    assert err == b"The output cannot be written: No space left on device.\n"
    assert child.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed by a shell of Unix")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_stream_that_is_closed_was_not_told(closed: str, tmp_path: Path) -> None:
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, str(ROOT / "main.py"), "engine"]
    ended = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    assert ended.stderr == b"The engine talks on stdin and stdout, and one of them is closed.\n"
    assert ended.returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of another size")
def test_a_manager_that_never_reads_kept_it_for_ever_after_its_end(tmp_path: Path) -> None:
    """It waited to write the next answer."""
    with started(tmp_path) as child:
        child.stdin.write(b"ABOUT\n" * 4000)  # more than a pipe takes
        child.stdin.close()
        assert child.wait(PATIENCE) == 1
