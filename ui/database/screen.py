"""The screen of the databases: the list of them, the import, and the games that are found in one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pygame

from games.database.schema import EXTENSION
from games.formats.common import shortened
from games.position import Position
from games.record import GameRecord
from games.registry import Setup
from games.storage import unused_path
from ui import screens
from ui.database.state import FILTERS, MOST, DatabaseState
from ui.parts.databases import (
    database_name,
    error_sentence,
    failure_sentence,
    import_sentence,
    players_text,
    result_mark,
)  # fmt: skip
from ui.parts.header import BackButton
from ui.toolkit.art import draw_progress, icon
from ui.toolkit.controls import ListRow, ListView
from ui.toolkit.dialogs import Menu, Question
from ui.toolkit.i18n import grouped, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import LINE, fitted, width_of, write, write_paragraph
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part, lay
from ui.window.screen import Screen
from ui.words.numbers import whole_text

_GAP, _BAR, _LIST = 8, 40, 0.34
_LONGEST_SEARCH = 200  # characters
_MOST_FAILURES = 8
_LONGEST_EVENT, _WIDE = 16, 700  # characters of an event; design pixels of a list that shows them


class GameSearch(Part):
    """The search words and filters, whether only games with the position are searched for, and the list of the games
    found. What is opened leads back to `owner`; `back` is at the left of the words."""

    def __init__(self, host: Host, widgets: Widgets, state: DatabaseState, back: Part, owner: Content) -> None:
        self._host, self._widgets, self._state, self._back, self._owner = host, widgets, state, back, owner
        self._list: ListView | None = None
        self.bindings = (Binding(("ctrl+f",), partial(setattr, widgets, "focus", "search"), "library.search"),)

    def shape(self) -> object:
        """What the layout depends on: whether only games with the position are searched for, and the filters. Search
        words and answers change no layout."""
        return self._state.here, tuple(self._state.chosen.values())

    def build(self, space: Space) -> None:
        """Build the row of `back` and the search words, the row of filters, and the list of games in the space that is
        left."""
        px = self._host.theme.px
        space.gap = px(_GAP)
        row = Space(space.top(px(_BAR)))
        self._back.build(row)
        row.gap = px(_GAP)
        glass, place = icon("search", px(20), self._host.theme.palette.quiet), row.rest.move(px(4), 0)
        self._widgets.paint(lambda surface: surface.blit(glass, glass.get_rect(midleft=place.midleft)))
        room = row.rest.inflate(-px(34), 0)
        room.right = row.rest.right
        hint = t("database.search_hint")
        line = TextLine(self._host.theme, room, self._state.text, _LONGEST_SEARCH, self._search, hint=hint)
        self._widgets.add("search", line)
        self._build_filters(space)
        self._list = ListView(self._host.theme, space.rest, (), lambda _row: None, self._open)
        self._widgets.add("games", self._list)
        self._list_games()

    def _build_filters(self, space: Space) -> None:
        """Make the filters in one row, or in two if a label would be cut. If there is a position, a button for it
        replaces the filter of the game."""
        px = self._host.theme.px
        names = ("position" if self._state.position is not None else "game", *FILTERS[1:])
        widest = max(width_of(self._host.theme, self._state.label(name), 16) for name in FILTERS)
        rows = 1 if widest + px(52) <= columns(space.rest, len(names), px(_GAP))[0].width else 2
        places = [each for _ in range(rows) for each in columns(space.top(px(BUTTON)), len(names) // rows, px(_GAP))]
        for name, place in zip(names, places, strict=True):
            if name == "position":
                text, tip = t("database.position"), t("database.position_tip")
                here, toggle = self._state.here, self._toggle_position
                self._widgets.button(name, place, text, toggle, tip=tip, chosen=here, icon="board")
                continue
            shown = fitted(self._host.theme, self._state.label(name), place.width - px(52), 16)
            press = partial(self._open_menu, name, place)
            self._widgets.button(name, place, shown, press, style="@menu", chosen=bool(self._state.chosen[name]))

    def _open_menu(self, name: str, under: pygame.Rect) -> None:
        """Open the menu of a filter below its button."""
        chosen = self._state.chosen
        choose = partial(chosen.__setitem__, name)
        self._host.overlay = Menu(self._host, under, self._state.options(name), chosen[name], choose)

    def _toggle_position(self) -> None:
        """Search with or without the position."""
        self._state.here = not self._state.here

    def _search(self, text: str) -> None:
        """Set the search words."""
        self._state.text = text

    def _open(self, number: int) -> None:
        """Open a game of the list in a replay, at the position that was searched for."""

        def show(record: GameRecord) -> None:
            """Open the game in a replay."""
            self._host.open(screens.replay, record, at_cursor=True, back=self._owner, tab="")

        job = self._state.open(number)
        if job is not None:
            job.then = show
            self._host.start_job(job)

    def update(self, now: float) -> None:
        """List the games again when there is an answer."""
        if self._state.update():
            self._list_games()

    def wake(self, now: float) -> float | None:
        """Return 0 seconds, so every frame, while a search for games is under way, else None."""
        return 0.0 if self._state.questions.busy else None

    def _list_games(self) -> None:
        """Show the games found, or why there are none."""
        if self._list is None:
            return
        rows, wide = [], self._list.rect.width >= self._host.theme.px(_WIDE)
        for found in self._state.games:
            event = shortened(found.event, _LONGEST_EVENT) if wide else ""
            notes = (result_mark(found), t("library.moves", count=found.plies), event, found.day)
            rows.append(ListRow(players_text(found), " · ".join(filter(None, notes))))
        self._list.show(rows)
        error, imports = self._state.questions.error, self._host.imports
        reading = imports.mirroring and not self._state.name
        self._list.empty = (
            t("database.reading") if reading
            else "" if self._state.questions.busy
            else error_sentence(error) if error is not None
            else t("database.nothing")
        )  # fmt: skip

    def status(self) -> str:
        """Return how many games were found; empty until there is an answer."""
        answer = self._state.questions.answer
        if answer is None:
            return ""
        found = t("library.found", found=whole_text(answer.count), total=whole_text(answer.summary.games))
        return f"{found} · {t('database.first', count=MOST)}" if answer.count > MOST else found

    def close(self) -> None:
        """End the thread that asks the database."""
        self._state.close()


class DatabaseList(Part):
    """The list of databases, the facts of the chosen one, and buttons for what can be done with it."""

    def __init__(self, host: Host, widgets: Widgets, state: DatabaseState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._facts = pygame.Rect()
        self._progress: pygame.Rect | None = None
        self.bindings = (
            Binding(("ctrl+n",), self._new, "database.new"),
            Binding(("ctrl+o",), self._open, "database.open"),
            Binding(("ctrl+i",), self._ask_import, "database.import"),
        )

    def shape(self) -> object:
        """What the layout depends on: the chosen database, the names of all, whether an import is running, and whether
        files of the last one failed."""
        return self._state.name, tuple(self._state.names), self._host.imports.busy, self._host.imports.failed > 0

    def build(self, space: Space) -> None:
        """Build the list of databases, the buttons, and the rooms of the facts and the progress, which `draw` fills.
        The saved games, a database without a name, have an explanation in place of import and removal."""
        px, button = self._host.theme.px, self._widgets.button
        self._widgets.label(space.top(px(BUTTON)), t("database.title"), 20, bold=True)
        space.gap = px(_GAP)
        names = self._state.names
        rows = [ListRow(database_name(name), icon="library" if not name else "save") for name in names]
        high = min(round(space.rest.height * _LIST), px(32) * max(3, len(rows)) + px(12))
        room = pygame.Rect(*space.rest.topleft, space.rest.width, high)
        listed = ListView(self._host.theme, room, rows, self._choose, lambda _row: None)
        space.top(listed.rect.height)
        listed.at = names.index(self._state.name) if self._state.name in names else None
        self._widgets.add("databases", listed)
        row = columns(space.top(px(BUTTON)), 2, px(_GAP))
        button("new", row[0], t("database.new"), self._new, icon="new", key="ctrl+n")
        button("open", row[1], t("database.open"), self._open, icon="folder", key="ctrl+o")
        self._facts, self._progress = space.top(px(3 * LINE)), None
        own = bool(self._state.name)
        if not own:
            self._widgets.paragraph(space.rest, t("database.library_about"))
            return
        busy = self._host.imports.busy
        if busy:
            self._progress = space.top(px(3 * LINE + 16))
            button("stop", space.top(px(BUTTON)), t("database.stop"), self._stop, icon="pause")
        else:
            place, text = space.top(px(BUTTON)), t("database.import")
            button("import", place, text, self._ask_import, icon="import", key="ctrl+i", style="@primary")
        if self._host.imports.failed:
            text = t("database.failures", count=self._host.imports.failed)
            button("failures", space.top(px(BUTTON)), text, self._show_failures, style="@quiet")
        if not busy:
            place, text, tip = space.bottom(px(BUTTON)), t("database.forget"), t("database.forget_tip")
            button("forget", place, text, self._state.forget, style="@quiet", tip=tip)

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the numbers of games, files and megabytes of the chosen database once they are known, and the progress
        of an import. All else is widgets."""
        theme, answer = self._host.theme, self._state.questions.answer
        space = Space(self._facts)
        if answer is not None:
            facts = answer.summary
            for text in (
                t("database.games", count=facts.games),
                t("database.files", count=facts.files),
                t("database.size", size=grouped(f"{facts.bytes / 1e6:,.1f}")),
            ):
                write(surface, theme, text, space.top(theme.px(LINE)), 14, theme.palette.quiet)
        imports = self._host.imports
        if imports.busy and self._progress is not None:
            room = Space(self._progress, theme.px(4))
            write_paragraph(surface, theme, import_sentence(imports), room.top(theme.px(3 * LINE)))
            bar = room.rest
            bar.height = theme.px(6)
            draw_progress(surface, theme.palette, bar, imports.progress.share)

    def _choose(self, number: int) -> None:
        """Choose a database of the list."""
        self._state.choose(self._state.names[number])

    def _new(self) -> None:
        """Ask for the file of a new database, and create it."""
        proposal = unused_path(Path.home(), t("database.proposal"), EXTENSION)
        title = t("database.new_title")
        self._host.choose_file(proposal, self._state.create, saving=True, kinds=(EXTENSION,), title=title)

    def _open(self) -> None:
        """Ask for the file of a database, and open it."""
        title = t("database.open_title")
        self._host.choose_file(Path.home(), self._state.open_database, kinds=(EXTENSION,), title=title)

    def _ask_import(self) -> None:
        """Open a menu that asks whether a file or a folder is to be imported. Do nothing for the database of saved
        games, and during an import."""
        if not self._state.name or self._host.imports.busy:
            return
        options = [(kind, t(f"library.import.{kind}")) for kind in ("file", "folder")]
        self._host.overlay = Menu(self._host, self._widgets.elements["import"].rect, options, "", self._import)

    def _import(self, kind: str) -> None:
        """Ask for a file, or for a folder if `kind` is ``folder``, and import it."""
        title = t("database.import_title", name=database_name(self._state.name))
        self._host.choose_file(Path.home(), self._state.import_from, folder=kind == "folder", title=title)

    def _stop(self) -> None:
        """Stop the import under way."""
        self._host.imports.stop()
        self._host.say(t("database.stopped"))

    def _show_failures(self) -> None:
        """Show a list of the games that could not be read."""
        imports = self._host.imports
        lines = [f"• {failure_sentence(each)}" for each in imports.failures[:_MOST_FAILURES]]
        more = imports.failed - len(lines)
        lines += [t("library.import.more", count=more)] if more else []
        self._host.overlay = Question(self._host, t("database.failures_title"), "\n".join(lines), width=760)


class DatabaseScreen(Screen):
    """The screen of the databases. With a `position` of a game of `of`, it shows the games in which that occurs."""

    name = "databases"
    guide = "library"

    def __init__(
        self, host: Host, of: Setup | None = None, position: Position | None = None, back: Content | None = None
    ) -> None:
        super().__init__(host, back)
        self.state = DatabaseState(host, of, position)
        arrow = BackButton(host, self.widgets, self.go_back)
        self._search = GameSearch(host, self.widgets, self.state, arrow, self)
        self._list = DatabaseList(host, self.widgets, self.state)
        self.parts = [self._search, self._list, arrow]

    def build(self, space: Space) -> None:
        """Lay out the search in the main area, and the list of databases in the panel."""
        self._search.build(space)
        lay(self.frame.side, self._list)

    def take_file(self, path: Path) -> bool:
        """Open a dropped database, or import dropped games into the chosen one. Return False if games cannot be
        imported there now."""
        if path.name.lower().endswith(EXTENSION):
            self.state.open_database(path)
        elif self.state.name and not self.host.imports.busy:
            self.state.import_from(path)
        else:
            return False
        return True
