"""The widgets of a scene: pygame_gui's, made in our styles, with names, icons, tooltips and a focus that
Tab moves and everyone can see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pygame
from pygame_gui.core import ObjectID
from pygame_gui.elements import UIButton

from ui.icons import put_icon
from ui.keys import key_label

if TYPE_CHECKING:
    from ui.app import App

Action = Callable[[], object]


class Widgets:
    """What can be clicked in one scene, by name. `clear` before building anew."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.buttons: dict[str, UIButton] = {}
        self._actions: dict[str, Action] = {}
        self.focus: str | None = None

    def clear(self) -> None:
        """Removes every widget of the manager. The focus stays on the name it is on."""
        self.app.manager.clear_and_reset()
        self.buttons.clear()
        self._actions.clear()

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
        """A button. `style` is a class of ui/blocks.py such as ``@primary``; `tip` and `key` say more."""
        shown = f"{tip or text} ({key_label(key)})" if key else tip
        made = UIButton(
            rect,
            text,
            self.app.manager,
            tool_tip_text=shown or None,
            object_id=ObjectID(f"#{name.replace('.', '_')}", style or None),
            command=lambda: self.press(name),
        )
        if icon:
            # Beside a text the icon stands at the left edge; alone it stands in the middle.
            px = self.app.theme.px
            place = (px(22) / rect.width, 0.5) if text else (0.5, 0.5)
            put_icon(made, icon, px(20), place)
        if chosen:
            made.select()
        if not enabled:
            made.disable()
        self.buttons[name] = made
        self._actions[name] = action
        return made

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

    def show(self, name: str, shown: bool) -> None:
        button = self.buttons[name]
        if shown and not button.visible:
            button.show()
        elif not shown and button.visible:
            button.hide()

    # Focus.

    def focus_key(self, event: pygame.event.Event) -> bool:
        """Tab and Shift+Tab move the focus; Enter and Space press what has it; an arrow ends it."""
        if event.key == pygame.K_TAB:
            self.move_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1)
            return True
        if self.focus is None:
            return False
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.press(self.focus)
            return True
        if event.key in (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN, pygame.K_ESCAPE):
            self.focus = None
            return bool(event.key == pygame.K_ESCAPE)
        return False

    def move_focus(self, step: int) -> None:
        names = [name for name, button in self.buttons.items() if button.is_enabled and button.visible]
        if not names:
            self.focus = None
        elif self.focus not in names:
            self.focus = names[0 if step > 0 else -1]
        else:
            self.focus = names[(names.index(self.focus) + step) % len(names)]

    def draw_focus(self, surface: pygame.Surface) -> None:
        """The ring around the widget that has the focus."""
        button = self.buttons.get(self.focus or "")
        if button is not None and button.visible:
            px = self.app.theme.px
            ring = button.rect.inflate(px(6), px(6))
            pygame.draw.rect(surface, self.app.theme.palette.info, ring, max(2, px(2)), px(10))
