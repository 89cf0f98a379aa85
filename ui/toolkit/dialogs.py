"""Dialogs in front of everything else, laid out again for a window of another size; `ui.toolkit.file_dialog` has the
choice of a file. What is asked, and what is done with the answer, is for the screens."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pygame

from ui.toolkit.box_art import draw_progress, rounded, shadow, veil
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.notices import Holds, always
from ui.toolkit.text import width_of, wrapped, write
from ui.toolkit.theme import Display
from ui.toolkit.widgets import Widgets

PADDING, CONTROL, GAP, TITLE, _LINE = 20, 40, 8, 48, 23
"""Design pixels: room inside a dialog, height of its buttons, room between them, height of its title and of a line."""

_VEIL = 140  # of 255: what lies below is dim, but the status line can be read


class Panel:
    """A box with a title in the middle of the window; it takes all events. Esc closes it, and the window, when it no
    longer `holds`."""

    holds: Holds = staticmethod(always)

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
        third: tuple[str, str, Callable[[], object]] | None = None, holds: Holds = always,
    ) -> None:  # fmt: skip
        self.holds = holds
        self.message, self.action, self.command, self.danger = message, action, command, danger
        self.cancel, self.third = cancel or t("common.cancel"), third
        theme = display.theme
        room = min(theme.px(width), display.size[0] - theme.px(32)) - 2 * theme.px(PADDING)
        lines = len(wrapped(theme, message, room, 16))
        super().__init__(display, title, width, TITLE + lines * _LINE + CONTROL + 2 * PADDING)

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
        words, theme = Space(space.rest, 0), self.display.theme
        self.widgets.lines(words, wrapped(theme, self.message, words.rest.width, 16), theme.px(_LINE))

    def _answer(self, command: Callable[[], object]) -> None:
        self.close()
        command()


SHOWN = 0.3  # seconds after which the card is drawn


class ProgressCard(Panel):
    """What may take long and is waited for. `share` tells how far it is, from 0 to 1; closing the card calls `stop`. It
    is not drawn before a moment has passed."""

    def __init__(
        self, display: Display, title: str, name: str, share: Callable[[], float], stop: Callable[[], object]
    ) -> None:
        self.name, self.share, self.stop = name, share, stop
        self._since = time.monotonic()
        super().__init__(display, title, 440, TITLE + _LINE + CONTROL + 2 * (PADDING + GAP))

    def build(self, space: Space) -> None:
        theme, px = self.display.theme, self.display.theme.px
        self.buttons(space, ("cancel", t("opening.cancel"), self.close, ""))
        row = Space(self._title_rect, px(GAP))
        percent, self._title_rect = row.right(px(60)), row.rest
        self.widgets.label(percent, lambda: t("percent", number=round(100 * self.share())), align="right")
        self.widgets.label(space.top(px(_LINE)), self.name, 14, theme.palette.quiet)
        bar = space.top(px(6))
        self.widgets.paint(lambda surface: draw_progress(surface, theme.palette, bar, self.share()))

    @property
    def shown(self) -> bool:
        return time.monotonic() - self._since > SHOWN

    def close(self) -> None:
        super().close()
        self.stop()

    def handle(self, event: pygame.event.Event) -> bool:
        """A button that is not seen yet cannot be clicked."""
        return super().handle(event) if self.shown or event.type == pygame.KEYDOWN else True

    def draw(self, surface: pygame.Surface) -> None:
        if self.shown:
            super().draw(surface)
