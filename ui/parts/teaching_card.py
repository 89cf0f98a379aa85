"""The card that warns of a move in a teaching game, and offers to take it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pygame

from ui.board.view import Marks
from ui.game.play_state import PlayState
from ui.game.teacher import warning_sentence
from ui.host import Host
from ui.part import Part
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space, columns
from ui.toolkit.palette import mix
from ui.toolkit.text import wrapped, write
from ui.toolkit.widgets import Widgets

_PADDING, _LINE = 12, 22  # design pixels


class TeachingCard(Part):
    """Takes its room from the top of the space while there is a warning, and marks the refutation on the board."""

    bindings = (Binding(("return",), "do_take_back", ""), Binding(("escape",), "do_dismiss", ""))

    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._lines: Sequence[str] = ()
        self._rect = pygame.Rect(0, 0, 0, 0)

    @property
    def _text(self) -> str:
        warning = None if self._state.over else self._state.warning
        return "" if warning is None else warning_sentence(self._state.record.setup.game, warning)

    def shape(self) -> object:
        return self._text

    def build(self, space: Space) -> None:
        text, px = self._text, self._host.theme.px
        self._lines = wrapped(self._host.theme, text, space.rest.width - 2 * px(_PADDING), 16) if text else ()
        if not self._lines:
            return
        self._rect = space.top(len(self._lines) * px(_LINE) + px(BUTTON) + px(8) + 2 * px(_PADDING))
        inside = Space(self._rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), 0)
        first, second = columns(inside.bottom(px(BUTTON)), 2, px(8))
        button = self._widgets.button
        button("take_back", first, t("teach.take_back"), self.do_take_back, style="@primary", key="return")
        button("play_on", second, t("play.dismiss"), self.do_dismiss, key="escape")

    def marks(self, marks: Marks) -> Marks:
        warning = self._state.warning
        shown = warning is not None and self._state.earlier is None and not self._state.hidden
        return replace(marks, line=warning.line) if warning is not None and shown else marks

    def do_take_back(self) -> bool:
        warned = self._state.warning is not None
        if warned:
            self._state.leave()
            self._state.live.undo()
        return warned

    def do_dismiss(self) -> bool:
        """Play on in spite of the warning."""
        warned = self._state.warning is not None
        self._state.dismiss()
        return warned

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if not self._lines:
            return
        theme, px = self._host.theme, self._host.theme.px
        palette = theme.palette
        rounded(surface, self._rect, mix(palette.raised, palette.bad, 0.12), px(8), mix(palette.line, palette.bad, 0.7))
        space = Space(self._rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), 0)
        for line in self._lines:
            write(surface, theme, line, space.top(px(_LINE)), 16)
