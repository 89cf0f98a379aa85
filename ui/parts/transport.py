"""The transport of the replay scene: the slider and the buttons that walk along the line of play, and autoplay."""

from __future__ import annotations

import pygame

from games.record import path
from ui.parts.tab import Study
from ui.toolkit.controls import Slider
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space, columns

SPEEDS = (0.5, 1.0, 2.0, 4.0)
"""Moves a second."""

_BUTTON, _SLIDER = 36, 24  # design pixels


class Transport:
    """Steps along `study.record.line()`. Autoplay makes `speed` steps a second while `playing`."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.speed = 1.0
        self.slider: Slider | None = None
        self._next_step: float | None = None  # when the next step is due; None while paused
        self._shown_playing = False

    @property
    def playing(self) -> bool:
        return self._next_step is not None

    def stop(self) -> None:
        self._next_step = None

    def set_speed(self, speed: float) -> None:
        self.speed = speed

    def build(self, space: Space) -> None:
        """Make the widgets at the bottom of `space`."""
        px = self.study.host.theme.px
        self._build_buttons(space.bottom(px(_BUTTON)))
        self._build_slider(space.bottom(px(_SLIDER)))

    def _build_buttons(self, rect: pygame.Rect) -> None:
        self._shown_playing = playing = self.playing
        for place, (name, icon, action, key) in zip(columns(rect, 5, self.study.host.theme.px(8)), (
            ("first", "first", self.first, "home"),
            ("previous", "back", self.previous, "left"),
            ("play", "pause" if playing else "play", self.toggle, "space"),
            ("next", "forward", self.next, "right"),
            ("last", "last", self.last, "end"),
        ), strict=True):
            tip = t("replay.pause" if name == "play" and playing else f"replay.{name}")
            self.study.widgets.button(name, place, "", action, icon=icon, tip=tip, key=key)

    def _build_slider(self, rect: pygame.Rect) -> None:
        record = self.study.record
        most = len(record.line()) - 1
        self.slider = None
        if most > 0:
            at = len(path(record.cursor)) - 1
            slider = Slider(self.study.host.theme, rect, at, most, self._go_to_ply)
            self.slider = self.study.widgets.add("ply", slider)

    def _go_to_ply(self, ply: int) -> None:
        self.study.go(self.study.record.line()[ply])

    def update(self, now: float) -> None:
        """Step if a step is due, and show where the cursor is."""
        if self._next_step is not None and now >= self._next_step:
            self._next_step = now + 1 / self.speed if self.study.record.redo() else None
        if self.playing != self._shown_playing:
            self.study.host.rebuild()
        ply = len(path(self.study.record.cursor)) - 1
        if self.slider is not None and not self.slider.held and ply <= self.slider.most:
            self.slider.value = ply

    def wake(self, now: float) -> float | None:
        return None if self._next_step is None else max(0.0, self._next_step - now)

    # Actions.

    def first(self) -> None:
        self.study.go(self.study.record.root)

    def last(self) -> None:
        self.study.go(self.study.record.line()[-1])

    def next(self) -> None:
        if self.study.record.cursor.next is not None:
            self.study.go(self.study.record.cursor.next)

    def previous(self) -> None:
        if self.study.record.cursor.parent is not None:
            self.study.go(self.study.record.cursor.parent)

    def toggle(self) -> None:
        """Start or stop autoplay; at the end of the line, start at the beginning."""
        if self.playing:
            self.stop()
        else:
            if self.study.record.cursor.next is None:
                self.study.record.go_to(self.study.record.root)
            self._next_step = 0.0
        self.study.host.rebuild()
