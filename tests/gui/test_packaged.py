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
from pathlib import Path

import pytest
from conftest import Start
from habits import begin, record_of

import main
from ai.explain.tracing import AT_ONCE
from games.registry import setup

ROOT = Path(__file__).parents[2]
BUILT = os.environ.get("TENGEN_EXECUTABLE", "")
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
        folder = Path(place) / "Tengen 天元"
        shutil.copytree(built.parent, folder, symlinks=True)
        allow_writing(folder, False)
        yield folder / built.name
        allow_writing(folder, True)


def allow_writing(folder: Path, allowed: bool) -> None:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | 0o200 if allowed else mode & ~0o222)


def surroundings(home: Path) -> dict[str, str]:
    """The environment of a program that has its home in `home`, and neither a display nor a cache of ours."""
    mine = {name: value for name, value in os.environ.items() if name != "DISPLAY" and not name.startswith("NUMBA_")}
    return mine | {"TENGEN_HOME": str(home)}


def ask(executable: Path, home: Path, *arguments: str, before: Sequence[str] = (), patience: float = 60) -> str:
    """What the program prints; `before` comes before it on the command line."""
    command = [*before, str(executable), *arguments]
    done = subprocess.run(
        command, cwd=home, env=surroundings(home), capture_output=True, check=True, timeout=patience
    )
    return done.stdout.decode()


# The command line.


def test_version(executable: Path, tmp_path: Path) -> None:
    assert ask(executable, tmp_path, "--version").strip() == f"tengen {main.VERSION}"


def test_diagnose_finds_fonts_libraries_and_the_engine(executable: Path, tmp_path: Path) -> None:
    facts = dict(line.split(maxsplit=1) for line in ask(executable, tmp_path, "--diagnose").splitlines())
    assert facts["engine"] == "compiled, from the bundle"
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


# The engine, which comes compiled.


@pytest.fixture
def stranger() -> Iterator[tuple[Sequence[str], Path]]:
    """What makes a command run as somebody who owns nothing here, and that person's new home. Whoever is not root
    is kept from writing by the permissions alone."""
    with tempfile.TemporaryDirectory(prefix="home of a stranger ") as made:
        home = Path(made)
        if os.name != "posix" or os.getuid() != 0:
            yield (), home
            return
        if shutil.which("setpriv") is None:
            pytest.skip("root may write everywhere, and there is no setpriv to become somebody else")
        os.chown(home, NOBODY, NOBODY)
        yield ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"), home


def state(folder: Path) -> dict[Path, int]:
    """What a program changes when it writes: the files, and when each was written last."""
    return {path: path.stat().st_mtime_ns for path in (folder, *folder.rglob("*")) if path.exists()}


def test_the_engine_needs_no_compiler(executable: Path, stranger: tuple[Sequence[str], Path]) -> None:
    before, home = stranger
    bundle = state(executable.parent)
    found = json.loads(ask(executable, home, "analyse", "h8i9g7", "--seconds", "1", "--json", before=before))
    assert sum(position["nodes"] for position in found["positions"]) > 200_000  # interpreted: 20,000 a second
    assert [path for path in home.rglob("*") if path.is_file()] == []
    assert state(executable.parent) == bundle


def test_the_engine_plays_by_the_protocol_at_once(executable: Path, stranger: tuple[Sequence[str], Path]) -> None:
    before, home = stranger
    with subprocess.Popen(
        [*before, str(executable), "engine"], cwd=home, env=surroundings(home),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("INFO timeout_turn 4000\nSTART 15\nBEGIN\n")
        process.stdin.flush()
        said = iter(process.stdout.readline, "")
        assert re.fullmatch(r"\d+,\d+", next(line.strip() for line in said if line[0].isdigit()))
        process.stdin.write("TURN 11,11\n")  # not in the opening book
        process.stdin.flush()
        told = []
        for line in said:
            told.append(line)
            if line[0].isdigit():
                break
        process.stdin.write("END\n")
        process.stdin.flush()
    assert process.returncode == 0
    depths = [int(depth) for depth in re.findall(r"depth (\d+)", " ".join(told))]
    assert max(depths) >= 6  # the compiled engine: what stands in for it sees less


def test_what_the_bundle_lacks_is_compiled_for_the_user(executable: Path, tmp_path: Path) -> None:
    """As on another kind of processor."""
    folder = tmp_path / "tengen"
    shutil.copytree(executable.parent, folder, symlinks=True)
    allow_writing(folder, True)
    (about,) = folder.rglob("compiled/about.json")
    about.write_text("[]")
    bundle, home = state(about.parent), tmp_path / "home"
    home.mkdir()
    moved = folder / executable.name
    found = json.loads(ask(moved, home, "analyse", "h8i9g7", "--depth", "4", "--json", patience=300))
    assert [position["depth"] for position in found["positions"]] == [4, 4, 4]
    (kept,) = {path.parent for path in home.rglob("*.nbc")}
    assert f"kept in {kept}" in ask(moved, home, "--diagnose")
    assert state(about.parent) == bundle


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
