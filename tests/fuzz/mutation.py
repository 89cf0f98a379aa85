"""Damage done to well-formed inputs: to their bytes, to their lines, or to the values inside their JSON."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

Mutation = Callable[[bytes, random.Random], bytes]

_MARK = "@raw:"  # a string that stands for JSON that `json` would not write
_RAW_TEXTS = (
    "9" * 400, "-" + "9" * 400, "9" * 5000, "1e999", "-1e999", "1e-400", "NaN", "Infinity", "-Infinity", "-0", "0.1e1",
    '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', "[" * 5000, '{"a":' * 5000, '{"a": 1, "a": 2}', "tru", "",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 15.0, 1e-200, 1e200, 2**31, 2**63, -(2**63), 10**18, 10**30, 0.5, [], {}, [[]],
    [None], {"": None}, "", "x" * 201, "x" * 5000, "漢" * 120, "\ud800", "\udce9", "a\0b", "person", "level:99", "15",
    "é", "\u202e", "%zz", "../../etc/passwd", "5+3", "h8", "level:even=3.4",
)  # fmt: skip
_TOKENS = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\n", b"{", b"}", b"[", b"]", b'"', b"\\u", b"-",
    b"1e9",
    b"9" * 400, b"9" * 5000, b"h8", b"20", b"0", b",", b" " * 1000, b"null",
)  # fmt: skip
_NUMBERS = ("-1", "0", "1", "21", "999999999", "9" * 400, "1.5", "1e9", "", "x", "７", "-0", "00", "2147483648")


def in_bytes(data: bytes, chance: random.Random) -> bytes:
    """Flips, removes, repeats or inserts a few bytes anywhere."""
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(damaged))
        end = min(len(damaged), at + chance.choice((1, 1, 2, 8, 64, 4096)))
        act = chance.randrange(5)
        if act == 0 and at < len(damaged):
            damaged[at] ^= 1 << chance.randrange(8)
        elif act == 1:
            del damaged[at:end]
        elif act == 2:
            damaged[at:at] = damaged[at:end] * chance.randint(1, 3)
        elif act == 3:
            damaged[at:at] = chance.choice(_TOKENS)
        else:
            damaged[at:end] = chance.randbytes(end - at)
    return bytes(damaged)


def in_repeats(data: bytes, chance: random.Random) -> bytes:
    """Repeats a few bytes very often: the work of a reader must not grow with the square of its input."""
    at = chance.randint(0, len(data))
    piece = data[at : at + chance.choice((1, 2, 3, 8))] or chance.choice(_TOKENS)
    return data[:at] + piece * (40_000 // len(piece)) + data[at:]


def in_lines(data: bytes, chance: random.Random) -> bytes:
    """Swaps, removes or repeats lines, and puts odd numbers in the place of others."""
    lines = data.decode("utf-8", "replace").split("\n")
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        act = chance.randrange(5)
        if act == 0:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif act == 1 and len(lines) > 1:
            del lines[at]
        elif act == 2:
            lines[at:at] = [lines[chance.randrange(len(lines))]] * chance.choice((1, 2, 300))
        else:
            numbers = list(re.finditer(r"\d+", lines[at]))
            if numbers:
                found = chance.choice(numbers)
                lines[at] = lines[at][: found.start()] + chance.choice(_NUMBERS) + lines[at][found.end() :]
    return "\n".join(lines).encode()


def in_json(data: bytes, chance: random.Random) -> bytes:
    """Replaces, removes, moves or nests values inside a JSON document, also in strings that are JSON themselves."""
    root = [json.loads(data)]
    for _ in range(chance.randint(1, 3)):
        _damage_value(root, chance)
    return _text(root[0], chance)


def _damage_value(root: list[Any], chance: random.Random) -> None:
    places = _places(root)
    container, key = chance.choice(places)
    value = container[key]
    if isinstance(value, str) and value[:1] in ("{", "[") and chance.random() < 0.8:
        try:
            container[key] = in_json(value.encode("utf-8", "surrogatepass"), chance).decode("utf-8", "surrogatepass")
        except (ValueError, RecursionError):  # it was damaged before
            container[key] = value[: chance.randint(0, len(value))]
        return
    act = chance.randrange(6)
    if act == 0:
        container[key] = _MARK + str(chance.randrange(len(_RAW_TEXTS)))
    elif act == 1 and container is not root:
        del container[key]
    elif act == 2:
        other, place = chance.choice(places)
        container[key] = json.loads(json.dumps(other[place]))  # a copy: nothing may contain itself
    elif act == 3:
        container[key] = [value] if chance.random() < 0.5 else {"a": value}
    elif act == 4 and isinstance(value, dict):
        value[chance.choice(("", "x", "name", "size", "\ud800"))] = deepcopy(chance.choice(_VALUES))
    else:
        container[key] = deepcopy(chance.choice(_VALUES))


def _places(container: Any) -> list[tuple[Any, Any]]:
    """Every pair of a container and a key or an index in it."""
    found: list[tuple[Any, Any]] = []
    waiting = [container]
    while waiting:
        here = waiting.pop()
        items = here.items() if isinstance(here, dict) else enumerate(here)
        for key, value in items:
            found.append((here, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    return found


def _text(value: Any, chance: random.Random) -> bytes:
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5)
    text = re.sub(rf'"{_MARK}(\d+)"', lambda found: _RAW_TEXTS[int(found[1])], text)
    if chance.random() < 0.1 and (keys := re.findall(r'"\w+": ', text)):  # a key twice
        key = chance.choice(keys)
        text = text.replace(key, f"{key}{chance.choice(('null', '0', '[]'))}, {key}", 1)
    return text.encode("utf-8", "surrogatepass")


def damaged(seeds: Sequence[bytes], mutations: Sequence[Mutation], chance: random.Random) -> bytes:
    """One of the `seeds` after one of the `mutations`, or now and then after two."""
    data = chance.choice(seeds)
    for _ in range(1 if chance.random() < 0.8 else 2):
        try:
            data = chance.choice(mutations)(data, chance)
        except (ValueError, RecursionError):  # of what was JSON before the first one
            data = in_bytes(data, chance)
    return data
