"""The boards on the screen: every pixel finds its move and back, marks stay inside, motion comes to an end."""

from __future__ import annotations

import math
import random
from dataclasses import make_dataclass, replace
from functools import cache
from itertools import pairwise, product

import pygame
import pytest

from games.formats.text import parse
from games.position import PASS, Position, Stones
from games.record import MARKS, GameRecord, Mark
from games.registry import GAMES, setup
from tests.ui.test_any_game import TOY
from ui.board.bones import BonesLayout
from ui.board.grid import GridArt
from ui.board.looks import board_view
from ui.board.plain import PlainView
from ui.board.tictactoe import TicTacToeArt
from ui.board.tiles import TilesView, describe_fields
from ui.board.view import BoardView, Candidate, Frame, Marks, Threat
from ui.toolkit.theme import PALETTES, font_file

RECTS = ((0, 0, 120, 120), (7, 3, 121, 200), (40, 20, 500, 333), (13, 11, 900, 900))
SCALES = (0.8, 1.0, 2.0)
KNOWN = GAMES | {"toy": TOY}  # which has no look of its own
SIZES = {key: sorted({game.sizes[0], game.size, game.sizes[-1]}) for key, game in KNOWN.items()}
BOARDS = [(game, size) for game in KNOWN for size in SIZES[game]]
OUTSIDE = (255, 0, 255)


@pytest.fixture(autouse=True)
def _fonts_and_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fonts do not survive the end of pygame, which other tests bring about."""
    monkeypatch.setitem(GAMES, "toy", TOY)
    _font.cache_clear()
    pygame.font.init()


@cache
def _font(height: int, bold: bool) -> pygame.font.Font:
    return pygame.font.Font(font_file(bold), height)


def _frame(
    rect: tuple[int, int, int, int] = (0, 0, 600, 600), scale: float = 1.0, palette: str = "ink", motion: bool = True
) -> Frame:
    return Frame(pygame.Rect(rect), scale, PALETTES[palette], _font, motion)


def _played(game: str, size: int | None, *texts: str) -> list[tuple[Position, tuple[int, ...]]]:
    """The start of a game, and what is there after each of the moves."""
    position: Position = setup(game, size).start()
    stages: list[tuple[Position, tuple[int, ...]]] = [(position, ())]
    for text in texts:
        move = position.parse_move(text)
        position = position.play(move)
        stages.append((position, (*stages[-1][1], move)))
    return stages


def _view(game: str, size: int | None, frame: Frame, *texts: str) -> BoardView:
    view = board_view(game)
    view.place(frame)
    view.show(*_played(game, size, *texts)[-1], now=0.0)
    return view


def _empty(game: str, size: int | None, frame: Frame) -> BoardView:
    """A board without a move; ``plain`` is that of gomoku without its look."""
    view = PlainView(GAMES["gomoku"]) if game == "plain" else board_view(game)
    view.place(frame)
    view.show(*_played("gomoku" if game == "plain" else game, size)[0], now=0.0)
    return view


def _moves(game: str, size: int) -> list[int]:
    return [move for move in setup(game, size).start().legal_moves() if move != PASS]


def _drawn(view: BoardView, marks: Marks | None = None, now: float = 100.0, side: int = 600) -> pygame.Surface:
    surface = pygame.Surface((side, side), 0, 32)
    surface.fill(OUTSIDE)
    view.draw(surface, marks or Marks(), now)
    return surface


def _bytes(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize("game", KNOWN)
def test_every_move_has_a_pixel_that_means_it_wherever_the_board_is_placed(game: str) -> None:
    view = board_view(game)
    for size, rect, scale in product(SIZES[game], RECTS, SCALES):
        view.place(_frame(rect, scale))
        view.show(*_played(game, size)[-1], now=0.0)
        for move in _moves(game, size):
            pixel = view.pixel_of(move)
            assert pygame.Rect(rect).collidepoint(pixel)
            assert view.move_at(pixel) == move


@pytest.mark.parametrize(("game", "size"), BOARDS)
@pytest.mark.parametrize("rect", RECTS)
def test_clicks_off_the_board_mean_nothing(game: str, size: int, rect: tuple[int, int, int, int]) -> None:
    view = _view(game, size, _frame(rect))
    left, top, width, height = rect
    right, bottom = left + width - 1, top + height - 1
    beside = (left - 50, view.area.centery), (view.area.centerx, bottom + 50)
    for pixel in ((left, top), (right, bottom), (left - 50, top), (right + 50, bottom + 50), (-1, -1), *beside):
        assert view.move_at(pixel) is None


@pytest.mark.parametrize(("game", "size"), BOARDS)
@pytest.mark.parametrize("rect", RECTS)
def test_the_area_is_the_board_without_its_shadow(game: str, size: int, rect: tuple[int, int, int, int]) -> None:
    view = _view(game, size, _frame(rect))
    area, surface = view.area, _drawn(view, side=1000)
    assert pygame.Rect(rect).contains(area)
    middles = area.midleft, area.midtop, area.midright, area.midbottom
    for middle, (right, down) in zip(middles, ((-1, 0), (0, -1), (1, 0), (0, 1)), strict=True):
        for steps, wood in ((-2, True), (2 + round(0.012 * max(area.size)), False)):
            pixel = middle[0] + right * steps, middle[1] + down * steps
            inside = surface.get_rect().collidepoint(pixel)
            assert not inside or (surface.get_at(pixel)[:3] != OUTSIDE) is wood, (middle, steps)


def test_a_view_without_a_position_finds_no_move_and_draws_nothing() -> None:
    for game in KNOWN:
        view = board_view(game)
        assert view.move_at((5, 5)) is None
        assert not view.moving(0.0)
        assert _drawn(view).get_at((5, 5))[:3] == OUTSIDE


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("rect", [(40, 30, 120, 120), (40, 30, 333, 500), (100, 20, 480, 400)])
@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_every_mark_is_inside_the_rect(game: str, size: int, rect: tuple[int, int, int, int], palette: str) -> None:
    view = _view(game, size, _frame(rect, 1.0, palette))
    moves = list(_moves(game, size))
    for edge in (moves[0], moves[-1]):
        marks = Marks(
            hover=edge,
            cursor=moves[-1],
            hints=(edge, moves[0]),
            numbers=True,
            forbidden=(moves[len(moves) // 2], edge),
            candidates=tuple(Candidate(move, "−12.5", index / 8) for index, move in enumerate(moves[:9])),
            line=tuple(moves[:4]),
            threats=tuple(Threat(edge, side, "double_four") for side in (0, 1)),
            drawn=tuple(Mark(kind, edge, "Text") for kind in MARKS),
            wrong=edge,
        )
        for shown in (marks, Marks(coordinates=False)):
            before, plain = pygame.Surface((600, 600), 0, 32), _drawn(view, shown)
            before.fill(OUTSIDE)
            for surface in (before, plain):
                surface.fill((0, 0, 0), rect)
            assert _bytes(plain) == _bytes(before)


@pytest.mark.parametrize("game", KNOWN)
def test_drawing_keeps_the_clip_of_the_surface(game: str) -> None:
    surface = pygame.Surface((600, 600), 0, 32)
    surface.fill(OUTSIDE)
    clip = pygame.Rect(10, 20, 100, 110)
    surface.set_clip(clip)
    _view(game, None, _frame()).draw(surface, Marks(), 1.0)
    assert surface.get_clip() == clip
    assert surface.get_at((300, 300))[:3] == OUTSIDE


ENDINGS = {
    "tictactoe": ("b2", "a1", "a3", "b1", "c1"),
    "gomoku": ("h8", "h9", "i8", "i9", "g8", "g9", "f8", "f9", "e8"),
    "bones": ("3", "1", "2", "3"),
    "connect4": ("d", "e", "d", "e", "d", "e", "d"),
}


def _game(game: str) -> tuple[str, ...]:
    """The moves of a won game, or a few at random."""
    if game in ENDINGS:
        return ENDINGS[game]
    dice, position, texts = random.Random(1), setup(game).start(), []
    while position.outcome is None and len(texts) < 8:
        move = dice.choice([move for move in position.legal_moves() if move != PASS] or [PASS])
        texts.append(position.move_text(move))
        position = position.play(move)
    return tuple(texts)


@pytest.mark.parametrize("motion", [True, False])
@pytest.mark.parametrize("game", KNOWN)
def test_a_move_is_seen_being_made_where_motion_is_wanted_and_then_all_is_still(game: str, motion: bool) -> None:
    view = board_view(game)
    view.place(_frame(motion=motion))
    stages = _played(game, 9 if game == "bones" else None, *_game(game))
    for index, (position, moves) in enumerate(stages):
        view.show(position, moves, now=10.0 * index)
        moves_now = motion and index > 0
        assert view.moving(10.0 * index) == view.moving(10.0 * index + 0.05) == moves_now
        early, late = (_bytes(_drawn(view, now=10.0 * index + age)) for age in (0.05, 9.0))
        assert (early != late) == moves_now
        assert not view.moving(10.0 * index + 9.0)
        assert _bytes(_drawn(view, now=10.0 * index + 9.5)) == late


@pytest.mark.parametrize("game", ["tictactoe", "gomoku", "connect4"])
def test_without_ghosts_only_the_ring_of_the_cursor_is_shown(game: str) -> None:
    view = _view(game, None, _frame())
    plain, hover, cursor = (_bytes(_drawn(view, marks)) for marks in (Marks(), Marks(hover=3), Marks(cursor=3)))
    assert _bytes(_drawn(view, Marks(hover=3, ghosts=False))) == plain
    assert len({plain, hover, cursor, _bytes(_drawn(view, Marks(cursor=3, ghosts=False)))}) == 4


def test_the_stroke_through_a_row_follows_the_last_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    view, strokes = board_view("tictactoe"), list[object]()
    view.place(_frame())
    for stage in _played("tictactoe", None, "b2", "a1", "c1", "c2", "a3")[-2:]:
        view.show(*stage, now=50.0)
    monkeypatch.setattr(TicTacToeArt, "draw_row", lambda *stroke: strokes.append(stroke))
    for age, there in ((0.1, False), (0.3, True)):
        _drawn(view, now=50.0 + age)
        assert bool(strokes) == there


def test_a_falling_disc_bounces_once(monkeypatch: pytest.MonkeyPatch) -> None:
    view, heights = _view("connect4", None, _frame()), list[float]()
    view.show(*_played("connect4", None, "d")[-1], now=50.0)
    monkeypatch.setattr("ui.board.connect4.put", lambda _target, _picture, centre: heights.append(centre[1]))
    for share in (0.0, 0.31, 0.62, 0.81, 0.924, 0.9999):
        _drawn(view, now=50.0 + 0.34 * share)
    cell, landed = (heights[0] - heights[1]) / -1.5, view.pixel_of(3)[1] + 0.0
    lowest = landed + cell  # the next disc lies one cell higher
    assert [round((lowest - each) / cell, 2) for each in heights] == [6.0, 4.5, 0.0, 0.3, 0.19, 0.0]


def test_the_pixel_of_a_column_is_where_its_disc_lands() -> None:
    view = _view("connect4", None, _frame(motion=False), "d", "d")
    heights = [view.pixel_of(column)[1] for column in range(7)]
    assert heights[3] < min(heights[:3] + heights[4:])
    assert len(set(heights)) == 2


def test_discs_that_were_set_up_lie_below_those_that_are_played() -> None:
    """The mark of the last move was drawn as if the rack had been empty."""
    rack = setup("connect4")
    played = parse("ddd", rack)
    set_up = GameRecord(rack, stones=Stones(((38, 24), (31,)), 1))
    set_up.play(3)
    view = board_view("connect4")
    view.place(_frame(motion=False))
    pictures = []
    for position, moves in ((played.play(3).position, (3, 3, 3, 3)), (set_up.position, (3,))):
        view.show(position, moves, 0.0)
        pictures.append(_bytes(_drawn(view)))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("game", KNOWN)
def test_the_same_shown_again_does_not_start_the_motion_anew_and_turning_it_off_ends_it(game: str) -> None:
    view = board_view(game)
    view.place(_frame())
    start, after = _played(game, None, *_game(game))[:2]
    view.show(*start, now=0.0)
    view.show(*after, now=1.0)
    view.show(*after, now=5.0)
    assert (view.moving(1.01), view.moving(5.0)) == (True, False)
    view.place(_frame(motion=False))
    assert not view.moving(1.01)


@pytest.mark.parametrize("game", KNOWN)
def test_undo_leaps_and_the_first_position_are_shown_at_once(game: str) -> None:
    view = board_view(game)
    view.place(_frame())
    stages = _played(game, None, *_game(game)[:3])
    for stage in (stages[2], stages[1], stages[3]):
        view.show(*stage, now=1.0)
        assert not view.moving(1.0)


@pytest.mark.parametrize("side", [120, 333, 500, 900])
@pytest.mark.parametrize("count", [5, 9, 15, 19, 20])
def test_the_lines_of_a_grid_are_evenly_spaced_in_the_middle(side: int, count: int) -> None:
    view = _view("gomoku", count, _frame((0, 0, side, side)))
    pixels = [view.pixel_of(move) for move in range(count)]
    assert len({right[0] - left[0] for left, right in pairwise(pixels)}) == 1
    assert {pixel[1] for pixel in pixels} == {pixels[0][1]}
    last = view.pixel_of(count * count - 1)
    assert abs(pixels[0][0] + last[0] - (side - 1)) <= 1
    assert abs(pixels[0][1] + last[1] - (side - 1)) <= 1


@pytest.mark.parametrize("side", [190, 333, 600])
def test_a_board_that_is_changed_where_stones_are_others_is_as_one_made_anew(side: int) -> None:
    """Close together, in the corner and on the edge; with numbers, taken back, and all at once."""
    texts = ["h8", "h9", "i8", "g8", "h7", "a1", "b1", "a2", "o15", "o14", "h6", "h10", "i9", "h5", "h11", "j10", "g7"]
    stages = _played("gomoku", 15, *texts)
    frame = _frame((7, 4, side, side))
    kept = board_view("gomoku")
    kept.place(frame)
    order = [*range(len(stages)), *range(len(stages) - 2, 3, -1), 12, 6, len(stages) - 1]
    for number, stage in enumerate(order):
        fresh = board_view("gomoku")
        fresh.place(frame)
        for view in (kept, fresh):
            view.show(*stages[stage], now=float(number))
        marks = Marks(numbers=number % 5 > 1, coordinates=number % 7 > 0)
        for later in (0.05, 0.5):  # while the stone falls, and when it lies
            pictures = [_drawn(view, marks, number + later, side + 9) for view in (kept, fresh)]
            if later == 0.5:
                assert _bytes(pictures[0]) == _bytes(pictures[1]), (number, stage)


def test_a_ghost_shows_only_where_the_move_is_legal() -> None:
    for game in ("tictactoe", "gomoku"):
        view = _view(game, None, _frame(), "b2")
        taken, free = (_played(game, None)[0][0].parse_move(text) for text in ("b2", "c3"))
        plain = _bytes(_drawn(view))
        assert _bytes(_drawn(view, Marks(hover=taken))) == plain
        assert _bytes(_drawn(view, Marks(hover=free))) != plain
        over = _view(game, None, _frame(), *_game(game))
        assert _bytes(_drawn(over, Marks(hover=free))) == _bytes(_drawn(over))


def test_a_mark_of_a_person_does_not_cover_advice() -> None:
    view, move = _view("gomoku", 9, _frame(), "e5"), 3
    drawn = (Mark("square", move), Mark("circle", 5))
    for advice in (Marks(candidates=(Candidate(move, "+1.2", 1.0),)), Marks(line=(move,))):
        both, without = replace(advice, drawn=drawn), replace(advice, drawn=drawn[1:])
        assert _bytes(_drawn(view, both)) == _bytes(_drawn(view, without)) != _bytes(_drawn(view, advice))


@pytest.mark.parametrize("game", KNOWN)
def test_a_mark_off_the_board_is_not_drawn(game: str) -> None:
    """A file that put one on a fifth bone or a tenth cell crashed the window."""
    view = _view(game, None, _frame(), *_game(game)[:2])
    outside = tuple(Mark("circle", move) for move in (-1, max(_moves(game, SIZES[game][-1])) + 1))
    assert _bytes(_drawn(view, Marks(drawn=outside))) == _bytes(_drawn(view))


def test_digits_of_threats_and_crosses_showed_through_the_numbers_of_a_line() -> None:
    view = _view("gomoku", None, _frame(), "h8")
    line = _bytes(_drawn(view, Marks(line=(100, 101))))
    assert _bytes(_drawn(view, Marks(line=(100, 101), threats=(Threat(100, 1, "four"),)))) == line
    assert _bytes(_drawn(view, Marks(line=(100, 101), threats=(Threat(90, 1, "four"),)))) == line, "nor beside them"
    assert _bytes(_drawn(view, Marks(line=(100, 101), forbidden=(101,)))) == line


def test_the_keyboard_cursor_walks_the_cells_and_stops_at_the_edge() -> None:
    view = _view("gomoku", None, _frame())
    assert view.step(None, 0, 0) == 112
    assert view.step(112, 1, 0) == 113
    assert view.step(112, 0, 1) == 127
    assert view.step(0, -1, -1) == 0
    assert view.step(224, 1, 1) == 224
    assert [view.step(cursor, 1, 1) for cursor in (14, 210, 113)] == [29, 211, 129]
    rack, steps = _view("connect4", None, _frame()), [(None, 0, 0), (3, 1, 0), (3, 0, -1), (0, -1, 1), (6, 1, 0)]
    assert [rack.step(*step) for step in steps] == [3, 4, 3, 0, 6]
    tiles = TilesView()
    tiles.place(_frame())
    tiles.show(*_played("connect4", None)[0], now=0.0)  # two rows, of four and of three
    steps = [(None, 1, 1), (9, 0, 0), (1, 1, 0), (1, 0, 1), (4, 0, 1), (5, 0, -1), (0, -1, 0), (6, 1, 0), (0, 0, -1)]
    assert [tiles.step(*step) for step in steps] == [0, 0, 2, 5, 6, 1, 0, 6, 0]
    tiles.show(*_played("connect4", None, "d")[-1], now=0.0)
    assert [tiles.moving(now) for now in (0.0, 0.19, 0.2)] == [True, True, False]
    assert [tiles.move_at(tiles.pixel_of(move)) for move in (0, 6)] == [0, 6]
    assert TilesView().move_at((5, 5)) is None


def test_the_keyboard_cursor_cycles_through_the_takings_there_are() -> None:
    view = _view("bones", 21, _frame())
    assert [view.step(cursor, 1, 0) for cursor in (None, 1, 2, 3)] == [1, 2, 3, 1]
    assert view.step(1, -1, 0) == 3
    assert [view.step(1, 0, down) for down in (1, -1)] == [3, 2]
    assert _view("bones", 2, _frame()).step(2, 1, 0) == 1
    assert _view("bones", 3, _frame(), "3").step(3, 1, 0) == 1


def test_a_renderer_refuses_the_position_of_another_game() -> None:
    with pytest.raises(TypeError):
        _view("gomoku", None, _frame()).show(*_played("bones", 9)[0], now=0.0)
    with pytest.raises(TypeError):
        _view("bones", None, _frame()).show(*_played("gomoku", 15)[0], now=0.0)
    with pytest.raises(KeyError):
        board_view("chess")


# The board of a game that has no look of its own.


def test_a_position_is_told_by_its_fields_and_long_ones_by_their_end() -> None:
    known = {"ply": 3, "turn": 1, "_kept": 5, "name": "Ada", "cells": b"\1\2", "ratio": 0.5, "pair": ("a", 7),
             "just": "x" * 40, "more": "x" + "y" * 40}  # fmt: skip
    position = make_dataclass("Told", known)(**known)
    told = ["name Ada", "cells 1 2", "pair a 7", f"just {'x' * 40}", f"more … {'y' * 40}"]
    assert list(describe_fields(position)) == told
    assert list(describe_fields(object())) == []  # type: ignore[arg-type]


def test_passes_and_taken_cells_as_advice_do_no_harm() -> None:
    view = _view("toy", None, _frame(), "b3", "d4", "f3", "pass")
    odd = Marks(hover=3, hints=(PASS,), candidates=(Candidate(PASS, "0.0", 1.0),), line=(3, 4), wrong=PASS)
    assert _bytes(_drawn(view, odd)) == _bytes(_drawn(view))
    assert view.area.collidepoint(view.pixel_of(PASS))


def test_a_position_without_cells_is_refused() -> None:
    with pytest.raises(TypeError, match="cells"):
        board_view("toy").show(setup("bones").start(), (), 0.0)


@pytest.mark.parametrize(
    ("game", "size", "scale", "least"),
    [
        ("gomoku", 9, 1.0, 256), ("gomoku", 15, 1.0, 256), ("gomoku", 20, 1.0, 277), ("gomoku", 15, 0.5, 210),
        ("tictactoe", 3, 1.0, 256), ("connect4", None, 1.0, 224), ("connect4", None, 2.0, 447), ("plain", 9, 1.0, 243),
    ],
)  # fmt: skip
def test_a_board_has_coordinates_where_they_can_be_read(game: str, size: int, scale: float, least: int) -> None:
    for side in (least - 1, least):
        view = _empty(game, size, _frame((0, 0, side, side), scale))
        shown, hidden = (_bytes(_drawn(view, Marks(coordinates=there))) for there in (True, False))
        assert (shown != hidden) == (side == least)


@pytest.mark.parametrize(("game", "size", "height"), [("gomoku", 9, 17), ("connect4", None, 18), ("plain", 9, 18)])
def test_letters_of_coordinates_do_not_grow_with_a_large_board(game: str, size: int, height: int) -> None:
    view = _empty(game, size, _frame((0, 0, 600, 600), 1.0))
    below = pygame.Rect(view.pixel_of(2)[0] - 20, 530, 40, 70)
    shown, hidden = (_drawn(view, Marks(coordinates=there)).subsurface(below) for there in (True, False))
    changed = pygame.mask.from_threshold(shown, (0, 0, 0), (1, 1, 1), hidden)
    changed.invert()
    ink = _font(height, False).render("c", True, "white").get_bounding_rect()
    assert [rect.size for rect in changed.get_bounding_rects()] == [ink.size]


@pytest.mark.parametrize(
    ("game", "size", "move", "least"),
    [("gomoku", 9, 40, 184), ("tictactoe", 3, 4, 110), ("connect4", None, 3, 179), ("plain", 9, 40, 213),
     ("bones", 21, 2, 191)],
)  # fmt: skip
def test_an_evaluation_is_written_where_it_can_be_read(game: str, size: int, move: int, least: int) -> None:
    for side in (least - 1, least):
        view = _empty(game, size, _frame((0, 0, side, side)))
        written, blank = (
            _bytes(_drawn(view, Marks(coordinates=False, candidates=(Candidate(move, text, 1.0),)), side=side))
            for text in ("+", " ")
        )
        assert (written != blank) == (side == least)


@pytest.mark.parametrize("number", [8, 88, 188])
def test_the_number_of_a_move_fits_on_its_stone(number: int) -> None:
    art, surface = GridArt(_frame(), 15), pygame.Surface((100, 100), pygame.SRCALPHA)
    art.draw_number(surface, (50, 50), number, 0, False)
    ink, stone = surface.get_bounding_rect(), art.stone(0).get_width()
    assert abs(ink.centerx - 50) <= 1 >= abs(ink.centery - 50)
    assert 0.35 < max(ink.width / stone, ink.height / stone) <= 0.75


@pytest.mark.parametrize(
    ("game", "size", "rect", "area", "pixels"),
    [
        ("gomoku", 15, RECTS[1], (11, 47, 113, 113), [(25, 54), (32, 54)]),
        ("gomoku", 15, RECTS[2], (128, 24, 325, 325), [(176, 53), (195, 53)]),
        ("gomoku", 20, RECTS[1], (14, 50, 106, 106), [(24, 55), (29, 55)]),
        ("tictactoe", None, RECTS[1], (9, 45, 117, 117), [(67, 69), (101, 69)]),
        ("tictactoe", None, RECTS[2], (128, 24, 325, 325), [(290, 97), (379, 97)]),
        ("connect4", None, RECTS[1], (7, 49, 120, 109), [(35, 141), (51, 141)]),
        ("connect4", None, RECTS[2], (108, 20, 365, 333), [(192, 300), (241, 300)]),
        ("bones", 21, RECTS[1], (9, 45, 117, 117), [(30, 148), (67, 148)]),
        ("bones", 21, RECTS[2], (128, 24, 325, 325), [(190, 310), (290, 310)]),
        ("gomoku", 15, (3, 5, 9, 6), (7, 8, 1, 1), [(1, 1), (2, 1)]),
        ("connect4", None, (3, 5, 9, 6), (4, 5, 7, 6), [(5, 10), (6, 10)]),
        ("plain", 9, (3, 5, 9, 6), (3, 4, 9, 9), [(4, 4), (5, 4)]),
    ],
)
def test_a_board_is_as_large_as_there_is_room_for(
    game: str, size: int | None, rect: tuple[int, int, int, int], area: tuple[int, int, int, int],
    pixels: list[tuple[int, int]],
) -> None:  # fmt: skip
    view = _empty(game, size, _frame(rect))
    assert (view.area, [view.pixel_of(move) for move in (1, 2)]) == (area, pixels)


PLACES = {
    1: (215.8, (227, 134, 146, 284), (227, 134, 146, 284)), 6: (183.7, (30, 155, 90, 242), (480, 155, 90, 242)),
    21: (96.7, (70, 102, 66, 116), (464, 334, 66, 116)), 60: (72.5, (30, 102, 36, 87), (534, 363, 36, 87)),
}  # fmt: skip
"""Of the bones of some heaps: their length, and the places of the first and the last."""


def test_bones_lie_in_rows_that_are_full_or_long_and_the_last_ones_mean_moves() -> None:
    rows = []
    for size in range(1, 61):
        layout = BonesLayout(pygame.Rect(0, 0, 600, 600), size)
        rows.append(sum(slot.top == layout.slots[0].top for slot in layout.slots))
        meant = [layout.move_at(slot.center, size) for slot in layout.slots]
        assert meant == [*[None] * (size - 3), *(3, 2, 1)[-size:]]
        if size in PLACES:
            assert (round(layout.length, 1), tuple(layout.slots[0]), tuple(layout.slots[-1])) == PLACES[size]
    assert [BonesLayout(pygame.Rect(0, 0, side, side), 9).type_height for side in (60, 80)] == [8, 9]
    assert rows == [
        *(1, 2, 3, 4, 5, 6, 7, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 7, 11, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11),
        *(12, 12, 12, 13, 13, 13, 14, 14, 14, 11, 11, 15, 12, 12, 12, 17, 17, 17, 13, 14, 14, 14, 14, 15, 15, 15, 15),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "texts", "seconds"),
    [
        ("gomoku", ("h8",), 0.15), ("gomoku", ENDINGS["gomoku"], 2.75), ("tictactoe", ("b2",), 0.2),
        ("tictactoe", ENDINGS["tictactoe"], 0.2 + 2.6), ("connect4", ("d",), 0.34),
        ("connect4", ("d", "d", "d"), 0.34 * math.sqrt(4 / 6)), ("bones", ("3",), 0.31), ("toy", ("b3",), 0.15),
        ("connect4", ENDINGS["connect4"], 0.34 * math.sqrt(3 / 6) + 2.6),
    ],
)  # fmt: skip
def test_a_move_and_a_win_take_their_time(game: str, texts: tuple[str, ...], seconds: float) -> None:
    view = board_view(game)
    view.place(_frame())
    for stage in _played(game, None, *texts)[-2:]:
        view.show(*stage, now=0.0)
    assert [view.moving(seconds - by) for by in (1e-9, 0.0)] == [True, False]
    assert _bytes(_drawn(view, now=seconds)) == _bytes(_drawn(view, now=9.0))


@pytest.mark.parametrize(
    ("game", "seconds"), [("tictactoe", 0.2), ("gomoku", 0.15), ("connect4", 0.34 * math.sqrt(3 / 6))]
)
def test_a_piece_is_at_rest_from_the_end_of_its_motion_on(game: str, seconds: float) -> None:
    view = board_view(game)
    view.place(_frame())
    for stage in _played(game, None, *_game(game))[-2:]:
        view.show(*stage, now=0.0)
    before, end, after = (_bytes(_drawn(view, now=seconds + by)) for by in (-0.01, 0.0, 1e-9))
    assert before != end == after


def test_the_points_of_an_opening_are_shaded_as_they_change() -> None:
    view, allowed = _view("gomoku", 9, _frame(), "e5"), (frozenset({1, 2}), frozenset({3}))
    first, again, other = (_bytes(_drawn(view, Marks(allowed=cells))) for cells in (*allowed, allowed[1]))
    fresh = _bytes(_drawn(_view("gomoku", 9, _frame(), "e5"), Marks(allowed=allowed[1])))
    assert first != again == other == fresh
