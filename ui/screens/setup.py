"""The set-up of a new game: opponent, side, size, rule and clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import pygame

from ai.levels.levels import is_level, level_elos
from ai.players import is_timed, kind_of
from games.clock import TimeControl
from games.position import Position
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, Setup, setup
from ui.board.registry import board_view, look
from ui.board.view import Frame, Marks
from ui.game.new_game import (
    against,
    own_side,
    seat,
    seats_of,
    stepped_time,
    swapped,
    watched,
    with_player,
)
from ui.host import Host
from ui.parts.clock_menu import ClockMenu
from ui.parts.levels import LevelMenu, draw_level
from ui.scene import Scene
from ui.screens.play import Play
from ui.system.settings import NewGame, default_new_game
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import text_columns, text_rows, wrapped, write
from ui.words.clocks import control_name
from ui.words.games import game_about, rule_name, short_name, short_side, size_name
from ui.words.players import kind_label

WATCH = "watch"

_CLOCKS = ("", "30 s", "5+3")
"""The usual clocks, in the text form of `TimeControl`; none is the first."""

_ROW, _GAP, _LABEL, _LINE = 34, 6, 20, 20  # design pixels


class SetupScene(Scene):
    """Begins with the last choices for this game."""

    name, title, start = "setup", "setup.title", "setup.start"
    bindings: tuple[Binding, ...] = (
        Binding(("return", "ctrl+n"), "do_start", "keys.start"),
        Binding(("x",), "do_swap", "keys.swap"),
        Binding(("t",), "do_clock", "keys.clock"),
        Binding(("escape",), "do_back", "keys.back"),
    )

    def __init__(self, host: Host, game: str) -> None:
        super().__init__(host)
        self._choose(game)

    def _choose(self, game: str) -> None:
        self.game = game
        self.menu: LevelMenu | ClockMenu | None = None
        kept = self.host.settings.new_game.get(game, default_new_game(game))
        known = all(kind_of(player) in seats_of(game) for player in kept.players)
        self.chosen = kept if known else replace(kept, players=default_new_game(game).players)
        self.board = board_view(game)

    # Layout.

    def build(self) -> None:
        theme = self.host.theme
        px = theme.px
        place, space, self.status = self.split()
        self.board_rect = place if self.menu is None else None
        self._labels: list[tuple[pygame.Rect, str]] = []
        self._values: list[tuple[pygame.Rect, str]] = []
        self._seats: list[tuple[pygame.Rect, str]] = []
        self._badges: list[tuple[pygame.Rect, int]] = []
        space.gap = px(_GAP)
        self._build_header(space.top(px(32)))
        start = space.bottom(px(44))
        self.widgets.button("start", start, t(self.start), self.do_start, style="@primary", key="return")
        self.build_head(space)
        self._build_opponent(space)
        self._build_side(space)
        self.build_foot(space)
        self.board.place(Frame(place, theme.scale, theme.palette, theme.font, False))
        position, moves = self.position()
        self.board.show(position, moves, time.monotonic())
        if self.menu is not None:
            self.menu.build(place)

    def build_head(self, space: Space) -> None:
        """Make what is above the players."""
        theme, options = self.host.theme, [(game, short_name(game)) for game in GAMES]
        places = text_rows(theme, space, [text for _, text in options], theme.px(_ROW), theme.px(_GAP))
        self.widgets.choice("game", places, options, self.game, self._set_game)

    def build_foot(self, space: Space) -> None:
        """Make what is below the players: at the bottom what every game has, so that it never moves."""
        self._build_clock(space)
        space.top(self.host.theme.px(2))
        self._build_size(space)
        self._build_rules(space)

    def position(self) -> tuple[Position, tuple[int, ...]]:
        """The position at the start of the game, and the moves that led there."""
        return self._setup().start(), ()

    def _setup(self) -> Setup:
        return setup(self.game, self.chosen.size, self.chosen.rule)

    def _build_header(self, rect: pygame.Rect) -> None:
        if self.back:
            self.title_rect = self.back_button(rect)
            return
        px = self.host.theme.px
        space = Space(rect, px(4))
        home, tip = space.right(px(32)), t("tip.home")
        self.widgets.button("home", home, "", self.do_back, style="@icon", icon="home", tip=tip, key="escape")
        self.title_rect = space.rest

    def _cells(self, space: Space, options: Sequence[tuple[str, str]]) -> list[pygame.Rect]:
        """Return a row of cells for the options, with equal room around their texts."""
        px = self.host.theme.px
        return text_columns(self.host.theme, space.top(px(_ROW)), [text for _, text in options], px(_GAP))

    def _labelled(self, space: Space, text: str) -> None:
        space.top(self.host.theme.px(2))  # and a gap more
        self._labels.append((space.top(self.host.theme.px(_LABEL)), text))

    def _build_opponent(self, space: Space) -> None:
        px, other = self.host.theme.px, 1 - own_side(self.chosen)
        self._labelled(space, t("setup.against"))
        options = [(kind, kind_label(self.game, kind)) for kind in seats_of(self.game)]
        chosen = kind_of(self.chosen.players[other])
        places = text_rows(self.host.theme, space, [text for _, text in options], px(_ROW), px(_GAP))
        self.widgets.choice("against", places, options, chosen, self._set_opponent)
        place = space.top(px(_ROW))
        if self.chosen.players[other] == PERSON:
            self._labels.append((place, t("setup.two_people")))
        else:
            self._build_strength(place, other)

    def _build_side(self, space: Space) -> None:
        """Make the choice of the person's side, or of watching two computers, which need a strength each."""
        people = self.chosen.players.count(PERSON)
        self._labelled(space, t("setup.side"))
        options = [*((str(side), short_side(self.game, side)) for side in (0, 1)), (WATCH, t("setup.watch"))]
        cells = columns(space.top(self.host.theme.px(_ROW)), 3, self.host.theme.px(_GAP))
        own = own_side(self.chosen)
        chosen = (WATCH, str(own), "")[people]
        self.widgets.choice("side", cells, options, chosen, self._set_side)
        for value, _ in options:
            self.widgets.enable(f"side.{value}", people < 2)
        place = space.top(self.host.theme.px(_ROW))
        if not people:
            self._build_strength(place, own)
        elif people == 1:
            cells = columns(self._beside(place, t("setup.teaching")), 2, self.host.theme.px(_GAP))
            options, chosen = [("on", t("common.on")), ("off", t("common.off"))], ("off", "on")[self.chosen.teaching]
            self.widgets.choice("teaching", cells, options, chosen, self._set_teaching, tip=t("setup.teaching_about"))

    def _build_strength(self, place: pygame.Rect, side: int) -> None:
        """Make the badge of the side, the button of the level menu, and the engine's time."""
        px, player = self.host.theme.px, self.chosen.players[side]
        row, seconds = Space(place, px(_GAP)), f"{self.chosen.seconds[side]:g}"
        self._badges.append((row.left(px(24)), side))
        levels, timed = bool(level_elos(self.game)), is_timed(player) and not self.chosen.clock
        if levels:
            rect = row.left(row.rest.width // 2) if timed else row.rest
            self.widgets.button(f"level{side}", rect, "", partial(self._open_menu, side), tip=t("tip.level"))
            self._seats.append((rect, player))
        if timed:
            text = t("clock.seconds", count=seconds) if levels else t("setup.seconds", seconds=seconds)
            self._stepper(f"time{side}", row.rest, text, partial(self._step_time, side))

    def _build_size(self, space: Space) -> None:
        if len(GAMES[self.game].sizes) > 1:
            label = first_text(f"setup.size.{self.game}", "setup.size")
            place = self._beside(space.top(self.host.theme.px(_ROW)), label)
            self._stepper("size", place, size_name(self.game, self.chosen.size), self._step_size)

    def _build_rules(self, space: Space) -> None:
        """Make the choice of rules, with an explanation of the chosen one."""
        theme, rules = self.host.theme, GAMES[self.game].rules
        if len(rules) > 1:
            options = [(rule, rule_name(rule)) for rule in rules]
            self.widgets.choice("rule", self._cells(space, options), options, self.chosen.rule, self._set_rule)
            space.gap = 0
            for line in wrapped(theme, self.rule_about(), space.rest.width, 14):
                self._labels.append((space.top(theme.px(_LINE)), line))

    def _build_clock(self, space: Space) -> None:
        """Make the choice of the usual clocks, and the button of the menu that has every other."""
        theme, control, chosen = self.host.theme, self.chosen.control, str(self.chosen.control or "")
        texts = [control_name(TimeControl.parse(clock), short=True) for clock in _CLOCKS[1:]]
        texts = [t("setup.clock.none"), *texts, t("setup.clock.other")]
        space.bottom(theme.px(2))  # and a gap more
        *cells, last = text_columns(theme, space.bottom(theme.px(_ROW)), texts, theme.px(_GAP))
        label = t("setup.clock.chosen", control=control_name(control)) if control else t("setup.clock")
        self._labels.append((space.bottom(theme.px(_LABEL)), label))
        options = list(zip(_CLOCKS, texts[:-1], strict=True))
        self.widgets.choice("quick", cells, options, chosen, self._set_quick_clock)
        tip, other = t("tip.clock"), chosen not in _CLOCKS
        self.widgets.button("clock", last, texts[-1], self.do_clock, style="@choice", tip=tip, key="t", chosen=other)

    def _beside(self, row: pygame.Rect, text: str) -> pygame.Rect:
        """Return the place right of a label."""
        space = Space(row, self.host.theme.px(8))
        self._labels.append((space.left(self.host.theme.px(124)), text))
        return space.rest

    def _stepper(self, name: str, place: pygame.Rect, text: str, action: Callable[[int], None]) -> None:
        """Make a value between two buttons that decrease and increase it."""
        px = self.host.theme.px
        row = Space(place, px(_GAP))
        less, more = row.left(px(_ROW)), row.right(px(_ROW))
        self.widgets.button(f"{name}.less", less, "", lambda: action(-1), icon="minus", tip=t("tip.less"))
        self.widgets.button(f"{name}.more", more, "", lambda: action(1), icon="plus", tip=t("tip.more"))
        self._values.append((row.rest, text))

    # Picture.

    def draw(self, surface: pygame.Surface, now: float) -> None:
        theme = self.host.theme
        self.draw_frame(surface, self.status, self.about(), t("status.keys"))
        if self.menu is None:
            self.board.draw(surface, Marks(coordinates=self.host.settings.coordinates), now)
        else:
            self.menu.draw_under(surface)
        write(surface, theme, t(self.title), self.title_rect, 20, bold=True)
        for rect, text in self._labels:
            write(surface, theme, text, rect, 14, theme.palette.quiet)
        for rect, text in self._values:
            rounded(surface, rect, theme.palette.raised, theme.px(8))
            write(surface, theme, text, rect, 16, align="centre")
        for rect, side in self._badges:
            look(self.game).badge(surface, theme, rect, side)

    def draw_over(self, surface: pygame.Surface, now: float) -> None:
        for rect, player in self._seats:
            draw_level(surface, self.host.theme, rect, self.game, player)
        if self.menu is not None:
            self.menu.draw(surface)

    def about(self) -> str:
        """The description of the game, or of the open menu."""
        return game_about(self.game) if self.menu is None else self.menu.about()

    def rule_about(self) -> str:
        return first_text(f"rule.{self.chosen.rule}.about")

    # Choices.

    def handle(self, event: pygame.event.Event) -> bool:
        if self.menu is not None and event.type == pygame.MOUSEBUTTONDOWN:
            if not self.menu.card.collidepoint(event.pos):
                self._show_menu(None)
            return True
        return False

    def do_back(self) -> None:
        if self.menu is not None:
            self._show_menu(None)
        else:
            super().do_back()

    def _show_menu(self, menu: LevelMenu | ClockMenu | None) -> None:
        """Show a menu in place of the board, or the board."""
        self.menu = menu
        self.host.rebuild()

    def _open_menu(self, side: int) -> None:
        if isinstance(self.menu, LevelMenu) and self.menu.side == side:
            self._show_menu(None)
        else:
            choose = partial(self._set_player, side)
            self._show_menu(LevelMenu(self.host, self.widgets, self.game, side, self.chosen.players[side], choose))

    def do_clock(self) -> None:
        if isinstance(self.menu, ClockMenu):
            self._show_menu(None)
        else:
            self._show_menu(ClockMenu(self.host, self.widgets, self.chosen.control, self._set_clock))

    def _change(self, chosen: NewGame) -> None:
        self.chosen = chosen
        self.remember()
        self.host.rebuild()

    def remember(self) -> None:
        """Keep the choices for the next game."""
        self.host.settings.new_game[self.game] = self.chosen
        self.host.save_settings()

    def _set_game(self, game: str) -> None:
        self._choose(game)
        self.host.rebuild()

    def _set_rule(self, rule: str) -> None:
        self._change(replace(self.chosen, rule=rule))

    def _set_quick_clock(self, clock: str) -> None:
        self.menu = None
        self._set_clock(TimeControl.parse(clock) if clock else None)

    def _set_clock(self, control: TimeControl | None) -> None:
        self._change(replace(self.chosen, clock=str(control or "")))

    def _step_size(self, step: int) -> None:
        sizes = GAMES[self.game].sizes
        self._change(replace(self.chosen, size=max(sizes[0], min(sizes[-1], self.chosen.size + step))))

    def _set_opponent(self, kind: str) -> None:
        """Choose the kind of opponent. The menu opens if a level is chosen already."""
        side = 1 - own_side(self.chosen)
        if is_level(self.chosen.players[side]) and kind == kind_of(self.chosen.players[side]):
            self._open_menu(side)
        else:
            self._reseat(against(self.chosen, self.game, kind))

    def _set_player(self, side: int, player: str) -> None:
        self._reseat(with_player(self.chosen, side, player))

    def _set_side(self, side: str) -> None:
        if side == WATCH:
            self._reseat(watched(self.chosen))
        elif PERSON not in self.chosen.players:
            self._set_player(int(side), PERSON)
        elif int(side) != own_side(self.chosen):
            self.do_swap()
        else:
            self._reseat(self.chosen)

    def _set_teaching(self, switch: str) -> None:
        self._change(replace(self.chosen, teaching=switch == "on"))
        if self.chosen.teaching:
            self.host.say(t("setup.teaching_about"))

    @property
    def teaching(self) -> bool:
        return self.chosen.teaching and self.chosen.players.count(PERSON) == 1

    def _reseat(self, chosen: NewGame) -> None:
        self.menu = None
        self._change(chosen)

    def _step_time(self, side: int, step: int) -> None:
        self._change(stepped_time(self.chosen, side, step))

    def do_swap(self) -> None:
        self._reseat(swapped(self.chosen))

    def do_start(self) -> None:
        record = GameRecord(self._setup(), self.seats(), control=self.chosen.control)
        self.host.show(Play(self.host, record, teaching=self.teaching))

    def seats(self) -> tuple[Seat, Seat]:
        return self._seat(0), self._seat(1)

    def _seat(self, side: int) -> Seat:
        return seat(self.chosen, self.game, side, self.host.settings.player_name)
