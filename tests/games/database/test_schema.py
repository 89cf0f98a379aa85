"""What is stored of a game in a row, and what a database says of a file that it cannot use."""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from games.clock import TimeControl
from games.database import schema
from games.database.schema import DatabaseError, Row, close, connect, is_database, packed, record_of, row_of, unpacked
from games.evaluation import Evaluation
from games.formats import FormatError
from games.formats.text import parse
from games.position import FIRST, SECOND, Outcome
from games.record import About, GameRecord, Mark, Seat

Change = Callable[[GameRecord], object]


def changed(change: Change, moves: str = "h8i9g7") -> GameRecord:
    record = parse(moves)
    record.date, record.about = "2020-05-01", About(event="Cup")
    change(record)
    return record


def put(name: str, value: object) -> Change:
    return lambda record: setattr(record, name, value)


def put_last(name: str, value: object) -> Change:
    return lambda record: setattr(record.cursor, name, value)


PLAIN: list[Change] = [
    lambda record: None, put("date", "2020-05"), put("date", ""), put("about", About()), put("names", ("Ada", "Bob")),
    lambda record: record.end(Outcome(SECOND, "resigned")), lambda record: record.end(Outcome(None, "agreed")),
]  # fmt: skip
MORE: list[Change] = [
    lambda record: setattr(record.root, "comment", "why"), lambda record: (record.undo(), record.play(0)),
    lambda record: record.undo(), lambda record: record.go_to(record.root), put("date", "2020-05-01T12:00"),
    put("date", "May 2020"), put("about", About(event="Cup", place="Riga")), put("control", TimeControl(60)),
    put("seats", (Seat(), Seat("engine"))), put("seats", (Seat(seconds=1.0), Seat())), put_last("seconds", 1.0),
    put_last("marks", (Mark("cross", 3),)), put_last("evaluation", Evaluation(1, None, 1)),
    lambda record: setattr(record.line()[1], "ending", Outcome(FIRST, "time")),
    lambda record: record.end(Outcome(FIRST, "score", score=(3, 1))),
]  # fmt: skip


@pytest.mark.parametrize(("change", "more"), [*((each, False) for each in PLAIN), *((each, True) for each in MORE)])
def test_only_a_game_with_more_than_the_columns_hold_is_kept_whole(change: Change, more: bool) -> None:
    record = changed(change)
    row, line = row_of(record)
    assert (row.whole is not None, line[-1].children) == (more, [])
    assert record_of(row) == record


def test_moves_are_numbers_of_two_bytes() -> None:
    moves = [0, 1, 399, 32_767, -1, -2, -32_768]
    assert packed(moves[:5]) == b"\0\0\1\0\x8f\1\xff\x7f\xff\xff"
    assert unpacked(packed(moves)) == moves
    assert unpacked(b"\1\0\2") == [1]


def test_a_damaged_row_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    row, _ = row_of(changed(MORE[0]))
    assert row.whole is not None
    for moves, whole in ((row.moves, row.whole[:-1]), (row.moves, b"no"), (packed([3, 3]), None)):
        with pytest.raises(FormatError, match=r"^The game is damaged: .*\.$"):
            record_of(Row(*row[:6], moves, row.digest, whole))
    monkeypatch.setattr(schema, "MOST_BYTES", 20)
    with pytest.raises(FormatError, match="too large"):
        record_of(row)


def test_the_head_of_a_file_does_not_change_since_files_have_it(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "a.tengendb"
    connection = connect(file, writing=True)
    assert connection.execute("PRAGMA user_version").fetchone()[0] == 1
    close(connection)
    assert [each.name for each in file.parent.iterdir()] == ["a.tengendb"]
    for length in (72, 71):
        file.write_bytes(file.read_bytes()[:length])
        assert is_database(file) == (length == 72)
    assert file.read_bytes()[68:] == b"TGD"


@pytest.mark.parametrize("kind", ["memory", "reading", "writing"])
def test_any_thread_may_use_a_connection(tmp_path: Path, kind: str) -> None:
    file = None if kind == "memory" else tmp_path / "a.tengendb"
    connect(file, writing=True).close()
    connection = connect(file, writing=kind == "writing")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(connection.execute, "SELECT count(*) FROM games").result().fetchall() == [(0,)]
    connection.close()


@pytest.mark.parametrize(
    ("statement", "kind"),
    [("PRAGMA application_id = 7", "foreign"), ("PRAGMA user_version = 2", "newer"), ("BEGIN EXCLUSIVE", "busy")],
)
def test_an_empty_database_of_another_program_is_not_taken(
    tmp_path: Path, statement: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "PATIENCE", 0.0)
    other = sqlite3.connect(tmp_path / "other", isolation_level=None)
    other.execute(statement)
    with pytest.raises(DatabaseError) as caught:
        connect(tmp_path / "other", writing=True)
    assert (caught.value.kind, caught.value.name) == (kind, "other")
    other.close()


@pytest.mark.parametrize("path", [Path("folder/a.tengendb"), None])
def test_an_error_comes_from_another_process_as_it_is(path: Path | None) -> None:
    error = DatabaseError("damaged", path, "row 3")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.kind, again.reason) == (str(error), "damaged", "row 3")
    assert again.name == error.name == ("" if path is None else "a.tengendb")
