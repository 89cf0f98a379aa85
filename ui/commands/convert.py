"""The command `convert`: a game of any format to a file of another one or a picture; or many games to one file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from games.database.importer import MOST_BYTES
from games.database.reader import GameQuery, Reader
from games.database.schema import DatabaseError, is_database
from games.formats import WRITTEN, FormatError, read_each, read_target
from games.formats.common import notice_sentences, quoted
from games.formats.encodings import codec_of
from games.library.file_actions import game_files
from games.record import GameRecord, path
from games.registry import Setup
from ui.board.pictures import ANIMATED, KINDS, Picture, animation, still_picture
from ui.commands.console import (
    Failure,
    Misuse,
    failing,
    print_notices,
    refuse_overwriting,
    require_source,
    write_output,
)
from ui.start import prepare
from ui.words.file_words import encoded_for


def kinds_of_files() -> str:
    """Return a text for the help that lists the kinds of files that can be written."""
    pictures = [kind for kind in KINDS if kind not in ANIMATED]
    return f"a game ({' '.join(WRITTEN)}), a picture ({' '.join(pictures)}) or an animation ({' '.join(ANIMATED)})"


def convert(
    source: str, out: Path, setup: Setup | None, at: int | None = None, encoding: str | None = None, **looks: Any
) -> None:
    """Write the game `source`, read with `setup` and `encoding` as `read_target` does, to `out`. A picture shows the
    position at ply `at`, by default that at the cursor; an animation ends there, by default with the main line. `looks`
    are fields of `ui.board.pictures.Picture`. Raise `Failure` or `Misuse`."""
    kind = out.suffix.lower()
    if kind not in KINDS and (at is not None or any(looks.values())):
        raise Misuse(f"--at, --numbers, --width and --delay are for pictures ({', '.join(KINDS)}).")
    if not out.name.lower().endswith((*WRITTEN, *KINDS)):
        known = ", ".join((*WRITTEN, *KINDS))
        raise Failure(f"{quoted(str(out))} is not a kind of file that Tengen writes; it writes {known}.")
    refuse_overwriting(source, out)  # of several games only the first would be left
    if encoding is not None:
        with failing(FormatError, usage=True):
            codec_of(encoding)
    encode = _picture_maker(kind, at, looks) if kind in KINDS else lambda record: encoded_for(record, out)
    with failing(FormatError):
        record = read_target(source, setup, encoding)
        data = encode(record)
    write_output(out, data)
    print_notices(record)


def convert_all(source: Path, out: Path) -> None:
    """Write all games of a file, a folder or a database, `source`, to one SGF file, `out`. Print on stderr what cannot
    be read or written. Raise `Misuse` if `out` is no SGF file, `Failure` also if there is no game."""
    if out.suffix.lower() != ".sgf":
        raise Misuse("--all is for OUT of the kind .sgf, which may hold several games.")
    require_source(source)
    refuse_overwriting(source, out)  # what cannot be read would be lost
    games: list[bytes] = []
    for name, found in _games_of_database(source) if is_database(source) else _games_of_files(source):
        try:
            if isinstance(found, FormatError):
                raise found
            games.append(encoded_for(found, out))
        except FormatError as error:
            print(f"{name}: {error}", file=sys.stderr)
        else:
            for sentence in notice_sentences(found.notices):
                print(f"{name}: {sentence}", file=sys.stderr)
    if not games:
        raise Failure(f"{quoted(str(source))} has no game that can be written.")
    write_output(out, b"\n".join(games))


def _games_of_database(source: Path) -> Iterator[tuple[str, GameRecord | FormatError]]:
    """Yield the games of a database, the earliest first, or the errors by which they cannot be read; each with the
    database's name. Raise `Failure`."""
    with failing(DatabaseError), closing(Reader(source)) as reader:
        for game in reversed(reader.search(GameQuery())):
            try:
                yield source.name, reader.record(game.id)
            except FormatError as error:
                yield source.name, error


def _games_of_files(source: Path) -> Iterator[tuple[str, GameRecord | FormatError]]:
    """Yield the games of a file, or of the files in a folder, or the errors by which they cannot be read; each with the
    name of its file."""
    for file in game_files(source):
        try:
            for _, found in read_each(file, most=MOST_BYTES, lines=False):
                yield file.name, found
        except FormatError as error:
            yield file.name, error


def _picture_maker(kind: str, at: int | None, looks: dict[str, Any]) -> Callable[[GameRecord], bytes]:
    """Return a function that makes a picture of a game, of the format `kind`; the parameters are those of `convert`.
    Raise `Misuse`."""
    prepare()
    with failing(ValueError, usage=True):
        picture = Picture(kind, **looks)

    def encode(record: GameRecord) -> bytes:
        """Return a picture or an animation of the game."""
        _go_to(record, at)
        if not picture.animated:
            return still_picture(record, record.cursor, picture)
        return animation(record, path(record.cursor if at is not None else record.main_end()), picture)

    return encode


def _go_to(record: GameRecord, ply: int | None) -> None:
    """Move the cursor to `ply` of the line of play; None leaves it. Raise `Misuse` if there is no such ply."""
    line = record.line()
    if ply is not None:
        if ply >= len(line):
            raise Misuse(f"The game has no move {ply}: it has {len(line) - 1}.")
        record.go_to(line[ply])
