"""The menu of the rare actions of the replay scene. To add one, add an `Action` to what the scene lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import pygame

from ui.host import Host
from ui.parts.transport import SPEEDS, Transport
from ui.toolkit.i18n import t
from ui.toolkit.menu import Menu


class Action(NamedTuple):
    """`name` identifies the entry, `text` is its label; `key` does the same."""

    name: str
    text: str
    run: Callable[[], object]
    key: str = ""


def open_menu(host: Host, under: pygame.Rect, actions: Sequence[Action], chosen: str = "") -> None:
    """Open a menu of `actions` below or above `under`; `chosen` is the name of the entry that has a mark."""
    runs = {action.name: action.run for action in actions}
    options = [(action.name, action.text) for action in actions]
    keys = {action.name: action.key for action in actions}
    host.overlay = Menu(host, under, options, chosen, lambda name: runs[name](), keys)


def speed_action(host: Host, under: pygame.Rect, transport: Transport) -> Action:
    """The entry that opens the menu of the speeds of autoplay."""

    def choose() -> None:
        speeds = [Action(str(speed), _speed_text(speed), partial(transport.set_speed, speed)) for speed in SPEEDS]
        open_menu(host, under, speeds, str(transport.speed))

    return Action("speed", _speed_text(transport.speed), choose)


def _speed_text(speed: float) -> str:
    return t("replay.speed", speed=f"{speed:g}")
