"""The program starts and shows its screens whatever lies in its folders, says once what was damaged, and keeps it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pygame
import pytest

from ai.players.opponent import model as store
from ai.review.exercises import Deck, Exercise, exercises
from ai.review.report import run_review
from ai.service.profile import profile_path
from games import storage as damage
from games.formats import save
from games.formats.text import parse
from games.record import GameRecord
from games.registry import setup
from games.storage import MOST_DEEP, cache_home, log_file, log_home, saves_home
from tests.sampling import sampled
from tests.ui.stage import frame, press, until
from ui import screens
from ui.app import App
from ui.exercises.screen import MistakesScreen
from ui.home.screen import Home
from ui.learn import lesson_state as lesson
from ui.parts.ratings import count_after_crash
from ui.system.settings import Settings, dumps, load_settings, settings_path

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and devices of POSIX")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    return tmp_path


@contextmanager
def started() -> Iterator[App]:
    """The window of a new start, at home."""
    app = App(load_settings(), (960, 640))
    try:
        count_after_crash(app)
        app.open(screens.home)
        frame(app, 3)
        yield app
    finally:
        app.scene.close()
        app.close()


def look_around(app: App) -> list[str]:
    """Visit the screens that show what is stored. Return what is said on the way."""
    said = [app.message[0]]
    for screen in (
        screens.mistakes, screens.profile, screens.lessons, screens.library, screens.settings, screens.setup,
        screens.home,
    ):  # fmt: skip
        app.open(screen)
        frame(app, 2)
        if app.message[0] != said[-1]:
            said.append(app.message[0])
    return [sentence for sentence in said if sentence]


def mistakes() -> list[Exercise]:
    found = run_review(parse("b2a1c3c1b1a2a3", setup("tictactoe")), seconds=0.05)
    return exercises(found.record, found.moves, (0, 1))


FILES: dict[str, Callable[[], Path]] = {
    "settings": settings_path,
    "profile": profile_path,
    "lessons": lesson.progress_path,
    "deck": lambda: Deck().file,
    "habits": store.path,
    "index": lambda: cache_home() / "library.sqlite",
    "game": lambda: saves_home() / "a.tengen.json",
    "lock": lambda: settings_path().with_name("window.lock"),
    "letter": lambda: settings_path().parent / "inbox" / "a.letter",
    "log": lambda: log_home() / "tengen.log",
}
"""Everything that is read or opened at a start or by the screens that are visited."""


def _written(data: bytes) -> Callable[[Path], object]:
    return lambda file: file.write_bytes(data)


KINDS: dict[str, Callable[[Path], object]] = {
    "empty": _written(b""),
    "binary": _written(bytes(range(256)) * 20),
    "truncated": _written(b'{"format": "tengen-profile", "version": 1, "results": [{"fi'),
    "list": _written(b"[]"),
    "number": _written(b"1e999"),
    "nested": _written(b'{"a":' * 100_000),
    "utf-16": _written('{"theme": "paper"}'.encode("utf-16")),
    "folder": lambda file: file.mkdir(),
    "pipe": os.mkfifo,
    "device": lambda file: file.symlink_to("/dev/zero"),
    "nowhere": lambda file: file.symlink_to(file.with_name("nowhere") / "else"),
    "circle": lambda file: file.symlink_to(file),
}


@posix
@pytest.mark.parametrize("kind", sampled(list(KINDS), 4))
def test_the_program_starts_whatever_is_in_the_place_of_its_files(kind: str) -> None:
    for place in FILES.values():
        place().parent.mkdir(parents=True, exist_ok=True)
        KINDS[kind](place())
    log_file()
    with started() as app:
        assert isinstance(app.scene, Home)
        look_around(app)
        until(app, lambda: isinstance(app.scene, Home))
    assert load_settings() is not None


@posix
@pytest.mark.parametrize("name", ["settings", "profile", "lessons", "deck"])
@pytest.mark.parametrize("kind", sampled(["binary", "folder", "pipe"], 1))
def test_what_a_person_made_is_said_to_be_damaged_and_kept(name: str, kind: str) -> None:
    file = FILES[name]()
    KINDS[kind](file)
    with started() as app:
        said = look_around(app)
    assert sum(file.name in sentence for sentence in said) == 1, said
    aside = file.with_name(f"{file.stem}.damaged{file.suffix}")
    assert os.path.lexists(aside) or os.path.lexists(file), "nothing is lost"
    kept = aside if os.path.lexists(aside) else file
    assert (kept.is_dir(), kept.is_fifo()) == (kind == "folder", kind == "pipe")
    if kind == "binary":
        assert kept.read_bytes() == bytes(range(256)) * 20


ROWS: list[dict[str, Any]] = [
    {"due": 1e20}, {"due": -1e20}, {"due": float("inf")}, {"due": float("-inf")}, {"due": -1.0}, {"due": "tomorrow"},
    {"due": b"\0"}, {"due": "2026-11-25T12:00:00"}, {"game": "text"}, {"game": b""}, {"game": b"no game"},
    {"game": b'{"format": "tengen"}'}, {"game": b"[" * 100_000}, {"game": 5}, {"key": b"\xff"}, {"solved": "yes"},
    {"solved": 2}, {"solved": 1e20}, {"card": 7.5e300, "due": "x"}, {"card": b"\xff"},
]  # fmt: skip


@pytest.mark.parametrize("change", sampled(ROWS, 5))
def test_a_bad_row_of_the_deck_kept_home_from_opening(change: dict[str, Any]) -> None:
    """Home did not open, or M ended the program."""
    first, *rest = mistakes()
    Deck().add([first, *rest])
    with closing(sqlite3.connect(Deck().file)) as database, database:
        for column, value in change.items():
            database.execute(f"UPDATE exercises SET {column} = ? WHERE key = ?", (value, first.key))
            first = Exercise(value if column == "key" else first.key, first.game)
    with started() as app:
        press(app, pygame.K_m)
        frame(app, 2)
        assert isinstance(app.scene, MistakesScreen)
        assert app.scene.state is not None
        assert app.scene.state.exercise in rest, "the others live"
        assert "exercises.sqlite" in app.message[0]
    assert {each.key for each in Deck().due()} == {each.key for each in rest}
    with closing(sqlite3.connect(Deck().file)) as database:
        assert database.execute("SELECT COUNT(*) FROM damaged").fetchone() == (1,), "it is kept"


_CARD = """{{"card_id": 1, "state": 2, "step": null, "stability": {}, "difficulty": {}, "due": "{}",
    "last_review": "{}"}}"""
_ZONED = "2026-11-25T12:00:00+00:00"
CARDS = [
    '{"state": 9}', "[", "5", '{"a":' * 5000, "NaN",
    *(_CARD.format(stability, "5", _ZONED, _ZONED) for stability in ("NaN", "1e999", "1e300", "-1", "null", "[]")),
    *(_CARD.format("3", difficulty, _ZONED, _ZONED) for difficulty in ("1e20", "0", "null", '"x"')),
    *(_CARD.format("3", "5", due, _ZONED) for due in ("2026-11-25T12:00:00", "0001-01-01T00:00:00+14:00", "later")),
    '{"card_id": 1, "state": 2, "due": "2026-11-25T12:00:00+00:00"}',
    *(_CARD.format("3", "5", _ZONED, last) for last in ("2026-11-24", "", "9999-12-31T23:59:59-14:00")),
]  # fmt: skip


@pytest.mark.parametrize("card", sampled(CARDS, 5))
def test_a_damaged_card_begins_again_and_is_kept(card: str) -> None:
    first, *rest = mistakes()
    Deck().add([first, *rest])
    with closing(sqlite3.connect(Deck().file)) as database, database:
        database.execute("UPDATE exercises SET card = ? WHERE key = ?", (card, first.key))
    Deck().record_answer(first, "good")
    assert first not in Deck().due()
    assert Deck().counts().total == 1 + len(rest)
    with closing(sqlite3.connect(Deck().file)) as database:
        assert database.execute("SELECT card FROM damaged").fetchall() == [(card,)]


def test_the_exercises_of_a_damaged_database_are_saved_as_far_as_they_can_be_read() -> None:
    found = mistakes()
    many = [Exercise(f"{number}", found[0].game) for number in range(200)]
    Deck().add(many)
    data = bytearray(Deck().file.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 4096] = b"\xff" * 4096
    Deck().file.write_bytes(data)
    with started() as app:
        for _ in range(2):  # the second one reads what is left
            press(app, pygame.K_m)
            frame(app, 2)
            app.open(screens.home)
            frame(app, 2)
    left = Deck().due()
    assert 20 < len(left) < 200
    assert all(each.game == found[0].game for each in left)


def test_wrong_settings_are_said_and_a_copy_is_kept() -> None:
    settings_path().write_bytes(dumps(Settings(player_name="Ada")).replace(b'"volume": 70', b'"volume": "loud"'))
    damaged = settings_path().read_bytes()
    with started() as app:
        assert "settings.damaged.json" in app.message[0]
        assert (app.settings.player_name, app.settings.volume) == ("Ada", 70)
    assert settings_path().with_name("settings.damaged.json").read_bytes() == damaged
    with started() as app:
        assert app.message[0] == "", "it is said once"


def test_one_damaged_lesson_leaves_the_others() -> None:
    damaged = b'{"01-game": {"page": 3, "right": [1]}, "02-tree": 5, "03-more": {"page": 1e20}}'
    lesson.progress_path().write_bytes(damaged)
    done = lesson.progress()
    assert (done["01-game"].page, done["01-game"].right) == (3, [1])
    assert "02-tree" not in done
    assert lesson.progress_path().with_name("lessons.damaged.json").read_bytes() == damaged


PATHS = ["x" * 300, "x" * 3000, "a\nb", "\t", "/" * 4000, "/proc/self/mem", "//", "."]


@pytest.mark.parametrize("name", sampled(PATHS, 3))
def test_remembered_paths_may_be_anything(name: str) -> None:
    settings_path().write_bytes(dumps(Settings(unfinished=name, recent=[name], folders=[name])))
    with started() as app:
        look_around(app)
        press(app, pygame.K_o, mod=pygame.KMOD_LCTRL)
        frame(app, 2)


@pytest.fixture
def nested() -> Iterator[None]:
    """1,100 folders among the saved games, one inside of another. pytest could not remove them."""
    saves_home().mkdir()
    here = saves_home()
    for _ in range(1100):
        here /= "a"
        here.mkdir()
    yield
    while here != saves_home():
        for file in here.glob("*.json"):
            file.unlink()
        here.rmdir()
        here = here.parent


@pytest.mark.slow
@posix
@pytest.mark.usefixtures("nested")
def test_a_thousand_nested_folders_kept_the_window_from_opening() -> None:
    save(GameRecord(setup("gomoku")), saves_home() / "shallow.tengen.json")
    inner = saves_home().joinpath(*["a"] * MOST_DEEP)
    save(GameRecord(setup("gomoku")), inner / "deep.tengen.json")
    save(GameRecord(setup("gomoku")), inner / "a" / "too deep.tengen.json")
    with started() as app:
        app.open(screens.library)
        until(app, lambda: "nested too deep" in app.message[0])
        until(app, lambda: len(app.scene.state.games.selection.ids) == 2)


def test_damage_is_reported_once(tmp_path: Path) -> None:
    for _ in range(3):
        damage.report("unreadable", tmp_path / "a", OSError(5, "Input/output error"))
    assert [str(each) for each in damage.new_damage()] == [f"“{tmp_path / 'a'}” cannot be read: Input/output error."]
    assert damage.new_damage() == []


@posix
def test_a_pipe_in_place_of_the_log_kept_the_program_from_starting(home: Path) -> None:
    log_home().mkdir()
    os.mkfifo(log_home() / "tengen.log")
    (log_home() / "tengen 2.log").mkdir()
    assert log_file() == log_home() / "tengen 3.log"
    log_file().touch()
    assert log_file() == log_home() / "tengen 3.log"
