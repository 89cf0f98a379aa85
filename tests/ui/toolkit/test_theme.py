"""The look: managers for every theme, readable colours, digits of equal width, icons, and the boxes drawn."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from typing import Any

import pygame
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from pygame_gui.core import ObjectID
from pygame_gui.core.gui_font_pygame import GUIFontPygame
from pygame_gui.elements import UIButton, UILabel, UISelectionList, UITextEntryLine

from ui.toolkit import box_art as shapes
from ui.toolkit.box_art import Box, draw_box
from ui.toolkit.icons import app_icon, icon, put_icon
from ui.toolkit.palette import PALETTES, Colour
from ui.toolkit.resources import resource
from ui.toolkit.styles import Looks
from ui.toolkit.text import width_of
from ui.toolkit.theme import Theme
from ui.toolkit.theme_json import theme_of

SIZE = (1280, 800)
STATES = ("normal", "hovered", "selected", "active", "disabled")


@pytest.fixture(autouse=True)
def window() -> Iterator[None]:
    pygame.init()
    pygame.display.set_mode(SIZE)
    yield
    pygame.quit()


@pytest.fixture
def theme() -> Theme:
    return Theme(PALETTES["ink"], 1.0, "en")


def luminance(colour: Colour) -> float:
    """WCAG 2.1, relative luminance."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: Colour, second: Colour) -> float:
    """WCAG 2.1, contrast ratio."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def parsed(text: str) -> Colour | None:
    colour = pygame.Color(text)
    return None if colour.a == 0 else (colour.r, colour.g, colour.b)


@pytest.mark.parametrize(("key", "language", "scale"), list(product(PALETTES, ("en", "zh"), (1.0, 1.5, 2.0))))
def test_a_manager_is_made_for_every_theme(key: str, language: str, scale: float) -> None:
    theme = Theme(PALETTES[key], scale, language)
    manager = theme.manager(SIZE)
    button = UIButton(pygame.Rect(0, 0, 200, 60), "天元 a.b", manager, object_id=ObjectID(None, "@primary"))
    assert button.text == "天元 a.b"
    assert button.font is not None
    assert button.font.get_point_size() == theme.px(16)
    assert button.colours["normal_bg"] == pygame.Color(*PALETTES[key].accent)


def test_two_widgets_may_share_a_class(theme: Theme) -> None:
    manager = theme.manager(SIZE)
    for _ in range(2):
        UILabel(pygame.Rect(0, 0, 100, 60), "Ink", manager, object_id=ObjectID("#same", "@title"))


def test_a_manager_opens_few_fonts(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are most of the time in which it is made, by far with that of pygame_gui for Chinese."""
    opened: list[str] = []
    whole = GUIFontPygame.__init__

    def counted(font: GUIFontPygame, file: object, *arguments: Any, **named: Any) -> None:
        opened.append(str(getattr(file, "name", file)))
        whole(font, file, *arguments, **named)

    monkeypatch.setattr(GUIFontPygame, "__init__", counted)
    theme.manager(SIZE)
    assert 0 < len(opened) < 10
    assert not [file for file in opened if "NotoSansSC" in file or "NotoSansJP" in file]


@pytest.mark.parametrize("key", PALETTES)
def test_texts_are_readable_on_every_ground(key: str) -> None:
    palette = PALETTES[key]
    for ground in (palette.background, palette.panel, palette.raised):
        assert contrast(palette.text, ground) >= 4.5
        assert contrast(palette.quiet, ground) >= 4.5
    for ground in (palette.background, palette.panel):
        for colour in (palette.accent, palette.good, palette.bad, palette.info):
            assert contrast(colour, ground) >= 4.5
    assert contrast(palette.on_accent, palette.accent) >= 4.5


@pytest.mark.parametrize("key", PALETTES)
def test_widgets_are_readable_in_every_state(key: str) -> None:
    palette = PALETTES[key]
    poor = []
    for name, block in theme_of(Looks(palette, 1.0, "", "")).items():
        colours = block.get("colours", {})
        for state in STATES:
            text, ground = colours.get(f"{state}_text"), colours.get(f"{state}_bg")
            if text is None or parsed(text) is None or "slid" in name or "scroll" in name:
                continue
            grounds = [parsed(ground)] if ground and parsed(ground) else [palette.panel, palette.raised]
            least = min(contrast(parsed(text) or (0, 0, 0), ground or (0, 0, 0)) for ground in grounds)
            if least < (3.0 if state == "disabled" else 4.5):
                poor.append((name, state, round(least, 2)))
    assert poor == []


@pytest.mark.parametrize("bold", [False, True])
def test_digits_are_of_equal_width(theme: Theme, bold: bool) -> None:
    for height in (14, 16, 20, 28, 44):
        font = theme.font(height, bold)
        assert len({font.size(digit)[0] for digit in "0123456789"}) == 1
        assert font.size("11:11") == font.size("08:40")


def test_texts_and_fonts_are_kept(theme: Theme) -> None:
    assert theme.font(20) is theme.font(20, False)
    assert theme.text("天元", 16, (1, 2, 3)) is theme.text("天元", 16, (1, 2, 3))
    assert theme.text("天元", 16, (1, 2, 3)) is not theme.text("天元", 16, (1, 2, 4))


def test_a_theme_survives_a_restart_of_pygame() -> None:
    """Fonts die with the font module: they belong to a theme, not to the program."""
    Theme(PALETTES["ink"], 1.0, "en").font(20)
    pygame.quit()
    pygame.init()
    pygame.display.set_mode(SIZE)
    assert Theme(PALETTES["ink"], 1.0, "en").font(20).size("a")[0] > 0


@pytest.mark.parametrize("name", sorted(file.stem for file in resource("icons", "lucide").glob("*.svg")))
def test_every_icon_is_drawn(name: str) -> None:
    for size in (16, 20, 48):
        picture = icon(name, size, (200, 100, 50))
        assert picture.get_size() == (size, size)
        share = pygame.mask.from_surface(picture, 60).count() / size**2
        assert 0.03 < share < 0.7
    assert icon(name, 20, (200, 100, 50)) is icon(name, 20, (200, 100, 50))


def test_an_icon_on_a_button_has_the_colour_of_its_text_and_no_box(theme: Theme) -> None:
    button = UIButton(pygame.Rect(0, 0, 40, 40), "", theme.manager(SIZE), object_id=ObjectID(None, "@icon"))
    put_icon(button, "play", 20)
    assert button.image is not None
    assert button.image.get_at((11, 11)).a == 0
    middle = button.image.get_at((20, 20))
    assert (middle.r, middle.g, middle.b) == theme.palette.text


def test_the_emblem_has_round_corners_and_a_black_stone() -> None:
    emblem = app_icon(64)
    assert emblem.get_at((0, 0)).a == 0
    assert max(emblem.get_at((36, 36))[:3]) < 80


@pytest.mark.parametrize("size", [(20, 9), (40, 40), (300, 120)])
def test_a_box_is_as_large_as_asked_and_filled(size: tuple[int, int]) -> None:
    box = draw_box(Box(size, 0, 1, (10, 20, 30, 255), (40, 50, 60, 255), (8, 8, 8, 8)))
    assert box.get_size() == size
    assert tuple(box.get_at((size[0] // 2, size[1] // 2))) == (40, 50, 60, 255)
    assert tuple(box.get_at((size[0] // 2, 0))) == (10, 20, 30, 255)
    assert box.get_at((0, 0)).a < 128


def test_the_rows_of_a_long_list_share_their_boxes(theme: Theme) -> None:
    manager = theme.manager(SIZE)
    shapes._drawn.cache_clear()
    UISelectionList(pygame.Rect(0, 0, 700, 600), [f"Game {n}" for n in range(200)], manager)
    assert shapes._drawn.cache_info().misses < 20


@pytest.mark.parametrize("string", ["\u200b", "\u202e", "\ufe0f", "", "\ud800", "a\0b"])
def test_every_string_can_be_drawn_and_typed(theme: Theme, string: str) -> None:
    """A zero-width space that was pasted, or a name in a file, must not end the program."""
    theme.text(string, 16, theme.palette.text)
    assert width_of(theme, string, 16) >= 0
    line = UITextEntryLine(pygame.Rect(0, 0, 200, 40), theme.manager(SIZE))
    line.set_text(string)
    line.update(0.02)
    line.set_text(string + "x")
    line.update(0.02)
