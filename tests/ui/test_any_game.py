"""Games that break every habit, in every scene and command. The toy is given by its rules only: a board of 7×4, passes,
a move that gives another turn, and moves that do not commute. Sowing has no grid, extra turns and a score."""

from __future__ import annotations

import json
import re
import time
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pygame
import pytest

import main
from ai.explain.explorer import Explorer
from ai.explain.subject import Choice, Subject
from ai.players.table import KINDS
from ai.review.report import run_review
from ai.search.proving import forks_of
from games.coords import cell_text, parse_cell
from games.formats import load, save
from games.game import Game
from games.library.library import read_entry
from games.position import PASS, IllegalMove, Outcome, Stones
from games.record import PERSON, GameRecord, Mark, Seat, moves_to
from games.registry import GAMES, setup
from tests.games.sowing import PITS, SOWING, SowingPosition
from tests.sampling import sampled
from tests.ui.stage import LOOKS as THEMES
from tests.ui.stage import SPOKEN, Make, Stage, act, part
from tests.ui.test_scenes import button_faults
from ui.board.animated_view import AnimatedView
from ui.board.looks import LOOKS, Look
from ui.board.pictures import kinds
from ui.board.tiles import TilesView, describe_fields
from ui.board.view import Candidate, Frame, Marks
from ui.home.screen import Home
from ui.learn.search_words import node_sentences
from ui.library.screen import LibraryScreen
from ui.play import state as hints
from ui.play.screen import Play
from ui.play.side_cards import warning_sentence
from ui.profile.screen import ProfileResults, ProfileScreen
from ui.replay.position_editor import PositionEditor
from ui.replay.screen import Replay
from ui.setup.screen import SetupScreen
from ui.toolkit.i18n import t
from ui.toolkit.theme import PALETTES
from ui.words.file_words import entry_ending
from ui.words.games import outcome_sentence, turn_sentence
from ui.words.move_words import line_names
from ui.words.verdicts import why_text

WIDTH, HEIGHT = 7, 4
FULL = "3 4 6 2 4 1 3 4 2 5 3 4 2 5 3 1 6"
"""A game of sowing with many extra turns, which the first side wins by 8 : 4."""


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


def sowing_places(frame: Frame) -> list[pygame.Rect]:
    wide, left, middle = frame.rect.width // 8, frame.rect.left, frame.rect.centery
    return [pygame.Rect(left + wide * place, middle - wide // 2, wide, wide) for place in range(8)]


class SowingView(AnimatedView[SowingPosition, list[pygame.Rect]]):
    """A board without cells: eight places in a row, of which the pits can be clicked. A move takes a while to show."""

    def __init__(self) -> None:
        super().__init__(SowingPosition, sowing_places)

    @property
    def area(self) -> pygame.Rect:
        return self._require_art()[0].unionall(self._require_art()[1:])

    def moving(self, now: float) -> bool:
        return self._age(now) < SOWN

    def move_at(self, pixel: tuple[int, int]) -> int | None:
        return next((move for move, place in PITS.items() if self._art and self._art[place].collidepoint(pixel)), None)

    def pixel_of(self, move: int) -> tuple[int, int]:
        return self._require_art()[PITS[move]].center

    def step(self, cursor: int | None, right: int, down: int) -> int:
        return 1 if cursor is None else max(1, min(6, cursor + right))

    def _paint(
        self, surface: pygame.Surface, art: list[pygame.Rect], position: SowingPosition, marks: Marks, now: float
    ) -> None:
        palette = self._frame.palette
        for rect, seeds in zip(art, position.places, strict=True):
            pygame.draw.rect(surface, palette.raised, rect)
            surface.blit(self._frame.font(20, False).render(str(seeds), True, palette.text), rect.center)
        wrong = () if marks.wrong is None else (marks.wrong,)
        drawn = [mark.move for mark in marks.drawn_on(range(1, 7))]
        for size, moves in enumerate((marks.pointed, marks.hints, marks.line, drawn, wrong), 1):
            for move in moves:
                pygame.draw.circle(surface, palette.accent, self.pixel_of(move), 4 * size, 1)


SOWN = 0.4  # seconds


@pytest.fixture(autouse=True)
def _games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENGEN_HOME", str(tmp_path))
    monkeypatch.setitem(GAMES, "toy", TOY)
    monkeypatch.setitem(GAMES, "sowing", SOWING)
    monkeypatch.setitem(LOOKS, "sowing", Look(view=SowingView))


def begun(*moves: str, opponent: str = PERSON, game: str = "toy") -> GameRecord:
    record = GameRecord(setup(game), (Seat(PERSON), Seat(opponent)))
    for move in moves:
        record.play(record.position.parse_move(move))
    return record


def click(made: Stage, scene: Play | Replay, move: str) -> None:
    made.click(scene.board.pixel_of(scene.state.record.position.parse_move(move)))


MOVES = {"toy": ("a1", "b2", "pass"), "sowing": ("2", "1", "5", "4")}


@pytest.mark.parametrize("look", sampled([(each,) for each in THEMES], 1), ids=str)
@pytest.mark.parametrize("game", MOVES)
def test_every_scene_shows_it(stage: Make, game: str, look: tuple[str, str]) -> None:
    made, record = stage((960, 640), 100, *look), begun(*MOVES[game], game=game)
    save(record, made.home / "saves" / "game.tengen.json")
    for scene in (Home, LibraryScreen):
        made.show(scene(made.app))
        made.frame(5)
    made.show(SetupScreen(made.app, game))
    made.show(ProfileScreen(made.app, game))
    made.show(Replay(made.app, record, at_cursor=True))
    made.frame(3)


@pytest.mark.parametrize("look", THEMES, ids=str)
def test_a_game_without_a_grid_needs_no_look(
    stage: Make, look: tuple[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The program did not start any more."""
    monkeypatch.delitem(LOOKS, "sowing")
    made = stage((960, 640), 100, *look)
    made.show(Home(made.app))
    made.frame(3)
    made.show(SetupScreen(made.app, "sowing"))
    scene = made.show(Play(made.app, begun(game="sowing"), autosave=False))
    for move in ("2", "1", "5"):
        click(made, scene, move)
    made.keys(pygame.K_RIGHT, pygame.K_RETURN, pygame.K_4)
    assert scene.state.record.position.ply == 4
    target = tmp_path / "out.png"
    assert main.main(["convert", "2 1 5 4", str(target), "--game", "sowing"]) == 0
    assert target.stat().st_size > 1000


def test_tiles_show_all_marks_and_tell_the_position(made: Stage) -> None:
    view, frame = TilesView(), Frame(pygame.Rect(0, 0, 400, 400), 1.0, PALETTES["ink"], made.app.theme.font)
    position = SowingPosition()
    view.place(frame)
    view.show(position, (), 0.0)
    assert list(describe_fields(position)) == ["places 2 2 2 0 2 2 2 0"]
    assert [view.move_at(view.pixel_of(move)) for move in PITS] == list(PITS)
    assert view.move_at(view.area.topleft) is None

    def picture(marks: Marks) -> bytes:
        surface = pygame.Surface((400, 400))
        view.draw(surface, marks, 0.0)
        return pygame.image.tobytes(surface, "RGB")

    marked = (
        Marks(), Marks(hover=1), Marks(cursor=1), Marks(hints=(1,)), Marks(wrong=1), Marks(drawn=(Mark("circle", 1),)),
        Marks(line=(1, 2)), Marks(line=(1, 2, 1)), Marks(candidates=(Candidate(1, "+1", 1.0),)),
    )  # fmt: skip
    assert len({picture(marks) for marks in marked}) == len(marked)


def test_a_game_is_played_by_mouse_and_keyboard_to_its_end(stage: Make) -> None:
    made = stage((960, 640))
    scene = made.show(SetupScreen(made.app, "toy"))
    assert "against.level" not in scene.widgets.elements, "nobody has measured any"
    made.push("against.person")
    made.push("start")
    scene = made.app.scene
    click(made, scene, "a1")
    assert scene.state.record.position.turn == 0, "another turn"
    click(made, scene, "b1")
    click(made, scene, "c1")
    cells = [scene.places()[f"move.{number}"] for number in (1, 2, 3)]
    assert [x == cells[0][0] for x, _ in cells] == [True, True, False]
    assert cells[0][1] < cells[1][1] == cells[2][1]
    made.keys(pygame.K_RIGHT, pygame.K_RETURN)
    assert scene.state.record.position.ply == 4
    act(scene, "ctrl+z")
    assert scene.state.record.position.ply == 3
    made.push("pass")
    made.press(pygame.K_p, pygame.KMOD_LCTRL)
    assert scene.state.record.outcome == Outcome(1, "exhaustion")
    assert scene.board.move_at(scene.board.pixel_of(3)) == 3


def test_players_of_a_game_without_levels_are_chosen_in_a_menu_for_either_side(made: Stage) -> None:
    """Their buttons did not fit in a row, and the first side's player could not be chosen where both are computers."""
    scene = made.show(SetupScreen(made.app, "toy"))
    assert {name for name in scene.widgets.elements if name.startswith("against.")} == {
        "against.person", "against.alphabeta",
    }  # fmt: skip
    made.push("side.watch")
    for side in (0, 1):
        made.push(f"level{side}")
        made.push(f"level{side}.mcts")
    assert scene.state.chosen.players == ("mcts", "mcts")
    made.push("start")
    assert [seat.player for seat in made.app.scene.state.record.seats] == ["mcts", "mcts"]


@pytest.mark.slow
def test_the_computer_plays_it_and_gives_a_hint(stage: Make) -> None:
    made = stage((960, 640))
    record = begun("b1", opponent="alphabeta")
    record.seats = record.seats[0], replace(record.seats[1], seconds=0.05)
    scene = made.show(Play(made.app, record))
    made.until(lambda: scene.state.live.person_to_move)
    assert record.position.ply > 1
    act(scene, "h")
    made.until(lambda: scene.state.hints.info is not None)


@pytest.mark.parametrize("record", [("toy", "b1 b2 c1 c3"), ("sowing", FULL)], ids=str)
def test_a_review_shows_a_game_without_an_entry(made: Stage, record: tuple[str, str]) -> None:
    scene = Replay(made.app, begun(*record[1].split(), game=record[0]), at_cursor=True, tab="review")
    scene.state.reviewer.seconds = 0.05
    made.show(scene)
    made.until(lambda: scene.state.reviewer.state == "over")
    assert scene.state.reviewer.judged


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


def test_who_can_only_pass_is_told_so(made: Stage) -> None:
    record = GameRecord(setup("toy"))
    assert turn_sentence(record, thinking=False, waiting=False) == "First to move"
    cells = [cell for cell in range(WIDTH * HEIGHT) if cell % WIDTH] + list(range(0, WIDTH * HEIGHT, WIDTH))
    for cell in cells:
        record.play(cell)
    assert turn_sentence(record, thinking=False, waiting=False) == "First must pass"
    scene = made.show(Play(made.app, record, autosave=False))
    assert scene.state.record.outcome is None


@pytest.mark.parametrize("language", SPOKEN)
def test_there_is_room_for_more_games(stage: Make, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the smallest window their names were cut off, and the last card stuck out."""
    made = stage((960, 640), 100, "ink", language)
    for count in (0, 1, 4):
        for number in range(count):
            monkeypatch.setitem(GAMES, f"{number}th toy", replace(TOY, key=f"{number}th toy"))
        for scene in (Home(made.app), SetupScreen(made.app, "toy"), ProfileScreen(made.app, "toy")):
            made.show(scene)
            assert list(button_faults(made, scene)) == []
            assert made.cuts == []
    setup_screen = made.show(SetupScreen(made.app, "toy"))
    made.choose("game", "gomoku")
    assert setup_screen.state.game == "gomoku", "a menu in place of rows of buttons"


@pytest.mark.parametrize("more", [0, 1, 6])
def test_there_is_room_for_more_players(stage: Make, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one more the rows of the menu were too low to hit."""
    for name in (f"more{number}" for number in range(more)):
        monkeypatch.setitem(KINDS, name, replace(KINDS["mcts"], offer=lambda _, name=name: (name,)))
    made = stage((960, 640))
    scene = made.show(SetupScreen(made.app, "gomoku"))
    made.push("level1")
    for _ in range(2):
        assert list(button_faults(made, scene)) == []
        made.app.dispatch(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-9))
        made.frame(2)
    last = f"more{more - 1}" if more else "trickster"
    made.push(f"level1.{last}")
    assert scene.state.chosen.players[1] == last


# Without a grid.


def test_the_result_of_sowing_is_told_with_its_score(made: Stage) -> None:
    record = begun(*FULL.split(), game="sowing")
    assert record.outcome is not None
    assert outcome_sentence(record, record.outcome) == "First wins: 8 : 4"
    assert outcome_sentence(record, Outcome(None, "score", score=(6, 6))) == "Draw: 6 : 6"
    told = outcome_sentence(record, Outcome(0, "resigned", score=(6, 5)))
    assert told == "First wins: 6 : 5 · Second resigned", "where there is little room, the score was cut off"
    save(record, made.home / "game.tengen.json")
    entry, _ = read_entry(made.home / "game.tengen.json", (0, 1))
    assert entry_ending(entry) == "First wins: 8 : 4"


def test_a_line_of_moves_shows_who_moves_twice() -> None:
    assert line_names(SowingPosition(), (2, 1, 5, 4)) == ["First: 2", "1", "Second: 5", "4"]
    assert line_names(SowingPosition(), (1, 4, 2)) == ["1", "4", "2"]


@pytest.mark.parametrize(("plies", "moves"), [(9, 1), (12, 3), (13, 1), (16, 1)])
def test_a_win_is_counted_in_moves_of_the_winner(plies: int, moves: int) -> None:
    """A search that was looked into counted every second move: 2, 3, 2 and 1. With extra turns there may be fewer."""
    record = begun(*FULL.split()[:plies], game="sowing")
    explorer = Explorer(Subject.of(record, record.cursor), Choice("sampled"), lambda: None)
    explorer.go(None)
    assert node_sentences(explorer, 0)[-1] == f"Proven: First wins in {moves}{' or sooner' * (moves > 1)}."


def test_a_blunder_that_gives_another_turn_is_refuted_too(made: Stage) -> None:
    """Only where the other side was to move a move was judged."""
    record = begun("3", "4", "5", opponent="alphabeta", game="sowing")
    record.seats = record.seats[0], replace(record.seats[1], seconds=0.01)
    scene = made.show(Play(made.app, record, autosave=False, teaching=True))
    made.frame(2)
    made.until(lambda: scene.state.live.person_to_move and not made.app.searches.busy)
    scene.state.choose(1)
    assert record.position.turn == 0, "another turn"
    made.until(lambda: scene.state.warning is not None)
    assert "Second" in warning_sentence("sowing", scene.state.warning)
    act(scene, "return")
    made.until(lambda: record.position.ply == 3 and not made.app.searches.busy)
    scene.state.choose(3)
    made.until(lambda: scene.state.live.person_to_move and not made.app.searches.busy)
    assert scene.state.warning is None


def test_a_reason_names_a_move_of_the_side_that_wins() -> None:
    """It named the first move of the line, which may be the loser's in a further turn."""
    found = run_review(begun("3", "5", "4", game="sowing"), seconds=0.1)
    assert why_text(found.moves[-1]) == "Lets First win in 7 moves, beginning with 3."


def test_a_move_that_gives_another_turn_is_no_fork() -> None:
    again = SowingPosition((1, 0, 1, 3, 0, 0, 1, 6), 14)
    assert again.play(3).turn == again.turn
    assert forks_of(again) == []


def test_the_number_keys_choose_the_moves_of_either_side(made: Stage) -> None:
    """Those of the second side had no keys."""
    scene = made.show(Play(made.app, begun(game="sowing"), autosave=False))
    made.keys(pygame.K_2, pygame.K_1, pygame.K_5, pygame.K_4)
    assert line_names(SowingPosition(), moves_to(scene.state.record.cursor)) == ["First: 2", "1", "Second: 5", "4"]


def test_no_area_is_hinted_at_without_a_grid(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with more than 25 such moves ended the program."""
    monkeypatch.setattr(hints, "MANY", 1)
    scene = made.show(Play(made.app, begun(game="sowing"), autosave=False))
    act(scene, "h")
    made.until(lambda: scene.state.hints.info is not None)
    made.frame(2)
    assert scene.state.hints.step(scene.state.record.position) == "move"


def test_a_board_that_is_still_moving_delays_the_answer(made: Stage) -> None:
    """The computer's move began while the seeds of one's own were still on their way."""
    made.app.settings.motion = "on"
    record = begun(opponent="alphabeta", game="sowing")
    record.seats = record.seats[0], replace(record.seats[1], seconds=0.01)
    scene = made.show(Play(made.app, record, autosave=False))
    clicked = time.monotonic()
    click(made, scene, "1")
    made.until(lambda: record.position.ply == 2)
    assert time.monotonic() >= clicked + SOWN


def test_the_page_of_a_review_shows_the_board_of_a_game_without_drawings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It could not be written: “There are no pictures of kalah”."""
    page = tmp_path / "page.html"
    review = ["review", FULL, "--game", "sowing", "--seconds", "0.05", "--html", str(page), "--lang", "en"]
    assert main.main(review) == 0
    html, said = page.read_text(encoding="utf-8"), capsys.readouterr().out
    assert "First wins: 8 : 4" in html
    pictures = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
    assert len(pictures) == html.count("<figure") > 0
    assert all(b64decode(picture).startswith(b"\x89PNG") for picture in pictures)
    assert re.search(r"better .*(first|second): ", said), said


def test_only_the_pictures_that_there_are_can_be_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kinds(begun(game="sowing")) == (".png", ".gif", ".webp")
    assert ".svg" in kinds(begun())
    for kind in (".png", ".gif", ".svg"):
        made = main.main(["convert", "2 1", str(tmp_path / f"out{kind}"), "--game", "sowing"])
        assert (made == 0) == (tmp_path / f"out{kind}").exists() == (kind != ".svg")
    assert "no SVG pictures of sowing" in capsys.readouterr().err
    assert main.main(["convert", "a1b2", str(tmp_path / "toy.svg"), "--game", "toy"]) == 0


def test_a_mark_is_put_on_the_pit_of_the_other_side(made: Stage, tmp_path: Path) -> None:
    record = begun("2", game="sowing")
    scene = made.show(Replay(made.app, record, at_cursor=True, tab="moves"))
    made.push("marks")
    click(made, scene, "5")
    click(made, scene, "2")
    assert [mark.move for mark in record.cursor.marks] == [5, 2]
    save(record, tmp_path / "marked.tengen.json")
    assert load(tmp_path / "marked.tengen.json") == record


def test_without_demos_the_board_at_home_stands_still(made: Stage) -> None:
    made.app.settings.motion = "on"
    home = made.show(Home(made.app))
    demo = next(demo for demo in home.demos.demos if demo.game == "sowing")
    demo.begin(0.0)
    demo.update(100.0)
    assert (demo.ply, demo.wake(100.0)) == (0, None)


def test_positions_cannot_be_set_up_where_the_game_does_not_say_how(made: Stage) -> None:
    editor = made.show(PositionEditor(made.app, begun("2", game="sowing")))
    assert editor.state.now.setup.game != "sowing"
    assert "game.sowing" not in editor.widgets.elements
    with pytest.raises(ValueError, match="Positions of sowing cannot be set up"):
        setup("sowing").start(Stones(((), ())))


def test_the_profile_promised_a_rating_at_a_level_of_a_game_that_has_none(made: Stage) -> None:
    for game, told in (("toy", "profile.no_levels"), ("gomoku", "profile.empty")):
        graph = part(made.show(ProfileScreen(made.app, game)), ProfileResults).graph
        assert graph is not None
        assert graph.empty == t(told)
