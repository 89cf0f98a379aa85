"""Options of the gomoku engine in player names: ``engine:threads=2,memory_mb=128``.

`OPTIONS` lists them. Names in capitals are parameters of the search.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from ai.gomoku.kernels.parameters import PARAMETERS

Value = int | str


def processors() -> int:
    """Return how many threads can run at once on this machine."""
    return os.cpu_count() or 1


def _whole(allowed: range) -> Callable[[str], int]:
    """Return a reader of integers in `allowed`, which raises `ValueError` with the expected form."""

    def read(text: str) -> int:
        with contextlib.suppress(ValueError):
            if (value := int(text)) in allowed:
                return value
        raise ValueError(f"a whole number from {allowed[0]} to {allowed[-1]}")

    return read


OPTIONS: dict[str, Callable[[str], Value]] = {
    "threads": _whole(range(1, processors() + 1)),
    "memory_mb": _whole(range(1, (1 << 14) + 1)),
    "weights": str,
    "root_vcf": _whole(range(2)),
    "book": _whole(range(2)),
    **dict.fromkeys(PARAMETERS, _whole(range(-(1 << 31), 1 << 31))),
}


def read_options(text: str) -> dict[str, Value]:
    """Return ``threads=2,NULL_BASE=0`` as keyword arguments. Raise `ValueError` with a sentence."""
    options = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and key.isidentifier()):
            raise ValueError(f"“{part}” is not an option such as threads=2.")
        options[key] = _read(key, value)
    return options


def _read(key: str, text: str) -> Value:
    if key not in OPTIONS:
        raise ValueError(f"The engine has no such option: {key}. It has {', '.join(filter(str.islower, OPTIONS))}.")
    try:
        return OPTIONS[key](text)
    except ValueError as error:
        raise ValueError(f"The option {key} is {error}, not “{text}”.") from error
