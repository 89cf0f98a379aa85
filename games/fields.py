"""Decode the JSON that Tengen reads back: saved games, settings, the profile, rows of the index.

Each kind of object is a dataclass whose fields are declared with `checked`: their validation and defaults.
`decode` rejects an invalid value, for files that are valid or useless; `with_valid` replaces it by the default, for
files whose other values are worth keeping.

Use `shipped` for our JSON and `ai.system.arrays.read_arrays` for arrays. `Seat`, `Mark` and `About` clean their own
text (`name_of`); every text that is drawn on one line goes through `one_line`.
"""

from __future__ import annotations

import errno
import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, field, fields, replace
from datetime import UTC, datetime
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import category

from games.storage import read_regular, report

_log = logging.getLogger(__name__)

T = TypeVar("T")

Check = Callable[[object], T]
"""Return a value valid for its field; raise `DecodeError` otherwise."""

_LONGEST_INT = 19  # digits; no field of ours has more
_LONGEST_PATH = 4096


class DecodeError(ValueError):
    """A value is invalid. `way` is the path to it, innermost name first; `str(error)` is a sentence that begins with
    that path."""

    def __init__(self, problem: str, *way: str) -> None:
        super().__init__(f"{' of '.join(way) or 'it'} {problem}.")
        self.problem, self.way = problem, way


def parsed(data: bytes | str) -> object:
    """Parse JSON, UTF-8 if bytes, keeping lone surrogates.

    An integer of more than 19 digits becomes a float. Raise `DecodeError`.
    """
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig", "surrogatepass")
        return json.loads(text, parse_int=_int)
    except (ValueError, RecursionError) as error:
        raise DecodeError("is not JSON", "the file") from error


def _int(digits: str) -> int | float:
    """Parse an integer; one of more than 19 digits becomes a float, since Python rejects more than 4,300 digits and
    many functions overflow long before."""
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


# Tables.


def checked(check: Check[T], default: Any = MISSING, make: Any = MISSING) -> T:
    """Declare a field of a dataclass that `decode` and `with_valid` fill with values that pass `check`.

    Without a `default` or `make` (a factory of one) the field is required. A JSON null counts as a missing value.
    """
    made: Any = field(default=default, default_factory=make, metadata={"check": check})
    return made  # type: ignore[no-any-return]  # typed as the value, like `dataclasses.field`


@cache
def _table(kind: Any) -> tuple[tuple[str, Check[Any], bool], ...]:
    """Return the fields of a dataclass: for each its name, its check, and whether it is required."""
    return tuple(
        (each.name, each.metadata["check"], each.default is MISSING and each.default_factory is MISSING)
        for each in fields(kind)
    )


def decode(kind: type[T], value: object, owner: str) -> T:
    """Decode a JSON object, called `owner` in messages, into the dataclass `kind`. Ignore unknown keys.

    Raise `DecodeError` for an invalid or missing value.
    """
    return within(owner, nested(kind), value)


def within(owner: str, check: Check[T], value: object) -> T:
    """Return `check(value)`. Add the `owner` of the value to a `DecodeError`."""
    try:
        return check(value)
    except DecodeError as error:
        raise DecodeError(error.problem, *error.way, owner) from error


_collected: ContextVar[list[DecodeError] | None] = ContextVar("_collected", default=None)


@contextmanager
def dropped() -> Iterator[list[DecodeError]]:
    """Provide a list, to which `with_valid` and `every_good` add the error of each value that they drop inside the
    block."""
    found: list[DecodeError] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def _drop(error: DecodeError) -> None:
    """Log the error of a dropped value, and add it to the list of an enclosing `dropped` block."""
    _log.warning("%s", error)
    if (found := _collected.get()) is not None:
        found.append(error)


def with_valid(default: T, value: object) -> T:
    """Return a copy of the dataclass instance `default` with the valid values of a JSON object in its fields. Invalid
    values are dropped and logged (see `dropped`), missing ones ignored: the default stays.

    Raise `DecodeError` if `value` is not an object.
    """
    valid = {}
    given = entries(value)
    for name, check, _ in _table(type(default)):  # type: ignore[arg-type]
        if (item := given.get(name)) is not None:
            try:
                valid[name] = within(f"“{name}”", check, item)
            except DecodeError as error:
                _drop(error)
    return replace(default, **valid)  # type: ignore[type-var]


# Checks.


def _check(valid: Callable[[Any], bool], problem: str) -> Check[Any]:
    """Return a check that passes a value unchanged if `valid(value)`, and else raises `DecodeError` with `problem`."""

    def check(value: object) -> Any:
        """Return `value` if it is valid; raise `DecodeError` if not."""
        if not valid(value):
            raise DecodeError(problem)
        return value

    return check


def anything(value: object) -> Any:
    """Check nothing: return every value unchanged."""
    return value


entries: Check[dict[str, Any]] = _check(lambda value: isinstance(value, dict), "is not a JSON object")
flag: Check[bool] = _check(lambda value: isinstance(value, bool), "must be true or false")


def whole(least: float, most: float) -> Check[int]:
    """Return a check for an integer from `least` to `most`, which may be infinite; true and false are none."""
    limits = f" from {least:,} to {most:,}" if most < inf else f" of at least {least:,}" if least > -inf else ""
    problem = f"must be a whole number{limits}"
    return _check(lambda value: type(value) is int and least <= value <= most, problem)  # bool is a subclass of int


def items(least: int, most: int) -> Check[list[object]]:
    """Return a check for a list of `least` to `most` values of any type."""
    problem = f"must be a list of {least:,} to {most:,} items"
    return _check(lambda value: isinstance(value, list) and least <= len(value) <= most, problem)


def clamped(least: int, most: int) -> Check[int]:
    """Return a check that rounds a number towards 0 to an integer and clamps it to `least` … `most`. NaN and what is no
    number fail."""

    def check(value: object) -> int:
        """Return `value` as an integer within the bounds; raise `DecodeError` for what is no number."""
        if type(value) not in (int, float) or value != value:
            raise DecodeError("must be a number")
        return int(max(least, min(most, value)))  # type: ignore[call-overload]

    return check


def number(least: float, most: float) -> Check[float]:
    """Return a check for a number from `least` to `most`, which it converts to float."""
    problem = f"must be a number from {least:,} to {most:,}"
    check = _check(lambda value: type(value) in (int, float) and least <= value <= most, problem)
    return lambda value: float(check(value))


def moment(value: object) -> datetime:
    """Decode a date with its time and its time zone, in ISO format; a check."""
    try:
        found = datetime.fromisoformat(str(value))
        found.astimezone(UTC)  # whose year may be 0 or 10000
    except (ValueError, OverflowError, OSError) as error:
        raise DecodeError("must be a date with a time") from error
    if found.utcoffset() is None:
        raise DecodeError("must have a time zone")
    return found


def text(most: int) -> Check[str]:
    """Return a check for text of at most `most` characters. Lone surrogates, which cannot be drawn or saved, become
    U+FFFD."""
    problem = f"must be text of at most {most:,} characters"
    check = _check(lambda value: isinstance(value, str) and len(value) <= most, problem)
    return lambda value: well_formed(check(value))


def file_name(value: object) -> str:
    """Check for a file name, with or without folders. It may contain the surrogates by which `os.fsdecode` keeps bytes
    that are not text."""
    try:
        if isinstance(value, str) and len(value) <= _LONGEST_PATH and b"\0" not in os.fsencode(value):
            return value
    except UnicodeEncodeError:
        pass
    raise DecodeError("must be the name of a file")


def one_of(*allowed: T) -> Check[T]:
    """Return a check for one of the `allowed` values, of the same type."""

    def check(value: object) -> T:
        """Return `value` if it is allowed; raise `DecodeError` if not."""
        for each in allowed:
            if type(value) is type(each) and value == each:
                return each
        raise DecodeError(f"must be one of {', '.join(map(repr, allowed))}")

    return check


def list_of(each: Check[T], most: int) -> Check[list[T]]:
    """Return a check for a list of at most `most` values that all pass `each`."""

    def check(value: object) -> list[T]:
        """Return the items of the list after their check; raise `DecodeError` if one fails."""
        return [each(item) for item in items(0, most)(value)]

    return check


def mapping_of(each: Check[T], most: int) -> Check[dict[str, T]]:
    """Return a check for a JSON object with any keys and at most `most` values, which all pass `each`."""

    def check(value: object) -> dict[str, T]:
        """Return the values by their names after their check; raise `DecodeError` if one fails."""
        given = entries(value)
        if len(given) > most:
            raise DecodeError(f"must have at most {most:,} values")
        return {well_formed(name): within(f"“{name}”", each, item) for name, item in given.items()}

    return check


def pair(each: Check[T]) -> Check[tuple[T, T]]:
    """Return a check for a list of two values that pass `each`; it returns them as a tuple."""

    def check(value: object) -> tuple[T, T]:
        """Return both values after their check; raise `DecodeError` if one fails."""
        first, second = items(2, 2)(value)
        return each(first), each(second)

    return check


def every_good(each: Check[T]) -> Check[list[T]]:
    """Return a check for a list, which keeps the items that pass `each` and drops the others (see `dropped`)."""

    def check(value: object) -> list[T]:
        """Return the items that pass their check; raise `DecodeError` for what is no list."""
        if not isinstance(value, list):
            raise DecodeError("must be a list")
        good = []
        for item in value:
            try:
                good.append(each(item))
            except DecodeError as error:
                _drop(error)
        return good

    return check


def nested(kind: type[T]) -> Check[T]:
    """Return a check for a JSON object that has the fields of the dataclass `kind`, declared with `checked`; it returns
    an instance. Unknown keys are ignored."""

    def check(value: object) -> T:
        """Return an instance of `kind` with the values of the object; raise `DecodeError` if one is invalid or
        missing."""
        made = {}
        given = entries(value)
        for name, each, required in _table(kind):  # type: ignore[arg-type]
            if (item := given.get(name)) is not None:
                made[name] = within(f"“{name}”", each, item)
            elif required:
                raise DecodeError("is missing", f"“{name}”")
        return kind(**made)

    return check


def well_formed(text: str) -> str:
    """Join surrogate pairs in `text` and replace lone surrogates by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_MOST_MARKS = 4  # accents on one letter; more would reach into the lines around


def one_line(text: str, control: str = "") -> str:
    """Return `text` for a single line: line ends, tabs and other control spaces become spaces, other control characters
    become `control`. Format characters (those without width or that change the direction of text), and more than four
    accents on a letter, are removed."""
    if text.isascii() and text.isprintable():
        return text
    letters, marks = [], 0
    for letter in text:
        kind = category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Zl", "Zp") or (kind == "Cc" and letter.isspace()):
            letters.append(" ")
        elif kind == "Cc":
            letters.append(control)
        elif kind != "Cf" and marks <= _MOST_MARKS:
            letters.append(letter)
    return "".join(letters)


def name_of(text: str) -> str:
    """Return `text` as a name: on one line (see `one_line`), with single spaces between its words and without lone
    surrogates."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    return " ".join(one_line(whole).split())


# Read the JSON files that come with the program. A damaged installation is reported, and does not keep it from
# starting.


def shipped(file: Path, check: Check[T], default: T) -> T:
    """Return the JSON of `file`, which comes with the program, after `check`. Report a file that cannot be read or is
    invalid, and return `default`."""
    try:
        return check(parsed(read_regular(file)))
    except OSError as error:
        report("unreadable", file, error)
    except DecodeError as error:
        report("unreadable", file, OSError(errno.EIO, str(error)))
    return default
