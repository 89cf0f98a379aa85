"""Import, rename, delete, restore and export saved games. Nothing is overwritten.

Every game of an imported file becomes a file of its own, unless it is there already.

Deleted games are in a folder `trash` beside the saved games for thirty days.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from games.formats import (
    EXTENSIONS,
    FORMATS,
    MOST_BYTES,
    FormatError,
    encoded,
    file_title,
    format_in,
    load,
    load_all,
    sgf_writer,
    tengen,
)
from games.formats.common import OnProgress, silent
from games.formats.text import moves_text
from games.record import GameRecord, Node, Notice, path
from games.storage import (
    data_home,
    files_below,
    move_new,
    move_unused,
    name_problem,
    read_regular,
    unused_path,
    write_atomic,
    write_new,
)

_ENDING = ".tengen.json"

FilesByGame = dict[tuple[str, int, str], list[Path]]
"""The files of the library by game, size, and the moves to the final position."""


@dataclass(slots=True)
class Imported:
    """The result of an import: the files `written`, the number of games `known` already, the files that could not be
    read or written, and notices of what was left out, each with the imported file."""

    written: list[Path] = field(default_factory=list)
    known: int = 0
    failed: list[tuple[Path, FormatError | OSError]] = field(default_factory=list)
    notices: list[tuple[Path, Notice]] = field(default_factory=list)


def game_files(chosen: Path) -> list[Path]:
    """Return the game files in the folder `chosen` and its subfolders, without hidden ones; the file itself if it is no
    folder."""
    if not os.path.isdir(chosen):  # noqa: PTH112  (never raises)
        return [chosen]
    return sorted(Path(file) for file in files_below(chosen) if file.name.lower().endswith(EXTENSIONS))


def import_games(files: Iterable[Path], folder: Path, known: FilesByGame, on_progress: OnProgress = silent) -> Imported:
    """Write every game in `files` to a file of its own in `folder`, unless `known`, the games of the library, has the
    same. New games are added to `known`.

    Raise what `on_progress` raises; what has been written by then stays.
    """
    done, files = Imported(), list(files)
    for number, file in enumerate(files):
        on_progress(number / len(files))
        try:
            records = load_all(file)
        except FormatError as error:
            done.failed.append((file, error))
            continue
        for index, record in enumerate(records, 1):
            on_progress((number + index / len(records)) / len(files))
            title = file_title(file) if len(records) == 1 else f"{file_title(file)} {index:0{len(str(len(records)))}}"
            _import_game(record, file, folder, title, known, done)
    return done


def _import_game(record: GameRecord, file: Path, folder: Path, title: str, known: FilesByGame, done: Imported) -> None:
    """Write `record` to a new file `title` in `folder` unless the library has the same game; note in `done` what
    happened."""
    alike = known.setdefault(duplicate_key(record), [])
    if any(_has_same_game(record, other) for other in alike):
        done.known += 1
        return
    try:
        target = write_new(folder, title, _ENDING, tengen.dumps(record))
    except (FormatError, OSError) as error:
        done.failed.append((file, error))
        return
    alike.append(target)
    done.written.append(target)
    done.notices += [(file, notice) for notice in record.notices]


def duplicate_key(record: GameRecord) -> tuple[str, int, str]:
    """Return game, size and moves of a record: equal for games that may be duplicates."""
    return record.setup.game, record.setup.size, moves_text(path(final_node(record)))


def final_node(record: GameRecord) -> Node:
    """Return the node where the game ended, or else the last one, on the line of play through the cursor."""
    return record.line()[-1]


def _has_same_game(record: GameRecord, file: Path) -> bool:
    """Return whether `file` has the same game, with the same variations, comments and marks, in any format."""
    try:
        return any(_facts(record) == _facts(other) for other in load_all(file))
    except FormatError:
        return False


def _facts(record: GameRecord) -> tuple[object, ...]:
    """Return what two duplicates must have in common beyond `duplicate_key`: setup, day, players, result, and the whole
    tree."""
    outcome = final_node(record).outcome
    tree = [(node.move, len(node.children), node.comment, node.marks) for node in record.nodes()]
    about = record.setup, record.stones, record.date[:10], tuple(seat.known_as for seat in record.seats)
    return *about, outcome and outcome.winner, tree


# Find the copy in the library that keeps the changes of a file in another format, by the file's contents.


_HEAD = 2_048
"""Bytes of a file in which its origin is; the nodes come later."""

_ENDINGS = tuple(each.extension for each in FORMATS if each.whole)


def copy_of(origin: str, folder: Path) -> Path | None:
    """Return the file in `folder` or its subfolders whose `GameRecord.origin` is the digest `origin`: the newest if
    there are several, None if there is none. Never raise `OSError`."""
    wanted, found = f'"origin": "{origin}"'.encode(), list[tuple[int, Path]]()
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if name.lower().endswith(_ENDINGS) and not name.startswith("."):
                with suppress(OSError):
                    file = Path(here, name)
                    if wanted in _head(file):
                        found.append((file.stat().st_mtime_ns, file))
    return max(found)[1] if found else None


def _head(file: Path) -> bytes:
    """Return the first bytes of a regular file, which contain its origin; empty for anything else."""
    if not file.is_file():  # a pipe would block
        return b""
    with file.open("rb") as contents:
        return contents.read(_HEAD)


KEPT_DAYS = 30

_LONGEST = 120  # characters of a name
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_UNFIT = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')
_STAMP = "%Y%m%dT%H%M%SZ"


class BadName(ValueError):
    """A file name is invalid. `reason` is a key: ``empty``, ``characters``, ``text``, ``long``, ``taken``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def trash_home() -> Path:
    """The folder of deleted games."""
    return data_home() / "trash"


def ending_of(file: Path) -> str:
    """Return the extension of a game's file with its dots, such as ``.tengen.json``."""
    return file.name[len(file_title(file)) :]


def rename(file: Path, title: str) -> Path:
    """Rename `file` within its folder to `title`, keeping the extension, and return the new path. Raise `BadName` and
    `OSError`."""
    title = title.strip()
    if not title or title.startswith("."):
        raise BadName("empty" if not title else "characters")
    if len(title) > _LONGEST:
        raise BadName("long")
    if problem := name_problem(title + ending_of(file)):
        raise BadName(problem)
    if _UNFIT.search(title) or title.endswith(".") or _RESERVED.fullmatch(title):
        raise BadName("characters")
    target = file.with_name(title + ending_of(file))
    if target.exists() and target.samefile(file):  # at most the case of letters differs
        file.rename(target)
        return target
    try:
        move_new(file, target)
    except FileExistsError as error:
        raise BadName("taken") from error
    return target


@dataclass(slots=True)
class Removal:
    """A deletion: `moved` has the original and the present path of each file, `failed` those that could not be
    deleted."""

    moved: list[tuple[Path, Path]] = field(default_factory=list)
    failed: list[tuple[Path, OSError]] = field(default_factory=list)


def discard(files: Iterable[Path]) -> Removal:
    """Move `files` to the trash. Files that cannot be moved are noted in the result. Never raise `OSError`."""
    stamp = datetime.now(UTC).strftime(_STAMP)
    folder = trash_home() / f"{stamp}-{secrets.token_hex(3)}"
    done = Removal()
    for file in files:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            target = unused_path(folder, file_title(file), ending_of(file))
            shutil.move(file, target)
            done.moved.append((file, target))
        except OSError as error:
            done.failed.append((file, error))
    return done


def restore(removal: Removal) -> list[Path]:
    """Move deleted files back to their places and return their paths; a name that has been taken since is numbered.

    Raise `OSError`; what has been restored by then is no longer part of `removal`.
    """
    back = []
    while removal.moved:
        file, trashed = removal.moved[-1]
        back.append(_move_back(trashed, file))
        removal.moved.pop()
        with contextlib.suppress(OSError):
            trashed.parent.rmdir()  # fails unless empty
    return back


def _move_back(trashed: Path, file: Path) -> Path:
    """Move `trashed` from the trash to the place of `file`, or beside it if that is taken; return the new path. Raise
    `OSError`."""
    name = file.parent, file_title(file), ending_of(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        return move_unused(trashed, *name)
    except OSError as error:
        if error.errno != errno.EXDEV:  # another file system
            raise
    target = write_new(*name, read_regular(trashed, trashed.stat().st_size))
    shutil.copystat(trashed, target)
    trashed.unlink()
    return target


def delete_expired(now: float | None = None) -> None:
    """Delete files from the trash that were put there more than `KEPT_DAYS` days ago. Never raise `OSError`."""
    oldest = (time.time() if now is None else now) - KEPT_DAYS * 86_400
    with contextlib.suppress(OSError, RecursionError):
        for folder in trash_home().iterdir():
            if (thrown := _deletion_time(folder)) is not None and thrown < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def _deletion_time(folder: Path) -> float | None:
    """Return when the files in a folder of the trash were deleted, in seconds since the epoch; None for a folder that
    is not ours."""
    try:
        return datetime.strptime(folder.name.partition("-")[0], _STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


Named = Callable[[GameRecord], GameRecord]


def unchanged(record: GameRecord) -> GameRecord:
    """Return `record` itself: the default of the parameter `named`."""
    return record


Exported = tuple[list[Path], list[tuple[Path, FormatError | OSError]]]
"""The files written, and those that could not be exported with the reason."""


def export(
    files: Iterable[Path], folder: Path, ending: str, contents: Callable[[Path], bytes] | None = None,
    on_progress: OnProgress = silent, named: Named = unchanged,
) -> Exported:  # fmt: skip
    """Export the game in each of `files` to a new file in `folder`, with the extension `ending` and in its format.

    For what is no format of games, such as pictures, `contents` makes the contents of the new file from a game's file.
    `named` returns a copy of a record with names for players without one. Raise what `on_progress` raises.
    """
    def write(file: Path) -> None:
        """Export the game of `file`."""
        data = _convert(file, ending, named) if contents is None else contents(file)
        written.append(write_new(folder, file_title(file), ending, data))

    written: list[Path] = []
    return written, _for_each(files, on_progress, write)


def _for_each(
    files: Iterable[Path], on_progress: OnProgress, act: Callable[[Path], object]
) -> list[tuple[Path, FormatError | OSError]]:
    """Call `act` with each of `files`, and `on_progress` with the progress from 0 to 1. Return the files for which
    `act` raised `FormatError` or `OSError`, with the error."""
    failed: list[tuple[Path, FormatError | OSError]] = []
    wanted = list(files)
    for number, file in enumerate(wanted):
        on_progress(number / len(wanted))
        try:
            act(file)
        except (FormatError, OSError) as error:
            failed.append((file, error))
    return failed


def _convert(file: Path, ending: str, named: Named) -> bytes:
    """Return the file's game in the format of `ending`; its contents unchanged if they have that format."""
    record = load(file)  # do not export what cannot be read
    data = read_regular(file, MOST_BYTES)
    if format_in(data, file).extension == ending:
        return data  # unchanged, including fields unknown to us
    return encoded(named(record), Path(ending))


def export_collection(
    files: Iterable[Path], target: Path, on_progress: OnProgress = silent, named: Named = unchanged
) -> Exported:
    """Write the games in `files` to one SGF file, `target`, which is replaced. Nothing is written if SGF can hold none
    of them. The result names the exported files, not `target`."""
    found: dict[Path, bytes] = {}

    def read(file: Path) -> None:
        """Encode the game of `file` as SGF."""
        found[file] = sgf_writer.dumps(named(load(file)))

    failed = _for_each(files, on_progress, read)
    try:
        if found:
            write_atomic(target, b"\n".join(found.values()))
    except OSError as error:
        return [], [(target, error)]
    return list(found), failed
