"""The page of keys, over whatever screen is shown. It lists the bindings themselves, so it is always true."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import pygame

from ui.toolkit.accessible import Accessible
from ui.toolkit.art import rounded, veil
from ui.toolkit.dialogs import Holds, always
from ui.toolkit.i18n import t
from ui.toolkit.keys import ENTER, Binding, is_modifier, key_label
from ui.toolkit.space import Space, centred, columns
from ui.toolkit.theme import Display
from ui.toolkit.typesetting import width_of, write
from ui.toolkit.widgets import Widgets

_ROW = 34  # design pixels; less where there are many keys
_TITLE = 36  # design pixels


class KeysPage:
    """An overlay that lists the keys of `bindings`. Any key or click closes it, except modifier keys: the Shift of `?`
    would close it, and the `?` open it again. Enter, or a click on its button, calls `guide`, which opens the guide."""

    typing = False
    holds: Holds = staticmethod(always)

    def __init__(self, display: Display, bindings: Iterable[Binding], guide: Callable[[], object]) -> None:
        self.display, self._guide = display, guide
        self.widgets = Widgets(display)
        fixed = [("tab", "keys.focus"), ("shift+tab", "keys.focus_back")]
        shown = [(key, binding.label) for binding in bindings for key in binding.keys if binding.label]
        rows: dict[str, list[str]] = {}
        for key, label in (*shown, *fixed):
            rows.setdefault(label, []).append(key)
        self.rows = [(keys, label) for label, keys in rows.items()]

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event: Enter opens the guide. Return False if the page is to be closed."""
        if event.type == pygame.KEYDOWN:
            if event.key in ENTER:
                self._guide()
            return is_modifier(event)
        return self.widgets.handle(event) or event.type != pygame.MOUSEBUTTONDOWN

    def accessible(self) -> Accessible:
        """Return a dialog over the whole window, with the button of the guide once it has been drawn. The title and the
        list of keys are not in it: texts are noted where they are written."""
        whole, button = pygame.Rect((0, 0), self.display.size), tuple(self.widgets.accessible())
        return Accessible("keys", "dialog", t("keys.title"), whole, children=button)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw a veil over the window, the page with its title and the rows in two columns, and the button of the
        guide. The page has the height that its rows need."""
        theme = self.display.theme
        veil(surface, theme.palette.background, 200)
        half = (len(self.rows) + 1) // 2
        self.row = min(theme.px(_ROW), (surface.get_height() - theme.px(124)) // half)
        box = centred(theme.px(800), theme.px(104) + half * self.row, surface.get_rect().center)
        rounded(surface, box, theme.palette.panel, theme.px(12), theme.palette.line)
        space = Space(box.inflate(-2 * theme.px(28), -2 * theme.px(24)), theme.px(12))
        head = Space(space.top(theme.px(_TITLE)))
        self._draw_button(surface, head)
        write(surface, theme, t("keys.title"), head.rest, 20, bold=True)
        for number, column in enumerate(columns(space.rest, 2, theme.px(32))):
            self._draw_rows(surface, column, self.rows[number * half : (number + 1) * half])

    def _draw_button(self, surface: pygame.Surface, head: Space) -> None:
        """Draw the button that opens the guide, in a place cut from the right of `head`; it has the focus."""
        theme, text = self.display.theme, t("guide.title")
        place = head.right(width_of(theme, text, 16, bold=True) + theme.px(36))
        self.widgets.button("guide", place, text, self._guide, style="@primary", key="return")
        self.widgets.focus = "guide"
        self.widgets.update(time.monotonic(), pygame.mouse.get_pos())
        self.widgets.draw(surface)
        self.widgets.draw_over(surface)

    def _draw_rows(self, surface: pygame.Surface, rect: pygame.Rect, rows: list[tuple[list[str], str]]) -> None:
        """Draw a column of rows: at most three keys each, and what they do."""
        theme = self.display.theme
        space, gap = Space(rect), theme.px(4)
        caps = max(sum(self._cap_width(key) + gap for key in keys[:3]) for keys, _ in rows)
        for keys, label in rows:
            line = Space(space.top(self.row), theme.px(12))
            places = Space(line.left(caps), gap)
            for key in keys[:3]:
                cap = places.left(self._cap_width(key)).inflate(0, -theme.px(8))
                rounded(surface, cap, theme.palette.raised, theme.px(6), theme.palette.line)
                write(surface, theme, key_label(key), cap, 14, align="centre")
            write(surface, theme, t(label), line.rest, 16, theme.palette.quiet)

    def _cap_width(self, key: str) -> int:
        """The width of the picture of a key, at least its height."""
        theme = self.display.theme
        return max(theme.px(26), width_of(theme, key_label(key), 14) + theme.px(16))
