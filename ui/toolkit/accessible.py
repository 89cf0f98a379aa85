"""What a screen reader is told of a window: a tree of things with a role, a name, a place and a state.

Texts are noted where they are written, so that no screen has to list them; widgets describe themselves, and a part what
it draws otherwise. Nothing is noted while no screen reader listens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import pygame

from ui.toolkit import typesetting
from ui.toolkit.typesetting import Written

Role = Literal[
    "window", "dialog", "label", "status", "button", "radio", "slider", "field", "list", "option", "menu", "grid",
    "cell", "picture",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Accessible:
    """A thing on the screen. `key` identifies it among all that are seen at the same time, and is the same in the next
    frame. `about` is its description, `value` the text in a field. `click` tells whether a click on its middle does
    something; `focus` moves the keyboard focus there."""

    key: str
    role: Role
    name: str
    rect: pygame.Rect
    about: str = ""
    value: str = ""
    number: tuple[int, int] | None = None
    """A value, and the largest one."""
    chosen: bool | None = None
    """Whether it is on, or the chosen one of several; None where there is no choice."""
    enabled: bool = True
    focused: bool = False
    click: bool = False
    focus: Callable[[], object] | None = field(default=None, compare=False)
    children: tuple[Accessible, ...] = ()


class Texts:
    """Collects the texts that are written on a surface, with their places."""

    def __init__(self) -> None:
        self._noted: list[Written] = []

    def begin(self, surface: pygame.Surface) -> None:
        """Forget all texts, and collect those that are written on `surface` from now on."""
        self._noted = []
        typesetting.note_texts(surface, self._noted.append)

    def end(self) -> None:
        """Stop collecting."""
        typesetting.note_texts(None)

    def outside(self, taken: Sequence[pygame.Rect]) -> list[Accessible]:
        """Return the texts whose middles are in none of the rectangles `taken`. The lines of a paragraph become one
        text."""
        free = [(text, rect) for text, rect in self._noted if not any(each.collidepoint(rect.center) for each in taken)]
        return [Accessible(f"text.{at.left}.{at.top}", "label", text, at) for text, at in _paragraphs(free)]

    def inside(self, rect: pygame.Rect) -> str:
        """Return the texts whose middles are in `rect`, joined by spaces."""
        return " ".join(text for text, place in self._noted if text and rect.collidepoint(place.center))

    def before(self, rect: pygame.Rect, taken: Sequence[pygame.Rect] = ()) -> str:
        """Return the nearest text at the left of `rect` on the same line, of those whose middles are in none of the
        rectangles `taken`; empty if there is none."""
        beside = [
            (other.right, text) for text, other in self._noted
            if other.right <= rect.left and rect.top < other.centery < rect.bottom
            and not any(each.collidepoint(other.center) for each in taken)
        ]  # fmt: skip
        return max(beside, default=(0, ""))[1]


def _paragraphs(texts: Iterable[Written]) -> list[Written]:
    """Join lines, in the order in which they were written, if each stands close below the one before, at the same left
    edge."""
    found: list[Written] = []
    for text, rect in texts:
        before, above = found[-1] if found else ("", rect)
        if text and before and _continues(rect, above):
            found.pop()
            found.append((f"{before} {text}", above.union(rect)))
        elif text.strip():
            found.append((text, rect.copy()))
    return found


def _continues(rect: pygame.Rect, above: pygame.Rect) -> bool:
    """Whether the line at `rect` may continue a paragraph whose lines so far are at `above`."""
    near = -rect.height // 4 <= rect.top - above.bottom < rect.height // 2
    return near and rect.left == above.left and above.height % rect.height <= above.height // 3


def with_name(thing: Accessible, texts: Texts, taken: Sequence[pygame.Rect] = ()) -> Accessible:
    """Return the thing with a name. If it has none, take the texts in it, its description, or the text at its left. A
    field or a slider takes the text at its left first; one of several choices takes it as a prefix. Texts in the
    rectangles `taken` name something else."""
    beside = texts.before(thing.rect, taken) if thing.role in ("radio", "field", "slider", "button") else ""
    if thing.role in ("field", "slider"):
        name = thing.name or beside or thing.about
    elif thing.role == "radio":
        name = f"{beside}: {thing.name}" if beside else thing.name
    else:
        name = thing.name or texts.inside(thing.rect) or thing.about or beside
    return replace(thing, name=name, about="" if thing.about == name else thing.about)
