"""The screen of tournaments: those that are kept, the table of one, its finished games, and the boards of those under
way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from ai.arena.match import Played
from ai.arena.tournament import game_file
from games.record import GameRecord, moves_to
from ui.board.looks import board_view
from ui.board.view import BoardView, Frame, Marks
from ui.parts.header import BackButton
from ui.toolkit.controls import ListRow, ListView
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.typesetting import LINE, fitted, width_of, write
from ui.toolkit.widgets import Widgets
from ui.tournament.panel import ChosenTournament, TournamentList
from ui.tournament.state import (
    BOARD,
    CROSS,
    GAMES_TAB,
    TABLE,
    TournamentsState,
    entrant_name,
    failure_text,
)
from ui.tournament.words import cells, cross_text, heads, points_text, result_text
from ui.window.host import Content, Host
from ui.window.part import Group, Part, lay
from ui.window.screen import Screen

_GAP, _HIGHEST, _LOWEST, _HEAD, _CROSS = 8, 30, 20, 26, 34  # design pixels
_NUMBERS = (30, 0, 64, 64, 36, 36, 36, 116)
"""Design pixels of the columns of the table; the names have what is left."""

_STRIP, _SMALLEST, _NAMES = 0.38, 96, 2 * LINE
"""The share of the room that the boards of games under way take; the least side of one, and what its names take."""

_FRAME = 1 / 30  # seconds between two frames while a stone lands
_MARKS = Marks(coordinates=False, veil=False)


class TournamentTable(Part):
    """The table, who has done what against whom, or the list of finished games, as the state has it."""

    def __init__(self, host: Host, widgets: Widgets, state: TournamentsState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self._list: ListView | None = None
        self._listed: tuple[str, int] = ("", -1)

    def shape(self) -> object:
        return self._state.tab == GAMES_TAB

    def build(self, space: Space) -> None:
        self._rect, self._list, self._listed = space.rest, None, ("", -1)
        if self._state.tab == GAMES_TAB:
            listed = ListView(self._host.theme, self._rect, (), lambda _row: None, self._open)
            self._list = self._widgets.add("games", listed)
            self._list.label, self._list.empty = t("tournament.tab.games"), t("tournament.no_games")
            self._fill()

    def update(self, now: float) -> None:
        if self._list is not None:
            self._fill()

    def _fill(self) -> None:
        """List the finished games, if there are others."""
        state, listed = self._state, self._list
        name, known = self._listed
        if listed is None or (name, known) == (state.name, len(state.played)):
            return
        before: Sequence[ListRow] = listed.rows if name == state.name else ()
        self._listed, at = (state.name, len(state.played)), listed.at
        news = state.finished[: len(state.played) - len(before)]
        listed.show([*map(self._row, news), *before])
        if at is not None and before:
            listed.step_to(at + len(news))

    def _row(self, game: Played) -> ListRow:
        first, second = self._state.names_of(game.number)
        note = f"{result_text(game)} · {t('library.moves', count=game.plies)}"
        return ListRow(f"{first} – {second}", note, "flag" if game.note else "")

    def _open(self, row: int) -> None:
        """Show a finished game in a replay."""
        game = self._state.finished[row]
        self._host.open_file(game_file(self._state.folder, game.number), self._owner)

    def hint(self) -> str:
        """Why the chosen game was lost, or how it ended."""
        listed, state = self._list, self._state
        if listed is None or listed.at is None or listed.at >= len(state.finished) or state.tournament is None:
            return ""
        chosen = state.finished[listed.at]
        failed = {game.number: who for who, game in state.ranking.failures}
        if chosen.number in failed:
            return failure_text(state.tournament, failed[chosen.number], chosen)
        return t("tournament.game", number=chosen.number + 1, opening=chosen.opening or "–")

    # Drawing.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        state = self._state
        if state.tournament is None:
            return
        if state.tab == TABLE:
            self._draw_table(surface)
        elif state.tab == CROSS:
            self._draw_cross(surface)

    def _row_height(self, rows: int) -> int:
        px, room = self._host.theme.px, self._rect.height - self._host.theme.px(_HEAD)
        if self._state.tab == TABLE and self._state.ranking.failures:
            room -= px(_GAP + LINE)
        return max(px(_LOWEST), min(px(_HIGHEST), room // max(1, rows)))

    def _draw_table(self, surface: pygame.Surface) -> None:
        theme, state, palette = self._host.theme, self._state, self._host.theme.palette
        assert state.tournament is not None
        space, high = Space(self._rect, 0), self._row_height(len(state.ranking.rows))
        self._write(surface, space.top(theme.px(_HEAD)), heads(), palette.quiet)
        for place, row in enumerate(state.ranking.rows, 1):
            line = space.top(high)
            pygame.draw.line(surface, palette.line, line.topleft, line.topright)
            self._write(surface, line, cells(state.tournament, row, place), palette.text)
        space.top(theme.px(_GAP))
        for who, game in state.ranking.failures[::-1]:
            if space.rest.height < theme.px(LINE):
                break
            text = failure_text(state.tournament, who, game)
            text = fitted(theme, text, space.rest.width, 14)
            write(surface, theme, text, space.top(theme.px(LINE)), 14, palette.bad)

    def _write(
        self, surface: pygame.Surface, rect: pygame.Rect, texts: tuple[str, ...], colour: tuple[int, int, int]
    ) -> None:
        """Write a row of the table: numbers at the right of their columns, the name at the left."""
        theme, px = self._host.theme, self._host.theme.px
        names = rect.width - px(sum(_NUMBERS))
        space = Space(rect, 0)
        for at, (text, wide) in enumerate(zip(texts, _NUMBERS, strict=True)):
            place = space.left(px(wide) if wide else names)
            if at == 1:
                inside = place.inflate(-2 * px(_GAP), 0)
                write(surface, theme, fitted(theme, text, inside.width, 16), inside, 16, colour)
            else:
                write(surface, theme, text, place, 16, colour, bold=at == 2, align="right")

    def _draw_cross(self, surface: pygame.Surface) -> None:
        """A row and a column for each entrant, in the order of the table."""
        theme, state, palette = self._host.theme, self._state, self._host.theme.palette
        assert state.tournament is not None
        rows = state.ranking.rows
        space, high = Space(self._rect, 0), self._row_height(len(rows))
        names = [f"{place}  {entrant_name(state.tournament, row.entrant)}" for place, row in enumerate(rows, 1)]
        room = self._rect.width - len(rows) * theme.px(_CROSS)
        wide = min(room, max(width_of(theme, name, 16) for name in names) + theme.px(2 * _GAP))
        head = Space(space.top(theme.px(_HEAD)), 0)
        head.left(wide)
        places, cross = columns(head.rest, len(rows), 0), state.ranking.cross
        both = all(width_of(theme, cross_text(tally), 16) <= places[0].width for row in cross for tally in row)
        for place, cell in enumerate(places, 1):
            write(surface, theme, str(place), cell, 16, palette.quiet, align="centre")
        for text, row in zip(names, rows, strict=True):
            line = Space(space.top(high), 0)
            pygame.draw.line(surface, palette.line, line.rest.topleft, line.rest.topright)
            name = line.left(wide)
            write(surface, theme, fitted(theme, text, wide - theme.px(_GAP), 16), name, 16)
            for cell, other in zip(columns(line.rest, len(rows), 0), rows, strict=True):
                self._draw_cell(surface, cell, row.entrant, other.entrant, both)

    def _draw_cell(self, surface: pygame.Surface, cell: pygame.Rect, who: int, other: int, both: bool) -> None:
        """What one has done against another: the points of `both`, or its own."""
        theme, palette = self._host.theme, self._host.theme.palette
        wins, draws, losses = tally = self._state.ranking.cross[who][other]
        own = points_text(wins + draws / 2) if any(tally) else ""
        text = "·" if who == other else cross_text(tally) if both else own
        colour = palette.quiet if who == other else palette.good if wins > losses else palette.text
        write(surface, theme, text, cell, 16, palette.bad if losses > wins else colour, align="centre")


class LiveBoards(Part):
    """The boards of the games under way, at the bottom of the space; a click shows one large."""

    def __init__(self, host: Host, widgets: Widgets, state: TournamentsState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._boards: dict[int, BoardView] = {}  # by place
        self._shown: list[tuple[int, GameRecord]] = []

    def shape(self) -> object:
        return [pairing.number for pairing, _ in self._state.live], self._state.tab == BOARD

    def build(self, space: Space) -> None:
        live, px, theme = self._state.live, self._host.theme.px, self._host.theme
        self._shown = []
        if not live or self._state.tab == BOARD:
            return
        room = space.bottom(round(space.rest.height * _STRIP))
        most = max(1, (room.width + px(_GAP)) // (px(_SMALLEST) + px(_GAP)))
        shown = live[:most]
        wide = (room.width + px(_GAP)) // len(shown) - px(_GAP)
        side = min(wide, room.height - px(_NAMES + 2 * _GAP))
        for place, (pairing, record) in enumerate(shown):
            card = pygame.Rect(room.left + place * (wide + px(_GAP)), room.top, min(wide, px(340)), room.height)
            press, tip = partial(self._state.follow, pairing.number), t("tournament.follow")
            button = self._widgets.button(f"board.{place}", card, "", press, style="@tile", tip=tip)
            button.label = " – ".join(self._state.names_of(pairing.number))
            board = self._boards.setdefault(place, board_view(record.setup.game))
            inside = pygame.Rect(0, 0, side, side)
            inside.midtop = card.centerx, card.top + px(_GAP)
            motion = self._host.motion
            board.place(Frame(inside, side / 400, theme.palette, theme.font, motion))
            names = Space(pygame.Rect(card.left + px(_GAP), inside.bottom, card.width - 2 * px(_GAP), px(_NAMES)), 0)
            for name in self._state.names_of(pairing.number):
                text = fitted(theme, name, names.rest.width, 14)
                self._widgets.label(names.top(px(LINE)), text, 14, align="centre", over=True)
            self._shown.append((place, record))
            self._widgets.paint(partial(self._draw, place, record), over=True)

    def _draw(self, place: int, record: GameRecord, surface: pygame.Surface) -> None:
        self._boards[place].draw(surface, _MARKS, self._now)

    _now = 0.0

    def update(self, now: float) -> None:
        self._now = now
        for place, record in self._shown:
            self._boards[place].show(record.position, moves_to(record.cursor), now)

    def wake(self, now: float) -> float | None:
        return _FRAME if any(self._boards[place].moving(now) for place, _ in self._shown) else None


class FollowedGame(Part):
    """The game that is followed, large."""

    def __init__(self, host: Host, state: TournamentsState) -> None:
        self._host, self._state = host, state
        self._board: tuple[str, BoardView] | None = None

    def shape(self) -> object:
        return self._state.tab == BOARD, self._state.followed

    def build(self, space: Space) -> None:
        record, theme = self._state.last, self._host.theme
        if self._state.tab != BOARD or record is None:
            self._board = None
            return
        self._line = space.top(theme.px(2 * LINE))
        board = board_view(record.setup.game)
        board.place(Frame(space.rest, theme.scale, theme.palette, theme.font, self._host.motion))
        self._board = record.setup.game, board

    def update(self, now: float) -> None:
        record = self._state.last
        if self._board is not None and record is not None:
            self._board[1].show(record.position, moves_to(record.cursor), now)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        state, record, theme = self._state, self._state.last, self._host.theme
        if self._board is None or record is None or state.followed is None:
            return
        names, lines = state.names_of(state.followed), Space(self._line, 0)
        game = state.played.get(state.followed)
        head = lines.top(theme.px(LINE))
        text = fitted(theme, f"{names[0]} – {names[1]}", head.width, 16, bold=True)
        write(surface, theme, text, head, 16, bold=True)
        moves = t("library.moves", count=record.position.ply)
        said = moves if game is None else f"{result_text(game)} · {moves}"
        write(surface, theme, said, lines.top(theme.px(LINE)), 14, theme.palette.quiet)
        marks = Marks(coordinates=self._host.settings.coordinates)
        self._board[1].draw(surface, marks, now)

    def wake(self, now: float) -> float | None:
        return _FRAME if self._board is not None and self._board[1].moving(now) else None


class TournamentBody(Group):
    """The tabs, and below them what they show."""

    def __init__(self, host: Host, widgets: Widgets, state: TournamentsState, owner: Content) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._table = TournamentTable(host, widgets, state, owner)
        self._boards = LiveBoards(host, widgets, state)
        self._followed = FollowedGame(host, state)
        super().__init__((self._table, self._boards, self._followed))
        self.bindings = (
            Binding(("ctrl+tab",), partial(self._step, 1), "keys.next_tab"),
            Binding(("ctrl+shift+tab",), partial(self._step, -1), "keys.previous_tab"),
        )

    def shape(self) -> object:
        state = self._state
        return state.name, state.tab, state.tournament is None, self._tabs, super().shape()

    @property
    def _tabs(self) -> tuple[str, ...]:
        tabs = (TABLE, CROSS, GAMES_TAB)
        return tabs if self._state.followed is None else (*tabs, BOARD)

    def build(self, space: Space) -> None:
        px, state = self._host.theme.px, self._state
        if state.tournament is None:
            self._table.build(Space(pygame.Rect(0, 0, 0, 0), 0))
            self._boards.build(Space(pygame.Rect(0, 0, 0, 0), 0))
            self._widgets.paragraph(space.rest, t("tournament.about"))
            return
        space.gap = px(_GAP)
        options = [(tab, t(f"tournament.tab.{tab}")) for tab in self._tabs]
        places = columns(space.top(px(BUTTON)), len(options), px(4))
        self._widgets.choice("tab", places, options, state.tab, self._choose)
        if state.tab == BOARD:
            self._followed.build(space)
            self._boards.build(space)
        else:
            self._boards.build(space)
            self._table.build(space)

    def _choose(self, tab: str) -> None:
        self._state.tab = tab

    def _step(self, by: int) -> None:
        tabs = self._tabs
        self._choose(tabs[(tabs.index(self._state.tab) + by) % len(tabs)])

    def update(self, now: float) -> None:
        self._state.update()
        super().update(now)


class TournamentScreen(Screen):
    """With a `name`, that tournament is shown first; with `begin`, it begins."""

    name = "tournaments"

    def __init__(self, host: Host, name: str = "", begin: bool = False, back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = TournamentsState(host, name)
        arrow = BackButton(host, self.widgets, self.go_back)
        self._list = TournamentList(host, self.widgets, self.state, arrow, self)
        self._chosen = ChosenTournament(host, self.widgets, self.state, self)
        self._body = TournamentBody(host, self.widgets, self.state, self)
        self.parts = [self._body, self._chosen, self._list, arrow]
        if begin:
            self.state.start()

    def open(self) -> None:
        super().open()
        self.state.refresh()

    def build(self, space: Space) -> None:
        self._body.build(space)
        lay(self.frame.side, self._list, self._chosen)

    def status(self) -> str:
        state = self.state
        if state.own_run is not None:
            return t("tournament.running")
        return t("tournament.waits", name=state.name) if state.waiting and not state.can_run else ""
