"""Each value of each row and file that Tengen keeps, in turn, is replaced by each bad value."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fuzz.__main__ import failure
from tests.fuzz.mutation import in_json, places
from tests.fuzz.targets import TARGETS, Target

_BAD = (
    "null", "true", '""', '"x"', '"\\ud800"', '"a\\u0000b"', '"2026-11-25T12:00:00"', "-1", "0.5", "1e20", "-1e20",
    "NaN", "Infinity", "-Infinity", "1e999", "9" * 40, "9" * 5000, "[]", "{}", "[[]]", '{"a": 1}',
    "[" * 3000 + "]" * 3000,
)  # fmt: skip
_MOST = 20  # places of one file; of a longer one, they are chosen all over it
_STORED = [target for target in TARGETS if in_json in target.mutations and target.name != "shipped"]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Every damaged value is a warning."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.slow
@pytest.mark.parametrize("target", _STORED, ids=lambda target: target.name)
def test_every_value_may_be_damaged(target: Target) -> None:
    root = [json.loads(target.seeds()[0])]
    found = places(root)
    for container, key in found[:: max(1, len(found) // _MOST)]:
        for bad in _BAD:
            data = _replaced(root, container, key, bad)
            assert failure(target, data) == "", f"{key!r}: {bad[:40]}"


def _replaced(root: list[Any], container: Any, key: Any, bad: str) -> bytes:
    before, container[key] = container[key], "@here"
    try:
        return json.dumps(root[0]).replace('"@here"', bad).encode()
    finally:
        container[key] = before
