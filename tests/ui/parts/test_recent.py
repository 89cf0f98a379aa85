"""The games used last, without a window, of a library that is not read from the disk."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games.library.index import Entry
from games.record import PERSON, Seat
from games.registry import setup
from ui import screens
from ui.parts.recent import LibraryGames, RecentGames

FILES = [Path(f"/games/{number}.tengen.json") for number in range(4)]


class Library:
    """Knows the games `ids` of `FILES`; the first is unfinished, and the last cannot be read."""

    busy = False

    def __init__(self, **_: object) -> None:
        self.version, self.ids, self.asked = 1, [1, 2, 3, 4], list[list[int]]()

    def find(self, file: Path) -> int | None:
        return next((number for number in self.ids if FILES[number - 1] == file), None)

    def search(self, _query: object) -> list[int]:
        return self.ids[::-1]

    def entries(self, ids: list[int]) -> dict[int, Entry]:
        self.asked.append(list(ids))
        return {number: entry(number) for number in ids}

    def count(self) -> int:
        return 7

    def close(self) -> None:
        self.version = -5


def entry(number: int) -> Entry:
    result, problem = "unfinished" if number == 1 else "won", OSError() if number == 4 else None
    seats = Seat(PERSON), Seat("level:1" if number < 3 else PERSON)
    known: Any = {"setup": setup("bones"), "id": number, "result": result, "seats": seats, "problem": problem}
    return Entry(FILES[number - 1], 0, 0, **known)


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("ui.parts.recent.GameLibrary", Library)
    opened = list[Any]()
    settings = SimpleNamespace(unfinished="", recent=[str(FILES[1])])
    return SimpleNamespace(
        settings=settings, wake=lambda: None, rest=None, opened=opened, open_file=opened.append,
        read_game=lambda file, then: then(SimpleNamespace(record="record")), open=lambda *what: opened.append(what),
    )  # fmt: skip


def test_games_used_last_come_first_and_then_the_newest(host: Any) -> None:
    games = LibraryGames(host)
    assert (games.busy, games.changed) == (False, True)
    assert [[each.id for each in games.recent(most)] for most in (1, 3, 9)] == [[2], [2, 4, 3], [2, 4, 3, 1]]
    assert not games.changed
    host.settings.unfinished = str(FILES[0])
    assert [each.id for each in games.recent(9)] == [1, 2, 4, 3]
    games.close()
    assert games.changed


def test_the_entries_in_view_and_at_the_cursor_are_loaded_once(host: Any) -> None:
    games = LibraryGames(host)
    games.search(SimpleNamespace())  # type: ignore[arg-type]
    library: Any = games.library
    assert (games.total, list(games.selection.ids), games.current()) == (7, [4, 3, 2, 1], None)
    assert (games.find(FILES[1]), games.find(Path("other"))) == (True, False)
    games.load(range(2))
    games.load(range(2))
    assert [sorted(ids) for ids in library.asked] == [[2, 3, 4]]
    assert (games.current(), [each.id for each in games.selected()]) == (entry(2), [2])


@pytest.mark.parametrize("there", [False, True])
def test_the_unfinished_game_is_sought_while_its_file_is_not_read(
    host: Any, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recent, unread = RecentGames(host), tmp_path / "unread.tengen.json"
    recent.load()
    assert (recent.unfinished, recent.sought, [each.id for each in recent.entries]) == (None, False, [2, 3, 1])
    host.settings.unfinished = str(unread)
    if there:
        unread.touch()
    recent = RecentGames(host)
    recent.load()
    for busy, wake in ((True, 0.2), (False, None)):
        monkeypatch.setattr(Library, "busy", busy)
        recent.update()
        assert (recent.sought, recent.wake()) == (there and busy, wake)
    host.settings.unfinished = str(FILES[0])
    recent = RecentGames(host)
    assert recent.wake() == 0.0
    recent.update()
    assert (recent.unfinished, [each.id for each in recent.entries]) == (entry(1), [2, 3])


def test_a_game_to_be_continued_is_opened_as_one(host: Any) -> None:
    recent = RecentGames(host)
    for number in (1, 2, 3):
        recent.open(entry(number))
    assert host.opened == [(screens.play, "record", FILES[0]), FILES[1], FILES[2]]
