"""The library of saved games: what is found, what is noticed, and what becomes of an index that is damaged."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

import pytest

from games.formats import save
from games.library import index as library_index
from games.library.library import Library, Query
from games.library.rows import Entry
from games.position import Outcome
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import cache_home, reserve, saves_home

PATIENCE = 30.0


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    return tmp_path


Open = Callable[..., Library]


@pytest.fixture
def opened() -> Iterator[Open]:
    made: list[Library] = []

    def make(**options: object) -> Library:
        library = Library(**options)  # type: ignore[arg-type]
        made.append(library)
        library.refresh()
        return settled(library)

    yield make
    for library in made:
        library.close()


def settled(library: Library) -> Library:
    """Waits until the library has seen every file."""
    until = time.monotonic() + PATIENCE
    while library.busy:
        assert time.monotonic() < until, "the library never came to an end"
        library.count()  # notices an index that is damaged
        time.sleep(0.005)
    return library


def game(
    name: str, moves: str = "h8 i9", seats: tuple[Seat, Seat] = (Seat(), Seat("engine")), *, kind: str = "gomoku",
    rule: str | None = None, date: str = "2026-05-01T12:00:00", resigned: int | None = None, comment: str = "",
    folder: Path | None = None,
) -> Path:  # fmt: skip
    record = GameRecord(setup(kind, None, rule), seats, date)
    for move in moves.split():
        record.play(record.position.parse_move(move))
    record.cursor.comment = comment
    if resigned is not None:
        record.resign(resigned)
    file = (folder or saves_home()) / f"{name}.tengen.json"
    save(record, file)
    return file


def found(library: Library, query: Query | None = None) -> list[Entry]:
    ids = library.search(query or Query())
    entries = library.entries(ids)
    return [entries[number] for number in ids]


def names(library: Library, **query: object) -> list[str]:
    return [entry.name for entry in found(library, Query(**query))]  # type: ignore[arg-type]


def test_an_empty_library_is_empty(opened: Open) -> None:
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
    game("d", "1 2", kind="bones", seats=(Seat(PERSON, "Ada"), Seat(PERSON, "Bob")))
    library = opened()
    assert sorted(names(library, game="gomoku")) == ["a", "b"]
    assert names(library, rule="standard") == ["b"], "not the games that have one rule only"
    engine = (("gomoku", "engine"), ("tictactoe", "engine"))
    assert sorted(names(library, opponents=engine)) == ["a", "c"]
    assert names(library, opponents=engine, game="tictactoe") == ["c"]
    assert names(library, opponents=(("bones", "=Bob"),)) == ["d"]
    assert names(library, opponents=engine, text="Ada") == []
    assert sorted(library.opponents()) == [
        ("bones", "=Ada"), ("bones", "=Bob"), ("gomoku", "engine"), ("gomoku", "random"), ("tictactoe", "engine"),
    ]  # fmt: skip


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


def search_cases(opened: Open) -> None:
    game("Opening study", seats=(Seat(PERSON, "张三丰"), Seat(PERSON, "Émile")), comment="A quiet move in the corner")
    game("other", "a1 b2 c3", rule="renju", seats=(Seat(), Seat("random")))
    library = opened(words=lambda entry: "五子棋 Gomoku")
    for text in ("OPENING", "stud", "opening corner", "三丰", "张", "émile", "ÉMILE", "h8i9", "quiet move"):
        assert names(library, text=text) == ["Opening study"], text
    for text in ("renju", "random", "a1b2c3"):
        assert names(library, text=text) == ["other"], text
    assert len(names(library, text="五子棋")) == len(names(library, text="五子")) == len(names(library, text="  ")) == 2
    for text in ("nowhere", "opening random", '"', "%", "_", "* OR *", "a'b", "NEAR(", "\0", "quiet\0"):
        assert names(library, text=text) == [], text


def test_text_is_found_anywhere_in_any_script(opened: Open) -> None:
    search_cases(opened)


def test_text_is_found_without_a_full_text_index(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    class Without(sqlite3.Connection):
        """A connection to an SQLite that was built without FTS5."""

        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:  # type: ignore[override]
            if "fts5" in sql and "CREATE" in sql:
                raise sqlite3.OperationalError("no such module: fts5")
            return super().execute(sql, *values)  # type: ignore[arg-type]

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **named: real(*args, factory=Without, **named))
    search_cases(opened)


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
    new = game("new")
    again.refresh()
    settled(again)
    assert sorted(read) == sorted([changed, new])
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
    assert problem is not None
    assert (problem.kind, problem.facts) == ("illegal", {"ply": 2, "move": "h8"})
    assert len(names(library, result="damaged")) == 3


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
    library = opened(others=[elsewhere, tmp_path / "gone.txt", elsewhere.with_suffix(""), tmp_path])
    assert sorted(names(library)) == ["elsewhere", "inside", "top"]


INDEX = "library.sqlite"


def damage_header(file: Path) -> None:
    file.write_bytes(b"this was a database once" * 100)


def damage_pages(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[200:] = b"\xa5" * (len(data) - 200)
    file.write_bytes(bytes(data))


def of_another_version(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 5")
        connection.execute("DROP TABLE games")
    connection.close()


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("harm", [damage_header, damage_pages, of_another_version, Path.unlink, a_folder])
def test_an_index_that_cannot_be_used_is_made_anew(opened: Open, harm: Callable[[Path], None]) -> None:
    for number in range(20):
        game(f"game {number}")
    opened().close()
    file = cache_home() / INDEX
    assert file.stat().st_size > 5000
    harm(file)
    library = opened()
    assert library.count() == 20
    assert len(library.search(Query(text="game"))) == 20
    library.close()
    assert opened().count() == 20, "and stays so"


def test_an_index_that_is_damaged_while_it_is_used_is_made_anew(opened: Open) -> None:
    for number in range(20):
        game(f"game {number}")
    library = opened()
    with sqlite3.connect(cache_home() / INDEX) as other:
        other.execute("DROP TABLE words")
        other.execute("DROP TABLE games")
    other.close()
    assert library.search(Query(text="game")) == []
    settled(library)
    assert len(library.search(Query(text="game"))) == 20
    assert (cache_home() / "library.damaged.sqlite").exists()


ROWS = [
    "UPDATE games SET seats = x'ff00ff'",
    "UPDATE games SET seats = CAST(x'ff00ff' AS TEXT)",
    "UPDATE games SET seats = '{'",
    "UPDATE games SET seats = '[[1]]'",
    "UPDATE games SET seats = 7",
    "UPDATE games SET path = id",
    "UPDATE games SET path = '' WHERE id = 1",
    "UPDATE games SET path = x'ff00ff' || id",
    "UPDATE games SET path = CAST(x'ff00ff' AS TEXT) || id",
    "UPDATE games SET path = '%zz%00' || id",
    "UPDATE games SET mtime = 'late'",
    "UPDATE games SET problem = '[1, 2]'",
    """UPDATE games SET problem = '{"message": "x", "kind": "unreadable", "facts": {}}'""",
    "UPDATE games SET game = 'chess'",
    "UPDATE games SET size = 15.5",
    "UPDATE games SET size = 1e300",
    "UPDATE games SET result = NULL",
    "UPDATE games SET winner = 'me'",
    "UPDATE games SET at = 1e300",
    "UPDATE games SET at = 'then'",
    "UPDATE games SET plies = 'many'",
    "UPDATE games SET moves = 3",
    "UPDATE opponents SET opponent = NULL",
    "UPDATE opponents SET game = CAST(x'ff' AS TEXT)",
    "DROP TABLE words",
    "DROP TABLE opponents",
]


@pytest.mark.parametrize("harm", ROWS)
def test_damaged_rows_are_read_again_from_the_files(opened: Open, harm: str) -> None:
    """They raised UnicodeDecodeError, JSONDecodeError, TypeError and ValueError at every start."""
    for number in range(3):
        game(f"game {number}")
    expected = asked(opened())
    assert len(expected[0]) == 3
    with contextlib.closing(sqlite3.connect(cache_home() / INDEX)) as other, other:
        other.execute(harm)
    library = opened()
    asked(library)  # notices it
    settled(library)
    assert asked(library) == expected
    library.close()
    assert asked(opened()) == expected, "and stays so"


def asked(library: Library) -> tuple[list[Entry], list[tuple[str, str]], int]:
    """All that a library can be asked."""
    ids = library.search(Query(text="game"))
    entries = [replace(entry, id=0) for entry in library.entries(ids).values()]
    return sorted(entries, key=lambda entry: entry.name), library.opponents(), library.count()


def test_an_index_that_another_program_holds_is_left_to_it(opened: Open) -> None:
    game("game")
    opened().close()
    with sqlite3.connect(cache_home() / INDEX, isolation_level=None) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("CREATE TABLE mine (x)")
        assert opened().count() == 1
    other.close()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_cache_that_cannot_be_written_is_no_obstacle(opened: Open) -> None:
    game("game")
    cache_home().mkdir()
    cache_home().chmod(0o500)
    assert opened().count() == 1


def test_where_no_file_can_be_made_the_index_is_in_memory(
    opened: Open, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_named: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    (home / "cache").write_text("a file", encoding="utf-8")
    search_cases(opened)
    game("late")
    assert names(opened(), text="late") == ["late"]


def test_an_index_that_fills_the_disk_makes_room_and_hides_no_game(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library was shown empty, and damaged indices took the room that was left for games."""

    class Small(sqlite3.Connection):
        """A connection to a file on a disk that is almost full."""

        def __init__(self, *args: object, **named: object) -> None:
            super().__init__(*args, **named)  # type: ignore[arg-type]
            if args[0] != ":memory:":
                self.execute("PRAGMA max_page_count = 16")

    for number in range(100):
        game(f"game {number}")
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **named: real(*args, factory=Small, **named))
    library = opened()
    library.count()  # notices it
    settled(library)
    assert len(library.search(Query(text="game"))) == 100
    assert list(cache_home().iterdir()) == []


def test_two_programs_that_read_the_same_game_do_not_damage_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (library_index.Index(tmp_path / INDEX, patience=0.0) for _ in range(2))
    entry, insert = (Entry(tmp_path / "game.txt", 1, 1), (), "game"), library_index.Index._insert

    def meanwhile(index: library_index.Index, *arguments: Any) -> None:
        if index is first:
            with contextlib.suppress(sqlite3.OperationalError):  # it would wait
                second.put([entry])
        insert(index, *arguments)

    monkeypatch.setattr(library_index.Index, "_insert", meanwhile)
    first.put([entry])
    second.put([entry])
    assert first.count() == second.count() == 1
    first.close()
    second.close()


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
    thread = library._thread
    library.close()
    assert thread is not None
    assert not thread.is_alive()


def test_many_games_are_found_in_one_row(tmp_path: Path) -> None:
    """Each row costs a wait for the interpreter while something else runs. `python -m ui.lab.measure_library` measures
    what ten thousand games take."""
    index = library_index.Index(tmp_path / "index.sqlite")
    chosen = setup("gomoku")
    names = [f"game {number}" for number in range(3000)]
    files = [tmp_path / f"{name}.txt" for name in names]
    entries = [Entry(file, at, at, setup=chosen, result="won", at=float(at)) for at, file in enumerate(files)]
    index.put((entry, ["engine"], name) for entry, name in zip(entries, names, strict=True))
    rows: list[object] = []

    def counted(_cursor: object, row: tuple[object, ...]) -> tuple[object, ...]:
        rows.append(row)
        return row

    index._connection.row_factory = counted
    assert len(index.search(Query(text="game 29", game="gomoku", opponents=(("gomoku", "engine"),)))) >= 100
    assert index.search(Query())[0] == 3000
    assert len(rows) == 2
    index.close()


def test_a_name_reserved_by_a_program_that_was_killed_is_no_damaged_game(opened: Open) -> None:
    recent = reserve(saves_home().parent / "elsewhere", "game", ".tengen.json")
    assert reserve(saves_home(), "game", ".tengen.json").exists()
    assert opened(others=[recent]).count() == 0
