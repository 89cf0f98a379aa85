"""The games explorer: the moves that the games of a database have in the position shown, with their results, and the
way to those games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pygame

from games.database.reader import Continuation, Explored, Results
from games.position import Position
from games.record import Node
from games.registry import Setup
from ui import screens
from ui.board.view import Marks
from ui.parts.databases import (
    Questions,
    continuation_text,
    database_name,
    database_path,
    error_sentence,
    known_databases,
    outlook_text,
    total_text,
)  # fmt: skip
from ui.parts.header import open_menu
from ui.parts.win_bar import bar_colours
from ui.toolkit.art import clipped, rounded
from ui.toolkit.controls import Point, Widget
from ui.toolkit.i18n import t
from ui.toolkit.keys import ENTER
from ui.toolkit.space import Space, knob
from ui.toolkit.theme import Theme, mix
from ui.toolkit.typesetting import LINE, fitted, width_of, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import MenuEntry, Part
from ui.words.move_words import move_name
from ui.words.numbers import whole_text

_HEAD, _AROUND = 32, 60  # design pixels: height of the head, and what its button has besides its text
_ROW, _MOVE, _COUNT, _OUTLOOK, _DAY, _BAR, _GAP = 28, 44, 60, 52, 40, 14, 8
"""Design pixels: height of a row; widths of its columns; height of a bar of results; between columns."""


class ContinuationList(Widget):
    """The moves played in a position, as rows of a list. A click or Enter calls `play` with the move."""

    def __init__(
        self, theme: Theme, rect: pygame.Rect, of: Setup, position: Position, found: Explored,
        play: Callable[[int], object],
    ) -> None:  # fmt: skip
        super().__init__(theme, rect)
        self.of, self.position, self.found, self.play = of, position, found, play
        self.at = 0  # the row that the keyboard has chosen
        self._first = 0  # row at the top
        self._texts: dict[int, tuple[str, str]] = {}

    def resume(self, other: ContinuationList) -> None:
        """Take over the chosen row and the place from `other`, a list of the same position that this one replaces."""
        moves, before = ([row.move for row in each.found.continuations] for each in (self, other))
        if other.at < len(before) and before[other.at] in moves:
            self.at = moves.index(before[other.at])
        self._scroll_to(other._first)

    @property
    def fits(self) -> int:
        """The number of rows that are in view at once, at least 1."""
        return max(1, self.rect.height // self.theme.px(_ROW))

    @property
    def pointed(self) -> Continuation | None:
        """The row under the mouse, or else the one chosen by the keyboard; None if there is neither."""
        if self.pointer is not None:
            return self._row_at(self.pointer)
        rows = self.found.continuations
        return rows[self.at] if self.focused and self.at < len(rows) else None

    def row_rect(self, number: int) -> pygame.Rect:
        """The place of a row; outside of the list if it is scrolled out of view."""
        px = self.theme.px
        wide = self.rect.width - (px(_BAR) if len(self.found.continuations) > self.fits else 0)
        return pygame.Rect(self.rect.left, self.rect.top + (number - self._first) * px(_ROW), wide, px(_ROW))

    def _row_at(self, point: Point) -> Continuation | None:
        """The row in view under `point`; None if there is none."""
        number = self._first + (point[1] - self.rect.top) // self.theme.px(_ROW)
        return self.found.continuations[number] if number in self._visible() else None

    def _visible(self) -> range:
        """The numbers of the rows in view."""
        return range(self._first, min(self._first + self.fits, len(self.found.continuations)))

    def _scroll_to(self, first: int) -> None:
        """Scroll until the row `first` is at the top, or as far as possible."""
        self._first = max(0, min(first, len(self.found.continuations) - self.fits))

    def release(self, point: Point) -> None:
        """Play the move of the row at `point`, if the mouse is still over the list."""
        row = self._row_at(point)
        if row is not None and self.rect.collidepoint(point):
            self.play(row.move)

    def wheel(self, notches: int) -> bool:
        """Scroll three rows for each notch; always use the wheel."""
        self._scroll_to(self._first - 3 * notches)
        return True

    def key(self, event: pygame.event.Event) -> bool:
        """Choose a row with Up and Down and scroll to it; play its move with Enter."""
        steps = {pygame.K_UP: -1, pygame.K_DOWN: 1}
        if event.key in steps:
            self.at = max(0, min(self.at + steps[event.key], len(self.found.continuations) - 1))
            self._scroll_to(max(min(self._first, self.at), self.at - self.fits + 1))
        elif event.key in ENTER and self.pointed is not None:
            self.play(self.pointed.move)
        return event.key in (*steps, *ENTER)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the rows in view, the one pointed at highlighted, and a scroll bar if others are out of view."""
        theme, px, pointed = self.theme, self.theme.px, self.pointed
        rows = self.found.continuations
        for number in self._visible():
            box = self.row_rect(number)
            if rows[number] is pointed:
                rounded(surface, box, mix(theme.palette.panel, theme.palette.accent, 0.2), px(4))
            self._draw_row(surface, Space(box.inflate(-px(_GAP), 0), px(_GAP)), number)
        if len(rows) > self.fits:
            bar = knob(self.rect, px(6), self._first, self.fits, len(rows), px(20))
            rounded(surface, bar, mix(theme.palette.line, theme.palette.quiet, 0.4), px(3))

    def _draw_row(self, surface: pygame.Surface, space: Space, number: int) -> None:
        """Draw a row: the move, number of games, results as a bar, the engine's score, and the last year."""
        theme, px, each = self.theme, self.theme.px, self.found.continuations[number]
        if number not in self._texts:
            self._texts[number] = move_name(self.position, each.move), outlook_text(self.of, self.position, each)
        name, outlook = self._texts[number]
        write(surface, theme, name, space.left(px(_MOVE)), 14, bold=True)
        write(surface, theme, whole_text(each.results.games), space.left(px(_COUNT)), 14, align="right")
        write(surface, theme, each.last[:4], space.right(px(_DAY)), 14, theme.palette.quiet, align="right")
        if any(row.evaluation for row in self.found.continuations):
            write(surface, theme, outlook, space.right(px(_OUTLOOK)), 14, theme.palette.info, align="right")
        bar = space.rest.copy()
        bar.height = px(_BAR)
        bar.centery = space.rest.centery
        draw_results(surface, theme, self.of.game, bar, each.results)


def draw_results(surface: pygame.Surface, theme: Theme, game: str, rect: pygame.Rect, results: Results) -> None:
    """Draw a bar divided into the games that the first side won, the draws, and those that the second side won; an
    empty bar if none has a result."""
    decided = results.first + results.draws + results.second
    first, second = bar_colours(theme, game)
    if not decided:
        rounded(surface, rect, mix(theme.palette.panel, theme.palette.line, 0.5), theme.px(3))
        return
    left = rect.left + round(rect.width * results.first / decided)
    right = rect.right - round(rect.width * results.second / decided)
    for colour, begin, end in (
        (first, rect.left, left), (theme.palette.quiet, left, right), (second, right, rect.right),
    ):  # fmt: skip
        if end > begin:
            with clipped(surface, pygame.Rect(begin, rect.top, end - begin, rect.height)):
                rounded(surface, rect, colour, theme.px(3))
    pygame.draw.rect(surface, theme.palette.line, rect, theme.px(1), theme.px(3))


class GamesExplorer(Part):
    """Shows the moves that a database has for the position that `shown` returns; `play` plays one of them. Other
    screens that it opens lead back to `owner`. `update` is called only while the part is visible."""

    def __init__(
        self, host: Host, widgets: Widgets, of: Setup, shown: Callable[[], Node], play: Callable[[int], object],
        owner: Content,
    ) -> None:  # fmt: skip
        self._host, self._widgets, self._of, self._shown, self._play = host, widgets, of, shown, play
        self._owner = owner
        self._questions: Questions[tuple[Node, Explored]] = Questions(host)
        self._room = self._place = self._total = pygame.Rect()
        self._drawn: Explored | None = None

    @property
    def _current_answer(self) -> Explored | None:
        """The answer of the database, if it is for the position shown; else None."""
        answer = self._questions.answer
        return answer[1] if answer is not None and answer[0].position is self._shown().position else None

    def _read_saved_games(self) -> None:
        """Start reading the saved games into their database, if that is chosen and was not done on this screen."""
        imports = self._host.imports
        if not self._host.settings.database and not imports.mirrored:
            imports.mirror()

    def shape(self) -> object:
        """What the layout depends on: the chosen database, and which ones there are."""
        return self._host.settings.database, self._host.settings.databases

    def build(self, space: Space) -> None:
        """Build the button that opens the games and the one that chooses the database; keep a line for the total and
        the rest of the space for the list, which is added when there is an answer."""
        px, name = self._host.theme.px, self._host.settings.database
        space.gap = px(_GAP)
        head = Space(space.top(px(_HEAD)), px(4))
        place, tip = head.right(px(_HEAD)), t("database.show_games")
        self._widgets.button("games", place, "", self._open_games, icon="library", tip=tip)
        self._place = head.rest.copy()
        room = self._place.width - px(_AROUND)
        text, tip = fitted(self._host.theme, database_name(name), room, 16), t("database.choose")
        self._widgets.button("database", self._place, text, self._open_menu, icon="down", tip=tip)
        self._total = space.top(px(LINE))
        self._room = space.rest.copy()
        self._drawn = None
        self._refresh_widgets()

    def _refresh_widgets(self) -> None:
        """Show the answer for the position. While it is awaited, the old list stays."""
        found = self._current_answer
        self._widgets.enable("games", found is not None and found.results.games > 0)
        if found is not None and found is not self._drawn:
            self._drawn = found
            position, before = self._shown().position, self._list_widget
            listed = ContinuationList(self._host.theme, self._room, self._of, position, found, self._play_listed)
            if before is not None and before.position is position:  # more games were read
                listed.resume(before)
            self._widgets.add("continuations", listed)
        elif found is None and not self._questions.busy:
            self._drawn = None
            self._widgets.remove("continuations")

    def update(self, now: float) -> None:
        """Ask the database about the position shown, and show the answer."""
        self._read_saved_games()
        node, of, name = self._shown(), self._of, self._host.settings.database
        key = id(node), node.position, name, self._host.imports.version
        self._questions.ask(key, database_path(name), lambda reader: (node, reader.explore(of, node.position)))
        if self._place.width:
            self._refresh_widgets()

    def wake(self, now: float) -> float | None:
        """Return 0 while a question is being answered, 0.2 seconds while saved games are read into their database, else
        None."""
        return 0.0 if self._questions.busy else 0.2 if self._host.imports.mirroring else None

    # The picture.

    @property
    def _list_widget(self) -> ContinuationList | None:
        """The widget with the list of moves; None while there is none."""
        listed = self._widgets.elements.get("continuations")
        return listed if isinstance(listed, ContinuationList) else None

    def marks(self, marks: Marks) -> Marks:
        """Add the move pointed at in the list, as a translucent piece on the board."""
        pointed = self._list_widget.pointed if self._list_widget is not None else None
        return marks if pointed is None or self._current_answer is None else replace(marks, line=(pointed.move,))

    def hint(self) -> str:
        """Return the games, results and score of the move that is pointed at in words; empty without one."""
        pointed = self._list_widget.pointed if self._list_widget is not None else None
        if pointed is None or self._current_answer is None:
            return ""
        return continuation_text(self._of, self._shown().position, pointed)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the number of games and their results as a bar, or why there is no answer. The list of moves is a
        widget."""
        theme, found = self._host.theme, self._current_answer
        space = Space(self._total, theme.px(_GAP))
        if found is None:
            write(surface, theme, self._missing_text, space.rest, 14, theme.palette.quiet)
            return
        text = total_text(found)
        write(surface, theme, text, space.left(width_of(theme, text, 14, bold=True)), 14, bold=True)
        draw_results(surface, theme, self._of.game, space.rest.inflate(0, -theme.px(8)), found.results)
        if not found.results.games and not self._questions.busy:
            text = t("database.reading") if self._host.imports.mirroring else t("database.none_here")
            write(surface, theme, text, _first_line(theme, self._room), 14,
                  theme.palette.quiet)  # fmt: skip

    @property
    def _missing_text(self) -> str:
        """Why there is no answer: games are still being read, or an error; empty while it is awaited."""
        if self._host.imports.mirroring and not self._host.settings.database:
            return t("database.reading")
        error = self._questions.error
        return "" if error is None else error_sentence(error)

    # Actions.

    def _play_listed(self, move: int) -> None:
        """Play a move of the list, unless that is still the one of another position."""
        if self._list_widget is not None and self._list_widget.position is self._shown().position:
            self._play(move)

    def _open_menu(self) -> None:
        """Open the menu of the databases."""
        settings = self._host.settings
        entries = [
            MenuEntry(f"database.{name}", database_name(name), partial(self._choose_database, name))
            for name in known_databases(settings)
        ]
        entries.append(MenuEntry("more", t("database.more"), self._open_databases))
        open_menu(self._host, self._place, entries, f"database.{settings.database}")

    def _choose_database(self, name: str) -> None:
        """Choose a database by its name in the settings."""
        self._host.settings.database = name
        self._host.save_settings()

    def _open_databases(self) -> None:
        """Open the screen of databases."""
        self._host.open(screens.databases, back=self._owner)

    def _open_games(self) -> None:
        """Open the screen of databases with the games that have this position."""
        self._host.open(screens.databases, self._of, self._shown().position, back=self._owner)

    def close(self) -> None:
        """Drop the questions; the one under way is finished on its thread."""
        self._questions.close()


def _first_line(theme: Theme, room: pygame.Rect) -> pygame.Rect:
    """The part of `room` that one line of text takes at its top."""
    return pygame.Rect(room.left, room.top, room.width, theme.px(LINE))

