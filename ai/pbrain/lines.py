"""Split a byte stream into lines of text ended by CR, LF or CRLF, as Gomocup programs send them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

LONGEST = 4096
"""Maximum bytes of a line; the rest is dropped."""

_END = re.compile(rb"[\r\n]")


class Source(Protocol):
    """A stream of bytes whose `read1` waits for some and returns b"" at the end."""

    def read1(self, size: int = ..., /) -> bytes: ...


def lines(source: Source) -> Iterator[str]:
    """Yield the stripped lines of `source` as soon as each is complete.

    Skip empty lines, so that CRLF ends one line and not two. Replace bytes that are not UTF-8. End when the stream
    ends, fails or is closed.
    """
    rest = b""
    while True:
        try:
            data = source.read1(65536)
        except (OSError, ValueError):  # closed while being read
            data = b""
        *whole, rest = _END.split(rest + data)
        if not data and rest:
            whole.append(rest)  # the last line may lack its terminator
        for line in whole:
            if text := line[:LONGEST].decode("utf-8", "replace").strip("\0 \t\ufeff"):
                yield text
        rest = rest[:LONGEST]
        if not data:
            return
