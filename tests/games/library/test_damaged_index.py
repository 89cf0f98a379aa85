"""What becomes of an index that is damaged, in use, or cannot be written."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from games.library.index import COLUMNS, Entry, Index, ReviewSummary, entry_of, set_aside, values_of
from games.library.library import GameLibrary, Query
from games.registry import setup
from games.storage import cache_home
from tests.games.library.games import INDEX, PATIENCE, Open, connect_with, game, names, search_cases, settled
from tests.sampling import sampled


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
    assert file.stat().st_size > 5000, "it is on the disk"
    assert opened().count() == 20, "and stays so"


ROWS = [
    "UPDATE games SET seats = x'ff00ff'",
    "UPDATE games SET seats = '{'",
    "UPDATE games SET seats = '[[1]]'",
    "UPDATE games SET path = '' WHERE id = 1",
    "UPDATE games SET path = x'ff00ff' || id",
    "UPDATE games SET path = '%zz%00' || id",
    "UPDATE games SET mtime = 'late'",
    "UPDATE games SET problem = '[1, 2]'",
    """UPDATE games SET problem = '{"message": "x", "kind": "unreadable", "facts": {}}'""",
    "UPDATE games SET game = 'chess'",
    "UPDATE games SET size = 15.5",
    "UPDATE games SET result = NULL",
    "UPDATE games SET winner = 'me'",
    "UPDATE games SET at = 1e300",
    "UPDATE games SET moves = 3",
    "UPDATE opponents SET opponent = NULL",
    "UPDATE opponents SET game = CAST(x'ff' AS TEXT)",
    "DROP TABLE words",
    "DROP TABLE opponents",
]


@pytest.mark.parametrize("in_use", [True, False])
@pytest.mark.parametrize("harm", sampled(ROWS, 5))
def test_damaged_rows_are_read_again_from_the_files(opened: Open, harm: str, in_use: bool) -> None:
    """They raised UnicodeDecodeError, JSONDecodeError, TypeError and ValueError at every start."""
    for number in range(3):
        game(f"game {number}")
    library = opened()
    expected = asked(library)
    assert len(expected[0]) == 3
    if not in_use:
        library.close()
    with contextlib.closing(sqlite3.connect(cache_home() / INDEX)) as other, other:
        other.execute(harm)
    library = library if in_use else opened()
    asked(library)  # notices it
    settled(library)
    assert asked(library) == expected
    assert "DROP" not in harm or (cache_home() / "library.damaged.sqlite").exists()
    library.close()
    assert asked(opened()) == expected, "and stays so"


def asked(library: GameLibrary) -> tuple[list[Entry], list[tuple[str, str]], int]:
    """All that a library can be asked."""
    ids = library.search(Query(text="game"))
    entries = [replace(entry, id=0) for entry in library.entries(ids).values()]
    return sorted(entries, key=lambda entry: entry.name), library.opponents(), library.count()


@pytest.mark.parametrize(("fails", "made"), [(0, 0), (1, 1), (2, 2), (99, 3)])
def test_an_index_is_made_anew_as_often_as_it_fails_but_not_for_ever(
    opened: Open, monkeypatch: pytest.MonkeyPatch, fails: int, made: int
) -> None:
    game("game")
    library, search, left = opened(), Index.search, [None] * fails
    anew: list[Path] = []

    def failing(index: Index, query: Query) -> list[int]:
        if left:
            left.pop()
            raise ValueError
        return search(index, query)

    monkeypatch.setattr(Index, "search", failing)
    monkeypatch.setattr("games.library.library.set_aside", lambda file: (anew.append(file), set_aside(file)))
    for number in range(9):
        assert len(library.search(Query())) == (0 if number < fails else 1)
        settled(library)
    assert len(anew) == made


REVIEW = ReviewSummary(accuracy=(0.0, 100.0), mistakes=(0, 1))
VALID = values_of(Entry(Path("a.txt"), 1, 0, setup=setup("tictactoe"), winner=1, result="second", review=REVIEW))


@pytest.mark.parametrize(
    ("column", "value"),
    [("path", ""), ("bytes", -1), ("game", "chess"), ("size", 4), ("rule", "renju"), ("result", "x"), ("winner", 2),
     ("winner", -1), ("plies", -1), ("at", -8e10), ("at", 3e11), ("score", "[1]"), ("id", 0), ("review", "[]"),
     ("review", '{"accuracy": [0, 101], "mistakes": [0, 0]}'), ("review", '{"accuracy": [0, 0], "mistakes": [-1, 0]}')],
)  # fmt: skip
def test_a_value_that_no_row_can_have_is_refused(column: str, value: object) -> None:
    row = dict(zip([*COLUMNS.split(", "), "id"], [*VALID, 1], strict=True))
    assert values_of(entry_of(list(row.values()))) == VALID
    with pytest.raises((ValueError, LookupError)):
        entry_of(list((row | {column: value}).values()))


def test_an_index_is_made_where_there_is_no_folder_yet(tmp_path: Path) -> None:
    for _ in range(2):
        Index(tmp_path / "new" / "folder" / INDEX).close()
    assert [file.name for file in (tmp_path / "new" / "folder").iterdir()] == [INDEX]


def test_an_index_that_another_program_holds_is_left_to_it(opened: Open) -> None:
    game("game")
    opened().close()
    with sqlite3.connect(cache_home() / INDEX, isolation_level=None) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("CREATE TABLE mine (x)")
        assert opened().count() == 1
    other.close()


def test_where_no_file_can_be_made_the_index_is_in_memory(opened: Open, home: Path) -> None:
    (home / "cache").write_text("a file", encoding="utf-8")
    search_cases(opened)
    game("late")
    assert names(opened(), text="late") == ["late"]


def test_an_index_in_memory_was_closed_while_its_thread_used_it(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    """SQLite may crash: the thread shares that connection, and may be busy for longer than one waits for it."""
    (home / "cache").write_text("a file", encoding="utf-8")
    game("one")
    game("two")
    held, reached = threading.Event(), threading.Event()

    def rest() -> None:
        reached.set()
        held.wait(PATIENCE)

    library = GameLibrary(rest=rest)
    library.refresh()
    assert reached.wait(PATIENCE)
    (thread,) = [thread for thread in threading.enumerate() if thread.name == "library"]
    library.close(0.0)
    assert thread.is_alive()
    held.set()
    thread.join(PATIENCE)
    assert "cannot be updated" not in caplog.text


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
    connect_with(monkeypatch, Small)
    library = opened()
    library.count()  # notices it
    settled(library)
    assert len(library.search(Query(text="game"))) == 100
    assert list(cache_home().iterdir()) == []


def test_two_programs_that_read_the_same_game_do_not_damage_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = (Entry(tmp_path / "game.txt", 1, 1), (), "game")
    second = Index(tmp_path / INDEX, patience=0.0)

    class Interrupted(sqlite3.Connection):
        """A connection before whose insertions another program inserts the same."""

        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:  # type: ignore[override]
            if sql.startswith("INSERT INTO games"):
                with contextlib.suppress(sqlite3.OperationalError):  # it would wait
                    second.put([entry])
            return super().execute(sql, *values)  # type: ignore[arg-type]

    connect_with(monkeypatch, Interrupted)
    first = Index(tmp_path / INDEX, patience=0.0)
    first.put([entry])
    second.put([entry])
    assert sum(first.tally().values()) == sum(second.tally().values()) == 1
    first.close()
    second.close()
