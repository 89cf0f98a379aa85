"""The library of saved games: what is found, and what is noticed."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
import threading
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from games import formats
from games.formats import load, save
from games.library import index as library_index
from games.library.index import Entry
from games.library.library import GameLibrary, Query
from games.position import Outcome
from games.record import PERSON, About, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home, write_new
from tests.games.library.games import Open, connect_with, found, game, names, search_cases, settled


def test_an_empty_library_is_empty(opened: Open) -> None:
    library = GameLibrary()
    assert (library.busy, library.progress, library.count()) == (False, (0, 0), 0)
    library.close()
    library = opened()
    assert library.count() == 0
    assert library.search(Query()) == []
    assert not saves_home().exists(), "nothing is made by looking"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name of a file is text")
def test_a_file_whose_name_is_no_text_is_a_game_like_the_others(opened: Open) -> None:
    odd = saves_home() / os.fsdecode(b"caf\xe9.tengen.json")
    damaged = odd.with_name(os.fsdecode(b"\xff.txt"))
    game("odd").replace(odd)
    damaged.write_text("no game", encoding="utf-8")
    game("good")
    library = opened(others=[odd])
    assert {entry.path for entry in found(library)} == {odd, damaged, saves_home() / "good.tengen.json"}
    (entry,) = found(library, Query(text="caf"))
    assert (entry.path, entry.result, library.find(odd)) == (odd, "unfinished", entry.id)
    version = library.version
    library.refresh()
    settled(library)
    assert library.progress == (0, 0), "they are not read again and again"
    odd.unlink()
    library.refresh()
    settled(library)
    assert version < library.version
    assert {entry.path for entry in found(library)} == {damaged, saves_home() / "good.tengen.json"}


def test_a_game_is_listed_with_all_that_is_known_of_it(opened: Open) -> None:
    file = game("first", "h8 i9 g7", (Seat(PERSON, "Ada"), Seat("engine", seconds=2.0)), rule="renju")
    (entry,) = found(opened())
    assert entry.path == file
    assert entry.name == "first"
    assert not entry.problem
    assert entry.setup == setup("gomoku", 15, "renju")
    assert entry.seats == (Seat(PERSON, "Ada"), Seat("engine", seconds=2.0))
    assert (entry.result, entry.plies, entry.moves) == ("unfinished", 3, "h8i9g7")
    assert entry.at == datetime(2026, 5, 1, 12).timestamp()


def test_results_are_those_of_the_person(opened: Open) -> None:
    person, engine = Seat(), Seat("engine")
    game("won", seats=(person, engine), resigned=1)
    game("lost", seats=(person, engine), resigned=0)
    game("won as white", seats=(engine, person), resigned=0)
    game("first of two", seats=(person, person), resigned=1)
    game("second of two engines", seats=(engine, engine), resigned=0)
    game("draw", "b2 a1 c1 a3 a2 c2 b3 b1 c3", kind="tictactoe", seats=(person, Seat("alphabeta")))
    game("going on")
    library = opened()
    assert {entry.name: entry.result for entry in found(library)} == {
        "won": "won", "lost": "lost", "won as white": "won", "first of two": "first",
        "second of two engines": "second", "draw": "draw", "going on": "unfinished",
    }  # fmt: skip
    assert sorted(names(library, result="won")) == ["won", "won as white"]
    assert names(library, result="draw") == ["draw"]


def test_what_was_taken_back_counts_unless_the_game_ended_before(opened: Open) -> None:
    record = GameRecord(setup("gomoku"), (Seat(), Seat()))
    for move in (112, 113, 114):
        record.play(move)
    record.undo()
    save(record, saves_home() / "undone.tengen.json")
    record.end(Outcome(0, "resigned"))
    save(record, saves_home() / "ended.tengen.json")
    plies = {entry.name: (entry.plies, entry.result) for entry in found(opened())}
    assert plies == {"undone": (3, "unfinished"), "ended": (2, "first")}


def test_filters_work_alone_and_together(opened: Open) -> None:
    game("a", rule="freestyle", seats=(Seat(), Seat("engine")))
    game("b", rule="standard", seats=(Seat(), Seat("random")))
    game("c", "b2", kind="tictactoe", seats=(Seat(), Seat("engine")))
    game("d", "1 2", kind="bones", seats=(Seat(PERSON, 200 * "A"), Seat(PERSON, "Bob")))
    library = opened()
    assert sorted(names(library, game="gomoku")) == ["a", "b"]
    assert names(library, rule="standard") == ["b"], "not the games that have one rule only"
    engine = (("gomoku", "engine"), ("tictactoe", "engine"))
    assert sorted(names(library, opponents=engine)) == ["a", "c"]
    assert names(library, opponents=engine, game="tictactoe") == ["c"]
    assert names(library, opponents=(("bones", "=Bob"),)) == ["d"]
    assert names(library, opponents=engine, text="Ada") == []
    assert sorted(library.opponents()) == [
        ("bones", f"={200 * 'A'}"), ("bones", "=Bob"),
        ("gomoku", "engine"), ("gomoku", "random"), ("tictactoe", "engine"),
    ]  # fmt: skip
    unfinished = {("gomoku", "unfinished"): 2, ("tictactoe", "unfinished"): 1, ("bones", "unfinished"): 1}
    assert library.tally() == unfinished


def test_dates_and_orders(opened: Open) -> None:
    now = datetime(2026, 6, 1)
    for number, moves in enumerate(("h8 i9 g7", "h8", "h8 i9")):
        game(f"{'bac'[number]} {number}", moves, date=(now - timedelta(days=10 * number)).isoformat())
    game("z undated", "h8 i9 g7 i7", date="some time ago")
    library = opened()
    assert names(library, sort="oldest")[:3] == ["c 2", "a 1", "b 0"]
    assert names(library, sort="newest")[-3:] == ["b 0", "a 1", "c 2"]
    assert names(library, sort="name") == ["a 1", "b 0", "c 2", "z undated"]
    assert names(library, sort="longest")[0] == "z undated"
    assert names(library, sort="shortest")[0] == "a 1"
    since = (now - timedelta(days=15)).timestamp()
    assert sorted(names(library, since=since)) == ["a 1", "b 0", "z undated"], "an undated file counts by its own time"


def test_text_is_found_anywhere_in_any_script(opened: Open) -> None:
    search_cases(opened)


def test_text_is_found_without_a_full_text_index(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    class Without(sqlite3.Connection):
        """A connection to an SQLite that was built without FTS5."""

        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:  # type: ignore[override]
            if "fts5" in sql and "CREATE" in sql:
                raise sqlite3.OperationalError("no such module: fts5")
            return super().execute(sql, *values)  # type: ignore[arg-type]

    connect_with(monkeypatch, Without)
    search_cases(opened)


def test_a_game_has_so_many_letters_of_search_words(opened: Open) -> None:
    game("game")
    library = opened(words=lambda _entry: "early" + "x" * 20_000 + "late")
    assert [names(library, text=word) for word in ("early", "late")] == [["game"], []]


def test_only_what_changed_is_read_again(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    import games.library.library

    kept, changed, gone = game("kept"), game("changed"), game("gone")
    library = opened()
    read: list[Path] = []
    load = games.library.library.load
    monkeypatch.setattr(games.library.library, "load", lambda file: (read.append(file), load(file))[1])
    library.close()
    again = opened()
    assert again.count() == 3
    assert read == [], "the index remembers"
    gone.unlink()
    game("changed", "h8 i9 g7 i7")
    new = game("new", "h8 i9 g7 i7 h7 h9")
    os.utime(changed, (2e9, 2e9))
    again.refresh()
    settled(again)
    assert read == [changed, new], "the newest first"
    assert sorted(names(again)) == ["changed", "kept", "new"]
    assert next(entry.plies for entry in found(again) if entry.path == changed) == 4
    assert kept.exists()


def test_a_damaged_file_is_listed_with_a_sentence_and_stops_nothing(opened: Open) -> None:
    good = game("good")
    (saves_home() / "damaged.tengen.json").write_bytes(b"{ not a game")
    (saves_home() / "illegal.txt").write_text("h8h8", encoding="utf-8")
    (saves_home() / "binary.txt").write_bytes(b"\xff\xfe\x00")
    (saves_home() / "picture.png").write_bytes(b"no game at all")
    library = opened()
    entries = {entry.path.name: entry for entry in found(library)}
    assert set(entries) == {good.name, "damaged.tengen.json", "illegal.txt", "binary.txt"}
    for name, entry in entries.items():
        assert bool(entry.problem) == (name != good.name), name
        assert (entry.result == "damaged") == (name != good.name), name
    problem = entries["illegal.txt"].problem
    assert (problem.kind, problem.facts) == ("illegal", {"ply": 2, "move": "h8"})
    assert len(names(library, result="damaged")) == 3


def _refused(_file: Path, _most: int) -> bytes:
    raise PermissionError(errno.EACCES, "Permission denied")


def test_bug_a_file_that_could_not_be_opened_once_was_never_read_again(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its time and size were those of the file that had been refused."""
    game("good")
    with monkeypatch.context() as refusing:
        refusing.setattr(formats, "read_regular", _refused)
        library = opened()
        (entry,) = found(library)
        assert entry.problem is not None
        assert (entry.problem.kind, entry.result) == ("unreadable", "damaged")
    library.refresh()
    settled(library)
    (entry,) = found(library)
    assert (entry.problem, entry.plies) == (None, 2)
    library.refresh()
    settled(library)
    assert library.progress == (0, 0), "now it is known"


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="a file system that keeps any time of a file")
def test_bug_a_file_of_a_time_that_sqlite_cannot_hold_emptied_the_library(opened: Open) -> None:
    game("good")
    with TemporaryDirectory(dir="/dev/shm") as folder:
        odd = game("odd", folder=Path(folder))
        os.utime(odd, ns=(10**21, 10**21))
        library = opened(others=[odd])
        assert sorted(names(library)) == ["good", "odd"]
        library.refresh()
        settled(library)
        assert library.progress == (0, 0), "it is known"


def test_an_error_that_nobody_foresaw_stops_nothing_either(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    import games.library.library

    game("good")
    bad = game("bad")
    load = games.library.library.load
    monkeypatch.setattr(games.library.library, "load", lambda file: load(None if file == bad else file))
    library = opened()
    assert {entry.name: bool(entry.problem) for entry in found(library)} == {"good": False, "bad": True}


def test_folders_are_looked_into_and_files_elsewhere_can_be_listed(opened: Open, tmp_path: Path) -> None:
    game("top")
    game("inside", folder=saves_home() / "2025" / "spring")
    game("hidden", folder=saves_home() / ".old")
    elsewhere = game("elsewhere", folder=tmp_path / "desktop")
    others = [tmp_path / "desktop" / name for name in ("picture.png", ".sgf")]
    for other in others:
        other.write_text("h8", encoding="utf-8")
    library = opened(others=[elsewhere, tmp_path / "gone.txt", elsewhere.with_suffix(""), tmp_path, *others])
    assert sorted(names(library)) == ["elsewhere", "inside", "top"]


def test_two_libraries_share_an_index(opened: Open) -> None:
    for number in range(10):
        game(f"game {number}")
    first, second = opened(), opened()
    game("late")
    second.refresh()
    settled(second)
    assert first.count() == second.count() == 11


def test_changes_are_told_and_the_thread_ends(opened: Open) -> None:
    for number in range(5):
        game(f"game {number}")
    told: list[int] = []
    library = opened(changed=lambda: told.append(1))
    assert told
    assert library.version
    assert library.progress == (5, 5)
    assert "library" in [thread.name for thread in threading.enumerate()]
    library.close()
    assert "library" not in [thread.name for thread in threading.enumerate()]


def test_many_games_are_found_in_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row costs a wait for the interpreter while something else runs. `python -m ui.lab.measure_library` measures
    what ten thousand games take."""
    rows: list[object] = []

    class Counting(sqlite3.Connection):
        """A connection that counts the rows of answers."""

        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:  # type: ignore[override]
            cursor = super().execute(sql, *values)  # type: ignore[arg-type]
            cursor.row_factory = lambda _cursor, row: (rows.append(row), row)[1]
            return cursor

    connect_with(monkeypatch, Counting)
    index = library_index.Index(tmp_path / "index.sqlite")
    chosen = setup("gomoku")
    names = [f"game {number}" for number in range(3000)]
    files = [tmp_path / f"{name}.txt" for name in names]
    entries = [Entry(file, at, at, setup=chosen, result="won", at=float(at)) for at, file in enumerate(files)]
    index.put((entry, ["engine"], name) for entry, name in zip(entries, names, strict=True))
    rows.clear()
    assert len(index.search(Query(text="game 29", game="gomoku", opponents=(("gomoku", "engine"),)))) >= 100
    assert index.search(Query())[0] == 3000
    assert len(rows) == 2
    index.close()


def test_a_name_reserved_by_a_program_that_was_killed_is_no_damaged_game(opened: Open) -> None:
    recent = write_new(saves_home().parent / "elsewhere", "game", ".tengen.json", b"")
    assert write_new(saves_home(), "game", ".tengen.json", b"").exists()
    assert opened(others=[recent]).count() == 0


def test_a_copy_with_changes_stands_for_the_only_game_of_its_file(opened: Open) -> None:
    saves_home().mkdir()
    for name, data in (("one", b"(;GM[4]SZ[15];B[hh])"), ("two", b"(;GM[4]SZ[15];B[hi])(;GM[4]SZ[15];B[ii])")):
        file = saves_home() / f"{name}.sgf"
        file.write_bytes(data)
        save(load(file), saves_home() / f"copy of {name}.tengen.json")
    library = opened()
    assert names(library, sort="name") == ["copy of one", "copy of two", "two"]
    assert (library.count(), library.find(saves_home() / "one.sgf")) == (3, None)
    assert library.find(saves_home() / "two.sgf") is not None


def test_the_event_that_is_searched_is_shown(opened: Open) -> None:
    record = GameRecord(setup("gomoku"), (Seat(), Seat()))
    record.about = About(event="World Cup", place="Tallinn", round="3")
    save(record, saves_home() / "game.tengen.json")
    (entry,) = found(opened())
    assert entry.occasion == "World Cup · Tallinn · 3"
    assert [each.occasion for each in found(opened())] == [entry.occasion], "from the index, too"


ADA, BOB, ROW = Seat(PERSON, "Ada"), Seat(PERSON, "Bob Łuk"), "b2 a3 a1 b3 c3"  # X makes it
DRAWN = "b2 a1 c1 a3 a2 c2 b3 b1 c3"


def between(library: GameLibrary, apart: Path | None = None, names: tuple[str, str] = ("ada", "BOB łUK")) -> Any:
    return library.points_between("tictactoe", names, apart)


def played(name: str, moves: str, first: Seat = ADA, second: Seat = BOB, day: int = 1, **options: Any) -> Path:
    date = f"2026-05-0{day}T12:00:00"
    return game(name, moves, (first, second), kind="tictactoe", date=date, **options)


def test_points_of_two_people_over_their_games(opened: Open) -> None:
    played("won", ROW)
    played("drawn", DRAWN, day=2)
    played("other colours", ROW, BOB, ADA, day=3)
    played("in capitals", ROW, Seat(PERSON, "ADA"), Seat(PERSON, "bob łuk"), day=4)
    assert between(settled(opened())) == (2.5, 1.5)


def test_only_finished_games_of_two_people_at_one_game_have_points(opened: Open) -> None:
    played("goes on", "b2 a3")
    played("another person", ROW, ADA, Seat(PERSON, "Cleo"), day=2)
    played("a computer", ROW, ADA, Seat("level:3", "Bob Łuk"), day=3)
    played("a part of the name", ROW, ADA, Seat(PERSON, "Bob"), day=4)
    game("another game", "h8 i9", (ADA, BOB), resigned=0)
    assert between(settled(opened())) == (0.0, 0.0)


def test_the_game_that_is_played_and_copies_of_others_have_no_points(opened: Open, tmp_path: Path) -> None:
    """An exported game counted again once its file had been opened."""
    file = played("won", ROW)
    played("the same", ROW, folder=tmp_path)
    played("another day", ROW, day=2)
    for hour in (11, 13):
        game(f"{hour}", ROW, (ADA, BOB), kind="tictactoe", date=f"2026-05-01T{hour}:00:00")
    record = GameRecord(setup("gomoku"), (ADA, BOB), "2026-05-03T12:00:00")
    record.play(0)
    record.resign(0)
    for path in (tmp_path / "exported.sgf", saves_home() / "ours.tengen.json"):
        save(record, path)
    others = [tmp_path / name for name in ("the same.tengen.json", "exported.sgf")]
    library = settled(opened(others=others))
    assert between(library) == (4.0, 0.0)
    assert between(library, file) == (3.0, 0.0)
    assert library.points_between("gomoku", ("Ada", "Bob Łuk")) == (0.0, 1.0)
    assert library.points_between("gomoku", ("Ada", "Bob Łuk"), saves_home() / "ours.tengen.json") == (0.0, 0.0)


def test_a_game_of_the_day_before_is_no_copy(opened: Open, tmp_path: Path) -> None:
    record = GameRecord(setup("gomoku"), (ADA, BOB), "2026-05-02T06:00:00")
    record.play(0)
    record.resign(0)
    save(record, saves_home() / "ours.tengen.json")
    others = [tmp_path / "the day.sgf", tmp_path / "the day before.sgf"]
    for file in others:
        save(record, file)
        record.date = "2026-05-01"
    library = settled(opened(others=others))
    assert library.points_between("gomoku", ("Ada", "Bob Łuk")) == (0.0, 2.0)


@pytest.mark.parametrize("names", [("甲", "乙"), ("😀", "x"), ('"', "'"), ("%", "_"), ("محمد", "ß")])
def test_names_of_any_letters_have_points(opened: Open, names: tuple[str, str]) -> None:
    first, second = (Seat(PERSON, name) for name in names)
    played("won", ROW, first, second)
    played("lost", ROW, second, first, day=2)
    played("drawn", DRAWN, first, second, day=3)
    assert between(settled(opened()), names=(first.name, second.name)) == (1.5, 1.5)
