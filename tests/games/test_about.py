"""What a file says of its game, and what its annotator says of moves and positions: read, kept, written again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.formats import load, load_all, save, sgf, sgf_writer, tengen
from games.formats.terms import Sign, move_sign, position_sign
from games.position import FIRST, SECOND
from games.record import About, GameRecord, Seat
from games.registry import setup

TOLD = About(
    title="The long game", event="Team cup", place="Võsu", round="3 (final)", ranks=("3 dan", "1 kyu"),
    teams=("Estonia", "中国"), annotator="Ada", source="Renju World 7", author="Alan", copyright="© 2026 [us]",
    note="Two lines\nof text.",
)  # fmt: skip

SGF = (
    "(;GM[4]SZ[15]CA[UTF-8]GN[The long game]EV[Team cup]PC[Võsu]RO[3 (final)]BR[3 dan]WR[1 kyu]BT[Estonia]WT[中国]"
    "AN[Ada]SO[Renju World 7]US[Alan]CP[© 2026 [us\\]]GC[Two lines\nof text.]KM[0];B[hh];W[ii])"
)


def test_what_an_sgf_file_says_of_its_game_was_known_to_nobody() -> None:
    record = sgf.loads(SGF.encode())
    assert record.about == TOLD
    assert record.root.extra == {"KM": ("0",)}, "there is one truth"
    assert tengen.loads(tengen.dumps(record)) == sgf.loads(sgf_writer.dumps(record)) == record


def test_about_in_files_of_08_is_among_their_sgf_properties() -> None:
    old = {
        "format": "tengen", "version": 1, "game": "gomoku", "size": 15, "rule": "freestyle", "date": "",
        "seats": [{"player": "person"}] * 2, "cursor": 0,
        "nodes": [{"sgf": {"EV": ["Club [final\\]"], "WR": ["9p"], "KM": ["0"]}}, {"move": "h8", "sgf": {"EV": ["x"]}}],
    }  # fmt: skip
    record = tengen.loads(json.dumps(old).encode())
    assert record.about == About(event="Club [final]", ranks=("", "9p"))
    assert [node.extra for node in record.nodes()] == [{"KM": ("0",)}, {"EV": ("x",)}]
    assert tengen.loads(tengen.dumps(record)) == record


def test_a_text_that_is_too_long_is_shortened_and_said() -> None:
    record = sgf.loads(f"(;GM[4]SZ[15]EV[{'x' * 2000}]GC[{'x' * 200_000}];B[hh])".encode())
    assert (len(record.about.event), len(record.about.note)) == (1_000, 100_000)
    assert [notice.kind for notice in record.notices] == ["shortened"]
    tengen.dumps(record)


def test_a_line_break_in_a_line_becomes_a_space() -> None:
    assert sgf.loads(b"(;GM[4]SZ[15]EV[a\nb]GC[a\nb];B[hh])").about == About(event="a b", note="a\nb")


@pytest.mark.parametrize(
    ("properties", "move", "position"),
    [
        ("TE[1]", Sign("good"), None),
        ("TE[2]GB[2]", Sign("good", True), Sign("better", True, FIRST)),
        ("BM[]GW[1]", Sign("bad"), Sign("better", False, SECOND)),
        ("BM[2]", Sign("bad", True), None),
        ("DO[]", Sign("doubtful"), None),
        ("IT[2]DM[1]", Sign("interesting"), Sign("even")),
        ("UC[2]", None, Sign("unclear", True)),
        ("HO[1]", None, None),
    ],
)
def test_the_signs_of_an_annotator(properties: str, move: Sign | None, position: Sign | None) -> None:
    record = sgf.loads(f"(;GM[4]SZ[15]TE[1];B[hh]{properties})".encode())
    node = record.main_end()
    assert (move_sign(node), position_sign(node)) == (move, position)
    assert move_sign(record.root) is None, "nobody has played there"
    again = tengen.loads(sgf_writer.dumps(record) and tengen.dumps(record)).main_end()
    assert (move_sign(again), position_sign(again)) == (move, position)


# Where a record comes from.


def test_a_record_of_a_foreign_file_and_its_copies_know_their_origin(tmp_path: Path) -> None:
    file, copy = tmp_path / "game.sgf", tmp_path / "copy.tengen.json"
    file.write_text(SGF, encoding="utf-8")
    record = load(file)
    assert record.origin == load_all(file)[0].origin != ""
    save(record, copy)
    assert load(copy).origin == record.origin
    file.write_text(SGF.replace("hh", "hi"), encoding="utf-8")
    assert load(file).origin != record.origin
    assert GameRecord(setup("gomoku"), (Seat(), Seat())).origin == ""


def test_the_games_of_a_collection_are_no_copies_of_it(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_text(SGF + SGF, encoding="utf-8")
    assert [record.origin for record in load_all(file)] == ["", ""]
