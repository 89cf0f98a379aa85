"""The computer's view beside a game that is played: in words, the figures of its search, and the moves it considers."""

from __future__ import annotations

from typing import NamedTuple

import pygame

from ai.searches import Search
from games.evaluation import Evaluation
from games.record import Node
from ui.game.play_state import CONSIDERED, PlayState
from ui.host import Host
from ui.part import Part
from ui.parts.win_bar import bar_colours
from ui.toolkit.box_art import clipped, rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import LINE, width_of, write, write_paragraph
from ui.toolkit.theme import Theme
from ui.words.games import player_name, side_name
from ui.words.moves import line_names, move_name
from ui.words.numbers import count_text
from ui.words.views import chance_text, lead_text, line_outlook, move_wins, opinion

_FIGURES = 116
"""In design pixels."""

_SHARES = (0.18, 0.22, 0.27, 0.33)  # of the width for depth, nodes, speed and score


def draw_thinking(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, search: Search | None) -> None:
    """The figures of `search`. A score is shown only if it is that of the position: not what a weaker player thinks."""
    palette = theme.palette
    known = None if search is None else search.evaluation
    if search is not None and search.by_strongest:
        known = search.node.evaluation or known
    rounded(surface, rect, palette.raised, theme.px(8))
    space = Space(rect.inflate(-2 * theme.px(12), -2 * theme.px(8)), 0)
    figures = space.top(theme.px(46))
    cells = Space(figures, 0)
    for share, (label, value) in zip(_SHARES, _figures(search, known), strict=True):
        cell = cells.left(round(figures.width * share))
        half = cell.height // 2
        write(surface, theme, label, pygame.Rect(cell.left, cell.top, cell.width, half), 14, palette.quiet)
        write(surface, theme, value, pygame.Rect(cell.left, cell.top + half, cell.width, half), 16, bold=True)
    space.top(theme.px(6))
    if search is not None and search.stand_in and space.rest.height >= theme.px(LINE):
        write(surface, theme, t("thinking.stand_in"), space.top(theme.px(LINE)), 14, palette.info)
    text = " ".join(line_names(search.position, known.line)) if known is not None and search is not None else ""
    colour, most = palette.text if known else palette.quiet, space.rest.height // theme.px(LINE)
    write_paragraph(surface, theme, text or t("thinking.idle"), space.rest, colour, most)


def _figures(search: Search | None, known: Evaluation | None) -> list[tuple[str, str]]:
    info, scored = (None, False) if search is None else (search.info, search.by_strongest)
    lead = lead_text(search.position.game, known.score) if search is not None and known is not None else ""
    visited = max(0 if search is None else search.nodes, info.nodes if info else 0)
    return [
        (t("thinking.depth"), str(known.depth) if known and known.depth else "–"),
        (t("thinking.nodes"), count_text(visited) if visited else "–"),
        (t("thinking.speed"), count_text(info.nodes_per_second) + "/s" if info and info.nodes else "–"),
        (t("thinking.score"), lead if scored and known and not known.proven else "–"),
    ]


_WORDS = 60  # design pixels


class ViewPanel(Part):
    """Takes its room from the bottom of the space, while there is a view to show."""

    def __init__(self, host: Host, state: PlayState) -> None:
        self._host, self._state = host, state
        self._words: pygame.Rect | None = None
        self._figures: pygame.Rect | None = None
        view = Binding(("a",), self._switch, "settings.thinking")
        analysis = Binding(("a",), state.analyst.toggle, "keys.analysis")
        self.bindings = (analysis if len(state.live.people) > 1 else view,)

    def shape(self) -> object:
        return self._state.shows_view and not self._state.over, self._host.settings.expert

    def build(self, space: Space) -> None:
        px, (seen, expert) = self._host.theme.px, (self._state.shows_view, self._host.settings.expert)
        seen = seen and not self._state.over
        self._figures = space.bottom(px(_FIGURES)) if seen and expert else None
        self._words = space.bottom(px(_WORDS)) if seen else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._words is None:
            return
        theme, px, state = self._host.theme, self._host.theme.px, self._state
        search = state.search
        rounded(surface, self._words, theme.palette.raised, px(8))
        space = Space(self._words.inflate(-2 * px(12), -2 * px(8)), 0)
        sentence = "" if state.hidden else state.view.sentence
        chance = "" if state.hidden else chance_text(state.record.setup.game, state.view.wins)
        stand_in = search is not None and search.stand_in
        below = t("thinking.stand_in") if stand_in else chance
        if search is not None and not stand_in and not search.by_strongest and search.evaluation is not None:
            below = self._opinion(search, search.evaluation)
            sentence, below = (sentence, below) if sentence else (below, "")
        if sentence and width_of(theme, sentence, 16, bold=True) <= space.rest.width:
            write(surface, theme, sentence, space.top(px(LINE)), 16, bold=True)
            write(surface, theme, below, space.top(px(LINE)), 14, theme.palette.quiet)
        else:
            text, colour = sentence or (below if stand_in else t("view.none")), theme.palette.text if sentence else None
            write_paragraph(surface, theme, text, space.rest, colour, 2)
        if self._figures is not None:
            draw_thinking(surface, theme, self._figures, search)

    def _opinion(self, search: Search, known: Evaluation) -> str:
        record = self._state.record
        name = player_name(record.setup.game, record.seats, search.position.turn)
        return opinion(record.setup, search.position, known, name)

    def _switch(self) -> None:
        """Show or hide the engine's view."""
        self._host.settings.thinking = not self._host.settings.thinking
        self._host.save_settings()
        self._host.say(t("view.shown" if self._host.settings.thinking else "view.hidden"))


_TITLE, _ROW, _NAME, _TEXT, _BAR = 24, 24, 48, 92, 10
"""Design pixels: heights, widths of a move's name and of its outlook, and height of a bar."""

_LEAST = 120  # design pixels that are left to the list of moves


class Row(NamedTuple):
    """A move, its outlook, and the win probability of the side that makes it, if known."""

    name: str
    text: str
    wins: float | None


class Considered(Part):
    """Takes its room from the bottom of the space, if there is enough. A computer's moves stay until its next move."""

    def __init__(self, host: Host, state: PlayState) -> None:
        self._host, self._state = host, state
        self._room: pygame.Rect | None = None

    def shape(self) -> object:
        return self._state.considers

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        high = px(_TITLE + CONSIDERED * _ROW)
        fits = self._state.considers and space.rest.height >= high + px(_LEAST)
        self._room = space.bottom(high) if fits else None

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
        """Best first; none where the computer played by its opening book."""
        state, node, search = self._state, self._node, self._state.search
        if not state.analyst.on and search is not None and search.over and not search.searched:
            return []
        known = None if search is None or search.node is not node else search.evaluation
        if state.analyst.on or (known is not None and search is not None and search.by_strongest):
            known = node.evaluation or known
        if known is None or state.hidden or not state.considers:
            return []
        setup, position = state.record.setup, node.position
        return [
            Row(
                move_name(position, line.line[0]), line_outlook(setup, position, line),
                move_wins(setup, position, line, position.turn),
            )
            for line in known.lines[:CONSIDERED]
        ]  # fmt: skip

    def draw(self, surface: pygame.Surface, now: float) -> None:
        rows = self.rows
        if self._room is None or not rows:
            return
        theme, px = self._host.theme, self._host.theme.px
        space = Space(self._room, 0)
        write(surface, theme, self.title, space.top(px(_TITLE)), 14, theme.palette.quiet)
        for row in rows:
            line = Space(space.top(px(_ROW)), px(8))
            write(surface, theme, row.name, line.left(px(_NAME)), 16, bold=row is rows[0])
            write(surface, theme, row.text, line.right(px(_TEXT)), 14, theme.palette.quiet, align="right")
            if row.wins is not None:
                self._draw_bar(surface, line.rest.inflate(0, px(_BAR) - line.rest.height), row.wins)

    def _draw_bar(self, surface: pygame.Surface, rect: pygame.Rect, wins: float) -> None:
        """The share of the side that makes the move at the left."""
        theme, radius = self._host.theme, self._host.theme.px(3)
        colours, turn = bar_colours(theme, self._state.record.setup.game), self._node.position.turn
        rounded(surface, rect, colours[1 - turn], radius)
        with clipped(surface, pygame.Rect(*rect.topleft, round(rect.width * wins), rect.height)):
            rounded(surface, rect, colours[turn], radius)
        pygame.draw.rect(surface, theme.palette.quiet, rect, max(1, theme.px(1)), radius)
