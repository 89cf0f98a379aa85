"""Buttons as they draw themselves: state by state, with icons and texts in their places."""

from __future__ import annotations

import pygame
import pytest

from tests.ui.stage import Make, Stage
from ui.toolkit.button_art import Face, Shown, draw_face
from ui.toolkit.controls import Button
from ui.toolkit.palette import PALETTES
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import Widgets

SIZE = (160, 36)


@pytest.fixture
def theme(stage: Make) -> Theme:
    return stage().app.theme


@pytest.fixture
def widgets(stage: Make) -> Widgets:
    return stage().app.scene.widgets


def button(widgets: Widgets, enabled: bool = True) -> Button:
    made = widgets.button("a", pygame.Rect(10, 10, *SIZE), "Start", lambda: None, enabled=enabled)
    widgets.display.manager.update(0.0)
    assert isinstance(made, Button)
    return made


def ground(made: Button) -> tuple[int, ...]:
    assert made.image is not None
    return tuple(made.image.get_at((6, 18)))


def ink(picture: pygame.Surface) -> pygame.Rect:
    """Where icon and text of a quiet button are."""
    parts = pygame.mask.from_surface(picture, 60).get_bounding_rects()
    return parts[0].unionall(parts)


def test_only_the_state_that_is_shown_is_drawn() -> None:
    drawn: list[str] = []

    def draw(state: str) -> pygame.Surface:
        drawn.append(state)
        return pygame.Surface(SIZE)

    face = Face(pygame.Rect((0, 0), SIZE), "normal", draw)
    face.set_active_state("selected")
    assert face.has_fresh_surface()
    face.get_fresh_surface()
    face.set_active_state("selected")
    assert drawn == ["selected"]
    assert not face.has_fresh_surface()


def test_a_button_shows_the_state_it_is_in(widgets: Widgets) -> None:
    made = button(widgets)
    seen = {"normal": ground(made)}
    for state, change in (("hovered", made.on_hovered), ("chosen", made.select), ("disabled", made.disable)):
        change()
        made.update(0.0)
        seen[state] = ground(made)
    assert len(set(seen.values())) == 4
    assert seen["disabled"] == ground(button(widgets, enabled=False))


def test_a_button_is_where_its_rectangle_is(widgets: Widgets) -> None:
    made = button(widgets)
    assert made.hover_point(10, 10)
    assert not made.hover_point(10 + SIZE[0], 10)
    made.set_position((300, 200))
    assert made.hover_point(310, 210)
    assert not made.hover_point(20, 20)


def test_another_text_is_drawn(widgets: Widgets) -> None:
    made = button(widgets)
    assert made.image is not None
    before = pygame.image.tobytes(made.image, "RGBA")
    made.set_text("Stop")  # type: ignore[no-untyped-call]
    made.update(0.0)
    assert pygame.image.tobytes(made.image, "RGBA") != before


def test_icon_and_text_stand_in_the_middle_together(theme: Theme) -> None:
    for text, icon in (("", "play"), ("Start", ""), ("Start", "swap"), ("HHH", "")):
        found = ink(draw_face(theme, Shown("@quiet", text, icon), SIZE, "normal"))
        assert abs(found.centerx - SIZE[0] // 2) <= 3
        assert abs(found.centery - SIZE[1] // 2) <= 2


def test_an_icon_without_room_beside_the_text_is_left_out(theme: Theme) -> None:
    small = (theme.font(theme.px(16)).size("Start")[0] + 20, 36)
    shown = (draw_face(theme, Shown("@quiet", "Start", icon), small, "normal") for icon in ("swap", ""))
    assert len({pygame.image.tobytes(picture, "RGBA") for picture in shown}) == 1


def test_a_text_ends_before_the_arrow_of_a_menu(stage: Make) -> None:
    made: Stage = stage()
    shown = Shown("@menu", "All of the opponents there are", "")
    draw_face(made.app.theme, shown, SIZE, "normal")
    assert [cut.shown[-1] for cut in made.cuts] == ["…"]


@pytest.mark.parametrize("key", PALETTES)
def test_a_clear_button_is_premultiplied(key: str) -> None:
    pygame.font.init()
    theme = Theme(PALETTES[key], 1.0, "en")
    picture = draw_face(theme, Shown("@quiet", "Start", "swap"), SIZE, "normal")
    for x in range(SIZE[0]):
        for y in range(SIZE[1]):
            red, green, blue, alpha = picture.get_at((x, y))
            assert max(red, green, blue) <= alpha
