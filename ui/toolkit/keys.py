"""Keys by name, such as ``ctrl+shift+z``: match events, and format names for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pygame

from ui.toolkit.i18n import t

COMMAND = pygame.KMOD_CTRL | pygame.KMOD_META
ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)


@dataclass(frozen=True, slots=True)
class Binding:
    """Binds `keys` such as ``ctrl+z`` to `action`; if that returns False, other parts get the key. `label` is the i18n
    key of its description; with an empty one, the page of keys leaves the binding out. `menu` is the i18n key of its
    entry in the menu of the screen, empty for none."""

    keys: tuple[str, ...]
    action: Callable[[], object]
    label: str
    menu: str = ""


def run_binding(bindings: Iterable[Binding], event: pygame.event.Event) -> bool:
    """Call the actions bound to the pressed key until one does not return False. Return whether one has not."""
    return any(each.action() is not False for each in bindings if matches(event, each.keys))


def matches(event: pygame.event.Event, names: tuple[str, ...]) -> bool:
    """Return whether the KEYDOWN `event` is one of the keys `names`, with just their modifiers. ``ctrl`` stands for ⌘,
    too."""
    return any(_matches_name(event, name) for name in names)


def _matches_name(event: pygame.event.Event, name: str) -> bool:
    """Whether a key press is that of `name`, such as ``ctrl+shift+z``."""
    *modifiers, key = name.split("+")
    if key == "?":  # while text input is off, `unicode` ignores Shift
        return bool(event.unicode == "?" or (event.key == pygame.K_SLASH and event.mod & pygame.KMOD_SHIFT))
    if bool(event.mod & COMMAND) != ("ctrl" in modifiers) or bool(event.mod & pygame.KMOD_ALT):
        return False
    if bool(event.mod & pygame.KMOD_SHIFT) != ("shift" in modifiers):
        return False
    return event.key in (ENTER if key == "return" else (pygame.key.key_code(key),))


_MODIFIERS = (
    pygame.K_LSHIFT, pygame.K_RSHIFT, pygame.K_LCTRL, pygame.K_RCTRL, pygame.K_LALT, pygame.K_RALT, pygame.K_LMETA,
    pygame.K_RMETA, pygame.K_MODE, pygame.K_CAPSLOCK, pygame.K_NUMLOCKCLEAR, pygame.K_PRINTSCREEN,
)  # fmt: skip


def is_modifier(event: pygame.event.Event) -> bool:
    """Return whether the KEYDOWN `event` is of a modifier key alone, such as Shift, or of a lock key."""
    return event.key in _MODIFIERS


_ARROWS = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN)
_REPEATING = (*_ARROWS, pygame.K_PAGEUP, pygame.K_PAGEDOWN, pygame.K_TAB)
_REPEATING_WITH_COMMAND = (pygame.K_z, pygame.K_y)


def repeats(event: pygame.event.Event) -> bool:
    """Return whether the action of a key repeats while the key is held: moving and undoing do, switching does not."""
    return event.key in (_REPEATING_WITH_COMMAND if event.mod & COMMAND else _REPEATING)


def key_label(name: str) -> str:
    """Format the name of a key for people: ``Ctrl+Z``, ``←``."""
    arrows = {"left": "←", "right": "→", "up": "↑", "down": "↓"}
    command = "⌘" if sys.platform == "darwin" else "Ctrl"
    named = {"ctrl": command, "shift": "Shift", "alt": "Alt", "escape": "Esc", "tab": "Tab", "delete": "Del", **arrows}
    named |= {"pageup": "PgUp", "pagedown": "PgDn", "backspace": "Backspace"}
    words = {"return": "keys.enter", "space": "keys.space", "home": "keys.home", "end": "keys.end"}
    parts = [t(words[part]) if part in words else named.get(part, part.upper()) for part in name.split("+")]
    return "+".join(parts)
