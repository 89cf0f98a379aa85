"""Renju in the window: forbidden points are marked, explained under the pointer, and refused with a sentence."""

from __future__ import annotations

import pygame
import pytest

from games import renju
from games.formats import text
from games.record import GameRecord
from games.registry import GAMES, setup
from tests.ui.stage import frame, part, push, show
from ui.app import App
from ui.parts.game_form import GameForm
from ui.screen import Screen
from ui.screens.play import Play
from ui.screens.replay import Replay
from ui.screens.setup import SetupScreen
from ui.toolkit.i18n import t

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


@pytest.mark.parametrize("number", [0, 1])
def test_forbidden_points_are_worked_out_once_a_position(
    app: App, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []

    def counted(cells: bytes, width: int, height: int) -> dict[int, str]:
        asked.append(cells)
        return {}

    scene = scenes(app, text.parse(DOUBLE_THREE, setup("gomoku", 15, "renju")))[number]
    monkeypatch.setattr(renju, "forbidden_points", counted)
    app.show(scene)
    for _ in range(5):
        frame(app)
    assert len(asked) == 1
    scene.state.record.undo()
    for _ in range(5):
        frame(app)
    assert len(asked) == 1  # white may play anywhere


def test_nothing_is_forbidden_by_other_rules_or_after_the_end(app: App) -> None:
    for rule in ("freestyle", "standard"):
        assert scenes(app, text.parse(DOUBLE_THREE, setup("gomoku", 15, rule)))[0].all_marks().forbidden == ()
    record = text.parse(DOUBLE_THREE, setup("gomoku", 15, "renju"))
    record.resign(0)
    assert all(scene.all_marks().forbidden == () for scene in scenes(app, record))


def test_setting_up_tells_what_each_rule_is(app: App) -> None:
    scene = SetupScreen(app, "gomoku")
    app.show(scene)
    told = set()
    for rule in GAMES["gomoku"].rules:
        push(app, f"rule.{rule}")
        told.add(" ".join(text for _, text in part(scene, GameForm).labels[2:]))
    assert told == {t(f"rule.{rule}.about") for rule in GAMES["gomoku"].rules}
    assert len(told) == 3
