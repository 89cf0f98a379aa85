"""The set-up of a new game: opponent, side, size, rule and clock. Also the choice of players for a game that continues
from a position."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pygame

from ai.players.table import is_timed
from games.clock import TimeControl
from games.record import PERSON, GameRecord
from games.registry import GAMES
from ui.board.looks import look
from ui.parts.form import GAP, LABEL, ROW, Form, game_choice
from ui.parts.header import Header
from ui.setup.menus import SetupBoard, draw_level, start_name
from ui.setup.state import (
    CLOCK,
    LEVELS,
    OPENING,
    WATCH,
    SetUp,
    button_kind,
    time_handicap,
    usual_seats,
)
from ui.system.settings import LONGEST_NAME
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import Binding
from ui.toolkit.space import Space, columns
from ui.toolkit.text_line import TextLine
from ui.toolkit.typesetting import fitted, text_columns, wrapped
from ui.toolkit.widgets import Widgets
from ui.window.host import Content, Host
from ui.window.part import Part, lay
from ui.window.screen import Screen
from ui.words.games import rule_name, seat_label, short_side, side_name, size_name
from ui.words.numbers import control_name

# What is played: the game at the top of a set-up, its size, rule and clock, and the button that begins it.


_CLOCKS = ("", "30 s", "5+3")
"""The usual clocks, in the text form of `TimeControl`; none is the first."""

_LINE, _LOW = 17, 30  # design pixels: a line of text, and the button of openings


class GameChoice(Form):
    """The choice of the game, at the top of the set-up."""

    def __init__(self, host: Host, widgets: Widgets, state: SetUp) -> None:
        super().__init__(host, widgets)
        self._state = state

    def shape(self) -> object:
        """What the layout depends on: the chosen game."""
        return self._state.game

    def build(self, space: Space) -> None:
        """Take rows of buttons, one for each game, from the top; where they do not fit, one that opens a menu."""
        game_choice(self.host, self.widgets, space, list(GAMES), self._state.game, self._state.choose_game)


class GameForm(Form):
    """The choice of size, rule and opening, and at the bottom that of the clock, which every game has."""

    def __init__(self, host: Host, widgets: Widgets, state: SetUp) -> None:
        super().__init__(host, widgets)
        self._state = state
        self.bindings = (
            Binding(("t",), partial(state.toggle_menu, CLOCK), "keys.clock"),
            Binding(("o",), self._toggle_openings, "keys.opening_menu"),
        )

    def shape(self) -> object:
        """What the layout depends on: the game, and all choices for it."""
        return self._state.game, self._state.chosen

    def build(self, space: Space) -> None:
        """Build the clock from the bottom of the space, size, opening and rules from the top."""
        self._build_clock(space)
        self._build_size(space)
        self._build_rules(space)

    def _build_clock(self, space: Space) -> None:
        """Build buttons for the usual clocks, and one that opens the menu of all others."""
        theme, control, chosen = self.host.theme, self._state.chosen.control, str(self._state.chosen.control or "")
        texts = [control_name(TimeControl.parse(clock), short=True) for clock in _CLOCKS[1:]]
        texts = [t("setup.clock.none"), *texts, t("setup.clock.other")]
        space.bottom(theme.px(2))  # and a gap more
        *cells, last = text_columns(theme, space.bottom(theme.px(ROW)), texts, theme.px(GAP))
        label = t("setup.clock.chosen", control=control_name(control)) if control else t("setup.clock")
        side, divisor = time_handicap(self._state.chosen.divisors)
        if control and divisor > 1:
            label = t("setup.clock.less", clock=label, side=side_name(self._state.game, side), divisor=divisor)
        self.label(space.bottom(theme.px(LABEL)), label)
        options = list(zip(_CLOCKS, texts[:-1], strict=True))
        self.widgets.choice("quick", cells, options, chosen, self._set_quick_clock)
        tip, other = t("tip.clock"), chosen not in _CLOCKS
        press = partial(self._state.toggle_menu, CLOCK)
        self.widgets.button("clock", last, texts[-1], press, style="@choice", tip=tip, key="t", chosen=other)

    def _build_size(self, space: Space) -> None:
        """Build the stepper of the board size, if the game has several."""
        game = self._state.game
        if len(GAMES[game].sizes) > 1:
            label = first_text(f"setup.size.{game}", "setup.size")
            place = self.beside(space.top(self.host.theme.px(ROW)), label)
            self.stepper("size", place, size_name(game, self._state.chosen.size), self._state.step_size)

    def _build_opening(self, space: Space) -> None:
        """Build the button that opens the menu of openings, if there are any."""
        if GAMES[self._state.game].openings:
            text = t("setup.opening.chosen", name=start_name(self._state.opening))
            place, press = space.top(self.host.theme.px(_LOW)), partial(self._state.toggle_menu, OPENING)
            self.widgets.button(OPENING, place, text, press, style="@menu", key="o", tip=t("setup.opening"))

    def _build_rules(self, space: Space) -> None:
        """Build the choice of rules, with an explanation of the chosen one, if the game has several."""
        theme, rules, chosen = self.host.theme, GAMES[self._state.game].rules, self._state.chosen.rule
        self._state.untold = ""
        if len(rules) > 1:
            options = [(rule, rule_name(rule)) for rule in rules]
            about = first_text(f"rule.{chosen}.about")
            self.widgets.choice("rule", space.top(theme.px(ROW)), options, chosen, self._set_rule)
            self._build_opening(space)
            space.gap = 0
            lines = wrapped(theme, about, space.rest.width, 14)
            room = (space.rest.height + theme.px(3)) // theme.px(_LINE)  # the last line may reach into the gap below
            if len(lines) > room:
                self._state.untold = about
                lines = (fitted(theme, about, space.rest.width, 14),)[:room]
            for line in lines:
                self.label(space.top(theme.px(_LINE)), line)

    def _toggle_openings(self) -> None:
        """Open or close the menu of openings, if there are any."""
        if GAMES[self._state.game].openings:
            self._state.toggle_menu(OPENING)

    def _set_rule(self, rule: str) -> None:
        """Choose a rule, and keep the other choices."""
        self._state.change(replace(self._state.chosen, rule=rule))

    def _set_quick_clock(self, clock: str) -> None:
        """Choose one of the usual clocks by its text form, empty for none, and close the open menu."""
        self._state.menu = ""
        self._state.set_clock(TimeControl.parse(clock) if clock else None)


_START = 44  # design pixels


class StartButton(Part):
    """The button at the bottom of the space that starts the game, as do `keys`; `text` is the locale key of its label.
    """

    def __init__(self, host: Host, widgets: Widgets, state: SetUp, text: str, *keys: str) -> None:
        self._host, self._widgets, self._state, self._text = host, widgets, state, text
        self.bindings = (Binding(keys, state.start, "keys.start"),)

    def build(self, space: Space) -> None:
        """Take the button from the bottom of the space; Enter is shown as its key."""
        place = space.bottom(self._host.theme.px(_START))
        self._widgets.button("start", place, t(self._text), self._state.start, style="@primary", key="return")


# Who plays a game that is set up: the opponent, the person's side, how strong a computer is, and who two people are.


class SeatsForm(Form):
    """The choice of who plays: opponent, the person's side, strengths, and the names of two people."""

    def __init__(self, host: Host, widgets: Widgets, state: SetUp) -> None:
        super().__init__(host, widgets)
        self._state = state
        self._fields: list[TextLine] = []  # the names of two people
        self.bindings = (Binding(("x",), self._swap, "keys.swap"),)

    def shape(self) -> object:
        """What the layout depends on: the game, and all choices for it."""
        return self._state.game, self._state.chosen

    def build(self, space: Space) -> None:
        """Build the choice of the opponent and, below it, for two people the fields of their names, else the choice of
        the side."""
        self._fields = []
        self._build_opponent(space)
        (self._build_names if self._state.people == 2 else self._build_side)(space)

    def _build_opponent(self, space: Space) -> None:
        """Build the choice of the kind of opponent, and below it that of its strength."""
        game, chosen = self._state.game, self._state.chosen
        other = 1 - self._state.own_side
        self.heading(space, t("setup.against"))
        options = [(kind, seat_label(game, kind)) for kind in usual_seats(game)]
        against, row = button_kind(game, chosen.players[other]), space.top(self.host.theme.px(ROW))
        self.widgets.choice("against", row, options, against, self._state.set_opponent)
        place = space.top(self.host.theme.px(ROW))
        if chosen.players[other] == PERSON:
            self.label(place, t("setup.two_people"))
        else:
            self._build_strength(place, other)

    def _build_side(self, space: Space) -> None:
        """Build the choice of the person's side, or of watching two computers; below it the teaching game, or the
        strength of the second computer."""
        state, px = self._state, self.host.theme.px
        self.heading(space, t("setup.side"))
        options = [*((str(side), short_side(state.game, side)) for side in (0, 1)), (WATCH, t("setup.watch"))]
        cells = columns(space.top(px(ROW)), 3, px(GAP))
        own = state.own_side
        self.widgets.choice("side", cells, options, str(own) if state.people else WATCH, state.set_side)
        place = space.top(px(ROW))
        if not state.people:
            self._build_strength(place, own)
        else:
            cells = columns(self.beside(place, t("setup.teaching")), 2, px(GAP))
            options, chosen = [("on", t("common.on")), ("off", t("common.off"))], ("off", "on")[state.chosen.teaching]
            self.widgets.choice("teaching", cells, options, chosen, self._set_teaching, tip=t("setup.teaching_about"))

    def _build_names(self, space: Space) -> None:
        """Build the fields with the names of two people, and the button that swaps sides."""
        theme, px, game = self.host.theme, self.host.theme.px, self._state.game
        self.heading(space, t("setup.names"))
        room = Space(space.top(2 * px(ROW) + space.gap), space.gap)
        button = room.right(px(ROW))
        for side, name in enumerate(self._state.names):
            row = Space(room.top(px(ROW)), px(GAP))
            self._paint_badge(row.left(px(24)), side)
            field = TextLine(
                theme, row.rest, name, LONGEST_NAME, partial(self._state.set_name, side), hint=side_name(game, side)
            )
            field.label, field.tip = side_name(game, side), t("setup.names.about")
            self._fields.append(self.widgets.add(f"name{side}", field))
        self.widgets.button("swap", button, "", self._swap, icon="swap", tip=t("keys.swap"), key="x")

    def _swap(self) -> None:
        """Swap the players' sides, also in the fields of their names."""
        self._state.swap()
        for field, name in zip(self._fields, self._state.names, strict=False):
            field.set_text(name)

    def _paint_badge(self, place: pygame.Rect, side: int) -> None:
        """Paint a piece of `side`."""
        theme, badge = self.host.theme, look(self._state.game).badge
        self.widgets.paint(lambda surface: badge(surface, theme, place, side))

    def _build_strength(self, place: pygame.Rect, side: int) -> None:
        """Build the row of a computer: a piece of its side, the button of its level menu, and its time for a move."""
        state, px = self._state, self.host.theme.px
        player, seconds = state.chosen.players[side], f"{state.chosen.seconds[side]:g}"
        row, theme = Space(place, px(GAP)), self.host.theme
        self._paint_badge(row.left(px(24)), side)
        timed = is_timed(player) and not state.chosen.clock
        rect = row.left(row.rest.width // 2) if timed else row.rest
        press = partial(state.toggle_menu, LEVELS[side])
        self.widgets.button(LEVELS[side], rect, "", press, tip=t("tip.level"))
        self.widgets.paint(lambda surface: draw_level(surface, theme, rect, state.game, player), over=True)
        if timed:
            text = t("clock.seconds", count=seconds)
            self.stepper(f"time{side}", row.rest, text, partial(state.step_time, side))

    def _set_teaching(self, switch: str) -> None:
        """Switch the teaching game ``on`` or ``off``."""
        self._state.change(replace(self._state.chosen, teaching=switch == "on"))
        if self._state.chosen.teaching:
            self.host.say(t("setup.teaching_about"))


class SetupScreen(Screen):
    """Sets up a game, with the last choices for `game`, or for the game set up last if that is empty. With a `record`,
    the new game continues from its cursor."""

    name = "setup"

    def __init__(
        self, host: Host, game: str = "", record: GameRecord | None = None, back: Content | None = None
    ) -> None:
        super().__init__(host, back)
        game = game or next(iter(host.settings.new_game), next(iter(GAMES)))
        self.state = state = SetUp(host, game if record is None else record.setup.game, record)
        title, start, keys = "setup.title", "setup.start", ["return", "ctrl+n"]
        self._game: Part = GameChoice(host, self.widgets, state)
        self._form: Part = GameForm(host, self.widgets, state)
        if record is not None:
            title, start, keys = "replay.play_on", "play_on.start", ["return"]
            self._game = self._form = Part()
        leave = partial(state.leave, self.go_back)
        self._header = Header(host, self.widgets, lambda: t(title), leave, back, height=32, home=True)
        self._start = StartButton(host, self.widgets, state, start, *keys)
        self._seats = SeatsForm(host, self.widgets, state)
        self._board = SetupBoard(host, self.widgets, state)
        self.parts = [self._start, self._seats, self._form, self._header, self._game, self._board]

    def build(self, space: Space) -> None:
        """Lay the board out in `space`, the header, the button and the forms in the side panel."""
        self.frame.side.gap = self.host.theme.px(GAP)
        lay(self.frame.side, self._header, self._start, self._game, self._seats, self._form)
        self._board.build(space)
