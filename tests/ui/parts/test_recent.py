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

FILES = [Path(f"/games/{number}.tengen.json") for number in range(5)]


def entry(number: int) -> Entry:
    """The first game is unfinished, and the fourth cannot be read."""
    known: Any = {"result": "unfinished" if number == 1 else "won", "problem": OSError() if number == 4 else None}
    seats = Seat(PERSON), Seat("level:1" if number < 3 else PERSON)
    return Entry(FILES[number], 0, 0, setup=setup("bones"), id=number, seats=seats, **known)


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Any:
    library = SimpleNamespace(
        version=1, busy=False, close=bool, count=lambda: 7, search=lambda _: [4, 3, 2, 1],
        find=lambda file: FILES.index(file) if file in FILES else None,
        entries=lambda ids: {number: entry(number) for number in ids},
    )  # fmt: skip
    monkeypatch.setattr("ui.parts.recent.GameLibrary", lambda **_: library)
    settings, opened = SimpleNamespace(unfinished="", recent=[str(FILES[2])]), list[Any]()
    return SimpleNamespace(
        settings=settings, library=library, wake=bool, rest=None, opened=opened, open_file=opened.append,
        read_game=lambda file, then: then(SimpleNamespace(record="record")), open=lambda *what: opened.append(what),
    )  # fmt: skip


def test_games_used_last_come_first_and_then_the_newest(host: Any) -> None:
    games = LibraryGames(host)
    assert (games.busy, games.changed) == (False, True)
    assert [[each.id for each in games.recent(most)] for most in (1, 3, 9)] == [[2], [2, 4, 3], [2, 4, 3, 1]]
    assert not games.changed
    games.search(SimpleNamespace())  # type: ignore[arg-type]
    assert (games.total, list(games.selection.ids), games.current()) == (7, [4, 3, 2, 1], None)
    assert (games.find(FILES[2]), games.find(Path("other"))) == (True, False)
    games.load(range(2))
    assert (games.current(), sorted(games.entries)) == (entry(2), [2, 3, 4])
    assert [each.id for each in games.selected()] == [2]


@pytest.mark.parametrize("there", [False, True])
def test_the_unfinished_game_is_sought_while_its_file_is_not_read(host: Any, there: bool, tmp_path: Path) -> None:
    unread, recent = tmp_path / "unread.tengen.json", RecentGames(host)
    if there:
        unread.touch()
    host.settings.unfinished = str(unread)
    assert recent.wake() == 0.0
    recent.load()
    assert (recent.unfinished, recent.sought, [each.id for each in recent.entries]) == (None, there, [2, 3, 1])
    for busy, wake in ((True, 0.2), (False, None)):
        host.library.busy = busy
        recent.update()
        assert (recent.sought, recent.wake()) == (there and busy, wake)


def test_the_unfinished_game_is_apart_and_one_with_one_person_is_continued(host: Any) -> None:
    host.settings.unfinished, recent = str(FILES[1]), RecentGames(host)
    recent.update()
    assert (recent.unfinished, [each.id for each in recent.entries]) == (entry(1), [2, 3])
    for number in (1, 2, 3):
        recent.open(entry(number))
    assert host.opened == [(screens.play, "record", FILES[1]), FILES[2], FILES[3]]
