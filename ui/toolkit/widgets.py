"""The widgets of a scene: pygame_gui's, made in our styles, with names, icons, tooltips and a focus that
Tab moves and everyone can see. All of them can be used by the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame
import pygame_gui
from pygame_gui.core import UIElement
from pygame_gui.elements import UIButton

from ui.toolkit.controls import Button, Entry, Slider
from ui.toolkit.display import Display
from ui.toolkit.keys import key_label
from ui.toolkit.text import write
from ui.toolkit.theme import Theme

Action = Callable[[], object]
_ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
_ARROWS = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN)


class Widgets:
    """What can be clicked in one scene, by name. `clear` before building anew."""

    def __init__(self, display: Display) -> None:
        self.display = display
        self.elements: dict[str, UIElement] = {}
        """Everything, in the order in which Tab goes through it."""
        self.buttons: dict[str, UIButton] = {}
        self._actions: dict[str, Action] = {}
        self._changes: dict[str, Callable[[pygame.event.Event], object]] = {}  # of what holds a value
        self._hints: dict[str, str] = {}  # of lines of text
        self.focus: str | None = None

    def clear(self) -> None:
        """Removes every widget of the manager. The focus stays on the name it is on."""
        self.display.manager.clear_and_reset()
        for known in (self.elements, self.buttons, self._actions, self._changes, self._hints):
            known.clear()

    def remove(self, name: str) -> None:
        """Removes one button, if it is there."""
        button = self.buttons.pop(name, None)
        if button is not None:
            del self.elements[name], self._actions[name]
            button.kill()

    def button(
        self,
        name: str,
        rect: pygame.Rect,
        text: str,
        action: Action,
        *,
        style: str = "",
        icon: str = "",
        tip: str = "",
        key: str = "",
        chosen: bool = False,
        enabled: bool = True,
    ) -> UIButton:
        """A button. `style` is a class of ui/toolkit/theme_json.py such as ``@primary``; `tip` and `key` say more."""
        shown = f"{tip or text} ({key_label(key)})" if key else tip
        theme, manager = self.display.theme, self.display.manager
        made: UIButton = Button(
            theme, rect, text, manager, lambda: self.press(name), style=style, icon=icon, tip=shown
        )  # fmt: skip
        if chosen:
            made.select()
        if not enabled:
            made.disable()
        self.buttons[name] = self.elements[name] = made
        self._actions[name] = action
        return made

    def slider(
        self, name: str, rect: pygame.Rect, value: int, most: int, action: Callable[[int], object], stride: int = 1
    ) -> Slider:
        """A slider for a whole number from 0 to `most`; `action` gets the number whenever it changes."""
        made = Slider(rect, value, most, stride, self.display.manager, name)
        self.elements[name] = made
        self._changes[name] = lambda event: action(round(event.value))
        return made

    def entry(
        self, name: str, rect: pygame.Rect, text: str, longest: int, action: Callable[[str], object], hint: str = ""
    ) -> Entry:
        """A line of text of at most `longest` characters; `action` gets it whenever it changes. Where nothing is
        typed, the `hint` is shown: by us, since pygame_gui would write it like a text that is there."""
        made = Entry(rect, self.display.manager, object_id=f"#{name}", initial_text=text)
        made.set_text_length_limit(longest)
        self.elements[name] = made
        self._changes[name] = lambda event: action(event.text)
        if hint:
            self._hints[name] = hint
        return made

    def changed(self, event: pygame.event.Event) -> bool:
        """Passes on that a slider or a text has changed. True if `event` says so of one of ours."""
        if event.type not in (pygame_gui.UI_HORIZONTAL_SLIDER_MOVED, pygame_gui.UI_TEXT_ENTRY_CHANGED):
            return False
        for name, change in self._changes.items():
            if self.elements[name] is event.ui_element:
                change(event)
                return True
        return False

    def choice(
        self, name: str, rects: Sequence[pygame.Rect], options: Sequence[tuple[str, str]], chosen: str,
        action: Callable[[str], object],
    ) -> None:
        """A row of buttons of which one is chosen: `options` are (value, text)."""
        for rect, (value, text) in zip(rects, options, strict=True):
            press = partial(action, value)
            self.button(f"{name}.{value}", rect, text, press, style="@choice", chosen=value == chosen)

    def press(self, name: str) -> None:
        """Does what the button `name` does, if it is enabled."""
        button = self.buttons.get(name)
        if button is not None and button.is_enabled:
            self._actions[name]()

    def enable(self, name: str, enabled: bool) -> None:
        button = self.buttons[name]
        if enabled and not button.is_enabled:
            button.enable()
        elif not enabled and button.is_enabled:
            button.disable()

    def choose(self, name: str, chosen: bool) -> None:
        button = self.buttons[name]
        if chosen and not button.is_selected:
            button.select()
        elif not chosen and button.is_selected:
            button.unselect()

    def show(self, name: str, shown: bool) -> None:
        button = self.buttons[name]
        if shown and not button.visible:
            button.show()
        elif not shown and button.visible:
            button.hide()

    # Focus.

    def focus_key(self, event: pygame.event.Event) -> bool:
        """Tab and Shift+Tab move the focus; Enter and Space press a button that has it, Left and Right move a
        slider, and all keys but Tab, Enter and Esc go to a line of text. Any other arrow ends it."""
        element = self.elements.get(self._focused() or "")
        if event.key == pygame.K_TAB:
            self.move_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1)
        elif isinstance(element, Entry):
            if event.key in (*_ENTER, pygame.K_ESCAPE):
                self.leave_focus()
        elif isinstance(element, Slider) and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            element.step(1 if event.key == pygame.K_RIGHT else -1)
        elif isinstance(element, UIButton) and event.key in (*_ENTER, pygame.K_SPACE):
            self.press(self.focus or "")
        elif self.focus is not None and event.key in (*_ARROWS, pygame.K_ESCAPE):
            self.leave_focus()
            return bool(event.key == pygame.K_ESCAPE)
        else:
            return False
        return True

    def _focused(self) -> str | None:
        """What has the focus: also a line of text that was clicked."""
        entries = (name for name, element in self.elements.items() if isinstance(element, Entry) and element.is_focused)
        return next(entries, self.focus)

    def leave_focus(self) -> None:
        self.focus = None
        self.display.manager.set_focus_set(None)

    def move_focus(self, step: int) -> None:
        """To the next or the previous of what can be used."""
        names = [name for name, element in self.elements.items() if element.is_enabled and element.visible]
        here = self._focused()
        self.leave_focus()
        if not names:
            return
        self.focus = names[(names.index(here) + step) % len(names)] if here in names else names[0 if step > 0 else -1]
        element = self.elements[self.focus]
        if isinstance(element, Entry):
            self.display.manager.set_focus_set(element)
            element.edit_position = len(element.get_text())

    def draw_over(self, surface: pygame.Surface) -> None:
        """What is to be typed where nothing is yet, and the ring around the widget that has the focus."""
        theme = self.display.theme
        for name, hint in self._hints.items():
            line = self.elements[name]
            if isinstance(line, Entry) and not line.get_text() and not line.is_focused:
                write(surface, theme, hint, line.rect.inflate(-2 * theme.px(10), 0), 16, theme.palette.quiet)
        element = self.elements.get(self._focused() or "")
        if element is not None and element.visible:
            draw_ring(surface, theme, element.rect)


def draw_ring(surface: pygame.Surface, theme: Theme, rect: pygame.Rect) -> None:
    """The sign that what lies in `rect` has the focus."""
    ring = rect.inflate(theme.px(6), theme.px(6))
    pygame.draw.rect(surface, theme.palette.info, ring, max(2, theme.px(2)), theme.px(10))
