"""A person's rating at a game, how it changed, the results against each level, and the latest games."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import pygame

from ai.players.levels import level_elos
from ai.players.opponent.chances import tactics
from ai.players.opponent.model import Figure, Fitted
from ai.players.opponents import ANCHOR_ELO, opponents
from ai.service.profile import DRAWN, WON, Result
from games.registry import GAMES
from games.storage import saves_home
from ui import screens
from ui.board.looks import look
from ui.parts.form import game_choice
from ui.parts.header import BackButton
from ui.parts.ratings import HABITS, RATING, ProfileState
from ui.toolkit.art import rounded
from ui.toolkit.canvas import Canvas, Place, draw_grid, draw_tip, painted
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Scale, Space, centred, columns
from ui.toolkit.theme import Theme, mix
from ui.toolkit.typesetting import width_of, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part
from ui.window.screen import Screen
from ui.words.file_words import day_word
from ui.words.games import level_label, seat_label, short_name

# A rating after each game, with a band of one deviation to either side and dates under it.


_AXIS, _FOOT, _PADDING, _DATE = 52, 26, 16, 130
"""Design pixels: room for the figures at the left, the dates below, around all, and for one date."""

_LEAST_STEP = 20  # of the scale
_MOST_LINES = 6
_DOTS = 40  # more games are a line alone
_BAND = 0.17  # of the accent


class RatingGraph:
    """The graph of the rating in `rect`, by `results`: the rated games of one game in their order; without any, the
    sentence `empty`."""

    def __init__(self, theme: Theme, rect: pygame.Rect, results: Sequence[Result], empty: str) -> None:
        self.theme, self.rect, self.results, self.empty = theme, rect, results, empty
        px = theme.px
        inside = rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        size = max(1, inside.width - px(_AXIS)), max(1, inside.height - px(_FOOT))
        self.plot = pygame.Rect((inside.left + px(_AXIS), inside.top), size)
        self._picture: pygame.Surface | None = None

    @cached_property
    def _scale(self) -> Scale:
        """The scale of the ratings, with their deviations."""
        low = min(each.rating - each.deviation for each in self.results)
        high = max(each.rating + each.deviation for each in self.results)
        return Scale.over(low, high, _MOST_LINES - 1, _LEAST_STEP)

    def draw(self, surface: pygame.Surface, pointer: tuple[int, int]) -> None:
        """Draw the scale, the curve, and the result under the pointer."""
        theme, palette = self.theme, self.theme.palette
        if not self.results:
            rounded(surface, self.rect, palette.panel, theme.px(10), palette.line)
            self._draw_empty(surface)
            return
        self._picture = self._picture or painted(self.rect, theme, self._draw_course)
        surface.blit(self._picture, self.rect)
        if self.plot.inflate(0, theme.px(20)).collidepoint(pointer):
            self._draw_pointed(surface, pointer[0])

    def _draw_empty(self, surface: pygame.Surface) -> None:
        """Write why there is no rating."""
        theme = self.theme
        lines = wrapped(theme, self.empty, min(self.plot.width, theme.px(420)), 16)
        space = Space(centred(self.rect.width, len(lines) * theme.px(26), self.rect.center))
        for text in lines:
            write(surface, theme, text, space.top(theme.px(26)), 16, theme.palette.quiet, align="centre")

    def point(self, index: int, deviations: int = 0) -> Place:
        """Return the pixel of the rating after the game at `index`, raised by so many deviations: 1 and -1 are the
        edges of the band."""
        result = self.results[index]
        return self._x(index), self._y(result.rating + deviations * result.deviation)

    def _x(self, index: int) -> float:
        """Return the x of the game at `index`."""
        last = len(self.results) - 1
        inset = self.theme.px(6)  # the dots at the ends are whole
        return self.plot.left + inset + (self.plot.width - 2 * inset) * (index / last if last else 0.5)

    def _y(self, rating: float) -> float:
        """Return the y of a rating."""
        return self.plot.bottom - self.plot.height * self._scale.share(rating)

    def _draw_course(self, canvas: Canvas) -> None:
        """Draw the ground, the band, the scale, and the line with its dots and dates."""
        theme, palette, indices = self.theme, self.theme.palette, range(len(self.results))
        canvas.box(self.rect, palette.panel, theme.px(10), palette.line)
        upper, lower = ([self.point(index, side) for index in indices] for side in (1, -1))
        band, thick = mix(palette.panel, palette.accent, _BAND), theme.px(2.5)
        with canvas.smooth(self.plot) as curves:
            if len(indices) == 1:
                curves.line([*upper, *lower], band, theme.px(8))
            else:
                curves.polygon([*upper, *reversed(lower)], band)
        draw_grid(canvas, self.plot, [(self._y(rating), f"{rating:.0f}") for rating in self._scale.marks])
        with canvas.smooth(self.plot) as curves:
            curves.line([self.point(index) for index in indices], palette.accent, thick)
            for index in indices if len(indices) <= _DOTS else ():
                curves.circle(self.point(index), thick * 1.4, palette.accent)
        self._draw_foot(canvas)

    def _draw_foot(self, canvas: Canvas) -> None:
        """Draw the dates of the first and the last game, and of as many between as there is room for."""
        theme, palette = self.theme, self.theme.palette
        foot = pygame.Rect(self.plot.left, self.plot.bottom + theme.px(8), self.plot.width, theme.px(_FOOT - 6))
        for index in self.dated_games():
            date = self.results[index].date[:10]
            place = centred(width_of(theme, date, 14), foot.height, (round(self._x(index)), foot.centery))
            canvas.text(date, place.clamp(foot), 14, palette.quiet)

    def dated_games(self) -> list[int]:
        """Return the indices of the games with a date under them: the first, the last, and those between for which
        there is room."""
        room, dates = self.theme.px(_DATE), [result.date[:10] for result in self.results]
        chosen = [len(dates) - 1]
        for index in reversed(range(len(dates))):
            far = self._x(chosen[-1]) - self._x(index) >= room and (not index or self._x(index) - self._x(0) >= room)
            if far and dates[index] != dates[chosen[-1]]:
                chosen.append(index)
        return chosen[::-1]

    def _draw_pointed(self, surface: pygame.Surface, x: int) -> None:
        """Draw the rating after the game nearest to the pointer."""
        theme, palette = self.theme, self.theme.palette
        index = min(range(len(self.results)), key=lambda i: abs(self._x(i) - x))
        result, (left, top) = self.results[index], self.point(index)
        pygame.draw.aacircle(surface, palette.text, (round(left), round(top)), theme.px(5))
        text = t("profile.point", number=index + 1, rating=f"{result.rating:.0f}", date=result.date[:10])
        draw_tip(surface, theme, text, (left, top), self.rect)


_HEIGHTS = 1.0, 0.6, 0.3
"""Of the bars of won, drawn and lost games: not everybody tells their colours apart."""

_TALLY, _LEVEL, _TABS = 28, 132, 32
"""Design pixels: height of a line of results, width of the name of a level in it, and height of the tabs."""

_PROVISIONAL = 5  # rated games, below which a rating is provisional
_CERTAINTY = ((150.0, "guess"), (75.0, "rough"), (0.0, "certain"))
"""The least deviation of each degree of certainty."""


class ProfileResults(Part):
    """The rating, its graph and the results against each level, in all the space. `back` takes its room from the left
    of the head."""

    def __init__(self, host: Host, widgets: Widgets, state: ProfileState, back: BackButton) -> None:
        self._host, self._widgets, self._state, self._back = host, widgets, state, back
        self.graph: RatingGraph | None = None
        self.below = pygame.Rect()
        """What is below the tabs; it is left free for the tab of the person's habits."""
        self.bindings = (
            Binding(("left",), partial(state.step, -1), "keys.previous_game"),
            Binding(("right",), partial(state.step, 1), "keys.next_game"),
        )

    def shape(self) -> object:
        """What the layout depends on: the chosen game, the chosen tab, and the profile."""
        return self._state.game, self._state.tab, self._state.profile

    def build(self, space: Space) -> None:
        """Build the head with the person's name and the choice of the game, the rating, and the tabs; below them the
        graph and the results if that tab is chosen."""
        px, state = self._host.theme.px, self._state
        space.gap = px(12)
        head = Space(space.top(px(40)))
        self._back.build(head)
        head.gap = px(8)
        place, choose = head.right(min(px(400), head.rest.width * 2 // 3)), partial(setattr, state, "game")
        game_choice(self._host, self._widgets, Space(place), list(GAMES), state.game, choose, 40, most=1)
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
        """Build the graph of the rating and, if there are results, the results below it."""
        px, state = self._host.theme.px, self._state
        if tally := state.profile.tally(state.game):
            lines = (len(tally) + 1) // 2
            self._build_results(Space(space.bottom(px(30) + lines * px(_TALLY))), tally)
        empty = t("profile.empty") if level_elos(state.game) else t("profile.no_levels")
        self.graph = RatingGraph(self._host.theme, space.rest, state.rated, empty)

    def status(self) -> str:
        """Which level has a fixed Elo, as the basis of the ratings; empty for games without Elo."""
        anchor = opponents(self._state.game).anchor
        return t("profile.local", level=anchor, elo=f"{ANCHOR_ELO:.0f}") if level_elos(self._state.game) else ""

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the graph of the rating, if it is shown, with the point under the pointer. All else is widgets."""
        if self.graph is not None:
            self.graph.draw(surface, pygame.mouse.get_pos())

    def _build_rating(self, space: Space) -> None:
        """Write the rating, with a question mark while it is provisional, and its certainty."""
        theme, px = self._host.theme, self._host.theme.px
        count, text = len(self._state.rated), f"{self._state.profile.rating(self._state.game).rating:.0f}"
        number = f"{text}?" if count < _PROVISIONAL else text
        self._widgets.label(space.left(width_of(theme, number, 28, bold=True)), number, 28, bold=True)
        words = Space(space.rest.inflate(0, -px(12)))
        high = words.rest.height // 2
        self._widgets.label(words.top(high), self.certainty())
        said = t("profile.rated_games", count=count)
        if count < _PROVISIONAL:
            said = f"{said} · {t('profile.provisional', count=_PROVISIONAL - count)}"
        self._widgets.label(words.top(high), said, 14, theme.palette.quiet)

    def certainty(self) -> str:
        """Return the deviation of the rating and what it means, in words."""
        deviation = self._state.profile.rating(self._state.game).deviation
        kind = next(kind for least, kind in _CERTAINTY if deviation >= least)
        return t(f"profile.{kind}", deviation=f"{deviation:.0f}")

    def _build_results(self, space: Space, tally: dict[str, tuple[int, int, int]]) -> None:
        """Build a row for each level, in two columns. `tally` has wins, draws and losses by level."""
        px = self._host.theme.px
        self._widgets.label(space.top(px(30)), t("profile.results"), 14, self._host.theme.palette.quiet)
        sides = columns(space.rest, 2, px(32))
        for number, (name, counts) in enumerate(tally.items()):
            side = sides[number % 2]
            top = side.top + number // 2 * px(_TALLY)
            self._build_tally(Space(pygame.Rect(side.left, top, side.width, px(_TALLY)), px(8)), name, counts)

    def _build_tally(self, space: Space, name: str, counts: tuple[int, int, int]) -> None:
        """Build a row with the name of a level, won-drawn-lost, and a bar of their shares."""
        palette, px = self._host.theme.palette, self._host.theme.px
        self._widgets.label(space.right(px(64)), "-".join(map(str, counts)), 14, align="right")
        self._widgets.label(space.left(px(_LEVEL)), level_label(self._state.game, name), 14, palette.quiet)
        bar = space.rest.inflate(0, px(6) - space.rest.height)
        self._widgets.box(bar, palette.line, 3)
        edge, total = bar.left, sum(counts)
        for count, colour, share in zip(counts, (palette.good, palette.quiet, palette.bad), _HEIGHTS, strict=True):
            wide, high = round(bar.width * count / total), max(1, round(bar.height * share))
            part = edge, bar.bottom - high, min(wide, bar.right - edge), high
            self._widgets.paint(partial(pygame.draw.rect, color=colour, rect=part))
            edge += wide


_ROW, _BIN = 48, 30
"""Design pixels: height of a game, and width of the button that removes it."""

_MOST_RECENT = 20


class ProfileGames(Part):
    """The latest games, in all the space. A game that is opened leads back to `owner`."""

    def __init__(self, host: Host, widgets: Widgets, state: ProfileState, owner: Content) -> None:
        self._host, self._widgets, self._state, self._owner = host, widgets, state, owner
        self.bindings = (
            Binding(("ctrl+n",), lambda: host.open(screens.setup, state.game), "keys.new"),
            Binding(("ctrl+z",), state.undo, "library.undo"),
        )

    def shape(self) -> object:
        """What the layout depends on: the chosen game, the profile, and whether a change can be undone."""
        return self._state.game, self._state.profile, self._state.can_undo

    def build(self, space: Space) -> None:
        """Build the heading, a row for each of the latest games, as many as fit, the button of a new game, and that to
        undo a removal while that is possible."""
        px = self._host.theme.px
        new, undo = self.bindings
        self._widgets.button("new", space.bottom(px(44)), t("home.new_game"), new, style="@primary")
        head = Space(space.top(px(32)), px(8))
        place = head.right(px(96))
        if self._state.can_undo:
            self._widgets.button("undo", place, t("library.undo"), undo, icon="undo")
        self._widgets.label(head.rest, t("profile.recent"), 14, self._host.theme.palette.quiet)
        space.gap = px(4)
        fits = (space.rest.height + px(4)) // px(_ROW + 4)
        recent = self._state.profile.played(self._state.game)[::-1][:_MOST_RECENT][:fits]
        if not recent:
            self._widgets.paragraph(space.rest, t("profile.no_games"))
        places = [space.top(px(_ROW)) for _ in recent]
        for number, result in enumerate(recent):
            self._build_row(number, Space(places[number], px(2)), result)

    def _build_row(self, number: int, row: Space, result: Result) -> None:
        """Build the row of a result: a button that opens its file, and one that removes it."""
        trash, rect = row.right(self._host.theme.px(_BIN)), row.rest
        file = saves_home() / result.file
        # `Path.is_file` raises where the folder cannot be accessed.
        there, tip = os.path.isfile(file), _tip(result)  # noqa: PTH113
        action = partial(self._host.open_file, file, back=self._owner)
        self._widgets.button(f"recent.{number}", rect, "", action, style="@row", tip=tip, enabled=there)
        take, tip = partial(self._state.remove, result), t("profile.remove")
        self._widgets.button(f"remove.{number}", trash, "", take, style="@icon", icon="trash", tip=tip)
        self._build_texts(rect, result)

    def _build_texts(self, rect: pygame.Rect, result: Result) -> None:
        """Write result, opponent, rating and day in a row."""
        theme, palette, px = self._host.theme, self._host.theme.palette, self._host.theme.px
        label = partial(self._widgets.label, over=True)
        lines = Space(rect.inflate(-2 * px(6), -2 * px(2)))
        first, second = Space(lines.top(px(22)), px(4)), Space(lines.top(px(22)), px(4))
        colour = {WON: palette.good, DRAWN: palette.quiet}.get(result.score, palette.bad)
        sign = {WON: "profile.won", DRAWN: "profile.drawn"}.get(result.score, "profile.lost")
        badge, place = look(self._state.game).badge, first.left(px(24))
        self._widgets.paint(lambda surface: badge(surface, theme, place, result.side), over=True)
        label(first.rest, seat_label(self._state.game, result.opponent), 14)
        second.left(px(24))
        rating = t("profile.unrated") if result.unrated else f"{result.rating:.0f}"
        label(second.right(width_of(theme, rating, 14)), rating, 14, palette.quiet, align="right")
        word = t(sign)
        label(second.left(width_of(theme, word, 14, bold=True) + 1), word, 14, colour, bold=True)
        label(second.rest, f"· {day_word(result.date)}", 14, palette.quiet)


def _tip(result: Result) -> str:
    """Return when a game was played and, if it is unrated, why."""
    when = result.date.replace("T", " ")
    why = t(f"unrated.{result.unrated}") if result.unrated else ""
    return f"{when} · {why}" if why else when


# How a person errs, in words: what it overlooks, how often, and how sure that is; and the button that forgets it.


_LEAST = 5
"""Chances below which nothing is said of a kind."""

_LEAST_MOVES = 50


@dataclass(frozen=True, slots=True)
class Habit:
    """A line of the list: what is overlooked, how often, and the `share` that is overlooked, with its interval; None
    where too little is known."""

    text: str
    count: str
    share: Figure | None


def _habits_of(game: str, fitted: Fitted) -> list[Habit]:
    """Return a line for each kind of tactical chance that the person may overlook, such as a double threat."""
    return [_habit(game, kind, fitted) for kind in fitted.rates]


def _habit(game: str, kind: str, fitted: Fitted) -> Habit:
    """Return the line for a `kind` of chance; its share is None while the person has met too few."""
    missed, met = fitted.tally.missed.get(kind, (0, 0))
    text = first_text(f"habits.{game}.{kind}", f"habits.{kind}", default=kind)
    if met < _LEAST:
        return Habit(text, t("habits.too_few", missed=missed, met=met) if met else t("habits.never"), None)
    return Habit(text, t("habits.count", missed=missed, met=met), fitted.rates[kind])


def _depth_text(game: str, fitted: Fitted) -> str:
    """Say how many plies the person looks ahead; empty if the game has only one depth to compare, or too few moves are
    known."""
    known = len(tactics(game).depths) > 1 and fitted.tally.moves >= _LEAST_MOVES
    return t("habits.depth", count=fitted.depth) if known else ""


def _share_text(share: Figure) -> str:
    """Say between which figures the true share probably is."""
    return t("habits.interval", low=f"{100 * share.low:.0f}", high=f"{100 * share.high:.0f}")


_HABIT, _HEAD, _FORGET = 32, 32, 36
"""Design pixels: a habit, the heading, and the button."""

_COUNT, _SHARE, _BAR, _THICK = 72, 84, 120, 6
"""Design pixels: width of the count, of the interval and of the bar, and how thick that is."""

_POLL = 0.05  # seconds


class ProfileHabits(Part):
    """What the person overlooks, in all the space while its tab is chosen. `habits` are the lines that are shown."""

    def __init__(self, host: Host, widgets: Widgets, state: ProfileState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.habits: list[Habit] = []

    def shape(self) -> object:
        """What the layout depends on: the chosen game and tab, the profile, and what was found out and whether files
        are still read."""
        state = self._state
        return state.game, state.tab, state.profile, state.habits.found, state.habits.busy

    def build(self, space: Space) -> None:
        """Build the list of habits, or a text that games are read or that nothing is known. Begin to read the games if
        that has not been done. Do nothing while another tab is chosen."""
        self.habits = []
        if self._state.tab != HABITS:
            return
        self._state.habits.learn(self._state.game, self._state.profile)
        px, palette, found = self._host.theme.px, self._host.theme.palette, self._state.habits.found
        self._widgets.box(space.rest, palette.panel, 10, palette.line)
        inside = Space(space.rest.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), px(8))
        if found is not None and found[0].tally.moves:
            self.habits = _habits_of(self._state.game, found[0])
            self._build_forget(inside, found[0])
            self._build_head(Space(inside.top(px(_HEAD)), px(12)), found[1])
            self._build_habits(inside)
        else:
            reading = self._state.habits.busy
            self._widgets.paragraph(inside.rest, t("habits.reading" if reading else "habits.none"))

    def _build_forget(self, space: Space, fitted: Fitted) -> None:
        """Build the button that forgets the habits and, beside it, how far the person looks ahead."""
        theme, text = self._host.theme, t("habits.forget")
        row = Space(space.bottom(theme.px(_FORGET)), theme.px(8))
        place = row.right(width_of(theme, text, 16) + 2 * theme.px(_PADDING))
        self._widgets.button("forget", place, text, self._ask_to_forget, tip=t("habits.forget_about"))
        self._widgets.label(row.rest, _depth_text(self._state.game, fitted), 14, theme.palette.quiet)

    def _build_head(self, head: Space, games: int) -> None:
        """Build the heading, with the number of games from which the habits are known, and the names of the columns."""
        px, quiet = self._host.theme.px, self._host.theme.palette.quiet
        self._widgets.label(head.right(px(_SHARE)), t("habits.probably"), 14, quiet, align="right")
        self._widgets.label(head.right(px(_COUNT)), t("habits.missed"), 14, quiet, align="right")
        self._widgets.label(head.rest, t("habits.learned", count=games), 16, bold=True)

    def _build_habits(self, space: Space) -> None:
        """Build a row for each habit."""
        px = self._host.theme.px
        space.gap = 0
        high = min(px(_HABIT), space.rest.height // len(self.habits))
        for habit in self.habits:
            row = Space(space.top(high), px(12))
            if habit.share is None:
                self._build_unknown(row, habit)
            else:
                self._build_habit(row, habit, habit.share)

    def _build_unknown(self, row: Space, habit: Habit) -> None:
        """Build the row of a habit without a share."""
        quiet = self._host.theme.palette.quiet
        place = row.right(width_of(self._host.theme, habit.count, 14))
        self._widgets.label(place, habit.count, 14, quiet, align="right")
        self._widgets.label(row.rest, habit.text, 16, quiet)

    def _build_habit(self, row: Space, habit: Habit, share: Figure) -> None:
        """Build the row of a habit with its share, as a bar too if there is room."""
        px = self._host.theme.px
        quiet = self._host.theme.palette.quiet
        self._widgets.label(row.right(px(_SHARE)), _share_text(share), 14, quiet, align="right")
        self._widgets.label(row.right(px(_COUNT)), habit.count, 14, align="right")
        if row.rest.width > 3 * px(_BAR):
            self._build_bar(row.right(px(_BAR)), share)
        self._widgets.label(row.rest, habit.text)

    def _build_bar(self, rect: pygame.Rect, share: Figure) -> None:
        """Build a bar with the interval of a share, and the most probable share in it."""
        px, palette = self._host.theme.px, self._host.theme.palette
        bar = rect.inflate(0, px(_THICK) - rect.height)
        low, middle, high = (bar.left + round(bar.width * each) for each in (share.low, share.mean, share.high))
        self._widgets.box(bar, palette.line, 3)
        likely = pygame.Rect(low, bar.top, max(2, high - low), bar.height)
        self._widgets.box(likely, mix(palette.line, palette.accent, 0.6), 3)
        mark = pygame.Rect(middle - 1, bar.top - px(3), px(3), bar.height + 2 * px(3))
        self._widgets.box(mark, palette.accent, 1)

    def _ask_to_forget(self) -> None:
        """Ask whether to forget the habits; forget them if the person agrees."""
        title, message = t("habits.forget_title"), t("habits.forget_question", game=short_name(self._state.game))
        accept = t("habits.forget")
        self._host.overlay = Question(self._host, title, message, accept, self._state.forget, danger=True, width=520)

    def update(self, now: float) -> None:
        """Take over what the reading of the games has found."""
        self._state.habits.update()

    def wake(self, now: float) -> float | None:
        """Return 0.05 seconds while games are read, else None."""
        return _POLL if self._state.habits.busy else None

    def close(self) -> None:
        """Stop reading the games."""
        self._state.habits.stop()


# The person's rating and how it changed, results against each level, habits, and the latest games.


class ProfileScreen(Screen):
    """Shows one game at a time: `game`, or the one played last."""

    name = "profile"
    guide = "profile"

    def __init__(self, host: Host, game: str = "", back: Content | None = None) -> None:
        super().__init__(host, back)
        self.state = state = ProfileState(host, game)
        arrow = BackButton(host, self.widgets, self.go_back)
        self._results = ProfileResults(host, self.widgets, state, arrow)
        self._games = ProfileGames(host, self.widgets, state, self)
        self._habits = ProfileHabits(host, self.widgets, state)
        self.parts = [self._games, self._results, self._habits, arrow]

    def build(self, space: Space) -> None:
        """Lay out the results in the main area, the habits in what they leave below the tabs, and the latest games in
        the panel."""
        self._results.build(space)
        self._habits.build(Space(self._results.below))
        self._games.build(self.frame.side)
