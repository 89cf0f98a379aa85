"""The checks of what is read back from disk: what just passes, and what just does not."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import Any

import pytest

from games import fields
from games.fields import Check, DecodeError

DIGIT = fields.whole(0, 9)


@pytest.mark.parametrize(
    ("check", "valid", "invalid"),
    [
        (fields.flag, [True, False], [0, 1, "true"]),
        (fields.whole(2, 5), [2, 5], [1, 6, 2.0, "2"]),
        (fields.whole(0, 1), [0, 1], [True, False]),
        (fields.number(2, 5), [2, 2.0, 5], [1.9, 5.1, "3", nan]),
        (fields.number(0, 1), [0, 1], [True]),
        (fields.items(1, 2), [[1], [1, "a"]], [[], [1, 2, 3], (1,), "ab"]),
        (fields.text(3), ["", "abc"], ["abcd", 3]),
        (fields.file_name, ["a/b", "x" * 4096, "caf\udce9"], ["x" * 4097, "a\0b", "\ud800", 3]),
        (fields.one_of(1, "a"), [1, "a"], [True, 1.0, 2, "b"]),
        (fields.list_of(DIGIT, 2), [[], [0, 9]], [[1, 2, 3], [10], 1]),
        (fields.mapping_of(DIGIT, 2), [{}, {"a": 0, "b": 9}], [{"a": 1, "b": 2, "c": 3}, {"a": 10}, []]),
    ],
)
def test_a_check_passes_what_is_within_bounds(check: Check[Any], valid: list[object], invalid: list[object]) -> None:
    for value in valid:
        assert check(value) == value
    for value in invalid:
        with pytest.raises(DecodeError):
            check(value)


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (0, 1000, "must be a whole number from 0 to 1,000"),
        (1, inf, "must be a whole number of at least 1"),
        (-inf, inf, "must be a whole number"),
    ],
)
def test_a_number_without_a_limit_is_not_said_to_be_at_most_infinite(least: float, most: float, said: str) -> None:
    """The sentence was “from 0 to inf”."""
    with pytest.raises(DecodeError) as refused:
        fields.whole(least, most)("1")
    assert str(refused.value) == f"it {said}."


def test_numbers_are_made_what_their_field_holds() -> None:
    assert [fields.clamped(2, 5)(value) for value in (1, 2, 2.9, 5, 9, -inf, inf)] == [2, 2, 2, 5, 5, 2, 5]
    for value in (True, "3", nan, None):
        with pytest.raises(DecodeError):
            fields.clamped(2, 5)(value)
    assert type(fields.number(0, 9)(3)) is float
    assert fields.pair(DIGIT)([1, 2]) == (1, 2)
    for value in ([1], [1, 2, 3], [1, 10], [10, 1]):
        with pytest.raises(DecodeError):
            fields.pair(DIGIT)(value)


def test_an_integer_of_more_than_19_digits_is_a_float() -> None:
    for digits, kind in ((19, int), (20, float)):
        found = fields.parsed("9" * digits)
        assert (type(found), found) == (kind, kind("9" * digits))


@dataclass(frozen=True, kw_only=True)
class Kind:
    needed: int = fields.checked(DIGIT)
    left: int = fields.checked(DIGIT, 7)
    many: list[int] = fields.checked(fields.every_good(DIGIT), make=list)


@pytest.mark.parametrize("value", [{}, {"needed": None}, {"needed": 10}, {"needed": 1, "left": 10}, [], None])
def test_what_is_missing_or_invalid_is_refused(value: object) -> None:
    with pytest.raises(DecodeError, match=r" of a thing .*\.$|a thing is not a JSON object\.$"):
        fields.decode(Kind, value, "a thing")


def test_what_may_be_missing_has_its_default_and_what_is_invalid_is_dropped_where_it_may() -> None:
    assert fields.decode(Kind, {"needed": 0, "more": 1, "left": None}, "a thing") == Kind(needed=0, left=7, many=[])
    with fields.dropped() as found:
        assert fields.with_valid(Kind(needed=1), {"needed": 10, "left": 2, "many": [1, 10, 2]}) == Kind(
            needed=1, left=2, many=[1, 2]
        )
    assert [error.way for error in found] == [("“needed”",), ()]
