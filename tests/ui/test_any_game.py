"""A game that breaks every habit, given by its rules only, in every scene and command: a board of 7×4, passes, a move
that gives another turn, and moves that do not commute."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pygame
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import main
from games.coords import cell_text, parse_cell
from games.formats import load, save
from games.game import Game
from games.position import PASS, IllegalMove, Outcome
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, setup
from tests.ui.stage import LOOKS as THEMES
from tests.ui.stage import Make, Stage, act
from tests.ui.test_scenes import button_faults
from ui.screens.home import Home
from ui.screens.library import LibraryScreen
from ui.screens.play import Play
from ui.screens.profile import ProfileScreen
from ui.screens.replay import Replay
from ui.screens.setup import SetupScreen
from ui.words.results import turn_sentence

WIDTH, HEIGHT = 7, 4


@dataclass(frozen=True)
class ToyPosition:
    """Sides fill cells; one in the first column gives another turn. Two passes end the game: the last mover wins."""

    game: ClassVar[str] = "toy"
    moves: tuple[int, ...] = ()
    turn: int = 0

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def key(self) -> tuple[int, ...]:
        return self.moves  # in their order: they do not commute

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(1 - self.turn, "exhaustion") if self.moves[-2:] == (PASS, PASS) else None

    @property
    def cells(self) -> bytes:
        filled, turn = bytearray(WIDTH * HEIGHT), 0
        for move in self.moves:
            if move != PASS:
                filled[move] = turn + 1
            turn = turn if move != PASS and move % WIDTH == 0 else 1 - turn
        return bytes(filled)

    def legal_moves(self) -> Sequence[int]:
        return () if self.outcome else [PASS, *(cell for cell in range(WIDTH * HEIGHT) if cell not in self.moves)]

    def candidates(self) -> Sequence[int]:
        return [*self.legal_moves()[1:7], *self.legal_moves()[:1]]

    def evaluate(self) -> int:
        return len(self.moves) % 7

    def play(self, move: int) -> ToyPosition:
        if move not in self.legal_moves():
            raise IllegalMove("toyish", "That is no move of the toy game.")
        again = move != PASS and move % WIDTH == 0
        return ToyPosition((*self.moves, move), self.turn if again else 1 - self.turn)

    def move_text(self, move: int) -> str:
        return "pass" if move == PASS else cell_text(move, WIDTH, HEIGHT)

    def parse_move(self, text: str) -> int:
        return PASS if text.strip() == "pass" else parse_cell(text, WIDTH, HEIGHT)


TOY = Game(
    key="toy",
    start=lambda _size, _rule: ToyPosition(),
    sizes=(7,),
    size=7,
    board=lambda _size: (WIDTH, HEIGHT),
    passes=True,
)


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    monkeypatch.setitem(GAMES, "toy", TOY)


def begun(*moves: str, opponent: str = PERSON) -> GameRecord:
    record = GameRecord(setup("toy"), (Seat(PERSON), Seat(opponent)))
    for move in moves:
        record.play(record.position.parse_move(move))
    return record


def click(made: Stage, scene: Play | Replay, move: str) -> None:
    pixel = scene.board.pixel_of(scene.state.record.position.parse_move(move))
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        made.app.dispatch(pygame.event.Event(kind, pos=pixel, button=1))
    made.frame()


@pytest.mark.parametrize("look", THEMES, ids=str)
def test_every_scene_shows_it(stage: Make, look: tuple[str, str]) -> None:
    made = stage((960, 640), 100, *look)
    (made.home / "saves").mkdir(exist_ok=True)
    save(begun("a1", "b2", "pass"), made.home / "saves" / "toy.tengen.json")
    for scene in (Home, LibraryScreen):
        made.show(scene(made.app))
        made.frame(5)
    made.show(SetupScreen(made.app, "toy"))
    made.show(ProfileScreen(made.app, "toy"))
    made.show(Replay(made.app, begun("a1", "b2", "pass"), at_cursor=True))
    made.frame(3)


def test_a_game_is_played_by_mouse_and_keyboard_to_its_end(stage: Make) -> None:
    made = stage((960, 640), 100, "ink", "en")
    scene = made.show(SetupScreen(made.app, "toy"))
    assert "against.level" not in scene.widgets.elements, "nobody has measured any"
    scene.widgets.press("against.person")
    made.frame()
    made.app.scene.widgets.press("start")
    made.frame(2)
    scene = made.app.scene
    assert isinstance(scene, Play)
    click(made, scene, "a1")
    assert scene.state.record.position.turn == 0, "another turn"
    click(made, scene, "b1")
    click(made, scene, "c1")
    cells = [scene.places()[f"move.{number}"] for number in (1, 2, 3)]
    assert [x == cells[0][0] for x, _ in cells] == [True, True, False]
    assert cells[0][1] < cells[1][1] == cells[2][1]
    made.press(pygame.K_RIGHT)
    made.press(pygame.K_RETURN)
    assert scene.state.record.position.ply == 4
    act(scene, "do_undo")
    assert scene.state.record.position.ply == 3
    scene.widgets.press("pass")
    made.frame()
    made.press(pygame.K_p, pygame.KMOD_LCTRL)
    made.frame(2)
    assert scene.state.record.outcome == Outcome(1, "exhaustion")
    assert scene.board.move_at(scene.board.pixel_of(3)) == 3


def test_the_computer_plays_it_and_gives_a_hint(stage: Make) -> None:
    made = stage((960, 640), 100, "ink", "en")
    record = begun("b1", opponent="alphabeta")
    record.seats = record.seats[0], replace(record.seats[1], seconds=0.05)
    scene = Play(made.app, record)
    made.show(scene)
    until = time.monotonic() + 60
    while not scene.state.live.person_to_move and time.monotonic() < until:
        made.frame()
        time.sleep(0.01)
    assert record.position.ply > 1
    act(scene, "do_hint")
    while scene.state.hints.adviser.info is None and time.monotonic() < until:
        made.frame()
        time.sleep(0.01)
    assert scene.state.hints.adviser.info is not None
    scene.close()


def test_a_review_shows_a_game_without_a_look(stage: Make) -> None:
    """`LOOKS` has an entry only for the games that need one."""
    made = stage()
    scene = Replay(made.app, begun("b1", "b2", "c1", "c3"), at_cursor=True, tab="review")
    scene.state.reviewer.seconds = 0.05
    made.show(scene)
    until = time.monotonic() + 60
    while scene.state.reviewer.state != "over" and time.monotonic() < until:
        made.frame()
        time.sleep(0.01)
    made.frame()
    assert scene.state.reviewer.judged
    scene.close()


def test_files_and_the_command_line_know_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = begun("a1", "b2", "pass", "c3")
    for name in ("game.tengen.json", "game.txt"):
        save(record, tmp_path / name)
        found = load(tmp_path / name, setup("toy"))
        assert found.position == record.position
    assert main.main(["analyse", "a1b2passc3", "--game", "toy", "--last", "--depth", "2", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["positions"][0]["to_move"] == "second", "a1 gave another turn"
    assert main.main(["convert", "a1b2", str(tmp_path / "b.tengen.json"), "--game", "toy"]) == 0
    picture = tmp_path / "p.png"
    assert main.main(["screenshot", "play", str(picture), "--file", str(tmp_path / "game.tengen.json")]) == 0
    assert picture.is_file()


def test_who_can_only_pass_is_told_so(stage: Make) -> None:
    made = stage()
    record = GameRecord(setup("toy"))
    assert turn_sentence(record, thinking=False, waiting=False) == "First to move"
    cells = [cell for cell in range(WIDTH * HEIGHT) if cell % WIDTH] + list(range(0, WIDTH * HEIGHT, WIDTH))
    for cell in cells:
        record.play(cell)
    assert turn_sentence(record, thinking=False, waiting=False) == "First must pass"
    scene = Play(made.app, record, autosave=False)
    made.show(scene)
    assert scene.state.record.outcome is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_there_is_room_for_one_more_game(stage: Make, language: str) -> None:
    """In the smallest window its names were cut off, and the last card stuck out."""
    made = stage((960, 640), 100, "ink", language)
    for scene in (Home(made.app), SetupScreen(made.app, "gomoku"), ProfileScreen(made.app, "toy")):
        made.show(scene)
        assert list(button_faults(made, scene)) == []
        assert made.cuts == []
