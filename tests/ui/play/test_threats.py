"""Threats on the board, and why a move: shown where they are asked for, and help in a game that counts. Points that
renju forbids."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from games.clock import TimeControl
from games.formats import text
from games.formats.text import parse
from games.position import Stones
from games.record import PERSON, GameRecord, Mark, Seat
from games.registry import GAMES, setup
from tests.ui.stage import Stage, act, part, push, show
from ui.app import App
from ui.parts.board_part import BoardPart
from ui.play.screen import Play
from ui.replay.screen import Replay
from ui.setup.screen import SetupScreen
from ui.system.settings import load_settings
from ui.toolkit.i18n import t
from ui.window.screen import Screen

MOVES = "h8a1i8a15j8o1"


def test_a_key_shows_threats_in_a_replay_and_is_remembered(made: Stage) -> None:
    scene = made.show(Replay(made.app, parse(MOVES, setup("gomoku")), at_cursor=True))
    assert scene.all_marks().threats == ()
    made.press(pygame.K_t)
    kinds = {(threat.side, threat.kind) for threat in scene.all_marks().threats}
    assert (0, "open_four") in kinds
    made.app.files.settle()
    assert load_settings().threats
    scene.state.record.go_to(scene.state.record.root)
    assert scene.all_marks().threats == (), "of the position that is shown"
    made.press(pygame.K_t)
    assert not made.app.settings.threats


def test_a_game_without_threats_has_no_key_for_them(made: Stage) -> None:
    for game, has in (("gomoku", True), ("tictactoe", False), ("bones", False), ("connect4", False)):
        scene = Replay(made.app, GameRecord(setup(game)))
        assert any("t" in binding.keys for binding in scene.all_bindings()) is has


@pytest.mark.slow
def test_threats_that_are_wanted_elsewhere_are_not_shown_in_a_game_that_counts(made: Stage) -> None:
    """Or every game would quietly be unrated."""
    made.app.settings.threats = True
    record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat("level:2")))
    scene = made.show(Play(made.app, record))
    cluster = [record.position.parse_move(move) for move in ("h8", "i8", "j8", "i9", "h9", "j9", "i7", "h7", "j7")]
    for _ in range(4):  # enough for a threat wherever the computer plays
        assert scene.all_marks().threats == ()
        legal = set(record.position.legal_moves())
        scene.state.choose(next(move for move in cluster if move in legal))
        made.until(lambda: scene.state.live.person_to_move)
    made.press(pygame.K_t)
    assert made.app.message[0] == t("profile.not_counted.threats")
    assert scene.all_marks().threats
    assert made.app.settings.threats
    assert not scene.state.saver.counts
    scene.state.live.resign()
    made.frame()
    assert t("unrated.threats") in scene.state.saver.note


def test_two_persons_may_have_threats_without_consequence(made: Stage) -> None:
    scene = made.show(Play(made.app, parse(MOVES, setup("gomoku")), autosave=False))
    made.press(pygame.K_t)
    assert scene.all_marks().threats
    assert made.app.message[0] == t("threats.shown")


def test_the_status_line_says_what_a_point_and_a_move_make_and_block(made: Stage) -> None:
    """Of points it said so only in the last step of a hint, and of the candidates of an analysis."""
    scene = made.show(Replay(made.app, parse(MOVES, setup("gomoku")), at_cursor=True))
    for point, sentence in (("k8", "k8 makes an open four"), ("j8", "j8 makes an open three"), ("e1", "")):
        made.hover(scene.board.pixel_of(scene.state.record.position.parse_move(point)))
        assert scene.hint() == sentence
    made.hover(scene.places()["move.5"])
    assert scene.hint() == "j8 makes an open three"


def test_a_game_that_counts_says_no_reasons(made: Stage) -> None:
    record = parse(MOVES, setup("gomoku"))
    record.seats = Seat(PERSON), Seat("level:2")
    scene = made.show(Play(made.app, record, made.home / "a game.tengen.json"))
    for pixel in (scene.board.pixel_of(record.position.parse_move("k8")), scene.places()["move.5"]):
        made.hover(pixel)
        assert scene.hint() == ""
    scene.state.live.resign()
    assert scene.hint() == "j8 makes an open three"


def test_a_paused_game_says_no_reasons(made: Stage) -> None:
    control, stones = TimeControl.parse("5+0"), Stones(((112, 113), (0,)))
    record = GameRecord(setup("gomoku"), (Seat(PERSON), Seat(PERSON)), stones=stones, control=control)
    scene = made.show(Play(made.app, record, autosave=False))
    made.hover(scene.board.pixel_of(114))
    assert part(scene, BoardPart).hint() == "j8 makes an open three"
    act(scene, "p")
    assert scene.state.hidden
    assert part(scene, BoardPart).hint() == ""


def test_marks_of_a_position_are_shown_with_it(made: Stage) -> None:
    record = parse(MOVES, setup("gomoku"))
    record.cursor.marks = (Mark("circle", 5),)
    scene = made.show(Replay(made.app, record, at_cursor=True))
    assert scene.all_marks().drawn == (Mark("circle", 5),)
    made.press(pygame.K_LEFT)
    assert scene.all_marks().drawn == ()


# Renju: forbidden points are marked, explained under the pointer, and refused with a sentence.


DOUBLE_THREE = "h8a1h9a15f7o1g7o15"
"""Black to move: h7 would make two threes."""


def scenes(app: App, record: GameRecord) -> list[Screen]:
    return [Play(app, record, autosave=False), Replay(app, record, at_cursor=True)]


@pytest.mark.parametrize("number", [0, 1])
def test_a_forbidden_point_is_marked_explained_and_refused(app: App, number: int) -> None:
    record = text.parse(DOUBLE_THREE, setup("gomoku", 15, "renju"))
    scene = scenes(app, record)[number]
    show(app, scene)
    point = record.position.parse_move("h7")
    assert scene.all_marks().forbidden == (point,)
    pixel = scene.board.pixel_of(point)
    assert scene.hint() == ""
    scene.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=pixel, rel=(0, 0), buttons=(0, 0, 0)))
    assert scene.hint() == t("illegal.double_three")
    scene.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixel, button=1))
    assert record.position.ply == 8
    assert app.message[0] == t("illegal.double_three")


def test_nothing_is_forbidden_by_other_rules_or_after_the_end(app: App) -> None:
    for rule in ("freestyle", "standard"):
        assert scenes(app, text.parse(DOUBLE_THREE, setup("gomoku", 15, rule)))[0].all_marks().forbidden == ()
    record = text.parse(DOUBLE_THREE, setup("gomoku", 15, "renju"))
    record.resign(0)
    assert all(scene.all_marks().forbidden == () for scene in scenes(app, record))


@pytest.mark.parametrize("more", [0, 1])
def test_setting_up_tells_what_each_rule_is(app: App, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one game more there was no room for it in the smallest window."""
    for number in range(more):
        monkeypatch.setitem(GAMES, f"more{number}", replace(GAMES["bones"], key=f"more{number}"))
    scene = SetupScreen(app, "gomoku")
    app.show(scene)
    rules = GAMES["gomoku"].rules
    for rule in rules:
        push(app, f"rule.{rule}")
        told = " ".join([*scene.widgets.texts, scene.status_line()[0]])
        assert [each for each in rules if t(f"rule.{each}.about") in told] == [rule]
