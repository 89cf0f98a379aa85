"""Importing games: collections, folders, duplicates, and what is said of them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from games.formats import FormatError, load, load_all, psq, save, sgf_writer, tengen
from games.library.file_actions import FilesByGame, Imported, game_files, import_games
from games.position import Stones
from games.record import PERSON, GameRecord, Mark, Seat
from games.registry import setup
from tests.games.formats_samples import PSQ_EXAMPLE, SGF_COLLECTION
from tests.games.library.games import Open


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    (tmp_path / "saves").mkdir()
    return tmp_path / "saves"


def game(*moves: int, name: str = "Ada", comment: str = "") -> GameRecord:
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


def test_what_is_there_already_is_skipped(saves: Path, tmp_path: Path) -> None:
    file, known = written(tmp_path, "a.sgf", SGF_COLLECTION), FilesByGame()
    first = imported(saves, file, known=known)
    again = imported(saves, file, known=known)
    assert (again.written, again.known) == ([], len(first.written))
    twice = written(tmp_path, "twice.sgf", sgf_writer.dumps(game(112)) * 2)
    done = imported(saves, twice)
    assert (len(done.written), done.known) == (1, 1)


@pytest.mark.parametrize("write", [sgf_writer.dumps, tengen.dumps])
def test_a_game_of_the_library_comes_back_as_what_it_is(
    saves: Path, tmp_path: Path, write: object, opened: Open
) -> None:
    record = game(112, 113, 97, comment="a comment")
    record.cursor.marks = (Mark("label", 3, "A"),)
    record.go_to(record.line()[1])
    record.play(0)
    record.go_to(record.root.children[0].children[0].children[0])
    record.resign(0)
    save(record, saves / "played.tengen.json")
    library = opened().known()
    assert library == {("gomoku", 15, "h8i8h9"): [saves / "played.tengen.json"]}
    file = written(tmp_path, "back.sgf" if write is sgf_writer.dumps else "back.tengen.json", write(record))  # type: ignore[operator]
    done = imported(saves, file, known=library)
    assert (done.written, done.known) == ([], 1)


@pytest.mark.parametrize(
    "other",
    [game(112, 113), game(112, 113, 97, name="Eve"), game(112, 113, 97, comment="new"),
     GameRecord(setup("gomoku"), stones=Stones(((1,), (2,))))],
)  # fmt: skip
def test_another_game_is_no_duplicate(saves: Path, tmp_path: Path, other: GameRecord) -> None:
    known = FilesByGame()
    for number, record in enumerate((game(112, 113, 97), other)):
        save(record, tmp_path / f"{number}.tengen.json")
        assert len(imported(saves, tmp_path / f"{number}.tengen.json", known=known).written) == 1


def test_a_folder_is_imported_with_its_folders(saves: Path, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    written(folder, "b.sgf", sgf_writer.dumps(game(112)))
    written(folder / "inner", "a.psq", psq.dumps(game(112, 113)))
    written(folder, "c.PSQ", PSQ_EXAMPLE)
    written(folder, "notes.md", "h8")
    written(folder, ".hidden.sgf", SGF_COLLECTION)
    written(folder / ".trash", "d.sgf", SGF_COLLECTION)
    files = game_files(folder)
    assert [file.name for file in files] == ["b.sgf", "c.PSQ", "a.psq"]
    assert len(imported(saves, *files).written) == 3
    assert game_files(folder / "b.sgf") == [folder / "b.sgf"]


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
