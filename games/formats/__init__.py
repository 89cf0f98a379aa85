"""Game files. Each format is a module with `loads` and `dumps`; this one reads and writes the disk and the clipboard.

A module that reads untrusted bytes raises `FormatError` and nothing else.
"""

from __future__ import annotations

import errno
import os.path
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Protocol

from games.formats import psq, renjunet, renlib, sgf, sgf_writer, tengen, text, yixin
from games.formats.common import FormatError, OnProgress, quoted, silent
from games.formats.encodings import ENCODINGS
from games.record import GameRecord, Node, path
from games.registry import Setup
from games.storage import read_regular, write_atomic

__all__ = [
    "ENCODINGS", "EXTENSIONS", "FORMATS", "WRITTEN", "Format", "FormatError", "copied", "encoded", "file_title",
    "format_in", "format_of", "load", "load_all", "pasted", "read_each", "read_target", "save", "writable",
]  # fmt: skip

MOST_BYTES = 16 * 1024 * 1024
"""Larger files are rejected unread."""

MOST_PASTED = 200_000
"""Maximum number of characters of a text from the clipboard, unless that is a file of ours, as `copied` may make."""

_HEAD = 1_000  # characters in which a file of ours is recognised


class _Loads(Protocol):
    def __call__(
        self, data: bytes, setup: Setup | None, on_progress: OnProgress, encoding: str | None = None, /
    ) -> GameRecord:
        """Decode `data` as one game, as `Format` says of `loads`."""


class _LoadsAll(Protocol):
    def __call__(self, data: bytes, setup: Setup | None, encoding: str | None = None, /) -> list[GameRecord]:
        """Decode every game in `data`, as `Format` says of `loads_all`."""


class _ReadEach(Protocol):
    def __call__(self, data: bytes, begin: int, /) -> Iterator[tuple[int, GameRecord | FormatError]]:
        """Yield the games in `data` after the place `begin`, each with the place after it; see `read_each`."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file.

    `loads` reads a game; a `Setup` fills in what the file does not say (None: the default), an `OnProgress` receives
    the progress, and an encoding overrides the file's own or a guess. It raises `FormatError`, and what the
    `OnProgress` raises. `loads_all` reads every game of a file that may hold several; None for a kind that holds one.
    `read_each` yields them one by one, as the function of this name does; for a kind without `loads_all` it yields the
    lines of a tree as games. `dumps` writes a game, or is None for a format that is only read; it raises `FormatError`
    for a game that the format cannot hold. `games` are the keys of the games that it can hold at most, None for all.
    `recognises` tells whether the contents of a file are of this kind; formats of some games are asked before those of
    all. `whole` means that all of a record is kept, also variations and evaluations. `name` is what a person reads
    where the locales have no ``kind.EXTENSION``. `fits` tells whether a file with this extension is of this kind
    whatever its contents resemble: for a kind that does not begin in a way of its own.
    """

    extension: str
    loads: _Loads
    dumps: Callable[[GameRecord], bytes] | None
    recognises: Callable[[bytes], bool] = lambda _data: False
    whole: bool = False
    loads_all: _LoadsAll | None = None
    read_each: _ReadEach | None = None
    games: tuple[str, ...] | None = None
    name: str = ""
    fits: Callable[[bytes], bool] = lambda _data: False


FORMATS: tuple[Format, ...] = (
    Format(".tengen.json", lambda data, _setup, on_progress, _=None: tengen.loads(data, on_progress), tengen.dumps,
           tengen.recognises, True),
    Format(".sgf", sgf.loads, sgf_writer.dumps, sgf.recognises, loads_all=sgf.loads_all,
           read_each=sgf.read_each),
    Format(".psq", lambda data, setup, _, encoding=None: psq.loads(data, setup, encoding), psq.dumps, psq.recognises,
           games=(sgf.GAME,)),
    Format(".rec", lambda data, setup, _, encoding=None: psq.load_rec(data, setup, encoding), psq.dump_rec,
           games=(sgf.GAME,)),
    Format(".lib", renlib.loads, renlib.dumps, renlib.recognises, read_each=renlib.read_each, games=(sgf.GAME,)),
    Format(".sav", lambda data, setup, _, _encoding=None: yixin.load_sav(data, setup), yixin.dump_sav,
           games=(sgf.GAME,)),
    Format(".pos", lambda data, setup, _, _encoding=None: yixin.load_pos(data, setup), yixin.dump_pos,
           games=(sgf.GAME,), fits=yixin.fits_pos),
    Format(".rif", renjunet.loads, None, renjunet.recognises, loads_all=renjunet.loads_all,
           read_each=renjunet.read_each, games=(sgf.GAME,)),
    Format(".txt", lambda data, setup, _, encoding=None: text.loads(data, setup, encoding), text.dumps,
           loads_all=text.loads_all, read_each=text.read_each),
)  # fmt: skip


EXTENSIONS = tuple(each.extension for each in FORMATS)
WRITTEN = tuple(each.extension for each in FORMATS if each.dumps)


def file_title(path: Path) -> str:
    """Return the name of a game's file without its extension, such as ``.tengen.json``."""
    for ending in EXTENSIONS:
        if path.name.lower().endswith(ending):
            return path.name[: -len(ending)]
    return path.stem


def format_of(path: Path) -> Format:
    """Return the format for the extension of `path`. Raise `FormatError`."""
    for each in FORMATS:
        if path.name.lower().endswith(each.extension):
            return each
    known_kinds = ", ".join(EXTENSIONS)
    message = f"{quoted(path.name)} is not a kind of file that Tengen knows; it knows {known_kinds}."
    raise FormatError(message, "unknown", kinds=known_kinds)


def load(
    path: Path, setup: Setup | None = None, on_progress: OnProgress = silent, encoding: str | None = None
) -> GameRecord:
    """Read the game in the file at `path`, the first if there are several. `setup` fills in what the file does not say.
    `encoding`, such as one of `ENCODINGS`, overrides the file's own or a guess; a notice of the kind ``encoding`` tells
    that it was guessed.

    The contents determine the format, or else the extension. The `origin` of a game in another format than ours is the
    file's digest. Raise `FormatError`, also when the file cannot be read or is larger than `MOST_BYTES`, and what
    `on_progress` raises.
    """
    data = _contents(path)
    kind = format_in(data, path)
    record = kind.loads(data, setup, on_progress, encoding)
    if not kind.whole:
        record.origin = digest(data)
    return record


def digest(data: bytes) -> str:
    """Return a hash of a file's contents, as in `GameRecord.origin`."""
    return sha256(data).hexdigest()


def load_all(path: Path, setup: Setup | None = None, encoding: str | None = None) -> list[GameRecord]:
    """Read every game in the file at `path`, at least one. Notices that concern the whole file are in the first one.
    Raise `FormatError`, as `load` does."""
    data = _contents(path)
    kind = format_in(data, path)
    if kind.loads_all is None:
        return [load(path, setup, encoding=encoding)]
    records = kind.loads_all(data, setup, encoding)
    if len(records) == 1:
        records[0].origin = digest(data)
    return records


def read_each(
    path: Path, begin: int = 0, most: int = MOST_BYTES, lines: bool = True
) -> Iterator[tuple[int, GameRecord | FormatError]]:
    """Yield every game in the file at `path`, or the error by which it cannot be read, one by one to save memory. With
    each comes a number that can be passed as `begin` later, to continue after that game. A tree of variations of RenLib
    is a game for each of its `lines`, or else one game. Raise `FormatError` if there is no game, or if the file has
    more than `most` bytes."""
    data = _contents(path, most)
    kind = format_in(data, path)
    if kind.read_each is not None and (lines or kind.loads_all is not None):
        yield from kind.read_each(data, begin)
        return
    records = kind.loads_all(data, None) if kind.loads_all else [kind.loads(data, None, silent)]
    yield from islice(enumerate(records, 1), begin, None)


def format_in(data: bytes, path: Path) -> Format:
    """Return the format of a file with the contents `data`: that of its extension if they fit it, or the one that
    recognises them, or else that of the extension. Raise `FormatError`."""
    fitting = next((each for each in FORMATS if each.fits(data) and path.name.lower().endswith(each.extension)), None)
    return fitting or _recognised_format(data) or format_of(path)


def _recognised_format(data: bytes) -> Format | None:
    """Return the format that recognises the contents, one of some games before one of all; None if there is none."""
    ordered = sorted(FORMATS, key=lambda each: each.games is None)
    return next((each for each in ordered if each.recognises(data)), None)


def _contents(path: Path, most: int = MOST_BYTES) -> bytes:
    """Read the file. Raise `FormatError` if it has more than `most` bytes or is unreadable."""
    try:
        return read_regular(path, most)
    except OSError as error:
        if error.errno == errno.EFBIG:
            message = f"{quoted(path.name)} is larger than {most >> 20} MB, too large for a game."
            raise FormatError(message, "too_large", most=most >> 20) from error
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
    return encoded_as(format_of(path), record)


def encoded_as(kind: Format, record: GameRecord) -> bytes:
    """Return the contents of a file of this `kind` for `record`. Raise `FormatError` if it cannot hold that."""
    if kind.dumps is None:
        message = f"Tengen reads files of the kind {kind.extension} but does not write them."
        raise FormatError(message, "unwritable")
    if kind.games is not None and record.setup.game not in kind.games:
        message = f"Files of the kind {kind.extension} hold games of {', '.join(kind.games)} only."
        raise FormatError(message, "unwritable")
    data = kind.dumps(record)
    if len(data) > MOST_BYTES:
        raise FormatError(f"The game would make a file of more than {MOST_BYTES >> 20} MB.", "unwritable")
    return data


def writable(record: GameRecord) -> tuple[str, ...]:
    """Return the extensions of the formats that can hold the game of `record` and what was set up before it. The moves
    are not looked at."""
    empty = GameRecord(record.setup, stones=record.stones)  # a large tree takes long
    return tuple(each.extension for each in FORMATS if _holds(each, empty))


def _holds(kind: Format, record: GameRecord) -> bool:
    """Return whether `record` can be written in this format."""
    try:
        encoded_as(kind, record)
    except FormatError:
        return False
    return True


def read_target(target: str, setup: Setup | None = None, encoding: str | None = None) -> GameRecord:
    """Read the game named on a command line: the file `target` if it exists, as `load` does, else a position string
    such as ``h8i9``, of gomoku without a `setup`.

    Raise `FormatError`.
    """
    if os.path.isfile(target):  # noqa: PTH113  (`Path.is_file` raises for a very long name)
        return load(Path(target), setup, encoding=encoding)
    try:
        return text.read(target, setup, keys=[sgf.GAME])
    except FormatError as error:
        if error.kind == "foreign" and os.path.lexists(target) and not os.path.isdir(target):  # noqa: PTH112
            return load(Path(target), setup, encoding=encoding)  # a pipe or a device; the error says so
        if error.kind == "foreign" and not {".", "/", "\\"}.isdisjoint(target):
            raise FormatError(f"There is no file {quoted(target)}.", "missing") from error
        raise


def pasted(given: str, around: Setup | None = None, on_progress: OnProgress = silent) -> GameRecord:
    """Read the game in a text from the clipboard, a position string or the contents of a file of any format. A position
    string is played from the start of `around`, if that is given and fits, or else of the first game, size and rule of
    the registry in which it is legal. Raise `FormatError`, and what `on_progress` raises."""
    most = MOST_BYTES if tengen.recognises(given[:_HEAD].encode(errors="replace")) else MOST_PASTED
    if len(given) > most:
        raise FormatError(f"The text is longer than {most:,} characters.", "foreign")
    data = given.encode("utf-8-sig", "replace")  # whatever encoding the text says it has been in
    if (kind := _recognised_format(data)) is not None:
        return kind.loads(data, around, on_progress)
    if not given.strip():
        raise FormatError("There is no text.", "foreign")
    return text.read(given, around=around, on_progress=on_progress)


def copied(record: GameRecord, node: Node) -> str:
    """Return a text for the clipboard, from which `pasted` restores the position of `node`: its moves, or the whole
    `record` if it begins with a position that was set up."""
    return text.moves_text(path(node)) if record.stones is None else tengen.dumps(record, node).decode()
