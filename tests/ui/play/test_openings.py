"""Openings in a game that is played: who is asked, what a computer decides, undo, clocks, and the card."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pygame
import pytest

from ai.core.player import Info, Limit, Line, Player, Stop
from ai.players.handicaps import forbidden_elo, stones_elo
from ai.search.alphabeta import AlphaBeta
from games.clock import TimeControl
from games.formats import load, tengen
from games.opening_rules import MORE, OPENING_RULES, OpeningPhase, OpeningStep, handicap_stones
from games.position import IllegalMove, Position
from games.record import PERSON, GameRecord, Seat, moves_to
from games.registry import setup
from tests.games.strategies import Time
from tests.games.test_opening_rules import game_with, names, take
from tests.players import Faulty, Slow
from tests.ui.play.matches import run, searches_of
from tests.ui.stage import Stage, part
from ui.play.live_game import LiveGame
from ui.play.screen import Play
from ui.play.side_cards import OpeningCard
from ui.setup.screen import SetupScreen
from ui.setup.state import LOT, starts
from ui.toolkit.i18n import t

PERSONS = Seat(PERSON, "Anna"), Seat(PERSON, "Ben")
QUICK = Seat("alphabeta", "Quick", 0.05)


def live(record: GameRecord, player: Player | None = None, time: Time | None = None) -> LiveGame:
    made = AlphaBeta() if player is None else player
    clock = {} if time is None else {"now": time}
    match = LiveGame(record, searches_of(lambda _: made, **clock), pace=0.0, draw=random.Random(1), **clock)
    match.open()
    return match


def with_seats(rule: str, *seats: Seat) -> GameRecord:
    record = game_with(rule)
    record.seats = seats[0], seats[1]
    return record


def point(match: LiveGame, text: str) -> int:
    return match.record.position.parse_move(text)


def test_two_persons_play_an_opening_by_clicks_and_choices() -> None:
    match = live(with_seats("swap2", *PERSONS))
    for text in ("h8", "i9", "g7"):
        match.play(point(match, text))
    with pytest.raises(IllegalMove):
        match.play(point(match, "a1"))
    assert match.seat.name == "Ben"
    match.take(OpeningStep(MORE))
    for text in ("h9", "j10"):
        match.play(point(match, text))
    match.take(OpeningStep("swap"))
    assert names(match.record) == ("Ben", "Anna")
    assert match.seat.name == "Anna"
    match.play(point(match, "a1"))
    assert match.record.position.ply == 6


@pytest.mark.parametrize("rule", OPENING_RULES)
def test_two_computers_get_through_each_opening(rule: str) -> None:
    match = live(with_seats(rule, QUICK, QUICK))
    opening = match.record.opening
    assert opening is not None
    run(match, lambda: match.record.demand is None or match.error is not None)
    assert match.error is None
    match.close()


def test_a_computer_answers_a_person_and_says_why() -> None:
    match = live(with_seats("swap", PERSONS[0], QUICK))
    for text in ("h8", "a1", "h7"):  # black is far ahead
        match.play(point(match, text))
    run(match, lambda: match.record.demand is None)
    assert names(match.record) == ("Quick", "Anna"), "it takes black"
    assert match.decision is not None
    assert (match.decision.kind, match.decision.side, match.decided_by) == ("takes", 0, 1)
    assert match.person_to_move
    match.play(point(match, "h9"))
    assert match.decision is None


def test_what_a_computer_has_decided_is_news_until_the_next_move_of_the_person() -> None:
    match = live(with_seats("swap", PERSONS[0], QUICK))
    for text in ("a1", "h8", "o15"):  # white is ahead, and stays white
        match.play(point(match, text))
    run(match, lambda: match.record.position.ply == 4)
    assert names(match.record) == ("Anna", "Quick")
    assert match.decision is not None
    match.play(point(match, "a15"))
    assert match.decision is None


def test_undo_takes_back_steps_up_to_the_last_one_of_the_person() -> None:
    match = live(with_seats("swap", PERSONS[0], QUICK))
    for text in ("h8", "a1", "h7"):
        match.play(point(match, text))
    run(match, lambda: match.record.demand is None)
    assert match.undo(), "the swap of the computer, and the own third stone"
    assert (names(match.record), match.record.position.ply) == (("Anna", "Quick"), 2)
    assert match.undo()
    assert match.undo()
    assert not match.undo()
    match.play(point(match, "c3"))
    assert not match.can_redo, "the opening is played anew"
    assert match.record.root.children[0].move == point(match, "c3"), "what was taken back is a variation"


def test_between_computers_one_step_of_the_opening_is_taken_back_at_a_time() -> None:
    record = with_seats("swap2", QUICK, QUICK)
    for text in ("h8", "i9", "g7", MORE, "a1", "a3"):
        assert record.demand is not None
        is_point = text != MORE
        kind, move = (record.demand.point, record.position.parse_move(text)) if is_point else (MORE, 0)
        record.take(OpeningStep(kind, move))
    match = LiveGame(record, searches_of(lambda _: Slow()))
    for ply in (4, 3, 3, 2, 1, 0):
        assert match.undo()
        assert record.position.ply == ply
    assert not match.can_undo


def test_redo_takes_the_steps_of_the_opening_again_and_then_the_moves() -> None:
    match = live(with_seats("swap", *PERSONS))
    for text in ("h8", "a1", "h7"):
        match.play(point(match, text))
    match.take(OpeningStep("swap"))
    match.play(point(match, "b2"))
    opening, moves = match.record.opening, moves_to(match.record.cursor)
    while match.undo():
        pass
    assert (match.record.position.ply, names(match.record)) == (0, ("Anna", "Ben"))
    for _ in range(5):
        assert match.redo()
    assert (match.record.opening, moves_to(match.record.cursor)) == (opening, moves)
    assert names(match.record) == ("Ben", "Anna")
    assert not match.redo()


def test_redo_after_a_computers_steps_brings_them_too() -> None:
    match = live(with_seats("swap", PERSONS[0], QUICK))
    for text in ("h8", "a1", "h7"):  # black is far ahead
        match.play(point(match, text))
    run(match, lambda: match.record.demand is None)
    after = match.record.opening
    assert match.undo(), "the swap of the computer, and the own third stone"
    assert match.redo()
    assert (match.record.opening, names(match.record)) == (after, ("Quick", "Anna"))


def test_undo_goes_from_the_game_back_into_the_opening() -> None:
    match = live(with_seats("swap", *PERSONS))
    for text in ("h8", "a1", "h7"):
        match.play(point(match, text))
    match.take(OpeningStep("swap"))
    match.play(point(match, "b2"))
    assert match.undo()
    assert (match.record.position.ply, match.record.demand) == (3, None)
    assert match.redo()
    assert match.undo()
    assert match.undo(), "the swap"
    assert names(match.record) == ("Anna", "Ben")
    assert match.record.demand is not None


def test_the_stones_of_the_opening_are_not_changed_later() -> None:
    match = live(with_seats("swap", *PERSONS))
    for text in ("h8", "a1", "h7"):
        match.play(point(match, text))
    match.take(OpeningStep("stay"))
    match.play(point(match, "b2"))
    assert not match.branch(match.record.root.children[0], point(match, "c3"))


def test_a_computer_that_is_stopped_in_its_plan_decides_anew() -> None:
    match = live(with_seats("swap2", QUICK, PERSONS[1]))
    run(match, lambda: match.record.position.ply == 1)
    match.pause()
    assert not match.thinking
    match.resume()
    run(match, lambda: match.record.position.ply == 3)
    assert match.person_to_move


def test_undo_while_a_computer_decides_drops_its_searches() -> None:
    match = live(with_seats("swap", PERSONS[0], QUICK), Slow())
    for text in ("h8", "a1", "h7"):
        match.play(point(match, text))
    assert match.thinking
    assert match.undo()
    assert not match.thinking
    assert match.record.position.ply == 2


def test_move_now_ends_a_decision_of_many_searches() -> None:
    record = with_seats("soosyrv8", Seat("alphabeta", seconds=600.0), PERSONS[1])
    record.opening = OpeningPhase("soosyrv8", 15)
    take(record, "h8", "i9", "g7", "stay", "h10", "declare 3", "swap", "a1", "a2", "a3")
    record.seats = PERSONS[1], Seat("alphabeta", seconds=600.0)
    match = live(record)
    assert match.thinking
    match.move_now()
    run(match, lambda: match.record.position.ply == 5)
    match.close()


def test_a_computer_that_fails_in_the_opening_waits() -> None:
    match = live(with_seats("swap", PERSONS[0], QUICK), Faulty())
    for text in ("h8", "a1", "h7"):
        match.play(point(match, text))
    run(match, lambda: match.error is not None)
    assert match.waiting
    assert match.record.demand is not None


class Illegal(Player):
    """Finds moves that are not on the board."""

    nodes = 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        yield Info(1000, lines=(Line(0, (1000,)),))


def test_a_computer_that_finds_no_legal_move_in_the_opening_waits() -> None:
    match = live(with_seats("swap2", PERSONS[0], QUICK), Illegal())
    take(match.record, "h8", "i9", "g7", "more")
    match.resume()
    run(match, lambda: match.error is not None)
    assert match.waiting
    assert match.person_to_move is False


def test_undo_on_another_way_than_that_of_the_opening_ends() -> None:
    """A game whose cursor was moved elsewhere had no step to take back, and looked for one without end."""
    record = with_seats("swap", *PERSONS)
    take(record, "h8", "i9", "g7", "swap")
    record.go_to(record.root)
    for move in (0, 1, 2, 3):
        record.play(move)
    match = live(record)
    undone = 0
    while match.undo():
        undone += 1
    assert (undone, record.position.ply) == (4, 0)


def test_the_player_who_decides_loses_on_time() -> None:
    time = Time()
    record = with_seats("swap", *PERSONS)
    record.control = TimeControl(main=60)
    match = live(record, time=time)
    for text in ("h8", "a1", "h7"):
        time.passes(1)
        match.update()
        match.play(point(match, text))
    for _ in range(70):
        time.passes(1)
        match.update()
    assert record.outcome is not None
    assert (record.outcome.winner, record.outcome.reason) == (0, "time"), "Ben has white until he swaps"


def shown_game(made: Stage, record: GameRecord, **options: bool) -> Play:
    return made.show(Play(made.app, record, **{"autosave": False, **options}))


def test_the_card_explains_the_step_and_its_buttons_decide(made: Stage) -> None:
    record = with_seats("swap2", *PERSONS)
    screen = shown_game(made, record)
    assert "opening.1" not in screen.widgets.elements
    for text in ("h8", "i9", "g7"):
        screen.state.choose(record.position.parse_move(text))
        made.frame()
    assert {"opening.1", "opening.2", "opening.3"} <= set(screen.widgets.elements)
    labels = ["keys.opening", *[""] * 7]
    assert [each.label for each in part(screen, OpeningCard).bindings] == labels, "one line tells of all numbers"
    screen.state.choose(0)
    assert not screen.key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_4, mod=0, unicode="4", scancode=0))
    assert record.position.ply == 3, "first the choice"
    screen.state.live.pause()
    screen.state.decide(OpeningStep("swap"))
    assert (names(record), made.app.message[0]) == (("Anna", "Ben"), t("play.paused_click"))
    screen.state.live.resume()
    made.push("opening.2")
    assert names(record) == ("Ben", "Anna")
    made.frame()
    assert "opening.1" not in screen.widgets.elements


def test_an_opening_is_played_with_the_keyboard_alone(made: Stage) -> None:
    record = with_seats("soosyrv8", *PERSONS)
    screen = shown_game(made, record)
    made.keys(pygame.K_RIGHT, pygame.K_RETURN)  # the first arrow shows the cursor at the centre
    made.keys(pygame.K_UP, pygame.K_RETURN)
    made.keys(pygame.K_UP, pygame.K_RETURN)
    made.keys(pygame.K_1)
    made.keys(pygame.K_UP, pygame.K_RETURN)
    made.keys(pygame.K_2)  # two fifth moves
    assert screen.key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_2, mod=0, unicode="2", scancode=0))  # swap
    assert names(record) == ("Ben", "Anna")
    made.keys(pygame.K_RIGHT, pygame.K_RETURN, pygame.K_RIGHT, pygame.K_RETURN)
    assert record.opening is not None
    assert len(record.opening.offers) == 2
    made.keys(pygame.K_LEFT, pygame.K_RETURN)
    assert record.position.ply == 5
    assert record.demand is None
    assert screen.state.next_step == "hint"


def test_no_view_of_the_position_is_shown_to_a_person_who_decides_on_the_colours(made: Stage) -> None:
    """White is to move, and the computer has white; but it is the person who chooses, and the game may count."""
    record = with_seats("swap2", PERSONS[0], QUICK)
    take(record, "h8", "i9", "g7", "more", "h9", "j10")
    screen = shown_game(made, record)
    screen.state.saver.counts = True
    assert record.position.turn == 1
    assert not screen.state.may_view


def test_points_that_are_not_allowed_are_marked_on_the_board(made: Stage) -> None:
    record = with_seats("rif", *PERSONS)
    take(record, "h8")
    screen = shown_game(made, record)
    marks = screen.all_marks()
    assert marks.allowed is not None
    assert len(marks.allowed) == 8
    take(record, "h9", "h10", "stay", "h11", "g8")
    made.frame()
    marks = screen.all_marks()
    assert marks.offers == (record.position.parse_move("g8"),)
    assert record.position.parse_move("i8") not in (marks.allowed or ())


def test_an_opening_survives_the_end_of_the_program(made: Stage) -> None:
    record = with_seats("swap2", *PERSONS)
    screen = shown_game(made, record, autosave=True)
    for text in ("h8", "i9", "g7"):
        screen.state.choose(record.position.parse_move(text))
    made.push("opening.3")
    made.app.files.settle()
    again = load(screen.state.saver.file)
    assert (again.opening, again.demand) == (record.opening, record.demand)
    assert tengen.dumps(again) == tengen.dumps(record)


@pytest.mark.parametrize(("ending", "lost"), [(".tengen.json", False), (".sgf", True)])
def test_saving_in_another_format_says_that_the_steps_of_the_opening_are_not_kept(
    made: Stage, ending: str, lost: bool
) -> None:
    record = with_seats("swap2", *PERSONS)
    take(record, "h8", "i9", "g7")
    screen = shown_game(made, record)
    screen.state.file.save_to(made.home / f"game{ending}")
    made.until(lambda: made.app.message[0])
    assert (t("begin.lost") in made.app.message[0]) == lost


def test_a_rematch_begins_with_the_same_rule(made: Stage) -> None:
    record = with_seats("swap", *PERSONS)
    take(record, "h8", "i9", "g7", "swap")
    screen = shown_game(made, record)
    screen.state.live.resign()
    made.frame()
    made.push("rematch")
    again = made.app.scene.state.record
    assert again.opening == OpeningPhase("swap", 15)
    assert names(again) == ("Anna", "Ben")


def test_the_set_up_begins_a_game_as_chosen(made: Stage) -> None:
    screen = made.show(SetupScreen(made.app, "gomoku"))
    made.push("opening", "start.swap2")
    assert screen.state.chosen.opening == "swap2"
    screen.state.start()
    made.frame()
    assert made.app.scene.state.record.opening == OpeningPhase("swap2", 15)


def test_a_named_opening_is_shown_and_begun_with(made: Stage) -> None:
    screen = made.show(SetupScreen(made.app, "gomoku"))
    made.push("opening", "start.kagetsu")
    assert len(screen.state.position()[1]) == 3
    screen.state.start()
    made.frame()
    assert moves_to(made.app.scene.state.record.cursor) == screen.state.position()[1]


def test_a_handicap_gives_black_stones_and_white_the_first_move(made: Stage) -> None:
    screen = made.show(SetupScreen(made.app, "gomoku"))
    made.push("opening", "start.stones2")
    screen.state.start()
    made.frame()
    state = made.app.scene.state
    assert state.record.stones == handicap_stones(15, 2)
    assert state.record.turn == 1
    assert not state.saver.counts, "it is not rated"


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_forbidden_points_bind_black_by_the_rule_that_has_them(made: Stage, rule: str) -> None:
    screen = made.show(SetupScreen(made.app, "gomoku"))
    made.push(f"rule.{rule}", "opening", "start.stones2", "opening", "start.forbidden")
    assert (screen.state.setup.rule, screen.state.opening, screen.state.menu) == ("renju", "", "")
    made.push("opening")
    assert "start.stones1" in screen.widgets.buttons
    assert "start.forbidden" not in screen.widgets.buttons, "black is bound already"


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_the_menu_says_what_the_first_move_and_forbidden_points_are_worth(made: Stage, rule: str) -> None:
    screen = made.show(SetupScreen(made.app, "gomoku"))
    made.push(f"rule.{rule}", "opening")
    first = stones_elo(rule, 0)
    assert first is not None
    figures = f"{first.elo:.0f} Elo (± {first.error:.0f})".replace("-", "−")
    assert figures in (screen.widgets.buttons["start.none"].tip or "")
    if rule != "renju":
        cost = forbidden_elo(rule)
        assert cost is not None
        assert f"{cost.elo:.0f} Elo (± {cost.error:.0f})" in (screen.widgets.buttons["start.forbidden"].tip or "")


def test_a_choice_that_does_not_fit_the_rule_is_no_opening(made: Stage) -> None:
    screen = made.show(SetupScreen(made.app, "gomoku"))
    made.push("opening", "start.pro", "rule.renju")
    assert screen.state.opening == ""
    made.push("rule.standard")
    assert screen.state.opening == "pro", "it is remembered"


def test_stones_by_lot_differ(made: Stage) -> None:
    screen = made.show(SetupScreen(made.app, "gomoku"))
    screen.state.set_opening(LOT)
    drawn = set()
    for _ in range(8):
        screen.state.start()
        made.frame()
        drawn.add(moves_to(made.app.scene.state.record.cursor))
    assert len(drawn) > 4
    assert all(drawn)


def test_every_game_can_begin_on_an_empty_board() -> None:
    for game in ("gomoku", "tictactoe", "bones", "connect4"):
        assert starts(setup(game))[0] == ""
