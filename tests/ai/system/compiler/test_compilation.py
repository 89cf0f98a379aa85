"""The kernels are compiled once on a machine, by a process that outlives its parent; damage is detected."""

from __future__ import annotations

import ast
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from ai.gomoku import compile_kernels
from ai.gomoku.compile_kernels import COSTS, CompileProgress
from ai.system.compiler import cache, compilation, jit, native
from ai.system.compiler.cache import Condition, condition
from ai.system.compiler.compilation import CompilationFailed, ensure, progress
from tests.waiting import wait

ROOT = Path(__file__).parents[4]
PATIENCE = 300.0

pytestmark = pytest.mark.skipif(jit.NUMBA is None, reason="numba does not run the kernels")


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def emptied(_data: bytes) -> bytes:
    return b""


def zeroed(data: bytes) -> bytes:
    return bytes(len(data))


Damage = Callable[[bytes], bytes]
DAMAGES = (truncated, emptied, zeroed)


def damage(folder: Path, suffix: str, how: Damage) -> None:
    """To the largest kernel."""
    file = max(folder.glob(f"*{suffix}"), key=lambda file: file.stat().st_size)
    file.write_bytes(how(file.read_bytes()))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for compiled kernels, and a process that has not loaded any."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "place", None)
    monkeypatch.setattr(compilation, "ensured", False)
    return tmp_path


@pytest.fixture
def compiled(home: Path) -> Path:
    """A copy of the compiled kernels of this machine, there."""
    assert jit.CACHED
    (made,) = (folder for folder in KERNELS.iterdir() if folder.name == cache.cache_folder().name)
    return Path(shutil.copytree(made, cache.cache_folder()))


KERNELS = cache.kernels_home()


# What is there.


def test_what_is_whole_is_used(compiled: Path) -> None:
    assert condition(compiled) is Condition.COMPLETE
    ensure()
    assert cache.place == compiled


@pytest.mark.parametrize("suffix", [".nbi", ".nbc", cache.ABOUT])
@pytest.mark.parametrize("how", DAMAGES)
def test_damage_to_one_file_is_noticed(compiled: Path, suffix: str, how: Damage) -> None:
    """`engine` silently played by the stand-in until somebody deleted the folder."""
    damage(compiled, suffix, how)
    assert condition(compiled) is Condition.DAMAGED


def test_what_another_python_compiled_or_was_cut_short_is_not_used(
    compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as another:
        another.setattr("platform.python_version", lambda: "another")
        assert condition(compiled) is Condition.MISSING
    next(compiled.glob("*.nbc")).unlink()
    assert condition(compiled) is Condition.DAMAGED
    (compiled / cache.ABOUT).unlink()
    assert condition(compiled) is Condition.MISSING


@pytest.mark.slow
def test_a_copy_of_the_program_uses_the_same_kernels(tmp_path: Path) -> None:
    """The checkout and the installed copy each compiled their own."""
    for name in ("ai", "games", "main.py"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, tmp_path / name)
    before = {file: file.stat().st_mtime_ns for file in (KERNELS / cache.cache_folder().name).iterdir()}
    modules = "from ai.gomoku import engine; from ai.system.compiler import cache, jit"
    code = f"{modules}; print(jit.CACHED, cache.place, engine.__file__)"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(KERNELS)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    folder = KERNELS / cache.cache_folder().name
    assert done.stdout == f"True {folder} {tmp_path / 'ai' / 'gomoku' / 'engine.py'}\n"
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before


def test_the_key_covers_all_sources_of_the_kernels() -> None:
    """Numba does not notice when a kernel that another one calls has changed, nor a constant."""
    folder = Path(cache.__file__).parents[2]
    text = {file: file.read_text(encoding="utf-8") for file in folder.rglob("*.py")}
    needed = {file for file, source in text.items() if "\n@kernel(" in source}
    for file in tuple(needed):
        for node in ast.walk(ast.parse(text[file])):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ai."):
                module = folder.parent.joinpath(*str(node.module).split("."))
                inside = {module / f"{alias.name}.py" for alias in node.names}
                needed |= inside if module.is_dir() else {module.with_suffix(".py")}
    assert folder / "gomoku" / "kernels" / "search.py" in needed
    assert needed == set(native.sources()) - {folder / "gomoku" / "kernels" / "__init__.py"}


# The process.


@pytest.fixture
def program(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts a program in the place of ours, and returns the file in which its starts are noted."""
    notes = home / "starts"

    def make(source: str) -> Path:
        file = home / "program.py"
        head = f"import os, shutil, sys, time; print(os.getsid(0), file=open({str(notes)!r}, 'a'))\n"
        # As ours does: the list of files comes last, or the folder would be complete before the last file is written.
        copy = f"""def copy(kernels={str(KERNELS / folder.name)!r}, folder={str(folder)!r}):
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(kernels, folder, ignore=shutil.ignore_patterns({cache.ABOUT!r}))
            shutil.copy(os.path.join(kernels, {cache.ABOUT!r}), folder)"""
        file.write_text(f"{head}{copy}\n{source}")
        return notes

    folder = cache.cache_folder()
    monkeypatch.setattr(compilation, "ourselves", lambda: [sys.executable, str(home / "program.py")])
    return make


def test_damaged_kernels_are_compiled_again_and_it_is_said_once(
    compiled: Path, program: Callable[[str], Path], caplog: pytest.LogCaptureFixture
) -> None:
    damage(compiled, ".nbc", zeroed)
    program("time.sleep(0.5); copy()")
    told: list[tuple[float, bool]] = []
    with caplog.at_level(logging.WARNING):
        ensure(lambda share, again: told.append((share, again)))
    assert cache.place == compiled
    assert condition(compiled) is Condition.COMPLETE
    assert all(again for _, again in told)
    assert len(caplog.records) == 1
    assert "damaged" in caplog.text


@pytest.mark.skipif(sys.platform == "win32", reason="there are no sessions")
def test_the_process_outlives_whoever_started_it(program: Callable[[str], Path]) -> None:
    notes = program("copy()")
    ensure()
    assert int(notes.read_text()) != os.getsid(0)


def test_a_process_that_dies_is_followed_by_another(program: Callable[[str], Path]) -> None:
    starts = str(cache.kernels_home() / "starts")
    notes = program(f"copy() if open({starts!r}).read().count('\\n') > 1 else sys.exit(9)")
    ensure()
    assert cache.place == cache.cache_folder()
    assert len(notes.read_text().splitlines()) == 2


@pytest.mark.parametrize(("said", "reason"), [({}, "its process ended with status 9"), ({"error": "lack"}, "lack")])
def test_a_process_that_dies_again_is_a_failure_with_a_reason(
    program: Callable[[str], Path], said: dict[str, str], reason: str
) -> None:
    folder = cache.cache_folder()
    folder.mkdir()
    notes = program(f"open({str(folder / 'progress.json')!r}, 'w').write({json.dumps(said)!r}); sys.exit(9)")
    with pytest.raises(CompilationFailed, match=f"cannot be compiled: {reason}"):
        ensure()
    assert len(notes.read_text().splitlines()) == 2
    assert not compilation.is_locked(cache.kernels_home())


def test_one_waits_for_the_compilation_of_another(home: Path, program: Callable[[str], Path]) -> None:
    notes = program("copy()")
    folder = cache.cache_folder()
    lock = FileLock(home / compilation.LOCK)
    lock.acquire()
    looks: list[float] = []

    def told(share: float, _again: bool) -> None:
        looks.append(share)
        if len(looks) == 5:
            shutil.copytree(KERNELS / folder.name, folder)

    ensure(told)
    lock.release()
    assert cache.place == folder
    assert not notes.exists()


def test_where_nothing_can_be_written_the_kernels_are_compiled_here(
    home: Path, program: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = program("copy()")
    monkeypatch.setattr(cache, "writable", lambda _folder: False)
    ensure()
    assert cache.place is None
    assert not notes.exists()


def test_a_disk_that_is_full_is_no_failure(program: Callable[[str], Path]) -> None:
    program(f"sys.exit({compilation.NOT_WRITABLE})")
    ensure()
    assert cache.place is None


def test_the_process_locks_and_lists_what_it_made(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cache.cache_folder()
    folder.mkdir()
    (folder / "rest.nbc").write_bytes(b"of a compilation that was cut short")
    locked: list[bool] = []

    def import_kernels(begin: Callable[[str], object]) -> None:
        locked.append(compilation.is_locked(home))
        begin("search")
        (folder / "search.nbi").write_bytes(b"code")

    monkeypatch.setattr(compile_kernels, "import_kernels", import_kernels)
    monkeypatch.setattr(os, "nice", lambda _by: 0, raising=False)
    assert compile_kernels.run() == 0
    assert locked == [True]
    assert json.loads((folder / cache.ABOUT).read_bytes())["files"].keys() == {"search.nbi"}
    assert condition(folder) is Condition.COMPLETE
    assert compile_kernels.run() == 0
    assert len(locked) == 1, "there is nothing left to do"


# Its progress.


def test_the_share_grows_with_the_cost_and_while_one_kernel_takes_long(tmp_path: Path) -> None:
    """The bar stood at 93 % for half of the time."""
    clock = [1000.0]
    told = CompileProgress(lambda state: compile_kernels.write_progress(tmp_path, state), lambda: clock[0])
    shares = []
    for name, cost in COSTS.items():
        told.begin(name)
        shares += [progress(tmp_path, clock[0]), progress(tmp_path, clock[0] + cost)]
        clock[0] += 2 * cost  # a machine half as fast as the one on which the costs were measured
    assert shares == sorted(shares)
    whole, passed = sum(COSTS.values()), 0.0
    for cost, begun, half in zip(COSTS.values(), shares[::2], shares[1::2], strict=True):
        assert begun == pytest.approx(passed / whole, abs=0.02)
        assert half == pytest.approx((passed + cost / 2) / whole, abs=0.02)
        passed += cost


def test_a_kernel_of_unknown_cost_does_not_disturb(tmp_path: Path) -> None:
    told = CompileProgress(lambda state: compile_kernels.write_progress(tmp_path, state))
    for number in range(100):
        told.begin(f"new{number}")
        assert 0 <= progress(tmp_path) < 1


@pytest.mark.parametrize("text", ["", "[]", "{", '{"at": "x"}', '{"at": 1}', '{"error": 1}'])
def test_progress_that_cannot_be_read_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "progress.json").write_text(text)
    assert progress(tmp_path) == 0.0


def test_the_costs_are_those_of_the_kernels_there_are() -> None:
    """After a change: `python -m ai.lab.kernel_costs`."""
    defined = []
    for source in native.sources():
        tree = ast.parse(source.read_text(encoding="utf-8"))
        defined += [
            node.name for node in tree.body if isinstance(node, ast.FunctionDef)
            for mark in node.decorator_list
            if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "kernel"
        ]
    assert sorted(COSTS) == sorted(defined)


# All of it, which compiles for real.


def analyse(home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "analyse", "h8i9g7", "--last", "--depth", "8", "--json"],
        env=os.environ | {"NUMBA_CACHE_DIR": str(home)}, capture_output=True, text=True, timeout=PATIENCE,
        check=False,
    )  # fmt: skip


@pytest.fixture
def cleaned(home: Path) -> Iterator[Path]:
    """End the process that compiles there afterwards."""
    yield home
    process = compilation.read_progress(cache.cache_folder()).process
    if process and compilation.is_locked(home):
        os.kill(process, signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
def test_an_engine_that_is_killed_early_is_compiled_at_its_second_start(cleaned: Path) -> None:
    """16 games of 16 were played by the stand-in."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cleaned)}
    command = [sys.executable, str(ROOT / "main.py"), "engine"]
    options: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "start_new_session": True}
    with subprocess.Popen(command, env=environment, text=True, **options) as child:
        assert deepest(child, 200) < 9
        wait((cache.cache_folder() / "progress.json").exists, seconds=PATIENCE)
        os.killpg(child.pid, signal.SIGKILL)
    wait(lambda: condition(cache.cache_folder()) is Condition.COMPLETE, seconds=PATIENCE)
    with subprocess.Popen(command, env=environment, text=True, **options) as child:
        # More than once, since a busy machine may not even load it in the time for a move.
        assert any(deepest(child, 2000) == 9 for _ in range(10))
        os.killpg(child.pid, signal.SIGKILL)


def deepest(engine: subprocess.Popen[str], milliseconds: int) -> int:
    """The depth to which it searches a position, of 9 at the most."""
    asked = ("START 15", f"INFO timeout_turn {milliseconds}", "INFO max_depth 9")
    engine.stdin.write("\n".join((*asked, "BOARD", "0,0,2", "12,14,1", "5,9,2", "DONE", "")))
    engine.stdin.flush()
    told = "".join(iter(engine.stdout.readline, "OK\n"))
    for line in iter(engine.stdout.readline, ""):
        told += line
        if line[0].isdigit():
            break
    return max(map(int, re.findall(r"depth (\d+) ", told)), default=0)
