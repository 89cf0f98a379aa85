"""Game files. Each format is a module with `loads` and `dumps`; this one reads and writes the disk.

A module that reads untrusted bytes raises `FormatError` and nothing else.
"""

from __future__ import annotations

import errno
import os.path
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from games.formats import native, text
from games.formats.common import FormatError, Tell, quoted, silent
from games.record import GameRecord
from games.registry import Setup
from games.storage import read_regular, write_atomic

__all__ = ["EXTENSIONS", "FORMATS", "Format", "FormatError", "encoded", "format_of", "load", "read_target", "save"]

MOST_BYTES = 16 * 1024 * 1024
"""Larger files are rejected unread."""


class Loads(Protocol):
    """Read a game from `data`. `setup` fills in what the file does not say (None: the default); `tell` receives the
    progress. Raise `FormatError`, and what `tell` raises."""

    def __call__(self, data: bytes, setup: Setup | None, tell: Tell = silent) -> GameRecord: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: `dumps` is None if it is read-only. `whole` means that it stores all of a record, including
    variations and evaluations."""

    extension: str
    loads: Loads
    dumps: Callable[[GameRecord], bytes] | None
    whole: bool = False


def _load_native(data: bytes, setup: Setup | None, tell: Tell = silent) -> GameRecord:
    return native.loads(data, tell)


def _load_text(data: bytes, setup: Setup | None, tell: Tell = silent) -> GameRecord:
    return text.loads(data, setup)


FORMATS: tuple[Format, ...] = (
    Format(".tengen.json", _load_native, native.dumps, whole=True),
    Format(".txt", _load_text, text.dumps),
)


EXTENSIONS = tuple(each.extension for each in FORMATS)


def format_of(path: Path) -> Format:
    """Return the format for the extension of `path`. Raise `FormatError`."""
    for each in FORMATS:
        if path.name.lower().endswith(each.extension):
            return each
    known_kinds = ", ".join(EXTENSIONS)
    message = f"{quoted(path.name)} is not a kind of file that Tengen knows; it knows {known_kinds}."
    raise FormatError(message, "unknown", kinds=known_kinds)


def load(path: Path, setup: Setup | None = None, tell: Tell = silent) -> GameRecord:
    """Read the game at `path`; `setup` fills in what the file does not say, `tell` receives the progress.

    Raise `FormatError`, also when the file cannot be read or is larger than `MOST_BYTES`.
    """
    return format_of(path).loads(_contents(path), setup, tell)


def _contents(path: Path) -> bytes:
    try:
        return read_regular(path, MOST_BYTES)
    except OSError as error:
        if error.errno == errno.EFBIG:
            message = f"{quoted(path.name)} is larger than {MOST_BYTES >> 20} MB, too large for a game."
            raise FormatError(message, "too_large", most=MOST_BYTES >> 20) from error
        reason = error.strerror or str(error)
        message = f"{quoted(path.name)} cannot be read: {reason}."
        raise FormatError(message, "unreadable", reason=reason, number=error.errno) from error


def save(record: GameRecord, path: Path) -> None:
    """Write `record` to `path` atomically, in the format of its extension.

    Raise `FormatError` for a record or a file name that cannot be saved, and `OSError`.
    """
    write_atomic(path, encoded(record, path))


def encoded(record: GameRecord, path: Path) -> bytes:
    """Return the file contents for `record` at `path`. Raise `FormatError`, as `save` does."""
    kind = format_of(path)
    if kind.dumps is None:
        message = f"Tengen reads files of the kind {kind.extension} but does not write them."
        raise FormatError(message, "unwritable")
    data = kind.dumps(record)
    if len(data) > MOST_BYTES:
        raise FormatError(f"The game would make a file of more than {MOST_BYTES >> 20} MB.", "unwritable")
    return data


def read_target(target: str, setup: Setup | None = None) -> GameRecord:
    """Read the game named on a command line: the file `target` if it exists, else a position string.

    Raise `FormatError`.
    """
    if os.path.isfile(target):  # noqa: PTH113  (`Path.is_file` raises for a very long name)
        return load(Path(target), setup)
    if "." in target or "/" in target or "\\" in target:
        raise FormatError(f"There is no file {quoted(target)}.", "missing")
    return text.parse(target, setup)
