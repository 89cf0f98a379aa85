"""The widgets of a screen or a dialog by name, with tooltips and a visible focus. The keyboard alone suffices to use
them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import pygame

from ui.toolkit.accessible import Accessible
from ui.toolkit.art import rounded
from ui.toolkit.controls import Button, Point, Widget
from ui.toolkit.keys import COMMAND, ENTER, Binding, key_label
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour, Display, Theme, mix
from ui.toolkit.typesetting import Align, text_columns, width_of, wrapped, write, write_paragraph

Action = Callable[[], object]
Paint = Callable[[pygame.Surface], object]
Some = TypeVar("Some", bound=Widget)
_ARROWS = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN)
_LEAVE_LINE = (*ENTER, pygame.K_ESCAPE, pygame.K_UP, pygame.K_DOWN)
_TIP_DELAY = 0.6  # seconds
_WIDEST_TIP = 360  # design pixels


class Widgets:
    """The widgets of a screen or a dialog by name.

    Call `clear` before they are created anew: the new widget of a name keeps the focus and the held mouse button of the
    one before.
    """

    def __init__(self, display: Display) -> None:
        self.display = display
        self.elements: dict[str, Widget] = {}
        """All widgets in the order of Tab."""
        self.texts: list[str] = []
        """Those of all labels."""
        self._below: list[Paint] = []
        self._above: list[Paint] = []
        self._focus: str | None = None
        self._held: str | None = None
        self._over: str | None = None  # name of the widget under the pointer
        self._tip_at = self._focus_tip_at = math.inf  # when its tooltip is due, or that of one that Tab has reached
        self._pointer: Point | None = None
        self._now = 0.0

    @property
    def buttons(self) -> dict[str, Button]:
        """The buttons by name."""
        return {name: element for name, element in self.elements.items() if isinstance(element, Button)}

    def clear(self) -> None:
        """Remove all widgets and all that is painted. The names of the focused and the held one are kept."""
        focused = self.elements.get(self._focus or "")
        if focused is not None:
            focused.blur()
        for each in (self.elements, self.texts, self._below, self._above):
            each.clear()

    def remove(self, name: str) -> None:
        """Remove a widget if it exists."""
        self.elements.pop(name, None)

    def add(self, name: str, made: Some) -> Some:
        """Add `made` under a name, and return it. If it replaces a widget, it takes over pointer, held mouse button and
        focus."""
        self.elements[name] = made
        made.pointer = self._pointer if name == self._over else None
        made.held = name == self._held
        if name == self._focus:
            self.focus = name
        return made

    def button(
        self,
        name: str,
        rect: pygame.Rect,
        text: str,
        action: Action | Binding,
        *,
        style: str = "",
        icon: str = "",
        tip: str = "",
        key: str = "",
        chosen: bool = False,
        enabled: bool = True,
    ) -> Button:
        """Add a button. `style` is a key of `ui.toolkit.art.styles` such as ``@primary``. Its tooltip is `tip`, else
        its text, with the label of `key`, or of the first key of the binding that is its `action`; without a key, `tip`
        alone."""
        if isinstance(action, Binding):
            key, action = action.keys[0], action.action
        shown = f"{tip or text} ({key_label(key)})" if key else tip
        made = self.add(name, Button(self.display.theme, rect, text, action, style, icon, shown))
        made.chosen, made.enabled = chosen, enabled
        return made

    def choice(
        self, name: str, places: pygame.Rect | Sequence[pygame.Rect], options: Sequence[tuple[str, str]], chosen: str,
        action: Callable[[str], object], tip: str = "", gap: int = 6,
    ) -> None:  # fmt: skip
        """Add buttons of which one is chosen, for `options` (value, text); `action` is called with a value. `places`
        has a rectangle for each, or is one that they divide, with equal room around their texts, `gap` design pixels
        apart."""
        texts = [text for _, text in options]
        theme = self.display.theme
        rects = text_columns(theme, places, texts, theme.px(gap)) if isinstance(places, pygame.Rect) else places
        for rect, (value, text) in zip(rects, options, strict=True):
            press = partial(action, value)
            self.button(f"{name}.{value}", rect, text, press, style="@choice", tip=tip, chosen=value == chosen)

    def paint(self, draw: Paint, over: bool = False) -> None:
        """Call `draw` with the surface whenever the widgets are drawn: before them, or with `over` after them."""
        (self._above if over else self._below).append(draw)

    def label(
        self, rect: pygame.Rect, text: str | Callable[[], str], size: int = 16, colour: Colour | None = None,
        bold: bool = False, align: Align = "left", over: bool = False,
    ) -> None:  # fmt: skip
        """Write one line below the widgets, or with `over` above them, as `ui.toolkit.typesetting.write` does. A
        function as `text` is called anew each time."""
        said: Callable[[], str] = (lambda: text) if isinstance(text, str) else text
        self.texts.append(said())
        theme, place = self.display.theme, rect.copy()
        self.paint(lambda surface: write(surface, theme, said(), place, size, colour, bold, align), over)

    def lines(self, space: Space, texts: Iterable[str], high: int, size: int = 16, colour: Colour | None = None,
              bold: bool = False) -> None:  # fmt: skip
        """Write each of `texts` on a line of its own, cut from the top of `space`, `high` pixels high."""
        for text in texts:
            self.label(space.top(high), text, size, colour, bold)

    def paragraph(self, rect: pygame.Rect, text: str, over: bool = False) -> None:
        """Write `text` below the widgets, or with `over` above them, as `ui.toolkit.typesetting.write_paragraph`
        does."""
        self.texts.append(text)
        theme, place = self.display.theme, rect.copy()
        self.paint(lambda surface: write_paragraph(surface, theme, text, place), over)

    def box(self, rect: pygame.Rect, colour: Colour, radius: int = 8, line: Colour | None = None) -> None:
        """Draw a rounded box below the widgets, with a border in the colour `line`, None for none. `radius` is in
        design pixels."""
        corner, place = self.display.theme.px(radius), rect.copy()
        self.paint(lambda surface: rounded(surface, place, colour, corner, line))

    def card(self, rect: pygame.Rect, tone: Colour) -> None:
        """Draw a rounded box in a light shade of `tone` below the widgets."""
        palette = self.display.theme.palette
        self.box(rect, mix(palette.raised, tone, 0.12), line=mix(palette.line, tone, 0.7))

    def accessible(self) -> list[Accessible]:
        """Return what a screen reader is told of the visible widgets."""
        seen = (name for name, element in self.elements.items() if element.visible)
        return [replace(self.elements[name].accessible(name), focus=partial(self._focus_on, name)) for name in seen]

    def _focus_on(self, name: str) -> None:
        """Focus the widget `name`, when a screen reader asks for it."""
        self.focus = name

    def press(self, name: str) -> None:
        """Call the action of the button `name`, if there is one that is enabled."""
        button = self.buttons.get(name)
        if button is not None and button.enabled:
            button.action()

    def enable(self, name: str, enabled: bool) -> None:
        """Set whether a widget takes clicks and keys."""
        self.elements[name].enabled = enabled

    def choose(self, name: str, chosen: bool) -> None:
        """Set whether a button is shown as the chosen one of its group."""
        self.buttons[name].chosen = chosen

    def show(self, name: str, shown: bool) -> None:
        """Set whether a widget is visible."""
        self.elements[name].visible = shown

    # Events.

    def handle(self, event: pygame.event.Event) -> bool:
        """Pass `event` to the widget concerned. Return whether the event was used."""
        if event.type == pygame.KEYDOWN:
            return self._handle_key(event)
        if event.type in (pygame.TEXTINPUT, pygame.TEXTEDITING):
            return self._pass_text(event)
        held = self.elements.get(self._held or "")
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            return self._press_at(event.pos)
        if event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT and held is not None:
            held.held, self._held = False, None
            held.release(event.pos)
        elif event.type == pygame.MOUSEMOTION and held is not None:
            held.drag(event.pos)
        elif event.type == pygame.MOUSEWHEEL and (over := self.elements.get(self._over or "")) is not None:
            return over.wheel(event.y)
        else:
            return False
        return True

    def _pass_text(self, event: pygame.event.Event) -> bool:
        """Pass typed or composed text to the focused text field. Return whether there is one."""
        if self.typing:
            line = self.elements[self._focus or ""]
            (line.type_text if event.type == pygame.TEXTINPUT else line.compose)(event.text)
        return self.typing

    def _press_at(self, point: Point) -> bool:
        """Press the widget at `point`; a text field takes the focus. Return whether there is a widget."""
        name = self._name_at(point)
        types = name is not None and self.elements[name].typing
        if self.typing or types:
            self.focus = name if types else None
        self._tip_at = math.inf
        if name is not None and (widget := self.elements[name]).enabled:
            self._held, widget.held = name, True
            widget.press(point)
        return name is not None

    def _name_at(self, point: Point) -> str | None:
        """Return the name of the first visible widget at a point; None if there is none."""
        seen = (name for name, element in self.elements.items() if element.visible and element.rect.collidepoint(point))
        return next(seen, None)

    def update(self, now: float, pointer: Point | None) -> None:
        """Set the time, and the place of the pointer; None if something else takes the mouse."""
        over = None if pointer is None else self._name_at(pointer)
        for name, element in self.elements.items():
            element.pointer = pointer if name == over else None
            element.held = element.held and pointer is not None
        if over != self._over:
            self._over, self._tip_at = over, now + _TIP_DELAY
        self._held = self._held if pointer is not None else None
        self._pointer, self._now = pointer, now

    # Focus.

    @property
    def focus(self) -> str | None:
        """The name of the widget with the keyboard focus, or None; assigning moves it."""
        return self._focus

    @focus.setter
    def focus(self, name: str | None) -> None:
        """The name of the widget with the keyboard focus, or None; assigning moves it."""
        for key, element in self.elements.items():
            if element.focused and key != name:
                element.blur()
            element.focused = key == name
        self._focus, self._focus_tip_at = name, math.inf
        if (focused := self.elements.get(name or "")) is not None:
            focused.focus()

    @property
    def typing(self) -> bool:
        """Whether a text field has the keyboard focus."""
        focused = self.elements.get(self._focus or "")
        return focused is not None and focused.typing

    @property
    def hovered(self) -> bool:
        """Whether the pointer is over a widget, whose tooltip may appear."""
        return self._over is not None

    @property
    def expects_tip(self) -> bool:
        """Whether the tooltip of the widget that was reached by Tab is still to appear."""
        return self._now <= self._focus_tip_at < math.inf

    def leave_focus(self) -> None:
        """Take the keyboard focus from all widgets."""
        self.focus = None

    def _handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key press, and return whether it was used. Tab and Shift+Tab move the focus. A text field uses all
        other keys; Enter, Esc, Up and Down leave it. Any other widget may use a key; else arrows and Esc leave the
        widget."""
        widget, self._focus_tip_at = self.elements.get(self._focus or ""), math.inf
        if widget is not None and widget.enabled and widget.key(event):
            return True
        if event.key == pygame.K_TAB and not event.mod & COMMAND:  # with Ctrl it is the screen's
            self.move_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1)
        elif widget is not None and widget.typing:
            if event.key in _LEAVE_LINE:
                self.leave_focus()
            if event.key in ENTER:
                widget.enter()
        elif self._focus is not None and event.key in (*_ARROWS, pygame.K_ESCAPE):
            self.leave_focus()
            return bool(event.key == pygame.K_ESCAPE)
        else:
            return False
        return True

    def move_focus(self, step: int) -> None:
        """Move the focus to the next (`step` 1) or previous (-1) widget that is enabled and visible."""
        names = [name for name, element in self.elements.items() if element.enabled and element.visible]
        here = self._focus
        if not names:
            self.leave_focus()
        elif here in names:
            self.focus = names[(names.index(here) + step) % len(names)]
        else:
            self.focus = names[0 if step > 0 else -1]
        self._focus_tip_at = self._now + _TIP_DELAY

    # The picture.

    def draw(self, surface: pygame.Surface) -> None:
        """Draw what is painted below the widgets, the widgets, and what is painted above."""
        for paint in self._below:
            paint(surface)
        for element in self.elements.values():
            if element.visible:
                element.draw(surface)
        for paint in self._above:
            paint(surface)

    def draw_over(self, surface: pygame.Surface) -> None:
        """Draw the ring around the focused widget, and the tooltip of the widget under the pointer or reached by
        Tab."""
        element = self.elements.get(self._focus or "")
        theme = self.display.theme
        if element is not None and element.visible:
            ring = element.rect.inflate(theme.px(6), theme.px(6))
            pygame.draw.rect(surface, theme.palette.info, ring, max(2, theme.px(2)), theme.px(10))
        over = self.elements.get(self._over or "")
        if over is not None and over.tip and self._pointer is not None and self._now >= self._tip_at:
            draw_tip(surface, theme, over.tip, self._pointer, over.rect)
        elif element is not None and element.tip and element.visible and self._now >= self._focus_tip_at:
            draw_tip(surface, theme, element.tip, element.rect.bottomleft, element.rect)


def draw_tip(surface: pygame.Surface, theme: Theme, text: str, point: Point, beside: pygame.Rect) -> None:
    """Draw a tooltip from the left edge `point[0]` on, below the rectangle `beside`, or above it if there is no
    room."""
    px, window = theme.px, surface.get_rect()
    lines = wrapped(theme, text, px(_WIDEST_TIP), 14)
    wide = min(px(_WIDEST_TIP), max(width_of(theme, line, 14) for line in lines))
    box = pygame.Rect(point[0], beside.bottom + px(6), wide + px(20), len(lines) * px(20) + px(12))
    if box.bottom > window.bottom:
        box.bottom = beside.top - px(6)
    box.clamp_ip(window)
    rounded(surface, box, theme.palette.text, px(6))
    for number, line in enumerate(lines):
        room = pygame.Rect(box.left + px(10), box.top + px(6) + number * px(20), wide, px(20))
        write(surface, theme, line, room, 14, theme.palette.background)
