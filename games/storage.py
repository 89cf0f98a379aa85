"""Locate Tengen's files, and write them atomically.

The environment variable `TENGEN_HOME` moves settings, saves, caches and logs into one folder; without it they are
where the operating system expects them. Folders are created when they are first written to.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import stat
import time
from pathlib import Path

import platformdirs
from filelock import BaseFileLock, FileLock, Timeout

_APP = "Tengen"
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


def data_home() -> Path:
    """Return the folder of irreplaceable data: saved games and the profile."""
    return _chosen(".") or platformdirs.user_data_path(_APP, appauthor=False)


def saves_home() -> Path:
    """Return the default folder of saved games."""
    return data_home() / "saves"


def config_home() -> Path:
    """Return the folder of the settings."""
    return _chosen(".") or platformdirs.user_config_path(_APP, appauthor=False)


def cache_home() -> Path:
    """Return the folder of data that can be recreated: compiled kernels, rendered pictures."""
    return _chosen("cache") or platformdirs.user_cache_path(_APP, appauthor=False)


def log_home() -> Path:
    """Return the folder of the logs."""
    return _chosen("logs") or platformdirs.user_log_path(_APP, appauthor=False)


def _chosen(folder: str) -> Path | None:
    """Return `folder` in `TENGEN_HOME` if that is set."""
    home = os.environ.get("TENGEN_HOME")
    return Path(home).absolute() / folder if home else None


def unused(folder: Path, name: str, extension: str) -> Path:
    """Return a path in `folder` that does not exist: ``name.txt``, or else ``name 2.txt`` and so on."""
    file, number = folder / f"{name}{extension}", 2
    while os.path.lexists(file):  # unlike `Path.exists`, never raises if the folder is not accessible
        file = folder / f"{name} {number}{extension}"
        number += 1
    return file


def reserve(folder: Path, name: str, extension: str) -> Path:
    """Create an empty file at a path from `unused`, so that no other program can take the name.

    Create missing parent folders. Raise `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        file = unused(folder, name, extension)
        with contextlib.suppress(FileExistsError):  # another process was faster
            file.open("xb").close()
            return file


def new_save(title: str) -> Path:
    """Return a new file among the saved games, reserved if possible; else saving the game reports the reason."""
    name = saves_home(), title, ".tengen.json"
    try:
        return reserve(*name)
    except OSError:
        return unused(*name)


def lock(path: Path) -> BaseFileLock | None:
    """Hold a lock file until the lock is released or this process ends. Return None if another process holds it.

    Keep the result: deleting it releases the lock. Create missing parent folders. Raise `OSError` where files cannot
    be locked.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    held = FileLock(path, timeout=0)
    try:
        held.acquire()
    except Timeout:
        return None
    except NotImplementedError as error:
        raise OSError(errno.ENOSYS, "Files cannot be locked there") from error
    return held


def read_regular(path: Path, most: int) -> bytes:
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


def _require_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.ENODEV, "It is not a regular file")


def set_aside(path: Path) -> None:
    """Rename a damaged file to ``name.damaged.json``, or else ``name.damaged 2.json`` and so on. Leave it in place if
    it cannot be renamed."""
    with contextlib.suppress(OSError):
        path.replace(unused(path.parent, f"{path.stem}.damaged", path.suffix))


LONGEST_NAME = 255
"""Maximum length of a file name: in bytes, or in UTF-16 units on Windows."""


def name_problem(name: str) -> str:
    """Return why a file name is invalid: ``long``, or ``text`` if it is not text. Empty if it is valid."""
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
    saves = (Path(folder) for folder, _, _ in os.walk(saves_home()))
    for folder in {data_home(), config_home(), *saves}:
        with contextlib.suppress(OSError), os.scandir(folder) as files:
            for file in files:
                with contextlib.suppress(OSError):
                    facts = file.stat(follow_symlinks=False)
                    if _TEMPORARY.fullmatch(file.name) and stat.S_ISREG(facts.st_mode) and facts.st_mtime < oldest:
                        os.unlink(file.path)  # noqa: PTH108


_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.tmp")
_ABANDONED = 3600.0  # seconds


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` to `path` atomically: a crash leaves either the old or the new file, complete.

    Makes missing parent folders, follows a symbolic link, keeps the permissions of a file that was there.
    Raise `OSError`, also for a device or a pipe in its place and a name that is not text; the old file is then as it
    was, and nothing else is left behind.
    """
    if name_problem(str(path)) == "text":
        raise OSError(errno.EILSEQ, os.strerror(errno.EILSEQ))
    path = Path(os.path.realpath(path))
    with contextlib.suppress(FileNotFoundError):
        _require_regular(path.stat().st_mode)
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, since files cannot be renamed across file systems; not by `tempfile`, whose files only
    # their owner can read.
    temporary = path.parent / f".{secrets.token_hex(8)}.tmp"  # as in `_TEMPORARY`
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)  # noqa: PTH105  (tests patch this name)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Flush the renaming to the disk. The file is in place already, so a system that cannot flush a folder (Windows,
    some network drives) is no reason to fail."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
