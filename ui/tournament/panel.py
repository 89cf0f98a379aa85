"""The side of the screen of tournaments: which there are, and what can be done with the one that is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from ai.arena.tournament import game_file
from games.formats import load, sgf_writer
from games.formats.common import OnProgress
from games.registry import GAMES
from ui import screens
from ui.parts.exports import write_file
from ui.parts.form import Form
from ui.parts.header import open_menu
from ui.toolkit.art import draw_progress
from ui.toolkit.controls import ListRow, ListView
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.space import BUTTON, Space
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import LINE, fitted
from ui.toolkit.widgets import Widgets
from ui.tournament.state import LONGEST_NAME, TournamentsState, step_at_once
from ui.tournament.words import KINDS, facts, table_file
from ui.window.host import Content, Host, Job
from ui.window.part import MenuEntry, Part
from ui.words.games import setup_name, with_names

_GAP, _LIST = 8, 0.3  # design pixels between two rows; the share of the room that the list takes at most


class TournamentList(Form):
    """The tournaments that are kept, and the button of a new one."""

    def __init__(
        self, host: Host, widgets: Widgets, state: TournamentsState, back: Part, owner: Content
    ) -> None:
        super().__init__(host, widgets)
        self._state, self._back, self._owner = state, back, owner
        self.bindings = (Binding(("ctrl+n",), self._new, "tournament.new"),)

    def shape(self) -> object:
        state = self._state
        return state.name, tuple(state.names), state.run is None, state.can_run or bool(state.waiting)

    def build(self, space: Space) -> None:
        px, button, state = self.host.theme.px, self.widgets.button, self._state
        head = Space(space.top(px(BUTTON)), 0)
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
        run = self._state.run
        return run is not None and run.folder.name == name

    def _show(self, row: int) -> None:
        name = self._state.names[row]
        self.widgets.leave_focus()  # a name that was typed is taken
        self._state.show(name)

    def _new(self) -> None:
        self.host.open(screens.new_tournament, back=self._owner)


class ChosenTournament(Form):
    """What the tournament is that is shown, and what can be done with it."""

    def __init__(self, host: Host, widgets: Widgets, state: TournamentsState, owner: Content) -> None:
        super().__init__(host, widgets)
        self._state, self._owner = state, owner
        self._typed: tuple[str, str] | None = None  # the tournament, and its new name
        self.bindings = (
            Binding(("space",), state.start_or_stop, "tournament.start_or_stop"),
            Binding(("p",), self._play, "tournament.play"),
            Binding(("ctrl+s",), self._export, "tournament.export"),
        )

    def shape(self) -> object:
        state = self._state
        facts = state.name, state.own_run is None, state.can_run, len(state.waiting), bool(state.played)
        return facts, self.host.tournaments.at_once

    def build(self, space: Space) -> None:
        """The buttons from the bottom, name and facts from the top."""
        px, button, state, theme = self.host.theme.px, self.widgets.button, self._state, self.host.theme
        if state.tournament is None:
            return
        foot = Space(space.bottom(px(BUTTON)), px(_GAP))
        remove = foot.right(px(BUTTON))
        button("delete", remove, "", self._ask_delete, style="@icon", icon="trash", tip=t("tournament.delete"))
        button("export", foot.rest, t("tournament.export"), self._export, icon="save", key="ctrl+s")
        running = state.own_run is not None
        if state.waiting:
            text = t("tournament.play_own", count=len(state.waiting))
            button("play", space.bottom(px(BUTTON)), text, self._play, style="@primary", icon="person", key="p")
        if running or state.can_run:
            text = t("tournament.stop" if running else "tournament.resume" if state.played else "tournament.start")
            style, icon = ("", "pause") if running else ("@primary", "play")
            row = space.bottom(px(BUTTON))
            button("start", row, text, state.start_or_stop, style=style, icon=icon, key="space")
        if not running and state.can_run:
            text = t("tournament.at_once", count=self.host.tournaments.at_once)
            self.stepper("once", space.bottom(px(BUTTON)), text, partial(step_at_once, self.host), BUTTON)
        space.top(px(4))
        hint = t("tournament.name_hint")
        line = TextLine(theme, space.top(px(BUTTON)), state.name, LONGEST_NAME, self._type, hint=hint)
        self.widgets.add("name", line).label = t("tournament.name")
        line.enabled = not running
        space.gap = 0
        for text in (setup_name(state.tournament.setup), *facts(state.tournament).split(" · ")):
            if space.rest.height < px(2 * LINE + 10):
                break
            self.widgets.label(space.top(px(LINE)), fitted(theme, text, space.rest.width, 14), 14, theme.palette.quiet)
        self.widgets.label(space.top(px(LINE)), self._progress_text, 14)
        bar = space.top(px(6))
        self.widgets.paint(lambda surface: draw_progress(surface, theme.palette, bar, self._share))

    def _progress_text(self) -> str:
        state = self._state
        return t("tournament.progress", done=len(state.played), count=len(state.planned))

    @property
    def _share(self) -> float:
        return len(self._state.played) / max(1, len(self._state.planned))

    def _type(self, text: str) -> None:
        self._typed = self._state.name, text

    def update(self, now: float) -> None:
        if self._typed is not None and self.widgets.focus != "name":
            self.close()

    def close(self) -> None:
        """Take the name that was typed."""
        typed, self._typed = self._typed, None
        if typed is not None:
            self._state.rename(*typed)
            self.host.rebuild()

    def _ask_delete(self) -> None:
        """Ask, since all its games go."""
        name, title = self._state.name, t("tournament.delete")
        text = t("tournament.delete_about", name=name, count=len(self._state.played))
        self.host.overlay = Question(self.host, title, text, title, self._state.delete, danger=True)

    def _play(self) -> None:
        """Play the next game of the person."""
        found = self._state.own_game()
        if found is not None:
            record, file, new = found
            screen = self.host.open(screens.play, record, file, back=self._owner)
            if new and record.position.ply:
                screen.state.saver.mark_unrated("position")

    def _export(self) -> None:
        """Offer the table and the games as files."""
        state = self._state
        if state.tournament is not None and state.played:
            open_menu(self.host, self.widgets.elements["export"].rect, export_entries(self.host, state))


# Exports.


def export_entries(host: Host, state: TournamentsState) -> list[MenuEntry]:
    """What can be exported of the tournament that is shown."""
    assert state.tournament is not None
    entries = [
        MenuEntry(kind[1:], t(f"tournament.export{kind}"), partial(_ask_table, host, state, kind)) for kind in KINDS
    ]
    if GAMES[state.tournament.setup.game].sgf_number is not None:
        entries.append(MenuEntry("sgf", t("tournament.export.sgf"), partial(_ask_games, host, state)))
    return entries


def _ask_table(host: Host, state: TournamentsState, kind: str) -> None:
    """Ask for a file, and write the table there."""
    assert state.tournament is not None
    data = table_file(kind, state.name, state.tournament, state.ranking)
    proposal, title = Path.home() / f"{state.name}{kind}", t("tournament.export")

    def write(file: Path) -> None:
        write_file(host, file, data)

    host.choose_file(proposal, write, saving=True, kinds=(kind,), title=title)


def _ask_games(host: Host, state: TournamentsState) -> None:
    """Ask for a file, and write all games there."""
    proposal, title = Path.home() / f"{state.name}.sgf", t("tournament.export")
    files = [game_file(state.folder, number) for number in sorted(state.played)]

    def begin(file: Path) -> None:
        host.start_job(GamesExport(host, files, file))

    host.choose_file(proposal, begin, saving=True, kinds=(".sgf",), title=title)


class GamesExport(Job[bytes]):
    """Writes the games of `files` into one SGF file."""

    def __init__(self, host: Host, files: list[Path], to: Path) -> None:
        def work(on_progress: OnProgress) -> bytes:
            found = []
            for number, file in enumerate(files, 1):
                found.append(sgf_writer.dumps(with_names(load(file))).rstrip())
                on_progress(number / len(files))
            return b"\n".join(found) + b"\n"

        then: Callable[[bytes], object] = partial(write_file, host, to)
        super().__init__(host, t("export.title"), to.name, t("export.stopped", name=to.name), work, then)
