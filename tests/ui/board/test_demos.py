"""The attacks of the home screen follow each other in time."""

from __future__ import annotations

import pygame
import pytest

from games.formats.text import parse
from games.record import moves_to
from games.registry import GAMES, setup
from ui.board import demos
from ui.board.demos import Demo
from ui.board.view import Frame
from ui.toolkit.theme import PALETTES, Theme

ATTACKS = tuple(
    tuple((node.position, moves_to(node)) for node in parse(moves, setup("tictactoe")).line()[begin:])
    for moves, begin in (("b2a1c1a3c3", 2), ("a1b2", 0))
)
"""One from its second ply on, with three moves, which nobody has won; and one of two moves."""


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Demo:
    monkeypatch.setattr(demos, "attacks", lambda _: ATTACKS)
    monkeypatch.setattr("random.sample", lambda items, _count: list(items))
    pygame.font.init()
    made = Demo("tictactoe")
    made.place(frame(120), 0.0)
    return made


def frame(side: int) -> Frame:
    theme = Theme(PALETTES["ink"], 1.0, "en")
    return Frame(pygame.Rect(0, 0, side, side), 1.0, theme.palette, theme.font)


def test_attacks_are_played_move_by_move_with_a_rest_after_each(demo: Demo) -> None:
    assert (demo.ply, demo.wake(0.0)) == (4, None), "the middle of an attack that nobody wins"
    demo.update(99.0)
    assert demo.ply == 4
    demo.begin(100.0)
    demo.place(frame(99), 100.0)
    assert (demo.ply, demo.wake(100.1)) == (2, pytest.approx(1.0))
    demo.update(101.0)
    assert demo.ply == 2
    seen = []
    for now in (101.1, 102.2, 103.3, 104.4, 107.25, 107.5, 108.5, 109.7, 113.8):
        demo.update(now)
        seen.append(demo.ply)
    assert seen == [3, 4, 5, 5, 5, 0, 0, 1, 2]
    assert demo.wake(113.9) == pytest.approx(1 / 30), "while the mark is drawn"
    assert demo.wake(114.8) == pytest.approx(3.0)
    assert demo.wake(200.0) == 0.0


def test_one_position_never_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demos, "attacks", lambda _: (ATTACKS[1][2:],))
    demo = Demo("tictactoe")
    demo.begin(0.0)
    demo.update(99.0)
    assert (demo.ply, demo.wake(99.0)) == (2, None)


def test_every_game_has_attacks_that_win() -> None:
    for game in GAMES:
        shown = demos.attacks.__wrapped__(game)
        assert len(shown) > 1
        assert all(attack[-1][0].outcome and len(attack) > 1 for attack in shown)


@pytest.mark.parametrize("moves", [[["b2a1", 3]], [["b2b2", 0]], []])
def test_unusable_attacks_are_the_starting_position(monkeypatch: pytest.MonkeyPatch, moves: list[object]) -> None:
    monkeypatch.setattr(demos, "shipped", lambda *_: {"tictactoe": [tuple(each) for each in moves]})  # type: ignore[arg-type]
    ((shown,),) = demos.attacks.__wrapped__("tictactoe")
    assert (shown[0].ply, shown[1]) == (0, ())
