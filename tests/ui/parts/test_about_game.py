"""The page on a game, the encoding of its file, the notes of its annotator, and its copy in the library."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pygame
import pytest

from games.formats import load, save, sgf
from games.record import About, GameRecord
from games.registry import setup
from games.storage import saves_home
from tests.ui.scenes import long_game
from tests.ui.stage import Make, Stage, part
from ui import screens
from ui.library.screen import LibraryScreen
from ui.parts.about_game import AboutGame, AboutGameForm
from ui.parts.players import Players
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.toolkit.dialogs import Menu

CTRL = pygame.KMOD_LCTRL
SGF = (
    "(;GM[4]SZ[15]PB[Жуков]PW[Белов]EV[Кубок];B[hh]C[начало]TE[2];W[ii]BM[2]GB[2](;B[gg]C[главный])(;B[jh]C[другой]))"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of another program, in cp1251, which does not say so."""
    made = tmp_path / "elsewhere" / "game.sgf"
    made.parent.mkdir()
    made.write_bytes(SGF.encode("cp1251"))
    return made


def opened(made: Stage, file: Path) -> Any:
    made.app.open(screens.home)
    made.frame()
    made.app.open_file(file)
    made.until(lambda: isinstance(made.app.scene, Replay))
    return made.app.scene


def copies() -> list[str]:
    return sorted(each.name for each in saves_home().iterdir()) if saves_home().exists() else []


def typed(made: Stage, field: str, text: str) -> None:
    """Replace what is in a field of the page."""
    line = made.app.scene.widgets.elements[field]
    made.app.scene.widgets.focus = field
    line.select(0, len(line.text))
    made.write(text)


# The page.


def test_what_is_said_of_a_game_is_shown_changed_and_saved(made: Stage, tmp_path: Path) -> None:
    path, record = tmp_path / "game.tengen.json", long_game(plies=4)
    record.about = About(event="Cup", ranks=("3d", ""))
    save(record, path)
    replay = opened(made, path)
    made.press(pygame.K_d, CTRL)
    made.until(lambda: isinstance(made.app.scene, AboutGame))
    elements = made.app.scene.widgets.elements
    assert (elements["event"].text, elements["ranks0"].text, elements["place"].text) == ("Cup", "3d", "")
    for field, text in {
        "event": "Meijin", "place": "京都", "teams1": "Eesti", "name0": "Ada", "date": "2026-11-26", "note": "One\nTwo",
    }.items():
        typed(made, field, text)
    made.app.scene.widgets.leave_focus()
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is replay
    kept = load(path)
    assert kept.about == About(event="Meijin", place="京都", ranks=("3d", ""), teams=("", "Eesti"), note="One\nTwo")
    assert (kept.names[0], kept.date) == ("Ada", "2026-11-26")
    made.press(pygame.K_z, CTRL)
    made.app.files.settle()
    assert load(path).about == record.about, "all that was typed at once is taken back at once"


def test_what_is_typed_is_stored_after_a_pause_and_not_letter_by_letter(made: Stage) -> None:
    record = GameRecord(setup("tictactoe"))
    made.show(Play(made.app, record))
    made.app.scene.state.choose(4)
    made.press(pygame.K_d, CTRL)
    made.until(lambda: isinstance(made.app.scene, AboutGame))
    form, soon = part(made.app.scene, AboutGameForm), time.monotonic()
    typed(made, "event", "Cup")
    form.update(soon)
    due = soon + form.wake(soon)
    assert due > soon
    form.update((soon + due) / 2)
    assert record.about.event == "", "more may be typed"
    form.update(due)
    assert record.about.event == "Cup"
    form.update(due)
    assert form.wake(due) is None, "it is stored once"


def test_the_page_of_a_game_that_is_played_keeps_who_plays(made: Stage) -> None:
    record = GameRecord(setup("tictactoe"))
    made.show(Play(made.app, record))
    made.app.scene.state.choose(4)
    made.press(pygame.K_d, CTRL)
    made.until(lambda: isinstance(made.app.scene, AboutGame))
    assert "name0" not in made.app.scene.widgets.elements
    typed(made, "event", "Friday")
    made.app.scene.go_back()
    made.until(lambda: isinstance(made.app.scene, Play))
    assert load(saves_home() / copies()[0]).about.event == "Friday"


def test_an_event_was_not_found_in_the_library(made: Stage) -> None:
    for number, event in enumerate(("Meijin", "Oza")):
        record = long_game(plies=3 + number)
        record.about = About(event=event, annotator=f"Ada{number}")
        save(record, saves_home() / f"{number}.tengen.json")
    library = made.show(LibraryScreen(made.app))
    made.until(lambda: library.wake(0.0) is None)
    for word, found in (("oza", ["1"]), ("meijin", ["0"]), ("ada", ["0", "1"])):
        library.state.search(word)
        made.frame()
        assert sorted(entry.name for entry in map(library.state.games.library.entries(
            library.state.games.selection.ids).get, library.state.games.selection.ids)) == found
    library.state.search("oza")
    made.until(lambda: library.wake(0.0) is None)
    made.press(pygame.K_d, CTRL)
    made.until(lambda: isinstance(made.app.scene, AboutGame))
    assert made.app.scene.widgets.elements["event"].text == "Oza"


# The encoding.


def chosen(made: Stage, encoding: str) -> None:
    made.click(made.app.scene.places()["encoding"])
    assert isinstance(made.app.overlay, Menu)
    made.click(made.app.overlay.places()[encoding])
    made.until(lambda: made.app.overlay is None and not made.app.jobs.busy)


def test_a_person_chooses_another_encoding_than_the_one_that_was_guessed(made: Stage, file: Path) -> None:
    made.app.encodings[file.absolute()] = "cp1252"
    replay = opened(made, file)
    record = replay.state.record
    assert record.names[0] != "Жуков"
    chosen(made, "cp1251")
    assert (record.names, record.about.event) == (("Жуков", "Белов"), "Кубок")
    assert [node.comment for node in record.nodes()] == ["", "начало", "", "главный", "другой"]
    assert "Cyrillic (cp1251)" in made.app.message[0]
    chosen(made, "cp1252")
    assert replay.state.encoding.name == "cp1252"
    chosen(made, "cp1251")
    assert copies() == [], "reading is no change"
    assert opened(made, file).state.record.names == ("Жуков", "Белов"), "it is remembered"


def test_changes_made_before_another_encoding_is_chosen_stay(made: Stage, file: Path) -> None:
    made.app.encodings[file.absolute()] = "cp1252"
    replay = opened(made, file)
    record = replay.state.record
    replay.state.choose(0)
    first = record.root.children[0]
    replay.state.edits.comment(first.children[0], "mine")
    replay.state.changed()
    chosen(made, "cp1251")
    made.app.files.settle()
    kept = load(saves_home() / copies()[0])
    assert kept.names == ("Жуков", "Белов")
    assert [node.comment for node in kept.nodes()].count("mine") == 1
    assert 0 in [child.move for child in kept.root.children]
    assert len(copies()) == 1


@pytest.mark.parametrize("edited", [True, False])
def test_a_reading_with_other_moves_opens_the_file_again_and_keeps_the_changes_in_the_copy(
    made: Stage, tmp_path: Path, edited: bool
) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;GM[4]SZ[15];B[hh]C[\x95];W[ii]C[z];B[gg])")
    made.app.encodings[path.absolute()] = "cp1252"
    replay = opened(made, path)
    if edited:
        replay.state.choose(0)
    chosen(made, "cp932")  # the bracket is half of a character
    made.until(lambda: made.app.scene is not replay)
    assert "other moves" in made.app.message[0]
    assert ("Your changes are in the library" in made.app.message[0]) == edited
    assert len(list(made.app.scene.state.record.nodes())) != 5
    assert made.app.scene.state.file.path == path
    kept = [load(saves_home() / name).root for name in copies()]
    assert [0 in [child.move for child in root.children] for root in kept] == [True] * edited


def test_the_page_and_the_menu_offer_encodings_also_later(made: Stage, file: Path) -> None:
    replay = opened(made, file)
    assert "encoding" in [entry.name for entry in replay.entries()]
    made.press(pygame.K_d, CTRL)
    made.until(lambda: isinstance(made.app.scene, AboutGame))
    made.choose("encoding", "cp1252")
    made.until(lambda: made.app.overlay is None and not made.app.jobs.busy)
    assert made.app.scene.widgets.elements["name0"].text == "Æóêîâ"
    assert made.app.scene.widgets.elements["encoding"].text == "Western (cp1252)"


def test_what_was_typed_just_before_another_encoding_was_chosen_brought_the_garbled_texts_back(
    made: Stage, file: Path
) -> None:
    made.app.encodings[file.absolute()] = "cp1252"
    record = opened(made, file).state.record
    made.press(pygame.K_d, CTRL)
    made.until(lambda: isinstance(made.app.scene, AboutGame))
    typed(made, "title", "Final")
    made.choose("encoding", "cp1251")
    made.until(lambda: made.app.overlay is None and not made.app.jobs.busy)
    made.app.scene.close()
    assert (record.names, record.about) == (("Жуков", "Белов"), About(title="Final", event="Кубок"))


def test_a_choice_of_an_encoding_that_was_undone_came_back_with_the_next_edit(made: Stage, file: Path) -> None:
    study, known = opened(made, file).state, made.app.encodings
    study.choose(0)
    chosen(made, "cp1252")
    study.choose(1)
    chosen(made, "utf-8")
    seen = [(study.encoding.name, known.get(file.absolute()), study.record.about.event)]
    for _ in range(4):  # edits and choices
        study.undo()
        study.choose(2)
        seen.append((study.encoding.name, known.get(file.absolute()), study.record.about.event))
        study.undo()
    assert seen == [
        ("utf-8", "utf-8", "\ufffd" * 5), *2 * [("cp1252", "cp1252", "Êóáîê")], *2 * [("cp1251", None, "Кубок")],
    ]  # fmt: skip


def test_files_of_ours_have_no_encoding_to_choose(made: Stage, tmp_path: Path) -> None:
    save(long_game(plies=4), tmp_path / "game.tengen.json")
    replay = opened(made, tmp_path / "game.tengen.json")
    assert "encoding" not in [entry.name for entry in replay.entries()]
    assert "encoding" not in replay.places()


# One study in the library.


def in_library(made: Stage) -> list[str]:
    library = made.show(LibraryScreen(made.app))
    made.until(lambda: library.wake(0.0) is None)
    games = library.state.games
    assert games.total == len(games.selection.ids)
    return sorted(entry.path.name for entry in games.library.entries(games.selection.ids).values())


@pytest.mark.parametrize("inside", [False, True])
def test_the_same_study_was_three_times_in_the_library(made: Stage, file: Path, inside: bool) -> None:
    if inside:
        saves_home().mkdir()
        file = file.rename(saves_home() / file.name)
    opened(made, file).state.choose(0)
    made.app.files.settle()
    again = opened(made, file)
    assert 0 in [child.move for child in again.state.record.root.children], "with the changes"
    assert "game.tengen.json" in made.app.message[0]
    again.state.choose(1)
    made.app.files.settle()
    assert in_library(made) == ["game.tengen.json"]
    kept = load(saves_home() / "game.tengen.json")
    assert [child.move for child in kept.root.children] == [112, 0] or 0 in [c.move for c in kept.root.children]


def test_a_file_that_has_changed_since_is_no_longer_what_the_copy_was_made_of(made: Stage, file: Path) -> None:
    opened(made, file).state.choose(0)
    made.app.files.settle()
    file.write_bytes(SGF.replace("B[gg]", "B[gh]").encode("cp1251"))
    again = opened(made, file)
    assert len(list(again.state.record.nodes())) == 5, "as it is now"
    assert in_library(made) == ["game.sgf", "game.tengen.json"]


def test_a_copy_that_nobody_asked_for_goes_when_the_study_is_saved_elsewhere(made: Stage, file: Path) -> None:
    replay = opened(made, file)
    replay.state.choose(0)
    made.app.files.settle()
    replay.state.file.save_to(saves_home() / "My study.tengen.json")
    made.app.files.settle()
    made.frame()
    replay.state.choose(1)
    made.app.files.settle()
    assert copies() == ["My study.tengen.json"]
    assert in_library(made) == ["My study.tengen.json"]


# Comments, signs and clocks.


def test_a_file_with_comments_opens_on_its_moves(made: Stage, file: Path, tmp_path: Path) -> None:
    made.app.settings.study_tab = "review"
    assert opened(made, file).state.tab == "moves"
    assert made.app.settings.study_tab == "review", "which a person has chosen"
    plain = tmp_path / "plain.sgf"
    plain.write_text("(;GM[4]SZ[15];B[hh];W[ii])")
    assert opened(made, plain).state.tab == "review"


def test_a_comment_had_five_lines_at_most(stage: Make) -> None:
    made = stage((1280, 800))
    comments = "short", "A long comment. " * 14, "x " * 9999
    record = sgf.loads("(;GM[4]SZ[15];B[hh]C[{}];W[ii]C[{}];B[gg]C[{}])".format(*comments).encode())
    replay = made.show(Replay(made.app, record, tab="moves"))
    high = []
    for _ in range(3):
        made.press(pygame.K_RIGHT)
        made.frame(2)
        high.append(replay.widgets.elements["comment"].rect.height)
    assert high[0] < high[1] < high[2]
    assert high[2] < made.app.size[1] // 3, "it scrolls, and the tree has room"


def test_the_signs_of_an_annotator_are_beside_the_comment(made: Stage, file: Path) -> None:
    made.app.encodings[file.absolute()] = "cp1251"
    replay = opened(made, file)
    made.press(pygame.K_RIGHT)
    made.frame()
    assert any("!! Very good move" in text for text in replay.widgets.texts)
    made.press(pygame.K_RIGHT)
    made.frame()
    assert any("?? Very bad move · Black is much better" in text for text in replay.widgets.texts)


def test_clocks_stood_at_zero_where_a_file_has_no_times(made: Stage, file: Path) -> None:
    times = [time.text for time in part(opened(made, file), Players).times()]
    assert times == ["", ""]
    record = long_game(plies=4)
    for node in record.nodes():
        node.seconds = None if node.parent is None else 3.0
    replay = made.show(Replay(made.app, record))
    assert [time.text for time in part(replay, Players).times()] == ["0:00", "0:00"], "at its beginning"
    made.show(Play(made.app, GameRecord(setup("tictactoe")), autosave=False))
    assert "" not in [time.text for time in part(made.app.scene, Players).times()]
