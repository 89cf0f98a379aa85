"""The person's rating and how it changed, results against each level, and the latest games."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pygame

from ai.levels.levels import level_elos
from ai.profile import DRAWN, WON, Removed, Result, load_profile
from ai.registry import ANCHOR_ELO, opponents
from games.registry import GAMES
from games.storage import saves_home
from ui.board.registry import look
from ui.game.rated_result import remove, restore
from ui.host import Host
from ui.parts.rating_graph import RatingGraph
from ui.scene import Scene
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import text_columns, width_of, wrapped, write
from ui.words.games import short_name
from ui.words.library import day_word
from ui.words.players import level_label, seat_label

_ROW, _BIN, _TALLY, _LEVEL = 48, 30, 28, 132
"""Design pixels: height of a game, width of the button that removes it, height of a line of results, and width of the
name of a level in it."""

_MOST_RECENT = 20
_PROVISIONAL = 5  # rated games, below which a rating is provisional
_CERTAINTY = ((150.0, "guess"), (75.0, "rough"), (0.0, "certain"))
"""The least deviation of each degree of certainty."""


class ProfileScene(Scene):
    """Shows one game at a time: `game`, or the one played last."""

    name = "profile"
    bindings = (
        Binding(("ctrl+n",), "do_new", "keys.new"),
        Binding(("left",), "do_previous", "keys.previous_game"),
        Binding(("right",), "do_next", "keys.next_game"),
        Binding(("ctrl+z",), "do_undo", "library.undo"),
        Binding(("escape",), "do_back", "keys.back"),
    )

    def __init__(self, host: Host, game: str = "") -> None:
        super().__init__(host)
        self._removed: list[Removed] = []
        self._read()
        played = [result.game for result in self.profile.results]
        self.game = game or (played[-1] if played else next(iter(GAMES)))

    def _read(self) -> None:
        self.host.files.settle()
        self.profile, self._damaged = load_profile()

    def enter(self) -> None:
        if self._damaged:
            self.host.say(t("error.profile_damaged"), "bad")

    # Layout.

    def build(self) -> None:
        px = self.host.theme.px
        page, space, self.status = self.split()
        left = Space(page, px(12))
        head = Space(self.back_button(left.top(px(40))), px(8))
        options = [(game, short_name(game)) for game in GAMES]
        place = head.right(min(px(400), head.rest.width * 2 // 3))
        row = text_columns(self.host.theme, place, [text for _, text in options], px(6))
        self.widgets.choice("game", row, options, self.game, self._set_game)
        self.title_rect = head.rest
        self.rated = self.profile.rated(self.game)
        self.tally = self.profile.tally(self.game)
        self.rating_rect = left.top(px(64)) if self.rated else None
        self.results_rect: pygame.Rect | None = None
        if self.tally:
            lines = (len(self.tally) + 1) // 2
            self.results_rect = left.bottom(px(30) + lines * px(_TALLY))
        self.graph_rect = left.rest
        self.graph = RatingGraph(self.host.theme, self.graph_rect, self.rated)
        self._build_recent(space)

    def _build_recent(self, space: Space) -> None:
        px = self.host.theme.px
        new = space.bottom(px(44))
        self.widgets.button("new", new, t("home.new_game"), self.do_new, style="@primary", key="ctrl+n")
        head = Space(space.top(px(32)), px(8))
        undo = head.right(px(96))
        if self._removed:
            self.widgets.button("undo", undo, t("library.undo"), self.do_undo, key="ctrl+z", icon="undo")
        self.recent_rect = head.rest
        self.empty_rect = space.rest
        space.gap = px(4)
        played = self.profile.played(self.game)[::-1][:_MOST_RECENT]
        fits = max(0, (space.rest.height + px(4)) // px(_ROW + 4))
        rows = [(Space(space.top(px(_ROW)), px(2)), result) for result in played[:fits]]
        bins = [row.right(px(_BIN)) for row, _ in rows]
        self.recent = [(row.rest, result) for row, result in rows]
        for number, (rect, result) in enumerate(self.recent):
            file = saves_home() / result.file
            # `Path.is_file` raises where the folder cannot be accessed.
            there, tip = os.path.isfile(file), self._tip(result)  # noqa: PTH113
            action = partial(self._open, file)
            self.widgets.button(f"recent.{number}", rect, "", action, style="@row", tip=tip, enabled=there)
            take, tip = partial(self._remove, result.file), t("profile.remove")
            self.widgets.button(f"remove.{number}", bins[number], "", take, style="@icon", icon="trash", tip=tip)

    def _tip(self, result: Result) -> str:
        when = result.date.replace("T", " ")
        why = t(f"unrated.{result.unrated}") if result.unrated else ""
        return f"{when} · {why}" if why else when

    # Picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme, palette = self.host.theme, self.host.theme.palette
        anchor = opponents(self.game).anchor
        scale = t("profile.local", level=anchor, elo=f"{ANCHOR_ELO:.0f}") if level_elos(self.game) else ""
        self.draw_frame(surface, self.status, scale, t("status.keys"))
        name = self.host.settings.player_name or t("profile.title")
        write(surface, theme, name, self.title_rect, 20, bold=True)
        if self.rating_rect is not None:
            self._draw_rating(surface, self.rating_rect)
        self.graph.draw(surface, pygame.mouse.get_pos())
        if self.results_rect is not None:
            self._draw_results(surface, self.results_rect)
        write(surface, theme, t("profile.recent"), self.recent_rect, 14, palette.quiet)
        if not self.recent:
            space = Space(self.empty_rect, 0)
            for line in wrapped(theme, t("profile.no_games"), self.empty_rect.width, 14):
                write(surface, theme, line, space.top(theme.px(22)), 14, palette.quiet)

    def _draw_rating(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Draw the rating, with a question mark while it is provisional, and its certainty."""
        theme, palette, px = self.host.theme, self.host.theme.palette, self.host.theme.px
        space = Space(rect, px(16))
        count, text = len(self.rated), f"{self.profile.rating(self.game).rating:.0f}"
        number = theme.text(f"{text}?" if count < _PROVISIONAL else text, 28, palette.text, True)
        surface.blit(number, number.get_rect(left=space.rest.left, centery=rect.centery))
        space.left(number.get_width())
        words = Space(space.rest.inflate(0, -px(12)), 0)
        high = words.rest.height // 2
        write(surface, theme, self.certainty(), words.top(high), 16)
        said = t("profile.rated_games", count=count)
        if count < _PROVISIONAL:
            said = f"{said} · {t('profile.provisional', count=_PROVISIONAL - count)}"
        write(surface, theme, said, words.top(high), 14, palette.quiet)

    def certainty(self) -> str:
        """The deviation of the rating, and its meaning."""
        deviation = self.profile.rating(self.game).deviation
        kind = next(kind for least, kind in _CERTAINTY if deviation >= least)
        return t(f"profile.{kind}", deviation=f"{deviation:.0f}")

    def _draw_results(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Draw a line for each level, in two columns: wins, draws and losses as a bar and in figures."""
        theme, px = self.host.theme, self.host.theme.px
        space = Space(rect, 0)
        write(surface, theme, t("profile.results"), space.top(px(30)), 14, theme.palette.quiet)
        sides = columns(space.rest, 2, px(32))
        for number, (name, counts) in enumerate(self.tally.items()):
            side = sides[number % 2]
            top = side.top + number // 2 * px(_TALLY)
            self._draw_tally(surface, pygame.Rect(side.left, top, side.width, px(_TALLY)), name, counts)

    def _draw_tally(self, surface: pygame.Surface, rect: pygame.Rect, name: str, counts: tuple[int, int, int]) -> None:
        theme, palette, px = self.host.theme, self.host.theme.palette, self.host.theme.px
        space = Space(rect, px(8))
        write(surface, theme, "-".join(map(str, counts)), space.right(px(64)), 14, align="right")
        write(surface, theme, level_label(self.game, name), space.left(px(_LEVEL)), 14, palette.quiet)
        bar = space.rest.inflate(0, px(6) - space.rest.height)
        rounded(surface, bar, palette.line, px(3))
        edge, total = bar.left, sum(counts)
        for count, colour in zip(counts, (palette.good, palette.quiet, palette.bad), strict=True):
            wide = round(bar.width * count / total)
            pygame.draw.rect(surface, colour, (edge, bar.top, min(wide, bar.right - edge), bar.height))
            edge += wide

    def draw_over(self, surface: pygame.Surface, now: float) -> None:
        for rect, result in self.recent:
            self._draw_recent(surface, rect, result)

    def _draw_recent(self, surface: pygame.Surface, rect: pygame.Rect, result: Result) -> None:
        theme, palette, px = self.host.theme, self.host.theme.palette, self.host.theme.px
        lines = Space(rect.inflate(-2 * px(6), -2 * px(2)), 0)
        first, second = Space(lines.top(px(22)), px(4)), Space(lines.top(px(22)), px(4))
        colour = {WON: palette.good, DRAWN: palette.quiet}.get(result.score, palette.bad)
        sign = {WON: "profile.won", DRAWN: "profile.drawn"}.get(result.score, "profile.lost")
        look(self.game).badge(surface, theme, first.left(px(24)), result.side)
        write(surface, theme, seat_label(self.game, result.opponent), first.rest, 14)
        second.left(px(24))
        rating = t("profile.unrated") if result.unrated else f"{result.rating:.0f}"
        write(surface, theme, rating, second.right(px(60)), 14, palette.quiet, align="right")
        word = t(sign)
        write(surface, theme, word, second.left(width_of(theme, word, 14, bold=True) + 1), 14, colour, bold=True)
        write(surface, theme, f"· {day_word(result.date)}", second.rest, 14, palette.quiet)

    # Actions.

    def _set_game(self, game: str) -> None:
        self.game = game
        self.host.rebuild()

    def do_previous(self) -> None:
        self._step(-1)

    def do_next(self) -> None:
        self._step(1)

    def _step(self, step: int) -> None:
        games = list(GAMES)
        self._set_game(games[(games.index(self.game) + step) % len(games)])

    def _open(self, file: Path) -> None:
        self.host.open_file(file, back=self)

    def _remove(self, file: str) -> None:
        removed = remove(self.host, file)
        if removed is not None:
            self._removed.append(removed)
        self._show_anew()

    def do_undo(self) -> None:
        if self._removed:
            restore(self.host, self._removed.pop())
            self._show_anew()

    def _show_anew(self) -> None:
        self._read()
        self.host.rebuild()

    def do_new(self) -> None:
        self.host.new_game(self.game)
