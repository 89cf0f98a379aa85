"""The text of an SGF file: its encoding, and the games in it."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, lookup
from collections.abc import Iterator

from games.formats.common import Tell

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
_SCRIPTS = (
    ("cp932", "[\u3040-\u30ff]", 0.25),
    ("cp949", "[\uac00-\ud7a3]", 0.9),
    ("gb18030", "[\u4e00-\u9fff]", 0.5),
)
"""Encodings to try in this order, each with its script and the least share of it among non-ASCII characters."""


def split(data: bytes, tell: Tell) -> Iterator[bytes]:
    """Yield the games in `data`, as UTF-8, one after the other: a whole collection as a tree would take much memory."""
    text, end = _unicode(data).encode(), 0
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


def _unicode(data: bytes) -> str:
    """Decode the file before parsing it: in some encodings a bracket may be the second byte of a character."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    if data.startswith(BOM_UTF8):
        return _guessed(data)
    encoding = _encoding(_charset(data))
    return _guessed(data) if encoding is None else data.decode(encoding, "replace")


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


def _guessed(data: bytes) -> str:
    """Decode `data` without a CA at its beginning: as UTF-8, or by the CA found anywhere (in some encodings the byte
    before it may have hidden it), or in the first East Asian encoding of `_SCRIPTS` that fits."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if encoding := _encoding(_CHARSET.search(data)):
        return data.decode(encoding, "replace")
    for encoding, script, share in _SCRIPTS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        foreign = re.findall(r"[^\x00-\x7f]", text)
        if len(re.findall(script, text)) >= share * len(foreign):
            return text
    return data.decode("latin-1")
