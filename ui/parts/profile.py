"""A person's rating at a game, how it changed, the results against each level, and the latest games."""

from __future__ import annotations

import os
from functools import partial

import pygame

from ai.levels.levels import level_elos
from ai.profile import DRAWN, WON, Result
from ai.registry import ANCHOR_ELO, opponents
from games.registry import GAMES
from games.storage import saves_home
from ui.board.registry import look
from ui.game.ratings import HABITS, RATING, ProfileState
from ui.host import Content, Host
from ui.part import Part
from ui.parts.header import BackButton
from ui.parts.rating_graph import RatingGraph
from ui.screens import registry as screens
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import width_of
from ui.toolkit.widgets import Widgets
from ui.words.games import level_label, seat_label, short_name
from ui.words.library import day_word

_TALLY, _LEVEL, _TABS = 28, 132, 32
"""Design pixels: height of a line of results, width of the name of a level in it, and height of the tabs."""

_PROVISIONAL = 5  # rated games, below which a rating is provisional
_CERTAINTY = ((150.0, "guess"), (75.0, "rough"), (0.0, "certain"))
"""The least deviation of each degree of certainty."""


class ProfileResults(Part):
    """Fills the space; `back` takes its room from the left of the head."""

    def __init__(self, host: Host, widgets: Widgets, state: ProfileState, back: BackButton) -> None:
        self._host, self._widgets, self._state, self._back = host, widgets, state, back
        self.graph: RatingGraph | None = None
        self.below = pygame.Rect(0, 0, 0, 0)
        """What is below the tabs; it is left free for the tab of the person's habits."""
        self.bindings = (
            Binding(("left",), partial(state.step, -1), "keys.previous_game"),
            Binding(("right",), partial(state.step, 1), "keys.next_game"),
        )

    def shape(self) -> object:
        return self._state.game, self._state.tab, self._state.profile

    def build(self, space: Space) -> None:
        px, state = self._host.theme.px, self._state
        space.gap = px(12)
        head = Space(space.top(px(40)), 0)
        self._back.build(head)
        head.gap = px(8)
        options = [(game, short_name(game)) for game in GAMES]
        place = head.right(min(px(400), head.rest.width * 2 // 3))
        self._widgets.choice("game", place, options, state.game, partial(setattr, state, "game"))
        self._widgets.label(head.rest, self._host.settings.player_name or t("profile.title"), 20, bold=True)
        if state.rated:
            self._build_rating(Space(space.top(px(64)), px(16)))
        tabs = [(tab, t(f"profile.tab.{tab}")) for tab in (RATING, HABITS)]
        choose = partial(setattr, state, "tab")
        self._widgets.choice("tab", columns(space.top(px(_TABS)), 2, px(4)), tabs, state.tab, choose)
        self.below, self.graph = space.rest, None
        if state.tab == RATING:
            self._build_graph(space)

    def _build_graph(self, space: Space) -> None:
        """How the rating changed, and the results below."""
        px, state = self._host.theme.px, self._state
        if tally := state.profile.tally(state.game):
            lines = (len(tally) + 1) // 2
            self._build_results(Space(space.bottom(px(30) + lines * px(_TALLY)), 0), tally)
        self.graph = RatingGraph(self._host.theme, space.rest, state.rated)

    def status(self) -> str:
        """The basis of the scale."""
        anchor = opponents(self._state.game).anchor
        return t("profile.local", level=anchor, elo=f"{ANCHOR_ELO:.0f}") if level_elos(self._state.game) else ""

    def draw(self, surface: pygame.Surface, now: float) -> None:
        if self.graph is not None:
            self.graph.draw(surface, pygame.mouse.get_pos())

    def _build_rating(self, space: Space) -> None:
        """The rating, with a question mark while it is provisional, and its certainty."""
        theme, px = self._host.theme, self._host.theme.px
        count, text = len(self._state.rated), f"{self._state.profile.rating(self._state.game).rating:.0f}"
        number = f"{text}?" if count < _PROVISIONAL else text
        self._widgets.label(space.left(width_of(theme, number, 28, bold=True)), number, 28, bold=True)
        words = Space(space.rest.inflate(0, -px(12)), 0)
        high = words.rest.height // 2
        self._widgets.label(words.top(high), self.certainty())
        said = t("profile.rated_games", count=count)
        if count < _PROVISIONAL:
            said = f"{said} · {t('profile.provisional', count=_PROVISIONAL - count)}"
        self._widgets.label(words.top(high), said, 14, theme.palette.quiet)

    def certainty(self) -> str:
        """The deviation of the rating, and its meaning."""
        deviation = self._state.profile.rating(self._state.game).deviation
        kind = next(kind for least, kind in _CERTAINTY if deviation >= least)
        return t(f"profile.{kind}", deviation=f"{deviation:.0f}")

    def _build_results(self, space: Space, tally: dict[str, tuple[int, int, int]]) -> None:
        """A line for each level, in two columns: wins, draws and losses as a bar and in figures."""
        px = self._host.theme.px
        self._widgets.label(space.top(px(30)), t("profile.results"), 14, self._host.theme.palette.quiet)
        sides = columns(space.rest, 2, px(32))
        for number, (name, counts) in enumerate(tally.items()):
            side = sides[number % 2]
            top = side.top + number // 2 * px(_TALLY)
            self._build_tally(Space(pygame.Rect(side.left, top, side.width, px(_TALLY)), px(8)), name, counts)

    def _build_tally(self, space: Space, name: str, counts: tuple[int, int, int]) -> None:
        palette, px = self._host.theme.palette, self._host.theme.px
        self._widgets.label(space.right(px(64)), "-".join(map(str, counts)), 14, align="right")
        self._widgets.label(space.left(px(_LEVEL)), level_label(self._state.game, name), 14, palette.quiet)
        bar = space.rest.inflate(0, px(6) - space.rest.height)
        self._widgets.box(bar, palette.line, 3)
        edge, total = bar.left, sum(counts)
        for count, colour in zip(counts, (palette.good, palette.quiet, palette.bad), strict=True):
            wide = round(bar.width * count / total)
            part = edge, bar.top, min(wide, bar.right - edge), bar.height
            self._widgets.paint(partial(pygame.draw.rect, color=colour, rect=part))
            edge += wide


_ROW, _BIN = 48, 30
"""Design pixels: height of a game, and width of the button that removes it."""

_MOST_RECENT = 20


class ProfileGames(Part):
    """Fills the space. A game that is opened leads back to `owner`."""

    def __init__(self, host: Host, widgets: Widgets, state: ProfileState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self.bindings = (
            Binding(("ctrl+n",), lambda: host.open(screens.setup, state.game), "keys.new"),
            Binding(("ctrl+z",), state.undo, "library.undo"),
        )

    def shape(self) -> object:
        return self._state.game, self._state.profile, self._state.can_undo

    def build(self, space: Space) -> None:
        px = self._host.theme.px
        new, undo = self.bindings
        self._widgets.button("new", space.bottom(px(44)), t("home.new_game"), new, style="@primary")
        head = Space(space.top(px(32)), px(8))
        place = head.right(px(96))
        if self._state.can_undo:
            self._widgets.button("undo", place, t("library.undo"), undo, icon="undo")
        self._widgets.label(head.rest, t("profile.recent"), 14, self._host.theme.palette.quiet)
        space.gap = px(4)
        fits = max(0, (space.rest.height + px(4)) // px(_ROW + 4))
        recent = self._state.profile.played(self._state.game)[::-1][:_MOST_RECENT][:fits]
        if not recent:
            self._widgets.paragraph(space.rest, t("profile.no_games"))
        places = [space.top(px(_ROW)) for _ in recent]
        for number, result in enumerate(recent):
            self._build_row(number, Space(places[number], px(2)), result)

    def _build_row(self, number: int, row: Space, result: Result) -> None:
        trash, rect = row.right(self._host.theme.px(_BIN)), row.rest
        file = saves_home() / result.file
        # `Path.is_file` raises where the folder cannot be accessed.
        there, tip = os.path.isfile(file), _tip(result)  # noqa: PTH113
        action = partial(self._host.open_file, file, back=self._owner)
        self._widgets.button(f"recent.{number}", rect, "", action, style="@row", tip=tip, enabled=there)
        take, tip = partial(self._state.remove, result.file), t("profile.remove")
        self._widgets.button(f"remove.{number}", trash, "", take, style="@icon", icon="trash", tip=tip)
        self._build_texts(rect, result)

    def _build_texts(self, rect: pygame.Rect, result: Result) -> None:
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        label = partial(self._widgets.label, over=True)
        lines = Space(rect.inflate(-2 * px(6), -2 * px(2)), 0)
        first, second = Space(lines.top(px(22)), px(4)), Space(lines.top(px(22)), px(4))
        colour = {WON: palette.good, DRAWN: palette.quiet}.get(result.score, palette.bad)
        sign = {WON: "profile.won", DRAWN: "profile.drawn"}.get(result.score, "profile.lost")
        badge, place = look(self._state.game).badge, first.left(px(24))
        self._widgets.paint(lambda surface: badge(surface, theme, place, result.side), over=True)
        label(first.rest, seat_label(self._state.game, result.opponent), 14)
        second.left(px(24))
        rating = t("profile.unrated") if result.unrated else f"{result.rating:.0f}"
        label(second.right(px(60)), rating, 14, palette.quiet, align="right")
        word = t(sign)
        label(second.left(width_of(theme, word, 14, bold=True) + 1), word, 14, colour, bold=True)
        label(second.rest, f"· {day_word(result.date)}", 14, palette.quiet)


def _tip(result: Result) -> str:
    when = result.date.replace("T", " ")
    why = t(f"unrated.{result.unrated}") if result.unrated else ""
    return f"{when} · {why}" if why else when
