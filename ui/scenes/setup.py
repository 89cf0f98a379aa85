"""The screen on which a new game is set up: which game, how large, who plays and how long they think."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pygame

from ai.levels.levels import is_level, rungs
from ai.levels.profile import resolve_level
from ai.registry import opponents
from games.clock import TimeControl
from games.position import Position
from games.record import PERSON, GameRecord, Seat
from games.registry import GAMES, Setup, setup
from ui.board.registry import board_view, look
from ui.board.view import Frame, Marks
from ui.game.words import (
    control_name,
    game_about,
    rule_name,
    seat_label,
    short_name,
    side_name,
    size_name,
)
from ui.host import Host
from ui.panels.levels import LevelMenu, draw_level, elo_basis
from ui.scene import Scene
from ui.scenes.clock import ClockScene
from ui.scenes.play import Play
from ui.system.settings import NewGame, default_new_game
from ui.toolkit.box_art import rounded
from ui.toolkit.i18n import first_text, t
from ui.toolkit.keys import Binding
from ui.toolkit.layout import Space, columns
from ui.toolkit.text import width_of, write

THINKING_TIMES = (0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0)
"""Seconds a move that the screen offers."""

LEVEL = "level"


def seats_of(game: str) -> tuple[str, ...]:
    """The kinds of players who can sit at a board of `game`: a person, a level where there are any, and the best."""
    return (PERSON, *((LEVEL,) if rungs(game) else ()), opponents(game).strongest)


def kind_of(player: str) -> str:
    """The one of `seats_of` that `player` is."""
    return LEVEL if is_level(player) else player


class SetupScene(Scene):
    """Begins with what was chosen for this game the last time."""

    name, title, start = "setup", "setup.title", "setup.start"
    bindings: tuple[Binding, ...] = (
        Binding(("return", "ctrl+n"), "do_start", "keys.start"),
        Binding(("x",), "do_swap", "keys.swap"),
        Binding(("t",), "do_clock", "keys.clock"),
        Binding(("escape",), "do_back", "keys.back"),
    )

    def __init__(self, host: Host, game: str) -> None:
        super().__init__(host)
        self.menu: LevelMenu | None = None
        self._choose(game)

    def _choose(self, game: str) -> None:
        self.game, self.menu = game, None
        kept = self.host.settings.new_game.get(game, default_new_game(game))
        known = all(kind_of(player) in seats_of(game) for player in kept.players)
        self.chosen = kept if known else replace(kept, players=default_new_game(game).players)
        self.board = board_view(game)

    # Layout.

    def build(self) -> None:
        px = self.host.theme.px
        place, space, self.status = self.split()
        self.board_rect = place if self.menu is None else None
        self._labels: list[tuple[pygame.Rect, str, int | None]] = []
        self._values: list[tuple[pygame.Rect, str]] = []
        self._levels: list[tuple[pygame.Rect, str]] = []
        space.gap = px(8)
        self._build_header(space.top(px(32)))
        start = space.bottom(px(44))
        self.widgets.button("start", start, t(self.start), self.do_start, style="@primary", key="return")
        self.build_head(space)
        for side in (0, 1):
            self._build_seat(space, side)
        self.build_foot(space)
        theme = self.host.theme
        self.board.place(Frame(place, theme.scale, theme.palette, theme.font, False))
        position, moves = self.position()
        self.board.show(position, moves, time.monotonic())
        if self.menu is not None:
            self.menu.build(place)

    def build_head(self, space: Space) -> None:
        """What is above the players."""
        self._build_games(space)

    def build_foot(self, space: Space) -> None:
        """What is below the players: last what not every game has, so that nothing else moves."""
        self._build_clock(space)
        self._build_size(space)
        self._build_rules(space)

    def position(self) -> tuple[Position, tuple[int, ...]]:
        """Where the game begins, and the moves that led there."""
        return self._setup().start(), ()

    def _setup(self) -> Setup:
        return setup(self.game, self.chosen.size, self.chosen.rule)

    def _build_header(self, rect: pygame.Rect) -> None:
        px = self.host.theme.px
        space = Space(rect, px(4))
        home, tip = space.right(px(32)), t("tip.back" if self.back else "tip.home")
        icon = "back" if self.back else "home"
        self.widgets.button("home", home, "", self.do_back, style="@icon", icon=icon, tip=tip, key="escape")
        self.title_rect = space.rest

    def _label(self, space: Space, text: str, side: int | None = None) -> None:
        px = self.host.theme.px
        space.top(px(4))
        self._labels.append((space.top(px(22)), text, side))

    def _build_games(self, space: Space) -> None:
        px = self.host.theme.px
        options = [(game, short_name(game)) for game in GAMES]
        row = Space(space.top(px(36)), px(6))
        widths = [width_of(self.host.theme, name, 16) for _, name in options]
        spare = (row.rest.width - (len(options) - 1) * px(6) - sum(widths)) // len(options)
        cells = [row.left(width + spare) for width in widths]
        self.widgets.choice("game", cells, options, self.game, self._set_game)

    def _build_size(self, space: Space) -> None:
        game = GAMES[self.game]
        if len(game.sizes) > 1:
            beside = self._beside(space, first_text(f"setup.size.{self.game}", "setup.size"))
            self._stepper("size", beside, size_name(self.game, self.chosen.size), self._step_size)

    def _build_clock(self, space: Space) -> None:
        """What is chosen, on a button that opens the page of clocks."""
        place = self._beside(space, t("setup.clock")).rest
        text = control_name(self.chosen.control, short=True)
        self.widgets.button("clock", place, text, self.do_clock, tip=t("tip.clock"), key="t")

    def _beside(self, space: Space, text: str) -> Space:
        """What is to the right of a label that has a row with its value."""
        px = self.host.theme.px
        row = Space(space.top(px(36)), px(8))
        self._labels.append((row.left(px(124)), text, None))
        return Space(row.rest, 0)

    def _build_rules(self, space: Space) -> None:
        game = GAMES[self.game]
        if len(game.rules) > 1:
            px = self.host.theme.px
            self._label(space, t("setup.rule"))
            options = [(rule, rule_name(rule)) for rule in game.rules]
            row = columns(space.top(px(36)), len(options), px(6))
            self.widgets.choice("rule", row, options, self.chosen.rule, self._set_rule)

    def _build_seat(self, space: Space, side: int) -> None:
        px = self.host.theme.px
        who = side_name(self.game, side)
        if side == 0:
            self._label(space, t("setup.begins", side=who), side)
        else:  # beside the label: on the smallest window there is no row to spare
            left, swap = columns(space.top(px(36)), 2, px(6))
            self.widgets.button("swap", swap, t("setup.swap"), self.do_swap, icon="swap", key="x")
            self._labels.append((left, who, side))
        player = self.chosen.players[side]
        names = {PERSON: seat_label(self.game, PERSON), LEVEL: t("seat.level")}
        options = [(seat, names.get(seat, t("seat.full"))) for seat in seats_of(self.game)]
        row = Space(space.top(px(36)), px(6))
        wide = row.rest.width
        shares = (26, 32)[: len(options) - 1]  # the last name is the longest
        cells = *(row.left(wide * share // 100) for share in shares), row.rest
        self.widgets.choice(f"seat{side}", cells, options, kind_of(player), partial(self._set_seat, side))
        self._build_strength(space.top(px(36)), side, player)

    def _build_strength(self, place: pygame.Rect, side: int, player: str) -> None:
        """The level, or how long the engine thinks. A person leaves the place empty, so that nothing else moves."""
        if is_level(player):
            self.widgets.button(f"level{side}", place, "", partial(self._open_menu, side), tip=t("tip.level"))
            self._levels.append((place, player))
        elif player != PERSON and self.chosen.clock:
            self._labels.append((place, t("setup.by_clock"), None))
        elif player != PERSON:
            text = t("setup.seconds", seconds=f"{self.chosen.seconds[side]:g}")
            self._stepper(f"time{side}", Space(place, 0), text, partial(self._step_time, side))

    def _stepper(self, name: str, space: Space, text: str, action: Callable[[int], None]) -> None:
        """A value between two buttons that make it smaller and larger."""
        px = self.host.theme.px
        row = Space(space.top(px(36)), px(6))
        less, more = row.left(px(36)), row.right(px(36))
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
        for rect, text, side in self._labels:
            place = Space(rect, theme.px(8))
            if side is not None:
                look(self.game).badge(surface, theme, place.left(theme.px(22)), side)
            write(surface, theme, text, place.rest, 14, theme.palette.quiet)
        for rect, text in self._values:
            rounded(surface, rect, theme.palette.raised, theme.px(8))
            write(surface, theme, text, rect, 16, align="centre")

    def draw_over(self, surface: pygame.Surface, now: float) -> None:
        for rect, player in self._levels:
            draw_level(surface, self.host.theme, rect, self.game, player)
        if self.menu is not None:
            self.menu.draw(surface)

    def about(self) -> str:
        """What the game is, or the rule, where there are several; under the levels, what their Elo rests on."""
        if self.menu is not None:
            return elo_basis(self.game)
        several = len(GAMES[self.game].rules) > 1
        return first_text(f"rule.{self.chosen.rule}.about") if several else game_about(self.game)

    # Choices.

    def handle(self, event: pygame.event.Event) -> bool:
        if self.menu is not None and event.type == pygame.MOUSEBUTTONDOWN:
            self._close_menu()
            return True
        return False

    def do_back(self) -> None:
        if self.menu is not None:
            self._close_menu()
        else:
            super().do_back()

    def _open_menu(self, side: int) -> None:
        """Shows the levels on the place of the board, or the board again."""
        again = self.menu is not None and self.menu.side == side
        self.menu = None
        if not again:
            choose = partial(self._set_player, side)
            self.menu = LevelMenu(self.host, self.widgets, self.game, side, self.chosen.players[side], choose)
        self.host.rebuild()

    def _close_menu(self) -> None:
        self.menu = None
        self.host.rebuild()

    def _change(self, chosen: NewGame) -> None:
        self.chosen = chosen
        self.remember()
        self.host.rebuild()

    def remember(self) -> None:
        """Keeps what is chosen for the next time."""
        self.host.settings.new_game[self.game] = self.chosen
        self.host.save_settings()

    def _set_game(self, game: str) -> None:
        self._choose(game)
        self.host.rebuild()

    def _set_rule(self, rule: str) -> None:
        self._change(replace(self.chosen, rule=rule))

    def _step_size(self, step: int) -> None:
        sizes = GAMES[self.game].sizes
        self._change(replace(self.chosen, size=max(sizes[0], min(sizes[-1], self.chosen.size + step))))

    def _set_seat(self, side: int, seat: str) -> None:
        """A level is the friendly one at first, and stays the one that it was."""
        level = seat == LEVEL
        if level and is_level(self.chosen.players[side]):
            self._open_menu(side)
        else:
            self._set_player(side, f"level:{opponents(self.game).friendly}" if level else seat)

    def _set_player(self, side: int, player: str) -> None:
        self.menu = None
        players = list(self.chosen.players)
        players[side] = player
        self._change(replace(self.chosen, players=(players[0], players[1])))

    def _step_time(self, side: int, step: int) -> None:
        seconds = list(self.chosen.seconds)
        nearest = min(range(len(THINKING_TIMES)), key=lambda i: abs(THINKING_TIMES[i] - seconds[side]))
        seconds[side] = THINKING_TIMES[max(0, min(len(THINKING_TIMES) - 1, nearest + step))]
        self._change(replace(self.chosen, seconds=(seconds[0], seconds[1])))

    def do_swap(self) -> None:
        chosen = self.chosen
        self._change(replace(chosen, players=chosen.players[::-1], seconds=chosen.seconds[::-1]))

    def do_clock(self) -> None:
        self.host.show(ClockScene(self.host, self.chosen.control, self._set_clock, self))

    def _set_clock(self, control: TimeControl | None) -> None:
        self._change(replace(self.chosen, clock=str(control or "")))

    def do_start(self) -> None:
        record = GameRecord(self._setup(), self.seats(), control=self.chosen.control)
        self.host.show(Play(self.host, record))

    def seats(self) -> tuple[Seat, Seat]:
        return self._seat(0), self._seat(1)

    def _seat(self, side: int) -> Seat:
        player = resolve_level(self.chosen.players[side], self.game)
        alone = self.chosen.players.count(PERSON) == 1  # two persons at one board have only one name in the settings
        name = self.host.settings.player_name if player == PERSON and alone else ""
        own = player != PERSON and not is_level(player) and not self.chosen.clock  # a clock is divided by the player
        return Seat(player, name, self.chosen.seconds[side] if own else None)
