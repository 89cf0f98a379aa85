"""The list of moves: a column for each side, the shown one marked, a click jumps there."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pygame

from ai.players.table import is_program
from ai.service.searches import Search
from games.evaluation import Evaluation
from games.record import Node
from ui.parts.win_bar import bar_colours
from ui.play.state import CONSIDERED, PlayState
from ui.toolkit.art import clipped, rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, knob
from ui.toolkit.theme import Theme, mix
from ui.toolkit.typesetting import LINE, width_of, write, write_paragraph
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words.games import player_name, side_name
from ui.words.move_words import line_names, move_name, node_reason
from ui.words.numbers import count_text
from ui.words.views import chance_text, lead_text, line_outlook, move_wins, node_outlook, opinion

ROW = 30
"""Height of a row in design pixels."""


class MoveList(Part):
    """The moves of `state`; it marks the one that is shown, and brings it into sight."""

    def __init__(self, host: Host, widgets: Widgets, state: PlayState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.record = state.record
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._top = 0  # first pixel row of the list that is shown
        self._followed: Node | None = None
        self.bindings = (
            Binding(("pageup",), self._look_back, "keys.look_back"),
            Binding(("pagedown",), self._look_on, "keys.look_on"),
            Binding(("end",), state.leave, "keys.return"),
            Binding(("escape",), self._escape, ""),
        )

    def build(self, space: Space) -> None:
        self.rect = space.rest.copy()
        self.rect.height -= self.rect.height % self._row  # whole rows: half a move is none
        self._followed = None
        self._follow()

    @property
    def _row(self) -> int:
        return self._host.theme.px(ROW)

    def _nodes(self) -> list[tuple[Node, int, int]]:
        """Every move with its row and its column: that of its side, in a new row where it is not the next."""
        placed: list[tuple[Node, int, int]] = []
        row, last = -1, 1
        for parent, node in pairwise(self.record.line()):
            side = parent.position.turn
            row, last = row + (side <= last), side
            placed.append((node, row, side))
        return placed

    def _rows(self) -> int:
        nodes = self._nodes()
        return nodes[-1][1] + 1 if nodes else 0

    def _most(self) -> int:
        """How far the list can be scrolled, in pixels."""
        return max(0, self._rows() * self._row - self.rect.height)

    def update(self, now: float) -> None:
        self._follow()

    def _follow(self) -> None:
        """Scroll so that the move that is shown is in sight, once for each."""
        node = self._state.shown
        if node is self._followed:
            return
        self._followed = node
        row = next((row for each, row, _ in self._nodes() if each is node), 0)
        top, bottom = row * self._row, (row + 1) * self._row
        if top < self._top or bottom > self._top + self.rect.height:
            self._top = bottom - self.rect.height
        self._top = max(0, min(self._top, self._most()))

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self.rect.collidepoint(pygame.mouse.get_pos()):
            self._top = max(0, min(self._top - event.y * self._row, self._most()))
            return True
        node = None
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            node = self.node_at(event.pos)
        if node is None:
            return False
        self._widgets.leave_focus()
        self._state.look(node)
        return True

    def hint(self) -> str:
        """Why the move under the pointer was played."""
        node = self.node_at(pygame.mouse.get_pos()) if self._state.explains else None
        return "" if node is None else node_reason(node)

    def _look_back(self) -> None:
        """Look at the move before the one shown."""
        self._state.look(self._state.moment.parent or self.record.root)

    def _look_on(self) -> None:
        """Look at the move after the one shown."""
        self._state.look(self._state.moment.next or self._state.moment)

    def _escape(self) -> bool:
        """Return to the game. Return False if no earlier move is shown."""
        earlier = self._state.earlier is not None
        self._state.leave()
        return earlier

    def node_at(self, pixel: tuple[int, int]) -> Node | None:
        """The move under `pixel`."""
        if self._state.hidden or not self.rect.collidepoint(pixel):
            return None
        return next((node for node, *place in self._nodes() if self._cell(*place).collidepoint(pixel)), None)

    def places(self) -> dict[str, tuple[int, int]]:
        """The middle of each move in sight, by its number."""
        cells = {f"move.{number}": self._cell(*place) for number, (_, *place) in enumerate(self._nodes(), 1)}
        return {name: cell.center for name, cell in cells.items() if self.rect.contains(cell)}

    def _cell(self, row: int, column: int) -> pygame.Rect:
        """Where a move stands."""
        number = self._host.theme.px(40)
        width = (self.rect.width - number - self._host.theme.px(8)) // 2
        left = self.rect.left + number + column * width
        return pygame.Rect(left, self.rect.top + row * self._row - self._top, width, self._row)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._state.hidden:
            return
        numbered, hover = -1, pygame.mouse.get_pos()
        with clipped(surface, self.rect):
            for node, row, column in self._nodes():
                cell = self._cell(row, column)
                if cell.colliderect(self.rect):
                    self._draw_move(surface, cell, "" if row == numbered else str(node.position.ply), node, hover)
                numbered = row
            self._draw_bar(surface)

    def _draw_move(
        self, surface: pygame.Surface, cell: pygame.Rect, number: str, node: Node, hover: tuple[int, int]
    ) -> None:
        """A move, with its number before the first of a pair; highlighted if it is shown, current or pointed at."""
        theme, palette = self._host.theme, self._host.theme.palette
        if number:
            place = pygame.Rect(self.rect.left, cell.top, theme.px(30), cell.height)
            write(surface, theme, number, place, 14, palette.quiet, align="right")
        box = cell.inflate(-theme.px(2), -theme.px(2))
        if node is self._state.shown:
            rounded(surface, box, mix(palette.panel, palette.accent, 0.28), theme.px(6))
        elif node is self.record.cursor:  # where the game stands while another moment is looked at
            rounded(surface, box, palette.panel, theme.px(6), palette.accent)
        elif box.collidepoint(hover):
            rounded(surface, box, palette.raised, theme.px(6))
        inside = box.inflate(-2 * theme.px(8), 0)
        room = inside.width
        if node.move is not None and node.parent is not None:
            text = move_name(node.parent.position, node.move)
            bold = node is self._state.shown
            if len(node.parent.children) > 1:
                beside = inside.left + width_of(theme, text, 16, bold) + theme.px(9)
                pygame.draw.aacircle(surface, palette.info, (beside, box.centery), theme.px(3))
            write(surface, theme, text, inside, 16, palette.text, bold=bold)
            room -= width_of(theme, text, 16, bold)
        if node.evaluation is not None:
            colour = palette.text if node is self._state.shown else palette.quiet
            outlook = node_outlook(self.record.setup, node)
            if width_of(theme, outlook, 14) > room:
                outlook = node_outlook(self.record.setup, node, short=True)
            write(surface, theme, outlook, inside, 14, colour, align="right")

    def _draw_bar(self, surface: pygame.Surface) -> None:
        """How far the list is scrolled."""
        px, track = self._host.theme.px, self.rect
        if most := self._most():
            bar = knob(track, px(4), self._top, track.height, most + track.height, px(24)).move(-px(1), 0)
            rounded(surface, bar, self._host.theme.palette.line, px(2))


# The computer's view beside a game that is played: in words, the figures of its search, and the moves it considers.


_FIGURES = 116
"""In design pixels."""

_SHARES = (0.18, 0.22, 0.27, 0.33)  # of the width for depth, nodes, speed and score


def draw_thinking(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, search: Search | None) -> None:
    """The figures of `search`. A score is shown only if it is that of the position: not what a weaker player thinks."""
    palette = theme.palette
    known = None if search is None else search.known
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
    """The figures of a search as (label, value): depth, nodes, speed, and the score if it can be compared."""
    info, scored = None, False
    if search is not None:
        info, scored = search.info, search.by_strongest or is_program(search.player)
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
    """What the computer thinks of the position: a sentence and win probability, in expert mode also search figures.

    Takes its room from the bottom of the space while there is a view to show. Key A switches it; between two people, it
    switches the analysis.
    """

    def __init__(self, host: Host, state: PlayState) -> None:
        self._host, self._state = host, state
        self._words: pygame.Rect | None = None
        self._figures: pygame.Rect | None = None
        view = Binding(("a",), self._switch, "settings.thinking")
        analysis = Binding(("a",), state.analyst.toggle, "keys.analysis")
        self.bindings = (analysis if len(state.live.people) > 1 else view,)

    def shape(self) -> tuple[bool, bool]:
        """Whether there is a view to show, and whether figures are, which two computers have one below the other."""
        state = self._state
        seen = state.shows_view and not state.over and not state.failure
        return seen, self._host.settings.expert and not state.shows_both

    def build(self, space: Space) -> None:
        px, (seen, expert) = self._host.theme.px, self.shape()
        self._figures = space.bottom(px(_FIGURES)) if seen and expert else None
        self._words = space.bottom(px(_WORDS)) if seen else None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self._words is None:
            return
        theme, px, state = self._host.theme, self._host.theme.px, self._state
        search = state.search
        rounded(surface, self._words, theme.palette.raised, px(8))
        space = Space(self._words.inflate(-2 * px(12), -2 * px(8)), 0)
        sentence = "" if state.hidden else state.knowledge.sentence
        chance = "" if state.hidden else chance_text(state.record.setup.game, state.knowledge.wins)
        stand_in = search is not None and search.stand_in
        below = t("thinking.stand_in") if stand_in else chance
        if search is not None and not stand_in and not search.by_strongest and search.opinion is not None:
            below = self._opinion(search, search.opinion)
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
        """What the player to move thinks of the position, in words."""
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


class MoveRow(NamedTuple):
    """A move, its outlook, and the win probability of the side that makes it, if known."""

    name: str
    text: str
    wins: float | None


class Considered(Part):
    """The moves that the computer considers, each with its outlook. Its moves stay until it moves again.

    Takes its room from the bottom of the space, if there is enough.
    """

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
    def rows(self) -> list[MoveRow]:
        """Best first; none where the computer played by its opening book."""
        state, node, search = self._state, self._node, self._state.search
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
