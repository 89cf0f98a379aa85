"""Which key presses a name such as ``ctrl+shift+z`` stands for, and how it is written."""

from __future__ import annotations

import pygame
import pytest

from ui.toolkit.keys import Binding, is_modifier, key_label, matches, repeats, run_binding

CTRL, SHIFT, ALT, META = pygame.KMOD_RCTRL, pygame.KMOD_LSHIFT, pygame.KMOD_LALT, pygame.KMOD_LMETA
NAMES = ("a", "ctrl+a", "shift+a", "ctrl+shift+a", "return", "?", "left", "f11")


@pytest.fixture(autouse=True)
def _keyboard() -> None:
    pygame.display.init()


def pressed(key: int, mod: int = 0, text: str = "") -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode=text)


@pytest.mark.parametrize(("event", "expected"), [
    (pressed(pygame.K_a), ["a"]), (pressed(pygame.K_a, CTRL), ["ctrl+a"]), (pressed(pygame.K_a, META), ["ctrl+a"]),
    (pressed(pygame.K_a, SHIFT, "A"), ["shift+a"]), (pressed(pygame.K_a, CTRL | SHIFT), ["ctrl+shift+a"]),
    (pressed(pygame.K_a, ALT), []), (pressed(pygame.K_a, CTRL | ALT), []), (pressed(pygame.K_RETURN), ["return"]),
    (pressed(pygame.K_KP_ENTER), ["return"]), (pressed(pygame.K_SLASH), []), (pressed(pygame.K_SLASH, SHIFT), ["?"]),
    (pressed(pygame.K_MINUS, SHIFT, "?"), ["?"]), (pressed(pygame.K_LEFT), ["left"]), (pressed(pygame.K_F11), ["f11"]),
    (pressed(pygame.K_b), []),
])  # fmt: skip
def test_a_key_press_is_that_of_one_name(event: pygame.event.Event, expected: list[str]) -> None:
    assert [name for name in NAMES if matches(event, (name,))] == expected
    assert matches(event, NAMES) == bool(expected)


def test_a_key_goes_on_to_the_next_binding_until_one_has_used_it() -> None:
    done: list[int] = []

    def act(number: int) -> bool | None:
        done.append(number)
        return False if number == 1 else None

    bindings = [Binding((key,), lambda number=number: act(number), "") for number, key in enumerate("baaa")]
    assert run_binding(bindings, pressed(pygame.K_a))
    assert done == [1, 2]
    assert not run_binding(bindings[:2], pressed(pygame.K_a))
    assert not run_binding(bindings, pressed(pygame.K_c))


def test_moving_and_undoing_repeat_and_modifiers_are_no_keys() -> None:
    keys = {"left": pygame.K_LEFT, "pgup": pygame.K_PAGEUP, "tab": pygame.K_TAB, "z": pygame.K_z, "y": pygame.K_y,
            "space": pygame.K_SPACE, "shift": pygame.K_LSHIFT, "caps": pygame.K_CAPSLOCK}  # fmt: skip
    assert [name for name, key in keys.items() if repeats(pressed(key))] == ["left", "pgup", "tab"]
    assert [name for name, key in keys.items() if repeats(pressed(key, CTRL))] == ["z", "y"]
    assert [name for name, key in keys.items() if is_modifier(pressed(key, SHIFT))] == ["shift", "caps"]


@pytest.mark.parametrize(("system", "name", "label"), [
    ("linux", "ctrl+shift+z", "Ctrl+Shift+Z"), ("darwin", "ctrl+up", "⌘+↑"), ("linux", "escape", "Esc"),
    ("linux", "return", "Enter"), ("linux", "pagedown", "PgDn"), ("linux", "f11", "F11"), ("linux", "?", "?"),
])  # fmt: skip
def test_a_key_is_written_as_on_the_keyboard(
    monkeypatch: pytest.MonkeyPatch, system: str, name: str, label: str
) -> None:
    monkeypatch.setattr("ui.toolkit.keys.sys.platform", system)
    assert key_label(name) == label
