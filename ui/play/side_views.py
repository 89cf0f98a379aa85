"""Views beside a game that is played: the computer's evaluation in words, the figures of its search, and its candidate
moves; both evaluations where two computers play; and the games of a database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pygame

from ai.players.table import is_program
from ai.service.searches import Search
from games.evaluation import Evaluation
from games.record import Node
from ui.board.looks import look
from ui.parts.games_explorer import GamesExplorer
from ui.parts.win_bar import bar_colours
from ui.play.state import CONSIDERED, PlayState
from ui.toolkit.art import clipped, rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import LINE, width_of, write, write_paragraph
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Group, Part
from ui.words.games import player_name, side_name
from ui.words.move_words import line_names, move_name
from ui.words.numbers import count_text
from ui.words.views import chance_text, lead_text, line_outlook, move_wins, player_outlook, player_view_sentence

_FIGURES = 116  # design pixels
_SHARES = (0.18, 0.22, 0.27, 0.33)  # of the width for depth, nodes, speed and score


def _draw_search_figures(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, search: Search | None) -> None:
    """Draw the figures of `search`, which may be None, and its principal variation. The score is left out if the player
    is weaker than the strongest."""
    palette = theme.palette
    known = None if search is None else search.known
    rounded(surface, rect, palette.raised, theme.px(8))
    space = Space(rect.inflate(-2 * theme.px(12), -2 * theme.px(8)))
    figures = space.top(theme.px(46))
    cells = Space(figures)
    for share, (label, value) in zip(_SHARES, _search_figures(search), strict=True):
        cell = cells.left(round(figures.width * share))
        half = cell.height // 2
        write(surface, theme, label, pygame.Rect(cell.left, cell.top, cell.width, half), 14, palette.quiet)
        write(surface, theme, value, pygame.Rect(cell.left, cell.top + half, cell.width, half), 16, bold=True)
    space.top(theme.px(6))
    if search is not None and search.stand_in:
        write(surface, theme, t("thinking.stand_in"), space.top(theme.px(LINE)), 14, palette.info)
    text = " ".join(line_names(search.position, known.line)) if known is not None and search is not None else ""
    write_paragraph(surface, theme, text or t("thinking.idle"), space.rest, palette.text if known else palette.quiet)


def _search_figures(search: Search | None) -> list[tuple[str, str]]:
    """The figures of a search as (label, value): depth, nodes, speed, and the score if it can be compared."""
    labels = [t(f"thinking.{name}") for name in ("depth", "nodes", "speed", "score")]
    return [(label, "–") for label in labels] if search is None else list(zip(labels, _values(search), strict=True))


def _values(search: Search) -> Iterator[str]:
    """Yield the values of `_search_figures`."""
    info, known = search.info, search.known
    visited = max(search.nodes, info.nodes if info else 0)
    scored = search.by_strongest or is_program(search.player)
    yield str(known.depth) if known and known.depth else "–"
    yield count_text(visited) if visited else "–"
    yield count_text(info.nodes_per_second) + "/s" if info and info.nodes else "–"
    yield lead_text(search.position.game, known.score) if scored and known and not known.proven else "–"


_WORDS = 60  # design pixels


class ViewPanel(Part):
    """The computer's evaluation of the position, as a sentence and a win probability; in expert mode also the figures
    of its search.

    It takes room from the bottom of the space while there is something to show. Key A shows or hides it; in a game of
    two people, the same key switches the analysis.
    """

    def __init__(self, host: Host, state: PlayState) -> None:
        self._host, self._state = host, state
        self._words: pygame.Rect | None = None
        self._figures: pygame.Rect | None = None
        view = Binding(("a",), self._toggle_view, "settings.thinking")
        analysis = Binding(("a",), state.analyst.toggle, "keys.analysis")
        self.bindings = (analysis if len(state.live.people) > 1 else view,)

    def shape(self) -> tuple[bool, bool]:
        """Whether the evaluation is shown, and whether the figures may be."""
        state = self._state
        seen = state.shows_view and not state.over and not state.failure
        return seen, self._host.settings.expert and not state.shows_both

    def build(self, space: Space) -> None:
        """Leave room at the bottom of the space for the sentence, if the evaluation is shown, and above it for the
        figures in expert mode."""
        px, (seen, expert) = self._host.theme.px, self.shape()
        self._figures = space.bottom(px(_FIGURES)) if seen and expert else None
        self._words = space.bottom(px(_WORDS)) if seen else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Write the evaluation and the win probability, or what stands in for them, and the figures of the search. It
        has no widgets."""
        if self._words is None:
            return
        theme, px, state = self._host.theme, self._host.theme.px, self._state
        search = state.search
        rounded(surface, self._words, theme.palette.raised, px(8))
        space = Space(self._words.inflate(-2 * px(12), -2 * px(8)))
        sentence = "" if state.hidden else state.knowledge.sentence
        chance = "" if state.hidden else chance_text(state.record.setup.game, state.knowledge.wins)
        stand_in = search is not None and search.stand_in
        below = t("thinking.stand_in") if stand_in else chance
        if search is not None and not stand_in and not search.by_strongest and search.opinion is not None:
            below = self._opinion_text(search, search.opinion)
            sentence, below = (sentence, below) if sentence else (below, "")
        if sentence and width_of(theme, sentence, 16, bold=True) <= space.rest.width:
            write(surface, theme, sentence, space.top(px(LINE)), 16, bold=True)
            write(surface, theme, below, space.top(px(LINE)), 14, theme.palette.quiet)
        else:
            text, colour = sentence or (below if stand_in else t("view.none")), theme.palette.text if sentence else None
            write_paragraph(surface, theme, text, space.rest, colour)
        if self._figures is not None:
            _draw_search_figures(surface, theme, self._figures, search)

    def _opinion_text(self, search: Search, known: Evaluation) -> str:
        """The evaluation `known` of the player to move, in words."""
        record = self._state.record
        name = player_name(record.setup.game, record.seats, search.position.turn)
        return player_view_sentence(record.setup, search.position, known, name)

    def _toggle_view(self) -> None:
        """Show or hide the evaluation, as a setting."""
        self._host.settings.thinking = not self._host.settings.thinking
        self._host.save_settings()
        self._host.say(t("view.shown" if self._host.settings.thinking else "view.hidden"))


_TITLE, _ROW, _NAME, _TEXT, _BAR = 24, 24, 48, 92, 10
"""Design pixels: heights, widths of a move's name and of its outlook, and height of a bar."""

_LEAST = 120  # design pixels that are left to the list of moves


class MoveRow(NamedTuple):
    """A move, its score in words, and the win probability of the side that makes it, None if unknown."""

    name: str
    text: str
    wins: float | None


class Considered(Part):
    """The best moves of the computer's search, each with its score. They stay until its next search.

    It takes room from the bottom of the space, if there is enough.
    """

    def __init__(self, host: Host, state: PlayState) -> None:
        self._host, self._state = host, state
        self._room: pygame.Rect | None = None

    def shape(self) -> object:
        """What the layout depends on: whether the best moves are shown, not which they are."""
        return self._state.considers

    def build(self, space: Space) -> None:
        """Leave room at the bottom of the space for the title and all rows, if the moves are shown and the list of
        moves keeps its least height."""
        px = self._host.theme.px
        high = px(_TITLE + CONSIDERED * _ROW)
        fits = self._state.considers and space.rest.height >= high + px(_LEAST)
        self._room = space.bottom(high) if fits else None

    def update(self, now: float) -> None:
        """While a person thinks, have the last position of the computer searched again for several lines, if they are
        wanted."""
        self._state.consider()

    @property
    def _considered_node(self) -> Node:
        """The node whose moves are listed: the one shown if it is being analysed, else that of the computer's latest
        search."""
        state, search = self._state, self._state.search
        return state.shown if state.analyst.on or search is None else search.node

    @property
    def title(self) -> str:
        """The heading: ``Novice considers``, or ``Novice considered`` after its move; ``Black considers`` in an
        analysis."""
        node, record = self._considered_node, self._state.record
        game, turn = record.setup.game, node.position.turn
        who = side_name(game, turn) if self._state.analyst.on else player_name(game, record.seats, turn)
        tense = "now" if node in (self._state.shown, record.cursor) else "past"
        return t(f"considered.{tense}", who=who)

    @property
    def rows(self) -> list[MoveRow]:
        """The best moves, best first; empty if they may not be shown, or if the computer played from its opening book.
        """
        state, node, search = self._state, self._considered_node, self._state.search
        if not state.analyst.on and search is not None and search.over and not search.searched:
            return []
        known = None if search is None or search.node is not node else search.known
        if state.analyst.on:
            known = node.evaluation or known
        if known is None or state.hidden or not state.considers:
            return []
        setup, position = state.record.setup, node.position
        return [
            MoveRow(
                move_name(position, line.line[0]), line_outlook(setup, position, line),
                move_wins(setup, position, line, position.turn),
            )
            for line in known.lines[:CONSIDERED]
        ]  # fmt: skip

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Write the title and the best moves with their scores, each with a bar of its win probability; nothing without
        moves. It has no widgets."""
        rows = self.rows
        if self._room is None or not rows:
            return
        theme, px = self._host.theme, self._host.theme.px
        space = Space(self._room)
        write(surface, theme, self.title, space.top(px(_TITLE)), 14, theme.palette.quiet)
        for row in rows:
            line = Space(space.top(px(_ROW)), px(8))
            write(surface, theme, row.name, line.left(px(_NAME)), 16, bold=row is rows[0])
            write(surface, theme, row.text, line.right(px(_TEXT)), 14, theme.palette.quiet, align="right")
            if row.wins is not None:
                self._draw_bar(surface, line.rest.inflate(0, px(_BAR) - line.rest.height), row.wins)

    def _draw_bar(self, surface: pygame.Surface, rect: pygame.Rect, wins: float) -> None:
        """Draw `wins`, the win probability of the side that makes the move, as a bar from the left."""
        theme, radius = self._host.theme, self._host.theme.px(3)
        colours, turn = bar_colours(theme, self._state.record.setup.game), self._considered_node.position.turn
        rounded(surface, rect, colours[1 - turn], radius)
        with clipped(surface, pygame.Rect(*rect.topleft, round(rect.width * wins), rect.height)):
            rounded(surface, rect, colours[turn], radius)
        pygame.draw.rect(surface, theme.palette.quiet, rect, max(1, theme.px(1)), radius)


# What each of two computers thinks, and what was played before.


_SIDE, _GAP, _LIST, _GAMES, _FEW = 56, 4, 90, 270, 110
"""Design pixels: for a side, between two, left to the list of moves, and at most and at least for the games."""


class SideViews(Part):
    """The latest search of each side, while two computers play. It takes room from the bottom of the space, if there is
    enough."""

    def __init__(self, host: Host, state: PlayState) -> None:
        self._host, self._state = host, state
        self._rooms: list[pygame.Rect] = []

    def shape(self) -> object:
        """What the layout depends on: whether the searches of both sides are shown."""
        return self._state.shows_both

    def build(self, space: Space) -> None:
        """Leave room for both sides at the bottom of the space; none if the list of moves would be too low."""
        px, self._rooms = self._host.theme.px, []
        if self._state.shows_both and space.rest.height >= 2 * px(_SIDE) + px(_GAP + _LIST):
            room = Space(space.bottom(2 * px(_SIDE) + px(_GAP)), px(_GAP))
            self._rooms = [room.top(px(_SIDE)), room.rest]

    def texts(self, side: int) -> tuple[str, str]:
        """The figures of the latest search of `side`, and its principal variation; empty if it has not searched."""
        search = self._state.thoughts.get(side)
        if search is None or search.info is None or search.opinion is None:
            return "", ""
        parts = [f"{t('thinking.depth')} {search.info.depth}" if search.info.depth else "", self._score_text(search)]
        visited = max(search.info.nodes, search.nodes)
        parts.append(f"{t('thinking.nodes')} {count_text(visited)}" if visited else "")
        return " · ".join(filter(None, parts)), self._line_text(search)

    def _score_text(self, search: Search) -> str:
        """The score of a search, in words; empty if the move came without one, as from an opening book."""
        assert search.opinion is not None
        setup = self._state.record.setup
        if not search.searched:
            return ""
        return player_outlook(setup, search.position, search.opinion, is_program(search.player))

    def _line_text(self, search: Search) -> str:
        """The principal variation, as many moves as fit into one line."""
        assert search.opinion is not None
        theme, room = self._host.theme, self._rooms[0].width - self._host.theme.px(2 * 12 + 32) if self._rooms else 0
        names = line_names(search.position, search.opinion.line)
        while len(names) > 1 and width_of(theme, " ".join(names), 14) > room:
            names = names[:-1]
        return " ".join(names)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw a box for each side with its badge, the figures of its latest search, and the principal variation. It
        has no widgets."""
        theme, px, record = self._host.theme, self._host.theme.px, self._state.record
        for side, room in enumerate(self._rooms):
            rounded(surface, room, theme.palette.raised, px(8))
            inside = Space(room.inflate(-2 * px(12), -2 * px(6)), px(8))
            badge = inside.left(px(24))
            look(record.setup.game).badge(surface, theme, badge, side)
            figures, line = self.texts(side)
            text = Space(inside.rest)
            write(surface, theme, figures or "–", text.top(px(22)), 14, bold=bool(figures))
            write(surface, theme, line, text.rest, 14, theme.palette.quiet)


class PlayedBefore(Group):
    """The games explorer at the position shown, opened and closed by a key. It counts as help: opened before the end,
    the game is not rated. It takes room from the bottom of the space."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState, owner: Content) -> None:
        super().__init__()
        self._host, self._state = host, state
        self._explorer = GamesExplorer(host, widgets, state.record.setup, lambda: state.shown, state.choose, owner)
        self.bindings = (Binding(("g",), self._toggle_explorer, "database.beside", menu="database.beside"),)

    def _toggle_explorer(self) -> None:
        """Show or hide the explorer; shown before the end, note it as help."""
        self.parts = () if self.parts else (self._explorer,)
        if self.parts and not self._state.over:
            self._state.helped("games")

    def build(self, space: Space) -> None:
        """Lay the explorer out at the bottom of the space while it is open: in all of it if the list of moves would
        leave too little."""
        px, room = self._host.theme.px, space.rest.height
        if self.parts:
            high = min(px(_GAMES), room - px(_LIST + _GAP))
            self._explorer.build(Space(space.bottom(high if high >= px(_FEW) else room), px(_GAP)))

    def close(self) -> None:
        """Close the explorer, also while it is hidden."""
        self._explorer.close()
