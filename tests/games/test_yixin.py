"""Saved positions of Yixin-Board, by what it reads and writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.formats import FormatError, load, save, yixin
from games.formats.text import moves_text
from games.position import Stones
from games.record import GameRecord
from games.registry import setup
from tests.games.formats_samples import POS_EXAMPLE, SAV_EXAMPLE
from tests.games.strategies import EXAMPLES, a_legal_move


def test_the_examples_are_read() -> None:
    for record in (yixin.load_sav(SAV_EXAMPLE.encode()), yixin.load_pos(POS_EXAMPLE)):
        assert moves_text(record.line()) == "h8i9g7"
        assert (record.setup.size, record.date, record.notices) == (15, "", [])


def test_a_sav_has_row_and_column_and_a_pos_column_and_row() -> None:
    assert moves_text(yixin.load_sav(b"15 15 1 0 14").line()) == "o15"
    assert moves_text(yixin.load_pos(bytes([1, 14 * 15])).line()) == "o15"


@pytest.mark.parametrize("moves", [b"p(;2a", b"p(A[q"])
def test_bug_moves_of_a_pos_that_read_like_sgf_made_it_unreadable(moves: bytes, tmp_path: Path) -> None:
    record = GameRecord(setup("gomoku"))
    for byte in moves:
        record.play(byte % 15 * 15 + byte // 15)
    save(record, tmp_path / "a.pos")
    assert moves_text(load(tmp_path / "a.pos").line()) == moves_text(record.line())
    text = b"(;GM[4]SZ[15];B[hh];W[ii];B[jj];W[kk];B[]"
    assert len(text) == text[0] + 1
    (tmp_path / "a.pos").write_bytes(text)
    assert load(tmp_path / "a.pos").position.ply == 4, "as many bytes as it begins with, but no POS: some are the same"


@pytest.mark.parametrize("data", [b"", b"15 15", b"15\n20\n0\n", b"25 25 0", b"x", b"0 0 0"])
def test_what_is_no_sav_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        yixin.load_sav(data)


@pytest.mark.parametrize("data", [b"", b"\xff" * 256, b"\x00\x01"])
def test_what_is_no_pos_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        yixin.load_pos(data)


def test_what_cannot_be_played_and_what_is_missing_is_said() -> None:
    kinds = [found.kind for found in yixin.load_sav(b"15 15 4 7 7 7 7 8 8").notices]
    assert kinds == ["cut", "broken_off"]
    half = yixin.load_sav(b"15 15 2 7 7 8")
    assert (moves_text(half.line()), [found.kind for found in half.notices]) == ("h8", ["broken_off"])
    for longer in (yixin.load_sav(b"15 15 1 7 7 8 8"), yixin.load_pos(bytes([1, 112, 113]))):
        assert (moves_text(longer.line()), longer.notices) == ("h8", [])
    for beside in (b"15 15 2 7 7 0 15", b"15 15 2 7 7 15 0"):
        assert [dict(found.facts)["why"] for found in yixin.load_sav(beside).notices] == ["outside"]
    assert [found.kind for found in yixin.load_pos(bytes([3, 112, 225])).notices] == ["cut", "broken_off"]


@EXAMPLES
@given(st.sampled_from([5, 15, 20]), st.lists(st.integers(0, 400), max_size=30))
def test_what_is_written_is_read_again(size: int, choices: list[int]) -> None:
    record = GameRecord(setup("gomoku", size))
    for choice in choices:
        if (move := a_legal_move(record, choice)) is not None:
            record.play(move)
    assert moves_text(yixin.load_sav(yixin.dump_sav(record), record.setup).line()) == moves_text(record.line())
    if size == 15:
        assert moves_text(yixin.load_pos(yixin.dump_pos(record), record.setup).line()) == moves_text(record.line())
    else:
        with pytest.raises(FormatError, match="15 × 15"):
            yixin.dump_pos(record)


def test_a_position_that_was_set_up_is_not_written() -> None:
    record = GameRecord(setup("gomoku"), stones=Stones(((0,), (1,))))
    for dump in (yixin.dump_sav, yixin.dump_pos):
        with pytest.raises(FormatError, match="set up"):
            dump(record)
