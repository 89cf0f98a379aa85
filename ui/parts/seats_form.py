"""Who plays a game that is set up: the opponent, the person's side, and how strong a computer is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pygame

from ai.levels.levels import level_elos
from ai.players import is_timed
from games.record import PERSON
from ui.board.registry import look
from ui.game.set_up import LEVELS, WATCH, SetUp, button_of, unusual_players, usual_seats
from ui.host import Host
from ui.parts.form import GAP, ROW, Form
from ui.parts.setup_board import draw_level
from ui.toolkit.i18n import t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.widgets import Widgets
from ui.words.games import seat_label, short_side


class SeatsForm(Form):
    def __init__(self, host: Host, widgets: Widgets, state: SetUp) -> None:
        super().__init__(host, widgets)
        self._state = state
        self.bindings = (Binding(("x",), state.swap, "keys.swap"),)

    def shape(self) -> object:
        return self._state.game, self._state.chosen

    def build(self, space: Space) -> None:
        self._build_opponent(space)
        self._build_side(space)

    def _build_opponent(self, space: Space) -> None:
        game, chosen = self._state.game, self._state.chosen
        other = 1 - self._state.own_side
        self.heading(space, t("setup.against"))
        options = [(kind, seat_label(game, kind)) for kind in usual_seats(game)]
        against, row = button_of(game, chosen.players[other]), space.top(self.host.theme.px(ROW))
        self.widgets.choice("against", row, options, against, self._state.set_opponent)
        place = space.top(self.host.theme.px(ROW))
        if chosen.players[other] == PERSON:
            self.label(place, t("setup.two_people"))
        else:
            self._build_strength(place, other)

    def _build_side(self, space: Space) -> None:
        """The choice of the person's side, or of watching two computers, which need a strength each."""
        state, px = self._state, self.host.theme.px
        self.heading(space, t("setup.side"))
        options = [*((str(side), short_side(state.game, side)) for side in (0, 1)), (WATCH, t("setup.watch"))]
        cells = columns(space.top(px(ROW)), 3, px(GAP))
        own = state.own_side
        self.widgets.choice("side", cells, options, (WATCH, str(own), "")[state.people], state.set_side)
        for value, _ in options:
            self.widgets.enable(f"side.{value}", state.people < 2)
        place = space.top(px(ROW))
        if not state.people:
            self._build_strength(place, own)
        elif state.people == 1:
            cells = columns(self.beside(place, t("setup.teaching")), 2, px(GAP))
            options, chosen = [("on", t("common.on")), ("off", t("common.off"))], ("off", "on")[state.chosen.teaching]
            self.widgets.choice("teaching", cells, options, chosen, self._set_teaching, tip=t("setup.teaching_about"))

    def _build_strength(self, place: pygame.Rect, side: int) -> None:
        """The badge of the side, the button of the level menu, and the engine's time."""
        state, px = self._state, self.host.theme.px
        player, seconds = state.chosen.players[side], f"{state.chosen.seconds[side]:g}"
        row = Space(place, px(GAP))
        badge, theme = row.left(px(24)), self.host.theme
        self.widgets.paint(lambda surface: look(state.game).badge(surface, theme, badge, side))
        timed = is_timed(player) and not state.chosen.clock
        menu = bool(level_elos(state.game) or unusual_players(state.game))
        if menu:
            rect = row.left(row.rest.width // 2) if timed else row.rest
            press = partial(state.toggle_menu, LEVELS[side])
            self.widgets.button(LEVELS[side], rect, "", press, tip=t("tip.level"))
            self.widgets.paint(lambda surface: draw_level(surface, theme, rect, state.game, player), over=True)
        if timed:
            text = t("clock.seconds", count=seconds) if menu else t("setup.seconds", seconds=seconds)
            self.stepper(f"time{side}", row.rest, text, partial(state.step_time, side))

    def _set_teaching(self, switch: str) -> None:
        self._state.change(replace(self._state.chosen, teaching=switch == "on"))
        if self._state.chosen.teaching:
            self.host.say(t("setup.teaching_about"))
