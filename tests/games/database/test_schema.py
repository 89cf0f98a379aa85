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
from games.database.schema import (
    DRAWN,
    DatabaseError,
    close,
    connect,
    is_database,
    packed,
    record_of,
    row_of,
    same_day,
    unpacked,
)
from games.evaluation import Evaluation
from games.formats import FormatError
from games.formats.text import parse
from games.opening_rules import PLACE, OpeningPhase, OpeningStep
from games.position import FIRST, SECOND, Outcome, Stones
from games.record import About, GameRecord, Mark, Seat
from games.registry import setup

Change = Callable[[GameRecord], object]


def changed(change: Change, moves: str = "h8i9g7") -> GameRecord:
    record = parse(moves)
    record.date, record.about = "2020-05-01", About(event="Cup")
    change(record)
    return record


def also_played(record: GameRecord) -> None:
    record.undo()
    record.play(0)


def commented(record: GameRecord) -> None:
    record.root.comment = "why"


@pytest.mark.parametrize(
    "change",
    [
        lambda record: None,
        lambda record: setattr(record, "date", "2020-05"),
        lambda record: setattr(record, "date", ""),
        lambda record: setattr(record, "about", About()),
        lambda record: setattr(record, "names", ("Ada", "Bob")),
        lambda record: record.end(Outcome(SECOND, "resigned")),
        lambda record: record.end(Outcome(None, "agreed")),
    ],
)
def test_a_plain_game_takes_no_room_but_its_columns(change: Change) -> None:
    record = changed(change)
    row, line = row_of(record)
    assert row.whole is None
    assert line == record.line()
    assert record_of(row) == record


@pytest.mark.parametrize(
    "change",
    [
        commented,
        also_played,
        lambda record: record.undo(),
        lambda record: record.go_to(record.root),
        lambda record: setattr(record, "date", "2020-05-01T12:00:00"),
        lambda record: setattr(record, "date", "some day"),
        lambda record: setattr(record, "about", About(event="Cup", place="Riga")),
        lambda record: setattr(record, "control", TimeControl(60)),
        lambda record: setattr(record, "seats", (Seat(), Seat("engine"))),
        lambda record: setattr(record, "seats", (Seat(seconds=1.0), Seat())),
        lambda record: setattr(record.cursor, "seconds", 1.0),
        lambda record: setattr(record.cursor, "marks", (Mark("cross", 3),)),
        lambda record: setattr(record.cursor, "evaluation", Evaluation(1, None, 1)),
        lambda record: setattr(record.line()[1], "ending", Outcome(FIRST, "time")),
        lambda record: record.end(Outcome(FIRST, "score", score=(3, 1))),
    ],
)
def test_a_game_with_more_is_kept_whole(change: Change) -> None:
    record = changed(change)
    row, _ = row_of(record)
    assert row.whole is not None
    assert record_of(row) == record


def test_a_position_that_was_set_up_and_an_opening_are_kept_whole() -> None:
    arranged = GameRecord(setup("gomoku"), stones=Stones(((3,), (4,))))
    begun = GameRecord(setup("gomoku"))
    begun.opening = OpeningPhase("swap", 15)
    begun.take(OpeningStep(PLACE, 7))
    for record in (arranged, begun):
        record.date = "2020"
        assert record_of(row_of(record)[0]) == record


@pytest.mark.parametrize(
    ("change", "winner", "ending", "day"),
    [
        (lambda record: None, None, None, "2020-05-01"),
        (lambda record: record.end(Outcome(SECOND, "time")), SECOND, "time", "2020-05-01"),
        (lambda record: record.end(Outcome(None, "agreed")), DRAWN, "agreed", "2020-05-01"),
        (lambda record: setattr(record, "date", "2020-05-01T12:00:00"), None, None, "2020-05-01"),
        (lambda record: setattr(record, "date", "2020-5-1"), None, None, "2020"),
        (lambda record: setattr(record, "date", "May 2020"), None, None, ""),
    ],
)
def test_the_columns_of_a_game(change: Change, winner: int | None, ending: str | None, day: str) -> None:
    row, _ = row_of(changed(change))
    assert (row.winner, row.ending, row.day, row.event, len(row.moves)) == (winner, ending, day, "Cup", 6)
    won = row_of(parse("a1b1a2b2a3b3a4b4a5"))[0]
    assert (won.winner, won.ending) == (FIRST, None), "the rules say how it ended"


def test_moves_are_numbers_of_two_bytes() -> None:
    moves = [0, 1, 399, 32_767, -1, -2, -32_768]
    assert packed(moves[:5]) == b"\0\0\1\0\x8f\1\xff\x7f\xff\xff"
    assert unpacked(packed(moves)) == moves
    assert unpacked(b"\1\0\2") == [1]


def test_what_two_games_share_is_their_digest() -> None:
    digests = [row_of(changed(change))[0].digest for change in (
        lambda record: None, commented, lambda record: setattr(record, "date", "1999"),
        lambda record: setattr(record, "names", ("Ada", "")), lambda record: setattr(record, "names", ("ADA", "")),
    )]  # fmt: skip
    assert digests[0] == digests[1] == digests[2] != digests[3] == digests[4]
    assert digests[0] != row_of(changed(lambda record: None, "h8i9"))[0].digest


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("2020-05-01", "2020", True), ("", "2020", True), ("2020-05", "2020-4", False)],
)
def test_days_may_be_the_same(one: str, other: str, same: bool) -> None:
    assert (same_day(one, other), same_day(other, one)) == (same, same)


def test_a_damaged_row_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    row, _ = row_of(changed(commented))
    assert row.whole is not None
    for wrong in (row._replace(whole=row.whole[:-1]), row._replace(whole=b"no"),
                  row._replace(whole=None, moves=packed([3, 3]))):  # fmt: skip
        with pytest.raises(FormatError, match=r"^The game is damaged: .*\.$"):
            record_of(wrong)
    monkeypatch.setattr(schema, "MOST_BYTES", 20)
    with pytest.raises(FormatError, match="too large"):
        record_of(row)


def test_the_head_of_a_file_does_not_change_since_files_have_it(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "a.tengendb"
    connection = connect(file, writing=True)
    assert [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "trusted_schema")] == [1, 0]
    close(connection)
    assert file.read_bytes()[68:72] == b"TGDB"
    assert is_database(file)
    assert [each.name for each in file.parent.iterdir()] == ["a.tengendb"]
    file.write_bytes(file.read_bytes()[:72])
    assert is_database(file), "by its head"
    file.write_bytes(file.read_bytes()[:71])
    assert not is_database(file)
    assert not is_database(tmp_path)


@pytest.mark.parametrize("kind", ["memory", "reading", "writing"])
def test_any_thread_may_use_a_connection(tmp_path: Path, kind: str) -> None:
    file = None if kind == "memory" else tmp_path / "a.tengendb"
    connect(file, writing=True).close()
    connection = connect(file, writing=kind == "writing")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(connection.execute, "SELECT count(*) FROM games").result().fetchall() == [(0,)]
    connection.close()


def test_an_empty_database_of_another_program_is_not_taken(tmp_path: Path) -> None:
    for name, value in (("application_id", 7), ("user_version", 2)):
        file = tmp_path / name
        with sqlite3.connect(file) as other:
            other.execute(f"PRAGMA {name} = {value}")
        before = file.read_bytes()
        with pytest.raises(DatabaseError) as caught:
            connect(file, writing=True)
        assert caught.value.kind == ("foreign" if value == 7 else "newer")
        assert file.read_bytes() == before


def test_a_database_that_another_program_writes_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "_PATIENCE", 0.0)
    file = tmp_path / "a.tengendb"
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DatabaseError) as caught:
            connect(file, writing=True)
    other.close()
    assert (caught.value.kind, caught.value.name) == ("busy", "a.tengendb")


@pytest.mark.parametrize("path", [Path("folder/a.tengendb"), None])
def test_an_error_comes_from_another_process_as_it_is(path: Path | None) -> None:
    error = DatabaseError("damaged", path, "row 3")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.kind, again.name, again.reason) == (str(error), "damaged", error.name, "row 3")
    assert error.name == ("" if path is None else "a.tengendb")
