"""A file that is read again in another encoding: its texts change, and what a person has changed meanwhile stays."""

from __future__ import annotations

from copy import deepcopy

import pytest

from games.edits import Edits, Rereading
from games.formats import sgf
from games.record import GameRecord

FILE = (
    "(;GM[4]SZ[15]PB[Жуков]EV[Кубок]BR[разряд];B[hh]C[начало];W[ii]C[ответ]LB[aa:я](;B[gg]C[главный])(;B[jh]XY[ход]))"
).encode("cp1251")


def read(encoding: str) -> GameRecord:
    return sgf.loads(FILE, encoding=encoding)


def test_all_texts_of_a_file_that_was_read_in_a_wrong_encoding() -> None:
    record, right = read("cp1252"), read("cp1251")
    rereading = Rereading(read("cp1252"), read("cp1251"))
    assert rereading.fits
    wrong = deepcopy(record)
    edits = Edits(record)
    assert edits.reread(rereading)
    assert record == right != wrong
    assert not edits.reread(rereading), "nothing is left"
    edits.undo()
    assert record == wrong


def test_edits_made_before_another_encoding_was_chosen_were_lost() -> None:
    record = read("cp1252")
    edits = Edits(record)
    first = record.root.children[0]
    record.go_to(first)
    edits.play(0)
    edits.comment(first, "mine")
    edits.remove(first.children[0].children[1])
    edits.describe(record.about, ("Me", ""), record.date)
    assert edits.reread(Rereading(read("cp1252"), read("cp1251")))
    assert (first.comment, record.names, record.about.event) == ("mine", ("Me", ""), "Кубок")
    assert [child.move for child in first.children] == [128, 0]
    assert [node.comment for node in record.nodes()] == ["", "mine", "ответ", "главный", ""]


@pytest.mark.parametrize(
    ("part", "other"),
    [(b"B[gg]", b"B[gh]"), (b"SZ[15]", b"SZ[15]RU[renju]"), (b"SZ[15]", b"SZ[15]AB[aa]AW[ba]PL[B]")],
)
def test_a_reading_of_other_moves_does_not_fit(part: bytes, other: bytes) -> None:
    """Nor one by another rule, or with another starting position."""
    assert not Rereading(read("cp1252"), sgf.loads(FILE.replace(part, other), encoding="cp1251")).fits
