"""The packaged program that TENGEN_EXECUTABLE names, in a real window and on the command line.

It runs from another folder than the one it was built in, as it does for whoever unpacks it; nobody may write
there, as where it is installed for all users.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Start
from habits import begin, record_of

import main
from ai.explain.tracing import AT_ONCE
from ai.system.compiler import native
from games.registry import setup

ROOT = Path(__file__).parents[2]
BUILT = os.environ.get("TENGEN_EXECUTABLE", "")
FOLDER = "Tengen 天元"
PATIENCE = 600.0
"""Seconds for one command: a busy machine is slow, not broken."""
MOST_MOVES = 40
"""In one game; gomoku against a quick engine need not be played to its end."""
NOBODY = 65534
"""A user who owns nothing."""

pytestmark = pytest.mark.skipif(not BUILT, reason="TENGEN_EXECUTABLE names no packaged program")


@pytest.fixture(scope="module")
def executable() -> Iterator[Path]:
    """The program in a folder to which it was moved, and in which nobody may write."""
    built = Path(BUILT).resolve()
    with tempfile.TemporaryDirectory(prefix="moved to ", ignore_cleanup_errors=True) as place:
        Path(place).chmod(0o755)  # pytest's own folders are closed to other users
        whole = whole_of(built)
        folder = Path(place) / f"{FOLDER}{whole.suffix}"
        shutil.copytree(whole, folder, symlinks=True)
        allow_writing(folder, False)
        yield folder / built.relative_to(whole)
        allow_writing(folder, True)


def whole_of(program: Path) -> Path:
    """The folder of all that comes with `program`: on macOS it may be an app."""
    return next((folder for folder in program.parents if folder.suffix == ".app"), program.parent)


def allow_writing(folder: Path, allowed: bool) -> None:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | 0o200 if allowed else mode & ~0o222)


def surroundings(home: Path) -> dict[str, str]:
    """The environment of a program that has its home in `home`, and neither a display nor a cache of ours."""
    mine = {name: value for name, value in os.environ.items() if name != "DISPLAY" and not name.startswith("NUMBA_")}
    return mine | {"TENGEN_HOME": str(home)}


def ask(executable: Path, home: Path, *arguments: str) -> str:
    """What the program prints."""
    command = [str(executable), *arguments]
    done = subprocess.run(command, cwd=home, env=surroundings(home), capture_output=True, check=True, timeout=PATIENCE)
    return done.stdout.decode()


# The command line.


def test_version(executable: Path, tmp_path: Path) -> None:
    assert ask(executable, tmp_path, "--version").strip() == f"tengen {main.VERSION}"


def test_diagnose_finds_fonts_libraries_and_the_engine(executable: Path, tmp_path: Path) -> None:
    facts = dict(line.split(maxsplit=1) for line in ask(executable, tmp_path, "--diagnose").splitlines())
    assert native_library(facts["engine"])
    assert facts["numba"] == "not installed"
    assert "packaged" in facts["python"]
    assert facts["fonts"] == "Tengen-Regular.otf, Tengen-Bold.otf"
    assert "not installed" not in {facts[name] for name in ("pygame-ce", "numpy", "platformdirs")}
    sounds = len(list((ROOT / "assets" / "sounds").glob("*.wav")))
    assert facts["sound"].endswith(f" {sounds} sounds"), "also where there is nothing to play them on"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("scene", ["home", "play", "settings"])
def test_screenshot(scene: str, language: str, executable: Path, tmp_path: Path) -> None:
    ask(executable, tmp_path, "screenshot", scene, "out.png", "--lang", language)
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", ["png", "gif", "webp", "svg"])
def test_pictures(kind: str, executable: Path, tmp_path: Path) -> None:
    ask(executable, tmp_path, "convert", "h8i9g7", f"out.{kind}", "--numbers")
    assert (tmp_path / f"out.{kind}").stat().st_size > 1000


def test_analyse(executable: Path, tmp_path: Path) -> None:
    found = json.loads(ask(executable, tmp_path, "analyse", "h8i9g7", "--depth", "2", "--json"))
    assert [position["depth"] for position in found["positions"]] == [2, 2, 2]


# The engine, which comes as a native library.


def native_library(said: str) -> bool:
    """Whether `--diagnose` has said that the engine is the library that comes with the program."""
    ours = rf"native library .*{FOLDER}.*[/\\]ai[/\\]native[/\\]{native.FILE}, for ({'|'.join(native.processors())})"
    return re.search(ours, said) is not None


def test_the_package_has_no_compiler_and_is_small(executable: Path) -> None:
    files = [path for path in whole_of(executable).rglob("*") if not path.is_symlink()]
    names = {path.name.lower() for path in files}
    unwanted = ("numba", "llvm", "_ssl", "libssl", "libcrypto", "libsndfile", "sboms", "distributed", "tests")
    assert not [name for name in names if name.startswith(unwanted)]
    assert sum(path.stat().st_size for path in files if path.is_file()) < 110 << 20


def state(folder: Path) -> dict[Path, int]:
    """What a program changes when it writes: the files, and when each was written last."""
    return {path: path.stat().st_mtime_ns for path in (folder, *folder.rglob("*")) if path.exists()}


def test_a_damaged_library_leaves_a_program_that_plays(executable: Path, tmp_path: Path) -> None:
    folder, whole = tmp_path / "tengen", whole_of(executable)
    shutil.copytree(whole, folder, symlinks=True)
    allow_writing(folder, True)
    library = next(path for path in folder.rglob(native.FILE) if not path.is_symlink())
    library.write_bytes(bytes(library.stat().st_size))
    moved = folder / executable.relative_to(whole)
    assert re.search(r"interpreted\. The library in .*native is damaged\.", ask(moved, tmp_path, "--diagnose"))
    found = json.loads(ask(moved, tmp_path, "analyse", "h8i9g7", "--depth", "1", "--json"))
    assert [position["depth"] for position in found["positions"]] == [1, 1, 1]


# Where it runs.


@dataclass(frozen=True)
class Situation:
    """How the program is started: `command` as whom, in which file system, with which `home`; and a folder for what it
    makes, as the program and as we call it."""

    command: Sequence[str]
    folder: Path
    home: str
    out: str
    made: Path
    ours: str = ""
    """TENGEN_HOME."""

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.home, "LANG": "C.UTF-8", "TENGEN_HOME": self.ours}
        environment |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}  # of Windows
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(
            [*self.command, *arguments], env=environment, text=True, encoding="utf-8", **pipes
        )  # type: ignore[no-any-return,call-overload]

    def ask(self, *arguments: str) -> str:
        """What the program prints."""
        with self.start(*arguments) as process:
            out, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors
        return out


AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


def given_to_nobody(folder: Path) -> Path:
    folder.mkdir(parents=True)
    os.chown(folder, NOBODY, NOBODY)
    return folder


@pytest.fixture(
    params=["the user", "a stranger with an empty home", "an unwritable home", "a file system without Python"]
)
def situation(request: pytest.FixtureRequest, executable: Path, tmp_path: Path) -> Iterator[Situation]:
    if request.param == "the user":  # on any system
        whole, mine = whole_of(executable), str(tmp_path)
        yield Situation([str(executable)], whole, mine, mine, tmp_path, mine)
        return
    if os.name != "posix" or os.getuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("it takes root and setpriv to become somebody else")
    with tempfile.TemporaryDirectory(prefix="家 ", ignore_cleanup_errors=True) as place:
        Path(place).chmod(0o755)
        if "Python" in request.param:
            yield bare(Path(place), executable)
            return
        home = Path(place) / "home"
        if "unwritable" not in request.param:
            given_to_nobody(home)
        else:
            home.mkdir(mode=0o555)
        out = given_to_nobody(Path(place) / "out")
        command = (*AS_NOBODY, str(executable))
        yield Situation(command, executable.parent, str(home), str(out), out)


def bare(root: Path, executable: Path) -> Situation:
    """A root folder with the program and the libraries of the system that it needs, and nothing else."""
    folder = root / "opt" / FOLDER
    shutil.copytree(executable.parent, folder, symlinks=True)
    for library in outside(executable.parent):
        (root / library.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, root / library.relative_to("/"))
    given_to_nobody(root / "home")
    out = given_to_nobody(root / "out")
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    chroot = shutil.which("chroot") or "/usr/sbin/chroot"
    command = (chroot, f"--userspec={NOBODY}:{NOBODY}", str(root), f"/opt/{FOLDER}/tengen")
    return Situation(command, Path("/opt", FOLDER), "/home", "/out", out)


SYSTEM = ("ld-linux", "libc.", "libdl.", "libm.", "libpthread.", "librt.", "libutil.", "libz.")
"""Beginnings of the names of libraries that every Linux with glibc has; the program itself is linked with libz."""


def outside(folder: Path) -> list[Path]:
    """The libraries of the system that the program needs to start."""
    files = [path for path in folder.rglob("*") if ".so" in path.name and not path.is_symlink()]
    inside = os.environ | {"LD_LIBRARY_PATH": str(folder / "_internal")}
    listed = libraries([folder / "tengen"], dict(os.environ)) | libraries(files, inside)
    return sorted(path for path in listed if folder not in path.parents and path.name.startswith(SYSTEM))


def libraries(files: Sequence[Path], environment: dict[str, str]) -> set[Path]:
    """The libraries that the system finds for `files`."""
    told = subprocess.run(["ldd", *map(str, files)], env=environment, capture_output=True, text=True, check=False)
    return {Path(path) for path in re.findall(r"^\t(?:.* => )?(/.+) \(0x", told.stdout, re.MULTILINE)}


def test_the_smoke_of_a_package(situation: Situation) -> None:
    """Diagnosis, a move of the engine itself, a picture, and a game that is saved and read again."""
    program = state(situation.folder) if situation.folder.exists() else {}
    told = situation.ask("--diagnose")
    assert native_library(told)
    assert "ours is missing or damaged" not in told

    found = json.loads(situation.ask("analyse", "h8i9g7", "--last", "--depth", "8", "--json"))
    assert [position["depth"] for position in found["positions"]] == [8]
    told = protocol(situation)
    assert "weaker player" not in told
    assert "still being loaded" not in told
    assert re.search(r"depth \d+", told), "what only the engine tells"

    picture = situation.made / "play.png"
    situation.ask("screenshot", "play", f"{situation.out}/{picture.name}", "--lang", "zh")
    assert picture.read_bytes().startswith(b"\x89PNG")
    situation.ask("convert", "h8i9g7", f"{situation.out}/棋.tengen.json")
    situation.ask("convert", f"{situation.out}/棋.tengen.json", f"{situation.out}/moves.txt")
    assert (situation.made / "moves.txt").read_text() == "h8i9g7\n"
    for kind in ("webp", "gif", "svg"):
        situation.ask("convert", f"{situation.out}/棋.tengen.json", f"{situation.out}/game.{kind}")
        assert (situation.made / f"game.{kind}").stat().st_size > 1000
    if program:
        assert state(situation.folder) == program


def protocol(situation: Situation) -> str:
    """What the program says as a brain, from its start until it has answered a move that is in no opening book."""
    with situation.start("engine") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("INFO timeout_turn 2000\nSTART 15\nBEGIN\n")
        process.stdin.flush()
        said = iter(process.stdout.readline, "")
        told = next(line for line in said if line[0].isdigit())
        assert re.fullmatch(r"\d+,\d+", told.strip())
        process.stdin.write("TURN 11,11\n")
        process.stdin.flush()
        for line in said:
            told += line
            if line[0].isdigit():
                break
        process.stdin.write("END\n")
        process.stdin.flush()
    assert process.returncode == 0
    return told


def test_convert(executable: Path, tmp_path: Path) -> None:
    ask(executable, tmp_path, "convert", "h8i9g7", "game.tengen.json")
    ask(executable, tmp_path, "convert", "game.tengen.json", "game.txt")
    assert (tmp_path / "game.txt").read_text() == "h8i9g7\n"


# The window, with mouse and keyboard.


def test_gomoku_against_the_engine(start: Start, executable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_EXECUTABLE", str(executable))
    driver = start()
    begin(driver, "gomoku")
    chance, position = random.Random(1), setup("gomoku").start()
    while position.outcome is None and position.ply < MOST_MOVES:
        move = position.move_text(chance.choice(list(position.candidates())))
        driver.play(move)
        assert driver.wait_moves(position.ply + 1)[position.ply] == move
        position = record_of(driver).line()[-1].position
        if position.outcome is None and position.turn == 1:
            driver.wait_moves(position.ply + 1)
            position = record_of(driver).line()[-1].position
    assert position.ply >= 9
    (file,) = driver.saved_files()
    driver.key("ctrl+s")
    driver.message(file.name)
    driver.close()
    assert driver.process.returncode == 0
    assert record_of(driver).position == position
    assert driver.settings()["new_game"]["gomoku"]["seconds"][1] == 0.2


def test_learn_shows_what_a_process_has_searched(
    start: Start, executable: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENGEN_EXECUTABLE", str(executable))
    driver = start()
    driver.scene("home")
    driver.click("lessons", builds="lessons")
    driver.click("preset.0", builds="learn")  # tic-tac-toe from the empty board

    def searched() -> bool:
        nodes = [int(name.removeprefix("node.")) for name in driver.shown["widgets"] if name.startswith("node.")]
        return max(nodes, default=0) >= AT_ONCE

    driver.wait(searched, "a node that only the process has visited")
    file = tmp_path / "tree.svg"
    driver.name_file(file, "", "ctrl+e")
    driver.message(file.name)
    assert "MIN" in file.read_text(encoding="utf-8")
    driver.close()
    assert driver.process.returncode == 0
