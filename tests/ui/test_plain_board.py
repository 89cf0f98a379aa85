"""The board of a game that has no look of its own."""

from __future__ import annotations

import pygame
import pytest

from games.position import PASS
from games.record import Mark
from games.registry import setup
from tests.ui.test_any_game import HEIGHT, TOY, WIDTH, ToyPosition
from tests.ui.test_boards import RECTS, _bytes, _drawn, _fonts, _frame
from ui.board.plain import PlainView
from ui.board.view import Candidate, Marks

__all__ = ["_fonts"]  # a fixture
MOVES = (WIDTH + 1, 3, 12)


def view(rect: tuple[int, int, int, int] = (0, 0, 600, 600), *moves: int) -> PlainView:
    position, made = ToyPosition(), PlainView(TOY)
    for move in moves:
        position = position.play(move)
    made.place(_frame(rect))
    made.show(position, moves, 0.0)
    return made


@pytest.mark.parametrize("rect", RECTS)
def test_every_move_has_a_pixel_that_means_it_and_what_is_beside_means_nothing(rect: tuple[int, int, int, int]) -> None:
    made = view(rect, *MOVES)
    for move in range(WIDTH * HEIGHT):
        assert pygame.Rect(rect).collidepoint(made.pixel_of(move))
        assert made.move_at(made.pixel_of(move)) == move
    assert made.move_at(rect[:2]) is None
    assert pygame.Rect(rect).collidepoint(made.pixel_of(PASS))


EVERY = [
    {"hover": 5}, {"cursor": 5}, {"hints": (5,)}, {"numbers": True}, {"coordinates": False}, {"forbidden": (5,)},
    {"candidates": (Candidate(5, "+1.2", 1.0),)}, {"line": (5, 6, PASS, 9)}, {"wrong": 3},
    {"drawn": (Mark("circle", 3), Mark("label", 9, "A"))},
]  # fmt: skip


def test_every_mark_is_drawn_inside_the_rect_and_is_one_of_its_own() -> None:
    rect = (100, 20, 300, 200)
    made = view(rect, *MOVES)
    pictures = [_drawn(made, Marks(**marks)) for marks in [{}, *EVERY]]  # type: ignore[arg-type]
    assert len({_bytes(picture) for picture in pictures}) == len(pictures)
    for picture in pictures:
        picture.fill((0, 0, 0), rect)
    assert len({_bytes(picture) for picture in pictures}) == 1


def test_passes_and_taken_cells_as_advice_do_no_harm() -> None:
    made = view((0, 0, 600, 600), *MOVES, PASS)
    odd = Marks(hover=3, hints=(PASS,), candidates=(Candidate(PASS, "0.0", 1.0),), line=(3, 4), wrong=PASS)
    assert _bytes(_drawn(made, odd)) == _bytes(_drawn(made))


def test_a_stone_arrives_and_then_all_is_still() -> None:
    made = view((0, 0, 600, 600), 3)
    position = ToyPosition((3,), 1).play(4)
    made.show(position, (3, 4), 1.0)
    assert made.moving(1.05)
    assert not made.moving(1.5)
    assert _bytes(_drawn(made, now=1.05)) != _bytes(_drawn(made, now=2.0))


def test_a_position_without_cells_is_refused() -> None:
    with pytest.raises(TypeError, match="cells"):
        PlainView(TOY).show(setup("bones").start(), (), 0.0)
