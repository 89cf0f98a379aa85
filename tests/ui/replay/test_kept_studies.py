"""What is pasted or set up and then studied is in the library; a mere glance leaves nothing there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from ai.review.report import run_review, was_reviewed
from games.formats import load
from games.formats.text import parse
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from tests.ui.stage import Stage
from ui import screens
from ui.library.screen import LibraryScreen
from ui.replay.position_editor import PositionEditor
from ui.replay.screen import Replay
from ui.words.file_words import study_title

MOVES = "b2a1c3c1b1a2a3"  # of tic-tac-toe, with a mistake of either side


def review(made: Stage, scene: Any) -> None:
    scene.state.choose_tab("review")
    made.frame(2)
    made.push("review")
    made.until(lambda: not scene.state.reviewer.busy)
    made.frame(2)


def vary(made: Stage, scene: Any) -> None:
    scene.state.choose(next(iter(scene.state.record.position.legal_moves())))
    made.frame()


def comment(made: Stage, scene: Any) -> None:
    made.press(pygame.K_F2)
    made.write("a plan")
    made.press(pygame.K_ESCAPE)


def mark(made: Stage, scene: Any) -> None:
    scene.state.choose_tab("moves")
    made.frame(2)
    made.press(pygame.K_m)
    made.click(scene.board.pixel_of(next(iter(scene.state.record.position.legal_moves()))))
    made.press(pygame.K_m)


STUDIED: dict[str, Callable[[Stage, Any], None]] = {
    "review": review, "variation": vary, "comment": comment, "mark": mark,
}  # fmt: skip


def shown(made: Stage, record: GameRecord) -> Any:
    """As pasting does."""
    made.app.open(screens.replay, record, at_cursor=True)
    made.frame(2)
    return made.app.scene


def arranged(made: Stage) -> Any:
    """A replay of a position that was set up."""
    editor = made.show(PositionEditor(made.app, parse("b2a1c3c1", setup("tictactoe"))))
    made.push("analyse")
    made.frame()
    assert isinstance(made.app.scene, Replay)
    made.app.scene.state.analyst.toggle()
    assert made.app.scene.back is editor
    return made.app.scene


def kept(made: Stage) -> list[Path]:
    made.app.files.settle()
    return sorted(saves_home().glob("*")) if saves_home().exists() else []


@pytest.mark.parametrize("how", STUDIED)
def test_a_study_of_what_was_pasted_was_lost_when_it_was_left(made: Stage, how: str) -> None:
    """A review of minutes was gone after Back."""
    scene = shown(made, parse(MOVES[:-2], setup("tictactoe")))
    STUDIED[how](made, scene)
    found = [node.facts() for node in scene.state.record.nodes()]
    made.press(pygame.K_ESCAPE)
    (file,) = kept(made)
    assert file.name == f"{study_title(scene.state.record)}.tengen.json"
    assert [node.facts() for node in load(file).nodes()] == found
    assert was_reviewed(load(file), scene.state.reviewer.seconds) == (how == "review")
    assert listed(made) == [file]


def listed(made: Stage) -> list[Path]:
    """The games that the library shows."""
    state = made.show(LibraryScreen(made.app)).state
    made.until(lambda: not state.games.busy and state.games.selection.ids)
    return [state.games.library.entries([id])[id].path for id in state.games.selection.ids]


@pytest.mark.parametrize("how", STUDIED)
def test_a_position_that_was_set_up_and_studied_was_lost_on_the_way_back(made: Stage, how: str) -> None:
    scene = arranged(made)
    STUDIED[how](made, scene)
    editor, found = scene.back, [node.facts() for node in scene.state.record.nodes()]
    made.press(pygame.K_ESCAPE)
    assert made.app.scene is editor
    made.push("analyse")
    made.frame()
    again = made.app.scene
    assert [node.facts() for node in again.state.record.nodes()] == found, "it is still there"
    vary(made, again)
    (file,) = kept(made)
    assert len(list(load(file).nodes())) == len(list(again.state.record.nodes())), "one file for one study"
    assert "position" in file.name
    assert load(file).stones == again.state.record.stones
    assert listed(made) == [file]


def test_another_position_is_another_study(made: Stage) -> None:
    first = arranged(made)
    vary(made, first)
    made.press(pygame.K_ESCAPE)
    made.push("clear", "analyse")
    made.frame()
    assert made.app.scene is not first
    vary(made, made.app.scene)
    assert len(kept(made)) == 2


@pytest.mark.parametrize("how", ["collect", "try_again"])
def test_mistakes_that_are_saved_keep_their_game(made: Stage, how: str) -> None:
    """The deck had exercises of a game that was nowhere."""
    record = run_review(parse(MOVES, setup("tictactoe"))).record
    record.seats = Seat(PERSON), Seat("level:2")
    scene = shown(made, record)
    scene.state.choose_tab("review")
    made.until(lambda: scene.state.reviewer.state == "over")
    assert kept(made) == [], "nothing is new"
    if how == "collect":
        made.choose("menu", "collect")
        made.click(made.app.overlay.places()["sides"])
    else:
        made.press(pygame.K_PAGEUP)
        scene.state.go(next(node for node in scene.state.reviewer.nodes if node.position.ply % 2))
        made.frame()
        made.push("try_again")
    assert len(kept(made)) == 1


@pytest.mark.parametrize("how", ["pasted", "set up"])
def test_a_glance_leaves_nothing(made: Stage, how: str) -> None:
    scene = shown(made, parse("b2a1c3c1", setup("tictactoe"))) if how == "pasted" else arranged(made)
    scene.state.analyst.on = True
    made.until(lambda: scene.state.analyst.complete)
    made.keys(pygame.K_HOME, pygame.K_RIGHT, pygame.K_END)
    made.press(pygame.K_ESCAPE)
    assert kept(made) == []


def test_a_review_that_is_left_before_its_end_leaves_nothing(made: Stage) -> None:
    scene = shown(made, parse("h8i9g7i7i8", setup("gomoku")))
    scene.state.choose_tab("review")
    made.frame(2)
    made.push("review")
    made.press(pygame.K_ESCAPE)
    assert kept(made) == []


def test_a_picture_writes_nothing(made: Stage) -> None:
    made.app.open(screens.replay, parse(MOVES, setup("tictactoe")), at_cursor=True, tab="review", autosave=False)
    made.frame(2)
    scene: Any = made.app.scene
    made.until(lambda: not scene.state.reviewer.busy)
    vary(made, scene)
    made.press(pygame.K_ESCAPE)
    assert kept(made) == []


def test_the_review_of_a_file_that_cannot_hold_it_is_in_a_copy(made: Stage, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("h8i9g7\n", encoding="utf-8")
    made.app.open(screens.replay, parse(MOVES, setup("tictactoe")), file, tab="review")
    made.frame(2)
    scene: Any = made.app.scene
    made.until(lambda: not scene.state.reviewer.busy)
    made.press(pygame.K_ESCAPE)
    (copy,) = kept(made)
    assert copy.name == "game.tengen.json"
    assert file.read_text(encoding="utf-8") == "h8i9g7\n"
