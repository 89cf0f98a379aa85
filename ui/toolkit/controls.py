"""pygame_gui's button, slider, list and line of text, with what people expect of them: the groove of a slider takes
clicks, arrows choose in a list, and a line of text tells an input method where it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame
import pygame_gui
from pygame_gui.elements import UIButton, UIHorizontalSlider, UISelectionList, UITextEntryLine

from ui.toolkit.button_art import Face, Shown, draw_face
from ui.toolkit.styles import TIP_DELAY
from ui.toolkit.theme import Theme

REPEAT = (350, 40)
"""Milliseconds until a held key comes again, and between two of them."""


_WITH_METHOD = {"zh", "ja", "ko", "vi"}


def rest_input_method() -> None:
    """Keeps an input method from taking the letters that are keys of ours, where people write with one.

    Elsewhere it stays on, because without it pygame tells no character of keys such as a German “?”.
    """
    if any(preferred["language"] in _WITH_METHOD for preferred in pygame.system.get_pref_locales()):
        pygame.key.stop_text_input()


class Button(UIButton):
    """A button that calls `press` and draws itself, in a style of the theme and with an icon; both may be empty."""

    def __init__(
        self, theme: Theme, rect: pygame.Rect, text: str, manager: pygame_gui.UIManager,
        press: Callable[[], object], *, style: str = "", icon: str = "", tip: str = "",
    ) -> None:
        self._theme, self._press, self._style, self._icon = theme, press, style, icon
        super().__init__(rect, text, manager, tool_tip_text=tip or None)

    def on_self_event(self, event: int, data: dict[str, Any] | None = None) -> None:
        """Called by pygame_gui; its own `command` would be looked through for its parameters, button by button."""
        if event == pygame_gui.UI_BUTTON_PRESSED:
            self._press()
        else:
            super().on_self_event(event, data)

    def can_hover(self) -> bool:
        """Called by pygame_gui, which would give a selected button no tooltip."""
        return bool(self.is_enabled and not self.held)

    def on_hovered(self) -> None:
        """Called by pygame_gui. A selected button looks selected also under the pointer."""
        super().on_hovered()  # type: ignore[no-untyped-call]
        if self.is_selected and self.drawable_shape is not None:
            self.drawable_shape.set_active_state("selected")

    def rebuild_from_changed_theme_data(self) -> None:
        """Called by pygame_gui when it has made the button."""
        self.tool_tip_delay = TIP_DELAY
        self.rebuild()

    def rebuild(self) -> None:
        """Draws it anew, before the next frame."""
        state: str = self._get_appropriate_state_name()  # type: ignore[no-untyped-call]
        self.drawable_shape = Face(self.rect, state, self._drawn)  # type: ignore[assignment]

    def on_fresh_drawable_shape_ready(self) -> None:
        """Called by pygame_gui when the picture is another; its own would show a copy."""
        if self.drawable_shape is not None:
            self.image = self.drawable_shape.get_fresh_surface()

    def _drawn(self, state: str) -> pygame.Surface:
        return draw_face(self._theme, Shown(self._style, self.text, self._icon), self.rect.size, state)


class Slider(UIHorizontalSlider):
    """A whole number from 0 to `most`, by the keyboard in steps of `stride`.

    It posts UI_HORIZONTAL_SLIDER_MOVED when a person moves it.
    """

    def __init__(
        self, rect: pygame.Rect, value: int, most: int, stride: int, manager: pygame_gui.UIManager, name: str
    ) -> None:
        self.most, self.stride = most, stride
        # Floats, because pygame_gui cuts whole numbers off instead of rounding them.
        super().__init__(rect, float(value), (0.0, float(most)), manager, object_id=f"#{name}")

    @property
    def value(self) -> int:
        return round(self.get_current_value())

    @property
    def held(self) -> bool:
        """Whether it is being dragged: it must not be made anew under the hand."""
        return self.sliding_button is not None and bool(self.sliding_button.held)

    def step(self, times: int) -> None:
        """Moves `times` strides as if by hand, and no further than the ends."""
        self.set_current_value(max(0, min(self.most, self.value + times * self.stride)))
        self._moved()

    def update(self, time_delta: float) -> None:
        if self.grabbed_slider and not self.held:  # let go between two frames: the last of the way counts too
            self._update_grabbed_slider(self.ui_manager.get_mouse_position()[0])  # type: ignore[no-untyped-call]
            self._update_data_and_fire_events_when_moved()  # type: ignore[no-untyped-call]
        super().update(time_delta)

    def process_event(self, event: pygame.event.Event) -> bool:
        if bool(super().process_event(event)):
            return True
        knob = self.sliding_button
        clicked = event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT
        if knob is None or not clicked or not self.is_enabled or not self.rect.collidepoint(event.pos):
            return False
        share = (event.pos[0] - self.rect.left - knob.rect.width / 2) / max(1, self.rect.width - knob.rect.width)
        self.set_current_value(max(0.0, min(1.0, share)) * self.most)
        self._moved()
        return True

    def _moved(self) -> None:
        facts = {"value": self.get_current_value(), "ui_element": self}
        pygame.event.post(pygame.event.Event(pygame_gui.UI_HORIZONTAL_SLIDER_MOVED, facts))


class Choices(UISelectionList):
    """A list in which arrows choose, too."""

    @property
    def at(self) -> int | None:
        """Which row is chosen."""
        return next((number for number, row in enumerate(self.item_list) if row["selected"]), None)

    def step(self, by: int) -> None:
        """Chooses the row `by` further down, or the first if none is chosen, as if it were clicked."""
        if not self.item_list:
            return
        to = 0 if self.at is None else max(0, min(len(self.item_list) - 1, self.at + by))
        for number, row in enumerate(self.item_list):
            row["selected"] = number == to
            if (button := row["button_element"]) is not None:
                (button.select if number == to else button.unselect)()
        self._show(to)
        facts = {"text": self.item_list[to]["text"], "ui_element": self}
        pygame.event.post(pygame.event.Event(pygame_gui.UI_SELECTION_LIST_NEW_SELECTION, facts))

    def _show(self, number: int) -> None:
        """Scrolls so that the row is in sight."""
        if self.scroll_bar is None or self.item_list_container is None:
            return
        whole, seen = self.total_height_of_list, self.item_list_container.relative_rect.height
        top = min(self.scroll_bar.start_percentage * whole, self.lowest_list_pos)
        least, most = (number + 1) * self.list_item_height - seen, number * self.list_item_height
        if not least <= top <= most:
            self.scroll_bar.set_scroll_from_start_percentage((least if top < least else most) / whole)
            self.scroll_bar.has_moved_recently = True


class Entry(UITextEntryLine):
    """A line of text that tells the system where it is, so that the window of an input method stands by it."""

    def focus(self) -> None:
        UITextEntryLine.focus(self)
        pygame.key.set_repeat(*REPEAT)
        pygame.key.start_text_input()
        pygame.key.set_text_input_rect(self.rect)

    def unfocus(self) -> None:
        UITextEntryLine.unfocus(self)
        pygame.key.set_repeat(*REPEAT)  # pygame_gui would leave held keys without effect from here on
        rest_input_method()

    def kill(self) -> None:
        rest_input_method()
        UITextEntryLine.kill(self)
