"""Rectangles are divided, and a drawing is moved in its view, to the pixel."""

from __future__ import annotations

from collections.abc import Callable

import pygame
import pytest

from ui.toolkit.camera import Camera
from ui.toolkit.space import Space, columns, knob

Rect = tuple[int, int, int, int]


@pytest.mark.parametrize(("cut", "piece", "rest"), [
    (lambda space: space.top(20), (10, 30, 200, 20), (10, 54, 200, 76)),
    (lambda space: space.bottom(20), (10, 110, 200, 20), (10, 30, 200, 76)),
    (lambda space: space.left(50), (10, 30, 50, 100), (64, 30, 146, 100)),
    (lambda space: space.right(50), (160, 30, 50, 100), (10, 30, 146, 100)),
    (lambda space: space.top(100), (10, 30, 200, 100), (10, 134, 200, 0)),
    (lambda space: space.right(300), (-90, 30, 300, 100), (10, 30, 0, 100)),
])  # fmt: skip
def test_a_strip_and_its_gap_are_cut_from_what_is_left(
    cut: Callable[[Space], pygame.Rect], piece: Rect, rest: Rect
) -> None:
    rect = pygame.Rect(10, 30, 200, 100)
    space = Space(rect, 4)
    assert (cut(space), space.rest, rect) == (piece, rest, (10, 30, 200, 100))


@pytest.mark.parametrize(("first", "shown", "whole", "least", "expected"), [
    (0, 10, 40, 20, (102, 50, 8, 50)), (15, 10, 40, 20, (102, 125, 8, 50)), (30, 10, 40, 20, (102, 200, 8, 50)),
    (990, 10, 1000, 20, (102, 230, 8, 20)), (0, 10, 10, 20, (102, 50, 8, 200)), (1, 10, 11, 20, (102, 69, 8, 181)),
])  # fmt: skip
def test_the_knob_of_a_scroll_bar(first: int, shown: int, whole: int, least: int, expected: Rect) -> None:
    assert knob(pygame.Rect(10, 50, 100, 200), 8, first, shown, whole, least) == expected


@pytest.mark.parametrize(("width", "count", "expected"), [
    (100, 1, [(5, 100)]), (100, 3, [(5, 30), (40, 30), (75, 30)]), (101, 3, [(5, 30), (40, 31), (76, 30)]),
])  # fmt: skip
def test_columns_of_equal_width(width: int, count: int, expected: list[tuple[int, int]]) -> None:
    found = columns(pygame.Rect(5, 7, width, 20), count, 5)
    assert [(place.left, place.width) for place in found] == expected
    assert {(place.top, place.height) for place in found} == {(7, 20)}


@pytest.fixture
def camera() -> Camera:
    """Twice as large, and three times in height."""
    made = Camera(0.5, 4.0)
    made.view = pygame.Rect(20, 30, 400, 300)
    made.zoom, made.x, made.y, made.stretch = 2.0, 5.0, 7.0, 1.5
    return made


@pytest.mark.parametrize(("size", "most", "expected"), [
    ((100, 50), 3.0, (3.0, 50.0, 37.5, 1.5)), ((1000, 100), 3.0, (0.5, -50.0, 112.5, 1.5)),
    ((10, 1000), 3.0, (0.5, 197.5, 0.0, 1.0)), ((100, 60), 4.0, (4.0, 0.0, 0.0, 1.25)),
    ((0, 0), 9.0, (4.0, 200.0, 150.0, 1.5)),
])  # fmt: skip
def test_a_drawing_fits_its_view(
    camera: Camera, size: tuple[int, int], most: float, expected: tuple[float, ...]
) -> None:
    camera.fit(*size, most, 1.5)
    assert (camera.zoom, camera.x, camera.y, camera.stretch) == expected


def test_a_point_stays_where_it_is_while_the_drawing_is_zoomed(camera: Camera) -> None:
    assert camera.pixel(10, 20) == (45, 97)
    assert camera.point((45, 97)) == (10, 20)
    for factor, zoom in ((1.5, 3.0), (2.0, 4.0), (0.01, 0.5)):
        camera.zoom_by(factor, (45, 97))
        assert camera.zoom == zoom
        assert camera.pixel(10, 20) == pytest.approx((45, 97))


@pytest.mark.parametrize(
    ("moved", "expected"), [((3, -4), (8, 3)), ((999, 999), (300, 225)), ((-999, -999), (-100, -75))]
)
def test_a_drawing_is_moved_until_a_quarter_of_the_view_is_left(
    camera: Camera, moved: tuple[int, int], expected: tuple[int, int]
) -> None:
    camera.move(*moved)
    camera.keep_in_view(100, 50)
    assert (camera.x, camera.y) == expected


@pytest.mark.parametrize(("area", "by"), [
    ((20, 30, 400, 300), (0, 0)), ((99, 99, 9, 9), (0, 0)), ((0, 329, 10, 10), (20, -9)), ((415, 21, 10, 10), (-5, 9)),
])  # fmt: skip
def test_an_area_is_revealed_at_once_or_by_gliding(camera: Camera, area: Rect, by: tuple[int, int]) -> None:
    camera.reveal(pygame.Rect(area), 1.0, glide=True)
    assert (camera.x, camera.y) == (5, 7)
    assert camera.gliding == (by != (0, 0))
    camera.update(1.07)
    assert (camera.x, camera.y) == pytest.approx((5 + by[0] / 2, 7 + by[1] / 2))
    for later in range(2, 9):
        camera.update(1.0 + 0.07 * later)
    assert (camera.x, camera.y, camera.gliding) == (5 + by[0], 7 + by[1], False)
    camera.move(-by[0], -by[1])
    camera.reveal(pygame.Rect(area), 9.0, glide=False)
    assert (camera.x, camera.y, camera.gliding) == (5 + by[0], 7 + by[1], False)


def test_what_a_person_does_ends_the_gliding(camera: Camera) -> None:
    area = pygame.Rect(0, 0, 9, 9)
    for act in (lambda: camera.move(0, 0), lambda: camera.zoom_by(1.0, (50, 50)), lambda: camera.fit(9, 9, 1.0, 1.0)):
        camera.reveal(area, 0.0, glide=True)
        assert camera.gliding
        act()
        assert not camera.gliding
