"""Files of openings: sections by rule, what is refused, and the shipped ones on boards of any size."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.gomoku.openings import OPENINGS, BadOpenings, openings, openings_of, read_openings
from games.formats.text import parse
from games.registry import setup

TEXT = "h8  # for every rule\n\n[renju]\nh8i9 # one\n# none\nh8h9\n[standard]\n a1 \n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "mine.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path / "mine.txt"


@pytest.mark.parametrize(
    ("rule", "found"), [("freestyle", ["h8"]), ("renju", ["h8", "h8i9", "h8h9"]), ("standard", ["h8", "a1"])]
)
def test_a_rule_has_its_section_and_what_stands_before_all(file: Path, rule: str, found: list[str]) -> None:
    assert read_openings(file, rule) == openings_of(file, setup("gomoku", 15, rule)) == found


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "“mine.txt” cannot be read: No such file"),
        (b"\xff", "“mine.txt” cannot be read: it is not text in UTF-8"),
        (b"[renju]\nh8", "“mine.txt” has no opening for the rule freestyle"),
        (b"h8h8", "“h8h8” cannot be played: .*h8"),
        (b"h8", "“h8” cannot be played"),
        (b"a1a2b1b2c1c2d1d2e1", "“a1a2b1b2c1c2d1d2e1” is a game that is over"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_a_sentence(file: Path, data: bytes | None, why: str) -> None:
    if data is None:
        file.unlink()
    else:
        file.write_bytes(data)
    with pytest.raises(BadOpenings, match=why):
        openings_of(file, setup("gomoku", 6 if data == b"h8" else 15, "freestyle"))


@pytest.mark.parametrize(
    ("size", "moved"),
    [(15, "f10i8j9"), (14, "f9i7j8"), (13, "e9h7i8"), (20, "i12l10m11"), (9, "c7f5g6"), (8, "c6f4g5")],
)
def test_openings_are_moved_to_the_centre(size: int, moved: str) -> None:
    """Right of and below the middle, as the first move of a search."""
    assert next(openings(setup("gomoku", size, "freestyle"))) == moved


@pytest.mark.parametrize(("rule", "small"), [("freestyle", [26, 35]), ("standard", [22, 29]), ("renju", [29, 38])])
def test_those_that_fit_are_found_on_any_board(rule: str, small: list[int]) -> None:
    fitting = {size: list(openings(setup("gomoku", size, rule))) for size in (5, 6, 7, 15, 20)}
    whole = len(read_openings(OPENINGS, rule))
    assert [len(found) for found in fitting.values()] == [*small, whole, whole, whole]
    for size, found in fitting.items():
        assert all(parse(text, setup("gomoku", size, rule)).outcome is None for text in found)
