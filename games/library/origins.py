"""Find the copy in the library that keeps the changes of a file in another format, by the file's contents."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from games.formats import FORMATS

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
    if not file.is_file():  # a pipe would block
        return b""
    with file.open("rb") as contents:
        return contents.read(_HEAD)
