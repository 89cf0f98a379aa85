"""The pictures that boards are made of keep their colours and their edges at any size."""

from __future__ import annotations

import pygame
import pytest

from tests.ui.stage import Make
from ui.board.grid import LETTER, GridArt
from ui.board.materials import BONE_ROOM, LEANS, STONES, WOODS, leaning_bone, material, stone, table, wood
from ui.board.shapes import WHITE, contrast
from ui.parts.board_part import board_frame
from ui.toolkit.theme import PALETTES

MATERIALS = ["kaya", "black", "white", *(f"{game}_{key}" for game in ("bones", "tictactoe") for key in PALETTES)]
SIDES = (40, 92, 336, 560, 712, 1000, 1340, 1600)


@pytest.mark.parametrize("name", MATERIALS)
def test_a_material_looks_the_same_at_any_size_and_has_transparent_corners(name: str) -> None:
    """Without care, pygame makes what is scaled down darker and lets the ground shine through."""
    true = pygame.transform.average_color(material(name, (2048, 2048)), (512, 512, 1024, 1024))
    for side in SIDES:
        quarter, half = side // 4, side // 2
        seen = material(name, (side, side)).subsurface((quarter, quarter, half, half))
        assert pygame.surfarray.array_alpha(seen).min() == 255, side
        means = pygame.transform.average_color(seen)
        assert all(abs(one - other) <= 2 for one, other in zip(means[:3], true[:3], strict=True)), (side, means, true)
    assert material(name, (560, 560)).get_at((0, 0)).a <= 8


@pytest.mark.parametrize(("side", "drawn"), [(499, True), (500, False), (600, False)])
def test_the_rim_of_a_table_is_drawn_where_it_is_less_than_a_pixel_wide(side: int, drawn: bool) -> None:
    scaled, made = material("tictactoe_ink", (side, side)), table("tictactoe", PALETTES["ink"], side)
    assert (pygame.image.tobytes(made, "RGBA") != pygame.image.tobytes(scaled, "RGBA")) is drawn


def test_bones_lean_each_in_its_way_and_their_light_has_the_colour_of_the_theme() -> None:
    size = round(100 * BONE_ROOM[0]), round(100 * BONE_ROOM[1])
    bones = {pygame.image.tobytes(leaning_bone("bones", lean, size, WHITE), "RGBA") for lean in range(len(LEANS))}
    assert len(bones) == len(LEANS)
    glow = leaning_bone("glows", 0, size, (200, 100, 0))
    red, green, blue, _ = glow.get_at(glow.get_rect().center)
    assert red >= 196
    assert 96 <= green <= 100
    assert blue == 0


COLOURS = {"kaya": (224, 177, 112), "maple": (227, 196, 153), "cherry": (215, 149, 96)}
YUNZI = (31, 44, 42), (233, 229, 200)


@pytest.mark.parametrize("kind", WOODS)
def test_each_wood_has_its_colour_on_which_lines_and_letters_are_legible(kind: str) -> None:
    red, green, blue, _ = pygame.transform.average_color(wood(kind, (200, 200)), (20, 20, 160, 160))
    assert (red, green, blue) == pytest.approx(COLOURS[kind], abs=1)
    assert contrast(LETTER, (red, green, blue)) >= 4.5
    for side, colour in enumerate(YUNZI):
        seen = pygame.transform.average_color(stone("yunzi", side, (100, 100)), (30, 30, 40, 40))
        assert seen[:3] == pytest.approx(colour, abs=1)


def test_materials_that_are_chosen_are_those_of_the_board(stage: Make) -> None:
    made = stage()
    pictures = set()
    for kind, stones in zip(WOODS, STONES, strict=True):
        made.app.settings.wood, made.app.settings.stones = kind, stones
        art = GridArt(board_frame(made.app, pygame.Rect(0, 0, 300, 300)), 15)
        pictures |= {pygame.image.tobytes(each, "RGBA") for each in (art.ground(False), art.stone(0), art.stone(1))}
    assert len(pictures) == 3 * len(WOODS)
