"""Import games into the library: every game of every file becomes a file of its own, unless it is there already."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from games.formats import EXTENSIONS, FORMATS, FormatError, load_all, tengen
from games.formats.common import OnProgress, silent
from games.formats.text import moves_text
from games.library.rows import file_title
from games.record import GameRecord, Node, Notice, path
from games.storage import files_below, write_new

_ENDING = ".tengen.json"

FilesByGame = dict[tuple[str, int, str], list[Path]]
"""The files of the library by game, size, and the moves to the final position."""


@dataclass(slots=True)
class Imported:
    """The result of an import: the files `written`, the number of games `known` already, the files that could not be
    read or written, and what was left out of a file."""

    written: list[Path] = field(default_factory=list)
    known: int = 0
    failed: list[tuple[Path, FormatError | OSError]] = field(default_factory=list)
    notices: list[tuple[Path, Notice]] = field(default_factory=list)


def game_files(chosen: Path) -> list[Path]:
    """Return the file `chosen`, or the game files in that folder and its subfolders, without hidden ones."""
    if not os.path.isdir(chosen):  # noqa: PTH112  (never raises)
        return [chosen]
    return sorted(Path(file) for file in files_below(chosen) if file.name.lower().endswith(EXTENSIONS))


def import_games(files: Iterable[Path], folder: Path, known: FilesByGame, on_progress: OnProgress = silent) -> Imported:
    """Write every game in `files` to `folder` under an unused name. `known` is what the library has, and is extended.

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
            _import(record, file, folder, title, known, done)
    return done


def _import(record: GameRecord, file: Path, folder: Path, title: str, known: FilesByGame, done: Imported) -> None:
    """Write `record` to `folder` unless the library has the same game; note in `done` what happened."""
    alike = known.setdefault(duplicate_key(record), [])
    if any(_same(record, other) for other in alike):
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
    """Return the identity of a game, for finding duplicates: game, size and moves."""
    return record.setup.game, record.setup.size, moves_text(path(final_node(record)))


def final_node(record: GameRecord) -> Node:
    """Return the position where the game ended, or how far it got, along the line of play through the cursor."""
    return record.cursor if record.cursor.outcome else record.line()[-1]


def _same(record: GameRecord, file: Path) -> bool:
    """Return whether `file` has the same game, with the same variations, comments and marks, in any format."""
    try:
        return any(_facts(record) == _facts(other) for other in load_all(file))
    except FormatError:
        return False


def _facts(record: GameRecord) -> tuple[object, ...]:
    """What is compared of two games beyond `duplicate_key`: tree, comments, players, result."""
    outcome = final_node(record).outcome
    tree = [(node.move, len(node.children), node.comment, node.marks) for node in record.nodes()]
    about = record.setup, record.stones, record.date[:10], tuple(seat.known_as for seat in record.seats)
    return *about, outcome and outcome.winner, tree


# Find the copy in the library that keeps the changes of a file in another format, by the file's contents.


_HEAD = 2_048
"""Bytes of a file in which its origin is; the nodes come later."""

_ENDINGS = tuple(each.extension for each in FORMATS if each.whole)


def copy_of(origin: str, folder: Path) -> Path | None:
    """Return the file in `folder` or its subfolders that was made of one with the digest `origin`, see
    `games.formats.digest`; the newest if there are several, None if there is none. Never raise `OSError`."""
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
    """The first bytes of a regular file, by which its format is recognised; empty for anything else."""
    if not file.is_file():  # a pipe would block
        return b""
    with file.open("rb") as contents:
        return contents.read(_HEAD)
