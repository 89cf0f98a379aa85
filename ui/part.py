"""`Part`: what a screen is made of; `Group`: several parts that act as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import NamedTuple

import pygame

from ui.board.view import Marks
from ui.system.frame_clock import soonest
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding, run_binding
from ui.toolkit.layout import Space


class Entry(NamedTuple):
    """One line of a menu: `name` identifies it, `text` is its label; `key` does the same."""

    name: str
    text: str
    run: Callable[[], object]
    key: str = ""


class Part:
    """A piece of a screen. It knows its host and the state it shows, never its siblings.

    Every method may be left out. Events go to the part on top first, and on until one consumes them.
    """

    bindings: tuple[Binding, ...] = ()
    """Its own keys."""
    _rect = pygame.Rect(0, 0, 0, 0)
    """Where it draws."""

    def all_bindings(self) -> tuple[Binding, ...]:
        """Its keys and those of the parts that it consists of."""
        return self.bindings

    def open(self) -> None:
        """Called when the screen is shown and built."""

    def build(self, space: Space) -> None:
        """Take room from `space`, by default all that is left, and create the widgets; again whenever size, theme or
        layout change."""
        self._rect = space.rest

    def shape(self) -> object:
        """What its layout depends on besides size and theme. The screen is laid out again when it changes."""
        return None

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event that no key binding and no widget used. Return whether it was consumed."""
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
        """Add to the marks of the board."""
        return marks

    def hint(self) -> str:
        """What the status line says of what the person points at or has asked for."""
        return ""

    def status(self) -> str:
        """What the status line says otherwise."""
        return ""

    def entries(self) -> Sequence[Entry]:
        """What the part offers in the menu of the screen: by default the bindings with a `menu` text."""
        return [
            Entry(each.label.rpartition(".")[2], t(each.menu), each.action, each.keys[0])
            for each in self.bindings if each.menu
        ]  # fmt: skip

    def places(self) -> dict[str, tuple[int, int]]:
        """Where to click what is neither a widget nor a move, by name, for tests in a real window."""
        return {}

    def keep(self) -> None:
        """Called after an error, before the screen is closed: save what is not saved."""

    def close(self) -> None:
        """Called before another screen is shown. This one may be shown again."""


def for_each(parts: Sequence[Part], step: Callable[[Part], object]) -> None:
    """Call `step` with all `parts`, even if it fails with some of them; then raise the last of these errors."""
    with ExitStack() as steps:
        for part in reversed(parts):
            steps.callback(step, part)


class Group(Part):
    """`parts`, the lowest first, as one part. A subclass lays them out in `build`."""

    def __init__(self, parts: Sequence[Part] = ()) -> None:
        self.parts = parts

    def all_bindings(self) -> tuple[Binding, ...]:
        return (*(binding for part in self.parts for binding in part.all_bindings()), *self.bindings)

    def open(self) -> None:
        for part in self.parts:
            part.open()

    def shape(self) -> object:
        return [part.shape() for part in self.parts]

    def handle(self, event: pygame.event.Event) -> bool:
        return any(part.handle(event) for part in reversed(self.parts))

    def key(self, event: pygame.event.Event) -> bool:
        return any(part.key(event) for part in reversed(self.parts)) or super().key(event)

    def update(self, now: float) -> None:
        for part in self.parts:
            part.update(now)

    def wake(self, now: float) -> float | None:
        return soonest(*(part.wake(now) for part in self.parts))

    def draw(self, surface: pygame.Surface, now: float) -> None:
        for part in self.parts:
            part.draw(surface, now)

    def marks(self, marks: Marks) -> Marks:
        for part in self.parts:
            marks = part.marks(marks)
        return marks

    def hint(self) -> str:
        return _first(part.hint() for part in reversed(self.parts))

    def status(self) -> str:
        return _first(part.status() for part in reversed(self.parts))

    def entries(self) -> Sequence[Entry]:
        return [entry for part in self.parts for entry in part.entries()]

    def places(self) -> dict[str, tuple[int, int]]:
        return {name: place for part in self.parts for name, place in part.places().items()}

    def keep(self) -> None:
        for_each(self.parts, lambda part: part.keep())

    def close(self) -> None:
        for_each(self.parts, lambda part: part.close())


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")


def lay(space: Space, *parts: Part) -> None:
    """Build `parts` in `space`, one after the other."""
    for part in parts:
        part.build(space)
