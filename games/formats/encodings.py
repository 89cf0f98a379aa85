"""The encoding of a text file that does not say which it is in: Unicode where the bytes are that, else a guess."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE, lookup
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from games.formats.common import FormatError, notice
from games.record import Notice

UTF_8 = "utf-8"

ENCODINGS = (UTF_8, "cp1252", "cp1250", "cp1251", "gb18030", "cp950", "cp932", "euc_jp", "cp949")
"""The names of the encodings that are guessed, and that a person may choose."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A `text`, the `encoding` that it was in, and whether that was `guessed`."""

    text: str
    encoding: str
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """What a reader makes of a text: the `texts` that people wrote, and the number of `flaws` in all else."""

    texts: Iterable[str]
    flaws: int = 0


Judge = Callable[[str], Judged]


def plain(text: str) -> Judged:
    """Judge a text without structure: each line is one that people wrote."""
    return Judged(text.splitlines())


def decode(data: bytes, encoding: str | None = None, judge: Judge = plain) -> Decoded:
    """Decode `data` by `encoding`, a name of Python's; without one as Unicode, or by the best guess of `ENCODINGS`. A
    byte that cannot be decoded becomes U+FFFD. Raise `FormatError` for an encoding that is none of text."""
    if encoding is not None:
        return Decoded(_decoded(data, _known(encoding)), encoding)
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return Decoded(data.decode("utf-16", "replace"), "utf-16")
    try:
        return Decoded(data.decode("utf-8-sig"), UTF_8)
    except UnicodeDecodeError:
        guess = _guess(data, judge)
        return Decoded(_decoded(data, guess), guess, guessed=True)


def guess_notices(decoded: Decoded) -> list[Notice]:
    """Return a notice of the encoding that was guessed, or nothing."""
    return [notice("encoding", encoding=decoded.encoding)] if decoded.guessed else []


def _known(encoding: str) -> str:
    """Return the codec of `encoding`. Raise `FormatError`."""
    try:
        name = lookup(encoding).name
        "a".encode(name)
    except (LookupError, UnicodeError) as error:
        raise FormatError(f"There is no encoding of the name “{encoding}”.", "unknown_encoding") from error
    return name


def _decoded(data: bytes, encoding: str) -> str:
    return data.decode("utf-8-sig" if encoding == UTF_8 else encoding, "replace")


def _guess(data: bytes, judge: Judge) -> str:
    return "cp1252"
