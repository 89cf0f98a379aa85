"""The latest games of a profile, each of which can be opened, or removed from it."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pygame

from ai.profile import DRAWN, WON, Result
from games.storage import saves_home
from ui.board.registry import look
from ui.game.ratings import ProfileState
from ui.host import Content, Host
from ui.part import Part
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import width_of, write, write_paragraph
from ui.toolkit.widgets import Widgets
from ui.words.library import day_word
from ui.words.players import seat_label

_ROW, _BIN = 48, 30
"""Design pixels: height of a game, and width of the button that removes it."""

_MOST_RECENT = 20


class ProfileGames(Part):
    """Fills the space. A game that is opened leads back to `owner`."""

    bindings = (
        Binding(("ctrl+n",), "do_new", "keys.new"),
        Binding(("ctrl+z",), "do_undo", "library.undo"),
    )

    def __init__(self, host: Host, widgets: Widgets, state: ProfileState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self._head = self._empty = pygame.Rect(0, 0, 0, 0)
        self.recent: list[tuple[pygame.Rect, Result]] = []

    def shape(self) -> object:
        return self._state.game, self._state.profile, self._state.can_undo

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        new = space.bottom(px(44))
        self._widgets.button("new", new, t("home.new_game"), self.do_new, style="@primary", key="ctrl+n")
        head = Space(space.top(px(32)), px(8))
        undo = head.right(px(96))
        if self._state.can_undo:
            self._widgets.button("undo", undo, t("library.undo"), self.do_undo, key="ctrl+z", icon="undo")
        self._head = head.rest
        self._empty = space.rest
        space.gap = px(4)
        fits = max(0, (space.rest.height + px(4)) // px(_ROW + 4))
        rows = [(Space(space.top(px(_ROW)), px(2)), result) for result in self._state.played[:_MOST_RECENT][:fits]]
        bins = [row.right(px(_BIN)) for row, _ in rows]
        self.recent = [(row.rest, result) for row, result in rows]
        for number, (rect, result) in enumerate(self.recent):
            self._build_row(number, rect, bins[number], result)

    def _build_row(self, number: int, rect: pygame.Rect, trash: pygame.Rect, result: Result) -> None:
        file = saves_home() / result.file
        # `Path.is_file` raises where the folder cannot be accessed.
        there, tip = os.path.isfile(file), _tip(result)  # noqa: PTH113
        action = partial(self._open, file)
        self._widgets.button(f"recent.{number}", rect, "", action, style="@row", tip=tip, enabled=there)
        take, tip = partial(self._state.remove, result.file), t("profile.remove")
        self._widgets.button(f"remove.{number}", trash, "", take, style="@icon", icon="trash", tip=tip)

    def _open(self, file: Path) -> None:
        self._host.open_file(file, back=self._owner)

    def do_undo(self) -> None:
        self._state.undo()

    def do_new(self) -> None:
        self._host.open("setup", self._state.game)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette = self._host.theme, self._host.theme.palette
        write(surface, theme, t("profile.recent"), self._head, 14, palette.quiet)
        if not self.recent:
            write_paragraph(surface, theme, t("profile.no_games"), self._empty)

    def draw_over(self, surface: pygame.Surface, now: float) -> None:
        for rect, result in self.recent:
            self._draw_recent(surface, rect, result)

    def _draw_recent(self, surface: pygame.Surface, rect: pygame.Rect, result: Result) -> None:
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        lines = Space(rect.inflate(-2 * px(6), -2 * px(2)), 0)
        first, second = Space(lines.top(px(22)), px(4)), Space(lines.top(px(22)), px(4))
        colour = {WON: palette.good, DRAWN: palette.quiet}.get(result.score, palette.bad)
        sign = {WON: "profile.won", DRAWN: "profile.drawn"}.get(result.score, "profile.lost")
        look(self._state.game).badge(surface, theme, first.left(px(24)), result.side)
        write(surface, theme, seat_label(self._state.game, result.opponent), first.rest, 14)
        second.left(px(24))
        rating = t("profile.unrated") if result.unrated else f"{result.rating:.0f}"
        write(surface, theme, rating, second.right(px(60)), 14, palette.quiet, align="right")
        word = t(sign)
        write(surface, theme, word, second.left(width_of(theme, word, 14, bold=True) + 1), 14, colour, bold=True)
        write(surface, theme, f"· {day_word(result.date)}", second.rest, 14, palette.quiet)


def _tip(result: Result) -> str:
    when = result.date.replace("T", " ")
    why = t(f"unrated.{result.unrated}") if result.unrated else ""
    return f"{when} · {why}" if why else when
