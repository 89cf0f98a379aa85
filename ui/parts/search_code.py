"""The pseudocode of a search beside its tree: the line that runs is marked, the variables stand below."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from ui.game.code_walk import CodeWalk, Written, written
from ui.host import Host
from ui.part import Entry, Group, Part
from ui.parts.menu import open_menu
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.palette import mix
from ui.toolkit.text import fitted, width_of, write, write_paragraph
from ui.toolkit.widgets import Widgets
from ui.words.pseudocode import variables, view

_ROW, _LINE, _LEAST, _INDENT, _INSET, _NAME = 34, 20, 15, 13, 5, 18  # design pixels
SIZES = (14, 13, 12)
"""Of a line: the largest that fits."""


class SearchCode(Part):
    """Takes its room from the top of the space; none while it is not shown."""

    def __init__(self, host: Host, widgets: Widgets, walk: CodeWalk) -> None:
        self._host, self._widgets, self._walk = host, widgets, walk
        self.lines = pygame.Rect(0, 0, 0, 0)
        self._texts = pygame.Rect(0, 0, 0, 0)
        self._high = 0  # of a line, in pixels

    def shape(self) -> object:
        walk = self._walk
        return walk.shown, walk.shown and (walk.listing, len(written(walk.function)))

    def build(self, space: Space) -> None:
        walk, px, button = self._walk, self._host.theme.px, self._widgets.button
        row = Space(space.top(px(_ROW)), px(6))
        on, back = row.right(px(_ROW)), row.right(px(_ROW))
        button("line_on", on, "", walk.forward, icon="forward", tip=t("code.line_on"), key=".")
        button("line_back", back, "", walk.back, icon="back", tip=t("code.line_back"), key=",")
        if len(walk.listings) > 1:
            button("listing", row.rest, t(f"code.{walk.listing}"), self._choose, icon="down", tip=t("code.choose"))
        else:
            self._widgets.label(row.rest, t(f"code.{walk.listing}"), 16, bold=True)
        rest = Space(space.rest, px(6))
        count = len(written(walk.function))
        left = rest.rest.height - 2 * px(_LINE) - px(6) - 2 * px(_INSET)  # two rows of variables below
        self._high = max(px(_LEAST), min(px(_LINE), left // count))
        self.lines = rest.top(count * self._high + 2 * px(_INSET))
        self._texts = rest.rest

    def _choose(self) -> None:
        walk = self._walk
        entries = [Entry(name, t(f"code.{name}"), partial(walk.choose, number))
                   for number, name in enumerate(walk.listings)]  # fmt: skip
        open_menu(self._host, self._widgets.elements["listing"].rect, entries, walk.listing)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        walk, theme, palette, px = self._walk, self._host.theme, self._host.theme.palette, self._host.theme.px
        rounded(surface, self.lines, palette.panel, px(8), palette.line)
        moment, space = walk.moment, Space(self.lines.inflate(-2 * px(_INSET), -2 * px(_INSET)), 0)
        for line in written(walk.function):
            place = space.top(self._high)
            runs = moment is not None and line.key == moment.line
            if runs:
                rounded(surface, place, mix(palette.panel, palette.accent, 0.3), px(4), palette.accent)
            self._draw_line(surface, line, place, runs)
        if moment is not None:
            top = self._draw_variables(surface, variables(walk.explorer, moment))
            rest = pygame.Rect(self._texts.left, top, self._texts.width, self._texts.bottom - top)
            write_paragraph(surface, theme, view(walk.explorer, moment, walk.code.for_max), rest, palette.quiet)

    def room(self, line: Written) -> int:
        """How wide the text of a line may be, in pixels."""
        return self.lines.width - self._host.theme.px(2 * _INSET + 4 + line.indent * _INDENT)

    def _draw_line(self, surface: pygame.Surface, line: Written, place: pygame.Rect, runs: bool) -> None:
        theme, wide = self._host.theme, self.room(line)
        inside = pygame.Rect(place.right - wide, place.top, wide, place.height)
        size = next((size for size in SIZES if width_of(theme, line.text, size) <= wide), SIZES[-1])
        write(surface, theme, line.text, inside, size, theme.palette.text if runs else theme.palette.quiet)

    def _draw_variables(self, surface: pygame.Surface, texts: list[str]) -> int:
        """As many in a row as fit. Return where the room below begins."""
        theme, px = self._host.theme, self._host.theme.px
        left, top = self._texts.topleft
        for whole in texts:
            text = fitted(theme, whole, self._texts.width, 14)
            wide = width_of(theme, text, 14)
            if left > self._texts.left and left + wide > self._texts.right:
                left, top = self._texts.left, top + px(_LINE)
            if top + px(_LINE) > self._texts.bottom:
                return self._texts.bottom
            write(surface, theme, text, pygame.Rect(left, top, wide, px(_LINE)), 14)
            left += wide + px(_NAME)
        return top + px(_LINE)

    def status(self) -> str:
        return t("code.help")


class NodeOrCode(Group):
    """The `node` that is looked at, or the `code` in its place."""

    def __init__(self, node: Part, code: SearchCode, walk: CodeWalk) -> None:
        super().__init__((node,))
        self._node, self._code, self._walk = node, code, walk
        self.bindings = (
            Binding(("c",), self._switch, "code.key", menu="code.title"),
            Binding((".",), partial(self._go, walk.forward), "code.line_on"),
            Binding((",",), partial(self._go, walk.back), "code.line_back"),
        )

    def shape(self) -> object:
        return self._walk.shown, self._node.shape(), self._code.shape()

    def build(self, space: Space) -> None:
        self.parts = (self._code,) if self._walk.shown else (self._node,)
        self.parts[0].build(space)

    def entries(self) -> list[Entry]:
        return [*Part.entries(self)] if self._walk.listings else []

    def _switch(self) -> bool:
        """Show the code, or the node again. False where there is no code."""
        if self._walk.listings:
            self._walk.on = not self._walk.on
        return bool(self._walk.listings)

    def _go(self, move: Callable[[], None]) -> bool:
        """False while there is no code."""
        if self._walk.shown:
            move()
        return self._walk.shown
