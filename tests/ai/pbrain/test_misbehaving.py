"""External engines that misbehave (`misbehaving.py`): each ends in time, with one sentence, and leaves nothing."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from ai.arena.arena import ArenaError, Options, Standing, run
from ai.arena.match import Match
from ai.core.player import Limit, Stop, answer
from ai.pbrain.external import EngineError, PbrainPlayer, SlowEngine
from ai.service.searches import Worker
from games.formats.text import parse
from games.registry import setup
from tests.sampling import sampled
from tests.waiting import PATIENCE, wait

ROOT = Path(__file__).parents[3]
SCRIPT = Path(__file__).with_name("misbehaving.py")

MOVE = Limit(seconds=0.3)
MEGABYTE = 1 << 20

posix = pytest.mark.skipif(os.name == "nt", reason="there are no signals and no sessions")


class Engine:
    """The engine in any mode, whose processes are found by a mark on their command lines."""

    def __init__(self) -> None:
        self.mark = f"tengen-test-{uuid.uuid4().hex}"

    def command(self, mode: str) -> str:
        return f'"{sys.executable}" "{SCRIPT}" {mode} {self.mark}'

    @property
    def processes(self) -> list[psutil.Process]:
        """Those that live. Who was told to start one has the mark in an argument of many words."""
        return [process for process in psutil.process_iter() if self.mark in words_of(process)]

    @property
    def sleepers(self) -> list[psutil.Process]:
        """What it has started."""
        return [process for process in self.processes if str(SCRIPT) not in words_of(process)]


def words_of(process: psutil.Process) -> list[str]:
    try:
        return [] if process.status() == psutil.STATUS_ZOMBIE else process.cmdline()
    except psutil.Error:
        return []


@pytest.fixture
def engine() -> Iterator[Engine]:
    """Nothing of it is left afterwards: no process, no zombie, no thread."""
    made = Engine()
    threads, before = set(threading.enumerate()), _zombies()
    yield made
    try:
        wait(lambda: not made.processes)
        wait(lambda: [each for each in threading.enumerate() if each not in threads and "pbrain" in each.name] == [])
        assert _zombies() <= before
    finally:
        for process in made.processes:
            process.kill()


def _zombies() -> set[psutil.Process]:
    """Children of this process that have ended, and were not waited for. Those of other tests may be left."""
    return {each for each in psutil.Process().children() if each.status() == psutil.STATUS_ZOMBIE}


@pytest.fixture
def player(engine: Engine, request: pytest.FixtureRequest) -> Iterator[PbrainPlayer]:
    """The engine in the mode that a test asks for, as a player."""
    made = PbrainPlayer(engine.command(request.param), grace=0.3, patience=2.0)
    yield made
    made.close()


def in_mode(*modes: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("player", modes, indirect=True)


POSITION = parse("h8", setup("gomoku")).position


# The player.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "says"),
    sampled([
        ("silent", "does not answer START"), ("dumb", "does not answer START"), ("thinking", "does not answer in time"),
        ("flood", "does not answer in time"), ("endless-line", "does not answer in time"),
        ("garbage", "does not answer in time"),], 3),
    indirect=["player"],
)  # fmt: skip
def test_an_engine_without_an_answer_is_ended_in_time(player: PbrainPlayer, says: str) -> None:
    with pytest.raises(SlowEngine, match=rf"^“[^“”]*” {says}\.$"):
        answer(player, POSITION, MOVE)


@in_mode("deaf")
def test_an_engine_that_never_read_its_input_made_us_wait_for_ever(player: PbrainPlayer) -> None:
    """It answered all the same, until the pipe was full."""
    with pytest.raises(SlowEngine, match=r"does not read what it is sent\.$"):
        _ask_often(player)


def _ask_often(player: PbrainPlayer) -> None:
    for _ in range(2000):
        answer(player, POSITION, Limit(seconds=PATIENCE))


@pytest.mark.slow
@in_mode("dumb")
def test_a_stop_ends_the_wait_for_an_engine_that_does_not_start(engine: Engine, player: PbrainPlayer) -> None:
    """It took the whole time that an engine has to start."""
    patient, stop = PbrainPlayer(player.command, patience=100 * PATIENCE), Stop()
    threading.Timer(0.5, stop.set).start()
    with pytest.raises(SlowEngine):
        answer(patient, POSITION, Limit(), stop)


@in_mode("orphan")
def test_an_engine_that_died_while_its_child_held_the_pipe_was_waited_for(player: PbrainPlayer) -> None:
    with pytest.raises(EngineError, match=r"has ended without an answer \(exit status 3\)\.$"):
        answer(player, POSITION, Limit(depth=5))


@posix
@in_mode("crash")
def test_the_signal_of_a_crash_is_named(player: PbrainPlayer) -> None:
    answer(player, POSITION, MOVE)
    with pytest.raises(EngineError, match=r"has ended without an answer \(killed by SIGSEGV\)\.$"):
        answer(player, POSITION, MOVE)


@pytest.mark.slow
@in_mode("closed")
def test_an_engine_that_has_closed_its_output_has_not_ended(player: PbrainPlayer) -> None:
    with pytest.raises(EngineError, match=r"has closed its output without an answer\.$"):
        answer(player, POSITION, Limit(depth=5))


@pytest.mark.slow
@in_mode("flood", "flood-later", "endless-line")
def test_a_flood_of_messages_filled_memory(player: PbrainPlayer) -> None:
    """Hundreds of megabytes, also while nobody waited for an answer."""
    process, stop = psutil.Process(), Stop()
    before = most = process.memory_info().rss
    search = player.think(POSITION, Limit(seconds=3.0), stop)
    found = threading.Thread(target=lambda: _exhaust(search))
    found.start()
    pause = threading.Event()
    for _ in range(30):
        pause.wait(0.1)
        most = max(most, process.memory_info().rss)
    found.join(PATIENCE)
    assert most - before < 50 * MEGABYTE


def _exhaust(search: Iterator[object]) -> None:
    try:
        for _ in search:
            pass
    except EngineError:
        pass


@pytest.mark.slow
@in_mode("slow", "session", "daemon", "stubborn", "stderr")
def test_what_an_engine_does_besides_its_answers(player: PbrainPlayer) -> None:
    for _ in range(2):
        assert answer(player, POSITION, Limit(seconds=10.0)).move == 0


@pytest.mark.slow
@in_mode("thinking")
def test_a_search_that_is_left_takes_its_engine_along(engine: Engine, player: PbrainPlayer) -> None:
    """Its late answer would be taken for the next one."""
    player.warm_up(POSITION)
    worker = Worker()
    worker.start(player, POSITION, Limit())
    wait(lambda: len(engine.processes) > 0)
    worker.drop()
    worker.release(player)
    worker.close(PATIENCE)
    assert engine.processes == []


@posix
def test_signals_are_as_a_new_program_expects_them(tmp_path: Path) -> None:
    """A job in the background ignores Ctrl+C, and so did its engines; workers of a match blocked it."""
    told = tmp_path / "signals"
    look = (
        "import signal as s; "
        f"open({str(told)!r}, 'w').write(f'{{s.getsignal(s.SIGINT)}} {{s.pthread_sigmask(0, ())}}')"
    )
    before = signal.signal(signal.SIGINT, signal.SIG_IGN), signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with pytest.raises(EngineError):
            PbrainPlayer(f'"{sys.executable}" -c "{look}"').warm_up(POSITION)
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.pthread_sigmask(signal.SIG_SETMASK, before[1])
    assert "default_int_handler" in told.read_text()
    assert told.read_text().endswith(" set()")


# What cannot be started.


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("{folder}/my engines/brain --fast", "“{folder}/my” cannot be started: there is no such program; "
         "put a path with spaces in quotes: “\"{folder}/my engines/brain\"”."),
        ("{folder}/no engines/brain", "“{folder}/no” cannot be started: there is no such program; "
         "a path with spaces needs quotes."),
        ('"{folder}/no engines/brain"', "“{folder}/no engines/brain” cannot be started: there is no such program."),
        ("no-such-engine", "“no-such-engine” cannot be started: there is no such program on the PATH."),
        ('"{folder}/my engines/script"', "“{folder}/my engines/script” is there, but not what runs it, such as the "
         "interpreter that its first line names."),
    ],
)  # fmt: skip
@posix
def test_a_program_in_a_path_with_a_space_was_no_such_file(command: str, says: str, tmp_path: Path) -> None:
    """It did not say of which file, nor why."""
    (tmp_path / "my engines").mkdir()
    for name, first_line in (("brain", "#!/bin/sh"), ("script", "#!/no/interpreter")):
        file = tmp_path / "my engines" / name
        file.write_text(f"{first_line}\n")
        file.chmod(0o755)
    folder = tmp_path.resolve()
    with pytest.raises(EngineError) as error:
        PbrainPlayer(command.format(folder=folder)).warm_up(POSITION)
    short = re.compile(r"“[^”]*…”")  # a long path
    said = str(error.value)
    assert said == says.format(folder=folder) or short.search(said), said


# On the command line.


@contextmanager
def tengen(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process of ours, which does not outlive a test that fails."""
    with subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, encoding="utf-8", env=os.environ | {"TENGEN_HOME": str(home)},
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "says"),
    sampled([
        ("orphan", r"\(exit status 3\)"), ("closed", "closed its output"), ("flood", "in time"),
        ("illegal", "has answered 99,99: that point is not on the board"),], 1),
)
def test_analyse_ends_with_one_sentence(mode: str, says: str, engine: Engine, tmp_path: Path) -> None:
    with tengen(tmp_path, "analyse", "h8", "--player", f"cmd:{engine.command(mode)}", "--seconds", "0.5") as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert out == ""
    assert re.search(says, err)
    assert err.count("\n") == 1


OTHER_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    "number",
    [signal.SIGKILL, *(pytest.param(each, marks=pytest.mark.slow) for each in OTHER_SIGNALS)],
)
@pytest.mark.parametrize("mode", ["thinking", "thinking-daemon"])
def test_analyse_left_the_engine_running_when_it_was_ended(
    number: signal.Signals, mode: str, engine: Engine, tmp_path: Path
) -> None:
    arguments = ("analyse", "h8i9g7", "--player", f"cmd:{engine.command(mode)}", "--depth", "9")
    with tengen(tmp_path, *arguments) as process:
        wait(lambda: engine.sleepers if mode == "thinking-daemon" else engine.processes)
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "ending", "note"),
    [
        ("thinking", "time", "does not answer in time"), ("flood", "time", "does not answer in time"),
        ("garbage", "time", "does not answer in time"), ("illegal", "illegal", "has answered 99,99"),
    ],
)  # fmt: skip
def test_a_match_goes_on_against_an_engine_that_misbehaves(mode: str, ending: str, note: str, engine: Engine) -> None:
    """It loses, and the next game is played."""
    match = Match(("random", f"cmd:{engine.command(mode)}"), setup("gomoku"), 0.3, 1, 0.3)
    notes: list[str] = []

    def on_progress(standing: Standing, _games: int) -> None:
        notes.append(standing.note)

    assert run(match, Options(2, workers=1), on_progress).endings == {ending: 2}
    assert note in notes[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "note"), [("crash", "has ended"), ("orphan", r"\(exit status 3\)"), ("closed", "closed its output")]
)
def test_a_match_against_an_engine_that_always_ends_says_how(mode: str, note: str, engine: Engine) -> None:
    match = Match(("random", f"cmd:{engine.command(mode)}"), setup("gomoku"), 0.3, 1, 0.3)
    with pytest.raises(ArenaError, match=rf"Every game ended with a crash.*{note}"):
        run(match, Options(2, workers=1), lambda _standing, _games: None)


@pytest.mark.slow
def test_a_match_against_an_engine_that_never_reads_ends(engine: Engine, tmp_path: Path) -> None:
    """It waited for ever once the pipe was full."""
    players = ("random", f"cmd:{engine.command('deaf')}")
    with tengen(tmp_path, "arena", *players, "--games", "4", "--seconds", "5", "--workers", "1", "--json") as process:
        out, err = process.communicate(timeout=5 * PATIENCE)
    assert process.returncode == 0, err
    assert json.loads(out)["wins"] == 4
