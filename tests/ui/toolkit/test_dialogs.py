"""The dialog of files by the keyboard alone."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pygame_gui
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from ui.app import App
from ui.scenes.home import Home
from ui.system.settings import Settings
from ui.toolkit.dialogs import FileDialog

MANY = 40


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    made = App(Settings(motion=False, language="en", scale=100, width=960, height=640))
    made.show(Home(made))
    frames(made)
    yield made
    made.scene.leave()
    made.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one folder in it, and in that more games than are seen at once."""
    inner = tmp_path / "games" / "inner"
    inner.mkdir(parents=True)
    for number in range(MANY):
        (inner / f"game {number:02d}.txt").write_text("h8", encoding="utf-8")
    (tmp_path / "games" / "outer.txt").write_text("h8", encoding="utf-8")
    return tmp_path / "games"


def frames(app: App) -> None:
    for _ in range(2):
        for event in pygame.event.get():
            app.dispatch(event)
        app.frame(time.monotonic(), 0.02)


def press(app: App, *keys: int, mod: int = 0) -> None:
    for key in keys:
        app.dispatch(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))
        app.dispatch(pygame.event.Event(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0))
        frames(app)


def opened(app: App, folder: Path) -> tuple[FileDialog, list[Path]]:
    """The dialog, and what it will have answered."""
    answers: list[Path] = []
    app.choose_file(folder, answers.append)
    frames(app)
    assert app.chooser.dialog is not None
    return app.chooser.dialog, answers


def test_a_game_is_chosen_by_arrows_and_enter(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder)
    press(app, pygame.K_DOWN, pygame.K_RETURN)
    assert Path(dialog.current_directory_path) == folder / "inner"
    press(app, *[pygame.K_DOWN] * 3, pygame.K_UP)
    assert dialog.files.at == 1
    press(app, pygame.K_RETURN)
    assert answers == [folder / "inner" / "game 01.txt"]
    assert app.chooser.dialog is None


def test_the_chosen_row_stays_in_sight(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder / "inner")
    press(app, *[pygame.K_DOWN] * (MANY + 2))
    assert dialog.files.at == MANY - 1
    button = dialog.files.item_list[-1]["button_element"]
    assert button is not None
    assert dialog.files.rect.contains(button.rect)
    press(app, *[pygame.K_UP] * MANY)
    assert dialog.files.rect.contains(dialog.files.item_list[0]["button_element"].rect)
    press(app, pygame.K_RETURN)
    assert answers == [folder / "inner" / "game 00.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name of a file is text")
def test_names_that_are_no_text_or_have_no_width_are_listed(app: App, folder: Path) -> None:
    odd = folder / "inner" / os.fsdecode(b"a\xe9.txt")
    odd.write_text("h8", encoding="utf-8")
    (folder / "inner" / "\u202e").mkdir()
    _, answers = opened(app, folder / "inner")
    press(app, *[pygame.K_DOWN] * 2, pygame.K_RETURN)
    assert answers == [odd]


@pytest.mark.parametrize("name", ["x" * 300, "x" * 250, "~nobody-of-this-name", "outer.txt/inner"])
@pytest.mark.parametrize("kind", [{}, {"saving": True}, {"folder": True}])
def test_a_name_that_cannot_be_is_answered_by_nothing_worse_than_itself(
    app: App, folder: Path, name: str, kind: dict[str, bool]
) -> None:
    answers: list[Path] = []
    app.choose_file(folder / "game.txt" if "saving" in kind else folder, answers.append, **kind)
    frames(app)
    dialog = app.chooser.dialog
    assert dialog is not None
    dialog.file_path_text_line.set_text(name if name.startswith("~") else str(folder / name))
    dialog.file_path_text_line.focus()
    frames(app)
    dialog.pick()
    if dialog.alive():
        press(app, pygame.K_RETURN)
    assert len(answers) <= 1


@pytest.mark.parametrize(("name", "said"), [("漢" * 120, "too long"), ("half \ud800", "not allowed in file names")])
@pytest.mark.parametrize("kind", [{}, {"saving": True}, {"folder": True}])
@pytest.mark.parametrize("by", ["enter", "button"])
def test_a_name_that_no_file_can_have_is_one_sentence(
    app: App, folder: Path, name: str, said: str, kind: dict[str, bool], by: str
) -> None:
    answers: list[Path] = []
    app.choose_file(folder / "game.txt" if "saving" in kind else folder, answers.append, **kind)
    frames(app)
    dialog = app.chooser.dialog
    assert dialog is not None
    line = dialog.file_path_text_line
    app.manager.set_focus_set(line)
    line.set_text(str(folder / name))
    facts = {"text": line.get_text(), "ui_element": line}
    pygame.event.post(pygame.event.Event(pygame_gui.UI_TEXT_ENTRY_CHANGED, facts))
    frames(app)
    assert dialog.ok_button.is_enabled
    if by == "enter":
        press(app, pygame.K_RETURN)
    else:
        pressed = pygame.event.Event(pygame_gui.UI_BUTTON_PRESSED, ui_element=dialog.ok_button, mouse_button=1)
        app.dispatch(pressed)
        frames(app)
    assert said in app.message[0]
    assert answers == []
    assert dialog.alive()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")
def test_what_is_neither_file_nor_folder_is_not_entered(app: App, folder: Path) -> None:
    os.mkfifo(folder / "aaa")
    dialog, answers = opened(app, folder)
    facts = {"text": "aaa", "ui_element": dialog.files}
    pygame.event.post(pygame.event.Event(pygame_gui.UI_SELECTION_LIST_DOUBLE_CLICKED_SELECTION, facts))
    frames(app)
    assert Path(dialog.current_directory_path) == folder
    assert answers == []


def test_a_file_in_place_of_the_folder_to_save_in_ends_nothing(app: App, folder: Path) -> None:
    app.choose_file(folder / "outer.txt" / "game.tengen.json", [].append, saving=True)
    frames(app)
    assert app.chooser.dialog is not None


def test_the_folder_above_and_a_way_out(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder / "inner")
    press(app, pygame.K_UP, mod=pygame.KMOD_LALT)
    assert Path(dialog.current_directory_path) == folder
    press(app, pygame.K_ESCAPE)
    assert app.chooser.dialog is None
    assert answers == []


def test_tab_goes_to_the_name_and_back(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder)
    press(app, pygame.K_TAB)
    assert dialog.file_path_text_line.is_focused
    dialog.file_path_text_line.set_text(str(folder / "outer.txt"))
    press(app, pygame.K_RETURN)
    assert answers == [folder / "outer.txt"]


def test_tab_reaches_every_button_of_the_file_dialog(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder / "inner")
    press(app, pygame.K_DOWN)
    reached = []
    for _ in range(7):
        press(app, pygame.K_TAB)
        reached.append(dialog.reached)
    tools = [dialog.home_button, dialog.parent_directory_button, dialog.refresh_button]
    assert reached == [None, *tools, dialog.cancel_button, dialog.ok_button, None]
    assert not dialog.file_path_text_line.is_focused, "the list has it again"
    press(app, *[pygame.K_TAB] * 3, pygame.K_SPACE)
    assert Path(dialog.current_directory_path) == folder
    for _ in range(3):
        press(app, pygame.K_TAB, mod=pygame.KMOD_LSHIFT)
    assert dialog.reached is None
    press(app, pygame.K_TAB, mod=pygame.KMOD_LSHIFT)
    assert dialog.reached is dialog.cancel_button, "nothing is chosen that could be opened"
    press(app, pygame.K_RETURN)
    assert app.chooser.dialog is None
    assert answers == []


def test_a_dialog_lies_over_the_boards_of_the_home_screen(app: App, folder: Path) -> None:
    app.settings.motion = False
    app.go_home()
    frames(app)
    dialog, _ = opened(app, folder / "inner")
    frames(app)
    frames(app)
    inside = dialog.rect.inflate(-60, -60)
    before = pygame.image.tobytes(app.surface.subsurface(inside), "RGB")
    for demo in app.scene.demos:  # type: ignore[attr-defined]
        demo.board.draw = lambda surface, marks, now: surface.fill((255, 0, 255))
    frames(app)
    assert pygame.image.tobytes(app.surface.subsurface(inside), "RGB") == before


def test_the_question_whether_to_replace_is_answered_by_keys(app: App, folder: Path) -> None:
    answers: list[Path] = []
    app.choose_file(folder / "outer.txt", answers.append, saving=True)
    frames(app)
    dialog = app.chooser.dialog
    assert dialog is not None
    for key, expected in ((pygame.K_ESCAPE, []), (pygame.K_RETURN, [folder / "outer.txt"])):
        press(app, pygame.K_RETURN)
        assert answers == [], "it asks first"
        press(app, key)
        assert answers == expected
        assert bool(dialog.alive()) is (answers == [])  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_SPACE])
def test_tab_goes_to_the_other_answer_of_the_question(app: App, folder: Path, key: int) -> None:
    answers: list[Path] = []
    app.choose_file(folder / "outer.txt", answers.append, saving=True)
    frames(app)
    dialog = app.chooser.dialog
    assert dialog is not None
    press(app, pygame.K_RETURN, pygame.K_TAB)
    question = dialog.question
    assert question is not None
    assert question.reached is question.cancel
    assert not dialog.file_path_text_line.is_focused, "or a Space that answers would be typed there as well"
    before = pygame.image.tobytes(app.surface, "RGB")
    press(app, pygame.K_TAB)
    assert pygame.image.tobytes(app.surface, "RGB") != before, "the focus is seen"
    press(app, pygame.K_TAB, key)
    assert not question.alive()  # type: ignore[no-untyped-call]
    assert dialog.alive()  # type: ignore[no-untyped-call]
    press(app, pygame.K_RETURN, pygame.K_TAB, pygame.K_TAB, key)
    assert answers == [folder / "outer.txt"]


@pytest.mark.parametrize("name", ["foo.sgf", "foo.json", "foo.PSQ"])
def test_a_game_is_not_saved_under_the_ending_of_another_kind_of_file(app: App, folder: Path, name: str) -> None:
    """``foo.sgf`` became ``foo.sgf.tengen.json``."""
    answers: list[Path] = []
    app.choose_file(folder / name, answers.append, saving=True)
    frames(app)
    dialog = app.chooser.dialog
    assert dialog is not None
    dialog.pick()
    frames(app)
    assert dialog.question is not None
    assert Path(name).suffix in str(dialog.question.words.html_text)
    press(app, pygame.K_RETURN)
    assert not answers
    assert dialog.alive()  # type: ignore[no-untyped-call]
    dialog.current_file_path = folder / "foo.txt"
    dialog.pick()
    assert answers == [folder / "foo.txt"]


@pytest.mark.parametrize("name", ["foo", "Gomoku 2026.11.22", "Game 1.5", "Me vs. you"])
def test_a_name_without_an_ending_gets_one(app: App, folder: Path, name: str) -> None:
    answers: list[Path] = []
    app.choose_file(folder / name, answers.append, saving=True)
    frames(app)
    assert app.chooser.dialog is not None
    app.chooser.dialog.pick()
    assert answers == [folder / f"{name}.tengen.json"]
