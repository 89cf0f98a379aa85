"""What is played: the game at the top of a set-up, its size, rule and clock, and the button that begins it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from games.clock import TimeControl
from games.registry import GAMES
from ui.game.set_up import CLOCK, SetUp
from ui.host import Host
from ui.part import Part
from ui.parts.form import GAP, LABEL, ROW, Form
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space
from ui.toolkit.text import fitted, text_columns, text_rows, wrapped
from ui.toolkit.widgets import Widgets
from ui.words.games import rule_name, short_name, size_name
from ui.words.numbers import control_name

_CLOCKS = ("", "30 s", "5+3")
"""The usual clocks, in the text form of `TimeControl`; none is the first."""

_LINE = 20  # design pixels


class GameChoice(Form):
    """A row of the games."""

    def __init__(self, host: Host, widgets: Widgets, state: SetUp) -> None:
        super().__init__(host, widgets)
        self._state = state

    def shape(self) -> object:
        return self._state.game

    def build(self, space: Space) -> None:
        theme, options = self.host.theme, [(game, short_name(game)) for game in GAMES]
        places = text_rows(theme, space, [text for _, text in options], theme.px(ROW), theme.px(GAP))
        self.widgets.choice("game", places, options, self._state.game, self._state.choose_game)


class GameForm(Form):
    """Clock, size and rule; at the bottom what every game has, so that it never moves."""

    def __init__(self, host: Host, widgets: Widgets, state: SetUp) -> None:
        super().__init__(host, widgets)
        self._state = state
        self.bindings = (Binding(("t",), partial(state.toggle_menu, CLOCK), "keys.clock"),)

    def shape(self) -> object:
        return self._state.game, self._state.chosen

    def build(self, space: Space) -> None:
        self._build_clock(space)
        space.top(self.host.theme.px(2))
        self._build_size(space)
        self._build_rules(space)

    def _build_clock(self, space: Space) -> None:
        """The usual clocks, and the button of the menu that has every other."""
        theme, control, chosen = self.host.theme, self._state.chosen.control, str(self._state.chosen.control or "")
        texts = [control_name(TimeControl.parse(clock), short=True) for clock in _CLOCKS[1:]]
        texts = [t("setup.clock.none"), *texts, t("setup.clock.other")]
        space.bottom(theme.px(2))  # and a gap more
        *cells, last = text_columns(theme, space.bottom(theme.px(ROW)), texts, theme.px(GAP))
        label = t("setup.clock.chosen", control=control_name(control)) if control else t("setup.clock")
        self.label(space.bottom(theme.px(LABEL)), label)
        options = list(zip(_CLOCKS, texts[:-1], strict=True))
        self.widgets.choice("quick", cells, options, chosen, self._set_quick_clock)
        tip, other = t("tip.clock"), chosen not in _CLOCKS
        press = partial(self._state.toggle_menu, CLOCK)
        self.widgets.button("clock", last, texts[-1], press, style="@choice", tip=tip, key="t", chosen=other)

    def _build_size(self, space: Space) -> None:
        game = self._state.game
        if len(GAMES[game].sizes) > 1:
            label = first_text(f"setup.size.{game}", "setup.size")
            place = self.beside(space.top(self.host.theme.px(ROW)), label)
            self.stepper("size", place, size_name(game, self._state.chosen.size), self._state.step_size)

    def _build_rules(self, space: Space) -> None:
        """The choice of rules, with an explanation of the chosen one."""
        theme, rules, chosen = self.host.theme, GAMES[self._state.game].rules, self._state.chosen.rule
        if len(rules) > 1:
            options = [(rule, rule_name(rule)) for rule in rules]
            about = first_text(f"rule.{chosen}.about")
            self.widgets.choice("rule", space.top(theme.px(ROW)), options, chosen, self._set_rule)
            space.gap = 0
            lines, room = wrapped(theme, about, space.rest.width, 14), space.rest.height // theme.px(_LINE)
            for line in lines if len(lines) <= room else (fitted(theme, about, space.rest.width, 14),)[:room]:
                self.label(space.top(theme.px(_LINE)), line)

    def _set_rule(self, rule: str) -> None:
        self._state.change(replace(self._state.chosen, rule=rule))

    def _set_quick_clock(self, clock: str) -> None:
        self._state.menu = ""
        self._state.set_clock(TimeControl.parse(clock) if clock else None)


_START = 44  # design pixels


class StartButton(Part):
    """At the bottom of the space; `text` is the key of its label."""

    def __init__(self, host: Host, widgets: Widgets, state: SetUp, text: str, *keys: str) -> None:
        self._host, self._widgets, self._state, self._text = host, widgets, state, text
        self.bindings = (Binding(keys, state.start, "keys.start"),)

    def build(self, space: Space) -> None:
        place = space.bottom(self._host.theme.px(_START))
        self._widgets.button("start", place, t(self._text), self._state.start, style="@primary", key="return")
