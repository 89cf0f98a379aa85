"""The options in a player's name: which there are, and how their values are read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

Value = int | float | str


def whole(allowed: range) -> Callable[[str], Value]:
    """Return a reader of integers in `allowed`, which raises `ValueError` with the expected form."""

    def read(text: str) -> int:
        with contextlib.suppress(ValueError):
            if (value := int(text)) in allowed:
                return value
        raise ValueError(f"a whole number from {allowed[0]} to {allowed[-1]}")

    return read


def one_of(*names: str) -> Callable[[str], Value]:
    """Return a reader of these words, which raises `ValueError` with them."""

    def read(text: str) -> str:
        if text in names:
            return text
        raise ValueError(f"one of {', '.join(names)}")

    return read


def decimal(least: float, most: float) -> Callable[[str], Value]:
    """Return a reader of numbers from `least` to `most`, which raises `ValueError` with the expected form."""

    def read(text: str) -> float:
        with contextlib.suppress(ValueError):
            if least <= (value := float(text)) <= most:
                return value
        raise ValueError(f"a number from {least:g} to {most:g}")

    return read


Known = Mapping[str, Callable[[str], Value]]
"""Options by their names, with what reads a value."""


def no_options(text: str) -> None:
    """Raise `ValueError` with a sentence unless `text` is empty."""
    if text:
        raise ValueError(f"This player has no options such as “{text}”.")


def read_options(kind: str, known: Known, text: str) -> dict[str, Value]:
    """Return ``threads=2,NULL_BASE=0`` as a dictionary. Raise `ValueError` with a sentence."""
    options = {}
    for part in text.split(",") if text else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and key.isidentifier()):
            raise ValueError(f"“{part}” is not an option such as {next(iter(known))}=….")
        if key not in known:
            names = ", ".join(filter(str.islower, known))
            raise ValueError(f"“{kind}” has no option {key}; it has {names}.")
        try:
            options[key] = known[key](value)
        except ValueError as error:
            raise ValueError(f"The option {key} is {error}, not “{value}”.") from error
    return options
