"""The screen of tournaments: the list of them, the table of one, its finished games, and the boards of games under
way."""

from __future__ import annotations

from functools import partial

import pygame

from games.record import GameRecord, moves_to
from ui import screens
from ui.board.looks import board_view
from ui.board.view import BoardView, Frame, Marks
from ui.parts.form import Form
from ui.parts.header import BackButton, open_menu
from ui.toolkit.art import draw_progress
from ui.toolkit.controls import ListRow, ListView
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import LINE, write
from ui.toolkit.widgets import Widgets
from ui.tournament.standings import TournamentTable, export_entries, facts, result_text
from ui.tournament.state import BOARD, CROSS, GAMES_TAB, LONGEST_NAME, TABLE, TournamentsState, step_at_once
from ui.window.host import Content, Host
from ui.window.part import Group, Part, lay
from ui.window.screen import Screen
from ui.words.games import setup_name

_GAP = 8  # design pixels

_STRIP, _SMALLEST, _NAMES = 0.38, 96, 2 * LINE
"""The share of the room that the boards of games under way take; the least side of one, and what its names take."""

_FRAME = 0.033  # seconds between two frames while a stone lands
_MARKS = Marks(coordinates=False, veil=False)


class LiveBoards(Part):
    """Small boards of the games under way, at the bottom of the space; a click shows one large. Nothing while one is
    large."""

    def __init__(self, host: Host, widgets: Widgets, state: TournamentsState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._boards: dict[tuple[int, str], BoardView] = {}  # by place and game
        self._shown: list[tuple[BoardView, GameRecord]] = []

    def shape(self) -> object:
        """What the layout depends on: which games are under way, and the tab, which may show one large."""
        return [pairing.number for pairing, _ in self._state.live], self._state.tab

    def build(self, space: Space) -> None:
        """Take a strip from the bottom, with a button for each game that fits: its board and the names of the
        players."""
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
            game = record.setup.game
            board = self._boards.setdefault((place, game), board_view(game))
            inside = pygame.Rect(0, 0, side, side)
            inside.midtop = card.centerx, card.top + px(_GAP)
            motion = self._host.motion
            board.place(Frame(inside, side / 400, theme.palette, theme.font, motion))
            names = Space(pygame.Rect(card.left + px(_GAP), inside.bottom, card.width - 2 * px(_GAP), px(_NAMES)))
            for name in self._state.names_of(pairing.number):
                self._widgets.label(names.top(px(LINE)), name, 14, align="centre", over=True)
            self._shown.append((board, record))
            self._widgets.paint(partial(self._draw, board), over=True)

    def _draw(self, board: BoardView, surface: pygame.Surface) -> None:
        """Draw one of the boards."""
        board.draw(surface, _MARKS, self._now)

    _now = 0.0

    def update(self, now: float) -> None:
        """Show the latest position of each game; a new move begins an animation."""
        self._now = now
        for board, record in self._shown:
            board.show(record.position, moves_to(record.cursor), now)

    def wake(self, now: float) -> float | None:
        """Return the seconds until the next frame while a piece lands on one of the boards, else None."""
        return _FRAME if any(board.moving(now) for board, _ in self._shown) else None


class FollowedGame(Part):
    """The large board of the game that is followed."""

    def __init__(self, host: Host, state: TournamentsState) -> None:
        self._host, self._state = host, state
        self._board: tuple[str, BoardView] | None = None

    def shape(self) -> object:
        """What the layout depends on: the tab, and the number of the followed game."""
        return self._state.tab, self._state.followed

    def build(self, space: Space) -> None:
        """Take two lines from the top and the rest for the board; nothing in other tabs."""
        record, theme = self._state.last, self._host.theme
        if self._state.tab != BOARD or record is None:
            self._board = None
            return
        self._line = space.top(theme.px(2 * LINE))
        board = board_view(record.setup.game)
        board.place(Frame(space.rest, theme.scale, theme.palette, theme.font, self._host.motion))
        self._board = record.setup.game, board

    def update(self, now: float) -> None:
        """Show the latest position of the game; a new move begins an animation."""
        record = self._state.last
        if self._board is not None and record is not None:
            self._board[1].show(record.position, moves_to(record.cursor), now)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the names of the players, the number of moves with the result once there is one, and the board."""
        state, record, theme = self._state, self._state.last, self._host.theme
        if self._board is None or record is None or state.followed is None:
            return
        names, lines = state.names_of(state.followed), Space(self._line)
        game = state.played.get(state.followed)
        head = lines.top(theme.px(LINE))
        write(surface, theme, f"{names[0]} – {names[1]}", head, 16, bold=True)
        moves = t("library.moves", count=record.position.ply)
        said = moves if game is None else f"{result_text(game)} · {moves}"
        write(surface, theme, said, lines.top(theme.px(LINE)), 14, theme.palette.quiet)
        marks = Marks(coordinates=self._host.settings.coordinates)
        self._board[1].draw(surface, marks, now)

    def wake(self, now: float) -> float | None:
        """Return the seconds until the next frame while a piece lands on the board, else None."""
        return _FRAME if self._board is not None and self._board[1].moving(now) else None


# The side: which tournaments there are, and what can be done with the one that is shown.


_LIST = 0.3  # the share of the room that the list takes at most


class TournamentList(Form):
    """The list of tournaments, and the button of a new one. New ones lead back to `owner`; `back` is at the left of the
    title."""

    def __init__(
        self, host: Host, widgets: Widgets, state: TournamentsState, back: Part, owner: Content
    ) -> None:
        super().__init__(host, widgets)
        self._state, self._back, self._owner = state, back, owner
        self.bindings = (Binding(("ctrl+n",), self._new, "tournament.new"),)

    def shape(self) -> object:
        """What the layout depends on: the tournaments and the shown one, the one that is being played, and what is left
        of the shown one."""
        state = self._state
        return state.name, tuple(state.names), state.run, state.can_run, bool(state.waiting)

    def build(self, space: Space) -> None:
        """Take from the top a row with the way back and the title, the list, and the button of a new tournament. The
        button is primary while no game of the shown tournament is left."""
        px, button, state = self.host.theme.px, self.widgets.button, self._state
        head = Space(space.top(px(BUTTON)))
        self._back.build(head)
        self.widgets.label(head.rest, t("tournament.title"), 20, bold=True)
        space.gap = px(_GAP)
        rows = [ListRow(name, icon="play" if self._plays(name) else "") for name in state.names]
        high = min(round(space.rest.height * _LIST), px(32) * max(2, len(rows)) + px(12))
        room = pygame.Rect(*space.rest.topleft, space.rest.width, high)
        listed = ListView(self.host.theme, room, rows, self._show, lambda _row: None)
        space.top(listed.rect.height)
        listed.at = state.names.index(state.name) if state.name in state.names else None
        listed.empty, listed.label = t("tournament.none"), t("tournament.title")
        self.widgets.add("tournaments", listed)
        style = "" if state.can_run or state.waiting else "@primary"
        button("new", space.top(px(BUTTON)), t("tournament.new"), self._new, icon="new", key="ctrl+n", style=style)

    def _plays(self, name: str) -> bool:
        """Return whether games of this tournament are being played."""
        run = self._state.run
        return run is not None and run.folder.name == name

    def _show(self, row: int) -> None:
        """Show the tournament in this row of the list."""
        name = self._state.names[row]
        self.widgets.leave_focus()  # a name that was typed is taken
        self._state.show(name)

    def _new(self) -> None:
        """Open the set-up of a new tournament."""
        self.host.open(screens.new_tournament, back=self._owner)


class ChosenTournament(Form):
    """Name and facts of the shown tournament, and buttons for what can be done with it. Games that are opened lead back
    to `owner`."""

    def __init__(self, host: Host, widgets: Widgets, state: TournamentsState, owner: Content) -> None:
        super().__init__(host, widgets)
        self._state, self._owner = state, owner
        self._typed: tuple[str, str] | None = None  # the tournament, and its new name
        self.bindings = (
            Binding(("space",), self._start_or_stop, "tournament.start_or_stop"),
            Binding(("p",), self._play, "tournament.play"),
            Binding(("ctrl+s",), self._export, "tournament.export"),
        )

    def shape(self) -> object:
        """What the layout depends on: the tournament, whether it is being played, what is left for people and
        computers, whether games are finished, and how many are played at a time."""
        state = self._state
        facts = state.name, state.own_run, state.can_run, len(state.waiting), bool(state.played)
        return facts, self.host.tournaments.at_once

    def build(self, space: Space) -> None:
        """Make the buttons from the bottom, name and facts from the top."""
        px, button, state, theme = self.host.theme.px, self.widgets.button, self._state, self.host.theme
        if state.tournament is None:
            return
        foot = Space(space.bottom(px(BUTTON)), px(_GAP))
        remove = foot.right(px(BUTTON))
        button("delete", remove, "", self._ask_delete, style="@icon", icon="trash", tip=t("tournament.delete"))
        export, any_played = t("tournament.export"), bool(state.played)
        button("export", foot.rest, export, self._export, icon="save", key="ctrl+s", enabled=any_played)
        running = state.own_run is not None
        if state.waiting:
            text = t("tournament.play_own", count=len(state.waiting))
            button("play", space.bottom(px(BUTTON)), text, self._play, style="@primary", icon="person", key="p")
        if running or state.can_run:
            text = t("tournament.stop" if running else "tournament.resume" if state.played else "tournament.start")
            style, icon = ("", "pause") if running else ("@primary", "play")
            row = space.bottom(px(BUTTON))
            button("start", row, text, self._start_or_stop, style=style, icon=icon, key="space")
        if not running and state.can_run:
            text = t("tournament.at_once", count=self.host.tournaments.at_once)
            self.stepper("once", space.bottom(px(BUTTON)), text, partial(step_at_once, self.host), BUTTON)
        space.top(px(4))
        hint = t("tournament.name_hint")
        line = TextLine(theme, space.top(px(BUTTON)), state.name, LONGEST_NAME, self._keep_name, hint=hint)
        self.widgets.add("name", line).label = t("tournament.name")
        line.enabled = not running
        space.gap = 0
        for text in (setup_name(state.tournament.setup), *facts(state.tournament).split(" · ")):
            if space.rest.height < px(2 * LINE + 10):
                break
            self.widgets.label(space.top(px(LINE)), text, 14, theme.palette.quiet)
        self.widgets.label(space.top(px(LINE)), self._progress_text, 14)
        bar = space.top(px(6))
        self.widgets.paint(lambda surface: draw_progress(surface, theme.palette, bar, self._share))

    def _progress_text(self) -> str:
        """Return how many games are finished."""
        state = self._state
        return t("tournament.progress", done=len(state.played), count=len(state.planned))

    @property
    def _share(self) -> float:
        """The share of games that are finished, from 0 to 1."""
        return len(self._state.played) / len(self._state.planned)

    def _keep_name(self, text: str) -> None:
        """Note the typed name; the tournament is renamed when the text field is left."""
        self._typed = self._state.name, text

    def update(self, now: float) -> None:
        """Rename the tournament, if a name was typed and its text field left."""
        if self.widgets.focus != "name":
            self.close()

    def close(self) -> None:
        """Rename the tournament, if a name was typed."""
        typed, self._typed = self._typed, None
        if typed is not None:
            self._state.rename(*typed)
            self.host.rebuild()

    def _ask_delete(self) -> None:
        """Ask whether to delete the tournament with all its games."""
        name, title = self._state.name, t("tournament.delete")
        text = t("tournament.delete_about", name=name, count=len(self._state.played))
        self.host.overlay = Question(self.host, title, text, title, self._state.delete, danger=True)

    def _start_or_stop(self) -> None:
        """Start, continue or stop the tournament, under the name that was typed, if any."""
        self.close()
        self._state.start_or_stop()

    def _play(self) -> None:
        """Open the next game that a person has to play."""
        self.close()  # a name that was typed is taken: the game is saved in that folder
        found = self._state.own_game()
        if found is not None:
            record, file, new = found
            screen = self.host.open(screens.play, record, file, back=self._owner)
            if new and record.position.ply:
                screen.state.saver.mark_unrated("position")

    def _export(self) -> None:
        """Open the menu of what can be exported, the table and the games; do nothing if none has been played."""
        if self._state.played:
            open_menu(self.host, self.widgets.elements["export"].rect, export_entries(self.host, self._state))


# The screen.


class TournamentBody(Group):
    """A row of tabs, and below them what the chosen one shows."""

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
        """What the layout depends on: the tournament, the tabs with the chosen one, and the shapes of the parts."""
        state = self._state
        return state.name, state.tab, state.tournament, self._tabs, super().shape()

    @property
    def _tabs(self) -> tuple[str, ...]:
        """The tabs; that of a board only if a game is followed."""
        tabs = (TABLE, CROSS, GAMES_TAB)
        return tabs if self._state.followed is None else (*tabs, BOARD)

    def build(self, space: Space) -> None:
        """Build the tabs and, below them, the followed game or the table, with the strip of small boards; only a
        paragraph on tournaments while none is shown."""
        px, state = self._host.theme.px, self._state
        if state.tournament is None:
            for part in (self._table, self._boards):
                part.build(Space(pygame.Rect()))
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
        """Show a tab."""
        self._state.tab = tab

    def _step(self, by: int) -> None:
        """Show the tab `by` places further, from the last on to the first."""
        tabs = self._tabs
        self._choose(tabs[(tabs.index(self._state.tab) + by) % len(tabs)])

    def update(self, now: float) -> None:
        """Take over new games and moves, then update the parts, which show them."""
        self._state.update()
        super().update(now)


class TournamentScreen(Screen):
    """The screen of tournaments. It shows the one called `name` first, and with `begin` starts it."""

    name = "tournaments"
    guide = "tournaments"

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
        """Read the list of tournaments and the shown one again."""
        super().open()
        self.state.refresh()

    def build(self, space: Space) -> None:
        """Lay the tabs out in `space`, the list and the facts of the shown tournament in the side panel."""
        self._body.build(space)
        lay(self.frame.side, self._list, self._chosen)

    def status(self) -> str:
        """Return that the tournament is being played, or waits for a person."""
        state = self.state
        if state.own_run is not None:
            return t("tournament.running")
        return t("tournament.waits", name=state.name) if state.waiting and not state.can_run else ""
