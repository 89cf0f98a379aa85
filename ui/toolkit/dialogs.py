"""Dialogs in front of everything else, laid out again for a window of another size; `ui.toolkit.file_dialog` has the
choice of a file. What is asked, and what is done with the answer, is for the scenes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pygame

from ui.toolkit.box_art import draw_progress, rounded, shadow, veil
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.palette import mix
from ui.toolkit.text import width_of, wrapped, write
from ui.toolkit.theme import Display
from ui.toolkit.widgets import Widgets

PADDING, CONTROL, GAP, TITLE, _LINE = 20, 40, 8, 48, 23
"""Design pixels: room inside a dialog, height of its buttons, room between them, height of its title and of a line."""

_VEIL = 140  # of 255: what lies below is dim, but the status line can be read


class Panel:
    """A box with a title in the middle of the window; it takes all events, and Esc closes it."""

    def __init__(self, display: Display, title: str, width: int, height: int) -> None:
        self.display, self.title, self._wanted = display, title, (width, height)
        self.alive = True
        self.widgets = Widgets(display)
        self._fit()

    def _fit(self) -> None:
        """Lay everything out, if the window is another than it was."""
        built = self.display.theme, self.display.size
        if getattr(self, "_built", None) == built:
            return
        self._built = built
        px, (across, down) = self.display.theme.px, self.display.size
        wide, high = (px(length) for length in self._wanted)
        self.rect = pygame.Rect(0, 0, min(wide, across - px(32)), min(high, down - px(32)))
        self.rect.center = across // 2, down // 2
        space = Space(self.rect.inflate(-2 * px(PADDING), 0), px(GAP))
        self._title_rect = space.top(px(TITLE))
        space.bottom(px(PADDING) - space.gap)
        self.widgets.clear()
        self.build(space)

    def build(self, space: Space) -> None:
        """Make the widgets in `space`, the box without its title."""

    def buttons(self, space: Space, *buttons: tuple[str, str, Callable[[], object], str]) -> None:
        """Make buttons at the bottom right, from the right: name, text, action, style. Tab reaches the last first."""
        theme, px = self.display.theme, self.display.theme.px
        row = Space(space.bottom(px(CONTROL)), px(GAP))
        places = [row.right(max(px(104), width_of(theme, text, 16, True) + px(36))) for _, text, _, _ in buttons]
        for rect, (name, text, action, style) in reversed(list(zip(places, buttons, strict=True))):
            self.widgets.button(name, rect, text, action, style=style)

    def close(self) -> None:
        self.alive = False
        self.widgets.clear()

    @property
    def typing(self) -> bool:
        return self.widgets.typing

    def handle(self, event: pygame.event.Event) -> bool:
        """False when the dialog is to be closed."""
        self._fit()
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.close()
        elif not self.widgets.handle(event) and event.type == pygame.KEYDOWN:
            self.key(event)
        return self.alive

    def key(self, event: pygame.event.Event) -> None:
        """Act on a key that no widget takes."""

    def draw(self, surface: pygame.Surface) -> None:
        self._fit()
        theme, px = self.display.theme, self.display.theme.px
        veil(surface, theme.palette.background, _VEIL)
        shadow(surface, self.rect, px(16))
        rounded(surface, self.rect, theme.palette.raised, px(10), theme.palette.line, max(1, px(1)))
        write(surface, theme, self.title, self._title_rect, 20, bold=True)
        self.widgets.update(time.monotonic(), pygame.mouse.get_pos())
        self.widgets.draw(surface)
        self.widgets.draw_over(surface)


class Question(Panel):
    """A message with one button, or, with `action`, a question with two, or three with the name, text and command of a
    `third`. It closes itself, and then the command of the answer is called. Enter presses the button that has the
    focus."""

    def __init__(
        self, display: Display, title: str, message: str, action: str = "",
        command: Callable[[], object] = lambda: None, *, danger: bool = False, width: int = 440, cancel: str = "",
        third: tuple[str, str, Callable[[], object]] | None = None,
    ) -> None:  # fmt: skip
        self.message, self.action, self.command, self.danger = message, action, command, danger
        self.cancel, self.third = cancel or t("common.cancel"), third
        theme = display.theme
        room = min(theme.px(width), display.size[0] - theme.px(32)) - 2 * theme.px(PADDING)
        self._lines = wrapped(theme, message, room, 16)
        super().__init__(display, title, width, TITLE + len(self._lines) * _LINE + CONTROL + 2 * PADDING)

    def build(self, space: Space) -> None:
        accept = partial(self._answer, self.command)
        buttons = [("accept", self.action or t("common.close"), accept, "@danger" if self.danger else "@primary")]
        if self.third is not None:
            name, text, command = self.third
            buttons.append((name, text, partial(self._answer, command), "@danger"))
        if self.action:
            buttons.append(("cancel", self.cancel, partial(self._answer, lambda: None), "@quiet"))
        self.buttons(space, *buttons)
        self.widgets.focus = self.widgets.focus or "accept"
        self._words = space.rest
        self._lines = wrapped(self.display.theme, self.message, space.rest.width, 16)

    def _answer(self, command: Callable[[], object]) -> None:
        self.close()
        command()

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        space = Space(self._words, 0)
        for line in self._lines:
            write(surface, self.display.theme, line, space.top(self.display.theme.px(_LINE)), 16)


SHOWN = 0.3  # seconds after which the card is drawn


class ProgressCard:
    """Lies over the scene while something is under way that may take long; takes every event.

    `share` tells how far it is, from 0 to 1; Esc or its button call `stop`. It is not drawn before a moment has passed.
    """

    typing = False

    def __init__(
        self, display: Display, title: str, name: str, share: Callable[[], float], stop: Callable[[], object]
    ) -> None:
        self.display, self.title, self.name, self.share, self.stop = display, title, name, share, stop
        self._since = time.monotonic()
        self._button = pygame.Rect(0, 0, 0, 0)

    @property
    def shown(self) -> bool:
        return time.monotonic() - self._since > SHOWN

    def handle(self, event: pygame.event.Event) -> bool:
        """False when the card is to be closed."""
        escape = event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._button.collidepoint(event.pos)
        if escape or pressed:
            self.stop()
        return not (escape or pressed)

    def draw(self, surface: pygame.Surface) -> None:
        if not self.shown:
            return
        theme = self.display.theme
        palette, px = theme.palette, theme.px
        veil(surface, palette.background, 160)
        box = pygame.Rect(0, 0, px(440), px(148))
        box.center = surface.get_rect().center
        rounded(surface, box, palette.panel, px(12), palette.line)
        space = Space(box.inflate(-2 * px(24), -2 * px(20)), px(8))
        head = Space(space.top(px(28)), px(12))
        write(surface, theme, t("percent", number=round(100 * self.share())), head.right(px(60)), 16, align="right")
        write(surface, theme, self.title, head.rest, 20, bold=True)
        write(surface, theme, self.name, space.top(px(20)), 14, palette.quiet)
        draw_progress(surface, palette, space.top(px(6)), self.share())
        self._draw_button(surface, space.bottom(px(28)))

    def _draw_button(self, surface: pygame.Surface, row: pygame.Rect) -> None:
        theme = self.display.theme
        palette, px = theme.palette, theme.px
        text = t("opening.cancel")
        wide = width_of(theme, text, 14) + px(24)
        self._button = pygame.Rect(row.right - wide, row.top, wide, row.height)
        hovered = self._button.collidepoint(pygame.mouse.get_pos())
        ground = mix(palette.raised, palette.line, 0.8) if hovered else palette.raised
        rounded(surface, self._button, ground, px(8), palette.line)
        write(surface, theme, text, self._button, 14, align="centre")
