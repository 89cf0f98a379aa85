"""Every text that a scene or a board writes can be read on what is really behind it: 4.5:1 at the least.

Those of all scenes are read in `test_scenes.py`; the colours of widgets are in `tests/ui/toolkit/test_theme.py`.
"""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from ai.players.levels import EVEN
from games.formats.text import parse
from games.record import PERSON, moves_to
from games.registry import setup
from tests.ui.reader import LEAST, Reader
from tests.ui.scenes import SCENES
from tests.ui.stage import SIZES, Make, act
from ui.board.cells import Art
from ui.board.looks import board_view
from ui.board.view import Frame, Marks
from ui.setup.screen import SetupScreen
from ui.system.settings import NewGame
from ui.toolkit.theme import PALETTES, Theme


@pytest.mark.parametrize("theme", PALETTES)
def test_what_is_chosen_can_be_read(stage: Make, reader: Reader, theme: str) -> None:
    made = stage(*SIZES[1], theme)
    scene: Any = made.show(SCENES["library"](made))
    for _ in range(3):  # the damaged one is not the only one to be chosen
        made.press(pygame.K_DOWN)
    act(scene, "ctrl+a")
    made.app.settings.new_game["gomoku"] = NewGame(15, "freestyle", (PERSON, EVEN), (1.0, 1.0))
    made.show(SetupScreen(made.app, "gomoku")).widgets.press("level1")
    assert reader.poor == {}


@pytest.mark.slow
@pytest.mark.parametrize("theme", PALETTES)
def test_everything_can_be_read_in_high_contrast(stage: Make, reader: Reader, theme: str) -> None:
    made = stage(*SIZES[0], theme)
    made.app.settings.contrast = "on"
    made.app.window.fit()
    poor = {}
    for name, make in SCENES.items():
        reader.read.clear()
        made.show(make(made)).close()
        made.frame()
        poor |= {(name, text): round(ratio, 2) for text, ratio in reader.poor.items()}
    assert poor == {}


@pytest.mark.parametrize("side", [320, 600, 1000])
def test_the_number_of_the_last_move_can_be_read_where_a_black_stone_gleams(reader: Reader, side: int) -> None:
    pygame.font.init()
    theme, surface = Theme(PALETTES["ink"], side / 640, "en"), pygame.Surface((side, side))
    view, record = board_view("gomoku"), parse("h8i9g7i7i8g8j8h6k8l8g9", setup("gomoku"))
    view.place(Frame(surface.get_rect(), theme.scale, theme.palette, theme.font, motion=False))
    view.show(record.position, moves_to(record.cursor), 0.0)
    view.draw(surface, Marks(numbers=True), 100.0)
    assert reader.read["11"] >= LEAST
    assert reader.poor == {}


def test_a_text_that_cannot_be_read_is_found(reader: Reader) -> None:
    pygame.font.init()
    surface = pygame.Surface((200, 60))
    for ground, grey, readable in ((255, 100, True), (255, 140, False), (60, 100, False)):
        surface.fill((ground, ground, ground))
        reader.read.clear()
        frame = Frame(surface.get_rect(), 1.0, PALETTES["ink"], lambda height, _bold: pygame.font.Font(None, height))
        Art(frame).draw_centred(surface, "Tengen", (100, 30), 30, (grey, grey, grey))
        assert bool(reader.read["Tengen"] >= LEAST) is readable
