"""Read the JSON files that come with the program. A damaged installation is reported, and does not keep it from
starting."""

from __future__ import annotations

import errno
from pathlib import Path

from games.damage import report
from games.fields import Check, DecodeError, T, parsed
from games.storage import read_regular

_MOST_BYTES = 64 << 20


def shipped(file: Path, check: Check[T], default: T) -> T:
    """Return the contents of `file` as `check` does; report a file that cannot be read, and return the `default`."""
    try:
        return check(parsed(read_regular(file, _MOST_BYTES)))
    except OSError as error:
        report("unreadable", file, error)
    except DecodeError as error:
        report("unreadable", file, OSError(errno.EIO, str(error)))
    return default
