"""Locate Tengen's files, write them atomically, and report those that are damaged.

The environment variable `TENGEN_HOME` moves settings, saves, caches and logs into one folder; without it they are where
the operating system expects them. Folders are created when they are first written to.

All that is read from disk goes through `games.fields`. What is damaged is reported here once, and set aside. Read with
`read_regular`, since a pipe would block. New files come from `write_new` and `move_new`, which leave no empty file at a
kill. docs/ROBUSTNESS.md describes the tests.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import logging
import os
import re
import secrets
import shutil
import stat
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import platformdirs

if TYPE_CHECKING:
    from filelock import BaseFileLock

_log = logging.getLogger(__name__)

Kind = Literal["set_aside", "rows", "unreadable", "deep"]

_SENTENCES: dict[Kind, str] = {
    "set_aside": "“{file}” was damaged; what could be read was kept, and the damaged file is now “{fact}”.",
    "rows": "Damaged entries of “{file}” were set aside, {fact} of them; the others were kept.",
    "unreadable": "“{file}” cannot be read: {fact}.",
    "deep": "Folders below “{file}” are nested too deep; the games in the deepest are left out.",
}


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage of `file`. `fact` is where a ``set_aside`` file is now, the number of ``rows`` that were set aside, or the
    `OSError` that makes a file ``unreadable``."""

    kind: Kind
    file: Path
    fact: str | OSError = ""

    def __str__(self) -> str:
        """Return a sentence on what is wrong with the file."""
        fact = (self.fact.strerror or self.fact) if isinstance(self.fact, OSError) else self.fact
        return _SENTENCES[self.kind].format(file=self.file, fact=fact)


_said: set[str] = set()
_fresh: deque[Damage] = deque()


def report(kind: Kind, file: Path, fact: str | OSError = "") -> None:
    """Report and log damage, see `Damage`. The same ``unreadable`` file or ``deep`` folder is reported only once. Any
    thread may call it."""
    damage = Damage(kind, file, fact)
    if kind in ("rows", "set_aside") or str(damage) not in _said:  # each time it is other data
        _said.add(str(damage))
        _fresh.append(damage)
        _log.warning("%s", damage)


def new_damage() -> list[Damage]:
    """Return the damage reported since the last call."""
    found = []
    while _fresh:
        found.append(_fresh.popleft())
    return found


# Places and writes.


_APP = "Tengen"
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


def data_home() -> Path:
    """Return the folder of irreplaceable data: saved games and the profile."""
    return _in_tengen_home(".") or platformdirs.user_data_path(_APP, appauthor=False)


def saves_home() -> Path:
    """Return the default folder of saved games."""
    return data_home() / "saves"


def config_home() -> Path:
    """Return the folder of the settings."""
    return _in_tengen_home(".") or platformdirs.user_config_path(_APP, appauthor=False)


def cache_home() -> Path:
    """Return the folder of data that can be recreated: compiled kernels, rendered pictures."""
    return _in_tengen_home("cache") or platformdirs.user_cache_path(_APP, appauthor=False)


def log_home() -> Path:
    """Return the folder of the logs."""
    return _in_tengen_home("logs") or platformdirs.user_log_path(_APP, appauthor=False)


def _in_tengen_home(folder: str) -> Path | None:
    """Return `folder` in `TENGEN_HOME`; None if that is not set."""
    home = os.environ.get("TENGEN_HOME")
    return Path(home).absolute() / folder if home else None


def unused_path(folder: Path, name: str, extension: str) -> Path:
    """Return a path in `folder` that does not exist: ``name.txt``, or else ``name 2.txt`` and so on."""
    file, number = folder / f"{name}{extension}", 2
    while os.path.lexists(file):  # unlike `Path.exists`, never raises if the folder is not accessible
        file = folder / f"{name} {number}{extension}"
        number += 1
    return file


def write_new(folder: Path, name: str, extension: str, data: bytes, sync: bool = True) -> Path:
    """Write `data` to a new file at an `unused_path`, and return it. A file that another program creates meanwhile is
    not replaced. A crash leaves no file or the complete one; with `sync`, so does a power failure.

    Create missing parent folders. Raise `OSError`.
    """
    _require_text(folder / f"{name}{extension}")
    folder.mkdir(parents=True, exist_ok=True)
    with _temporary(folder, data, sync) as temporary:
        file = move_unused(temporary, folder, name, extension)
    if sync:
        _sync_folder(folder)
    return file


def move_unused(source: Path, folder: Path, name: str, extension: str) -> Path:
    """Move the file `source` to an `unused_path` on the same file system, and return it. Raise `OSError`."""
    while True:
        file = unused_path(folder, name, extension)
        with contextlib.suppress(FileExistsError):  # another process was faster
            move_new(source, file)
            return file


def move_new(source: Path, target: Path) -> None:
    """Move the file `source` to `target` on the same file system. Raise `FileExistsError` if there is a `target`, and
    `OSError`. A crash leaves the complete file at either path, or at both."""
    if os.name == "nt":  # never replaces a file there
        source.rename(target)
        return
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _move_without_link(source, target)
        return
    try:
        source.unlink()
    except OSError:
        target.unlink()
        raise


_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
"""A file system without hard links: FAT, some network drives. On macOS EOPNOTSUPP and ENOTSUP are not the same."""


def _move_without_link(source: Path, target: Path) -> None:
    """As `move_new`, on a file system without hard links: a crash may also leave an empty file at `target`."""
    target.open("xb").close()
    try:
        source.replace(target)
    except OSError:
        target.unlink()
        raise


def new_save(title: str, data: bytes | None) -> Path:
    """Write `data` to a new file among the saved games and return its path. Without `data`, or if that fails, return a
    path that is not used yet: saving the game later reports the reason."""
    name = saves_home(), title, ".tengen.json"
    if data is not None:
        with contextlib.suppress(OSError):
            return write_new(*name, data, sync=False)  # the window waits; it is saved again, on a thread
    return unused_path(*name)


def lock(path: Path) -> BaseFileLock | None:
    """Hold a lock file until the lock is released or this process ends. Return None if another process holds it.

    Keep the result: deleting it releases the lock. Create missing parent folders. Raise `OSError` where files cannot
    be locked.
    """
    from filelock import FileLock, Timeout  # late: a manager's START waits for the import of this module

    path.parent.mkdir(parents=True, exist_ok=True)
    held = FileLock(path)
    try:
        held.acquire(blocking=False)
    except Timeout:
        if os.name == "posix":
            os.close(os.open(path, os.O_RDWR | os.O_CREAT))  # raises the reason, unless it is another process
        return None
    except NotImplementedError as error:
        raise OSError(errno.ENOSYS, "Files cannot be locked there") from error
    return held


def read_regular(path: Path, most: int = 64 << 20) -> bytes:
    """Read the regular file at `path`. Reject a pipe or a device, which could block for ever.

    Raise `OSError`, with `errno.EFBIG` for a file of more than `most` bytes.
    """
    try:
        handle = os.open(path, _READ)
    except ValueError as error:  # a null character or a lone surrogate: no file has such a name
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from error
    try:
        _require_regular(os.fstat(handle).st_mode)
        with open(handle, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(handle)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


_STAMPS = -(1 << 63), (1 << 63) - 1
"""The times in nanoseconds that SQLite can hold. A file system may have others, as from a damaged archive."""


def stamp_of(facts: os.stat_result) -> tuple[int, int]:
    """Return what tells whether a file has changed: its time in nanoseconds and its size. Both fit into a database."""
    first, last = _STAMPS
    return min(max(first, facts.st_mtime_ns), last), facts.st_size


def log_file() -> Path:
    """Return the path of the log: ``tengen.log``, or else ``tengen 2.log`` and so on where a pipe or a folder, which
    could not be opened, is in its place. Create missing parent folders. Raise `OSError`."""
    log_home().mkdir(parents=True, exist_ok=True)
    names = itertools.chain(["tengen.log"], (f"tengen {number}.log" for number in itertools.count(2)))
    files = (log_home() / name for name in names)
    return next(file for file in files if file.is_file() or not os.path.lexists(file))


def _require_regular(mode: int) -> None:
    """Raise `OSError` if `mode`, a file's `st_mode`, is that of a folder, a pipe or a device."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.ENODEV, "It is not a regular file")


def set_aside(path: Path) -> Path | None:
    """Rename a damaged file, or what is in its place, to ``name.damaged.json``, or else ``name.damaged 2.json`` and so
    on. Report it and return the new path. If it cannot be renamed, report that and return None."""
    aside = unused_path(path.parent, f"{path.stem}.damaged", path.suffix)
    try:
        path.replace(aside)
    except OSError as error:
        report("unreadable", path, error)
        return None
    report("set_aside", path, aside.name)
    return aside


def replace_damaged(path: Path, damaged: bytes, mended: bytes) -> None:
    """Save `damaged`, the contents of a file that could be read only in part, in a new file named as by `set_aside`;
    then write `mended` to `path`, and report it. If that fails, report that; `path` stays as it is."""
    try:
        aside = write_new(path.parent, f"{path.stem}.damaged", path.suffix, damaged)
        write_atomic(path, mended)
    except OSError as error:
        report("unreadable", path, error)
    else:
        report("set_aside", path, aside.name)


LONGEST_NAME = 255
"""Maximum length of a file name: in bytes, or in UTF-16 units on Windows."""


def name_problem(name: str) -> str:
    """Return why a file name is invalid: ``long``, or ``text`` if it contains a null or is not text. Empty if it is
    valid."""
    try:
        encoded = name.encode("utf-16-le", "surrogatepass") if os.name == "nt" else os.fsencode(name)
    except UnicodeEncodeError:  # a lone surrogate
        return "text"
    if "\0" in name:
        return "text"
    return "long" if len(encoded) > LONGEST_NAME * (2 if os.name == "nt" else 1) else ""


def clear_temporaries(now: float | None = None) -> None:
    """Remove temporary files of killed processes from the folders of games, settings and the profile.

    Only files older than an hour, so that no process can still be writing them. Never raise `OSError`.
    """
    oldest = (time.time() if now is None else now) - _ABANDONED
    beside = (scan(folder) for folder in {data_home(), config_home()})
    for file in itertools.chain(*beside, files_below(saves_home(), hidden=True)):
        if _TEMPORARY.fullmatch(file.name):
            with contextlib.suppress(OSError):
                facts = file.stat(follow_symlinks=False)
                if stat.S_ISREG(facts.st_mode) and facts.st_mtime < oldest:
                    os.unlink(file.path)  # noqa: PTH108


MOST_DEEP = 100
"""Levels of folders in which games are looked for."""


def scan(folder: Path | str) -> list[os.DirEntry[str]]:
    """Return the entries of `folder`; none if it cannot be read."""
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def files_below(folder: Path | str, hidden: bool = False) -> Iterator[os.DirEntry[str]]:
    """Yield all entries of `folder` and of its subfolders that are not folders; symbolic links to folders are yielded,
    not followed. Leave out names that begin with a dot unless `hidden`. Report folders more than `MOST_DEEP` levels
    down, which are left out."""
    waiting = [(os.fspath(folder), 0)]
    while waiting:
        here, depth = waiting.pop()
        for item in scan(here):
            if item.name.startswith(".") and not hidden:
                continue
            try:
                inside = item.is_dir(follow_symlinks=False)
            except OSError:
                continue
            if not inside:
                yield item
            elif depth < MOST_DEEP:
                waiting.append((item.path, depth + 1))
            else:
                report("deep", Path(folder))


_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.tmp")
_ABANDONED = 3600.0  # seconds


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` to `path` atomically: a crash leaves either the old or the new file, complete.

    Create missing parent folders, follow a symbolic link, keep the permissions of a present file. Raise `OSError`, also
    for a device or a pipe in its place and a name that is not text; the old file is then as it was, and nothing else is
    left behind.
    """
    _require_text(path)
    path = Path(os.path.realpath(path))
    with contextlib.suppress(FileNotFoundError):
        _require_regular(path.stat().st_mode)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _temporary(path.parent, data) as temporary:
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)  # noqa: PTH105  (tests patch this name)
    _sync_folder(path.parent)


@contextlib.contextmanager
def _temporary(folder: Path, data: bytes, sync: bool = True) -> Iterator[Path]:
    """Write `data` to a new hidden file in `folder` and provide its path, for the block to rename; remove the file
    afterwards if it is still there. With `sync` it is flushed to the disk.

    It is in the same folder, since files cannot be renamed across file systems; not by `tempfile`, whose files only
    their owner can read.
    """
    temporary = folder / f".{secrets.token_hex(8)}.tmp"  # as in `_TEMPORARY`
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        yield temporary
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _require_text(path: Path) -> None:
    """Raise `OSError` for a path that is no valid text."""
    if name_problem(str(path)) == "text":
        raise OSError(errno.EILSEQ, os.strerror(errno.EILSEQ))


def _sync_folder(folder: Path) -> None:
    """Flush renamed files of `folder` to the disk. Ignore systems that cannot do so (Windows, some network drives): the
    files are in place already."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
