"""Files of a game that passes and counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.lab import make_demos
from games.formats import load, save, sgf, sgf_writer, tengen, writable
from games.position import PASS, Outcome, cells_of
from tests.ui.newcomer.games import SHORTEST, finished, game


def moves(data: str) -> list[int | None]:
    return [node.move for node in sgf.loads(data.encode()).line()[1:]]


@pytest.mark.parametrize("kind", [".tengen.json", ".sgf", ".txt"])
def test_a_file_with_passes_is_read_as_it_was_written(kind: str, tmp_path: Path) -> None:
    """A pass was written as a cell, ``W[hz]``, and the file could not be read."""
    record = finished()
    assert kind in writable(record)
    save(record, tmp_path / f"game{kind}")
    again = load(tmp_path / f"game{kind}", record.setup)
    assert PASS in [node.move for node in record.line()]
    assert [node.move for node in again.line()] == [node.move for node in record.line()]
    assert (again.outcome, again.notices) == (record.outcome, [])


def test_the_result_in_sgf_has_the_score() -> None:
    assert b"GM[2]RE[W+4]" in sgf_writer.dumps(finished())
    assert b"RE[B+13]" in sgf_writer.dumps(game(SHORTEST))


def test_a_result_by_score_is_read_from_a_game_that_breaks_off() -> None:
    record = sgf.loads(b"(;GM[2]SZ[8]RE[W+12.5];B[dc])")
    assert record.outcome == Outcome(1, "score")
    assert b"RE[W+12.5]" in sgf_writer.dumps(record)
    assert tengen.loads(tengen.dumps(record)).outcome == record.outcome


def test_passes_are_read_as_programs_write_them() -> None:
    """Empty, or as ``tt``; some leave out one that is forced. A coordinate is the game's own."""
    whole = sgf_writer.dumps(finished()).decode().replace("\n", "")
    for written in ("W[];", "W[tt];", ""):
        assert moves(whole.replace("W[];", written)) == moves(whole)
    assert moves("(;GM[2]SZ[8];B[d3])") == moves("(;GM[2]SZ[8];B[dc])") == [19]


def test_what_the_game_begins_with_may_be_set_up_in_sgf() -> None:
    record = sgf.loads(b"(;GM[2]SZ[8]AB[ed][de]AW[dd][ee];B[dc])")
    assert record.stones is None
    assert cells_of(record.position).count(1) == 4


def test_the_search_for_attacks_on_the_home_screen_comes_to_an_end() -> None:
    """Nothing was written in ten minutes."""
    assert make_demos.SEARCH.nodes
    tried: list[int] = []
    assert make_demos.distinct(lambda: tried.append(1), 2) == []
    assert len(tried) == 100
    assert make_demos.distinct(iter([None, ("d3", 0), ("d3", 0), ("f5", 0)]).__next__, 2) == [("d3", 0), ("f5", 0)]
