"""The moves that the computer considers in a game that is played, with how the first side stands after each."""

from __future__ import annotations

from typing import NamedTuple

import pygame

from games.record import Node
from ui.game.play_state import CONSIDERED, PlayState
from ui.host import Host
from ui.part import Part
from ui.parts.win_bar import bar_colours
from ui.toolkit.box_art import clipped, rounded
from ui.toolkit.i18n import t
from ui.toolkit.layout import Space
from ui.toolkit.text import write
from ui.words.games import player_name, side_name
from ui.words.moves import move_name
from ui.words.views import line_wins, outlook

_TITLE, _ROW, _NAME, _TEXT, _BAR = 24, 24, 48, 92, 10
"""Design pixels: heights, widths of a move's name and of its outlook, and height of a bar."""

_LEAST = 120  # design pixels that are left to the list of moves


class Row(NamedTuple):
    """A move, its outlook, and the win probability of the first side, if known."""

    name: str
    text: str
    wins: float | None


class Considered(Part):
    """Takes its room from the bottom of the space, if there is enough. A computer's moves stay until its next move."""

    def __init__(self, host: Host, state: PlayState) -> None:
        self._host, self._state = host, state
        self._rect: pygame.Rect | None = None

    def shape(self) -> object:
        return self._state.considers

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        high = px(_TITLE + CONSIDERED * _ROW)
        fits = self._state.considers and space.rest.height >= high + px(_LEAST)
        self._rect = space.bottom(high) if fits else None

    def update(self, now: float) -> None:
        self._state.consider()

    @property
    def _node(self) -> Node:
        """Where moves are considered: at what is shown, or else where the computer thinks or did so last."""
        state, search = self._state, self._state.search
        return state.shown if state.analyst.on or search is None else search.node

    @property
    def title(self) -> str:
        """``Novice considers``, or ``Novice considered`` after its move; ``Black considers`` in an analysis."""
        node, record = self._node, self._state.record
        game, turn = record.setup.game, node.position.turn
        who = side_name(game, turn) if self._state.analyst.on else player_name(game, record.seats, turn)
        tense = "now" if node in (self._state.shown, record.cursor) else "past"
        return t(f"considered.{tense}", who=who)

    @property
    def rows(self) -> list[Row]:
        """Best first."""
        state, node, search = self._state, self._node, self._state.search
        known = None if search is None or search.node is not node else search.evaluation
        if state.analyst.on or (known is not None and search is not None and search.by_strongest):
            known = node.evaluation or known
        if known is None or state.hidden or not state.considers:
            return []
        setup, position = state.record.setup, node.position
        return [
            Row(move_name(position, line.line[0]), outlook(setup, position, line), line_wins(setup, position, line))
            for line in known.lines[:CONSIDERED]
        ]

    def draw(self, surface: pygame.Surface, now: float) -> None:
        rows = self.rows
        if self._rect is None or not rows:
            return
        theme, px = self._host.theme, self._host.theme.px
        space = Space(self._rect, 0)
        write(surface, theme, self.title, space.top(px(_TITLE)), 14, theme.palette.quiet)
        for row in rows:
            line = Space(space.top(px(_ROW)), px(8))
            write(surface, theme, row.name, line.left(px(_NAME)), 16, bold=row is rows[0])
            write(surface, theme, row.text, line.right(px(_TEXT)), 14, theme.palette.quiet, align="right")
            if row.wins is not None:
                self._draw_bar(surface, line.rest.inflate(0, px(_BAR) - line.rest.height), row.wins)

    def _draw_bar(self, surface: pygame.Surface, rect: pygame.Rect, wins: float) -> None:
        """The share of the first side at the left."""
        theme, radius = self._host.theme, self._host.theme.px(3)
        first, second = bar_colours(theme, self._state.record.setup.game)
        rounded(surface, rect, second, radius)
        with clipped(surface, pygame.Rect(*rect.topleft, round(rect.width * wins), rect.height)):
            rounded(surface, rect, first, radius)
        pygame.draw.rect(surface, theme.palette.quiet, rect, max(1, theme.px(1)), radius)
