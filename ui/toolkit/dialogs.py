"""Dialogs and menus in front of everything else, laid out again for a window of another size; `ui.toolkit.file_dialog`
has the choice of a file. What is asked, and what is done with the answer, is for the screens. `Notices` is the message
in the status line, shown for some seconds while it is true."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pygame

from ui.toolkit.accessible import Accessible
from ui.toolkit.art import draw_progress, rounded, shadow, veil
from ui.toolkit.i18n import t
from ui.toolkit.keys import ENTER, key_label
from ui.toolkit.space import Space, centred, knob
from ui.toolkit.theme import Display, mix
from ui.toolkit.typesetting import width_of, wrapped, write
from ui.toolkit.widgets import Widgets

SECONDS = 6.0
"""How long a message is shown; an error, twice as long."""

Holds = Callable[[], bool]


def always() -> bool:
    """Return True: the default of `holds`, for what stays true."""
    return True


class Notices:
    """At most one message is shown: `text`, empty if there is none, and its `kind`: ``info``, ``good`` or ``bad``. At
    most one waits until that ends.

    It ends when its time is over, when another screen than its `owner` is shown (None for any screen), or when `holds`
    returns False.
    """

    def __init__(self) -> None:
        self.text = ""
        self._waiting: Callable[[], None] | None = None
        self.say("", "info", None)

    def say(self, text: str, kind: str, owner: object, holds: Holds = always, follows: bool = False) -> None:
        """Show a message in place of the one before; if it `follows`, once that or what took its place has ended."""
        if follows and self.text:
            self._waiting = partial(self.say, text, kind, owner, holds)
            return
        self.text, self.kind, self._owner, self._holds = text, kind, owner, holds
        self._until = time.monotonic() + SECONDS * (2 if kind == "bad" else 1)

    def update(self, now: float, owner: object) -> None:
        """Remove the message if it has ended at the time `now`. `owner` is the screen that is shown."""
        if self.text and (now >= self._until or self._owner not in (None, owner) or not self._holds()):
            self.say("", "info", None)
            if self._waiting is not None:
                waiting, self._waiting = self._waiting, None
                waiting()
                self.update(now, owner)

    def due(self, now: float) -> float | None:
        """Return the seconds until the message ends by time; None without a message."""
        return self._until - now if self.text else None


PADDING, CONTROL, GAP, TITLE, _LINE = 20, 40, 8, 48, 23
"""Design pixels: room inside a dialog, height of its buttons, room between them, height of its title and of a line."""

_VEIL = 140  # of 255: what lies below is dim, but the status line can be read


class Dialog:
    """A box with a title in the middle of the window, which takes all events. Esc closes it; so does the window when
    `holds` returns False."""

    holds: Holds = staticmethod(always)

    def __init__(self, display: Display, title: str, width: int, height: int) -> None:
        self.display, self.title, self._wanted = display, title, (width, height)
        self.alive = True
        self.widgets = Widgets(display)
        self._lay_out()

    def _lay_out(self) -> None:
        """Lay everything out again if the size or the theme of the window has changed."""
        built = self.display.theme, self.display.size
        if getattr(self, "_built", None) == built:
            return
        self._built = built
        px, (across, down) = self.display.theme.px, self.display.size
        wide, high = (px(length) for length in self._wanted)
        middle = across // 2, down // 2
        self.rect = centred(min(wide, across - px(32)), min(high, down - px(32)), middle)
        space = Space(self.rect.inflate(-2 * px(PADDING), 0), px(GAP))
        self._title_rect = space.top(px(TITLE))
        space.bottom(px(PADDING) - space.gap)
        self.widgets.clear()
        self.build(space)

    def build(self, space: Space) -> None:
        """Create the widgets in `space`, the box below its title."""

    def buttons(self, space: Space, *buttons: tuple[str, str, Callable[[], object], str]) -> None:
        """Create buttons at the bottom, from the right to the left: (name, text, action, style). Tab goes from the left
        to the right."""
        theme, px = self.display.theme, self.display.theme.px
        row = Space(space.bottom(px(CONTROL)), px(GAP))
        places = [row.right(max(px(104), width_of(theme, text, 16, True) + px(36))) for _, text, _, _ in buttons]
        for rect, (name, text, action, style) in reversed(list(zip(places, buttons, strict=True))):
            self.widgets.button(name, rect, text, action, style=style)

    def close(self) -> None:
        """Close the dialog without an answer."""
        self.alive = False
        self.widgets.clear()

    @property
    def typing(self) -> bool:
        """Whether a text field in it has the keyboard focus."""
        return self.widgets.typing

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event. Return False if the dialog is to be closed."""
        self._lay_out()
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.close()
        elif not self.widgets.handle(event) and event.type == pygame.KEYDOWN:
            self.key(event)
        return self.alive

    def accessible(self) -> Accessible:
        """Return its accessible tree, without the texts that it writes."""
        return Accessible("dialog", "dialog", self.title, self.rect, children=tuple(self.widgets.accessible()))

    def key(self, event: pygame.event.Event) -> None:
        """Handle a key press that no widget has used."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the dialog over a darkened screen."""
        self._lay_out()
        theme, px = self.display.theme, self.display.theme.px
        veil(surface, theme.palette.background, _VEIL)
        shadow(surface, self.rect, px(16))
        rounded(surface, self.rect, theme.palette.raised, px(10), theme.palette.line, max(1, px(1)))
        write(surface, theme, self.title, self._title_rect, 20, bold=True)
        self.widgets.update(time.monotonic(), pygame.mouse.get_pos())
        self.widgets.draw(surface)
        self.widgets.draw_over(surface)


class Question(Dialog):
    """A message with one button; with the text `action`, a question with that button, which calls `command`, and a
    button to cancel. `third` is another button: its name, text and command. A button closes the dialog before its
    command is called. Enter presses the focused button. With `danger`, the first button has the colour of a warning."""

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
        """Create the buttons, from `command` to cancel, focus the first unless one has the focus, and write the message
        above them."""
        accept = partial(self._answer, self.command)
        buttons = [("accept", self.action or t("common.close"), accept, "@danger" if self.danger else "@primary")]
        if self.third is not None:
            name, text, command = self.third
            buttons.append((name, text, partial(self._answer, command), "@danger"))
        if self.action:
            buttons.append(("cancel", self.cancel, partial(self._answer, lambda: None), "@quiet"))
        self.buttons(space, *buttons)
        self.widgets.focus = self.widgets.focus or "accept"
        words, theme = Space(space.rest), self.display.theme
        self.widgets.lines(words, wrapped(theme, self.message, words.rest.width, 16), theme.px(_LINE))

    def _answer(self, command: Callable[[], object]) -> None:
        """Close the question, and call the command of the chosen button."""
        self.close()
        command()


SHOWN = 0.3  # seconds after which the card is drawn


class ProgressCard(Dialog):
    """The progress of work that a person waits for. `share` returns it, from 0 to 1; `stop` is called when the person
    closes the card. It is drawn only when the work has taken longer than `SHOWN`."""

    def __init__(
        self, display: Display, title: str, name: str, share: Callable[[], float], stop: Callable[[], object]
    ) -> None:
        self.name, self.share, self.stop = name, share, stop
        self._since = time.monotonic()
        super().__init__(display, title, 440, TITLE + _LINE + CONTROL + 2 * (PADDING + GAP))

    def build(self, space: Space) -> None:
        """Create the cancel button, the percentage beside the title, the name of the work and its bar; both follow
        `share` with every frame."""
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
        """Whether the work has taken long enough for the card to appear."""
        return time.monotonic() - self._since > SHOWN

    def close(self) -> None:
        """Close the card, and stop the work."""
        super().close()
        self.stop()

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event; ignore the mouse while the card is not drawn yet. Return False if it is to be closed."""
        return super().handle(event) if self.shown or event.type == pygame.KEYDOWN else True

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the card once the work has taken longer than `SHOWN`; nothing before."""
        if self.shown:
            super().draw(surface)


# A menu that opens below a button, for mouse and keyboard.


_ROW, _PADDING, _MARGIN = 34, 6, 8
_STEPS = {pygame.K_UP: -1, pygame.K_DOWN: 1, pygame.K_PAGEUP: -8, pygame.K_PAGEDOWN: 8}


class Menu:
    """A menu of `options` (value, text), of which there is one at least, at the rectangle `under`, with a mark at the
    value `chosen` if it is one of them. Calls `then` with the value that the person chooses. `keys` are the keys that
    do the same, by value, to be shown. It takes all events."""

    typing = False

    def __init__(
        self, display: Display, under: pygame.Rect, options: Sequence[tuple[str, str]], chosen: str,
        then: Callable[[str], object], keys: Mapping[str, str] = {}, holds: Holds = always,
    ) -> None:  # fmt: skip
        self.holds = holds
        self.display, self.options, self.then = display, options, then
        self._keys = [key_label(keys[value]) if keys.get(value) else "" for value, _ in options]
        values = [value for value, _ in options]
        self.chosen = values.index(chosen) if chosen in values else None
        self.at = self.chosen or 0
        self._first = 0  # the row at the top
        self.rect = self._place(under)
        self._scroll_to_focus()

    def places(self) -> dict[str, tuple[int, int]]:
        """The centres of the rows in sight, by value."""
        shown = range(self._first, self._first + self._fits)
        return {self.options[row][0]: self._row_rect(row).center for row in shown}

    def accessible(self) -> Accessible:
        """Return its accessible tree, with the rows in sight."""
        rows = (
            Accessible(f"menu.{row}", "option", self.options[row][1], self._row_rect(row), about=self._keys[row],
                      click=True, chosen=row == self.chosen, focused=row == self.at)
            for row in range(self._first, self._first + self._fits)
        )  # fmt: skip
        return Accessible("menu", "menu", "", self.rect, children=tuple(rows))

    def _place(self, under: pygame.Rect) -> pygame.Rect:
        """Return the menu's rectangle: below `under`, or above it if there is more room. Set the number of rows that
        fit."""
        theme = self.display.theme
        px = theme.px
        window = pygame.Rect((0, 0), self.display.size).inflate(-2 * px(_MARGIN), -2 * px(_MARGIN))
        widths = [width_of(theme, text, 16) for _, text in self.options]
        hints = [width_of(theme, key, 14) + px(24) if key else 0 for key in self._keys]
        widest = max(map(sum, zip(widths, hints, strict=True))) + px(56)
        above, below = under.top - window.top, window.bottom - under.bottom
        room = max(above, below) - px(4)
        self._fits = max(1, min(len(self.options), (room - 2 * px(_PADDING)) // px(_ROW)))
        height = self._fits * px(_ROW) + 2 * px(_PADDING)
        width = max(under.width, min(widest, px(440), window.width))
        rect = pygame.Rect(under.left, under.bottom + px(4), width, height)
        if height > below:
            rect.bottom = under.top - px(4)
        return rect.clamp(window)

    def _row_rect(self, row: int) -> pygame.Rect:
        """The rectangle of a row."""
        px = self.display.theme.px
        inside = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        return pygame.Rect(inside.left, inside.top + (row - self._first) * px(_ROW), inside.width, px(_ROW))

    def _scroll_to_focus(self) -> None:
        """Scroll so that the focused row is in sight."""
        self._first = max(min(self._first, self.at), self.at - self._fits + 1)

    def _scroll(self, rows: int) -> None:
        """Scroll by so many rows, within the options."""
        self._first = max(0, min(self._first + rows, len(self.options) - self._fits))

    def _row_at(self, pixel: tuple[int, int]) -> int | None:
        """Return the row at a pixel; None if there is none."""
        shown = range(self._first, self._first + self._fits)
        return next((row for row in shown if self._row_rect(row).collidepoint(pixel)), None)

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event. Return False if the menu is to be closed."""
        if event.type == pygame.MOUSEWHEEL:
            self._scroll(-event.y)
        elif event.type == pygame.MOUSEMOTION:
            row = self._row_at(event.pos)
            self.at = self.at if row is None else row
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button <= 3:
            row = self._row_at(event.pos)
            return self._choose(row) if row is not None else self.rect.collidepoint(event.pos)
        elif event.type == pygame.KEYDOWN:
            return self._handle_key(event.key)
        return True

    def _handle_key(self, key: int) -> bool:
        """Move the focus to another row, or choose it. Return False if the menu is to be closed."""
        if key in (*ENTER, pygame.K_SPACE):
            return self._choose(self.at)
        steps = _STEPS | {pygame.K_HOME: -len(self.options), pygame.K_END: len(self.options)}
        self.at = max(0, min(self.at + steps.get(key, 0), len(self.options) - 1))
        self._scroll_to_focus()
        return key not in (pygame.K_ESCAPE, pygame.K_TAB)

    def _choose(self, row: int) -> bool:
        """Call `then` with the value of a row. Return False, since the menu is to be closed."""
        self.then(self.options[row][0])
        return False

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the rows in sight, with a mark at the chosen one."""
        theme = self.display.theme
        palette, px = theme.palette, theme.px
        rounded(surface, self.rect, palette.raised, px(8), mix(palette.line, palette.quiet, 0.5))
        for row in range(self._first, self._first + self._fits):
            box = self._row_rect(row)
            if row == self.at:
                rounded(surface, box.inflate(0, -px(2)), palette.lit(0.95), px(6))
            inside = box.inflate(-2 * px(10), 0)
            if row == self.chosen:
                pygame.draw.aacircle(surface, palette.accent, (inside.right - px(4), inside.centery), px(4))
            inside.width -= px(14)
            write(surface, theme, self._keys[row], inside, 14, palette.quiet, align="right")
            write(surface, theme, self.options[row][1], inside, 16)
        if self._fits < len(self.options):
            self._draw_bar(surface)

    def _draw_bar(self, surface: pygame.Surface) -> None:
        """Draw the scroll bar at the right edge of the menu."""
        px = self.display.theme.px
        track = self.rect.inflate(-2 * px(2), -2 * px(_PADDING))
        bar = knob(track, px(3), self._first, self._fits, len(self.options), px(20))
        palette = self.display.theme.palette
        rounded(surface, bar, mix(palette.line, palette.quiet, 0.4), px(1))
