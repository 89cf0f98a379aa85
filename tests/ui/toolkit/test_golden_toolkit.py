"""Controls, dialogs and charts look as they did in every state, which few screens show: compared as in
`tests.ui.test_golden` with pictures that a person has looked at.

`python -m tests.ui.toolkit.test_golden_toolkit` makes the pictures anew: look at them before you commit them.
"""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from tests.ui.test_golden import FOLDER, expect_alike
from ui.toolkit import art
from ui.toolkit.canvas import Canvas, SurfaceCanvas, SvgCanvas, draw_grid, draw_tip, legend
from ui.toolkit.controls import ListRow, ListView, Slider
from ui.toolkit.dialogs import Menu, ProgressCard, Question
from ui.toolkit.i18n import set_language
from ui.toolkit.space import Space, columns
from ui.toolkit.text_area import TextArea
from ui.toolkit.text_line import TextLine
from ui.toolkit.theme import PALETTES, STRONG, Theme, series
from ui.toolkit.typesetting import text_rows, write, write_paragraph
from ui.toolkit.widgets import Widgets

LONG = "The quick brown fox jumps over the lazy dog, and the cat looks on. "
INK, PAPER, STRICT = Theme(PALETTES["ink"], 1.25, "en"), Theme(PALETTES["paper"], 1.0, "en"), STRONG["paper"]


def nothing(*_: object) -> None:
    """What a control does that is only seen."""


def all_widgets(theme: Theme, surface: pygame.Surface) -> Widgets:
    return Widgets(SimpleNamespace(theme=theme, size=surface.get_size()))


def buttons(theme: Theme, surface: pygame.Surface) -> None:
    """Every style in every state, with an icon on every second one."""
    widgets, names = all_widgets(theme, surface), list(art.styles(theme.palette))
    for (row, style), (column, state) in product(enumerate(names), enumerate(art.STATES)):
        rect = pygame.Rect(8 + 122 * column, 6 + 43 * row, 114, 37)
        icon, text = ("play", "home", "")[(row + 2 * column) % 3], "Start" if (row + column) % 4 else ""
        made = widgets.button(f"{style} {state}", rect, text, nothing, style=style, icon=icon)
        made.enabled, made.chosen = state != "disabled", state == "selected"
        made.held, made.pointer = state == "active", rect.center if state in ("active", "hovered") else None
        assert made.state == state
    widgets.button("long", pygame.Rect(8, 395, 90, 40), "Too long for it", nothing, icon="play")
    widgets.choice("c", pygame.Rect(104, 395, 300, 34), [("a", "One"), ("b", "The second"), ("c", "3")], "b", nothing)
    widgets.card(pygame.Rect(410, 390, 196, 46), theme.palette.good)
    widgets.paragraph(pygame.Rect(420, 394, 170, 40), LONG)
    widgets.label(pygame.Rect(420, 390, 180, 20), "above", 14, align="right", over=True)
    widgets.draw(surface)


def texts(theme: Theme, surface: pygame.Surface) -> None:
    """Fields of one and of several lines: with a hint, a selection, what an input method composes, and scrolled."""
    for row, text in enumerate(("", "selected text", "composed", LONG * 2)):
        line = TextLine(theme, pygame.Rect(10, 8 + 52 * row, 230, 44), text, 200, nothing, hint="A hint")
        line.focused = row > 0
        if row == 1:
            line.select(3, 10)
        elif row == 2:
            line.select(2, 5)
            line.compose("haoqi")
        line.draw(surface)
    for row, text in enumerate(("", LONG * 4, "one\ntwo 黑棋先\nthree")):
        area = TextArea(theme, pygame.Rect(252, 8 + 122 * row, 220, 114), text, 999, nothing, hint=LONG * 3)
        area.focused = row > 0
        if row == 1:
            area.select(60, 110)
            area.draw(surface)
            area.wheel(-1)
        elif row == 2:
            area.select(5, 9)
            area.compose("hei")
        area.draw(surface)
    for row, align in enumerate(("left", "centre", "right")):
        place = pygame.Rect(10, 220 + 26 * row, 230, 24)
        write(surface, theme, ("Short", "In the middle", LONG)[row], place, 16, align=align)  # type: ignore[arg-type]
    write_paragraph(surface, theme, LONG * 3, pygame.Rect(10, 300, 230, 66), theme.palette.info)


def lists(theme: Theme, surface: pygame.Surface) -> None:
    """Lists with a chosen row and one under the pointer, scrolled, and empty; sliders at their ends, and held."""
    notes, icons = ("", "a note"), ("", "board", "board")
    rows = [ListRow(f"row {number}", notes[number % 2], icons[number % 3]) for number in range(9)]
    made = ListView(theme, pygame.Rect(10, 8, 230, 190), rows, nothing, nothing)
    made.step_to(6)
    made.pointer = made.row_rect(4).center
    made.draw(surface)
    long = ListRow(LONG, "a note", "board")
    for row, (some, note) in enumerate((([long, rows[1]], ""), ([], "Nothing is here"))):
        few = ListView(theme, pygame.Rect(252, 8 + 96 * row, 220, 92), some, nothing, nothing)
        few.empty = note
        few.draw(surface)
    for row, value in enumerate((0, 3, 7)):
        slider = Slider(theme, pygame.Rect(10, 210 + 30 * row, 230, 21), value, 7, nothing)
        slider.held = row == 1
        slider.pointer = slider.knob.center if row == 2 else (1, 1)
        slider.draw(surface)
    for row, share in enumerate((0.0, 0.001, 0.4, 1.0)):
        art.draw_progress(surface, theme.palette, pygame.Rect(252, 214 + 20 * row, 220, 9), share)


def boxes(theme: Theme, surface: pygame.Surface) -> None:
    """Boxes of all sizes, a shadow, lines that are hatched, the emblem, and the colours of a chart."""
    palette = theme.palette
    for column, (wide, radius, width) in enumerate(((9, 8, 1), (20, 8, 3), (60, 8, 1), (60, 3, 4), (60, 0, 1))):
        for row, edge in enumerate((None, palette.accent)):
            rect = pygame.Rect(8 + 68 * column, 8 + 58 * row, wide, 50 - 10 * row)
            art.rounded(surface, rect, palette.raised, radius, edge, width)
    art.hatch(surface, pygame.Rect(352, 10, 60, 40), palette.quiet, 7)
    surface.blit(art.app_icon(48), (352, 58))
    for number in range(5):
        surface.fill(series(palette, number), (8 + 14 * number, 120, 12, 12))
    for number, share in enumerate((0.0, 0.5, 1.0)):
        surface.fill(palette.lit(share), (90 + 14 * number, 120, 12, 12))
        surface.fill(STRICT.lit(share), (140 + 14 * number, 120, 12, 12))
    for number, place in enumerate(columns(pygame.Rect(190, 118, 150, 14), 4, 3)):
        surface.fill(series(palette, number), place)
    texts = ["One", "The second", "Three", "The last of them"]
    for place in text_rows(theme, Space(pygame.Rect(8, 140, 246, 80), 4), texts, 26, 6, 2):
        art.rounded(surface, place, palette.raised, 4, palette.line)
    art.veil(surface, palette.info, 40)
    art.shadow(surface, pygame.Rect(290, 160, 90, 40), 26)


def tips(theme: Theme, surface: pygame.Surface) -> None:
    """Tooltips below and above their buttons, of one line and of several; a ring around what has the focus."""
    for at, tip, delay in (((20, 20), LONG * 2, 0.0), ((280, 190), "A tip", 1.0), ((30, 250), "A tip above", 0.0)):
        widgets = all_widgets(theme, surface)
        button = widgets.button("a", pygame.Rect(at, (90, 36)), "Start", nothing, tip=tip, key="ctrl+z")
        if delay:
            widgets.update(0.0, button.rect.center)
            widgets.update(delay, button.rect.center)
        else:
            widgets.move_focus(1)
            widgets.update(9.0, None)
        widgets.draw(surface)
        widgets.draw_over(surface)


def question(theme: Theme, surface: pygame.Surface) -> None:
    display, third = SimpleNamespace(theme=theme, size=surface.get_size()), ("other", "Another", nothing)
    Question(display, "A question", LONG * 2, "Delete", danger=True, third=third).draw(surface)


def progress(theme: Theme, surface: pygame.Surface) -> None:
    with pytest.MonkeyPatch.context() as patch:
        now = [5.0]
        patch.setattr("time.monotonic", lambda: now[0])
        card = ProgressCard(
            SimpleNamespace(theme=theme, size=surface.get_size()), "Reading", "a file.sgf", lambda: 0.374, nothing
        )
        now[0] += 0.4
        card.draw(surface)


def menus(theme: Theme, surface: pygame.Surface) -> None:
    """A menu above its button, longer than there is room, scrolled to its choice; and a short one below."""
    display = SimpleNamespace(theme=theme, size=surface.get_size())
    options = [(str(number), f"Option {number}") for number in range(60)]
    for left, top, some, at in ((20, 250, options, "9"), (290, 30, options[:3], "1")):
        menu = Menu(display, pygame.Rect(left, top, 100, 34), some, at, nothing, {"1": "ctrl+z", "8": "a", "9": "up"})
        if top < 100:
            menu.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_DOWN))
        menu.draw(surface)


def chart(canvas: Canvas, svg: bool = False) -> None:
    """All that a chart draws: lines with and without dashes, smooth curves, boxes, texts, scales and a legend."""
    palette, area = canvas.theme.palette, pygame.Rect(70, 12, 320, 150)
    draw_grid(canvas, area, [(20.4, "100"), (90.0, "50"), (150.0, "0")], [(100.0, "1"), (385.0, "twenty")], 400)
    canvas.line(((80, 20), (150, 60), (150, 110), (230, 110)), palette.accent, 1)
    canvas.line(((80, 40), (200, 120), (240, 30)), palette.info, 3, (9, 5))
    with canvas.smooth(area) as curves:
        curves.line(((90, 140), (180, 80), (180, 80), (300, 130)), palette.good, 2.5)
        curves.line(((200, 140), (380, 60)), palette.bad, 2, (8, 6))
        curves.circle((300, 60), 9, palette.accent)
        curves.polygon(((330, 90), (350, 120), (310, 125)), palette.info)
    canvas.circle((260.4, 40), 6, palette.bad)
    canvas.polygon(((270, 60), (285, 80), (262, 84)), palette.good)
    boxes = ((palette.raised, 0, None, 1), (palette.raised, 6, palette.line, 3), (None, 5, palette.bad, 2))
    for column, (fill, radius, border, width) in enumerate(boxes):
        canvas.box(pygame.Rect(20 + 64 * column, 200, 52, 30), fill, radius, border, width)
    for row, (bold, colour) in enumerate(((False, None), (True, palette.quiet))):
        canvas.text(LONG, pygame.Rect(220, 196 + 20 * row, 120, 18), 14 + 2 * row, colour, bold)
    canvas.hatch(pygame.Rect(350, 196, 40, 34), palette.quiet, palette.panel, 6, [pygame.Rect(354, 200, 20, 24)])
    canvas.hatch(pygame.Rect(396, 196, 20, 34), palette.quiet, palette.panel, 6)
    cells = np.zeros((4, 3, 3), np.uint8)
    cells[1:3, 1], cells[3, 2] = palette.bad, palette.good
    canvas.mosaic(pygame.Rect(20, 236, 60, 24), cells)
    names = ["first", "a second one", "third", "the fourth"]
    for place in legend(Space(pygame.Rect(90, 236, 200, 60), 2), canvas.theme, names, 18, 14):
        canvas.box(place, palette.panel, 2, palette.line)


def charts(theme: Theme, surface: pygame.Surface) -> None:
    chart(SurfaceCanvas(surface, theme))
    draw_tip(surface, theme, "At a point", (140, 60), surface.get_rect())
    draw_tip(surface, theme, "At the edge", (415, 6), surface.get_rect())


SHEETS: dict[str, tuple[Callable[[Theme, pygame.Surface], None], Theme, tuple[int, int]]] = {
    "buttons": (buttons, PAPER, (616, 440)),
    "strong_buttons": (buttons, Theme(STRICT, 1.0, "en"), (616, 440)),
    "texts": (texts, INK, (480, 376)),
    "lists": (lists, INK, (480, 304)),
    "boxes": (boxes, INK, (424, 232)),
    "tips": (tips, PAPER, (400, 296)),
    "question": (question, INK, (640, 400)),
    "progress": (progress, PAPER, (520, 200)),
    "menus": (menus, INK, (520, 304)),
    "charts": (charts, PAPER, (424, 296)),
}
DRAWING = FOLDER / "toolkit" / "chart.svg"


@pytest.fixture(autouse=True)
def _window() -> Iterator[None]:
    pygame.init()
    pygame.display.set_mode((640, 440))
    yield
    for theme in (INK, PAPER, SHEETS["strong_buttons"][1]):  # their fonts end with pygame
        theme.__dict__.pop("_fonts", None)
        theme.__dict__.pop("_texts", None)
    pygame.quit()


def drawn(name: str) -> pygame.Surface:
    draw, theme, size = SHEETS[name]
    surface = pygame.Surface(size, 0, 32)
    surface.fill(theme.palette.background)
    draw(theme, surface)
    return surface


def drawing() -> str:
    canvas = SvgCanvas((424, 296), PAPER)
    chart(canvas)
    return canvas.svg().replace("><", ">\n<")


@pytest.mark.parametrize("name", SHEETS)
def test_a_control_looks_as_it_did_in_every_state(name: str, tmp_path: Path) -> None:
    expect_alike(drawn(name), FOLDER / "toolkit" / f"{name}.png", tmp_path, "tests.ui.toolkit.test_golden_toolkit")


def test_a_chart_is_written_as_it_was() -> None:
    assert drawing() == DRAWING.read_text("utf-8"), "run python -m tests.ui.toolkit.test_golden_toolkit"


def main() -> None:
    pygame.init()
    pygame.display.set_mode((640, 440))
    set_language("en")
    DRAWING.parent.mkdir(exist_ok=True)
    DRAWING.write_text(drawing(), "utf-8")
    for name in SHEETS:
        pygame.image.save(drawn(name), DRAWING.with_name(f"{name}.png"))


if __name__ == "__main__":
    main()
