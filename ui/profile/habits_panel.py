"""How the person errs, in words: what it overlooks, how often, and how sure that is; and the button that forgets it."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from ai.players.opponent.chances import tactics
from ai.players.opponent.model import Figure, Fitted
from ui.parts.ratings import HABITS, ProfileState
from ui.toolkit.dialogs import Question
from ui.toolkit.i18n import first_text, t
from ui.toolkit.space import Space
from ui.toolkit.theme import mix
from ui.toolkit.typesetting import width_of
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words.games import short_name

# What is said of how a person errs.


LEAST = 5
"""Chances below which nothing is said of a kind."""

_LEAST_MOVES = 50


@dataclass(frozen=True, slots=True)
class Habit:
    """A line of the list: what is overlooked, how often, and the `share` with its interval; None of it where too little
    is known."""

    text: str
    count: str
    share: Figure | None


def habits_of(game: str, fitted: Fitted) -> list[Habit]:
    """Return a line for each kind of chance."""
    return [_habit(game, kind, fitted) for kind in fitted.rates]


def _habit(game: str, kind: str, fitted: Fitted) -> Habit:
    """What is said of one habit: how often it was met and missed; no share while too rare."""
    missed, met = fitted.tally.missed.get(kind, (0, 0))
    text = first_text(f"habits.{game}.{kind}", f"habits.{kind}", default=kind)
    if met < LEAST:
        return Habit(text, t("habits.too_few", missed=missed, met=met) if met else t("habits.never"), None)
    return Habit(text, t("habits.count", missed=missed, met=met), fitted.rates[kind])


def depth_text(game: str, fitted: Fitted) -> str:
    """Say how far the person looks ahead; empty where that was not compared, or too little is known."""
    known = len(tactics(game).depths) > 1 and fitted.tally.moves >= _LEAST_MOVES
    return t("habits.depth", count=fitted.depth) if known else ""


def share_text(share: Figure) -> str:
    """Say between which shares the true one probably is."""
    return t("habits.interval", low=f"{100 * share.low:.0f}", high=f"{100 * share.high:.0f}")


_ROW, _PADDING, _HEAD, _FORGET = 32, 16, 32, 36
"""Design pixels: a habit, the room around all, the heading, and the button."""

_COUNT, _SHARE, _BAR, _THICK = 72, 84, 120, 6
"""Design pixels: width of the count, of the interval and of the bar, and how thick that is."""

_POLL = 0.05  # seconds


class ProfileHabits(Part):
    """Fills the space while its tab is chosen. `habits` are the lines that are shown."""

    def __init__(self, host: Host, widgets: Widgets, state: ProfileState) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self.habits: list[Habit] = []

    def shape(self) -> object:
        state = self._state
        return state.game, state.tab, state.profile, state.habits.found, state.habits.busy

    def build(self, space: Space) -> None:
        self.habits = []
        if self._state.tab != HABITS:
            return
        self._state.habits.learn(self._state.game, self._state.profile)
        px, palette, found = self._host.theme.px, self._host.theme.palette, self._state.habits.found
        self._widgets.box(space.rest, palette.panel, 10, palette.line)
        inside = Space(space.rest.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), px(8))
        if found is not None and found[0].tally.moves:
            self.habits = habits_of(self._state.game, found[0])
            self._build_forget(inside, found[0])
            self._build_head(Space(inside.top(px(_HEAD)), px(12)), found[1])
            self._build_habits(inside)
        else:
            reading = self._state.habits.busy
            self._widgets.paragraph(inside.rest, t("habits.reading" if reading else "habits.none"))

    def _build_forget(self, space: Space, fitted: Fitted) -> None:
        theme, text = self._host.theme, t("habits.forget")
        row = Space(space.bottom(theme.px(_FORGET)), theme.px(8))
        place = row.right(width_of(theme, text, 16) + 2 * theme.px(_PADDING))
        self._widgets.button("forget", place, text, self._ask, tip=t("habits.forget_about"))
        self._widgets.label(row.rest, depth_text(self._state.game, fitted), 14, theme.palette.quiet)

    def _build_head(self, head: Space, games: int) -> None:
        px, quiet = self._host.theme.px, self._host.theme.palette.quiet
        self._widgets.label(head.right(px(_SHARE)), t("habits.probably"), 14, quiet, align="right")
        self._widgets.label(head.right(px(_COUNT)), t("habits.missed"), 14, quiet, align="right")
        self._widgets.label(head.rest, t("habits.learned", count=games), 16, bold=True)

    def _build_habits(self, space: Space) -> None:
        """One row for each habit."""
        px = self._host.theme.px
        space.gap = 0
        high = min(px(_ROW), space.rest.height // len(self.habits))
        for habit in self.habits:
            row = Space(space.top(high), px(12))
            if habit.share is None:
                self._build_unknown(row, habit)
            else:
                self._build_habit(row, habit, habit.share)

    def _build_unknown(self, row: Space, habit: Habit) -> None:
        quiet = self._host.theme.palette.quiet
        place = row.right(width_of(self._host.theme, habit.count, 14))
        self._widgets.label(place, habit.count, 14, quiet, align="right")
        self._widgets.label(row.rest, habit.text, 16, quiet)

    def _build_habit(self, row: Space, habit: Habit, share: Figure) -> None:
        px = self._host.theme.px
        quiet = self._host.theme.palette.quiet
        self._widgets.label(row.right(px(_SHARE)), share_text(share), 14, quiet, align="right")
        self._widgets.label(row.right(px(_COUNT)), habit.count, 14, align="right")
        if row.rest.width > 3 * px(_BAR):
            self._build_bar(row.right(px(_BAR)), share)
        self._widgets.label(row.rest, habit.text)

    def _build_bar(self, rect: pygame.Rect, share: Figure) -> None:
        """The interval of a share, and in it the most probable one."""
        px, palette = self._host.theme.px, self._host.theme.palette
        bar = rect.inflate(0, px(_THICK) - rect.height)
        low, middle, high = (bar.left + round(bar.width * each) for each in (share.low, share.mean, share.high))
        self._widgets.box(bar, palette.line, 3)
        likely = pygame.Rect(low, bar.top, max(2, high - low), bar.height)
        self._widgets.box(likely, mix(palette.line, palette.accent, 0.6), 3)
        mark = pygame.Rect(middle - 1, bar.top - px(3), px(3), bar.height + 2 * px(3))
        self._widgets.box(mark, palette.accent, 1)

    def _ask(self) -> None:
        title, message = t("habits.forget_title"), t("habits.forget_question", game=short_name(self._state.game))
        accept = t("habits.forget")
        self._host.overlay = Question(self._host, title, message, accept, self._state.forget, danger=True, width=520)

    def update(self, now: float) -> None:
        self._state.habits.update()

    def wake(self, now: float) -> float | None:
        return _POLL if self._state.habits.busy else None

    def close(self) -> None:
        self._state.habits.stop()
