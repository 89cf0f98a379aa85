"""The table of a tournament: as text, CSV and a web page, drawn on the screen, and exported."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pygame

from ai.arena.match import Played
from ai.arena.tournament import GAUNTLET, Ranked, Ranking, Tally, Tournament, game_file
from games.formats import load, sgf_writer
from games.formats.common import OnProgress
from games.registry import GAMES
from ui.parts.exports import write_file
from ui.toolkit.controls import ListRow, ListView
from ui.toolkit.i18n import language, t
from ui.toolkit.resources import render_template
from ui.toolkit.space import Space, columns, without_sides
from ui.toolkit.typesetting import LINE, fitted, width_of, write
from ui.toolkit.widgets import Widgets
from ui.tournament.state import CROSS, GAMES_TAB, TABLE, TournamentsState, entrant_name, failure_text
from ui.window.host import Content, Host, Job
from ui.window.part import MenuEntry, Part
from ui.words.games import setup_name, with_names
from ui.words.numbers import points_text, signed_text

KINDS = (".txt", ".csv", ".html")
"""The endings of files with a table."""


def result_text(game: Played) -> str:
    """Return the result of a game, the points of its first side first: ``1–0``, ``½–½``."""
    first = game.score if game.first == 0 else 1 - game.score
    return f"{points_text(first)}–{points_text(1 - first)}"


def _own_points(tally: Tally) -> str:
    """Return the points of the first of two entrants against each other."""
    wins, draws, _ = tally
    return points_text(wins + draws / 2)


def _cross_text(tally: Tally) -> str:
    """Return the points of two entrants against each other: ``2½ : 1½``; empty if they have not met."""
    return f"{_own_points(tally)} : {_own_points(tally[::-1])}" if any(tally) else ""


def _elo_text(row: Ranked) -> str:
    """Return an entrant's Elo with its error: ``+35 ± 34``; empty before the first game."""
    return "" if row.elo is None else f"{signed_text(round(row.elo.elo))} ± {row.elo.error:.0f}"


def heads() -> tuple[str, ...]:
    """Return the headings of the columns of `cells`."""
    return ("#", t("tournament.player"), t("tournament.points"), t("tournament.games"), "+", "=", "−", "Elo")


def cells(tournament: Tournament, row: Ranked, place: int) -> tuple[str, ...]:
    """Return a row of the table as texts: place, name, points, games, wins, draws, losses and Elo."""
    name = entrant_name(tournament, row.entrant)
    return (str(place), name, points_text(row.points), str(row.games), *map(str, row.tally), _elo_text(row))


def facts(tournament: Tournament) -> str:
    """Return the system, the number of rounds, and whether there are openings, in one line."""
    first = entrant_name(tournament, 0)
    system = t(f"tournament.{tournament.system}")
    parts = [f"{system} · {first}" if tournament.system == GAUNTLET else system]
    parts.append(t("tournament.rounds_count", count=tournament.rounds))
    parts.append(t("tournament.with_openings" if tournament.openings != ("",) else "tournament.without_openings"))
    return " · ".join(parts)


# Files.


def table_file(kind: str, name: str, tournament: Tournament, ranking: Ranking) -> bytes:
    """Return the table as the contents of a file of the `kind`, one of `KINDS`. `name` is that of the tournament."""
    rows = [
        (*cells(tournament, row, place),
         *(_cross_text(ranking.cross[row.entrant][other.entrant]) for other in ranking.rows))
        for place, row in enumerate(ranking.rows, 1)
    ]  # fmt: skip
    head = (*heads(), *(str(place) for place in range(1, len(rows) + 1)))
    failures = [failure_text(tournament, who, game) for who, game in ranking.failures]
    about = f"{setup_name(tournament.setup)} · {facts(tournament)}"
    if kind == ".csv":
        return _csv(head, rows)
    if kind == ".html":
        values = {"lang": language(), "title": name, "about": about, "head": head, "rows": rows, "failures": failures}
        return render_template("tournament.html", values).encode()
    return "\n".join([name, about, "", *_aligned(head, rows), "", *failures]).rstrip().encode() + b"\n"


def _csv(head: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """Return a table as CSV in UTF-8 with a byte order mark, for spreadsheets."""
    out = io.StringIO()
    csv.writer(out).writerows([head, *rows])
    return out.getvalue().encode("utf-8-sig")


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines of text with columns of equal width: names at the left, all else at the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return [
        "  ".join(text.ljust(wide) if at == 1 else text.rjust(wide)
                  for at, (text, wide) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in (head, *rows)
    ]  # fmt: skip


# On the screen: the table, who has done what against whom, or the finished games.


_APART, _HIGHEST, _LOWEST, _HEAD, _CROSS = 8, 30, 20, 26, 34  # design pixels
_NUMBERS = (30, 0, 64, 64, 36, 36, 36, 116)
"""Design pixels of the columns of the table; the names have what is left."""


class TournamentTable(Part):
    """What the chosen tab shows of a tournament: the ranking, the results of each pair of entrants, or the list of
    finished games. Games that are opened lead back to `owner`."""

    def __init__(self, host: Host, widgets: Widgets, state: TournamentsState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self._list: ListView | None = None

    def shape(self) -> object:
        """What the layout depends on: the tab; the list of games is a widget."""
        return self._state.tab

    def build(self, space: Space) -> None:
        """Take all the space and, for the list of games, add its widget. A double click or Enter opens a game."""
        self._rect, self._list = space.rest, None
        if self._state.tab == GAMES_TAB:
            listed = ListView(self._host.theme, self._rect, (), lambda _row: None, self._open)
            self._list = self._widgets.add("games", listed)
            self._list.label, self._list.empty = t("tournament.tab.games"), t("tournament.no_games")
            self._update_list(self._list)

    def update(self, now: float) -> None:
        """Add games that were finished since to the list, if it is shown."""
        if self._list is not None:
            self._update_list(self._list)

    def _update_list(self, listed: ListView) -> None:
        """Add new finished games to the top of the list, which is built anew for another tournament."""
        before, at, count = listed.rows, listed.at, len(self._state.played)
        if count > len(before):
            news = self._state.finished[: count - len(before)]
            listed.show([*map(self._row, news), *before])
            if at is not None:
                listed.step_to(at + len(news))

    def _row(self, game: Played) -> ListRow:
        """Return the row of a finished game."""
        first, second = self._state.names_of(game.number)
        note = f"{result_text(game)} · {t('library.moves', count=game.plies)}"
        return ListRow(f"{first} – {second}", note, "flag" if game.note else "")

    def _open(self, row: int) -> None:
        """Open the finished game in this row in a replay."""
        game = self._state.finished[row]
        self._host.open_file(game_file(self._state.folder, game.number), self._owner)

    def hint(self) -> str:
        """Return why the chosen game of the list was lost by a failure, or else its number and opening."""
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
        """Draw the ranking or the results of each pair; the list of games is a widget."""
        state = self._state
        if state.tournament is None:
            return
        if state.tab == TABLE:
            self._draw_table(surface)
        elif state.tab == CROSS:
            self._draw_cross(surface)

    def _row_height(self, rows: int) -> int:
        """Return the height of one of `rows` rows in pixels."""
        px, room = self._host.theme.px, self._rect.height - self._host.theme.px(_HEAD)
        if self._state.tab == TABLE and self._state.ranking.failures:
            room -= px(_APART + LINE)
        return max(px(_LOWEST), min(px(_HIGHEST), room // rows))

    def _draw_table(self, surface: pygame.Surface) -> None:
        """Draw the ranking, and below it the games that an entrant has lost by a failure, newest first."""
        theme, state, palette = self._host.theme, self._state, self._host.theme.palette
        assert state.tournament is not None
        space, high = Space(self._rect), self._row_height(len(state.ranking.rows))
        self._write(surface, space.top(theme.px(_HEAD)), heads(), palette.quiet)
        for place, row in enumerate(state.ranking.rows, 1):
            line = space.top(high)
            pygame.draw.line(surface, palette.line, line.topleft, line.topright)
            self._write(surface, line, cells(state.tournament, row, place), palette.text)
        space.top(theme.px(_APART))
        for who, game in state.ranking.failures[::-1]:
            if space.rest.height < theme.px(LINE):
                break
            text = failure_text(state.tournament, who, game)
            write(surface, theme, text, space.top(theme.px(LINE)), 14, palette.bad)

    def _write(
        self, surface: pygame.Surface, rect: pygame.Rect, texts: tuple[str, ...], colour: tuple[int, int, int]
    ) -> None:
        """Write a row of the table: numbers at the right of their columns, the name at the left."""
        theme, px = self._host.theme, self._host.theme.px
        names = rect.width - px(sum(_NUMBERS))
        space = Space(rect)
        for at, (text, wide) in enumerate(zip(texts, _NUMBERS, strict=True)):
            place = space.left(px(wide) if wide else names)
            if at == 1:
                write(surface, theme, text, without_sides(place, px(_APART)), 16, colour)
            else:
                write(surface, theme, text, place, 16, colour, bold=at == 2, align="right")

    def _draw_cross(self, surface: pygame.Surface) -> None:
        """Draw a table with a row and a column for each entrant, in the order of the ranking."""
        theme, state, palette = self._host.theme, self._state, self._host.theme.palette
        assert state.tournament is not None
        rows = state.ranking.rows
        space, high = Space(self._rect), self._row_height(len(rows))
        names = [f"{place}  {entrant_name(state.tournament, row.entrant)}" for place, row in enumerate(rows, 1)]
        room = self._rect.width - len(rows) * theme.px(_CROSS)
        wide = min(room, max(width_of(theme, name, 16) for name in names) + theme.px(2 * _APART))
        head = Space(space.top(theme.px(_HEAD)))
        head.left(wide)
        places, cross = columns(head.rest, len(rows), 0), state.ranking.cross
        both = all(width_of(theme, _cross_text(tally), 16) <= places[0].width for row in cross for tally in row)
        for place, cell in enumerate(places, 1):
            write(surface, theme, str(place), cell, 16, palette.quiet, align="centre")
        for text, row in zip(names, rows, strict=True):
            line = Space(space.top(high))
            pygame.draw.line(surface, palette.line, line.rest.topleft, line.rest.topright)
            name = line.left(wide)
            write(surface, theme, fitted(theme, text, wide - theme.px(_APART), 16), name, 16)
            for cell, other in zip(columns(line.rest, len(rows), 0), rows, strict=True):
                self._draw_cell(surface, cell, row.entrant, other.entrant, both)

    def _draw_cell(self, surface: pygame.Surface, cell: pygame.Rect, who: int, other: int, both: bool) -> None:
        """Draw the result of the entrant `who` against `other`: the points of both, or without `both` its own."""
        theme, palette = self._host.theme, self._host.theme.palette
        wins, _, losses = tally = self._state.ranking.cross[who][other]
        own = _own_points(tally) if any(tally) else ""
        text = "·" if who == other else _cross_text(tally) if both else own
        colour = palette.quiet if who == other else palette.good if wins > losses else palette.text
        write(surface, theme, text, cell, 16, palette.bad if losses > wins else colour, align="centre")


# Exports.


def export_entries(host: Host, state: TournamentsState) -> list[MenuEntry]:
    """Return the menu of what can be exported of the shown tournament."""
    assert state.tournament is not None
    entries = [
        MenuEntry(kind[1:], t(f"tournament.export{kind}"), partial(_ask_table, host, state, kind)) for kind in KINDS
    ]
    if GAMES[state.tournament.setup.game].sgf_number is not None:
        entries.append(MenuEntry("sgf", t("tournament.export.sgf"), partial(_ask_games, host, state)))
    return entries


def _ask_table(host: Host, state: TournamentsState, kind: str) -> None:
    """Ask for a file, and write the table to it."""
    assert state.tournament is not None
    data = table_file(kind, state.name, state.tournament, state.ranking)
    proposal, title = Path.home() / f"{state.name}{kind}", t("tournament.export")

    def write(file: Path) -> None:
        """Write the table to `file`."""
        write_file(host, file, data)

    host.choose_file(proposal, write, saving=True, kinds=(kind,), title=title)


def _ask_games(host: Host, state: TournamentsState) -> None:
    """Ask for a file, and write all finished games to it."""
    proposal, title = Path.home() / f"{state.name}.sgf", t("tournament.export")
    files = [game_file(state.folder, number) for number in sorted(state.played)]

    def begin(file: Path) -> None:
        """Start the export to `file`."""
        host.start_job(GamesExport(host, files, file))

    host.choose_file(proposal, begin, saving=True, kinds=(".sgf",), title=title)


class GamesExport(Job[bytes]):
    """A job that writes the games of `files` to one SGF file, `to`."""

    def __init__(self, host: Host, files: list[Path], to: Path) -> None:
        def work(on_progress: OnProgress) -> bytes:
            """Return all games as SGF."""
            found = []
            for number, file in enumerate(files):
                on_progress(number / len(files))
                found.append(sgf_writer.dumps(with_names(load(file))).rstrip())
            return b"\n".join(found) + b"\n"

        then: Callable[[bytes], object] = partial(write_file, host, to)
        super().__init__(host, t("export.title"), to.name, t("export.stopped", name=to.name), work, then)
