"""Interrupted matches: they end soon, save the finished games, and leave no process behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from tests.waiting import wait

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals as they are on POSIX")

SCRIPT, SLEEPS = "stubborn.py", "import time; time.sleep(600)"
STUBBORN = '''
import os, signal, subprocess, sys, time
for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(each, signal.SIG_IGN)
grandchild = subprocess.Popen([sys.executable, "-c", {sleeps!r}])
with open(os.path.join({folder!r}, str(os.getpid())), "w") as file:
    file.write(str(grandchild.pid))
for line in sys.stdin:
    word = line.split(" ")[0].strip()
    if word == "START":
        print("OK", flush=True)
    if word in ("DONE", "BEGIN"):
        break
while True:
    time.sleep(600)
'''
"""An engine that hangs when it has to move, ignores every signal that can be ignored, and has a child of its own."""


class Hanging:
    """Such an engine: `command` for the arena, and the processes of all that were started."""

    def __init__(self, folder: Path) -> None:
        self._pids = folder / "pids"
        self._pids.mkdir()
        script = folder / SCRIPT
        script.write_text(STUBBORN.format(folder=str(self._pids), sleeps=SLEEPS), encoding="utf-8")
        self.command = f'cmd:"{sys.executable}" "{script}"'

    @property
    def started(self) -> list[int]:
        """Engines that have told of themselves and of their child."""
        return [int(file.name) for file in self._pids.iterdir() if file.read_text()]

    @property
    def processes(self) -> list[int]:
        return [*self.started, *(int(file.read_text()) for file in self._pids.iterdir() if file.read_text())]

    @property
    def alive(self) -> list[int]:
        return [pid for pid in self.processes if _runs(pid)]


def _runs(pid: int) -> bool:
    """Whether it is there and no zombie, which is for its parent to clear away; and not another, which has got the
    number of one that has ended."""
    try:
        process = psutil.Process(pid)
        words = [] if process.status() == psutil.STATUS_ZOMBIE else process.cmdline()
    except psutil.Error:
        return False
    return any(SCRIPT in word or SLEEPS in word for word in words)


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[Hanging]:
    made = Hanging(tmp_path)
    yield made
    for pid in made.alive:
        os.kill(pid, signal.SIGKILL)


@contextmanager
def arena(*arguments: str, home: Path) -> Iterator[subprocess.Popen[str]]:
    """A match under way, in a process group of its own, as in a terminal."""
    command = [sys.executable, str(ROOT / "main.py"), "arena", *arguments]
    match = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0,
        env={**os.environ, "TENGEN_HOME": str(home)},
    )  # fmt: skip
    try:
        yield match
    finally:
        with suppress(ProcessLookupError):
            os.killpg(match.pid, signal.SIGKILL)
        match.communicate()


def ctrl_c(match: subprocess.Popen[str]) -> None:
    os.killpg(match.pid, signal.SIGINT)  # as a terminal sends it: to all


def terminate(match: subprocess.Popen[str]) -> None:
    match.terminate()


@pytest.mark.slow
@pytest.mark.parametrize(("interrupt", "status", "workers"), [(ctrl_c, 130, 2), (terminate, 143, 1)])
def test_ctrl_c_leaves_no_engine_of_a_match_behind(
    interrupt: Callable[[subprocess.Popen[str]], None], status: int, workers: int, hanging: Hanging, tmp_path: Path
) -> None:
    """While the engine hangs, and with what it has started."""
    options = ("--workers", str(workers), "--seconds", "600", "--games", "8", "--seed", "1")
    with arena(hanging.command, "random", *options, home=tmp_path) as match:
        wait(lambda: len(hanging.started) == workers + 1)  # one to see whether it can be started
        assert len(hanging.alive) == 2 * workers
        interrupt(match)
        out, err = match.communicate(timeout=30)
    assert match.returncode == status
    assert out == ""
    assert err == "The match was interrupted; no game is saved without --resume.\n"
    wait(lambda: hanging.alive == [])


@pytest.mark.slow
def test_ctrl_c_keeps_the_finished_games(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    options = ("--game", "tictactoe", "--workers", "2", "--games", "4000", "--seed", "1", "--resume", str(file))
    with arena("random", "random", *options, home=tmp_path) as match:
        wait(lambda: file.exists() and file.read_bytes().count(b"\n") > 10)
        ctrl_c(match)
        _, err = match.communicate(timeout=30)
    assert match.returncode == 130
    assert err.splitlines()[-1] == f"The match was interrupted; “{file}” has the finished games."
    assert "Traceback" not in err
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len([json.loads(line) for line in lines]) > 10
