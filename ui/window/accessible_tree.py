"""The accessible tree of the window, and the requests of a screen reader, which are carried out as if by mouse and
keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pygame

from ui.toolkit.accessible import Accessible, Texts, with_name
from ui.window.host import Host
from ui.window.screen import Screen

_KEYS = {"INCREMENT": pygame.K_RIGHT, "DECREMENT": pygame.K_LEFT}


def accessible_window(host: Host, screen: Screen, texts: Texts) -> Accessible:
    """Return the accessible tree of the window: of the overlay alone if there is one, else of the screen. `texts` are
    those that were written on that layer in the last frame."""
    window = pygame.Rect((0, 0), host.size)
    overlay = host.overlay
    if overlay is not None:
        over = overlay.accessible()
        inside = _ordered([*over.children, *texts.outside([each.rect for each in over.children])], texts)
        children: tuple[Accessible, ...] = (replace(over, children=inside),)
    else:
        things = [*screen.widgets.accessible(), *screen.accessible(), _status_line(screen)]
        children = _ordered([*things, *texts.outside([each.rect for each in things])], texts)
    return Accessible("window", "window", "Tengen", window, children=children)


def _status_line(screen: Screen) -> Accessible:
    """Return the status line, which a screen reader announces when it changes."""
    line = screen.frame.line
    return Accessible("status", "status", " ".join(text for text, _ in screen.frame.texts if text), line)


def _ordered(things: list[Accessible], texts: Texts) -> tuple[Accessible, ...]:
    """Return the things from the top to the bottom, then from the left, each with a name, taken from `texts` if
    necessary."""
    taken = [thing.rect for thing in things if thing.click]
    spoken = (with_name(thing, texts, taken) for thing in things)
    return tuple(sorted(spoken, key=lambda thing: (thing.rect.top, thing.rect.left)))


def events_of(action: str, thing: Accessible) -> Iterator[pygame.event.Event]:
    """Move the focus to `thing`, and yield the events of mouse or keyboard that do the `action` of a screen reader with
    it: ``CLICK``, ``INCREMENT`` or ``DECREMENT``; none for others."""
    if thing.focus is not None:
        thing.focus()
    if action == "CLICK" and thing.click:
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            yield pygame.event.Event(kind, pos=thing.rect.center, button=pygame.BUTTON_LEFT)
    elif action in _KEYS:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            yield pygame.event.Event(kind, key=_KEYS[action], mod=0, unicode="")
