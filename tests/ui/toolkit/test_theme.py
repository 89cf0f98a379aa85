"""The theme: readable colours, digits of equal width, fonts, and icons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from ui.board.shapes import contrast
from ui.toolkit.art import STATES, icon, styles
from ui.toolkit.resources import resource
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import PALETTES, STRONG, Theme, font_file
from ui.toolkit.typesetting import width_of

SIZE = (1280, 800)


@pytest.fixture(autouse=True)
def window() -> Iterator[None]:
    pygame.init()
    pygame.display.set_mode(SIZE)
    yield
    pygame.quit()


@pytest.fixture
def theme() -> Theme:
    return Theme(PALETTES["ink"], 1.0, "en")


ALL = {**PALETTES, **{f"strong {key}": palette for key, palette in STRONG.items()}}


@pytest.mark.parametrize("key", ALL)
def test_texts_are_readable_on_every_ground(key: str) -> None:
    palette, least = ALL[key], 7 if "strong" in key else 4.5
    for ground in (palette.background, palette.panel, palette.raised):
        assert contrast(palette.text, ground) >= least
        assert contrast(palette.quiet, ground) >= least
    for ground in (palette.background, palette.panel):
        for colour in (palette.accent, palette.good, palette.bad, palette.info):
            assert contrast(colour, ground) >= least
        assert contrast(palette.line, ground) >= 4.5 or "strong" not in key
    assert contrast(palette.on_accent, palette.accent) >= least


@pytest.mark.parametrize("key", ALL)
def test_buttons_are_readable_in_every_state(key: str) -> None:
    palette = ALL[key]
    poor = []
    for name, style in styles(palette).items():
        assert set(style.looks) == set(STATES)
        for state, (ground, text, _) in style.looks.items():
            least = min(contrast(text, under) for under in ([ground] if ground else [palette.panel, palette.raised]))
            if least < (3.0 if state == "disabled" else 4.5):
                poor.append((name, state, round(least, 2)))
    assert poor == []


@pytest.mark.parametrize("bold", [False, True])
def test_digits_are_of_equal_width(theme: Theme, bold: bool) -> None:
    for height in (14, 16, 20, 28, 44):
        font = theme.font(height, bold)
        assert len({font.size(digit)[0] for digit in "0123456789"}) == 1
        assert font.size("11:11") == font.size("08:40")


@pytest.mark.parametrize("bold", [False, True])
def test_a_japanese_window_had_chinese_forms(bold: bool) -> None:
    def drawn(code: str, text: str) -> bytes:
        picture = Theme(PALETTES["ink"], 1.0, code).text(text, 28, (255, 255, 255), bold)
        return pygame.image.tobytes(picture, "RGBA")

    for text in "直骨対：":
        assert drawn("ja", text) != drawn("zh", text)
    for text in ("一中の々メ、", "Elo 1800", "h8"):
        assert drawn("ja", text) == drawn("zh", text)


def test_a_theme_survives_a_restart_of_pygame() -> None:
    """Fonts die with the font module: they belong to a theme, not to the program."""
    Theme(PALETTES["ink"], 1.0, "en").font(20, bold=False)
    pygame.quit()
    pygame.init()
    pygame.display.set_mode(SIZE)
    assert Theme(PALETTES["ink"], 1.0, "en").font(20, bold=False).size("a")[0] > 0


@pytest.mark.parametrize("name", sorted(file.stem for file in resource("icons", "lucide").glob("*.svg")))
def test_every_icon_is_drawn(name: str) -> None:
    for size in (16, 20, 48):
        picture = icon(name, size, (200, 100, 50))
        assert picture.get_size() == (size, size)
        share = pygame.mask.from_surface(picture, 60).count() / size**2
        assert 0.03 < share < 0.7
    assert icon(name, 20, (200, 100, 50)) is icon(name, 20, (200, 100, 50))


@pytest.mark.parametrize("string", ["\u200b", "\u202e", "\ufe0f", "", "\ud800", "a\0b"])
def test_every_string_can_be_drawn_and_typed(theme: Theme, string: str) -> None:
    """A zero-width space that was pasted, or a name in a file, must not end the program."""
    theme.text(string, 16, theme.palette.text)
    assert width_of(theme, string, 16) >= 0
    line = TextLine(theme, pygame.Rect(0, 0, 200, 40), string, 40, lambda _: None)
    line.draw(pygame.display.get_surface())
    line.type_text(string + "x")
    line.draw(pygame.display.get_surface())


def test_a_font_that_is_missing_or_damaged_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = tmp_path / "Tengen-Bold.otf"
    monkeypatch.setattr("ui.toolkit.theme.resource", lambda _folder, name: tmp_path / name)
    other = font_file.__wrapped__(bold=True)
    assert (other.parent, other.is_file()) == (Path(pygame.__file__).parent, True)
    for start, found in ((b"no font", other), (b"OTTO...", ours), (b"\0\1\0\0...", ours)):
        ours.write_bytes(start)
        assert font_file.__wrapped__(bold=True) == found


def test_a_text_grew_more_than_the_room_that_was_made_for_it() -> None:
    """At 125 per cent, words were cut off that fit at 100."""
    for scale in range(80, 201):
        theme = Theme(PALETTES["ink"], scale / 100, "ru")
        for size in (12, 14, 16, 20, 28):
            high = theme.text_px(size)
            assert high <= size * scale / 100 < high + 1
            assert theme.text("Табл.", size, (0, 0, 0)).get_width() == width_of(theme, "Табл.", size)
            assert width_of(theme, "Табл.", size) == theme.font(high, bold=False).size("Табл.")[0]


def test_fonts_keep_no_files_open(theme: Theme) -> None:
    """Windows of many sizes would otherwise use up the files that a process may open."""
    opened = Path("/proc/self/fd")
    if not opened.is_dir():
        pytest.skip("The system does not list open files.")
    before = len(list(opened.iterdir()))
    fonts = [theme.font(height, bold=False) for height in range(10, 40)]
    assert len(list(opened.iterdir())) <= before + 1 < len(fonts) + before


@pytest.mark.parametrize(
    "string", ["one\ntwo", "one\r\ntwo\n", "one\u2028two", "one\x85two\x0b", "Z" + "\u0335" * 300, "\u202eone", "o\tne"]
)
def test_one_line_was_drawn_on_two(theme: Theme, string: str) -> None:
    """Over the text below it."""
    line = theme.font(16, bold=False).get_height()
    assert theme.text(string, 16, (0, 0, 0)).get_height() == line
    assert theme.font(16, bold=False).size(string)[1] == line
    assert theme.text(string, 16, (0, 0, 0)).get_width() == width_of(theme, string, 16)
