"""The regular expressions of the formats, which must not depend on the version of Python."""

from __future__ import annotations

import importlib.util
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import games.formats
from games.registry import GAMES, setup

op, parser = import_module("re._constants"), import_module("re._parser")
SINGLE = (op.IN, op.LITERAL, op.NOT_LITERAL, op.ANY)
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


def inner(what: object, values: Any) -> list[Any]:
    """The sequences that a part of a pattern consists of."""
    if what in REPEATS:
        return [values[2]]
    if what is op.BRANCH:
        return list(values[1])
    if what in (op.ASSERT, op.ASSERT_NOT):
        return [values[1]]
    return [values[-1]] if what is op.SUBPATTERN else [values] if what is op.ATOMIC_GROUP else []


def moves_on(tree: Any) -> bool:
    """Whether there is a repeat in it."""
    return any(what in REPEATS or any(map(moves_on, inner(what, values))) for what, values in tree)


def unsafe(tree: Any, repeated: bool = False) -> Iterator[str]:
    """Yield what a possessive group repeats that may fail after a repeat in it; before 3.11.5 Python goes on there."""
    for number, (what, values) in enumerate(tree):
        group = what is op.POSSESSIVE_REPEAT and (len(values[2]) > 1 or values[2][0][0] not in SINGLE)
        parts, last = inner(what, values), number == len(tree) - 1
        fails = what in (op.ASSERT, op.ASSERT_NOT) or not last
        if repeated and fails and (what in REPEATS or any(map(moves_on, parts))):
            yield str(tree)
        for part in parts:
            yield from unsafe(part, repeated or group)


@pytest.mark.parametrize("pattern", ["(?:a++b)*+", "(?:a|b[cd]*+e)++", "(?:a(?:b++c))*+", "(?:a(?!b++c))*+"])
def test_a_group_that_fails_after_a_repeat_is_noticed(pattern: str) -> None:
    assert list(unsafe(parser.parse(pattern)))


@pytest.mark.parametrize("pattern", ["(?:ab++)*+", "[ab]*+c", "(?:a++b)*", r"(?:[^\]\\]++|\\.)*+"])
def test_other_groups_are_safe(pattern: str) -> None:
    assert not list(unsafe(parser.parse(pattern)))


def test_the_app_froze_in_python_3_11_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves with numbers were read for ever: what had failed in a possessive group was left out (gh-106052)."""
    compiled: dict[str, list[str]] = {}
    compile_pattern = re.compile

    def note(pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        compiled[str(pattern)] = list(unsafe(parser.parse(pattern, int(flags))))
        return compile_pattern(pattern, flags)

    monkeypatch.setattr(re, "compile", note)
    for found in pkgutil.iter_modules(games.formats.__path__, "games.formats."):
        spec = found.module_finder.find_spec(found.name, None)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, found.name, module)
        spec.loader.exec_module(module)
        if found.name.endswith(".text"):
            for game in GAMES:
                module.parse("", setup(game))
    assert len(compiled) > 20
    assert {pattern: repeats for pattern, repeats in compiled.items() if repeats} == {}
