"""The library's import and export, in the window."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pygame
import pytest
from PIL import Image

from games.formats import load, load_all, save
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from tests.games.formats_samples import SGF_COLLECTION, SGF_OTHER
from tests.ui.stage import LOOKS, Make, Stage, choose_file
from ui.library.screen import LibraryScreen
from ui.replay.screen import Replay
from ui.toolkit.dialogs import Question
from ui.words.games import level_name

CTRL = pygame.KMOD_LCTRL


def library(made: Stage, games: int = 0) -> LibraryScreen:
    for number in range(games):
        record = GameRecord(setup(("gomoku", "bones")[number % 2]), (Seat(PERSON), Seat(PERSON)), "2026-05-01")
        record.play(number + 1)
        save(record, saves_home() / f"game {number}.tengen.json")
    scene = made.show(LibraryScreen(made.app))
    settled(made, scene)
    return scene


def settled(made: Stage, scene: LibraryScreen) -> None:
    made.until(lambda: not (made.app.jobs.busy or scene.state.games.busy or scene.state.games.changed))


def transfer(made: Stage, key: int, option: str, path: Path) -> None:
    """Choose `option` in the menu that Ctrl and `key` open, then `path` in the dialog."""
    made.press(key, CTRL)
    menu: Any = made.app.overlay
    menu.then(option)
    choose_file(made.app, path)


def test_a_collection_is_imported_and_undone(made: Stage, tmp_path: Path) -> None:
    scene, file = library(made), tmp_path / "club.sgf"
    file.write_text(SGF_COLLECTION.replace(SGF_OTHER, ""), encoding="utf-8")
    count = len(load_all(file))
    transfer(made, pygame.K_i, "file", file)
    settled(made, scene)
    assert f"{count} games imported." in made.app.message[0]
    assert scene.state.games.total == count
    transfer(made, pygame.K_i, "file", file)
    settled(made, scene)
    assert "0 games imported." in made.app.message[0]
    assert f"{count} games were there already" in made.app.message[0]
    made.press(pygame.K_z, CTRL)
    settled(made, scene)
    assert list(saves_home().glob("*.json")) == []
    assert "Import undone" in made.app.message[0]


def test_a_game_of_another_kind_in_a_collection_was_skipped_without_a_word(made: Stage, tmp_path: Path) -> None:
    file = tmp_path / "club.sgf"
    library(made)
    file.write_text(SGF_COLLECTION, encoding="utf-8")
    transfer(made, pygame.K_i, "file", file)
    made.until(lambda: isinstance(made.app.overlay, Question))
    question = made.app.overlay
    assert question.message == "2 games imported.\n\n• “club.sgf”: One more game of the file could not be read."


@pytest.mark.parametrize(("theme", "language"), LOOKS)
def test_bad_files_of_a_folder_are_told_and_not_cut_off(stage: Make, tmp_path: Path, theme: str, language: str) -> None:
    made, folder = stage((960, 640), 100, theme, language), tmp_path / "games"
    folder.mkdir()
    (folder / "good.sgf").write_text("(;GM[4]SZ[15];B[hh];W[ii])")
    (folder / "cut.sgf").write_text("(;GM[4]SZ[15];B[hh];W[hh])")
    for number in range(8):
        (folder / f"2026-11-21 10.05.0{number} a long name of a go game.sgf").write_text("(;GM[1]SZ[19];B[hh])")
    scene = library(made)
    transfer(made, pygame.K_i, "folder", folder)
    made.until(lambda: isinstance(made.app.overlay, Question))
    made.cuts.clear()
    question = made.app.overlay
    lines = question.message.splitlines()
    assert len(lines) == 9, "the numbers, a line between, six lines and how many more"
    assert "2026-11-21" in lines[2]
    question.draw(made.app.surface)
    assert made.cuts == []
    assert made.app.surface.get_rect().contains(question.rect)
    assert question.rect.width == 640
    made.press(pygame.K_RETURN)
    settled(made, scene)
    assert scene.state.games.total == 2


@pytest.mark.parametrize(("files", "lines"), [(6, 6), (7, 7), (8, 7)])
def test_of_many_bad_files_the_first_six_are_told(made: Stage, tmp_path: Path, files: int, lines: int) -> None:
    for number in range(files):
        (tmp_path / f"{number}.sgf").write_text("(;GM[1]SZ[19];B[hh])")
    library(made).state.files.import_from(tmp_path)
    made.until(lambda: isinstance(made.app.overlay, Question))
    assert len(made.app.overlay.message.splitlines()) == 2 + lines


def test_a_folder_that_is_dropped_on_the_library_is_imported(made: Stage, tmp_path: Path) -> None:
    scene = library(made)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "good.sgf").write_text("(;GM[4]SZ[15];B[hh];W[ii])")
    made.app.dispatch(pygame.event.Event(pygame.DROPFILE, file=str(tmp_path / "games")))
    settled(made, scene)
    assert made.app.message[0] == "1 game imported."
    assert scene.state.games.total == 1


@pytest.mark.parametrize("name", ["game.sgf", "GAME.PSQ"])
def test_files_of_other_programs_are_opened_when_dropped(made: Stage, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    library(made)
    file.write_text("(;GM[4]SZ[15];B[hh];W[ii])" if name.endswith("sgf") else "Piskvorky 15x15\n8,8\n9,9\n")
    made.app.dispatch(pygame.event.Event(pygame.DROPFILE, file=str(file)))
    made.until(lambda: isinstance(made.app.scene, Replay))
    assert len(made.app.scene.state.record.line()) == 3  # type: ignore[attr-defined]


def test_a_folder_without_games_is_a_sentence(made: Stage, tmp_path: Path) -> None:
    library(made)
    (tmp_path / "nothing").mkdir()
    transfer(made, pygame.K_i, "folder", tmp_path / "nothing")
    made.until(lambda: not made.app.jobs.busy)
    assert made.app.message[0] == "There is no game in “nothing”."


def test_the_selection_is_exported_as_one_collection(made: Stage, tmp_path: Path) -> None:
    """SGF has no Game of Bones, which is said."""
    scene = library(made, 3)
    made.press(pygame.K_a, CTRL)
    transfer(made, pygame.K_e, "collection", tmp_path / "all.sgf")
    settled(made, scene)
    assert len(load_all(tmp_path / "all.sgf")) == 2
    assert "2 games exported to all.sgf." in made.app.message[0]
    assert "“game 1.tengen.json” was not exported: a file of the type .sgf" in made.app.message[0]


@pytest.mark.parametrize("ending", [".sgf", ".psq", ".tengen.json", ".png"])
def test_the_selection_is_exported_as_files(made: Stage, tmp_path: Path, ending: str) -> None:
    scene, out = library(made, 3), tmp_path / "out"
    out.mkdir()
    made.press(pygame.K_a, CTRL)
    transfer(made, pygame.K_e, ending, out)
    settled(made, scene)
    bones = ending in (".tengen.json", ".png")
    names = [f"game {number}{ending}" for number in range(3) if bones or number != 1]
    assert sorted(file.name for file in out.iterdir()) == names
    if ending == ".png":
        with Image.open(out / "game 0.png") as picture:
            assert picture.size == (720, 720)
    else:
        assert load(out / names[0]).position.ply == 1


def test_only_file_types_that_can_hold_a_selected_game_are_offered(made: Stage) -> None:
    """A game of bones was offered as SGF and PSQ, which failed."""
    scene = library(made, 2)
    games = scene.state.games
    offered = {}
    for number, entry in games.entries.items():
        games.selection.move(games.selection.ids.index(number))
        offered[entry.setup.game] = {ending for ending, _ in scene.state.files.formats()}
    assert {".sgf", ".psq", ".png"} <= offered["gomoku"]
    assert "collection" not in offered["gomoku"], "of one game"
    assert offered["bones"] == {".tengen.json", ".txt", ".png"}
    made.press(pygame.K_a, CTRL)
    assert {".sgf", "collection"} <= {ending for ending, _ in scene.state.files.formats()}


def test_exported_games_have_names_that_a_person_reads(made: Stage, tmp_path: Path) -> None:
    record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2")), "2026-05-01")
    save(record, saves_home() / "game.tengen.json")
    scene = library(made)
    made.press(pygame.K_a, CTRL)
    games = scene.state.games.selected()
    assert len(games) == 1
    scene.state.files.export_files(games, ".sgf", tmp_path)
    settled(made, scene)
    scene.state.files.export_collection_to(games, tmp_path / "all.sgf")
    settled(made, scene)
    for file in tmp_path.glob("*.sgf"):
        assert f"PW[{level_name('gomoku', 2)}]" in file.read_text()


def test_esc_stops_an_import_and_shows_its_games(made: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene, file = library(made), tmp_path / "many.sgf"
    file.write_text("".join(f"(;GM[4]SZ[15];B[{a}{b}])" for a in "abcdefgh" for b in "abcdefghij"))
    monkeypatch.setattr(made.app, "rest", lambda: time.sleep(0.01))
    scene.state.files.import_from(file)
    made.until(lambda: len(list(saves_home().glob("*.json"))) > 3)
    made.press(pygame.K_ESCAPE)
    assert not made.app.jobs.busy
    settled(made, scene)
    left = len(list(saves_home().glob("*.json")))
    assert 3 < left < 80
    assert scene.state.games.total == left


def test_a_collection_of_nothing_writes_nothing(made: Stage, tmp_path: Path) -> None:
    scene = library(made, 2)
    entries = [entry for entry in scene.state.games.library.entries(scene.state.games.selection.ids).values()
               if entry.setup and entry.setup.game == "bones"]  # fmt: skip
    scene.state.files.export_collection_to(entries, tmp_path / "all.sgf")
    settled(made, scene)
    assert not (tmp_path / "all.sgf").exists()
    assert "0 games exported" in made.app.message[0]
