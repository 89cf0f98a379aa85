"""Beside searches that are compared: what is compared, start and stop, the depth, and what was found, in words."""

from __future__ import annotations

from functools import partial

import pygame

from ai.side_by_side import PRUNING
from ai.subject import Choice
from ui.game.comparison import HORIZON, THREADS, TREES, VIEWS, Comparison
from ui.host import Host
from ui.part import Part
from ui.parts.compare_board import DEEP, REFUTATION, SHALLOW
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import BUTTON, Space
from ui.toolkit.text import LINE, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.words.comparison import (
    bounds_sentence,
    findings,
    horizon_sentences,
    search_name,
    thread_sentences,
    trees_sentences,
)  # fmt: skip
from ui.words.search import depth_text

_CHOICE, _APART = 32, 8  # design pixels


class CompareViews(Part):
    """Which comparison is shown."""

    def __init__(self, host: Host, widgets: Widgets, state: Comparison) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.bindings = (Binding(("ctrl+tab",), self._show_next, "compare.next_view"),)

    def shape(self) -> object:
        return self._state.view

    def build(self, space: Space) -> None:
        row, options = space.top(self._host.theme.px(_CHOICE)), [(view, t(f"compare.view.{view}")) for view in VIEWS]
        self._widgets.choice("view", row, options, self._state.view, self._state.choose, gap=4)
        for view in VIEWS:
            self._widgets.elements[f"view.{view}"].tip = t(f"compare.view.{view}.tip")

    def _show_next(self) -> None:
        self._state.choose(VIEWS[(VIEWS.index(self._state.view) + 1) % len(VIEWS)])


class CompareControls(Part):
    """Start and stop, and the depth; at the horizon, which line is on the board."""

    def __init__(self, host: Host, widgets: Widgets, state: Comparison) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.bindings = (
            Binding(("space",), self._toggle, "compare.toggle"),
            Binding(("[",), partial(state.deepen, -1), "search.shallower"),
            Binding(("]",), partial(state.deepen, 1), "search.deeper"),
        )

    def shape(self) -> object:
        return self._state.view, self._state.busy, self._depth, self._state.trees.pruning, self._state.on_board

    @property
    def _depth(self) -> str:
        if self._state.view == TREES:
            return depth_text(Choice(depth=self._state.trees.depth))
        return t("compare.depth", depth=self._state.depth)

    def build(self, space: Space) -> None:
        px, state, button = self._host.theme.px, self._state, self._widgets.button
        text, icon = t("compare.stop" if state.busy else "compare.start"), "pause" if state.busy else "play"
        if state.view == HORIZON:
            self._build_lines(space.top(px(_CHOICE)))
            return
        row = Space(space.top(px(BUTTON)), px(6))
        tip = text if state.busy else t("compare.start.tip", bounds=bounds_sentence())
        more = row.right(px(BUTTON))
        self._widgets.label(row.right(px(92)), self._depth, align="centre")
        less = row.right(px(BUTTON))
        toggle, shallower, deeper = self.bindings
        button("start", row.rest, text, toggle, style="" if state.busy else "@primary", icon=icon, tip=tip,
               enabled=not state.over)  # fmt: skip
        button("shallower", less, "", shallower, icon="minus", tip=t("search.shallower"))
        button("deeper", more, "", deeper, icon="plus", tip=t("search.deeper"))
        if state.view == TREES:
            self._build_searches(space.top(px(_CHOICE)))

    def _build_searches(self, rect: pygame.Rect) -> None:
        """Which search is seen beside minimax."""
        options = [(key, search_name(key)) for key in PRUNING]
        trees, tip = self._state.trees, t("compare.trees.choose")
        self._widgets.choice("pruning", rect, options, trees.pruning, trees.choose, tip, gap=4)

    def _build_lines(self, rect: pygame.Rect) -> None:
        """Which line of the horizon effect is on the board."""
        options = [(line, t(f"compare.horizon.show.{line}")) for line in (SHALLOW, REFUTATION, DEEP)]
        shown, tip = self._state.on_board or REFUTATION, t("compare.horizon.show.tip")
        self._widgets.choice("line", rect, options, shown, partial(setattr, self._state, "on_board"), tip, gap=4)

    def _toggle(self) -> None:
        if self._state.busy:
            self._state.stop()
        else:
            self._state.start()


class CompareWords(Part):
    """What was found, in as many lines as there is room for."""

    def __init__(self, host: Host, state: Comparison) -> None:
        self._host, self._state = host, state
        self.complete = True
        """Whether all lines were written."""

    @property
    def sentences(self) -> list[str]:
        state = self._state
        if state.failed or (state.view == TREES and state.trees.failed):
            return [t("compare.failed")]
        if state.view == HORIZON:
            busy = [t("compare.horizon.busy")] if state.busy else []
            return [*horizon_sentences(state.preset.position, state.seen), *busy]
        if state.over:
            return [t("compare.over")]
        if state.view == THREADS:
            return thread_sentences(state.shared)
        if state.view == TREES:
            return trees_sentences(state.trees)
        return findings(state.position, state.rows)

    def update(self, now: float) -> None:
        self._state.update()

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme = self._host.theme
        space, self.complete = Space(self._rect, 0), True
        for sentence in self.sentences:
            for line in wrapped(theme, sentence, self._rect.width, 14):
                self.complete &= space.rest.height >= theme.px(LINE)
                if self.complete:
                    write(surface, theme, line, space.top(theme.px(LINE)), 14)
            space.top(theme.px(_APART))

    def close(self) -> None:
        self._state.close()
