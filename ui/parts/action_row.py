"""The row of buttons under a game that is played: undo, redo, what is to be done next, pause, and the menu."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import pygame

from ui.toolkit.i18n import t
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import Widgets

_KEYS = {"move_now": "m", "hint": "h"}  # of what may be next; Space does it as well
_PLAIN = ("hint", "dismiss")  # what is possible but need not be done


class Acting(Protocol):
    """The scene that the buttons belong to."""

    widgets: Widgets

    def build_menu(self, rect: pygame.Rect) -> None: ...
    def do_undo(self) -> None: ...
    def do_redo(self) -> None: ...
    def do_pause(self) -> None: ...
    def do_pass(self) -> None: ...
    def do_primary(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Possible:
    """What can be done now. `next` is the key of the words of what is to be done next."""

    next: str
    undo: bool
    redo: bool
    passing: bool
    paused: bool


class ActionRow:
    """At the bottom of `space`. After the end, when the game is `over`, there is nothing to pause and nothing next.
    `passing` is the key that passes, in games that allow it."""

    def __init__(self, theme: Theme, scene: Acting, space: Space, over: bool, passing: str = "") -> None:
        self._scene, self._passes = scene, bool(passing)
        self._next = ""
        side = theme.px(BUTTON)
        row = Space(space.bottom(side), theme.px(8))
        scene.build_menu(row.right(side))
        pause = None if over else row.right(side)
        undo, redo = columns(row.rest, 2, row.gap) if over else (row.left(side), row.left(side))
        self._place = None if over else row.rest
        button = scene.widgets.button
        for name, rect, action, key in (
            ("undo", undo, scene.do_undo, "ctrl+z"), ("redo", redo, scene.do_redo, "ctrl+y"),
        ):  # fmt: skip
            text = t(f"play.{name}")
            button(name, rect, text if over else "", action, icon="" if over else name, tip=text, key=key)
        if pause is not None:
            button("pause", pause, "", scene.do_pause, icon="pause", tip=t("play.pause"), key="p")
        if passing:
            button("pass", space.bottom(side), t("move.pass"), scene.do_pass, key=passing)

    def show(self, possible: Possible) -> None:
        """Enable what is possible, and let the wide button say what is next."""
        widgets = self._scene.widgets
        widgets.enable("undo", possible.undo)
        widgets.enable("redo", possible.redo)
        if self._passes:
            widgets.enable("pass", possible.passing)
        if self._place is None:
            return
        widgets.choose("pause", possible.paused)
        if possible.next != self._next:
            self._next = possible.next
            widgets.remove("primary")
            style, key = "" if possible.next in _PLAIN else "@primary", _KEYS.get(possible.next, "space")
            text = t(f"play.{possible.next}")
            widgets.button("primary", self._place, text, self._scene.do_primary, style=style, key=key)
