"""Renaming, deleting, restoring and exporting saved games; importing, with duplicates and what is said of them."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from games.formats import FormatError, load, load_all, psq, save, sgf, sgf_writer, tengen
from games.library import file_actions
from games.library.file_actions import (
    BadName,
    FilesByGame,
    Imported,
    copy_of,
    delete_expired,
    discard,
    export,
    game_files,
    import_games,
    rename,
    restore,
    trash_home,
)
from games.position import Stones
from games.record import PERSON, GameRecord, Mark, Seat
from games.registry import setup
from games.storage import saves_home
from tests.games.formats_samples import PSQ_EXAMPLE, SGF_COLLECTION
from tests.games.library.games import Open, game


def test_a_game_gets_another_name_and_keeps_its_ending() -> None:
    file = game("2026-11-21 10.05.00 gomoku")
    before = file.read_bytes()
    new = rename(file, "  A fine win. v2  ")
    assert new.name == "A fine win. v2.tengen.json"
    assert new.read_bytes() == before
    assert not file.exists()
    assert rename(new, "A fine win. v2") == new, "the same name is no change"
    assert len(rename(new, "x" * 120).name) == 120 + len(".tengen.json")
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
    files = [game("one"), game("one", folder=saves_home() / "a" / "folder"), game("two")]
    before = {file: file.read_bytes() for file in files}
    removal = discard(files)
    assert [file for file, _ in removal.moved] == files
    assert not removal.failed
    assert not any(file.exists() for file in files)
    (saves_home() / "a" / "folder").rmdir()
    (saves_home() / "a").rmdir()
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


def test_what_was_thrown_away_on_another_file_system_could_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """An `OverflowError` ended the program: no file can be read to as many bytes as there are."""

    def elsewhere(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    file = game("game")
    os.utime(file, (1e9, 1e9))
    data, removal = file.read_bytes(), discard([file])
    monkeypatch.setattr(file_actions, "move_unused", elsewhere)
    number = errno.EACCES
    with pytest.raises(PermissionError):
        restore(removal)
    assert removal.moved[0][1].exists()
    number = errno.EXDEV
    assert restore(removal) == [file]
    assert (file.read_bytes(), file.stat().st_mtime, list(trash_home().iterdir())) == (data, 1e9, [])


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
    delete_expired(time.time() + 29 * day)
    assert removal.moved[0][1].exists()
    delete_expired(time.time() + 31 * day)
    assert list(trash_home().iterdir()) == [other]
    delete_expired()
    other.rmdir()
    trash_home().rmdir()
    delete_expired()


def test_exported_games_never_overwrite(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "game.txt").write_text("mine", encoding="utf-8")
    files = [game("game"), game("game", folder=saves_home() / "folder")]
    shares: list[float] = []
    written, problems = export(files, out, ".txt", on_progress=shares.append)
    assert [file.name for file in written] == ["game 2.txt", "game 3.txt"]
    assert shares == [0.0, 0.5]
    assert problems == []
    assert (out / "game.txt").read_text(encoding="utf-8") == "mine"
    assert load(written[0]).line()[-1].move == 98


def test_an_export_in_the_same_format_is_a_copy(tmp_path: Path) -> None:
    file = game("game")
    file.write_bytes(file.read_bytes().replace(b'"cursor"', b'"of the future": 1, "cursor"'))
    (copy,), _ = export([file], tmp_path / "new folder", ".tengen.json")
    assert copy.read_bytes() == file.read_bytes()


def test_bug_a_file_of_another_kind_than_its_name_says_was_exported_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(PSQ_EXAMPLE, encoding="ascii")
    (written,), failed = export([file], tmp_path / "out", ".sgf")
    assert (failed, sgf.recognises(written.read_bytes()), load(written).position.ply) == ([], True, 3)
    (copied,), failed = export([file], tmp_path / "out", ".psq")
    assert (failed, copied.read_bytes()) == ([], file.read_bytes())


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


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    (tmp_path / "saves").mkdir()
    return tmp_path / "saves"


def game_by_ada(*moves: int, name: str = "Ada", comment: str = "") -> GameRecord:
    record = GameRecord(setup("gomoku"), (Seat(PERSON, name), Seat("level:3")), "2026-05-01T12:00:00")
    for move in moves:
        record.play(move, 1.5)
    record.cursor.comment = comment
    return record


def written(folder: Path, name: str, text: str | bytes) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def imported(saves: Path, *files: Path, known: FilesByGame | None = None) -> Imported:
    return import_games(files, saves, {} if known is None else known)


def test_a_collection_becomes_several_games(saves: Path, tmp_path: Path) -> None:
    file = written(tmp_path, "club.sgf", SGF_COLLECTION)
    games = load_all(file)
    done = imported(saves, file)
    assert len(games) > 1
    assert [path.name for path in done.written] == [f"club {number}.tengen.json" for number in range(1, len(games) + 1)]
    assert [load(path).position for path in done.written] == [record.position for record in games]


def test_the_games_of_a_long_collection_sort_as_they_stood(saves: Path, tmp_path: Path) -> None:
    games = b"".join(sgf_writer.dumps(game_by_ada(move)) for move in range(10))
    files, shares = [written(tmp_path, "a.sgf", games), written(tmp_path, "b.sgf", games[: len(games) // 10])], []
    done = import_games(files, saves, {}, shares.append)
    assert [file.name for file in done.written] == [f"a {number:02}.tengen.json" for number in range(1, 11)]
    assert (done.known, shares) == (1, [0, *(number / 20 for number in range(1, 11)), 0.5, 1.0])


def test_what_is_there_already_is_skipped(saves: Path, tmp_path: Path) -> None:
    file, known = written(tmp_path, "a.sgf", SGF_COLLECTION), FilesByGame()
    first = imported(saves, file, known=known)
    again = imported(saves, file, known=known)
    assert (again.written, again.known) == ([], len(first.written))
    first.written[0].unlink()
    assert len(imported(saves, file, known=known).written) == 1, "it is there no more"
    twice = written(tmp_path, "twice.sgf", sgf_writer.dumps(game_by_ada(112)) * 2)
    done = imported(saves, twice)
    assert (len(done.written), done.known) == (1, 1)


@pytest.mark.parametrize("write", [sgf_writer.dumps, tengen.dumps])
def test_a_game_of_the_library_comes_back_as_what_it_is(
    saves: Path, tmp_path: Path, write: object, opened: Open
) -> None:
    record = game_by_ada(112, 113, 97, comment="a comment")
    record.cursor.marks = (Mark("label", 3, "A"),)
    record.go_to(record.line()[1])
    record.play(0)
    record.go_to(record.root.children[0].children[0].children[0])
    record.resign(0)
    save(record, saves / "played.tengen.json")
    library = opened().files_by_game()
    assert library == {("gomoku", 15, "h8i8h9"): [saves / "played.tengen.json"]}
    data = write(record).replace(b"RE[W+R]", b"RE[W+]")  # type: ignore[operator]
    file = written(tmp_path, "back.sgf" if write is sgf_writer.dumps else "back.tengen.json", data)
    done = imported(saves, file, known=library)
    assert (done.written, done.known) == ([], 1)


@pytest.mark.parametrize(
    "other",
    [game_by_ada(112, 113), game_by_ada(112, 113, 97, name="Eve"), game_by_ada(112, 113, 97, comment="new"),
     GameRecord(setup("gomoku"), stones=Stones(((1,), (2,))))],
)  # fmt: skip
def test_another_game_is_no_duplicate(saves: Path, tmp_path: Path, other: GameRecord) -> None:
    known = FilesByGame()
    for number, record in enumerate((game_by_ada(112, 113, 97), other)):
        save(record, tmp_path / f"{number}.tengen.json")
        assert len(imported(saves, tmp_path / f"{number}.tengen.json", known=known).written) == 1


def test_a_folder_is_imported_with_its_folders(saves: Path, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    written(folder, "b.sgf", sgf_writer.dumps(game_by_ada(112)))
    written(folder / "inner", "a.psq", psq.dumps(game_by_ada(112, 113)))
    written(folder, "c.PSQ", PSQ_EXAMPLE)
    written(folder, "notes.md", "h8")
    written(folder, ".hidden.sgf", SGF_COLLECTION)
    written(folder / ".trash", "d.sgf", SGF_COLLECTION)
    files = game_files(folder)
    assert [file.name for file in files] == ["b.sgf", "c.PSQ", "a.psq"]
    assert len(imported(saves, *files).written) == 3
    assert game_files(folder / "b.sgf") == [folder / "b.sgf"]


def test_of_copies_with_changes_the_newest_stands_for_a_file(saves: Path) -> None:
    record = game_by_ada(112)
    record.origin = "a" * 64
    for day, name in ((1, "z/old"), (3, "a/new"), (2, "z/middle"), (4, ".hidden"), (4, ".folder/hidden")):
        save(record, file := saves / f"{name}.tengen.json")
        os.utime(file, (day, day))
    assert copy_of(record.origin, saves) == saves / "a" / "new.tengen.json"
    assert (copy_of("b" * 64, saves), copy_of(record.origin, saves / "none")) == (None, None)


def test_bad_files_and_what_was_left_out_are_told(saves: Path, tmp_path: Path) -> None:
    files = [written(tmp_path, "bad.sgf", "(;GM[1]SZ[19])"), written(tmp_path, "gone.sgf", "("),
             written(tmp_path, "cut.sgf", "(;GM[4]SZ[15];B[hh];W[hh])"), tmp_path / "missing.sgf"]  # fmt: skip
    done = imported(saves, *files)
    assert [file.name for file, error in done.failed] == ["bad.sgf", "gone.sgf", "missing.sgf"]
    assert all(isinstance(error, FormatError) for _, error in done.failed)
    assert [(file.name, notice.kind) for file, notice in done.notices] == [("cut.sgf", "cut")]
    assert len(done.written) == 1


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    written(tmp_path, "file", "")
    done = import_games([written(tmp_path, "a.sgf", SGF_COLLECTION)], tmp_path / "file", {})
    assert done.written == []
    assert all(isinstance(error, OSError) for _, error in done.failed)


def test_more_properties_than_our_file_can_hold_are_left_out_by_the_reader(saves: Path, tmp_path: Path) -> None:
    names = ("X" + "".join(chr(65 + int(digit)) for digit in f"{number:04}") for number in range(1001))
    odd = written(tmp_path, "odd.sgf", f"(;GM[4]SZ[15]{''.join(f'{name}[a]' for name in names)};B[aa])")
    done = imported(saves, odd, written(tmp_path, "good.sgf", "(;GM[4]SZ[15];B[aa])"))
    assert done.failed == []
    assert [len(load(file).root.extra) for file in done.written] == [1000], "the other one is the same game"


def test_a_full_disk_left_an_empty_game_in_the_library(
    saves: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    done = imported(saves, written(tmp_path, "a.sgf", "(;GM[4]SZ[15];B[aa])"))
    assert ([file.name for file, _ in done.failed], list(saves.iterdir())) == (["a.sgf"], [])


def test_it_can_be_stopped(saves: Path, tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    def on_progress(share: float) -> None:
        shares.append(share)
        if len(shares) > 2:
            raise Stop

    shares: list[float] = []
    with pytest.raises(Stop):
        import_games([written(tmp_path, "a.sgf", SGF_COLLECTION * 5)], saves, {}, on_progress)
    assert shares == sorted(shares)
    assert all(load(file) for file in saves.iterdir())
