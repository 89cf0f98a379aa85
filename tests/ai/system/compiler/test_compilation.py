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
from types import SimpleNamespace
from typing import Any

import pytest
from filelock import FileLock

from ai.gomoku import compile_kernels
from ai.gomoku.compile_kernels import COSTS, CompileProgress
from ai.system.compiler import backend as choice
from ai.system.compiler import cache, compilation, jit, linking, native
from ai.system.compiler.backend import Backend
from ai.system.compiler.cache import Condition, condition
from ai.system.compiler.compilation import CompilationFailed, ensure, progress
from tests.waiting import wait

ROOT = Path(__file__).parents[4]
PATIENCE = 300.0


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def emptied(_data: bytes) -> bytes:
    return b""


def zeroed(data: bytes) -> bytes:
    return bytes(len(data))


Damage = Callable[[bytes], bytes]
DAMAGES = (truncated, emptied, zeroed)


def damage(folder: Path, suffix: str, how: Damage) -> None:
    (file,) = folder.glob(f"*{suffix}")
    file.write_bytes(how(file.read_bytes()))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for compiled kernels, and a process in which numba is to run them, and that has not loaded
    any. No library can be linked."""
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "place", None)
    monkeypatch.setattr(compilation, "ensured", False)
    for module in (compilation, compile_kernels):
        monkeypatch.setattr(module, "backend", lambda: Backend.NUMBA)
    monkeypatch.setattr(compilation, "choose_again", lambda: Backend.NUMBA)
    monkeypatch.setattr(linking, "can_link", lambda: False)
    return tmp_path


@pytest.fixture
def made(home: Path) -> Path:
    """What a compilation leaves, in another folder."""
    folder = home / "made"
    folder.mkdir()
    for suffix in (".nbi", ".nbc"):
        (folder / f"search{suffix}").write_bytes(b"code")
    cache.finish(folder)
    return folder


@pytest.fixture
def compiled(made: Path) -> Path:
    """The folder of the kernels, with them."""
    return Path(shutil.copytree(made, cache.cache_folder()))


KERNELS = cache.kernels_home()


# What is there.


def test_what_is_whole_is_used(compiled: Path) -> None:
    told: list[tuple[float, bool]] = []
    ensure(lambda share, again: told.append((share, again)))
    assert (condition(compiled), cache.place, compilation.ensured) == (Condition.COMPLETE, compiled, True)
    assert told == [], "there is nothing to wait for"
    assert re.fullmatch(r"kernels-[0-9a-f]{16}", compiled.name), "as earlier versions called it"


@pytest.mark.usefixtures("compiled")
def test_kernels_are_looked_for_once_and_by_numba_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for ensured, place, way in ((True, None, Backend.NUMBA), (False, Path("here"), Backend.NUMBA),
                                (False, None, Backend.NATIVE), (True, Path("here"), Backend.NATIVE)):  # fmt: skip
        for owner, name, value in ((compilation, "ensured", ensured), (cache, "place", place)):
            monkeypatch.setattr(owner, name, value)
        monkeypatch.setattr(compilation, "backend", lambda way=way: way)
        ensure()
        assert (cache.place, compilation.ensured) == (place, True)


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
def test_kernels_are_the_same_whoever_imports_numba_first() -> None:
    """Their folder had another name then, and whoever waited for it waited in vain."""
    pytest.importorskip("numba")
    found = set[str]()
    for first in ("", "import numba; "):
        code = f"{first}from ai.system.compiler.cache import cache_folder; print(cache_folder())"
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        found.add(done.stdout)
    assert len(found) == 1


@pytest.mark.slow
@pytest.mark.skipif(native.FOLDER.exists(), reason="this checkout has a library")
@pytest.mark.parametrize("way", ["", "numba"])
def test_a_copy_of_the_program_uses_the_same_kernels(way: str, tmp_path: Path) -> None:
    """The checkout and the installed copy each compiled their own."""
    pytest.importorskip("numba")
    for name in ("ai", "games", "main.py"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, tmp_path / name)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(KERNELS), "TENGEN_KERNELS": way}

    def uses(folder: Path) -> str:
        code = "from ai.gomoku import engine; from ai.system.compiler import backend; print(backend.describe())"
        command = [sys.executable, "-c", f"{code}; print(engine.__file__)"]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
        kernels, engine = done.stdout.splitlines()
        assert engine == str(folder / "ai" / "gomoku" / "engine.py")
        return kernels

    said = uses(ROOT)
    before = {file: file.stat().st_mtime_ns for file in KERNELS.rglob("*")}
    assert str(KERNELS) in said
    assert uses(tmp_path) == said
    assert {file: file.stat().st_mtime_ns for file in KERNELS.rglob("*")} == before


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
def program(home: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts a program in the place of ours, and returns the file in which its starts are noted."""
    notes = home / "starts"

    def make(source: str) -> Path:
        file = home / "program.py"
        head = f"import os, shutil, sys, time; print(os.getsid(0), file=open({str(notes)!r}, 'a'))\n"
        # As ours does: the list of files comes last, or the folder would be complete before the last file is written.
        copy = f"""def copy(kernels={str(made)!r}, folder={str(folder)!r}):
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
    assert told[0] == (0.0, True)
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
    home: Path, program: Callable[[str], Path], said: dict[str, str], reason: str
) -> None:
    notes = program(f"open({str(home / 'progress.json')!r}, 'w').write({json.dumps(said)!r}); sys.exit(9)")
    with pytest.raises(CompilationFailed, match=f"cannot be compiled: {reason}"):
        ensure()
    assert len(notes.read_text().splitlines()) == 2
    assert not compilation.is_locked(cache.kernels_home())


def test_one_waits_for_the_compilation_of_another(home: Path, made: Path, program: Callable[[str], Path]) -> None:
    notes = program("copy()")
    folder = cache.cache_folder()
    lock = FileLock(home / compilation.LOCK)
    lock.acquire()
    looks: list[tuple[float, bool]] = []

    def told(share: float, again: bool) -> None:
        looks.append((share, again))
        if len(looks) == 3:
            shutil.copytree(made, folder)

    ensure(told)
    lock.release()
    assert (cache.place, looks) == (folder, [(0.0, False)] * 3)
    assert not notes.exists()


def test_the_progress_of_an_earlier_compilation_is_not_shown(home: Path, program: Callable[[str], Path]) -> None:
    """The bar began at 99 %."""
    compile_kernels.write_progress(home, {"done": 0.99, "at": 1, "seconds": 1, "error": "an old one"})
    program("time.sleep(0.3); copy()")
    told: list[float] = []
    ensure(lambda share, _again: told.append(share))
    assert set(told) == {0.0}


@pytest.mark.usefixtures("home")
def test_a_folder_that_cannot_be_looked_into_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_path: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cache, "writable", lambda _folder: False)
    monkeypatch.setattr(Path, "exists", closed)
    ensure()
    assert (cache.place, compilation.ensured) == (None, True)


@pytest.mark.usefixtures("home")
def test_machines_of_two_kinds_can_share_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each replaced the library of the other."""
    folders = set[Path]()
    for machine in ("x86_64", "aarch64"):
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        folders.add(cache.library_folder())
    assert len(folders) == 2


def test_where_nothing_can_be_written_the_kernels_are_compiled_here(
    home: Path, program: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = program("copy()")
    monkeypatch.setattr(cache, "writable", lambda _folder: False)
    ensure()
    assert cache.place is None
    assert not notes.exists()


def test_the_folder_of_the_kernels_is_made_and_numba_told_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "new" / "folder"
    monkeypatch.setattr(cache, "place", None)
    assert cache.Locator.from_function(progress, "file.py") is None
    monkeypatch.setattr(cache, "place", folder)
    locator = cache.Locator.from_function(progress, "file.py")
    assert locator is not None
    assert locator.get_cache_path() == str(folder)
    for make in (locator.ensure_cache_path, lambda: cache.writable(folder / "other" / "folder")):
        for _ in range(2):
            make()
    assert (folder / "other").is_dir()
    (folder / "file").touch()
    assert (cache.writable(folder), cache.writable(folder / "file")) == (True, False)


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


# The library that it makes where there is a C compiler.


@pytest.fixture
def linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The library of this process in an empty folder for compiled kernels; a linker in the place of ours copies it, and
    nothing is compiled. The process has not chosen how kernels run."""
    if jit.LIBRARY is None:
        pytest.skip("there is no C compiler")
    made = Path(shutil.copytree(jit.LIBRARY.file.parent, tmp_path / "made"))
    for name, value in (("NUMBA_CACHE_DIR", str(tmp_path / "home")), (choice.VARIABLE, "")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(native, "FOLDER", tmp_path / "nowhere")
    monkeypatch.setattr(cache, "place", None)
    monkeypatch.setattr(compilation, "ensured", False)
    monkeypatch.setattr(cache, "compile_for", lambda _processor: None)
    monkeypatch.setattr(compile_kernels, "import_kernels", lambda begin: begin("search"))
    monkeypatch.setattr(linking, "link", lambda _kernels, folder: shutil.copytree(made, folder) / native.FILE)
    monkeypatch.setattr(linking, "can_link", lambda: True)
    monkeypatch.setattr(os, "nice", lambda _by: 0, raising=False)
    choice.choose_again()
    yield made
    monkeypatch.undo()
    choice.choose_again()


@pytest.mark.usefixtures("linked")
def test_where_there_is_a_c_compiler_a_library_is_made_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choice.backend() is Backend.NUMBA
    folder = cache.library_folder()
    assert (compile_kernels.run(), folder.is_dir(), cache.cache_folder().exists()) == (0, True, False)
    monkeypatch.setattr(linking, "link", lambda _kernels, _folder: pytest.fail("it is there"))
    assert compile_kernels.run() == 0, "another process was first"
    monkeypatch.setattr(compilation, "ensured", False)
    compilation.ensure()
    assert (cache.place, choice.choose_again()) == (None, Backend.NATIVE)
    assert choice.describe().startswith(f"native library {folder / native.FILE}")
    assert choice.compiled_here()
    assert compile_kernels.run() == 1


def test_one_waits_for_the_library_of_another_process(linked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[tuple[float, bool]] = []

    def told(share: float, again: bool) -> None:
        looks.append((share, again))
        if len(looks) == 3:
            shutil.copytree(linked, cache.library_folder())

    monkeypatch.setattr(compilation, "is_locked", lambda _home: True)
    compilation.ensure(told)
    assert (cache.place, choice.backend(), looks) == (None, Backend.NATIVE, [(0.0, False)] * 3)


def test_a_damaged_library_is_made_again_and_it_is_said_once(
    linked: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file = Path(shutil.copytree(linked, cache.library_folder())) / native.FILE
    file.write_bytes(zeroed(file.read_bytes()))
    assert choice.choose_again() is Backend.NUMBA
    told: list[bool] = []
    copy = f"import shutil; shutil.rmtree({str(file.parent)!r}); shutil.copytree({str(linked)!r}, {str(file.parent)!r})"
    monkeypatch.setattr(compilation, "ourselves", lambda: [sys.executable, "-c", copy])
    with caplog.at_level(logging.WARNING):
        compilation.ensure(lambda _share, again: told.append(again))
    assert (choice.backend(), told[0], len(caplog.records)) == (Backend.NATIVE, True, 1)
    assert "damaged" in caplog.text


@pytest.mark.skipif(jit.LIBRARY is None, reason="there is no C compiler")
def test_a_library_is_not_damaged_where_numba_was_asked_for(
    program: Callable[[str], Path], caplog: pytest.LogCaptureFixture
) -> None:
    assert jit.LIBRARY is not None
    shutil.copytree(jit.LIBRARY.file.parent, cache.library_folder())
    program("copy()")
    told: list[bool] = []
    ensure(lambda _share, again: told.append(again))
    assert (cache.place, any(told), caplog.records) == (cache.cache_folder(), False, [])


@pytest.mark.parametrize(
    ("error", "noted"),
    [(linking.NoLinker("ld:\n no such\tfile\n"), "ld: no such file"), (native.Unfit("no"), "no"),
     (OSError("no"), "no"), (AssertionError(), "AssertionError"), (linking.NoLinker("x" * 100_000), "x" * 1_000)],
)  # fmt: skip
def test_where_linking_fails_the_next_process_turns_to_numba(
    error: Exception, noted: str, linked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, tried = cache.library_folder(), list[Path]()

    def fail(_kernels: object, place: Path) -> Path:
        tried.append(Path(shutil.copytree(linked, place)))
        raise error

    monkeypatch.setattr(linking, "link", fail)
    assert (compile_kernels.run(), compilation.makes_library(), len(tried)) == (0, False, 1)
    assert linking.noted_failure(folder) == noted
    assert {path.name for path in folder.parent.iterdir()} == {"compile.lock", "progress.json", f"{folder.name}.failed"}
    monkeypatch.setattr(cache, "complete_folder", lambda: Path("kept"))
    assert choice.choose_again() is Backend.NUMBA
    assert choice.describe() == f"numba, compiled, kept in kept. {noted}"
    monkeypatch.setattr(compilation, "ensured", False)
    compilation.ensure()
    assert (cache.place, len(tried)) == (Path("kept"), 1), "it is not tried again"
    monkeypatch.setenv(linking.CHOSEN, sys.executable)
    assert compilation.makes_library(), "another compiler is"


def test_a_c_compiler_that_comes_later_is_used_at_the_next_start(
    linked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(cache, "complete_folder", lambda: Path("kept"))
    copy = f"import shutil; shutil.copytree({str(linked)!r}, {str(cache.library_folder())!r})"
    monkeypatch.setattr(compilation, "ourselves", lambda: [sys.executable, "-c", copy])
    compilation.ensure()
    assert (cache.place, choice.backend()) == (None, Backend.NATIVE)


@pytest.mark.usefixtures("linked")
def test_numba_makes_no_library_where_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(choice.VARIABLE, "numba")
    monkeypatch.setenv("NUMBA_OPT", "3")
    choice.choose_again()
    folder = cache.cache_folder()

    def import_kernels(begin: Callable[[str], object]) -> None:
        begin("search")
        (folder / "search.nbi").write_bytes(b"code")

    monkeypatch.setattr(compile_kernels, "import_kernels", import_kernels)
    assert compile_kernels.run() == 0
    assert (cache.library_folder().exists(), condition(folder)) == (False, Condition.COMPLETE)
    assert os.environ["NUMBA_OPT"] == "3"
    monkeypatch.setenv(choice.VARIABLE, "")
    compile_kernels.run()
    assert "NUMBA_OPT" not in os.environ, "a library is made without the options of whoever starts it"


def test_a_library_is_made_where_there_is_a_c_compiler_for_machines_of_its_kinds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(linking.CHOSEN, sys.executable)
    monkeypatch.setattr(sys, "platform", "linux")
    for machine, known in (("AMD64", True), ("aarch64", True), ("riscv64", False)):
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        assert linking.can_link() is known
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "platform", "freebsd14")
    assert not linking.can_link()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv(linking.CHOSEN, "no-such-compiler")
    assert not linking.can_link()


@pytest.mark.parametrize("status", [0, 2, None])
def test_macos_is_not_led_to_offer_a_c_compiler(status: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its `cc` opens a window where there is none."""
    asked = list[tuple[str, ...]]()

    def run(command: tuple[str, ...], **_options: bool) -> SimpleNamespace:
        asked.append(command)
        if status is None:
            raise FileNotFoundError(command[0])
        return SimpleNamespace(returncode=status)

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert (linking.can_link(), asked) == (status == 0, [("xcode-select", "-p")])


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


def test_a_kernel_of_unknown_cost_does_not_disturb() -> None:
    told: list[dict[str, float]] = []
    progress = CompileProgress(told.append, lambda: 0.0)
    for number in range(100):
        progress.begin(f"new{number}")
    assert max(state["done"] + state["step"] for state in told) == pytest.approx(1)
    assert [told[0][name] * len(COSTS) for name in ("done", "step")] == pytest.approx([0, 1]), "as an average one"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"at": "x"}', '{"at": 1}', '{"error": 1}'])
def test_progress_that_cannot_be_read_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "progress.json").write_text(text)
    assert progress(tmp_path) == 0.0


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [("done", (0.5, 1), (-0.5, 1.5)), ("step", (0.5, 1), (-0.5, 1.5)), ("at", (0.5, 1e11), (-0.5, 2e11)),
     ("seconds", (0.5, 1e6), (-0.5, 2e6)), ("process", (1, 2**63 - 1), (-1, 2**63)), ("error", ("x",), (1,))],
)  # fmt: skip
def test_values_of_progress_have_bounds(
    name: str, good: tuple[object, ...], bad: tuple[object, ...], tmp_path: Path
) -> None:
    said = {name: getattr(compilation.CompilationState(), name)}
    for value in (*good, *bad):
        compile_kernels.write_progress(tmp_path, {name: value})
        expected = {name: value} if value in good else said
        assert compilation.read_progress(tmp_path) == compilation.CompilationState(**expected), value
    for size, read in ((1 << 16, "x"), ((1 << 16) + 1, "")):
        (tmp_path / "progress.json").write_bytes(b'{"error": "x"}'.ljust(size))
        assert compilation.read_progress(tmp_path).error == read


def test_the_share_is_that_of_the_time_that_has_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_kernels.write_progress(tmp_path, {"done": 0.25, "step": 0.5, "at": 100, "seconds": 10})
    assert [progress(tmp_path, now) for now in (90, 100, 105, 110, 120)] == [0.25, 0.25, 0.5, 0.75, 0.75]
    monkeypatch.setattr(compilation, "time", SimpleNamespace(time=lambda: 105.0))
    assert progress(tmp_path) == 0.5


def test_the_costs_are_those_of_the_kernels_there_are() -> None:
    """After a change: `python -m ai.lab.kernel_costs`."""
    defined = []
    for source in native.sources():
        tree = ast.parse(source.read_text(encoding="utf-8"))
        defined += [
            node.name
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
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
    process = compilation.read_progress(home).process
    if process and compilation.is_locked(home):
        os.kill(process, signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
@pytest.mark.skipif(native.FOLDER.exists(), reason="this checkout has a library")
@pytest.mark.parametrize("way", ["", "numba"])
def test_an_engine_that_is_killed_early_is_compiled_at_its_second_start(way: str, cleaned: Path) -> None:
    """16 games of 16 were played by the stand-in."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cleaned), "TENGEN_KERNELS": way}
    command = [sys.executable, str(ROOT / "main.py"), "engine"]
    options: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "start_new_session": True}
    with subprocess.Popen(command, env=environment, text=True, **options) as child:
        assert deepest(child, 200) < 9
        wait((cleaned / "progress.json").exists, seconds=PATIENCE)
        os.killpg(child.pid, signal.SIGKILL)
    library = cache.library_folder() / native.MANIFEST
    wait(lambda: library.exists() or condition(cache.cache_folder()) is Condition.COMPLETE, seconds=PATIENCE)
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
