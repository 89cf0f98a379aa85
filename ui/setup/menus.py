"""The board of a game that is set up, and the menus that take its place: of levels with their Elo, of clocks, and of
openings."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pygame

from ai.core.elo import Estimate
from ai.players.handicaps import BINDING, forbidden_elo, stones_elo, time_elo
from ai.players.levels import EVEN, is_level, level_elos, match_with_program, number_of
from ai.players.opponents import ANCHOR_ELO, opponents
from ai.players.table import elo, measured_elo, player_icon, strongest
from ai.service.profile import load_profile
from games.clock import DIVISORS, TimeControl
from games.opening_rules import RENJU_OPENINGS
from games.position import FIRST, SECOND
from games.registry import GAMES, Setup
from ui.board.looks import board_view
from ui.board.view import BoardView, Marks
from ui.parts.board_part import board_frame
from ui.parts.form import Form
from ui.setup.state import CLOCK, FORBIDDEN, HANDICAPS, LEVELS, OPENING, SetUp, starts, time_handicap, unusual_players
from ui.toolkit.art import icon
from ui.toolkit.i18n import first_text, joined, t
from ui.toolkit.space import Space, columns, without_sides
from ui.toolkit.theme import Theme
from ui.toolkit.typesetting import width_of, wrapped, write
from ui.toolkit.widgets import Widgets
from ui.window.host import Host
from ui.window.part import Part
from ui.words.games import game_about, level_name, seat_about, seat_label, side_name
from ui.words.numbers import control_name, percent_text, span_name
from ui.words.opening_words import opening_rule_name, renju_opening_name

_LEVEL, _LEVEL_GAP, _LEVEL_HEAD, _LEVEL_PADDING = 42, 3, 56, 20
"""Design pixels: a level in the menu, the room between two, the heading, and the room around all."""

_LEAST = 30  # design pixels of a level: where all would be lower, the menu is scrolled
_TITLE = 124  # design pixels of the name of a player, at least
_BAR = 4  # design pixels of what shows how far it is

_WIDEST = 620  # design pixels of a menu


class SetupMenu(Form):
    """A menu on a card in the middle of the space. `build_card` sets `card`."""

    def after_scrolling(self, rows: int) -> int:
        """Return the row to show first after a scroll down by `rows`, up if negative. A menu that is not scrolled
        returns 0."""
        return 0

    def build_card(self, space: Space, high: int) -> None:
        """Add the card in the middle of the space, at most `high` pixels high."""
        palette, room = self.host.theme.palette, space.rest
        self.card = pygame.Rect(0, 0, min(room.width, self.host.theme.px(_WIDEST)), min(room.height, high))
        self.card.center = room.center
        self.widgets.box(self.card, palette.panel, 12, palette.line)


class LevelMenu(SetupMenu):
    """The menu of the players of `game` for `side`: levels, the strongest player, and others without a button of their
    own that can play `rule`. `choose` is called with the name of the one that is clicked.

    If not all rows fit, it shows those from the row `first` on; None makes the `chosen` one visible.
    """

    def __init__(
        self, host: Host, widgets: Widgets, game: str, side: int, chosen: str, choose: Callable[[str], object],
        first: int | None, rule: str = "",
    ) -> None:  # fmt: skip
        super().__init__(host, widgets)
        self.game, self.side, self._first = game, side, first
        self._most: int
        self._title: int  # pixels of the names
        levels = (f"level:{number}" for number in range(1, len(level_elos(game)) + 1))
        graded = [EVEN, *levels] if level_elos(game) else []
        self.names = [*graded, strongest(game), *unusual_players(game, rule)]
        self._chosen, self._choose = chosen, choose
        self._rating = load_profile()[0].rating(game).rating

    def build(self, space: Space) -> None:
        """Build the card with a heading and a row for each player: name, Elo and, as a tooltip, what it is. If the rows
        would get too low, only some are shown, with a scroll bar."""
        px, palette = self.host.theme.px, self.host.theme.palette
        self.build_card(space, px(_LEVEL_HEAD + _LEVEL_PADDING) + len(self.names) * px(_LEVEL + _LEVEL_GAP))
        space = Space(without_sides(self.card, px(_LEVEL_PADDING)), px(_LEVEL_GAP))
        head = Space(without_sides(space.top(px(_LEVEL_HEAD)), px(12)), px(8))
        if any(map(self._elo, self.names)):
            self.widgets.label(head.right(px(64)), "Elo", 14, palette.quiet, align="right")
        self.widgets.label(head.rest, t("level.choose" if level_elos(self.game) else "setup.against"), 20, bold=True)
        room = space.rest.height - px(_LEVEL_PADDING)
        shown = self._visible_names(room // (px(_LEAST) + px(_LEVEL_GAP)))
        high = min(px(_LEVEL), room // len(shown) - px(_LEVEL_GAP))
        self._title = max(px(_TITLE), *(width_of(self.host.theme, self._name(each), 16, bold=True) for each in shown))
        for name in shown:
            rect = space.top(high)
            key = f"level{self.side}.{name.removeprefix('level:')}"
            tip, press = about_player(self.game, name), partial(self._choose, name)
            self.widgets.button(key, rect, "", press, style="@row", tip=tip, chosen=name == self._chosen)
            self._build_row(Space(without_sides(rect, px(12)), px(8)), name)
        if len(shown) < len(self.names):
            self._draw_bar(space.rest.top, len(shown) * (high + px(_LEVEL_GAP)), len(shown))

    def _draw_bar(self, bottom: int, high: int, shown: int) -> None:
        """Draw the scroll bar beside the rows, of which `shown` are visible and `high` pixels high together, down to
        `bottom`."""
        px, each = self.host.theme.px, high / len(self.names)
        top = bottom - high + round((self._first or 0) * each)
        bar = pygame.Rect(self.card.right - px(12), top, px(_BAR), round(shown * each))
        self.widgets.box(bar, self.host.theme.palette.line, 2)

    def _visible_names(self, fits: int) -> list[str]:
        """As many names as fit, from the first row on. If that is None, set it so that the chosen name is among them.
        """
        self._most = max(0, len(self.names) - fits)
        if self._first is None:
            self._first = max([0, *(at - fits + 1 for at, name in enumerate(self.names) if name == self._chosen)])
        self._first = min(self._first, self._most)
        return self.names[self._first : self._first + fits]

    def after_scrolling(self, rows: int) -> int:
        """Return the first row after a scroll by `rows`, within the list."""
        return max(0, min(self._most, (self._first or 0) + rows))

    def _build_row(self, space: Space, name: str) -> None:
        """Build the row of a player: number or icon, name, Elo and, if there is room, its description."""
        theme, palette, px = self.host.theme, self.host.theme.palette, self.host.theme.px
        label = partial(self.widgets.label, over=True)
        even, chosen = name == EVEN, name == self._chosen
        quiet = palette.text if chosen else palette.quiet  # for contrast
        points = self._elo(name)
        label(space.right(px(64)), f"{points:.0f}" if points else "", align="right")
        number = space.left(px(24))
        if is_level(name) and not even:
            label(number, name.removeprefix("level:"), 16, quiet)
        else:
            image = icon("person" if even else player_icon(name), px(18), palette.accent)
            self.widgets.paint(lambda surface: surface.blit(image, image.get_rect(midleft=number.midleft)), over=True)
        colour = palette.accent if even and not chosen else palette.text
        label(space.left(self._title), self._name(name), 16, colour, bold=True)
        about = about_level(self.game, name)
        if width_of(theme, about, 14) <= space.rest.width:  # not in a small window
            label(space.rest, about, 14, quiet)

    def _name(self, name: str) -> str:
        """The name of a player as a person reads it."""
        level = is_level(name) and name != EVEN
        return level_name(self.game, int(number_of(name))) if level else seat_label(self.game, name)

    def _elo(self, name: str) -> float | None:
        """The measured Elo of a player, None if there is none. For an even match the person's own rating."""
        known = measured_elo(name, self.game)
        return self._rating if name == EVEN else None if known is None else known.elo

    def status(self) -> str:
        """Return which level has a fixed Elo; empty for games without Elo."""
        return elo_basis(self.game) if level_elos(self.game) else ""


def about_level(game: str, name: str) -> str:
    """Return a short description of a level, or of another player in the menu."""
    if not is_level(name):
        return seat_about(name) or t("level.full.about")
    if name == EVEN:
        return t("level.even.about")
    number = f"{number_of(name):.0f}"
    return first_text(f"level.{game}.{number}.about", f"level.{number}.about")


def about_player(game: str, name: str) -> str:
    """Return what a player in the menu does, its measured Elo with its error, and its match with another program; for a
    level without such a match, how the Elo figures are to be understood."""
    known = None if is_level(name) else measured_elo(name, game)
    parts = [seat_about(name)]
    if known is not None:
        parts.append(t("level.elo_measured", elo=f"{known.elo:.0f}", error=f"{known.error:.0f}"))
    if (match := match_with_program(game, name)) is not None:
        score, seconds = percent_text(100 * match.score), f"{match.seconds:g}"
        parts.append(t("level.program", score=score, program=match.program, seconds=seconds))
    return " · ".join(filter(None, parts)) or elo_basis(game)


def elo_basis(game: str) -> str:
    """Return the sentence on the scale of the Elo figures of `game`: which level has which Elo by definition."""
    return t("level.elo_basis", level=opponents(game).anchor, elo=f"{ANCHOR_ELO:.0f}")


def draw_level(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, game: str, player: str) -> None:
    """Draw the name and the Elo of `player`, and an arrow, on the button that opens the level menu."""
    palette = theme.palette
    space = Space(without_sides(rect, theme.px(14)), theme.px(8))
    arrow = icon("down", theme.px(16), palette.quiet)
    surface.blit(arrow, arrow.get_rect(center=space.right(theme.px(16)).center))
    if (known := elo(player, game)) is not None:
        points = f"Elo {known.elo:.0f}"
        write(surface, theme, points, space.right(width_of(theme, points, 14) + 1), 14, palette.quiet, align="right")
    label = seat_label(game, player)
    if player == strongest(game) and width_of(theme, label, 16) > space.rest.width:
        label = t("seat.engine.short")
    write(surface, theme, label, space.rest, 16)


PRESETS = {
    "move": ("10 s", "20 s", "30 s", "60 s"),
    "increment": ("1+0", "3+2", "5+3", "10+0", "15+10"),
    "byoyomi": ("2 min, 3×10 s", "5 min, 3×20 s", "10 min, 3×30 s", "20 min, 5×30 s"),
}
"""The presets by kind, in the text form of `TimeControl`."""

MAINS = (30, 60, 90, 120, 180, 300, 420, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200)
INCREMENTS = (0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 60)
PERIODS = (1, 2, 3, 4, 5, 6, 8, 10)
SPANS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
_PARTS: dict[str, dict[str, tuple[int, ...]]] = {
    "none": {},
    "move": {"period": SPANS},
    "increment": {"main": MAINS, "increment": INCREMENTS},
    "byoyomi": {"main": MAINS, "periods": PERIODS, "period": SPANS},
}
"""The parts of each kind of clock that can be changed, and their values."""

_BOTH = (FIRST, SECOND)

_ROW, _GAP, _HEAD, _PADDING, _LINE, _LABEL = 34, 6, 44, 16, 20, 24
"""Design pixels: a row, the room between two, the heading, the room around all, a line of text, and a label."""


def clock_kind(control: TimeControl | None) -> str:
    """The kind of clock: ``none``, ``increment`` (also without one), ``move`` (seconds a move) or ``byoyomi``."""
    if control is None:
        return "none"
    if not control.periods:
        return "increment"
    return "move" if control.main == 0 and control.periods == 1 else "byoyomi"


def next_value(value: int, step: int, values: tuple[int, ...]) -> int:
    """Return the next greater element of `values` if `step` is positive, else the next smaller one; `value` itself if
    there is none. It need not be an element."""
    beyond = [other for other in values if (other > value if step > 0 else other < value)]
    return (min(beyond) if step > 0 else max(beyond)) if beyond else value


def time_handicap_sentence(setup: Setup, control: TimeControl | None, divisors: tuple[int, int]) -> str:
    """Which side has less time by `control` and `divisors`, and the Elo that this costs, if known; empty without a
    handicap."""
    side, divisor = time_handicap(divisors)
    if control is None or divisor == 1:
        return ""
    divided = control_name(control.divided(divisor))
    about = t("clock.part.about", side=side_name(setup.game, side), divisor=divisor, control=divided)
    worth = time_elo(setup.rule, divisor) if GAMES[setup.game].openings else None
    return joined([about, _elo_sentence("clock.part.worth", worth)])


def _elo_sentence(key: str, worth: Estimate | None) -> str:
    """The sentence `key` with the Elo of a handicap; empty where it is not known."""
    return t(key, elo=f"{worth.elo:.0f}".replace("-", "−"), error=f"{worth.error:.0f}") if worth else ""


class ClockMenu(SetupMenu):
    """The menu of time controls. It changes that of `state` at once, and stays open."""

    def __init__(self, host: Host, widgets: Widgets, state: SetUp) -> None:
        super().__init__(host, widgets)
        self.control, self._state = state.chosen.control, state

    def status(self) -> str:
        """Return which side has less time, and the Elo that costs; without a time handicap, the name of the control."""
        state = self._state
        return time_handicap_sentence(state.setup, self.control, state.chosen.divisors) or control_name(self.control)

    # Layout.

    def build(self, space: Space) -> None:
        """Build the card: the button without a clock, presets of each kind of clock, steppers for the parts of the
        chosen one and each side's share of time, and a sentence on it. Its height is the same for all kinds."""
        px = self.host.theme.px
        offered = 1 + max(map(len, PRESETS.values())) + max(map(len, _PARTS.values())) + len(_BOTH)
        high = px(_HEAD + 2 * _PADDING + _LABEL + 3 * _GAP + 2 * _LINE) + offered * px(_ROW + _GAP)
        self.build_card(space, high)
        space = Space(self.card.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), px(_GAP))
        head = Space(space.top(px(_HEAD)), px(8))
        none = head.right(px(160)).inflate(0, px(_ROW - _HEAD))
        self.widgets.button(
            "preset.none", none, t("clock.none"), partial(self._set_control, None), style="@choice",
            chosen=not self.control,
        )  # fmt: skip
        self.widgets.label(head.rest, t("clock.title"), 20, bold=True)
        self._build_presets(space)
        space.top(px(_GAP))
        for part, values in _PARTS[clock_kind(self.control)].items():
            self._build_part_stepper(space.top(px(_ROW)), part, values)
        for side in _BOTH if self.control is not None else ():
            self._build_time_share(space.top(px(_ROW)), side)
        about = wrapped(self.host.theme, t(f"clock.{clock_kind(self.control)}.about"), space.rest.width, 14)
        space.gap = 0
        self.widgets.lines(space, about, px(_LINE), 14, self.host.theme.palette.quiet)

    def _build_presets(self, space: Space) -> None:
        """Build a column of presets for each kind of clock."""
        px = self.host.theme.px
        high = px(_LABEL) + max(map(len, PRESETS.values())) * px(_ROW + _GAP)
        for (kind, presets), column in zip(PRESETS.items(), columns(space.top(high), 3, px(12)), strict=True):
            rows = Space(column, px(_GAP))
            self.label(rows.top(px(_LABEL)), t(f"clock.{kind}"))
            options = [(text, control_name(TimeControl.parse(text), short=True)) for text in presets]
            cells = [rows.top(px(_ROW)) for _ in options]
            self.widgets.choice("preset", cells, options, str(self.control), self._set_preset)

    def _build_part_stepper(self, row: pygame.Rect, part: str, values: tuple[int, ...]) -> None:
        """Build the stepper of one part of the time control, such as the increment."""
        space = Space(row, self.host.theme.px(_GAP))
        per_move = part == "period" and clock_kind(self.control) == "move"
        self.label(space.left(row.width // 3), t("clock.each" if per_move else f"clock.{part}"))
        value = getattr(self.control, part)
        text = str(value) if part == "periods" else span_name(value)
        self.stepper(part, space.rest, text, lambda step: self._step_part(part, step, values), 44)

    def _build_time_share(self, row: pygame.Rect, side: int) -> None:
        """Build the choice of the share of the time that `side` gets."""
        space, state = Space(row, self.host.theme.px(_GAP)), self._state
        self.label(space.left(row.width // 3), t("clock.part", side=side_name(state.game, side)))
        cells = columns(space.rest, 1 + len(DIVISORS), self.host.theme.px(_GAP))
        for cell, divisor in zip(cells, (1, *DIVISORS), strict=True):
            divisors = (1, divisor) if side else (divisor, 1)
            text = t("clock.part.full") if divisor == 1 else f"1/{divisor}"
            self.widgets.button(
                f"part{side}.{divisor}", cell, text, partial(state.set_divisors, divisors), style="@choice",
                tip=time_handicap_sentence(state.setup, self.control, divisors),
                chosen=state.chosen.divisors[side] == divisor,
            )  # fmt: skip

    # Choices.

    def _set_control(self, control: TimeControl | None) -> None:
        """Choose a time control; None for no clock."""
        self.control = control
        self._state.set_clock(control)

    def _set_preset(self, text: str) -> None:
        """Choose a preset by the text form of its time control."""
        self._set_control(TimeControl.parse(text))

    def _step_part(self, part: str, step: int, values: tuple[int, ...]) -> None:
        """Set one part of the time control to the next of `values` in the direction of `step`."""
        if self.control is not None:
            given = {name: getattr(self.control, name) for name in ("main", "increment", "periods", "period")}
            self._set_control(TimeControl(**{**given, part: next_value(given[part], step, values)}))


_ACROSS = 5  # openings of renju in a row


def start_name(start: str) -> str:
    """The name of a start of a game: one of `starts`, or `FORBIDDEN`."""
    if start == FORBIDDEN:
        return t("begin.forbidden")
    if start in HANDICAPS:
        return t("begin.stones", count=HANDICAPS[start])
    return renju_opening_name(start) if start in RENJU_OPENINGS else opening_rule_name(start)


def start_about(start: str, setup: Setup) -> str:
    """What a game of `setup` begins with by `start`, one of `starts` or `FORBIDDEN`, and the Elo of a handicap or of
    the first move, if known."""
    if start == FORBIDDEN:
        return joined([t("begin.forbidden.about"), _elo_sentence("begin.forbidden.worth", forbidden_elo(setup.rule))])
    if more := HANDICAPS.get(start):
        worth = stones_elo(setup.rule, more)
        return joined([t("begin.stones.about", count=more), _elo_sentence("begin.stones.worth", worth)])
    if not start:
        return joined([t("begin.none.about"), _elo_sentence("begin.none.worth", stones_elo(setup.rule, 0))])
    return t("begin.named.about" if start in RENJU_OPENINGS else f"begin.{start}.about")


class OpeningMenu(SetupMenu):
    """The menu of the starts of a game of `setup`. `choose` is called with the one that is clicked."""

    def __init__(
        self, host: Host, widgets: Widgets, setup: Setup, chosen: str, choose: Callable[[str], object]
    ) -> None:
        super().__init__(host, widgets)
        self._setup, self._starts, self._chosen, self._choose = setup, starts(setup), chosen, choose

    def status(self) -> str:
        """Return what the game begins with by the chosen start."""
        return start_about(self._chosen, self._setup)

    def build(self, space: Space) -> None:
        """Build the card with groups of starts: opening rules, the openings of renju in two kinds, and handicaps. A
        group without any is left out."""
        px = self.host.theme.px
        rules = [start for start in self._starts if start not in RENJU_OPENINGS and start not in HANDICAPS]
        named = [start for start in self._starts if start in RENJU_OPENINGS]
        parts = {"rules": rules}
        for key in ("direct", "indirect"):
            parts[key] = [start for start in named if RENJU_OPENINGS[start].direct == (key == "direct")]
        parts["handicap"] = [*HANDICAPS, *([] if self._setup.rule == BINDING else [FORBIDDEN])]
        parts = {key: found for key, found in parts.items() if found}
        across = {"rules": 3, "direct": _ACROSS, "indirect": _ACROSS, "handicap": len(parts["handicap"])}
        rows = sum(-(-len(found) // across[key]) for key, found in parts.items())
        high = px(_HEAD + 2 * _PADDING) + len(parts) * px(_LABEL + 2 * _GAP) + rows * px(_ROW + _GAP)
        self.build_card(space, high)
        inside = Space(self.card.inflate(-2 * px(_PADDING), -2 * px(_PADDING)), px(_GAP))
        self.widgets.label(inside.top(px(_HEAD)), t("setup.opening"), 20, bold=True)
        for key, found in parts.items():
            self.label(inside.top(px(_LABEL)), t(f"setup.opening.{key}"))
            self._build_row(inside, found, across[key])
            inside.top(0)

    def _build_row(self, space: Space, found: list[str], across: int) -> None:
        """Build the buttons of the starts `found`, in rows of `across`."""
        px = self.host.theme.px
        for first in range(0, len(found), across):
            row = columns(space.top(px(_ROW)), across, px(_GAP))
            for place, start in zip(row, found[first : first + across], strict=False):
                text = t(f"renju.{start}") if start in RENJU_OPENINGS else start_name(start)
                about = start_about(start, self._setup)
                tip = f"{start_name(start)}. {about}" if start in RENJU_OPENINGS else about
                self.widgets.button(
                    f"start.{start or 'none'}", place, text, partial(self._choose, start), style="@choice", tip=tip,
                    chosen=start == self._chosen,
                )  # fmt: skip


class SetupBoard(Part):
    """The board with the start of the game or, while one is open, a menu in its place. A click beside the menu closes
    it."""

    def __init__(self, host: Host, widgets: Widgets, state: SetUp) -> None:
        self._host, self._widgets, self._state = host, widgets, state
        self._board: tuple[str, BoardView] = (state.game, board_view(state.game))
        self.menu: SetupMenu | None = None

    def shape(self) -> object:
        """What the layout depends on: the open menu and how far it is scrolled, the game, and all choices for it."""
        return self._state.menu, self._state.first_row, self._state.game, self._state.chosen

    def build(self, space: Space) -> None:
        """Take all the space for the board with the start, and build the open menu, if any, in its place."""
        state = self._state
        if state.game != self._board[0]:
            self._board = state.game, board_view(state.game)
        board = self._board[1]
        board.place(board_frame(self._host, space.rest))
        position, moves = state.position()
        board.show(position, moves, time.monotonic())
        self.menu = self._make_menu()
        if self.menu is not None:
            self.menu.build(space)

    def _make_menu(self) -> SetupMenu | None:
        """Return the menu that is open, None if none is."""
        state = self._state
        if state.menu == CLOCK:
            return ClockMenu(self._host, self._widgets, state)
        if state.menu == OPENING:
            return OpeningMenu(self._host, self._widgets, state.setup, state.opening, state.set_opening)
        if state.menu in LEVELS:
            side = LEVELS.index(state.menu)
            choose, rule = partial(state.set_player, side), state.setup.rule
            chosen = state.chosen.players[side]
            return LevelMenu(self._host, self._widgets, state.game, side, chosen, choose, state.first_row, rule)
        return None

    def draw(self, surface: pygame.Surface, now: float) -> None:
        """Draw the board, unless a menu is open; the menu consists of widgets."""
        if self.menu is None:
            self._board[1].draw(surface, Marks(coordinates=self._host.settings.coordinates), now)

    def status(self) -> str:
        """The description of the open menu or, without one, of what was chosen, or of the game."""
        if self.menu is not None:
            return self.menu.status()
        if self._state.teaching:
            return t("setup.teaching_about")
        if self._state.opening:
            return start_about(self._state.opening, self._state.setup)
        if self._state.untold:
            return self._state.untold
        return game_about(self._state.game) if self._state.record is None else t("play_on.about")

    def handle(self, event: pygame.event.Event) -> bool:
        """Scroll the open menu with the wheel, or close it by a click beside it. An open menu takes all clicks."""
        if self.menu is not None and event.type == pygame.MOUSEWHEEL:
            self._state.first_row = self.menu.after_scrolling(-event.y)
            return True
        if self.menu is None or event.type != pygame.MOUSEBUTTONDOWN:
            return False
        if not self.menu.card.collidepoint(event.pos):
            self._state.menu = ""
        return True
