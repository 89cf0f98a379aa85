"""What is shown beside a game: what each of two computers thinks, and the games of a database."""

from __future__ import annotations

import pygame

from ai.players.table import is_program
from ai.service.searches import Search
from ui.board.looks import look
from ui.parts.games_explorer import GamesExplorer
from ui.play.state import PlayState
from ui.toolkit.art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space
from ui.toolkit.typesetting import width_of, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Group, Part
from ui.words.move_words import line_names
from ui.words.numbers import count_text
from ui.words.views import told_text

_SIDE, _GAP, _LEAST, _GAMES, _FEW = 56, 4, 90, 270, 110
"""Design pixels: for a side, between two, left to the list of moves, and at most and at least for the games."""


class SideViews(Part):
    """Takes its room from the bottom of the space in a running game without persons, if there is enough."""

    def __init__(self, host: Host, state: PlayState) -> None:
        self._host, self._state = host, state
        self._rooms: list[pygame.Rect] = []

    def shape(self) -> object:
        return self._state.shows_both

    def build(self, space: Space) -> None:
        px, self._rooms = self._host.theme.px, []
        if self._state.shows_both and space.rest.height >= 2 * px(_SIDE) + px(_GAP + _LEAST):
            room = Space(space.bottom(2 * px(_SIDE) + px(_GAP)), px(_GAP))
            self._rooms = [room.top(px(_SIDE)), room.rest]

    def texts(self, side: int) -> tuple[str, str]:
        """The figures of the last search of `side`, and the line that it expects; empty before it has searched."""
        search = self._state.thoughts.get(side)
        if search is None or search.info is None or search.opinion is None:
            return "", ""
        parts = [f"{t('thinking.depth')} {search.info.depth}" if search.info.depth else "", self._outlook(search)]
        visited = max(search.info.nodes, search.nodes)
        parts.append(f"{t('thinking.nodes')} {count_text(visited)}" if visited else "")
        return " · ".join(filter(None, parts)), self._line(search)

    def _outlook(self, search: Search) -> str:
        assert search.opinion is not None
        setup = self._state.record.setup
        return told_text(setup, search.position, search.opinion, is_program(search.player)) if search.searched else ""

    def _line(self, search: Search) -> str:
        """As many of the moves as fit, since the end of a line says little."""
        assert search.opinion is not None
        theme, room = self._host.theme, self._rooms[0].width - self._host.theme.px(2 * 12 + 32) if self._rooms else 0
        names = line_names(search.position, search.opinion.line)
        while len(names) > 1 and width_of(theme, " ".join(names), 14) > room:
            names = names[:-1]
        return " ".join(names)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, px, record = self._host.theme, self._host.theme.px, self._state.record
        for side, room in enumerate(self._rooms):
            rounded(surface, room, theme.palette.raised, px(8))
            inside = Space(room.inflate(-2 * px(12), -2 * px(6)), px(8))
            badge = inside.left(px(24))
            look(record.setup.game).badge(surface, theme, badge, side)
            figures, line = self.texts(side)
            text = Space(inside.rest, 0)
            write(surface, theme, figures or "–", text.top(px(22)), 14, bold=bool(figures))
            write(surface, theme, line, text.rest, 14, theme.palette.quiet)


class PlayedBefore(Group):
    """The explorer of a database at the position that is shown, once it is asked for. It is help: the game is not rated
    from then on. It takes its room from the bottom of the space."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState, owner: Content) -> None:
        super().__init__()
        self._host, self._state = host, state
        self._explorer = GamesExplorer(host, widgets, state.record.setup, lambda: state.shown, state.choose, owner)
        self.bindings = (Binding(("g",), self._toggle, "database.beside", menu="database.beside"),)

    def _toggle(self) -> None:
        """Show the explorer, or hide it."""
        self.parts = () if self.parts else (self._explorer,)
        if self.parts and not self._state.over:
            self._state.helped("games")

    def build(self, space: Space) -> None:
        px, room = self._host.theme.px, space.rest.height
        if self.parts:
            high = min(px(_GAMES), room - px(_LEAST + _GAP))
            self._explorer.build(Space(space.bottom(high if high >= px(_FEW) else room), px(_GAP)))

    def close(self) -> None:
        self._explorer.close()
