"""Clocks as the window has them: chosen, shown, kept, paused, heard."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import pygame
import pytest

from ai.players.handicaps import time_elo
from games.clock import TimeControl
from games.formats import load
from games.record import PERSON, GameRecord, Seat
from games.registry import setup
from games.storage import saves_home
from tests.games.strategies import Time
from tests.ui.stage import act, changed, frame, part, push, show, until
from ui.app import App
from ui.parts.players import Players
from ui.play.live_game import LiveGame
from ui.play.move_list import MoveList
from ui.play.screen import AUTOSAVE, Play
from ui.play.side_cards import ending_of
from ui.setup.menus import INCREMENTS, PRESETS, clock_kind, next_value
from ui.setup.screen import SetupScreen
from ui.system.settings import load_settings
from ui.toolkit.i18n import t
from ui.words.numbers import clock_changes_in, clock_note, clock_text, control_name

HUMANS = Seat(PERSON), Seat(PERSON)


class Game:
    """A game of two persons at tic-tac-toe in the window, in a time of its own."""

    def __init__(self, app: App, control: str, monkeypatch: pytest.MonkeyPatch, *moves: int) -> None:
        self.app, self.time = app, Time()
        self.time.now = float(round(time.monotonic()))  # so that what passes is a difference without a rest
        self.heard: list[str] = []
        monkeypatch.setattr(app.sounds, "play", self.heard.append)
        app.clock.idle()
        record = GameRecord(setup("tictactoe"), HUMANS, control=TimeControl.parse(control))
        self.scene = Play(app, record)
        self.scene.state.live = LiveGame(record, app.searches, self.scene.state.changed, now=self.time)
        show(app, self.scene)
        for move in moves:
            self.scene.state.choose(move)

    def passes(self, seconds: float, step: float = 1.0) -> None:
        while seconds > 0:
            self.time.passes(min(step, seconds))
            self.scene.update(self.time.now)
            seconds -= step

    @property
    def kept(self) -> GameRecord:
        self.app.files.settle()
        return load(self.scene.state.saver.file)


def test_the_time_of_who_thinks_is_kept_every_few_seconds(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(app, "5+3", monkeypatch)
    game.passes(30)
    assert not saves_home().exists(), "a game without a move is not worth keeping"
    game.scene.state.choose(4)
    game.passes(20)
    assert game.kept.control == TimeControl(300, 3)
    assert 20 - AUTOSAVE <= game.kept.cursor.spent <= 20
    game.passes(2.5)
    game.scene.close()
    assert game.kept.cursor.spent == 22.5


def test_a_game_without_clocks_is_not_written_while_somebody_thinks(app: App) -> None:
    scene = show(app, Play(app, GameRecord(setup("tictactoe"), HUMANS)))
    scene.state.choose(4)
    app.files.settle()
    before = scene.state.saver.file.stat().st_mtime_ns
    frame(app, 2)
    scene.close()
    assert scene.state.saver.file.stat().st_mtime_ns == before


def test_what_covers_the_board_pauses_a_game_with_clocks(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(app, "5+3", monkeypatch, 4)
    covers = (app.show_keys, game.scene.state.file.save_as, partial(act, game.scene, "ctrl+o"))
    for cover in covers:
        game.passes(2)
        assert game.scene.state.live.running
        cover()
        assert app.overlay
        frame(app)
        game.passes(60)
        assert game.scene.state.live.paused
        app.overlay = None
        game.passes(60)
        assert game.scene.state.live.paused, "until somebody says that he is back"
        act(game.scene, "space")
    assert game.scene.state.live.seconds == 6
    assert app.scene is game.scene


def test_nothing_is_to_be_seen_in_a_pause_with_clocks(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(app, "5+3", monkeypatch, 4, 0, 8)
    act(game.scene, "p")
    assert game.scene.state.shown is game.scene.state.record.root
    assert game.scene.all_marks().forbidden == ()
    game.scene.state.pointer.hover = 5
    assert game.scene.all_marks().hover is None
    hidden = app.surface.subsurface(game.scene.board.area).copy()
    act(game.scene, "p")
    act(game.scene, "ctrl+z")
    act(game.scene, "p")
    assert not changed(hidden, app.surface.subsurface(game.scene.board.area))
    act(game.scene, "p")
    assert changed(hidden, app.surface.subsurface(game.scene.board.area))


@pytest.mark.parametrize("control", ["5+3", ""])
def test_the_seconds_of_who_thinks_are_told_once_a_game_has_begun(app: App, control: str) -> None:
    record = GameRecord(setup("tictactoe"), HUMANS, control=TimeControl.parse(control) if control else None)
    state = show(app, Play(app, record)).state
    seen = []
    for do in (bool, partial(state.choose, 4), state.live.pause, state.live.resume):
        do()
        seen.append(state.running_seconds() is not None)
    assert seen == [bool(control), True, False, True]


def test_the_list_of_moves_is_hidden_with_the_board(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(app, "5+3", monkeypatch, 4, 0)
    frame(app, 2)
    place = part(game.scene, MoveList).rect
    seen = app.surface.subsurface(place).copy()
    act(game.scene, "p")
    panel = app.theme.palette.panel
    assert pygame.transform.average_color(app.surface, place)[:3] == panel
    assert pygame.transform.average_color(seen)[:3] != panel
    first = game.scene.places()["move.1"]
    app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=first, button=1))
    assert game.scene.state.record.position.ply == 2, "a move that is not seen is not gone to"


def test_a_pause_without_clocks_shows_the_board(app: App) -> None:
    scene = show(app, Play(app, GameRecord(setup("tictactoe"), HUMANS)))
    scene.state.choose(4)
    act(scene, "p")
    scene.state.choose(0)
    assert scene.state.shown is scene.state.record.cursor
    assert scene.state.record.position.ply == 1, "but takes no move"
    assert app.message[0] == t("play.paused_click")
    act(scene, "p")
    assert app.message[0] == "", "a sentence about the turn goes with it"


def test_a_low_clock_is_heard(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(app, "1+0", monkeypatch)
    game.passes(49, 0.25)
    assert "low_time" not in game.heard
    game.passes(2, 0.25)
    assert game.heard.count("low_time") == 1
    game.passes(8.5, 0.25)
    assert game.heard.count("low_time") == 6


def test_a_loss_on_time_is_told(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(app, "1+0", monkeypatch, 4)
    game.passes(61)
    frame(app, 2)
    assert game.kept.outcome.reason == "time"
    assert (ending := ending_of(game.scene.state.record)) is not None
    assert ending.sentence == "X wins: O ran out of time"
    assert game.scene.state.next_step == "review"
    push(app, "rematch")
    assert load_settings().unfinished == ""
    assert isinstance(app.scene, Play)
    assert app.scene.state.record.control == TimeControl(60)


def test_the_loop_sleeps_until_the_clock_shows_something_else(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(app, "1+0", monkeypatch)
    game.passes(30.25, 0.25)
    assert game.scene.wake(time.monotonic()) == pytest.approx(0.752, abs=0.001)
    game.passes(21)
    assert game.scene.wake(time.monotonic()) == pytest.approx(0.052, abs=0.001)
    act(game.scene, "p")
    assert game.scene.wake(time.monotonic()) is None, "in a pause nothing moves"


def test_what_a_clock_shows() -> None:
    shown = {3723.9: "1:02:03", 300: "5:00", 59.99: "0:59", 10: "0:10", 9.99: "9.9", 0.05: "0.0", 0: "0.0"}
    assert {seconds: clock_text(seconds) for seconds in shown} == shown


@pytest.mark.parametrize("left", [3723.9, 300.0, 59.99, 10.001, 10.0, 9.99, 3.14159, 0.15])
def test_a_clock_changes_when_it_is_said_to(left: float) -> None:
    due = clock_changes_in(left)
    assert clock_text(left - due * 0.9) == clock_text(left)
    assert clock_text(left - due - 0.002) != clock_text(left)


NAMES = {
    "": ("No time limit", "No time limit", ""), "30 s": ("30 s per move", "30 s", ""),
    "5+3": ("5 min + 3 s per move", "5+3", "+3 s"),
    "5+0": ("5 min", "5+0", ""), "10 min, 3×30 s": ("10 min + 3×30 s", "10 min + 3×30 s", "3×30 s"),
    "1:30 min, 1×10 s": ("1:30 min + 1×10 s", "1:30 min + 1×10 s", "1×10 s"), "3×30 s": ("3×30 s", "3×30 s", "3×30 s"),
}  # fmt: skip


@pytest.mark.parametrize("text", NAMES)
def test_how_a_clock_is_called(app: App, text: str) -> None:
    control = TimeControl.parse(text) if text else None
    note = clock_note(control, control.face(control.start(), 0.0)) if control else ""
    assert (control_name(control), control_name(control, short=True), note) == NAMES[text]


def test_every_clock_offered_is_one_and_of_its_kind() -> None:
    for kind, presets in PRESETS.items():
        controls = [TimeControl.parse(text) for text in presets]
        assert {clock_kind(control) for control in controls} == {kind}
        assert [str(control) for control in controls] == list(presets)


def test_a_clock_of_ones_own(app: App) -> None:
    scene = show(app, SetupScreen(app, "gomoku"))
    push(app, "clock", "preset.3+2", "increment.more", "main.less", "main.less")
    assert scene.state.chosen.control == TimeControl(main=90, increment=3)
    assert scene.state.menu == "clock", "it stays until it is closed"
    push(app, "preset.none")
    assert scene.state.chosen.control is None
    act(scene, "escape")
    assert (app.scene, scene.state.menu) == (scene, "")


def test_steps_go_on_from_values_that_are_not_offered() -> None:
    assert next_value(4, 1, INCREMENTS) == 5
    assert next_value(4, -1, INCREMENTS) == 3
    assert next_value(0, -1, INCREMENTS) == 0
    assert next_value(999, 1, INCREMENTS) == 999
    assert next_value(999, -1, INCREMENTS) == 60


def test_a_clock_is_remembered_and_takes_the_place_of_seconds_a_move(app: App) -> None:
    scene = show(app, SetupScreen(app, "gomoku"))
    scene.state.change(replace(scene.state.chosen, players=(PERSON, "engine")))
    frame(app, 2)
    assert "time1.more" in scene.widgets.buttons
    scene.state.set_clock(TimeControl(300, 3))
    frame(app, 2)
    assert "time1.more" not in scene.widgets.buttons
    app.files.settle()
    assert load_settings().new_game["gomoku"].control == TimeControl(300, 3)
    act(scene, "return")
    assert isinstance(app.scene, Play)
    assert app.scene.state.record.control == TimeControl(300, 3)
    assert app.scene.state.record.seats[1].seconds is None


def test_less_time_for_a_side_is_chosen_with_the_clock(app: App) -> None:
    scene = show(app, SetupScreen(app, "gomoku"))
    push(app, "clock")
    assert "part1.4" not in scene.widgets.buttons, "without a clock there is nothing to divide"
    push(app, "preset.5+3", "part0.8", "part1.4")
    assert scene.state.chosen.divisors == (1, 4), "one side has less"
    worth = time_elo("freestyle", 4)
    assert worth is not None
    for sentence in (scene.status(), scene.widgets.buttons["part1.4"].tip or ""):
        assert "White has 1/4 of the time: 1:15 min + 1 s per move." in sentence
        assert f"{worth.elo:.0f} Elo (± {worth.error:.0f})" in sentence
    assert "Clock: 5 min + 3 s per move, White 1/4" in scene.widgets.texts
    app.files.settle()
    assert load_settings().new_game["gomoku"].divisors == (1, 4)
    push(app, "clock")
    act(scene, "x")
    assert scene.state.chosen.divisors == (4, 1), "it goes with the player"
    act(scene, "return")
    assert isinstance(app.scene, Play)
    record = app.scene.state.record
    assert [seat.divisor for seat in record.seats] == [4, 1]
    assert not app.scene.state.saver.counts, "it is not rated"
    assert [time.note for time in part(app.scene, Players).times()] == ["+1 s", "+3 s"]


def test_without_a_clock_nothing_is_divided(app: App) -> None:
    scene = show(app, SetupScreen(app, "connect4"))
    push(app, "clock", "preset.5+3", "part0.2")
    assert scene.status() == "Red has 1/2 of the time: 2:30 min + 2 s per move. Not rated."
    push(app, "preset.none")
    assert [seat.divisor for seat in scene.state.seats()] == [1, 1]


def test_a_sentence_about_the_turn_goes_with_the_turn(app: App) -> None:
    scene = show(app, Play(app, GameRecord(setup("tictactoe"), (Seat(PERSON), Seat("random")))))
    scene.state.choose(0)
    scene.state.choose(1)
    assert app.message[0] == t("play.wait_turn")
    until(app, lambda: scene.state.live.person_to_move)
    assert app.message[0] == ""
