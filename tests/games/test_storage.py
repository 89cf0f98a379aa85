from __future__ import annotations

import errno
import os
import socket
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from games import formats, storage
from games.storage import lock, move_new, read_regular, unused_path, write_atomic, write_new

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="permissions, links and signals of POSIX")


def test_one_variable_moves_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    assert storage.data_home() == storage.config_home() == tmp_path
    assert storage.saves_home() == tmp_path / "saves"
    assert storage.cache_home() == tmp_path / "cache"
    assert storage.log_home() == tmp_path / "logs"
    assert list(tmp_path.iterdir()) == []


def test_a_time_that_no_database_can_hold_is_the_nearest_one_that_it_can(tmp_path: Path) -> None:
    """File systems without such a limit have times of other programs: one of them emptied the library."""
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    facts = file.stat()
    assert storage.stamp_of(facts) == (facts.st_mtime_ns, 5)
    for time_ns, kept in ((10**21, 2**63 - 1), (-(10**21), -(2**63)), (2**63 - 1, 2**63 - 1)):
        odd = SimpleNamespace(st_mtime_ns=time_ns, st_size=5)
        assert storage.stamp_of(odd) == (kept, 5)


@pytest.mark.parametrize("value", [None, ""])
def test_without_it_the_system_decides(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    if value is None:
        monkeypatch.delenv("TENGEN_HOME", raising=False)
    else:
        monkeypatch.setenv("TENGEN_HOME", value)
    homes = (storage.data_home(), storage.config_home(), storage.cache_home(), storage.log_home())
    assert all("Tengen" in home.parts and home.is_absolute() for home in homes)
    assert storage.cache_home() != storage.data_home()


def test_a_relative_home_does_not_wander(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENGEN_HOME", "here")
    assert storage.data_home() == tmp_path / "here"
    assert [storage.log_file() for _ in range(2)] == [tmp_path / "here" / "logs" / "tengen.log"] * 2
    (tmp_path / "here" / "logs" / "tengen.log").mkdir()
    for _ in range(2):
        assert storage.log_file().name == "tengen 2.log", "a folder is in its place"
        storage.log_file().touch()


def test_writes_anew_and_over_and_into_missing_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    for data in (b"first", b"", b"\0\r\n\xff"):
        write_atomic(path, data)
        assert path.read_bytes() == data
        assert list(path.parent.iterdir()) == [path]


def failing(error: BaseException) -> object:
    def fail(*_args: object) -> NoReturn:
        raise error

    return fail


@pytest.mark.parametrize("step", ["replace", "fsync"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("old", [b"old", None])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, step: str, error: BaseException, old: bytes | None
) -> None:
    path = tmp_path / "file"
    if old is not None:
        path.write_bytes(old)
    monkeypatch.setattr(os, step, failing(error))
    with pytest.raises(type(error)):
        write_atomic(path, b"new")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == ({"file": old} if old else {})


@posix
def test_file_and_folder_are_synced_around_the_renaming(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder that cannot be synced is no failure."""
    steps: list[str] = []
    sync, replace = os.fsync, os.replace

    def fsync(handle: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        if steps[-1] == "folder":
            raise OSError(22, "Invalid argument")
        sync(handle)

    def rename(source: Path, target: Path) -> None:
        steps.append("rename")
        assert source.parent == target.parent
        replace(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", rename)
    write_atomic(tmp_path / "file", b"new")
    assert (steps, (tmp_path / "file").read_bytes()) == (["file", "rename", "folder"], b"new")


@posix
def test_a_new_file_is_synced_unless_the_window_waits_for_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    synced: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(stat.S_ISDIR(os.fstat(handle).st_mode)))
    write_new(tmp_path / "new" / "folder", "a", ".txt", b"1")
    assert synced == [False, True], "the file, and then its folder"
    write_new(tmp_path / "new" / "folder", "a", ".txt", b"2", sync=False)
    new = storage.new_save("b", b"3")
    assert len(synced) == 2
    assert (new, new.read_bytes()) == (tmp_path / "saves" / "b.tengen.json", b"3")
    assert storage.new_save("b", None) == tmp_path / "saves" / "b 2.tengen.json"
    assert [file.name for file in (tmp_path / "saves").iterdir()] == [new.name]


@posix
def test_a_link_is_moved_and_listed_as_what_it_is(tmp_path: Path) -> None:
    """Not what it leads to, which may be a folder around it."""
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    (tmp_path / "folder" / "inner" / ".file").touch()
    (tmp_path / "folder" / "link").symlink_to(tmp_path / "folder")
    move_new(tmp_path / "folder" / "link", tmp_path / "folder" / "moved")
    assert (tmp_path / "folder" / "moved").is_symlink()
    listed = [sorted(each.name for each in storage.files_below(tmp_path, hidden)) for hidden in (False, True)]
    assert listed == [["moved"], [".file", "moved"]]


def test_folders_are_looked_into_a_hundred_levels_down(tmp_path: Path) -> None:
    storage.new_damage()
    inner = tmp_path.joinpath(*"a" * 100)
    (inner / "a").mkdir(parents=True)
    for file in (inner / "deep", inner / "a" / "too deep"):
        file.touch()
    assert [each.name for each in storage.files_below(tmp_path)] == ["deep"]
    assert [(damage.kind, damage.file) for damage in storage.new_damage()] == [("deep", tmp_path)]


def test_damage_is_told_each_time_unless_it_is_the_same(tmp_path: Path) -> None:
    for kind in ("rows", "set_aside", "deep"):
        for fact in ("1", "1", "2"):
            storage.report(kind, tmp_path / kind, fact)  # type: ignore[arg-type]
    found = [(damage.kind, damage.fact) for damage in storage.new_damage()]
    assert found == [*[(kind, fact) for kind in ("rows", "set_aside") for fact in "112"], ("deep", "1")]


@posix
def test_permissions_are_those_of_any_new_file_or_of_the_old_one(tmp_path: Path) -> None:
    plain, path = tmp_path / "plain", tmp_path / "file"
    plain.write_bytes(b"")
    write_atomic(path, b"1")
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    write_atomic(path, b"2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "file")
    write_atomic(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "elsewhere" / "file").read_bytes() == b"new"


SAVING = """
import os, sys
from pathlib import Path
from games import formats
from games.record import GameRecord
from games.registry import setup

path, die_in = Path(sys.argv[1]), sys.argv[2]
record = GameRecord(setup("gomoku"))
for move in range(30):
    record.play(move + 100 * (move % 2))
    record.cursor.comment = "x" * 90_000
if die_in:
    setattr(os, die_in, lambda *_: os._exit(9))
print("ready", flush=True)
while True:
    record.root.comment = "even" if record.root.comment else ""
    formats.save(record, path)
"""


def saver(path: Path, die_in: str = "") -> subprocess.Popen[str]:
    """A process that saves a game of 2.7 MB again and again, or that dies in the middle of doing so."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SAVING, str(path), die_in]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_a_name_is_proposed_that_no_file_has(tmp_path: Path) -> None:
    for expected in ("Gomoku 2026-11-21.txt", "Gomoku 2026-11-21 2.txt", "Gomoku 2026-11-21 3.txt"):
        file = unused_path(tmp_path, "Gomoku 2026-11-21", ".txt")
        assert file.name == expected
        file.symlink_to(tmp_path / "nowhere")


def test_two_programs_are_never_given_the_same_name(tmp_path: Path) -> None:
    """Two games that began in the same second were saved to the same file."""
    at_once = threading.Barrier(8)

    def begin(_number: int) -> Path:
        at_once.wait(30)
        return write_new(tmp_path / "saves", "game", ".tengen.json", b"a game")

    with ThreadPoolExecutor(8) as pool:
        files = list(pool.map(begin, range(8)))
    assert len(set(files)) == 8
    assert sorted(file.name for file in files)[-1] == "game.tengen.json"
    assert {file.read_bytes() for file in files} == {b"a game"}


WRITING = """
import os, sys, time
from pathlib import Path
from games.storage import move_new, write_new

folder = Path(sys.argv[1])
print("ready", flush=True)
while True:
    file = write_new(folder, "game", ".txt", b"x" * 500_000)
    move_new(file, file.with_name(f"moved {time.monotonic_ns()}.txt"))
"""


@pytest.mark.slow
@posix
def test_a_kill_while_a_new_file_is_written_left_an_empty_one(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for number in range(12):
        command = [sys.executable, "-c", WRITING, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.001 * number**2)
            process.kill()
    assert {file.stat().st_size for file in tmp_path.glob("*.txt")} == {500_000}


@pytest.mark.parametrize("refusal", [None, errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP])
def test_a_moved_file_replaces_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: int | None) -> None:
    """Also on a file system without hard links."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(refusal, "Operation not permitted")

    if refusal is not None:
        monkeypatch.setattr(os, "link", refuse)
    for name in "ab":
        (tmp_path / name).write_text(name)
    with pytest.raises(FileExistsError):
        move_new(tmp_path / "a", tmp_path / "b")
    with pytest.raises(FileNotFoundError):
        move_new(tmp_path / "none", tmp_path / "c")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a", "b"]
    assert write_new(tmp_path, "b", "", b"new").read_bytes() == b"new"
    move_new(tmp_path / "a", tmp_path / "c")
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"b": "b", "b 2": "new", "c": "a"}


@posix
def test_where_no_file_can_be_made_a_lock_was_said_to_be_held() -> None:
    """“Tengen is already running”, where its folder was /proc."""
    with pytest.raises(OSError, match=r"."):
        lock(Path("/proc/lock"))


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "lock"
    first = lock(file)
    assert lock(file) is None
    first.release()
    assert lock(file) is not None


def test_only_regular_files_of_a_sensible_size_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_regular(tmp_path / "file", 5) == b"12345"
    for file, most, number in (("file", 4, errno.EFBIG), ("missing", 4, errno.ENOENT), ("a\0b", 4, errno.ENOENT)):
        with pytest.raises(OSError, match=r".") as caught:
            read_regular(tmp_path / file, most)
        assert caught.value.errno == number
    with pytest.raises(OSError, match=r"."):
        read_regular(tmp_path, 4)
    os.truncate(tmp_path / "file", (64 << 20) + 1)
    with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        read_regular(tmp_path / "file")


@posix
def test_a_pipe_a_device_and_a_socket_block_nobody(tmp_path: Path) -> None:
    """The window waited for ever for somebody to write into a pipe that was named like a game."""
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "pipe", tmp_path / "socket", Path("/dev/zero"), Path("/dev/tty")):
            with pytest.raises(OSError, match=r"."):
                read_regular(path, 4)
    (tmp_path / "game.tengen.json").symlink_to("/dev/zero")
    with pytest.raises(formats.FormatError, match="not a regular file"):
        formats.load(tmp_path / "game.tengen.json")


@posix
@pytest.mark.parametrize("place", ["saves", "saves/inner", "."])
def test_what_a_killed_save_left_is_cleared_an_hour_later(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str
) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    folder = tmp_path / place
    folder.mkdir(parents=True, exist_ok=True)
    with saver(folder / "game.tengen.json", "replace") as process:
        assert process.wait(30) == 9
    (left,) = folder.glob(".*.tmp")
    others = [folder / name for name in (".notes.tmp", "0123456789abcdef.tmp", ".0123456789abcdef.tmp.txt")]
    for other in others:
        other.touch()
        os.utime(other, (0, 0))
    (folder / ".fedcba9876543210.tmp").mkdir()
    others.append(folder / ".0000000000000000.tmp")
    others[-1].symlink_to(others[0])
    storage.clear_temporaries()
    assert left.exists(), "somebody may still be writing it"
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path / "none"))
    storage.clear_temporaries(time.time() + 3700)
    assert left.exists()
    assert not (tmp_path / "none").exists()
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    storage.clear_temporaries(time.time() + 3700)
    assert not left.exists()
    assert all(other.exists() for other in others), "they are not ours"
    assert (folder / ".fedcba9876543210.tmp").is_dir()


@posix
def test_a_name_may_have_255_bytes() -> None:
    names = {"x" * 255: "", "x" * 256: "long", "漢" * 85: "", "漢" * 85 + "x": "long", "a\0b": "text"}
    assert {name: storage.name_problem(name) for name in names} == names


@posix
@pytest.mark.parametrize("name", ["\ud800.txt", "a\0b.txt", "漢" * 120 + ".txt", "x" * 5000])
def test_a_name_that_no_file_can_have_is_an_os_error(tmp_path: Path, name: str) -> None:
    assert storage.name_problem(name) == ("long" if len(name) > 20 else "text")
    with pytest.raises(OSError, match=r"."):
        write_atomic(tmp_path / name, b"new")
    assert list(tmp_path.iterdir()) == []


@posix
def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    for path, reason in (("pipe", "not a regular file"), ("", "Is a directory"), ("file/below", "Not a directory")):
        with pytest.raises(OSError, match=reason):
            write_atomic(tmp_path / path, b"new")
    assert (tmp_path / "pipe").is_fifo()
