"""The command `convert`: from any format to another one, or to a picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from games.formats import WRITTEN, FormatError, read_target
from games.formats.common import quoted
from games.record import GameRecord, path
from games.registry import Setup
from ui.board.pictures import ANIMATED, KINDS, Picture, animation, still
from ui.commands.console import Failure, Misuse, failing, print_notices, write_output
from ui.start import prepare
from ui.words.file_words import encoded_for


def kinds_of_files() -> str:
    """Return what can be written, for the help."""
    pictures = [kind for kind in KINDS if kind not in ANIMATED]
    return f"a game ({' '.join(WRITTEN)}), a picture ({' '.join(pictures)}) or an animation ({' '.join(ANIMATED)})"


def convert(
    source: str, out: Path, setup: Setup | None, at: int | None = None, encoding: str | None = None, **looks: Any
) -> None:
    """Write the game `source`, read by `setup` and `encoding` as `read_target` does, to `out`; as a picture, that of
    the position `at` a ply, or an animation up to it. `looks` are fields of `ui.board.pictures.Picture`. Raise
    `Failure` or `Misuse`."""
    kind = out.suffix.lower()
    if kind not in KINDS and (at is not None or any(looks.values())):
        raise Misuse(f"--at, --numbers, --width and --delay are for pictures ({', '.join(KINDS)}).")
    if not out.name.lower().endswith((*WRITTEN, *KINDS)):
        known = ", ".join((*WRITTEN, *KINDS))
        raise Failure(f"{quoted(str(out))} is not a kind of file that Tengen writes; it writes {known}.")
    encode = _pictures(kind, at, looks) if kind in KINDS else lambda record: encoded_for(record, out)
    with failing(FormatError):
        record = read_target(source, setup, encoding)
        data = encode(record)
    write_output(out, data)
    print_notices(record)


def _pictures(kind: str, at: int | None, looks: dict[str, Any]) -> Callable[[GameRecord], bytes]:
    """What makes a picture of a game. Raise `Misuse`."""
    prepare()
    with failing(ValueError, usage=True):
        picture = Picture(kind, **looks)

    def encode(record: GameRecord) -> bytes:
        _go_to(record, at)
        if not picture.animated:
            return still(record, record.cursor, picture)
        return animation(record, path(record.cursor if at is not None else record.main_end()), picture)

    return encode


def _go_to(record: GameRecord, ply: int | None) -> None:
    """Move the cursor to `ply` of the main line; raise Failure if there is none."""
    line = record.line()
    if ply is not None:
        if ply >= len(line):
            raise Failure(f"The game has no move {ply}: it has {len(line) - 1}.")
        record.go_to(line[ply])
