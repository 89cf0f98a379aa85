"""What keeps a program: it ends as the program did, and nothing that this has started is left."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import psutil
import pytest

from ai.system.keeper import descendants
from ai.system.programs import Program
from tests.ai.pbrain.test_misbehaving import words_of
from tests.waiting import PATIENCE, wait

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has job objects instead")


@pytest.fixture(autouse=True)
def before() -> Iterator[set[int]]:
    """The processes below this one, which are the only ones afterwards."""
    known = set(descendants(os.getpid()))
    assert known == {each.pid for each in psutil.Process().children(recursive=True)}
    yield known
    wait(lambda: set(descendants(os.getpid())) <= known)


@pytest.mark.parametrize(
    ("code", "status"),
    [("", 0), ("import os; os._exit(255)", 255), ("import os; os.abort()", -6),
     ("import os; os.kill(os.getpid(), 9)", -9)],
)  # fmt: skip
def test_it_ends_as_the_program_does(code: str, status: int) -> None:
    program = Program([sys.executable, "-c", code])
    with program.stdin, program.stdout:
        assert program.wait(PATIENCE) == status


def test_a_program_that_is_not_there_is_an_error_of_the_system() -> None:
    with pytest.raises(FileNotFoundError, match="No such file or directory: '/no/such/program'"):
        Program(["/no/such/program"])


SLEEP = "import time; time.sleep(600)"
START = f"""
import subprocess, sys
sleep = [sys.executable, "-c", {SLEEP!r}]
subprocess.Popen(sleep, start_new_session=True, stdout=subprocess.DEVNULL)
between = "import subprocess, sys; subprocess.Popen(sys.argv[1:], start_new_session=True, stdout=subprocess.DEVNULL)"
subprocess.run([sys.executable, "-c", between, *sleep])
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("end", ["by itself", "when asked", "by a signal to its keeper"])
def test_what_a_program_has_started_ends_with_it(end: str, before: set[int]) -> None:
    """Also in sessions of their own, and where the process between has ended."""
    program = Program([sys.executable, "-c", START])
    with program.stdin, program.stdout:
        assert program.stdout.readline() == b"ready\n"
        started = {each: words_of(psutil.Process(each)) for each in set(descendants(os.getpid())) - before}
        assert [words[-1] for words in started.values()].count(SLEEP) == 2
        if end == "by itself":
            program.stdin.close()
        elif end == "when asked":
            program.end()
        else:
            (keeper,) = (number for number, words in started.items() if "keep" in words)
            assert os.getsid(keeper) != os.getsid(0), "out of reach of Ctrl+C"
            os.kill(keeper, signal.SIGTERM)
        assert program.wait(PATIENCE) == (0 if end == "by itself" else -signal.SIGKILL)
        assert program.stdout.read() == b""


@pytest.mark.skipif(sys.platform != "linux", reason="there is no signal of a parent's death")
def test_a_program_ends_when_its_keeper_is_killed(before: set[int]) -> None:
    program = Program([sys.executable, "-c", SLEEP])
    with program.stdin, program.stdout:
        started = set(descendants(os.getpid())) - before
        (keeper,) = (number for number in started if "keep" in words_of(psutil.Process(number)))
        os.kill(keeper, signal.SIGKILL)
        assert program.wait(PATIENCE) == -signal.SIGKILL
        wait(lambda: not any(map(psutil.pid_exists, started)))
