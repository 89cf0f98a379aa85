"""The dialog of files by the keyboard alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pygame
import pytest

from tests.sampling import sampled
from tests.ui.stage import changed, click, frame, press, show, type_path
from ui import screens
from ui.app import App
from ui.home.screen import Home
from ui.toolkit import file_dialog
from ui.toolkit.dialogs import Menu
from ui.toolkit.file_dialog import FileDialog
from ui.toolkit.typesetting import width_of

MANY = 40


@pytest.fixture
def app(app: App) -> App:
    show(app, Home(app))
    return app


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one folder in it, and in that more games than are seen at once."""
    inner = tmp_path / "games" / "inner"
    inner.mkdir(parents=True)
    for number in range(MANY):
        (inner / f"game {number:02d}.txt").write_text("h8", encoding="utf-8")
    (tmp_path / "games" / "outer.txt").write_text("h8", encoding="utf-8")
    return tmp_path / "games"


def opened(app: App, start: Path, **more: Any) -> tuple[FileDialog, list[Path]]:
    """The dialog, and what it will have answered."""
    answers: list[Path] = []
    app.choose_file(start, answers.append, **more)
    frame(app, 2)
    assert isinstance(app.overlay, FileDialog)
    return app.overlay, answers


def test_a_game_is_chosen_by_arrows_and_enter(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder)
    press(app, pygame.K_DOWN, pygame.K_RETURN)
    assert dialog.here == folder / "inner"
    press(app, pygame.K_UP, mod=pygame.KMOD_LALT)
    assert dialog.here == folder
    press(app, pygame.K_DOWN, pygame.K_RETURN, *[pygame.K_DOWN] * 3, pygame.K_UP)
    assert dialog.files.at == 1
    press(app, pygame.K_RETURN)
    assert answers == [folder / "inner" / "game 01.txt"]
    assert app.overlay is None


def test_a_list_without_games_says_why(app: App, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder and one that is closed to us looked alike."""
    dialog, _ = opened(app, folder / "empty")
    assert dialog.files.empty == "There are no games in this folder."
    app.settings.remember_folder(folder)

    def closed(_path: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "scandir", closed)
    type_path(dialog, str(folder / "inner"))
    dialog.pick()
    assert dialog.files.empty == "This folder cannot be opened."


def test_the_place_that_is_shown_is_marked(app: App, folder: Path) -> None:
    app.settings.remember_folder(folder)
    dialog, _ = opened(app, folder)
    assert dialog.widgets.buttons["place.recent0"].chosen
    type_path(dialog, str(folder / "inner"))
    dialog.pick()
    assert not any(button.chosen for name, button in dialog.widgets.buttons.items() if name.startswith("place."))


def test_the_chosen_row_stays_in_sight(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder / "inner")
    press(app, *[pygame.K_DOWN] * (MANY + 2))
    assert dialog.files.at == MANY - 1
    assert dialog.files.rect.contains(dialog.files.row_rect(MANY - 1))
    press(app, *[pygame.K_UP] * MANY)
    assert dialog.files.rect.contains(dialog.files.row_rect(0))
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
@pytest.mark.parametrize("kind", sampled([{}, {"saving": True}, {"folder": True}], 1))
def test_a_name_that_cannot_be_is_answered_by_nothing_worse_than_itself(
    app: App, folder: Path, name: str, kind: dict[str, bool]
) -> None:
    dialog, answers = opened(app, folder / "game.txt" if "saving" in kind else folder, **kind)
    type_path(dialog, name if name.startswith("~") else str(folder / name))
    frame(app, 2)
    dialog.pick()
    if dialog.alive:
        press(app, pygame.K_RETURN)
    assert len(answers) <= 1


@pytest.mark.parametrize(("name", "said"), [("漢" * 120, "too long"), ("half \ud800", "not allowed in file names")])
@pytest.mark.parametrize("kind", [{}, {"saving": True}, {"folder": True}])
@pytest.mark.parametrize("by", sampled(["enter", "button"], 1))
def test_a_name_that_no_file_can_have_is_one_sentence(
    app: App, folder: Path, name: str, said: str, kind: dict[str, bool], by: str
) -> None:
    dialog, answers = opened(app, folder / "game.txt" if "saving" in kind else folder, **kind)
    type_path(dialog, str(folder / name))
    frame(app, 2)
    assert dialog.widgets.buttons["ok"].enabled
    if by == "enter":
        press(app, pygame.K_RETURN)
    else:
        click(app, dialog.widgets.buttons["ok"].rect.center)
    assert said in dialog.said
    assert answers == []
    assert dialog.alive
    dialog.line.type_text("x" * 5000)
    assert len(dialog.line.text) == 4096
    type_path(dialog, str(folder))
    assert not dialog.said


@pytest.mark.parametrize(("name", "wrong"), [("x" * 251, False), ("x" * 252, True), ("x" * 251 + ".txt", False)])
def test_a_name_must_have_room_for_its_ending(app: App, folder: Path, name: str, wrong: bool) -> None:
    dialog, _ = opened(app, folder / "game.txt", saving=True)
    type_path(dialog, str(folder / name))
    frame(app, 2)
    press(app, pygame.K_RETURN)
    assert bool(dialog.said) == wrong


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")
def test_what_is_neither_file_nor_folder_is_not_entered(app: App, folder: Path) -> None:
    os.mkfifo(folder / "aaa.txt")
    dialog, answers = opened(app, folder)
    assert dialog.found[1].name == "aaa.txt"
    for _ in range(2):
        click(app, dialog.files.row_rect(1).center)
    assert dialog.here == folder
    assert answers == []


@pytest.mark.parametrize(("saving", "name"), [(True, "game.tengen.json"), (False, "")])
def test_a_file_in_place_of_the_folder_leads_home(app: App, folder: Path, saving: bool, name: str) -> None:
    dialog, _ = opened(app, folder / "outer.txt" / "game.tengen.json", saving=saving)
    assert (dialog.here, dialog.line.text) == (Path.home(), os.path.join(Path.home(), name))  # noqa: PTH118


def write(app: App, text: str) -> None:
    app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text=text))
    frame(app)


def test_a_dialog_that_opens_a_file_took_no_typing_before_a_tab(app: App, folder: Path) -> None:
    """What is typed narrows the list, and Enter takes what is marked."""
    dialog, answers = opened(app, folder)
    write(app, "NN")
    assert [row.text for row in dialog.files.rows] == ["inner"]
    press(app, pygame.K_RETURN)
    assert dialog.here == folder / "inner"
    write(app, "game 1")
    assert [row.text for row in dialog.files.rows] == [f"game 1{number}.txt" for number in range(10)]
    press(app, pygame.K_DOWN, pygame.K_DOWN, pygame.K_RETURN)
    assert answers == [folder / "inner" / "game 12.txt"]


def test_a_typed_path_shows_its_folder(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder / "inner")
    type_path(dialog, str(folder / "out"))
    assert (dialog.here, [row.text for row in dialog.files.rows]) == (folder, ["outer.txt"])
    click(app, dialog.widgets.buttons["ok"].rect.center)
    assert answers == [folder / "outer.txt"]


def test_tab_reaches_everything_in_the_file_dialog(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder / "inner")
    usable = [name for name, element in dialog.widgets.elements.items() if element.enabled]
    assert {"path", "up", "place.home", "sort.date", "files", "cancel"} <= set(usable)
    assert "ok" not in usable, "nothing is chosen that could be opened"
    reached = []
    for _ in usable:
        reached.append(dialog.widgets.focus)
        press(app, pygame.K_TAB)
    assert reached == usable
    press(app, pygame.K_TAB, pygame.K_SPACE)
    assert dialog.widgets.focus == "up"
    assert dialog.here == folder
    press(app, pygame.K_TAB, pygame.K_TAB, mod=pygame.KMOD_LSHIFT)
    assert dialog.widgets.focus == "cancel"
    press(app, pygame.K_RETURN)
    assert app.overlay is None
    assert answers == []


def test_files_are_sorted_by_name_or_by_date(app: App, folder: Path) -> None:
    for number in range(MANY):
        os.utime(folder / "inner" / f"game {number:02d}.txt", (1_000_000_000 + number * 90_000,) * 2)
    dialog, answers = opened(app, folder / "inner")
    click(app, dialog.widgets.buttons["sort.date"].rect.center)
    assert dialog.files.rows[0].text == f"game {MANY - 1:02d}.txt"
    assert dialog.files.rows[0].note.startswith("2001-10-")
    sorts = [dialog.widgets.buttons[f"sort.{order}"] for order in ("name", "date")]
    assert [button.chosen for button in sorts] == [False, True]
    click(app, sorts[0].rect.center)
    assert [button.chosen for button in sorts] == [True, False]
    assert [row.text for row in dialog.files.rows[:2]] == ["game 00.txt", "game 01.txt"]
    press(app, pygame.K_DOWN, pygame.K_RETURN)
    assert answers == [folder / "inner" / "game 00.txt"]


def test_numbers_in_names_are_sorted_by_their_value(app: App, folder: Path) -> None:
    for name in ("Game 10.sgf", "game 2.sgf", "game 1.sgf", "10.sgf", "9.sgf", "a.sgf"):
        (folder / name).write_text("")
    dialog, _ = opened(app, folder)
    names = [row.text for row in dialog.files.rows]
    assert names == ["inner", "9.sgf", "10.sgf", "a.sgf", "game 1.sgf", "game 2.sgf", "Game 10.sgf", "outer.txt"]


def test_a_place_is_one_click_away(app: App, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "saves").mkdir(exist_ok=True)
    (tmp_path / "saves" / "kept.txt").write_text("h8", encoding="utf-8")
    app.choose_file(folder / "outer.txt", [].append, saving=True)
    dialog = app.overlay
    click(app, dialog.widgets.buttons["place.saves"].rect.center)
    assert dialog.here == tmp_path / "saves"
    assert dialog.line.text == str(tmp_path / "saves" / "outer.txt"), "the name goes along"
    assert [row.text for row in dialog.files.rows] == ["kept.txt"]


def test_a_folder_is_chosen_and_a_new_one_may_be_named(app: App, folder: Path) -> None:
    for typed in ("", "new"):
        answers: list[Path] = []
        app.choose_file(folder, answers.append, folder=True)
        frame(app, 2)
        dialog = app.overlay
        assert [row.text for row in dialog.files.rows] == ["inner"], "no files"
        if typed:
            type_path(dialog, str(folder / typed))
        else:
            press(app, pygame.K_DOWN)
        click(app, dialog.widgets.buttons["ok"].rect.center)
        assert answers == [folder / (typed or "inner")]


def test_a_dialog_is_laid_out_for_another_size_and_keeps_what_is_typed(app: App, folder: Path) -> None:
    dialog, _ = opened(app, folder)
    type_path(dialog, str(folder / "outer.txt"))
    app.settings.theme = "paper"
    app.restyle()
    frame(app, 2)
    assert app.overlay is dialog
    assert dialog.line.text == str(folder / "outer.txt")
    assert dialog.line.focused
    assert dialog.line.theme is app.theme
    press(app, pygame.K_ESCAPE)


def test_letters_typed_in_a_dialog_are_no_keys_of_the_scene(app: App, folder: Path) -> None:
    dialog, _ = opened(app, folder)
    sound = app.settings.sound
    press(app, pygame.K_s)
    app.dispatch(pygame.event.Event(pygame.TEXTINPUT, text="s"))
    assert dialog.line.text == str(folder / "s")
    assert app.settings.sound is sound


def test_a_dialog_lies_over_the_boards_of_the_home_screen(app: App, folder: Path) -> None:
    app.settings.motion = "off"
    app.open(screens.home)
    frame(app, 2)
    dialog, _ = opened(app, folder / "inner")
    frame(app, 2)
    frame(app, 2)
    inside = dialog.rect.inflate(-60, -60)
    before = app.surface.subsurface(inside).copy()
    for demo in app.scene.demos.demos:  # type: ignore[attr-defined]
        demo.board.draw = lambda surface, marks, now: surface.fill((255, 0, 255))
    frame(app, 2)
    assert not changed(before, app.surface.subsurface(inside))


def test_the_question_whether_to_replace_is_answered_by_keys(app: App, folder: Path) -> None:
    dialog, answers = opened(app, folder / "outer.txt", saving=True)
    for key, expected in ((pygame.K_ESCAPE, []), (pygame.K_RETURN, [folder / "outer.txt"])):
        press(app, pygame.K_RETURN)
        assert answers == [], "it asks first"
        press(app, key)
        assert answers == expected
        assert dialog.alive is (answers == [])


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_SPACE])
def test_tab_goes_to_the_other_answer_of_the_question(app: App, folder: Path, key: int) -> None:
    dialog, answers = opened(app, folder / "outer.txt", saving=True)
    press(app, pygame.K_RETURN, pygame.K_TAB)
    question = dialog.question
    assert question.widgets.focus == "cancel"
    assert not dialog.line.focused, "or a Space that answers would be typed there as well"
    before = app.surface.copy()
    press(app, pygame.K_TAB)
    assert changed(before, app.surface), "the focus is seen"
    press(app, pygame.K_TAB, key)
    assert not question.alive
    assert dialog.alive
    press(app, pygame.K_RETURN, pygame.K_TAB, pygame.K_TAB, key)
    assert answers == [folder / "outer.txt"]


@pytest.mark.parametrize("name", ["foo.pdf", "foo.json", "foo.PNG"])
def test_a_game_is_not_saved_under_the_ending_of_another_kind_of_file(app: App, folder: Path, name: str) -> None:
    """``foo.pdf`` became ``foo.pdf.tengen.json``."""
    dialog, answers = opened(app, folder / name, saving=True)
    dialog.pick()
    frame(app, 2)
    assert Path(name).suffix in dialog.question.message
    press(app, pygame.K_RETURN)
    assert not answers
    assert dialog.alive
    type_path(dialog, str(folder / "foo.txt"))
    dialog.pick()
    assert answers == [folder / "foo.txt"]


@pytest.mark.parametrize("name", ["foo", "Gomoku 2026.11.22", "Game 1.5", "Me vs. you"])
def test_a_name_without_an_ending_gets_one(app: App, folder: Path, name: str) -> None:
    answers: list[Path] = []
    app.choose_file(folder / name, answers.append, saving=True)
    frame(app, 2)
    assert isinstance(app.overlay, FileDialog)
    app.overlay.pick()
    assert answers == [folder / f"{name}.tengen.json"]


@pytest.mark.parametrize(("kind", "names", "usable"), [
    ("", ("", "outer.txt", "inner", "none.txt", "in"), ("outer.txt", "inner", "in")),
    ("saving", ("", "new", "inner", "no/new"), ("new",)),
    ("folder", ("outer.txt", "inner", "no/new"), ("outer.txt", "inner", "no/new")),
])  # fmt: skip
def test_the_button_is_enabled_where_it_does_something(
    app: App, folder: Path, kind: str, names: tuple[str, ...], usable: tuple[str, ...]
) -> None:
    """It was not for the whole name of a folder, while Enter entered that."""
    dialog, _ = opened(app, folder / "new" if kind == "saving" else folder, **({kind: True} if kind else {}))
    for name in names:
        type_path(dialog, os.path.join(folder, name))  # noqa: PTH118  (with a separator at its end)
        assert dialog.widgets.buttons["ok"].enabled == (name in usable), name


def test_the_name_to_save_under_is_selected_without_its_ending(app: App, folder: Path) -> None:
    for name, part in (("my game.sgf", "my game"), ("my.tengen.json", "my"), ("a.b", "a"), ("none", "none")):
        line = opened(app, folder / name, saving=True)[0].line
        assert line.text[slice(*line.selection)] == part


def test_the_list_is_read_again_with_the_window_and_has_no_hidden_files(app: App, folder: Path) -> None:
    dialog, _ = opened(app, folder)
    for name in ("a.txt", ".hidden.txt", "z.txt"):
        (folder / name).write_text("")
    (folder / "broken.txt").symlink_to(folder / "nowhere")
    dialog.handle(pygame.event.Event(pygame.WINDOWFOCUSGAINED))
    assert [row.text for row in dialog.files.rows] == ["inner", "a.txt", "broken.txt", "outer.txt", "z.txt"]
    assert [row.icon for row in dialog.files.rows[:2]] == ["folder", "board"]
    assert [bool(row.note) for row in dialog.files.rows[:3]] == [True, True, False]
    press(app, pygame.K_DOWN)
    assert dialog.line.text == os.path.join(folder, ""), "a folder is not proposed"  # noqa: PTH118
    press(app, pygame.K_DOWN)
    assert (dialog.files.at, dialog.line.text) == (1, str(folder / "a.txt"))


@pytest.mark.parametrize("changed", [1e12, -1e12])
def test_a_file_with_the_time_of_no_calendar_is_listed_without_it(
    app: App, folder: Path, monkeypatch: pytest.MonkeyPatch, changed: float
) -> None:
    """The dialog raised an error in a folder with such a file, and could not be opened there."""
    item = file_dialog.FolderItem  # not every disk keeps such a time
    monkeypatch.setattr(file_dialog, "FolderItem", lambda name, is_folder, _: item(name, is_folder, changed))
    dialog, _ = opened(app, folder)
    assert {row.text: row.note for row in dialog.files.rows} == {"inner": "", "outer.txt": ""}


# The kind of file.


def choose_kind(app: App, dialog: FileDialog, *keys: int) -> None:
    """Opens the menu of kinds, and presses keys in it."""
    click(app, dialog.widgets.buttons["kind"].rect.center)
    assert isinstance(dialog.question, Menu)
    press(app, *keys, pygame.K_RETURN)
    assert dialog.question is None


def test_a_kind_of_file_without_a_name_is_called_by_its_ending(app: App, folder: Path) -> None:
    """A new format needs no words in either language."""
    dialog, _ = opened(app, folder / "game.new", kinds=(".new",), saving=True)
    assert dialog.widgets.buttons["kind"].text == ".new"


@pytest.mark.parametrize("typed", ["", "other"])
def test_the_format_is_chosen_when_saving(app: App, folder: Path, typed: str) -> None:
    """Also that of a name without an ending; an ending that is typed chooses another one."""
    dialog, answers = opened(app, folder / "my game.tengen.json", saving=True)
    type_path(dialog, str(folder / "my game.PSQ"))
    assert dialog.widgets.buttons["kind"].text.startswith("Piskvork")
    choose_kind(app, dialog, pygame.K_HOME, pygame.K_DOWN)
    assert dialog.line.text == str(folder / "my game.sgf")
    assert dialog.widgets.buttons["kind"].text.startswith("SGF")
    if typed:
        type_path(dialog, str(folder / typed))
    dialog.pick()
    assert answers == [folder / f"{typed or 'my game'}.sgf"]


def test_only_files_of_the_chosen_kind_are_shown(app: App, folder: Path) -> None:
    for name in ("a.sgf", "b.SGF", "c.psq", "d.md"):
        (folder / name).write_text("")
    dialog, _ = opened(app, folder)
    assert [row.text for row in dialog.files.rows] == ["inner", "a.sgf", "b.SGF", "c.psq", "outer.txt"]
    choose_kind(app, dialog, pygame.K_DOWN, pygame.K_DOWN)
    assert [row.text for row in dialog.files.rows] == ["inner", "a.sgf", "b.SGF"]
    choose_kind(app, dialog, pygame.K_HOME)
    assert len(dialog.files.rows) == 5


def test_esc_closes_the_menu_of_kinds_and_nothing_else_and_so_does_another_layout(app: App, folder: Path) -> None:
    dialog, _ = opened(app, folder)
    click(app, dialog.widgets.buttons["kind"].rect.center)
    press(app, pygame.K_ESCAPE)
    assert (dialog.question, app.overlay) == (None, dialog)
    click(app, dialog.widgets.buttons["kind"].rect.center)
    assert isinstance(dialog.question, Menu)
    app.settings.theme = "paper"
    app.restyle()
    frame(app, 2)
    press(app, pygame.K_DOWN)
    assert dialog.question is None


# Folders used before.


def test_folders_used_before_are_places(app: App, folder: Path) -> None:
    dialog, _ = opened(app, folder / "inner" / "my game.txt", saving=True)
    dialog.pick()
    assert app.settings.folders == [str(folder / "inner")]
    dialog, _ = opened(app, folder)
    place = dialog.widgets.buttons["place.recent0"]
    assert place.text == "inner"
    click(app, place.rect.center)
    assert dialog.here == folder / "inner"


def test_a_folder_that_is_gone_or_has_a_place_already_is_no_place(app: App, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "saves").mkdir(exist_ok=True)
    app.settings.folders = [str(tmp_path / "gone"), str(tmp_path / "saves"), str(Path.home())]
    dialog, _ = opened(app, folder)
    assert [name for name in dialog.widgets.buttons if name.startswith("place.recent")] == []
    recent = [tmp_path / "games" / str(number) for number in range(6)]
    for each in recent:
        each.mkdir(parents=True)
    app.settings.folders = [str(each) for each in recent]
    dialog, _ = opened(app, folder)
    shown = {name: button.tip for name, button in dialog.widgets.buttons.items() if name.startswith("place.recent")}
    assert list(shown) == [f"place.recent{number}" for number in range(4)]
    assert set(shown.values()) <= set(map(str, recent))


def test_folders_with_long_names_fit(app: App, folder: Path) -> None:
    long = folder / ("a-folder-with-a-name-that-is-much-too-long-for-its-button-" * 3)
    long.mkdir()
    app.settings.folders = [str(long)]
    dialog, _ = opened(app, folder)
    place = dialog.widgets.buttons["place.recent0"]
    assert place.text.endswith("…")
    assert place.tip == str(long)
    room, more = place.rect.width - app.theme.px(52), f"{long.name[: len(place.text)]}…"
    assert width_of(app.theme, place.text, 14) <= room < width_of(app.theme, more, 14), "beside the icon"
