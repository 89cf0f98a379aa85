"""The teaching game: a blunder is refuted at once, and can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.core.score import Score
from ai.search.alphabeta import AlphaBeta
from ai.service.searches import Purpose, Search, Searches
from games.formats.text import parse
from games.position import Position, Stones
from games.record import PERSON, GameRecord, Node, Seat
from games.registry import Setup, setup
from tests.ui.stage import Stage, act, part, quick, thinks
from ui.play.screen import Play, Turn
from ui.play.side_cards import warning_sentence
from ui.play.teacher import Refutation
from ui.setup.screen import SetupScreen
from ui.toolkit.i18n import t
from ui.words.move_words import move_name, move_reason
from ui.words.verdicts import SIGNS

TICTACTOE = setup("tictactoe")


def taught(
    made: Stage, moves: str = "", game: Setup = TICTACTOE, stones: Stones | None = None, player: Player | None = None
) -> Play:
    """A teaching game of X against a computer that answers at once."""
    record = GameRecord(game, (Seat(PERSON), Seat("alphabeta", seconds=0.05)), stones=stones)
    for move in moves.split():
        record.play(record.position.parse_move(move))
    return quick(made.app, record, player, teaching=True)


def thought(made: Stage, scene: Play) -> None:
    """Waits until the teacher knows the position before the person's move."""
    made.frame(2)
    searches = made.app.searches
    made.until(lambda: scene.state.live.person_to_move and not searches.busy)


class Pessimist(Player):
    """Thinks that everything loses for whoever made the last move, but sees nothing before a move."""

    nodes = 0

    def __init__(self, ply: int) -> None:
        self._ply = ply

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        move = position.legal_moves()[0]
        score = Score.win_in(5) if position.ply > self._ply else 0
        yield Info(move, int(score), 9, 10, 0.1, (Line(int(score), (move,)),))


@pytest.mark.parametrize(("moves", "move", "player"), [("a1 b2", "c3", None), ("b2 a1", "a2", Pessimist(2))])
def test_a_draw_or_a_lost_position_brings_no_warning(made: Stage, moves: str, move: str, player: Player | None) -> None:
    scene = taught(made, moves, player=player)
    thought(made, scene)
    scene.state.choose(scene.state.record.position.parse_move(move))
    made.until(lambda: scene.state.live.person_to_move)
    assert scene.state.warning is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "stones", "bad"),
    [
        (setup("connect4"), Stones(((28, 29), (35, 36, 37)), turn=0), "g"),  # yellow threatens d1
        (setup("bones", 7), Stones(((), ()), turn=0), "2"),
    ],
)
def test_a_blunder_after_a_set_up_position_is_refuted(made: Stage, game: Setup, stones: Stones, bad: str) -> None:
    scene = taught(made, "", game, stones)
    thought(made, scene)
    scene.state.choose(scene.state.record.position.parse_move(bad))
    made.until(lambda: scene.state.warning is not None)
    made.press(pygame.K_RETURN)
    assert scene.state.record.cursor is scene.state.record.root
    assert scene.state.record.position.turn == 0


@pytest.mark.parametrize(
    ("game", "stones"), [(setup("connect4"), Stones(((38,), ()), 1)), (setup("bones", 9), Stones(((), ()), 1))]
)
def test_the_computer_begins_where_it_is_its_turn(made: Stage, game: Setup, stones: Stones) -> None:
    scene = taught(made, "", game, stones)
    made.until(lambda: scene.state.live.person_to_move and scene.state.record.position.ply == 1)
    scene.state.live.resign()
    made.frame(2)
    made.push("rematch")
    again = made.app.scene.state.record
    assert (again.seats[1], again.stones) == (scene.state.record.seats[0], stones)


def blundered(made: Stage) -> Play:
    """A teaching game after a move that does not block."""
    scene = taught(made, "b1 b2 a3 a1")  # O threatens c3
    thought(made, scene)
    scene.state.choose(scene.state.record.position.parse_move("a2"))
    made.until(lambda: scene.state.warning is not None)
    return scene


@pytest.mark.parametrize(
    ("moves", "move", "asked"),
    [
        ("b1 b2 a3 a1", "c3", [(4, 2.0), (5, 0.35), (6, 2.0)]),  # the best move
        ("a1 b2", "c3", [(2, 2.0), (3, 0.35), (4, 2.0)]),  # not the best, and no blunder
        ("b1 b2 a3 a1", "a2", [(4, 2.0), (5, 0.35), (5, 0.35)]),
        ("a1 a3 b1 b3", "a2", [(4, 2.0), (5, 0.35)]),  # the better move ends the game
    ],
)
def test_a_move_is_searched_again_with_the_better_one_where_it_looks_like_a_blunder(
    made: Stage, monkeypatch: pytest.MonkeyPatch, moves: str, move: str, asked: list[tuple[int, float]]
) -> None:
    """Of each search of the teacher: the ply, and how long it may take."""
    found, ask = [], Searches.ask

    def noted(searches: Searches, node: Node, purpose: Purpose, limit: Limit, *others: str) -> Search:
        found.extend([(node.position.ply, limit.seconds)] if purpose is Purpose.TEACHING else [])
        return ask(searches, node, purpose, limit, *others)

    monkeypatch.setattr(Searches, "ask", noted)
    scene = taught(made, moves)
    thought(made, scene)
    scene.state.choose(scene.state.record.position.parse_move(move))
    made.until(lambda: len(found) == len(asked) and not made.app.searches.busy)
    assert found == asked


def test_the_line_of_the_turn_tells_that_the_teacher_waits(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    scene, told = blundered(made), []
    monkeypatch.setattr("ui.play.screen.write", lambda _surface, _theme, text, *_, **__: told.append(text))
    earlier = scene.state.record.line()[2]
    for step in (scene.state.dismiss, lambda: scene.state.show_node(earlier), scene.state.live.resign):
        part(scene, Turn).draw(made.app.surface, 0.0)
        step()
    part(scene, Turn).draw(made.app.surface, 0.0)
    assert told == [t("teach.waits"), "O is thinking", t("play.looking", ply=2, total=5)]


def test_a_win_at_once_that_was_missed_for_a_loss_is_a_blunder(made: Stage) -> None:
    scene = taught(made, "a1 a3 b1 b3")
    thought(made, scene)
    scene.state.choose(scene.state.record.position.parse_move("a2"))
    made.until(lambda: scene.state.warning is not None)
    assert scene.state.warning.line[0] == scene.state.record.position.parse_move("c3")


def test_the_refutation_is_shown_and_the_move_taken_back(made: Stage) -> None:
    scene = blundered(made)
    position, here = scene.state.record.position, scene.state.record.cursor.parent
    assert position.ply == 5, "the answer waits"
    assert scene.all_marks().line[0] == position.parse_move("c3")
    assert warning_sentence("tictactoe", scene.state.warning).startswith("Ignores O's threat to win. The stones")
    primary = {name for name, button in scene.widgets.buttons.items() if button.style == "@primary"}
    assert primary == {"take_back"}, "one thing is to be done next"
    assert "play_on" in scene.widgets.buttons
    made.press(pygame.K_RETURN)
    assert scene.state.record.cursor is here
    assert scene.state.warning is None
    assert "take_back" not in scene.widgets.buttons


def test_a_warning_did_not_show_on_the_board_which_move_was_bad_nor_with_what_the_opponent_strikes(made: Stage) -> None:
    scene = blundered(made)
    marks, position = scene.all_marks(), scene.state.record.position
    assert (marks.wrong, marks.sign) == (position.parse_move("a2"), SIGNS[scene.state.warning.kind])
    assert set(marks.row) == {position.parse_move(cell) for cell in ("a1", "b2", "c3")}
    scene.state.dismiss()
    made.frame()
    assert (scene.all_marks().wrong, scene.all_marks().row) == (None, ())


def test_the_refutation_stayed_on_the_board_after_the_game_was_resigned(made: Stage) -> None:
    scene = blundered(made)
    scene.state.live.resign()
    made.frame(2)
    marks = scene.all_marks()
    assert (marks.line, marks.row, marks.wrong) == ((), (), None)
    assert scene.state.next_step == "review"


class Refutes(Player):
    """Sees nothing but that the move `bad` loses in eleven moves, proven or not."""

    nodes = 0

    def __init__(self, bad: int, proven: bool) -> None:
        self._bad, self._score = bad, int(Score.win_in(21)) if proven else 3000

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        moves = tuple(position.legal_moves()[:21])
        score = self._score if self._bad not in position.legal_moves() and position.turn == 1 else 0
        yield Info(moves[0], score, 9, 10, 0.1, (Line(score, moves),))


@pytest.mark.parametrize("proven", [True, False])
def test_the_line_that_refutes_a_move_was_cut_before_its_win(made: Stage, proven: bool) -> None:
    gomoku = setup("gomoku")
    bad = GameRecord(gomoku, (Seat(PERSON), Seat(PERSON))).position.parse_move("o1")
    scene = taught(made, game=gomoku, player=Refutes(bad, proven))
    thought(made, scene)
    scene.state.choose(bad)
    made.until(lambda: scene.state.warning is not None)
    assert len(scene.state.warning.line) == (21 if proven else 7)
    sentence = warning_sentence("gomoku", scene.state.warning)
    assert "White" in sentence
    assert move_name(scene.state.record.position, scene.state.warning.line[0]) in sentence, "where it strikes"


@pytest.mark.parametrize(
    ("kind", "line", "plies", "said", "count"),
    [
        ("blunder", "e8", 1, "teach.loses", 1), ("blunder", "e8 a3 g7", 5, "teach.loses", 3),
        ("missed_win", "", 4, "teach.loses_soon", 2), ("missed_win", "e8", None, "teach.missed_win", 0),
        ("blunder", "e8", None, "teach.strikes", 0), ("blunder", "o15", None, "teach.answers", 0),
        ("blunder", "", None, "teach.worse", 0),
    ],
)
def test_a_warning_tells_how_a_blunder_is_answered(
    kind: str, line: str, plies: int | None, said: str, count: int
) -> None:
    record = parse("h8a1g8a2f8a15")
    answers = tuple(record.position.parse_move(move) for move in line.split())
    sentence = warning_sentence("gomoku", Refutation(record.cursor, kind, answers, plies))
    reason = move_reason(record.position, answers[0]) if answers else ""
    assert sentence == t(said, side="Black", count=count, move=line[:3].strip(), reason=reason)


def test_a_click_on_the_board_under_a_warning_told_of_a_button_that_is_missing_and_escape_plays_on(made: Stage) -> None:
    """It told one to press “Move now”, where the buttons are “Take back” and “Play on”."""
    scene = blundered(made)
    assert scene.state.next_step == "dismiss", "the computer does not think"
    made.click(scene.board.pixel_of(scene.state.record.position.parse_move("c1")))
    buttons = scene.widgets.buttons
    assert all(f"“{buttons[name].text}”" in made.app.message[0] for name in ("take_back", "play_on"))
    assert buttons["primary"].text == buttons["play_on"].text
    made.press(pygame.K_ESCAPE)
    made.until(lambda: scene.state.record.outcome is not None)
    assert scene.state.record.outcome.winner == 1
    assert made.app.scene is scene


def test_a_teaching_game_is_unrated_also_when_it_is_opened_again(made: Stage) -> None:
    thinks(made.app, lambda _: AlphaBeta())
    scene = made.show(Play(made.app, GameRecord(setup("tictactoe"), (Seat(PERSON), Seat("level:3"))), teaching=True))
    scene.state.choose(4)
    made.until(lambda: scene.state.record.position.ply == 2)
    assert not scene.state.saver.counts
    made.app.files.settle()
    again = Play(made.app, scene.state.record, scene.state.saver.file)
    assert again.state.teacher is not None


def test_the_set_up_offers_it_against_a_computer_only(made: Stage) -> None:
    scene = made.show(SetupScreen(made.app, "tictactoe"))
    made.push("teaching.on")
    assert scene.state.teaching
    assert "not rated" in made.app.message[0]
    made.push("against.person")
    assert "teaching.on" not in scene.widgets.buttons
    assert not scene.state.teaching
    made.push("against.level")
    act(scene, "return")
    assert isinstance(made.app.scene, Play)
    assert made.app.scene.state.teacher is not None


def test_the_switch_of_a_teaching_game_stayed_on_for_the_next_one_silently(made: Stage) -> None:
    made.show(SetupScreen(made.app, "tictactoe"))
    made.push("teaching.on")
    again = made.show(SetupScreen(made.app, "tictactoe"))
    assert "Teaching games are not rated" in again.status_line()[0]
    act(again, "return")
    assert "Teaching games are not rated" in made.app.scene.status_line()[0]


class Substitute(Refutes):
    """Its view after a move comes from what stands in for the engine."""

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        for info in super().think(position, limit, stop):
            yield replace(info, stand_in=position.ply == 1)


def test_what_stands_in_for_the_engine_warns_of_nothing(made: Stage) -> None:
    gomoku = setup("gomoku")
    bad = GameRecord(gomoku, (Seat(PERSON), Seat(PERSON))).position.parse_move("o1")
    scene = taught(made, game=gomoku, player=Substitute(bad, proven=True))
    thought(made, scene)
    scene.state.choose(bad)
    made.until(lambda: scene.state.live.person_to_move)
    assert scene.state.warning is None
