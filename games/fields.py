"""The decoder of every JSON that Tengen reads back: saved games, settings, the profile, rows of the index.

A kind of object is a dataclass, and each of its fields says by `checked` which values it may have and what it is
without one: that is the whole table. `decode` refuses a wrong value, for files that are right or useless; `mend`
keeps the default in its place, for files whose other values are worth keeping.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from dataclasses import MISSING, Field, field, fields, replace
from functools import cache
from typing import Any, TypeVar

_log = logging.getLogger(__name__)

T = TypeVar("T")

Check = Callable[[object], T]
"""Returns the value if it may stand in its field; raises `DecodeError` if not."""

_LONGEST_INT = 19  # digits; a longer number fits no field of ours
_LONGEST_PATH = 4096


class DecodeError(ValueError):
    """A value is not what it should be. `way` leads to it, the innermost name first; `str(error)` is a sentence
    that begins with it."""

    def __init__(self, problem: str, *way: str) -> None:
        super().__init__(f"{' of '.join(way) or 'it'} {problem}.")
        self.problem, self.way = problem, way


def parsed(data: bytes | str) -> object:
    """The JSON value in `data`, UTF-8 if bytes, where halves of surrogate pairs stand for themselves.

    A whole number of more than 19 digits becomes a float. Raise `DecodeError`.
    """
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig", "surrogatepass")
        return json.loads(text, parse_int=_int)
    except (ValueError, RecursionError) as error:
        raise DecodeError("is not JSON", "the file") from error


def _int(digits: str) -> int | float:
    """Python refuses to read an int of more than 4,300 digits, and few functions take one of 400."""
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


# Tables.


def checked(check: Check[T], default: Any = MISSING, make: Any = MISSING) -> T:
    """A field of a dataclass that `decode` and `mend` fill with what passes `check`. Without a `default`, or `make`
    to make one, it must be there. A value of null counts as missing."""
    made: Any = field(default=default, default_factory=make, metadata={"check": check})
    return made  # type: ignore[no-any-return]  # typed as the value for which it stands, like `dataclasses.field`


@cache
def _table(kind: Any) -> tuple[tuple[str, Check[Any], bool], ...]:
    """Name, check and whether it is required, for each field."""
    return tuple((each.name, each.metadata["check"], _required(each)) for each in fields(kind))


def _required(each: Field[Any]) -> bool:
    return each.default is MISSING and each.default_factory is MISSING


def entries(value: object) -> dict[str, Any]:
    """`value`, which must be a JSON object."""
    if not isinstance(value, dict):
        raise DecodeError("is not a JSON object")
    return value


def decode(kind: type[T], value: object, owner: str) -> T:
    """The dataclass `kind` from a JSON object, which messages call `owner`. Unknown keys are ignored.

    Raise `DecodeError` for a value that is wrong or missing.
    """
    try:
        return nested(kind)(value)
    except DecodeError as error:
        raise DecodeError(error.problem, *error.way, owner) from error


def _within(name: str, check: Check[T], value: object) -> T:
    try:
        return check(value)
    except DecodeError as error:
        raise DecodeError(error.problem, *error.way, f"“{name}”") from error


def mend(default: T, value: object) -> T:
    """`default`, a dataclass, with all that is right in a JSON object; what is wrong goes to the log.

    Raise `DecodeError` if `value` is no object.
    """
    kept = {}
    given = entries(value)
    for name, check, _ in _table(type(default)):  # type: ignore[arg-type]
        if (found := given.get(name)) is not None:
            try:
                kept[name] = _within(name, check, found)
            except DecodeError as error:
                _log.warning("%s", error)
    return replace(default, **kept)  # type: ignore[type-var]


# Checks.


def whole(least: int, most: int) -> Check[int]:
    """A whole number from `least` to `most`."""

    def check(value: object) -> int:
        if type(value) is not int or not least <= value <= most:  # JSON's true and false are ints to Python
            raise DecodeError(f"must be a whole number from {least:,} to {most:,}")
        return value

    return check


def clamped(least: int, most: int) -> Check[int]:
    """A number, brought between `least` and `most`."""

    def check(value: object) -> int:
        if type(value) not in (int, float) or value != value:
            raise DecodeError("must be a number")
        return int(max(least, min(most, value)))  # type: ignore[call-overload]

    return check


def number(least: float, most: float) -> Check[float]:
    """A number from `least` to `most`."""

    def check(value: object) -> float:
        if type(value) not in (int, float) or not least <= value <= most:  # type: ignore[operator]
            raise DecodeError(f"must be a number from {least:,} to {most:,}")
        return float(value)  # type: ignore[arg-type]

    return check


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise DecodeError("must be true or false")
    return value


def text(most: int) -> Check[str]:
    """Text of at most `most` characters. Halves of surrogate pairs, which are no characters and cannot be drawn or
    saved, become U+FFFD."""

    def check(value: object) -> str:
        if not isinstance(value, str) or len(value) > most:
            raise DecodeError(f"must be text of at most {most:,} characters")
        return well_formed(value)

    return check


def file_name(value: object) -> str:
    """The name of a file, with or without its folders; a name that is not text keeps its bytes, as in `os.fsdecode`."""
    try:
        if isinstance(value, str) and len(value) <= _LONGEST_PATH and b"\0" not in os.fsencode(value):
            return value
    except UnicodeEncodeError:
        pass
    raise DecodeError("must be the name of a file")


def one_of(*known: T) -> Check[T]:
    """One of the `known` values."""

    def check(value: object) -> T:
        for each in known:
            if type(value) is type(each) and value == each:
                return each
        raise DecodeError(f"must be one of {', '.join(map(repr, known))}")

    return check


def items(least: int, most: int) -> Check[list[object]]:
    """A list of `least` to `most` values of any kind."""

    def check(value: object) -> list[object]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise DecodeError(f"must be a list of {least:,} to {most:,} items")
        return value

    return check


def pair(each: Check[T]) -> Check[tuple[T, T]]:
    """A list of two values that pass `each`."""

    def check(value: object) -> tuple[T, T]:
        first, second = items(2, 2)(value)
        return each(first), each(second)

    return check


def every_good(each: Check[T]) -> Check[list[T]]:
    """A list, of which the values stay that pass `each`."""

    def check(value: object) -> list[T]:
        if not isinstance(value, list):
            raise DecodeError("must be a list")
        good = []
        for item in value:
            try:
                good.append(each(item))
            except DecodeError as error:
                _log.warning("an item of a list: %s", error)
        return good

    return check


def nested(kind: type[T]) -> Check[T]:
    """An object of the dataclass `kind`."""

    def check(value: object) -> T:
        made = {}
        given = entries(value)
        for name, each, required in _table(kind):  # type: ignore[arg-type]
            if (found := given.get(name)) is not None:
                made[name] = _within(name, each, found)
            elif required:
                raise DecodeError("is missing", f"“{name}”")
        return kind(**made)

    return check


def well_formed(text: str) -> str:
    """`text` with pairs of surrogates joined and single ones replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
