"""One window for each data folder: who opens it, and the files of later starts."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from games.storage import data_home
from ui.system import instance
from ui.system.instance import Instance, NoAnswer, claim, inbox

ROOT = Path(__file__).parents[3]
PATIENCE = 30.0

HOLDING = (
    "import sys; from ui.system.instance import claim; held = claim(None); print(held is not None, flush=True); input()"
)
BRINGING = (
    "import sys; from pathlib import Path; from ui.system.instance import claim; print(claim(Path(sys.argv[1])))"
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


@pytest.fixture
def first() -> Iterator[Instance]:
    """The window, which looks into its inbox."""
    made = claim(None)
    made.watch(lambda: None)
    yield made
    made.close()


@pytest.fixture
def other() -> Iterator[subprocess.Popen[str]]:
    """A process that has the window and never answers."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "True\n"
        yield process
        process.kill()


def letters() -> list[Path]:
    return list(inbox().iterdir()) if inbox().exists() else []


def received(first: Instance, bring: Callable[[], object]) -> list[Path | None]:
    """What the window is asked while `bring` runs on another thread."""
    thread, asked = threading.Thread(target=bring), list[Path | None]()
    thread.start()
    end = time.monotonic() + PATIENCE
    while thread.is_alive() and time.monotonic() < end:
        asked += first.take_requests()
        time.sleep(0.01)
    thread.join(PATIENCE)
    return asked


@pytest.mark.slow
def test_a_second_start_hands_its_file_to_the_first(first: Instance) -> None:
    """Two windows on the same folder overwrote each other's games, settings and ratings."""
    names = [b"game.tengen.json", "棋 谱.txt".encode(), *([b"not utf-8 \xff.txt"] if os.name == "posix" else [])]
    for name in names:
        file = Path.cwd() / os.fsdecode(name)
        said: list[bytes] = []

        def bring(file: Path = file, said: list[bytes] = said) -> None:
            said.append(subprocess.run([sys.executable, "-c", BRINGING, file], capture_output=True, check=True).stdout)

        assert received(first, bring) == [file]
        assert said == [f"None{os.linesep}".encode()]
    assert letters() == []


def test_a_second_start_without_a_file_asks_for_the_window(first: Instance) -> None:
    assert received(first, lambda: claim(None)) == [None]


def test_a_window_that_does_not_answer_is_a_sentence(
    other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instance, "PATIENCE", 0.3)
    with pytest.raises(NoAnswer, match=r"already running, but its window does not answer\. .*\.$"):
        claim(Path("/game.txt"))
    assert letters() == [], "nothing is opened later that nobody waits for any more"


def test_a_lock_left_by_a_killed_process_holds_nobody_up(other: subprocess.Popen[str]) -> None:
    other.kill()
    other.wait()
    made = claim(None)
    made.close()


def test_who_waits_for_a_window_that_is_closing_gets_the_next_one(other: subprocess.Popen[str]) -> None:
    end = threading.Timer(0.5, other.kill)
    end.start()
    made = claim(Path("/game.txt"))
    assert letters() == []
    made.close()


def test_rubbish_in_the_inbox_hurts_nobody(first: Instance) -> None:
    inbox().mkdir()
    for number, data in enumerate((b"a\0b", b"relative", b"/" * 65_537)):
        (inbox() / f"{number}.letter").write_bytes(data)
    (inbox() / "folder.letter").mkdir()
    (inbox() / "note.txt").write_bytes(b"/game.txt")
    if os.name == "posix":
        os.mkfifo(inbox() / "pipe.letter")
    assert received(first, lambda: claim(Path("/real.txt"))) == [Path("/real.txt")]
    assert {file.name for file in letters()} == {"folder.letter", "note.txt"}
    time.sleep(0.3)
    assert first.take_requests() == []


def test_a_letter_of_six_seconds_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    woken, now = threading.Event(), 1_000_000.0
    monkeypatch.setattr(instance, "time", SimpleNamespace(time=lambda: now, monotonic=time.monotonic))
    inbox().mkdir(parents=True)
    for age in (5.5, 6.0):
        (letter := inbox() / f"{age}.letter").write_bytes(f"/{age}".encode())
        os.utime(letter, (now - age, now - age))
    made = claim(None)
    made.watch(woken.set)
    assert woken.wait(PATIENCE)
    assert [thread.daemon for thread in threading.enumerate() if thread.name == "inbox"] == [True]
    assert made.take_requests() == [Path("/5.5")]
    made.close()


def test_where_nothing_can_be_written_a_window_opens(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_bytes(b"")
    monkeypatch.setenv("TENGEN_HOME", str(home / "file" / "below"))
    made = claim(None)
    made.watch(lambda: None)
    assert made.take_requests() == []
    made.close()
    assert not data_home().exists()
