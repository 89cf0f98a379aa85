from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pygame
import pytest

from ai.service.profile import Profile, load_profile, profile_path
from ai.system.threads import processors
from ui.system.settings import (
    LONGEST_NAME,
    MEMORY_MB,
    NewGame,
    Settings,
    clean_name,
    default_new_game,
    dumps,
    load_settings,
    loads,
    settings_path,
    split_names,
)
from ui.system.window import remembered_size


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    return tmp_path


def test_defaults_where_nothing_was_saved() -> None:
    assert load_settings() == Settings()


def test_a_newcomer_finds_the_settings_so() -> None:
    assert {name: value for name, value in asdict(Settings()).items() if value} == {
        "wood": "kaya", "stones": "shell", "coordinates": True, "thinking": True, "sound": True, "volume": 70,
        "book": True, "threads": 1, "memory_mb": 64, "board_names": ("", ""), "width": 1280, "height": 800,
        "study_tab": "moves", "analysis_lines": 3,
    }  # fmt: skip
    assert asdict(default_new_game("gomoku")) == {
        "size": 15, "rule": "freestyle", "players": ("person", "level:2"), "seconds": (2.0, 2.0), "clock": "",
        "teaching": False, "opening": "", "divisors": (1, 1),
    }  # fmt: skip
    settings = Settings()
    settings.remember_file(Path("a"))
    settings.remember_database(Path("b"))
    settings.remember_folder(Path("c"))
    assert (settings.recent, settings.databases, settings.database, settings.folders) == (["a"], ["b"], "b", ["c"])
    assert Settings().recent == []


LIMITS: list[tuple[str, Any, Any]] = [
    ("scale", 80, 200), ("volume", 0, 100), ("memory_mb", 16, 1024), ("width", 960, 16_384), ("height", 640, 16_384),
    ("threads", 1, processors()), ("left", -100_000, 100_000), ("top", -100_000, 100_000), ("analysis_lines", 1, 10),
    ("displays", "", "x" * 1000), ("study_tab", "", "x" * 20), ("cluster", "", "x" * 200),
]  # fmt: skip


@pytest.mark.parametrize(("key", "least", "most"), LIMITS)
def test_a_value_at_its_limit_is_kept_and_one_beyond_is_not(key: str, least: Any, most: Any) -> None:
    for limit, step in ((least, -1), (most, 1)):
        beyond = limit + step if isinstance(limit, int) else limit + "x"
        values = [limit, beyond] if limit or step > 0 or key == "volume" else [limit]
        kept = [getattr(loads(json.dumps({key: value}).encode()), key) for value in values]
        assert kept[0] == limit
        assert beyond not in kept


def test_an_engine_is_given_twice_the_memory_by_each_step_and_names_have_their_lengths() -> None:
    assert tuple(2**power for power in range(4, 11)) == MEMORY_MB
    assert split_names("x" * 401) == ["x" * 400]
    assert split_names("Ada,Bo;Cy\uff0cAda\tLu") == ["Ada", "Bo", "Cy", "Ada Lu"]
    assert clean_name("y" * 25) == "y" * 24


NEW_LIMITS = [
    ("size", 0, 15), ("size", 19, 19), ("seconds", [0.01, 3600], (0.01, 3600)), ("seconds", [0.009, 1], (2.0, 2.0)),
    ("opening", "x" * 20, "x" * 20), ("opening", "x" * 21, ""), ("rule", "x" * 201, "freestyle"),
    ("players", ["p" * 200] * 2, ("p" * 200,) * 2), ("players", ["p" * 201, ""], ("person", "level:2")),
    ("seconds", [1, 3601], (2.0, 2.0)), ("divisors", [8, 1], (8, 1)), ("clock", "5+3", "5+3"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "kept"), NEW_LIMITS)
def test_a_set_up_has_limits(key: str, value: Any, kept: Any) -> None:
    assert getattr(loads(json.dumps({"new_game": {"gomoku": {key: value}}}).encode()).new_game["gomoku"], key) == kept


def test_settings_of_a_megabyte_are_read_and_larger_ones_are_damaged() -> None:
    for size, theme in ((2**20, "paper"), (2**20 + 1, "")):
        settings_path().write_bytes(b'{"theme": "paper"}'.ljust(size))
        assert load_settings().theme == theme


def test_what_was_saved_comes_back() -> None:
    chosen = Settings(theme="paper", language="zh", scale=150, motion="off", recent=["a", "b"])
    chosen.new_game["gomoku"] = NewGame(19, "freestyle", ("alphabeta", "person"), (0.5, 30.0), "5+3")
    settings_path().write_bytes(dumps(chosen))
    assert load_settings() == chosen
    assert list(settings_path().parent.iterdir()) == [settings_path()], "nothing is damaged"


@pytest.mark.parametrize(("names", "expected"), [
    (["Ada", 7, None, "Bo, Ada", "\x00\n", " "], ["Ada", "Bo"]), ("Ada", []), (None, []), ({}, []),
    (["x" * 10_000], []),
])  # fmt: skip
def test_names_that_are_none_are_left_out(names: object, expected: list[str]) -> None:
    settings_path().write_text(json.dumps({"names": names}), encoding="utf-8")
    assert load_settings().names == expected


@pytest.mark.parametrize(("names", "expected"), [
    (["Ada", " Bo\n"], ("Ada", "Bo")), (["x" * 200, ""], ("x" * LONGEST_NAME, "")), (["Ada"], ("", "")),
    (["Ada", 7], ("", "")), ("Ada", ("", "")), (None, ("", "")), ({}, ("", "")),
])  # fmt: skip
def test_names_of_two_people_that_are_none_are_left_out(names: object, expected: tuple[str, str]) -> None:
    settings_path().write_text(json.dumps({"board_names": names, "player_name": "Cleo"}), encoding="utf-8")
    settings = load_settings()
    assert (settings.board_names, settings.player_name) == (expected, "Cleo")


DAMAGE = (b"", b"{", b"[]", b"\xff\xfe", b"null", b"7", b"NaN", b"9" * 5000, b"[" * 100_000)


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_settings_are_set_aside(damage: bytes, caplog: pytest.LogCaptureFixture) -> None:
    settings_path().write_bytes(damage)
    assert load_settings() == Settings()
    assert not settings_path().exists()
    assert settings_path().with_suffix(".damaged.json").read_bytes() == damage
    assert [record.name for record in caplog.records] == ["games.storage"], "it is said once"


@pytest.mark.skipif(os.name != "posix", reason="named pipes of POSIX")
def test_a_pipe_in_place_of_settings_and_profile_blocks_no_start() -> None:
    for path in (settings_path(), profile_path()):
        os.mkfifo(path)
    assert load_settings() == Settings()
    assert load_profile() == (Profile(), False)


KEPT = {"theme": "paper", "motion": "off", "player_name": "Ada"}
NEW = {"size": 19, "rule": "renju", "players": ["person", "level:3"], "seconds": [5.0, 7.0], "clock": "5+3"}
HUGE = 10**399

WRONG: list[tuple[str, Any]] = [
    ("theme", 3), ("scale", HUGE), ("scale", 150.0), ("scale", -HUGE), ("motion", 1), ("memory_mb", float("nan")),
    ("left", HUGE), ("top", float("-inf")), ("width", float("nan")), ("displays", "x" * 2000), ("language", None),
    ("unfinished", "/games/\ud800.tengen.json"), ("unfinished", "/games/a\0b"), ("unfinished", ["a"]),
    ("recent", "a"), ("recent", {"a": 1}), ("new_game", [1]), ("new_game", {"gomoku": 1, "chess": NEW}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), WRONG)
def test_a_wrong_value_is_its_default_and_the_others_are_kept(key: str, value: Any) -> None:
    settings_path().write_text(json.dumps({**KEPT, key: value}))
    expected = {**{name: getattr(Settings(), name) for name in (key,)}, **{k: v for k, v in KEPT.items() if k != key}}
    loaded = load_settings()
    assert {name: getattr(loaded, name) for name in expected} == expected
    assert dumps(loaded)


def test_a_number_of_thousands_of_digits_is_one_wrong_value() -> None:
    digits = b"9" * 5000
    settings_path().write_bytes(b'{"theme": "paper", "scale": %b, "width": %b, "volume": -%b}' % ((digits,) * 3))
    loaded = load_settings()
    assert (loaded.theme, loaded.scale, loaded.width, loaded.volume) == ("paper", 0, 16_384, 0)


WRONG_NEW: list[tuple[str, Any]] = [
    ("size", 15.0), ("size", HUGE), ("size", 21), ("size", True), ("rule", "swap2"), ("rule", ["renju"]),
    ("players", ["person", "x" * 201]), ("players", ["person"]), ("players", None), ("seconds", [float("nan"), 1.0]),
    ("seconds", [1.0, float("inf")]), ("seconds", [-1.0, 1.0]), ("seconds", [1.0, HUGE]), ("seconds", [1.0]),
    ("divisors", [1, 3]), ("divisors", [2]), ("divisors", 2), ("divisors", None),
    *(("clock", clock) for clock in ("0+0", "5", 3, None, ["5+3"])),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), WRONG_NEW)
def test_a_wrong_value_of_a_set_up_is_its_default_and_the_others_are_kept(key: str, value: Any) -> None:
    settings_path().write_text(json.dumps({**KEPT, "new_game": {"gomoku": {**NEW, key: value}}}))
    loaded = load_settings()
    right = NewGame(19, "renju", ("person", "level:3"), (5.0, 7.0), "5+3")
    default = getattr(default_new_game("gomoku"), key)
    assert loaded.new_game["gomoku"] == replace(right, **{key: default})
    assert loaded.player_name == "Ada"


def test_of_the_recent_files_those_stay_whose_names_are_some() -> None:
    settings_path().write_text(json.dumps({"recent": ["a", 3, None, "\ud800", "b\0", "caf\udce9", "x" * 5000]}))
    assert load_settings().recent == ["a", "caf\udce9"]


def test_values_out_of_range_fall_back_one_by_one_or_come_back_into_it() -> None:
    data = {"theme": "neon", "language": "xx", "scale": 999, "width": 10, "motion": "off", "of_the_future": 1}
    data |= {"volume": 900, "threads": 10_000, "memory_mb": 100, "player_name": "\ud800 A\nda" + "x" * 100}
    settings_path().write_text(json.dumps(data))
    loaded = load_settings()
    assert (loaded.theme, loaded.language, loaded.scale, loaded.width) == ("", "", 0, 960)
    assert (loaded.motion, loaded.volume, loaded.threads, loaded.memory_mb) == ("off", 100, processors(), 64)
    assert loaded.player_name.startswith("A dax")
    assert len(loaded.player_name) == LONGEST_NAME


def test_a_recent_file_whose_name_is_no_text_is_remembered() -> None:
    settings = Settings(player_name="甲")
    settings.remember_file(Path("/games/caf\udce9.tengen.json"))
    settings_path().write_bytes(dumps(settings))
    assert load_settings() == settings


def test_recent_files_are_few_and_the_newest_first() -> None:
    settings = Settings()
    for name in [*map(str, range(20)), "3"]:
        settings.remember_file(Path(name))
    assert settings.recent[:2] == ["3", "19"]
    assert len(settings.recent) == 12
    assert len(set(settings.recent)) == 12


# The size of the window.


Size = tuple[int, int]


@pytest.mark.parametrize(("display", "wanted", "displays", "opened"), [
    ((1366, 768), (1280, 800), "", (1280, 691)), ((1366, 768), (3000, 1900), "3840x2160", (1366, 691)),
    ((800, 600), (1280, 800), "", (960, 640)), ((1920, 1080), (1280, 800), "3840x2160", (1280, 800)),
    ((1366, 768), (1366, 740), "1366x768", (1366, 740)), ((1366, 768), (3000, 1900), "1366x768", (1366, 691)),
])  # fmt: skip
def test_a_remembered_window_fits_another_display(
    monkeypatch: pytest.MonkeyPatch, display: Size, wanted: Size, displays: str, opened: Size
) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [display])
    settings = Settings(width=wanted[0], height=wanted[1], displays=displays)
    assert remembered_size(settings) == opened
