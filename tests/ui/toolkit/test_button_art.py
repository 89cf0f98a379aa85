"""When pictures of buttons are drawn, where they are pressed, and where their tooltips are."""

from __future__ import annotations

import pygame
import pytest

from tests.ui.stage import Make, Stage
from ui.toolkit.art import ButtonFace, button_picture
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import Widgets, draw_tip

SIZE = (160, 36)


@pytest.fixture
def widgets(stage: Make) -> Widgets:
    return stage().app.scene.widgets


def test_a_picture_is_drawn_once_for_each_change(widgets: Widgets, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(theme: Theme, shown: ButtonFace, size: tuple[int, int], state: str) -> pygame.Surface:
        drawn.append(state)
        return button_picture(theme, shown, size, state)

    monkeypatch.setattr("ui.toolkit.controls.button_picture", draw)
    made = widgets.button("a", pygame.Rect(10, 10, *SIZE), "Start", lambda: None, chosen=True)
    for made.text in ("Start", "Start", "Stop"):
        made.draw(pygame.Surface((300, 100)))
    assert drawn == ["selected"] * 2


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


def test_a_text_ends_before_the_arrow_of_a_menu(stage: Make) -> None:
    made: Stage = stage()
    shown = ButtonFace("@menu", "All of the opponents there are", "")
    button_picture(made.app.theme, shown, SIZE, "normal")
    assert [cut.shown[-1] for cut in made.cuts] == ["…"]
