from __future__ import annotations

import time
from pathlib import Path

import pytest

from games.formats import FormatError, load
from games.library.file_actions import BadName, discard, empty_old, export, rename, restore, trash_home
from games.storage import saves_home
from tests.games.library.games import game


def test_a_game_gets_another_name_and_keeps_its_ending() -> None:
    file = game("2026-11-21 10.05.00 gomoku")
    before = file.read_bytes()
    new = rename(file, "  A fine win. v2  ")
    assert new.name == "A fine win. v2.tengen.json"
    assert new.read_bytes() == before
    assert not file.exists()
    assert rename(new, "A fine win. v2") == new, "the same name is no change"
    text = game("text").replace(saves_home() / "notes.TXT")
    assert rename(text, "第一局").name == "第一局.TXT"


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("", "empty"), ("   ", "empty"), (".hidden", "characters"), ("a/b", "characters"), ("..", "characters"),
        ("a\\b", "characters"), ("what?", "characters"), ("tab\there", "characters"), ("end.", "characters"),
        ("CON", "characters"), ("com1.game", "characters"), ("x" * 121, "long"), ("taken", "taken"),
        ("漢" * 120, "long"), ("half \ud800", "text"),
    ],
)  # fmt: skip
def test_a_bad_name_changes_nothing(title: str, reason: str) -> None:
    file, taken = game("game"), game("taken")
    with pytest.raises(BadName) as caught:
        rename(file, title)
    assert caught.value.reason == reason
    assert sorted(saves_home().iterdir()) == sorted([file, taken])


def test_what_is_thrown_away_comes_back_to_where_it_was() -> None:
    files = [game("one"), game("one", folder=saves_home() / "folder"), game("two")]
    before = {file: file.read_bytes() for file in files}
    removal = discard(files)
    assert [file for file, _ in removal.moved] == files
    assert not removal.failed
    assert not any(file.exists() for file in files)
    assert len(list(trash_home().rglob("*.tengen.json"))) == 3
    assert sorted(restore(removal)) == sorted(files)
    assert {file: file.read_bytes() for file in files} == before
    assert list(trash_home().iterdir()) == [], "and leaves nothing behind"


def test_a_name_that_was_taken_meanwhile_is_left_to_who_has_it() -> None:
    file = game("game")
    removal = discard([file])
    file.write_text("another", encoding="utf-8")
    (back,) = restore(removal)
    assert back.name == "game 2.tengen.json"
    assert file.read_text(encoding="utf-8") == "another"


def test_what_cannot_be_thrown_away_is_told_and_the_rest_goes() -> None:
    file, missing = game("game"), saves_home() / "missing.tengen.json"
    removal = discard([missing, file])
    assert [path for path, _ in removal.failed] == [missing]
    assert removal.failed[0][1]
    assert not file.exists()


def test_the_trash_is_emptied_of_what_is_older_than_thirty_days() -> None:
    removal = discard([game("game")])
    other = trash_home() / "not ours"
    other.mkdir()
    day = 86_400
    empty_old(time.time() + 29 * day)
    assert removal.moved[0][1].exists()
    empty_old(time.time() + 31 * day)
    assert list(trash_home().iterdir()) == [other]
    empty_old()
    other.rmdir()
    trash_home().rmdir()
    empty_old()


def test_exported_games_never_overwrite(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "game.txt").write_text("mine", encoding="utf-8")
    files = [game("game"), game("game", folder=saves_home() / "folder")]
    written, problems = export(files, out, ".txt")
    assert [file.name for file in written] == ["game 2.txt", "game 3.txt"]
    assert problems == []
    assert (out / "game.txt").read_text(encoding="utf-8") == "mine"
    assert load(written[0]).line()[-1].move == 98


def test_an_export_in_the_same_format_is_a_copy(tmp_path: Path) -> None:
    file = game("game")
    file.write_bytes(file.read_bytes().replace(b'"cursor"', b'"of the future": 1, "cursor"'))
    (copy,), _ = export([file], tmp_path / "new folder", ".tengen.json")
    assert copy.read_bytes() == file.read_bytes()


def test_what_cannot_be_exported_is_told_and_the_rest_goes(tmp_path: Path) -> None:
    bad = saves_home() / "bad.tengen.json"
    good = game("game")
    bad.write_text("no", encoding="utf-8")
    for ending in (".txt", ".tengen.json"):
        written, problems = export([bad, good], tmp_path / ending, ending)
        assert [file.name for file in written] == [f"game{ending}"]
        assert [file for file, _ in problems] == [bad]
        assert isinstance(problems[0][1], FormatError)
    (tmp_path / "file").write_text("", encoding="utf-8")
    written, problems = export([good], tmp_path / "file", ".txt")
    assert written == []
    assert len(problems) == 1


def test_a_failure_leaves_no_reserved_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = game("game")
    with pytest.raises(FileNotFoundError):
        rename(file.with_name("gone.tengen.json"), "new")
    (damaged := file.with_name("damaged.tengen.json")).write_bytes(b"no game")
    written, failed = export([damaged], tmp_path / "out", ".txt")
    assert (written, len(failed)) == ([], 1)
    assert not (tmp_path / "out").exists()
    assert sorted(saves_home().iterdir()) == [damaged, file]
