"""Options in the names of players: ``threads=2,memory_mb=128``."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping

Value = int | str


def processors() -> int:
    """Return how many threads can run at once on this machine."""
    return os.cpu_count() or 1


def whole(allowed: range) -> Callable[[str], int]:
    """Return a reader of integers in `allowed`, which raises `ValueError` with the expected form."""

    def read(text: str) -> int:
        with contextlib.suppress(ValueError):
            if (value := int(text)) in allowed:
                return value
        raise ValueError(f"a whole number from {allowed[0]} to {allowed[-1]}")

    return read


def no_options(text: str) -> None:
    """Raise `ValueError` with a sentence unless `text` is empty."""
    if text:
        raise ValueError(f"This player has no options such as “{text}”.")


def read_options(player: str, text: str, known: Mapping[str, Callable[[str], Value]]) -> dict[str, Value]:
    """Return ``threads=2,NULL_BASE=0`` as a dictionary; `known` has a reader for each option of the `player`.

    Raise `ValueError` with a sentence.
    """
    options = {}
    for part in text.split(",") if text else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and key.isidentifier()):
            raise ValueError(f"“{part}” is not an option such as {next(iter(known))}=….")
        if key not in known:
            raise ValueError(f"“{player}” has no option {key}; it has {', '.join(filter(str.islower, known))}.")
        try:
            options[key] = known[key](value)
        except ValueError as error:
            raise ValueError(f"The option {key} is {error}, not “{value}”.") from error
    return options
