"""The work of a reader grows with its input, not with its square: each of its tokens, very often."""

from __future__ import annotations

import contextlib
import gc
import sys
import time
from collections.abc import Callable
from types import FrameType

import pytest

from games.formats import MOST_PASTED, FormatError, pasted, psq, sgf, tengen, text
from games.registry import GAMES, setup

_WORST = 10
"""Four times the input is four times the work; sixteen times would be its square."""
_FLOOR = 50e-6
"""Seconds of processor time a token below which nothing is compared."""

_CALLS, _MORE_CALLS = 5 * len(GAMES), 40
"""Maximum number of calls for each byte, and for one of a whole game or of text whose encoding is guessed."""

PSQ = "Piskvorky 15x15, 0:0, 0\n"
NATIVE = '{"format": "tengen", '
READERS: dict[str, tuple[Callable[[str], object], str, tuple[str, ...]]] = {
    "psq": (
        lambda data: psq.loads(data.encode()),
        PSQ,
        ("8,8,0\n", "8,8 ", "8,8,0\nx\n", "x\n", "\n", " ", "1", ",", "-", "a", "_", "\\", ".exe", "pbrain-", "1,",
         "2,Renju_1\n", "1 ", "15x", ":"),
    ),
    "psq header": (lambda data: psq.loads(data.encode()), "Piskvorky 15x15", (" ", ",", "1", "x", ":", ", 1:", "\t")),
    "text": (
        lambda data: text.loads_all(data.encode()),
        "",
        ("h8", "h8 ", "h8\n", "h8i9g7\n", "1. h8\n", "1.", "1..", "1", "1 ", "(", ")", "pass", "a", " ", "-", ",", "\n",
         "x", "1. h8i9g7\n", "ｈ", "ﷺ", "[", "。"),
    ),
    "connect four": (
        lambda data: text.loads_all(data.encode(), setup("connect4")), "", ("4", "44\n", "4444\n", "1.", "a"),
    ),
    "native": (
        lambda data: tengen.loads(data.encode()),
        NATIVE,
        ("[", '{"a":', '"a": 1, ', '"', "9", "\\", "\\u0041", " ", "1e", "-", '"nodes": [{}], '),
    ),
    **{
        name: (
            lambda data: sgf.loads_all(data.encode("latin-1")),
            begin,
            ("(", ")", ";", "[", "]", "\\", " ", "a", "A", "(;", "(;B[hh])", "(;B[hh]C[x])", ";B[hh]", "[]", "]a",
             "[a] ", "A[]", "a ", "[hh]", "LB[aa:x]", "CA[", "\xe9", "C[\xe9]", "(;GM[4]SZ[15];B[hh])", ")("),
        )
        for name, begin in {
            "sgf": "", "sgf header": "(;GM[4]SZ[15]", "sgf move": "(;GM[4]SZ[15];B", "sgf text": "(;GM[4]SZ[15]C[",
        }.items()
    },
    "pasted": (
        lambda data: pasted(data[:MOST_PASTED]),
        "",
        ("h8", "h8\n", "h8 i9\n", "h8i9g7\n", "1. h8 ", "1 ", "pass ", "a", "4", "ab", "\n", "(", "{", '{"format"',
         "1.h8\n"),
    ),
}  # fmt: skip

CASES = [
    pytest.param(name, token, 4_000, marks=() if len(token) <= 2 else pytest.mark.slow)
    for name, (_, _, tokens) in READERS.items() for token in tokens
]  # fmt: skip
LONGER = [pytest.param(*case.values[:2], 20_000, marks=pytest.mark.slow) for case in CASES]


def work(read: Callable[[str], object], data: str) -> float:
    """The seconds of processor time that `data` takes; only `FormatError` may come of it."""
    gc.disable()  # a collection takes as long as there are objects of other tests
    try:
        begin = time.process_time()
        with contextlib.suppress(FormatError):
            read(data)
        return time.process_time() - begin
    finally:
        gc.enable()


@pytest.mark.parametrize(("name", "token", "count"), CASES + LONGER)
def test_four_times_the_input_is_not_sixteen_times_the_work(name: str, token: str, count: int) -> None:
    read, begin, _ = READERS[name]
    long = work(read, f"{begin}{token * count}!")
    if long > _FLOOR * count:
        assert long < _WORST * max(work(read, f"{begin}{token * (count // 4)}!") for _ in range(2))


def calls(read: Callable[[str], object], data: str) -> int:
    """The number of calls, also of built-in functions, that `data` takes: the same on every machine."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        with contextlib.suppress(FormatError):
            read(data)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", READERS)
def test_forty_thousand_semicolons_took_a_million_calls(name: str) -> None:
    """Each token was read three times, and an empty node was played by every rule."""
    read, begin, tokens = READERS[name]
    for token in tokens:
        few, many = (calls(read, f"{begin}{token * count}!") for count in (100, 300))
        most = _MORE_CALLS if token.startswith("(;") or not token.isascii() else _CALLS
        assert many - few <= most * 200 * len(token.encode()), token


def test_a_hundred_thousand_copies_of_one_move_took_half_a_minute() -> None:
    """More moves than the board has points are not even parsed, by whichever rule."""
    for move in ("8,8,0\n", "8,8 ", "9,9,1\n8,8,0\n"):
        record = psq.loads((PSQ + move * 100_000).encode())
        plies = len(set(move.split()))
        assert (record.position.ply, [found.kind for found in record.notices]) == (plies, ["cut"])


@pytest.mark.parametrize(
    "value",
    ["[" * 100_000, '{"a":' * 100_000, "9" * 100_000, "-" + "9" * 100_000, "9" * 5000 + "e9", "NaN", "1e999"],
    ids=lambda value: value[:8],
)
@pytest.mark.parametrize("name", ["version", "size", "cursor", "nodes", "seats", "clock"])
def test_json_that_no_program_of_ours_wrote_is_refused_with_a_sentence(name: str, value: str) -> None:
    with pytest.raises(FormatError) as refused:
        tengen.loads(f'{NATIVE}"{name}": {value}}}'.encode())
    assert 10 < len(str(refused.value)) < 300


@pytest.mark.slow
@pytest.mark.parametrize("node", ["(;B[hh])", "(;B[hh]C[x])", "(;B[hh]XY[a])", "(;B[hh]CR[aa])", ";B[hh]"])
def test_a_hundred_thousand_copies_of_one_sgf_move_took_half_a_minute(node: str) -> None:
    data = f"(;GM[4]SZ[15]{node * 100_000})".encode()
    begin = time.process_time()
    assert sgf.loads(data).position.ply == 1
    assert time.process_time() - begin < 60


def test_bug_a_game_quoted_in_a_text_was_looked_through_again_at_each_bracket() -> None:
    """16 MB of such texts took six minutes; now they take less time than other nodes of the same length."""
    quoted = "(;" + "B[]" * 1990 + ")x"
    assert sgf.loads(f"(;GM[4]SZ[15];B[hh]C[{quoted}])".encode()).cursor.comment == quoted
    texts, nodes = f";C[{quoted}]" * 10, ";C[abc]" * 8500
    took, other = (work(READERS["sgf"][0], f"(;GM[4]SZ[15];B[hh]{data})") for data in (texts, nodes))
    assert took < 4 * other


@pytest.mark.slow
def test_many_parentheses_made_a_gigabyte() -> None:
    """The tree is not built, and not even the rest of the text is read."""
    begin = time.process_time()
    with pytest.raises(FormatError, match="200,000 positions"):
        sgf.loads(b"(;GM[4]SZ[15]" + b"(;" * 7_500_000)
    assert time.process_time() - begin < 30
