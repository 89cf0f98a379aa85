"""Both canvases: what is drawn where, and that the smooth one changes nothing else."""

from __future__ import annotations

import xml.etree.ElementTree as Xml

import numpy as np
import pygame
import pytest

from games.drawing import Sheet
from ui.toolkit.canvas import SurfaceCanvas, SvgCanvas, page_theme, painted
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import Align, width_of

RED, GREEN, GROUND = (250, 0, 0), (0, 200, 0), (10, 20, 30)
SPACE = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def theme() -> Theme:
    return page_theme()


@pytest.fixture
def surface() -> pygame.Surface:
    made = pygame.Surface((60, 40))
    made.fill(GROUND)
    return made


def drawn(canvas: SvgCanvas, name: str) -> list[dict[str, str]]:
    return [each.attrib for each in Xml.fromstring(canvas.svg()).iter(f"{SPACE}{name}")]


def coloured(surface: pygame.Surface) -> pygame.Rect:
    """Around all that is not the ground."""
    columns, rows = np.nonzero((pygame.surfarray.array3d(surface) != GROUND).any(axis=2))
    left, top = int(columns.min()), int(rows.min())
    return pygame.Rect(left, top, int(columns.max()) + 1 - left, int(rows.max()) + 1 - top)


def test_what_is_smooth_is_where_it_would_be_and_changes_nothing_else(surface: pygame.Surface, theme: Theme) -> None:
    canvas = SurfaceCanvas(surface, theme)
    with canvas.smooth(pygame.Rect(5, 5, 50, 30)) as curves:
        curves.line(((10, 20), (50, 20)), RED, 3)
        curves.circle((30, 20), 6, GREEN)
        curves.circle((2, 2), 2, GREEN)
    found = coloured(surface)
    assert found.inflate(2, 0).contains((9, 14, 43, 13))
    assert (found.top, found.bottom) == (14, 27)
    assert surface.get_at((15, 20))[:3] == RED
    assert surface.get_at((30, 16))[:3] == GREEN


def test_only_the_parts_are_hatched(surface: pygame.Surface, theme: Theme) -> None:
    svg, area = SvgCanvas((60, 40), theme), pygame.Rect(10, 5, 40, 30)
    parts = [pygame.Rect(12, 6, 10, 10), pygame.Rect(30, 20, 12, 9)]
    for canvas in (SurfaceCanvas(surface, theme), svg):
        canvas.hatch(area, RED, GREEN, 6, parts)
        canvas.hatch(area, RED, GREEN, 6, parts[:1])
    assert coloured(surface) == parts[0].union(parts[1])
    assert surface.get_at((26, 17))[:3] == GROUND
    (pattern,) = drawn(svg, "pattern")
    fills = [path for path in drawn(svg, "path") if path.get("fill") == f"url(#{pattern['id']})"]
    assert [path["d"].count("M") for path in fills] == [2, 1]


@pytest.mark.parametrize(("width", "height", "place"), [
    (10, 20, "translate(112.5 50.0) scale(1.5000)"), (20, 10, "translate(100.0 55.0) scale(2.0000)"),
])  # fmt: skip
def test_a_drawing_on_another_is_as_large_as_it_fits(theme: Theme, width: int, height: int, place: str) -> None:
    canvas, sheet = SvgCanvas((200, 100), theme), Sheet(width, height, ("<path/>", "<circle/>"))
    canvas.sheet(sheet, pygame.Rect(100, 50, 40, 30))
    assert f'<g transform="{place}" text-anchor="middle"><path/><circle/></g>' in canvas.svg()


ENDS: list[tuple[Align, str, int]] = [("left", "start", 5), ("centre", "middle", 25), ("right", "end", 45)]


@pytest.mark.parametrize(("align", "anchor", "x"), ENDS)
def test_a_text_is_no_wider_than_its_place(theme: Theme, align: Align, anchor: str, x: int) -> None:
    svg, long = SvgCanvas((60, 40), theme), "a long sentence"
    svg.text(long, pygame.Rect(5, 10, 40, 20), 14, RED, align=align)
    svg.text("", pygame.Rect(5, 10, 40, 20), 14)
    (text,) = Xml.fromstring(svg.svg()).iter(f"{SPACE}text")
    assert text.text is not None
    assert text.text.endswith("…")
    assert width_of(theme, text.text, 14) <= 40
    assert (text.attrib["text-anchor"], float(text.attrib["x"])) == (anchor, x)
    assert float(text.attrib["y"]) == pytest.approx(25, abs=1)


def test_a_picture_of_a_place_has_only_that(theme: Theme) -> None:
    rect = pygame.Rect(20, 10, 30, 12)
    picture = painted(rect, theme, lambda canvas: canvas.box(rect.inflate(-10, -4), RED))
    assert picture.get_size() == rect.size
    assert [picture.get_at(place)[:3] for place in ((4, 1), (5, 2), (24, 9), (25, 10))] == [
        theme.palette.background, RED, RED, theme.palette.background,
    ]  # fmt: skip
