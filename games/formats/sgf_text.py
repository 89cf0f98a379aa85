"""The text of an SGF file: its encoding, and the games in it."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, lookup
from collections.abc import Iterator

from games.formats.common import Tell
from games.formats.encodings import Decoded, decode

_CHARSET = re.compile(rb"CA\s*\[\s*([\w.:-]{1,40})\s*\]")
_PROPERTY = re.compile(rb"\s*([A-Za-z]+)\s*((?:\[(?:[^\]\\]|\\.)*+\]\s*)++)", re.DOTALL)
_START = re.compile(rb"\(\s*;")
_TOKEN = re.compile(rb"\[(?:[^\]\\]|\\.)*+\]|[();]", re.DOTALL)
"""What makes the structure of a file, and the values that may look like it."""
_DEPTH = {b"(": 1, b")": -1}
_STEP = 1024  # tokens between two reports of the progress
_PLAIN = bytes(set(range(32, 127)) - {92}) + rb"\u0041"
"""Bytes that every encoding of an SGF file decodes as ASCII does."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "cp950"}
"""Supersets of encodings that files name but do not keep to."""

def split(text: bytes, tell: Tell) -> Iterator[bytes]:
    """Yield the games in `text`, UTF-8, one after the other: a whole collection as a tree would take much memory."""
    end = 0
    while (start := _START.search(text, end)) is not None:
        depth = 0
        for number, token in enumerate(_TOKEN.finditer(text, start.start())):
            depth += _DEPTH.get(token[0], 0)
            end = token.end()
            if not depth:
                break
            if number % _STEP == 0:
                tell(end / len(text))
        else:
            end = len(text)
        yield text[start.start() : end]


def nodes_in(game: bytes) -> int:
    """Return the number of nodes of a game."""
    return sum(token[0] == b";" for token in _TOKEN.finditer(game))


def decoded_sgf(data: bytes, encoding: str | None = None) -> Decoded:
    """Decode a file before parsing it: in some encodings a bracket may be the second byte of a character. Without an
    `encoding` it is the one that the file names, or guessed. Raise `FormatError`, as `decode` does."""
    if encoding is None and not data.startswith(BOM_UTF8):
        encoding = _encoding(_charset(data))
    return decode(data, encoding)


def _charset(data: bytes) -> re.Match[bytes] | None:
    """Find the CA property of the first node; comments may contain that text, too."""
    begin = re.search(rb"\(\s*;", data)
    found = _PROPERTY.match(data, begin.end()) if begin else None
    while found is not None and found[1] != b"CA":
        found = _PROPERTY.match(data, found.end())
    return found and _CHARSET.match(data, found.start(1))


def _encoding(named: re.Match[bytes] | None) -> str | None:
    """Return the encoding that a match of `_CHARSET` names; None if the match could not have been read in it."""
    try:
        known = lookup(named[1].decode("ascii") if named else "").name
        return _WIDER.get(known, known) if _PLAIN.decode(known, "replace") == _PLAIN.decode("ascii") else None
    except (LookupError, UnicodeError):
        return None
