"""Pictures of buttons by state, with the places of icons and texts."""

from __future__ import annotations

import pygame
import pytest

from tests.ui.stage import Make, Stage
from ui.toolkit.art import ButtonFace, button_picture
from ui.toolkit.controls import Button
from ui.toolkit.theme import PALETTES, Theme
from ui.toolkit.widgets import Widgets, draw_tip

SIZE = (160, 36)


@pytest.fixture
def theme(stage: Make) -> Theme:
    return stage().app.theme


@pytest.fixture
def widgets(stage: Make) -> Widgets:
    return stage().app.scene.widgets


def button(widgets: Widgets, enabled: bool = True) -> Button:
    return widgets.button("a", pygame.Rect(10, 10, *SIZE), "Start", lambda: None, enabled=enabled)


def ground(made: Button) -> tuple[int, ...]:
    made.draw(pygame.Surface((300, 100)))
    return tuple(made.picture.get_at((6, 18)))


def ink(picture: pygame.Surface) -> pygame.Rect:
    """Where icon and text of a quiet button are."""
    parts = pygame.mask.from_surface(picture, 60).get_bounding_rects()
    return parts[0].unionall(parts)


def test_a_picture_is_drawn_once_for_each_change(widgets: Widgets, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(theme: Theme, shown: ButtonFace, size: tuple[int, int], state: str) -> pygame.Surface:
        drawn.append(state)
        return button_picture(theme, shown, size, state)

    monkeypatch.setattr("ui.toolkit.controls.button_picture", draw)
    made = button(widgets)
    made.chosen = True
    for _ in range(3):
        ground(made)
    assert drawn == ["selected"]


def test_a_button_shows_the_state_it_is_in(widgets: Widgets) -> None:
    made = button(widgets)
    seen = {"normal": ground(made)}
    widgets.update(0.0, (20, 20))
    seen["hovered"] = ground(made)
    assert widgets.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(20, 20)))
    seen["active"] = ground(made)
    assert widgets.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=(20, 20)))
    made.chosen = True
    seen["selected"] = ground(made)
    made.enabled = False
    seen["disabled"] = ground(made)
    assert len(set(seen.values())) == 5
    assert seen["disabled"] == ground(button(widgets, enabled=False))


@pytest.mark.parametrize(("up", "presses"), [((20, 20), 1), ((200, 20), 0)])
def test_a_button_is_pressed_where_the_mouse_goes_down_and_up(
    widgets: Widgets, up: tuple[int, int], presses: int
) -> None:
    """Also if everything is made anew in between."""
    pressed: list[int] = []
    for rebuilt in (False, True):
        widgets.button("a", pygame.Rect(10, 10, *SIZE), "", lambda: pressed.append(1))
        widgets.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(12, 12)))
        if rebuilt:
            widgets.clear()
            widgets.button("a", pygame.Rect(10, 10, *SIZE), "", lambda: pressed.append(1))
        widgets.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=up))
    assert sum(pressed) == 2 * presses


def test_another_text_is_drawn(widgets: Widgets) -> None:
    made = button(widgets)
    ground(made)
    before = pygame.image.tobytes(made.picture, "RGBA")
    made.text = "Stop"
    ground(made)
    assert pygame.image.tobytes(made.picture, "RGBA") != before


@pytest.mark.parametrize("point", [(5, 5), (955, 635), (5, 635), (955, 5)])
@pytest.mark.parametrize("text", ["Short", "word " * 60, "x" * 400])
def test_a_tooltip_never_leaves_the_window_and_does_not_cover_its_widget(
    stage: Make, point: tuple[int, int], text: str
) -> None:
    """It covered the lower half of a widget as high as a row of recent games."""
    widget = pygame.Rect(0, 0, 320, 56)
    widget.center = point
    made = stage((960, 640))
    boxes: list[pygame.Rect] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ui.toolkit.widgets.rounded", lambda surface, rect, colour, radius: boxes.append(rect))
        draw_tip(made.app.surface, made.app.theme, text, point, widget)
    assert pygame.Rect(0, 0, 960, 640).contains(boxes[0])
    assert not boxes[0].colliderect(widget)
    words = made.app.surface.subsurface(boxes[0])
    assert len({words.get_at((x, y))[:3] for x in range(words.width) for y in range(words.height)}) > 2


def test_icon_and_text_stand_in_the_middle_together(theme: Theme) -> None:
    for text, icon in (("", "play"), ("Start", ""), ("Start", "swap"), ("HHH", "")):
        found = ink(button_picture(theme, ButtonFace("@quiet", text, icon), SIZE, "normal"))
        assert abs(found.centerx - SIZE[0] // 2) <= 3
        assert abs(found.centery - SIZE[1] // 2) <= 2


def test_an_icon_without_room_beside_the_text_is_left_out(theme: Theme) -> None:
    small = (theme.font(theme.px(16)).size("Start")[0] + 20, 36)
    shown = (button_picture(theme, ButtonFace("@quiet", "Start", icon), small, "normal") for icon in ("swap", ""))
    assert len({pygame.image.tobytes(picture, "RGBA") for picture in shown}) == 1


def test_a_text_ends_before_the_arrow_of_a_menu(stage: Make) -> None:
    made: Stage = stage()
    shown = ButtonFace("@menu", "All of the opponents there are", "")
    button_picture(made.app.theme, shown, SIZE, "normal")
    assert [cut.shown[-1] for cut in made.cuts] == ["…"]


@pytest.mark.parametrize("key", PALETTES)
def test_a_clear_button_is_premultiplied(key: str) -> None:
    pygame.font.init()
    theme = Theme(PALETTES[key], 1.0, "en")
    picture = button_picture(theme, ButtonFace("@quiet", "Start", "swap"), SIZE, "normal")
    for x in range(SIZE[0]):
        for y in range(SIZE[1]):
            red, green, blue, alpha = picture.get_at((x, y))
            assert max(red, green, blue) <= alpha
