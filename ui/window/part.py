"""`Part`: what a screen is made of; `Group`: several parts that act as one.

A part knows its host, the widgets and the state that it shows, never its siblings. `Part.shape` is what its layout
depends on: the screen is laid out again when it changes. What stays the same between two layouts is given to the
widgets in `build` (`label`, `box`, `paint`); `draw` is for what changes with every frame. An action that returns False
passes the key on. `python -m tests.ui.test_scene_keys` prints the keys that are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import NamedTuple

import pygame

from ui.board.view import Marks
from ui.system.frame_clock import soonest
from ui.toolkit.accessible import Accessible
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding, run_binding
from ui.toolkit.space import Space
from ui.toolkit.theme import Colour
from ui.toolkit.typesetting import width_of, write
from ui.window.host import Host


class MenuEntry(NamedTuple):
    """One line of a menu: `name` identifies it, `text` is its label. `run` is called when it is chosen; `key` is the
    key that does the same, empty if there is none."""

    name: str
    text: str
    run: Callable[[], object]
    key: str = ""


class Part:
    """A piece of a screen. It knows its host and the state it shows, never its siblings.

    A subclass overrides the methods that it needs. Events go to the part on top first, and on until one consumes them.
    """

    bindings: tuple[Binding, ...] = ()
    """Its own keys."""
    _rect = pygame.Rect()
    """Where it draws."""

    def all_bindings(self) -> tuple[Binding, ...]:
        """Return its key bindings, and those of the parts that it consists of."""
        return self.bindings

    def open(self) -> None:
        """Called when the screen has been built, and is shown from now on."""

    def build(self, space: Space) -> None:
        """Cut its place from `space`, or else take all that is left, and create the widgets. Called again when size,
        theme or `shape` change."""
        self._rect = space.rest

    def shape(self) -> object:
        """Return a value that changes with its layout, apart from size and theme. When it does, the screen is laid out
        again."""
        return None

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event that no key binding and no widget has used. Return whether it was consumed."""
        return False

    def key(self, event: pygame.event.Event) -> bool:
        """Run the action of the pressed key. Return whether it was consumed."""
        return run_binding(self.bindings, event)

    def update(self, now: float) -> None:
        """Advance to the time `now` (`time.monotonic()`)."""

    def wake(self, now: float) -> float | None:
        """Return the seconds until the next frame is due without an event; None if nothing moves."""
        return None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw what is below the widgets."""

    def marks(self, marks: Marks) -> Marks:
        """Return `marks` with those that this part shows on the board."""
        return marks

    def accessible(self) -> Sequence[Accessible]:
        """Return the accessible trees of what is neither a widget nor a text."""
        return ()

    def hint(self) -> str:
        """Return the text of the status line for what the person points at or has asked for; empty if there is none. It
        takes the place of `status`."""
        return ""

    def status(self) -> str:
        """Return the usual text of the status line; empty if there is none."""
        return ""

    def entries(self) -> Sequence[MenuEntry]:
        """Return what the part offers in the menu of the screen; by default its bindings with a `menu` text."""
        return [
            MenuEntry(each.label.rpartition(".")[2], t(each.menu), each.action, each.keys[0])
            for each in self.bindings if each.menu
        ]  # fmt: skip

    def places(self) -> dict[str, tuple[int, int]]:
        """Return pixels to click in tests with a real window, by name, for what is neither a widget nor a move."""
        return {}

    def keep(self) -> None:
        """Save what is not saved. Called after an error, before the screen is closed."""

    def close(self) -> None:
        """Called before another screen is shown. This one may be shown again later."""


def for_each(parts: Sequence[Part], step: Callable[[Part], object]) -> None:
    """Call `step` with each of the parts, even if it raises an error for some; then raise the last of these errors."""
    with ExitStack() as steps:
        for part in reversed(parts):
            steps.callback(step, part)


class Group(Part):
    """Several `parts` that act as one. They are listed from the lowest to the one on top. Texts are those of the
    topmost part that has one; keys and events go to the parts from the top. A subclass lays them out in `build`."""

    def __init__(self, parts: Sequence[Part] = ()) -> None:
        self.parts = parts

    def all_bindings(self) -> tuple[Binding, ...]:
        """Return the key bindings of the parts, from the lowest on, and then its own."""
        return (*(binding for part in self.parts for binding in part.all_bindings()), *self.bindings)

    def open(self) -> None:
        """Open all parts, from the lowest to the one on top."""
        for part in self.parts:
            part.open()

    def shape(self) -> object:
        """What the layout depends on: the shapes of all parts."""
        return [part.shape() for part in self.parts]

    def handle(self, event: pygame.event.Event) -> bool:
        """Pass the event to the parts, from the one on top, until one consumes it."""
        for part in reversed(self.parts):  # noqa: SIM110  (`any` would be one more call on the way of every click)
            if part.handle(event):
                return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        """Pass the key to the parts, from the one on top; if none consumes it, try its own bindings."""
        return any(part.key(event) for part in reversed(self.parts)) or super().key(event)

    def update(self, now: float) -> None:
        """Advance all parts, from the lowest to the one on top."""
        for part in self.parts:
            part.update(now)

    def wake(self, now: float) -> float | None:
        """Return the shortest of the times of the parts; None if nothing moves in any of them."""
        return soonest(*(part.wake(now) for part in self.parts))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw all parts, from the lowest to the one on top."""
        for part in self.parts:
            part.draw(surface, now)

    def marks(self, marks: Marks) -> Marks:
        """Let each part in turn add its marks to those of the parts below it, or replace them."""
        for part in self.parts:
            marks = part.marks(marks)
        return marks

    def accessible(self) -> Sequence[Accessible]:
        """Return the accessible trees of all parts."""
        return [each for part in self.parts for each in part.accessible()]

    def hint(self) -> str:
        """Return the first hint that is not empty, from the part on top."""
        return _first_text(part.hint() for part in reversed(self.parts))

    def status(self) -> str:
        """Return the first status that is not empty, from the part on top."""
        return _first_text(part.status() for part in reversed(self.parts))

    def entries(self) -> Sequence[MenuEntry]:
        """Return the menu entries of all parts, from the lowest on, and then those of its own bindings."""
        return [*(entry for part in self.parts for entry in part.entries()), *super().entries()]

    def places(self) -> dict[str, tuple[int, int]]:
        """Return the places of all parts; of equal names, that of the part on top."""
        return {name: place for part in self.parts for name, place in part.places().items()}

    def keep(self) -> None:
        """Let all parts save, even if some raise an error; then raise one of these."""
        for_each(self.parts, lambda part: part.keep())

    def close(self) -> None:
        """Close all parts, even if some raise an error; then raise one of these."""
        for_each(self.parts, lambda part: part.close())


def _first_text(texts: Iterable[str]) -> str:
    """Return the first text that is not empty; empty if all are."""
    return next(filter(None, texts), "")


def lay(space: Space, *parts: Part) -> None:
    """Call `build` of each of the parts with `space`, in turn."""
    for part in parts:
        part.build(space)


# The ground of every screen: the side panel at the right, and the status line at the bottom.


MARGIN = 16
"""Design pixels around what is on the ground."""

_STATUS, _NARROWEST, _WIDEST, _SHARE = 28, 320, 400, 0.29


class ScreenFrame:
    """Divides the window into the area `main`, the panel at the right, whose inside is `side`, and the status line.
    Without `panel` there is no `side`. `free` is the room that the texts leave in the status line.

    `status` returns the text of the screen for the status line, and whether a person has asked for it.
    """

    def __init__(self, host: Host, status: Callable[[], tuple[str, bool]], panel: bool) -> None:
        self._host, self._status, self._has_panel = host, status, panel
        self.free = self.line = self._panel = pygame.Rect()
        self.main = self.side = Space(self.free)

    def build(self, space: Space) -> None:
        """Divide the space into status line, side panel if there is one, and main area."""
        px = self._host.theme.px
        margin = 2 * px(MARGIN)
        self.line = space.bottom(px(_STATUS))
        if self._has_panel:
            self._panel = space.right(max(px(_NARROWEST), min(px(_WIDEST), round(space.rest.width * _SHARE))))
            self.side = Space(self._panel.inflate(-margin, -margin), px(12))
            self.main = Space(space.rest.inflate(-margin, -margin))
        else:
            self.main = Space(space.rest.inflate(-margin, -2 * px(8)))

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the side panel and the status line."""
        palette = self._host.theme.palette
        if self._has_panel:
            surface.fill(palette.panel, self._panel)
            pygame.draw.line(surface, palette.line, self._panel.topleft, self._panel.bottomleft)
        self._draw_status(surface)

    def _draw_status(self, surface: pygame.Surface) -> None:
        """Draw the status line: the hint at the key page, and the texts that there is room for."""
        theme, palette = self._host.theme, self._host.theme.palette
        surface.fill(palette.panel, self.line)
        pygame.draw.line(surface, palette.line, self.line.topleft, self.line.topright)
        inside = Space(self.line.inflate(-2 * theme.px(MARGIN), 0), theme.px(MARGIN))
        keys = t("status.keys")
        write(surface, theme, keys, inside.right(width_of(theme, keys, 14)), 14, palette.quiet, align="right")
        (text, colour), *more = self.texts
        self._write_status(surface, inside.rest, text, colour)
        for text, colour in more:
            room = Space(self.free)
            room.left(min(theme.px(MARGIN), room.rest.width))
            if width_of(theme, text, 14) <= room.rest.width:  # else it is said once there is room
                self._write_status(surface, room.rest, text, colour)

    def _write_status(self, surface: pygame.Surface, room: pygame.Rect, text: str, colour: Colour) -> None:
        """Write a text of the status line in `room`, and set `free` to what is left at its right."""
        write(surface, self._host.theme, text, room, 14, colour)
        taken = min(width_of(self._host.theme, text, 14), room.width)
        self.free = pygame.Rect(room.left + taken, room.top, room.width - taken, room.height)

    @property
    def texts(self) -> list[tuple[str, Colour]]:
        """The texts in the status line, each with its colour, from the left: the screen's text, and the message of the
        window or else the progress of the engine. An error is shown alone; so is a message while a person has not asked
        for the screen's text."""
        palette = self._host.theme.palette
        message, colour = self._host.message
        if not message:
            message, colour = self._engine_text(), palette.info
        text, asked = self._status()
        if message and (colour == palette.bad or not (text and asked)):
            return [(message, colour)]
        own = text, palette.text if asked else palette.quiet
        return [own, (message, colour)] if message else [own]

    def _engine_text(self) -> str:
        """The progress while the engine is being compiled, as a text; empty otherwise."""
        state = self._host.engine.state
        if state.compiled is None:
            return ""
        key = "advice" if self._host.searches.advised_by_stand_in else "again" if state.again else "compiling"
        return t(f"status.{key}", percent=round(100 * state.compiled))
