"""Comments and marks that a reader writes in a replay."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pygame
import pytest

from games.formats import load, save
from games.record import Mark
from tests.ui.scenes import long_game
from tests.ui.stage import Make, Stage, part
from ui import screens
from ui.replay.moves_tab import TOOLS, MovesTab, toggled
from ui.replay.screen import Replay
from ui.toolkit.i18n import t
from ui.toolkit.space import Space
from ui.toolkit.text_area import LINE, PADDING

CTRL = pygame.KMOD_LCTRL
UNDO = (pygame.K_z, CTRL)


def opened(made: Stage, file: Path, plies: int = 8) -> Any:
    save(long_game(plies=plies), file)
    return made.show(Replay(made.app, load(file), file))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.tengen.json"


@pytest.fixture
def scene(made: Stage, file: Path) -> Any:
    return opened(made, file)


def comments(made: Stage, file: Path) -> list[str]:
    made.app.files.settle()
    return [node.comment for node in load(file).line()]


@pytest.mark.parametrize("way", ["escape", "ctrl+enter", "click", "wheel", "tab", "leave"])
def test_a_comment_is_in_the_file_however_one_leaves_it(made: Stage, file: Path, scene: Any, way: str) -> None:
    made.keys(pygame.K_RIGHT, pygame.K_F2)
    made.write("这步棋")
    made.press(pygame.K_RETURN)
    made.write("is strong.")
    if way == "escape":
        made.press(pygame.K_ESCAPE)
    elif way == "ctrl+enter":
        made.press(pygame.K_RETURN, CTRL)
    elif way == "click":
        made.click(scene.places()["move.3"])
    elif way == "wheel":
        made.app.dispatch(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-1))
        made.frame()
    elif way == "tab":
        made.push("tab.analysis")
    else:
        made.app.open(screens.home)
        made.frame()
    assert comments(made, file)[:3] == ["", "这步棋\nis strong.", ""]
    assert not scene.widgets.typing


@pytest.mark.parametrize("tab", ["analysis", "review"])
def test_f2_in_another_tab_did_nothing_and_letters_acted_as_keys(made: Stage, file: Path, scene: Any, tab: str) -> None:
    made.push(f"tab.{tab}")
    made.press(pygame.K_F2)
    numbers = made.app.settings.numbers
    made.press(pygame.K_n, text="n")
    made.write("n")
    made.press(pygame.K_ESCAPE)
    assert (comments(made, file)[0], made.app.settings.numbers) == ("n", numbers)


def test_m_takes_up_the_marks_from_another_tab_and_esc_there_leads_back(made: Stage, scene: Any) -> None:
    made.push("tab.analysis")
    made.press(pygame.K_m)
    assert "mark.circle" in scene.widgets.elements
    made.press(pygame.K_F2)
    assert (scene.widgets.typing, "mark.circle" in scene.widgets.elements) == (True, False)
    made.keys(pygame.K_ESCAPE, pygame.K_m)
    made.push("tab.analysis")
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is not scene


def pause(made: Stage, scene: Any) -> None:
    """Type nothing for longer than a second."""
    scene.update(time.monotonic() + 2.0)
    made.frame()


def test_what_is_typed_is_saved_before_one_leaves_it_and_is_one_change(made: Stage, file: Path, scene: Any) -> None:
    """It was lost when the program was killed."""
    made.press(pygame.K_F2)
    area = scene.widgets.elements["comment"]
    made.write("这步棋 ")
    assert 0 < scene.wake(time.monotonic()) <= 1
    due = scene.wake(0.0)
    scene.update(due - 0.01)
    assert comments(made, file)[0] == "", "not while one types"
    made.app.dispatch(pygame.event.Event(pygame.TEXTEDITING, text="hao", start=0, length=3))
    scene.update(due)
    assert comments(made, file)[0] == "这步棋"
    assert scene.widgets.elements["comment"] is area, "nothing is built anew"
    assert (area.focused, area.composing, area.text, area.caret) == (True, "hao", "这步棋 ", 4)
    assert len(scene.state.edits) == 0
    made.write("好")
    pause(made, scene)
    assert comments(made, file)[0] == "这步棋 好"
    made.press(pygame.K_ESCAPE)
    assert len(scene.state.edits) == 1
    made.press(pygame.K_RIGHT)
    made.press(pygame.K_z, CTRL)
    assert comments(made, file)[0] == scene.state.record.root.comment == scene.widgets.elements["comment"].text == ""
    assert scene.state.record.cursor is scene.state.record.root, "where the change was"


@pytest.mark.parametrize("saved", [True, False])
def test_what_was_typed_and_erased_is_no_change(made: Stage, file: Path, scene: Any, saved: bool) -> None:
    before = file.read_bytes()
    made.press(pygame.K_F2)
    made.write("a")
    if saved:
        pause(made, scene)
        assert comments(made, file)[0] == "a"
    made.keys(pygame.K_BACKSPACE, pygame.K_ESCAPE)
    made.app.files.settle()
    assert file.read_bytes() == before
    assert len(scene.state.edits) == 0


def test_no_key_of_the_scene_acts_while_one_types(made: Stage, scene: Any) -> None:
    made.press(pygame.K_F2)
    made.keys(pygame.K_DELETE, pygame.K_p, pygame.K_RIGHT, pygame.K_HOME, pygame.K_SPACE, pygame.K_a, pygame.K_n)
    assert len(scene.state.record.line()) == 9
    assert scene.state.record.cursor is scene.state.record.root
    assert (scene.state.playing, scene.state.analyst.on, made.app.settings.numbers) == (False, False, False)


def test_what_is_typed_and_the_caret_outlive_a_rebuild(made: Stage, scene: Any) -> None:
    made.press(pygame.K_F2)
    made.write("helo")
    made.press(pygame.K_LEFT)
    made.app.rebuild()
    made.frame()
    made.write("l")
    assert scene.widgets.elements["comment"].text == "hello"
    assert len(scene.state.edits) == 0, "not left yet"


def test_the_text_area_is_larger_while_one_types(stage: Make, tmp_path: Path) -> None:
    made = stage((960, 640))
    scene = opened(made, tmp_path / "game.tengen.json")
    before = scene.widgets.elements["comment"].rect
    made.press(pygame.K_F2)
    made.write("a\nb\nc\nd")
    typing = scene.widgets.elements["comment"]
    assert typing.rect.height >= 100 > before.height
    assert typing.focused
    made.click((typing.rect.left + 40, typing.rect.top + 15))
    assert typing.caret == 1
    made.press(pygame.K_ESCAPE)
    assert typing.rect.height > scene.widgets.elements["comment"].rect.height > before.height, "as its text needs"
    made.press(*UNDO)
    made.frame()
    assert scene.widgets.elements["comment"].rect == before


def test_a_tab_left_while_one_types_is_not_built_anew(made: Stage, scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made.press(pygame.K_F2)
    scene.state.choose_tab("analysis")
    made.frame(2)
    builds: list[int] = []
    monkeypatch.setattr(made.app, "rebuild", lambda: builds.append(1))
    made.frame(5)
    assert builds == []


def test_marks_are_put_and_removed_by_clicks_on_the_board(made: Stage, file: Path, scene: Any) -> None:
    made.press(pygame.K_m)
    made.click(scene.board.pixel_of(20))
    made.push("mark.label")
    for point in (30, 31, 32, 31):
        made.click(scene.board.pixel_of(point))
    made.click(scene.board.pixel_of(33))
    expected = (Mark("circle", 20), Mark("label", 30, "A"), Mark("label", 32, "C"), Mark("label", 33, "B"))
    assert scene.state.record.root.marks == expected
    assert len(list(scene.state.record.nodes())) == 9, "and no move is played"
    made.app.files.settle()
    assert load(file).root.marks == expected
    made.press(pygame.K_z, CTRL)
    assert scene.state.record.root.marks == expected[:-1]
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is scene, "Esc puts the tools away first"
    made.click(scene.board.pixel_of(20))
    assert scene.state.record.position.ply == 1


def test_the_tools_stand_in_a_row_with_what_they_do_below_where_there_is_room(
    made: Stage, scene: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.press(pygame.K_m)
    made.push("mark.label")
    tab, seen, told = part(scene, MovesTab), [], list[tuple[str, int]]()
    monkeypatch.setattr(scene.widgets, "label", lambda _rect, text, size, *_, **__: told.append((text, size)))
    for high in (303, 304, 463, 464, 800):
        scene.widgets.clear()
        told.clear()
        tab.build(Space(pygame.Rect(10, 20, 280, high), 8))
        seen.append((scene.widgets.buttons["mark.circle"].rect.top - 20, told == [(t("notes.click"), 14)]))
    assert seen == [(247, False), (228, True), (367, True), (348, True), (684, True)]
    buttons = [scene.widgets.buttons[f"mark.{kind}"] for kind in TOOLS]
    assert [(button.rect.left, button.rect.width, button.text, button.icon, button.chosen) for button in buttons] == [
        (10, 44, "", "circle", False), (58, 44, "", "square", False), (106, 44, "", "triangle", False),
        (154, 44, "", "cross", False), (202, 44, "A", "", True),
    ]  # fmt: skip


def test_another_mark_takes_the_place_of_the_one_that_is_there() -> None:
    assert toggled((Mark("circle", 5), Mark("cross", 6)), "square", 5) == (Mark("cross", 6), Mark("square", 5))
    many = tuple(Mark("label", number, letter) for number, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    assert toggled(many, "label", 100)[-1] == Mark("label", 100, "1")
    assert toggled((*many, Mark("label", 100, "1")), "label", 101)[-1] == Mark("label", 101, "2")


@pytest.mark.parametrize(
    ("comment", "lines"),
    [("", 2), ("a\nb\nc", 3), ("a\n" * 40, 4), ("i " * 66, 2), ("i " * 67, 3)],
)
def test_a_comment_has_as_many_lines_as_it_needs_up_to_half_of_the_tab(
    stage: Make, tmp_path: Path, comment: str, lines: int
) -> None:
    made = stage((960, 640))
    scene = opened(made, tmp_path / "game.tengen.json")
    scene.state.record.root.comment = comment
    scene.state.record.line()[1].comment = "another"
    made.frame(2)
    area, button = scene.widgets.elements["comment"].rect, scene.widgets.buttons["marks"].rect
    assert area.height == lines * LINE + 2 * PADDING
    assert (button.top, button.left, button.size) == (area.top, area.right + 8, (36, 36))
    assert button.right == scene.widgets.elements["tab.moves"].rect.left + part(scene, MovesTab).tree.rect.width
