"""Buttons, sliders and lists; `ui.toolkit.text_line` has the text field.

`ui.toolkit.widgets` passes events to them, and sets `pointer` and `focused`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import pygame

from ui.toolkit.accessible import Accessible
from ui.toolkit.art import ButtonFace, button_picture, icon, rounded, styles
from ui.toolkit.keys import ENTER
from ui.toolkit.space import knob
from ui.toolkit.theme import Theme, mix
from ui.toolkit.typesetting import width_of, write

Point = tuple[int, int]


class Widget:
    """A control in `rect`, in real pixels, for mouse and keyboard. `tip` is its tooltip, empty for none."""

    typing = False
    """Whether the focused widget takes all keys, as text."""

    def __init__(self, theme: Theme, rect: pygame.Rect, tip: str = "") -> None:
        self.theme, self.rect, self.tip = theme, rect.copy(), tip
        self.label = ""
        """What it is, where nothing that is written says so."""
        self.enabled = self.visible = True
        self.held = self.focused = False
        self.pointer: Point | None = None  # None unless it is over the widget

    @property
    def hovered(self) -> bool:
        """Whether the pointer is over the widget."""
        return self.pointer is not None

    def press(self, point: Point) -> None:
        """Handle a press of the mouse button inside."""

    def drag(self, point: Point) -> None:
        """Handle a movement of the mouse while the button is held after `press`."""

    def release(self, point: Point) -> None:
        """Handle the release of the mouse button after `press`, wherever the pointer is."""

    def wheel(self, notches: int) -> bool:
        """Handle a turn of the mouse wheel; up is positive. Return whether it was used."""
        return False

    def focus(self) -> None:
        """Called when the widget gets the keyboard focus."""

    def blur(self) -> None:
        """Called when the widget loses the keyboard focus."""

    def type_text(self, text: str) -> None:
        """Insert text that was typed; only for widgets with `typing`."""

    def compose(self, text: str) -> None:
        """Show `text`, which an input method is composing; only for widgets with `typing`."""

    def enter(self) -> None:
        """Called when Enter was pressed; only for widgets with `typing`."""

    def key(self, event: pygame.event.Event) -> bool:
        """Handle a key press while focused. Return whether it was used."""
        return False

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the widget on the surface of the window."""

    def accessible(self, key: str) -> Accessible:
        """Return what a screen reader is told of it; `key` identifies it. A name that is empty is found by
        `with_name`."""
        return Accessible(
            key, "picture", self.label, self.rect, self.tip, enabled=self.enabled, focused=self.focused, click=True
        )  # fmt: skip


class Button(Widget):
    """A button that calls `action` when it is clicked; text and icon may be empty. Its picture is redrawn only when it
    changes."""

    def __init__(
        self, theme: Theme, rect: pygame.Rect, text: str, action: Callable[[], object],
        style: str = "", icon: str = "", tip: str = "",
    ) -> None:  # fmt: skip
        super().__init__(theme, rect, tip)
        self.text, self.action, self.style, self.icon = text, action, style, icon
        self.chosen = False
        self._drawn: tuple[str, str] | None = None

    @property
    def state(self) -> str:
        """One of `ui.toolkit.art.STATES`."""
        if not self.enabled:
            return "disabled"
        if self.held and self.hovered:
            return "active"
        return "selected" if self.chosen else "hovered" if self.hovered else "normal"

    def accessible(self, key: str) -> Accessible:
        """Describe it as a button named by its text; with the style ``@choice``, as a radio button that is chosen or
        not."""
        found, one = super().accessible(key), self.style == "@choice"
        chosen = self.chosen if one or self.chosen else None
        return replace(found, role="radio" if one else "button", name=self.text, chosen=chosen)

    def release(self, point: Point) -> None:
        """Call `action` if the pointer is still over the button and it is enabled."""
        if self.enabled and self.rect.collidepoint(point):
            self.action()

    def key(self, event: pygame.event.Event) -> bool:
        """Call `action` with Enter or Space; leave other keys alone."""
        if event.key not in (*ENTER, pygame.K_SPACE):
            return False
        self.action()
        return True

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the cached picture of the button, made anew when its text or state has changed."""
        wanted = self.text, self.state
        if wanted != self._drawn:
            self._drawn = wanted
            face = ButtonFace(self.style, self.text, self.icon)
            self.picture = button_picture(self.theme, face, self.rect.size, self.state)
        surface.blit(self.picture, self.rect, special_flags=pygame.BLEND_PREMULTIPLIED)


class Slider(Widget):
    """Chooses an integer from 0 to `most`, by keyboard in steps of `stride`. Calls `action` with it when it changes,
    and once more when the mouse is released.

    Do not set `value` while the slider is `held`.
    """

    def __init__(
        self, theme: Theme, rect: pygame.Rect, value: int, most: int, action: Callable[[int], object], stride: int = 1
    ) -> None:
        super().__init__(theme, rect)
        self.value, self.most, self.action, self.stride = value, most, action, stride
        self._grip = 0  # where the knob is held, relative to its centre

    def accessible(self, key: str) -> Accessible:
        """Describe it as a slider with its value and the greatest one."""
        return replace(super().accessible(key), role="slider", number=(self.value, self.most))

    @property
    def knob(self) -> pygame.Rect:
        """The rectangle of the knob, in pixels."""
        wide = min(self.theme.px(24), self.rect.width)
        way = (self.rect.width - wide) * self.value // max(1, self.most)
        return pygame.Rect(self.rect.left + way, self.rect.top, wide, self.rect.height)

    def press(self, point: Point) -> None:
        """Grip the knob where it is pressed; elsewhere, move its middle to `point` first."""
        knob = self.knob
        self._grip = point[0] - knob.centerx if knob.collidepoint(point) else 0
        self.drag(point)

    def drag(self, point: Point) -> None:
        """Set the value that puts the gripped place of the knob under `point`, within the range."""
        way = self.rect.width - self.knob.width
        share = (point[0] - self._grip - self.rect.left - self.knob.width / 2) / max(1, way)
        self._set_value(round(share * self.most))

    def release(self, point: Point) -> None:
        """Call `action` once more, wherever the pointer is."""
        self.action(self.value)  # for updates that wait until it is released

    def key(self, event: pygame.event.Event) -> bool:
        """Change the value by `stride` with Left and Right."""
        steps = {pygame.K_LEFT: -self.stride, pygame.K_RIGHT: self.stride}
        if event.key in steps:
            self._set_value(self.value + steps[event.key])
        return event.key in steps

    def _set_value(self, value: int) -> None:
        """Set the value, clamped to the range, and call the action if that changes it."""
        value = max(0, min(self.most, value))
        if value != self.value:
            self.value = value
            self.action(value)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the track and the knob, brighter while it is held or under the pointer."""
        palette, round_end = self.theme.palette, self.rect.height // 2
        rounded(surface, self.rect, mix(palette.panel, palette.line, 0.7), round_end)
        lit = self.held or (self.pointer is not None and self.knob.collidepoint(self.pointer))
        rounded(surface, self.knob, mix(palette.accent, palette.text, 0.14 if lit else 0.0), round_end)


class ListRow(NamedTuple):
    """A row of a list; `note` is written at its right end. Note and icon may be empty."""

    text: str
    note: str = ""
    icon: str = ""


_ROW, _PADDING, _BAR, _ICON = 32, 4, 12, 18  # design pixels
_TWICE = 400  # milliseconds between the clicks of a double click


class ListView(Widget):
    """A scrolling list. Calls `choose` with the index of the row that is chosen, `open_row` with that of a row that is
    double-clicked or confirmed by Enter. `at` is the chosen row, None for none. `empty` is written where there are no
    rows."""

    def __init__(
        self, theme: Theme, rect: pygame.Rect, rows: Sequence[ListRow], choose: Callable[[int], object],
        open_row: Callable[[int], object],
    ) -> None:  # fmt: skip
        super().__init__(theme, rect)
        self.rows, self.choose, self.open_row = rows, choose, open_row
        self.rect.height = self.fits * theme.px(_ROW) + 2 * theme.px(_PADDING)  # whole rows
        self.empty = ""
        self.at: int | None = None
        self._first = 0  # row at the top
        self._clicked: int | None = None  # the row, and when
        self._clicked_at = 0
        self._dragging = False  # the scroll bar

    def accessible(self, key: str) -> Accessible:
        """Describe it as a list with the rows in sight as options. The chosen row has the focus in its place, if it is
        in sight."""
        options = (
            Accessible(f"{key}.{at}", "option", f"{self.rows[at].text} {self.rows[at].note}".strip(), self.row_rect(at),
                      chosen=at == self.at, focused=self.focused and at == self.at, click=True)
            for at in self._visible_rows()
        )  # fmt: skip
        found = replace(super().accessible(key), role="list", click=False, children=tuple(options))
        return replace(found, focused=self.focused and self.at not in self._visible_rows())

    def show(self, rows: Sequence[ListRow]) -> None:
        """Replace the rows; no row is chosen then."""
        self.rows, self.at, self._first = rows, None, 0

    @property
    def fits(self) -> int:
        """How many rows fit in the list."""
        return max(1, (self.rect.height - 2 * self.theme.px(_PADDING)) // self.theme.px(_ROW))

    def row_rect(self, row: int) -> pygame.Rect:
        """The place of a row, without the scroll bar."""
        px = self.theme.px
        inside = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        wide = inside.width - (px(_BAR) if len(self.rows) > self.fits else 0)
        return pygame.Rect(inside.left, inside.top + (row - self._first) * px(_ROW), wide, px(_ROW))

    def _visible_rows(self) -> range:
        """The indices of the rows in sight."""
        return range(self._first, min(self._first + self.fits, len(self.rows)))

    def _scroll_to(self, first: int) -> None:
        """Scroll so that the row `first` is at the top, or as near as there are rows."""
        self._first = max(0, min(first, len(self.rows) - self.fits))

    def step_to(self, row: int) -> None:
        """Choose the row, or the nearest one that exists; scroll to it, and call `choose`. Do nothing in an empty
        list."""
        if self.rows:
            self.at = row = max(0, min(row, len(self.rows) - 1))
            self._scroll_to(max(min(self._first, row), row - self.fits + 1))
            self.choose(row)

    def press(self, point: Point) -> None:
        """Choose the row at `point`, and open it by a second click within `_TWICE` milliseconds; beside the rows, begin
        to drag the scroll bar."""
        row = next((row for row in self._visible_rows() if self.row_rect(row).collidepoint(point)), None)
        self._dragging = row is None
        if row is None:
            self.drag(point)
            return
        now = pygame.time.get_ticks()
        twice = self._clicked == row and now - self._clicked_at < _TWICE
        self._clicked, self._clicked_at = None if twice else row, now
        self.step_to(row)
        if twice:
            self.open_row(row)

    def drag(self, point: Point) -> None:
        """Scroll so that the middle of the scroll bar is at the pointer, if the scroll bar was pressed."""
        if self._dragging:
            share = (point[1] - self.rect.top) / self.rect.height
            self._scroll_to(round(share * len(self.rows) - self.fits / 2))

    def wheel(self, notches: int) -> bool:
        """Scroll three rows for each notch; always use the wheel, even at an end of the list."""
        self._scroll_to(self._first - 3 * notches)
        return True

    def key(self, event: pygame.event.Event) -> bool:
        """Open the chosen row with Enter; choose another one with Up, Down, Page Up, Page Down, Home and End."""
        here = -1 if self.at is None else self.at
        if event.key in ENTER and self.at is not None:
            self.open_row(self.at)
            return True
        page = self.fits - 1
        steps = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_PAGEUP: -page, pygame.K_PAGEDOWN: page,
                 pygame.K_HOME: -len(self.rows), pygame.K_END: len(self.rows)}  # fmt: skip
        if event.key in steps:
            self.step_to(here + steps[event.key])
        return event.key in steps

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the box, the rows in sight with icon, text and note, the text for an empty list, and a scroll bar if
        rows are out of sight."""
        theme, palette, px = self.theme, self.theme.palette, self.theme.px
        rounded(surface, self.rect, palette.panel, px(8), palette.line, max(1, px(1)))
        looks = styles(palette)["@row"].looks
        for number in self._visible_rows():
            row, box = self.rows[number], self.row_rect(number)
            over = "hovered" if self.pointer is not None and box.collidepoint(self.pointer) else "normal"
            ground, ink, _ = looks["selected" if number == self.at else over]
            if ground is not None:
                rounded(surface, box, ground, px(6))
            inside = box.inflate(-2 * px(12), 0)
            quiet = ink if number == self.at else palette.quiet  # for contrast
            write(surface, theme, row.note, inside, 14, quiet, align="right")
            inside.width -= width_of(theme, row.note, 14) + px(12) if row.note else 0
            if row.icon:
                picture = icon(row.icon, px(_ICON), palette.quiet)
                surface.blit(picture, picture.get_rect(midleft=inside.midleft))
                inside.left, inside.width = inside.left + px(_ICON + 8), inside.width - px(_ICON + 8)
            write(surface, theme, row.text, inside, 16, ink)
        if not self.rows:
            write(surface, theme, self.empty, self.rect.inflate(-2 * px(16), 0), 16, palette.quiet, align="centre")
        if len(self.rows) > self.fits:
            self._draw_bar(surface)

    def _draw_bar(self, surface: pygame.Surface) -> None:
        """Draw the scroll bar at the right edge."""
        px = self.theme.px
        track = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        bar = knob(track, px(8), self._first, self.fits, len(self.rows), px(20))
        rounded(surface, bar, mix(self.theme.palette.line, self.theme.palette.quiet, 0.4), px(4))
