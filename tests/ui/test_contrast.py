"""Every text that a scene or a board writes can be read on what is really behind it: 4.5:1 at the least.

The colours of widgets are in `tests/ui/toolkit/test_theme.py`; here it is the pixels under each letter that count.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pygame
import pytest

import ui.toolkit.text
from ai.levels.levels import EVEN
from games.formats.text import parse
from games.record import PERSON, moves_to
from games.registry import setup
from tests.ui.stage import SCENES, SIZES, Make, act
from ui.board.art import Art
from ui.board.registry import board_view
from ui.board.shapes import contrast
from ui.board.view import Frame, Marks
from ui.parts.keys_page import KeysPage
from ui.screens.setup import SetupScreen
from ui.system.settings import NewGame
from ui.toolkit.palette import PALETTES, Colour
from ui.toolkit.theme import Theme

LEAST = 4.5
_WRITTEN = 48  # of 255: how near to the colour of the text a pixel of a letter is
_PACKED = np.array((1 << 16, 1 << 8, 1))  # a colour as one number
_STRAY = 0.05  # of the pixels of a text, which may be on an edge of what is behind it


class Reader:
    """Watches texts being written, and keeps the contrast of each."""

    def __init__(self) -> None:
        self.read: dict[str, float] = {}

    def watch(
        self, surface: pygame.Surface, area: pygame.Rect, colour: Colour, text: str, draw: Callable[[], Any]
    ) -> None:
        area = area.clip(surface.get_clip())
        before = _pixels(surface, area)
        draw()
        after = _pixels(surface, area)
        ink = (_distance(after, np.array(colour, np.int16)) <= _WRITTEN) & (_distance(after, before) > 0)
        grounds = before[ink]
        if len(grounds):
            kinds, counts = np.unique(grounds.astype(int) @ _PACKED, return_counts=True)
            unpacked = zip((tuple(int(kind).to_bytes(3)) for kind in kinds), counts, strict=True)
            ratios = [(contrast(kind, colour), int(count)) for kind, count in unpacked]
            self.read[text] = min(self.read.get(text, 21.0), _low(sorted(ratios), len(grounds)))


def _pixels(surface: pygame.Surface, area: pygame.Rect) -> Any:
    return pygame.surfarray.array3d(surface.subsurface(area)).astype(np.int16)


def _distance(one: Any, other: Any) -> Any:
    """The largest difference of a channel, for each pixel."""
    channels = np.abs(one - other)
    return np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2])


def _low(ratios: list[tuple[float, int]], count: int) -> float:
    """The lowest of `ratios`, each of so many pixels, but for a few strays."""
    passed = 0
    for ratio, pixels in ratios:
        passed += pixels
        if passed > _STRAY * count:
            return ratio
    return ratios[-1][0]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    made, write, put = Reader(), ui.toolkit.text.write, Art.centred

    def watched(
        surface: pygame.Surface, theme: Any, string: str, rect: pygame.Rect, size: int = 16,
        colour: Colour | None = None, *rest: Any, **more: Any,
    ) -> None:
        room = rect.inflate(0, size)
        ink = colour or theme.palette.text
        made.watch(surface, room, ink, string, lambda: write(surface, theme, string, rect, size, colour, *rest, **more))

    def centred(art: Art, target: pygame.Surface, text: str, centre: Any, height: int, colour: Colour) -> None:
        area = art.text(text, height, colour).get_rect(center=centre).inflate(4, 4)
        made.watch(target, area, colour, text, lambda: put(art, target, text, centre, height, colour))

    for name, module in list(sys.modules.items()):
        if name.startswith("ui.") and name != "ui.toolkit.button_art" and getattr(module, "write", None) is write:
            monkeypatch.setattr(module, "write", watched)
    monkeypatch.setattr(Art, "centred", centred)
    return made


@pytest.mark.parametrize("theme", PALETTES)
def test_every_text_can_be_read(stage: Make, reader: Reader, theme: str) -> None:
    made = stage(*SIZES[1], theme)
    poor: list[str] = []
    for name, make in SCENES.items():
        reader.read.clear()
        made.show(make(made)).close()
        made.app.settings.numbers = not made.app.settings.numbers
        made.frame(2)
        assert reader.read, f"{name} writes nothing"
        poor += [f"{name}: {text!r} {ratio:.2f}" for text, ratio in reader.read.items() if ratio < LEAST]
    assert not poor, "\n".join(poor)


@pytest.mark.parametrize("theme", PALETTES)
def test_what_is_chosen_can_be_read(stage: Make, reader: Reader, theme: str) -> None:
    made = stage(*SIZES[1], theme)
    scene: Any = made.show(SCENES["library"](made))
    for _ in range(3):  # the damaged one is not the only one to be chosen
        made.press(pygame.K_DOWN)
    act(scene, "ctrl+a")
    made.app.settings.new_game["gomoku"] = NewGame(15, "freestyle", (PERSON, EVEN), (1.0, 1.0))
    made.show(SetupScreen(made.app, "gomoku")).widgets.press("level1")
    assert min(reader.read.values()) >= LEAST, reader.read


@pytest.mark.parametrize("theme", PALETTES)
def test_the_page_of_keys_can_be_read(stage: Make, reader: Reader, theme: str) -> None:
    made = stage(*SIZES[1], theme)
    made.show(SCENES["play"](made)).close()
    reader.read.clear()
    KeysPage(made.app, (*made.app.scene.all_bindings(), *made.app.bindings)).draw(made.app.surface)
    assert len(reader.read) > 20
    assert min(reader.read.values()) >= LEAST


@pytest.mark.parametrize("side", [320, 600, 1000])
def test_the_number_of_the_last_move_can_be_read_where_a_black_stone_gleams(reader: Reader, side: int) -> None:
    pygame.font.init()
    theme, surface = Theme(PALETTES["ink"], side / 640, "en"), pygame.Surface((side, side))
    view, record = board_view("gomoku"), parse("h8i9g7i7i8g8j8h6k8l8g9", setup("gomoku"))
    view.place(Frame(surface.get_rect(), theme.scale, theme.palette, theme.font, motion=False))
    view.show(record.position, moves_to(record.cursor), 0.0)
    view.draw(surface, Marks(numbers=True), 100.0)
    assert reader.read["11"] >= LEAST
    assert min(reader.read.values()) >= LEAST


def test_a_text_that_cannot_be_read_is_found(reader: Reader) -> None:
    pygame.font.init()
    surface = pygame.Surface((200, 60))
    for ground, grey, readable in ((255, 100, True), (255, 140, False), (60, 100, False)):
        surface.fill((ground, ground, ground))
        reader.read.clear()
        frame = Frame(surface.get_rect(), 1.0, PALETTES["ink"], lambda height, _bold: pygame.font.Font(None, height))
        Art(frame).centred(surface, "Tengen", (100, 30), 30, (grey, grey, grey))
        assert bool(reader.read["Tengen"] >= LEAST) is readable
