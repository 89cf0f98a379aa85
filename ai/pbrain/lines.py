"""Lines of text over a stream of bytes, as Gomocup managers and brains exchange them: CR, LF or CRLF ends one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

LONGEST = 4096
"""Bytes of a line; what is beyond them is dropped."""

_END = re.compile(rb"[\r\n]")


class Source(Protocol):
    """A stream of bytes whose `read1` waits for some and returns b"" at the end."""

    def read1(self, size: int = ..., /) -> bytes: ...


def lines(source: Source) -> Iterator[str]:
    """The lines of `source` as soon as their end has come, without white space around them.

    Empty ones are left out, so that CRLF ends one line and not two. Bytes that are not UTF-8 are replaced. Ends
    with the stream, and with a stream that fails or is closed.
    """
    rest = b""
    while True:
        try:
            data = source.read1(65536)
        except (OSError, ValueError):  # closed while it was being read
            data = b""
        *whole, rest = _END.split(rest + data)
        if not data and rest:
            whole.append(rest)  # the last line of a stream may lack its end
        for line in whole:
            if text := line[:LONGEST].decode("utf-8", "replace").strip("\0 \t\ufeff"):
                yield text
        rest = rest[:LONGEST]
        if not data:
            return
