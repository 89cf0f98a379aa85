"""The state of the set-up screen, without pixels: the choices for a new game, and the players and starts that can be
chosen."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from ai.gomoku.openings import openings
from ai.players.handicaps import BINDING
from ai.players.levels import EVEN, level_elos
from ai.players.table import is_program, is_timed, kind_of, learns, offered_players, strongest, unable
from ai.service.profile import load_profile, resolve_level
from games.clock import TimeControl
from games.coords import images_of
from games.formats.text import parse
from games.opening_rules import (
    MOST_STONES,
    OPENING_RULES,
    RENJU_OPENINGS,
    OpeningPhase,
    handicap_stones,
    opening_moves,
    opening_rules,
)
from games.position import Position, Stones
from games.record import PERSON, GameRecord, Seat, moves_to, path
from games.registry import GAMES, Setup, setup
from ui import screens
from ui.parts.ratings import Habits
from ui.system.settings import DEFAULT_SECONDS, NewGame, clean_name, default_new_game
from ui.toolkit.i18n import t
from ui.window.host import Host
from ui.words.games import rule_name, seat_label

WATCH = "watch"

LEVELS, CLOCK, OPENING = ("level0", "level1"), "clock", "opening"
"""The menus that may lie in place of the board: of the levels of either side, of the clocks and of the openings."""

LOT = "lot"
"""The start with balanced stones that are drawn by lot."""

HANDICAPS = {f"stones{more}": more for more in range(1, MOST_STONES + 1)}
"""The starts with a handicap, and how many stones more black has."""

FORBIDDEN = "forbidden"
"""The handicap of forbidden points: to play by `BINDING` instead."""

THINKING_TIMES = (0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0)
"""Seconds a move to choose from."""


def players_by_kind(game: str) -> dict[str, str]:
    """The players that can be chosen for `game`, the person first. The key is the kind of player; for a second player
    of the same kind, its name."""
    seats: dict[str, str] = {}
    for name in (PERSON, *offered_players(game)):
        seats[name if kind_of(name) in seats else kind_of(name)] = name
    return seats


def usual_seats(game: str) -> list[str]:
    """The kinds of players that have a button of their own; the others are in the menu of levels."""
    usual = PERSON, kind_of(EVEN), kind_of(strongest(game))
    return [kind for kind in players_by_kind(game) if kind in usual]


def unusual_players(game: str, rule: str = "") -> list[str]:
    """The names of the players in the menu of levels that have no button of their own, without those that cannot play
    by `rule`."""
    usual = usual_seats(game)
    return [name for kind, name in players_by_kind(game).items() if kind not in usual and not unable(name, rule)]


def menu_kind(game: str) -> str:
    """The kind of player whose button opens the menu of levels: the levels if the game has some, else the kind of the
    strongest player."""
    return kind_of(EVEN if level_elos(game) else strongest(game))


def is_offered(game: str, player: str) -> bool:
    """Whether `player` can be chosen for `game`. A level counts if levels are offered."""
    seats = players_by_kind(game)
    return player in seats.values() or (kind_of(player) in seats and not is_program(player))


def button_kind(game: str, player: str) -> str:
    """The kind of player whose button is highlighted while `player` is chosen."""
    return kind_of(player) if kind_of(player) in usual_seats(game) else menu_kind(game)


def starts(setup: Setup) -> list[str]:
    """Return the keys of the ways a game can begin: the empty key for an empty board, opening rules, `LOT` for stones
    drawn by lot, openings of renju, and handicaps."""
    if not GAMES[setup.game].openings:
        return [""]
    named = list(RENJU_OPENINGS) if setup.size % 2 else []
    return ["", *opening_rules(setup), LOT, *named, *HANDICAPS]


def time_handicap(divisors: tuple[int, int]) -> tuple[int, int]:
    """Return the side with less time, and what its time is divided by; 1 without a handicap."""
    return max(enumerate(divisors), key=lambda each: each[1])


def first_moves(setup: Setup, start: str) -> tuple[int, ...]:
    """Return the moves with which a game with this `start` begins; empty for most. Those of `LOT` are drawn anew by
    each call."""
    if start in RENJU_OPENINGS:
        return opening_moves(start, setup.size)
    if start != LOT:
        return ()
    drawn = parse(random.choice(list(openings(setup))), setup)
    image = random.choice(images_of(setup.size, setup.size, 8))
    return tuple(image[move] for move in moves_to(drawn.cursor))


class SetUp:
    """The choices for a new game of `game`: at first those made last, and each change is saved for the next time.

    With a `record`, the new game continues from its cursor, and nothing is saved. `names` are those of two people at
    one board, the same for all games.
    """

    def __init__(self, host: Host, game: str, record: GameRecord | None = None) -> None:
        self.host, self.record = host, record
        self.menu = ""
        """The menu that is open."""
        self.first_row: int | None = None
        """Where the menu begins, if it was scrolled."""
        self.untold = ""
        """The explanation of the chosen rule, where there is no room for it."""
        self.choose_game(game)

    def choose_game(self, game: str) -> None:
        """Change the game, with the choices made last for it, and close the menu."""
        self.game, self.menu = game, ""
        default = default_new_game(game)
        kept = self.host.settings.new_game.get(game, default)
        known = all(is_offered(game, player) for player in kept.players)
        self.chosen = kept if known else replace(kept, players=default.players)
        self.names = self.host.settings.board_names
        self._names = (("", ""), ("", ""))  # for each side a player, and the name that it keeps
        if self.record is not None:
            self._take_choices_of(self.record)

    def _take_choices_of(self, record: GameRecord) -> None:
        """Take size, rule, players, names and seconds for each move from the record that is continued; not its clock.
        A player that is not offered becomes the strongest one."""
        first, second = (_available_player(self.game, each) for each in record.seats)
        seconds = [DEFAULT_SECONDS if each.seconds is None else each.seconds for each in record.seats]
        self.chosen = NewGame(record.setup.size, record.setup.rule, (first, second), (seconds[0], seconds[1]))
        self._names = ((first, record.seats[0].name), (second, record.seats[1].name))
        mine, other = (seat.name if seat.player == PERSON else "" for seat in record.seats)
        self.names = mine, other

    @property
    def setup(self) -> Setup:
        """The chosen game, size and rule."""
        return setup(self.game, self.chosen.size, self.chosen.rule)

    def position(self) -> tuple[Position, tuple[int, ...]]:
        """The position at the start of the game, and the moves that lead to it. Stones by lot are not drawn yet."""
        if self.record is None:
            moves = () if self.opening == LOT else first_moves(self.setup, self.opening)
            return reduce(lambda position, move: position.play(move), moves, self.setup.start(self.stones)), moves
        return self.record.position, moves_to(self.record.cursor)

    @property
    def opening(self) -> str:
        """The chosen start, one of `starts`. Empty for a game that is continued, or if the choice does not suit size
        and rule."""
        return self.chosen.opening if self.record is None and self.chosen.opening in starts(self.setup) else ""

    @property
    def stones(self) -> Stones | None:
        """The stones of the chosen handicap; None without one."""
        more = HANDICAPS.get(self.opening, 0)
        return handicap_stones(self.chosen.size, more) if more else None

    @property
    def people(self) -> int:
        """The number of sides played by people."""
        return self.chosen.players.count(PERSON)

    @property
    def own_side(self) -> int:
        """The side of the person; 0 if both or no sides are played by people."""
        return self.chosen.players.index(PERSON) if self.people else 0

    @property
    def teaching(self) -> bool:
        """Whether this will be a teaching game: that is chosen, and there is exactly one person."""
        return self.chosen.teaching and self.people == 1

    # Choices.

    def change(self, chosen: NewGame) -> None:
        """Replace the choices, and save them for the next time, unless a game is being continued."""
        self.chosen = chosen
        if self.record is None:
            self.host.settings.new_game[self.game] = chosen
            self.host.save_settings()

    def change_and_close_menu(self, chosen: NewGame) -> None:
        """Do as `change`, and close the open menu."""
        self.menu = ""
        self.change(chosen)

    def set_opponent(self, kind: str) -> None:
        """Choose the kind of the opponent. `PERSON` makes both players people.

        If the kind is chosen already and has the menu of levels, open or close that instead.
        """
        side = 1 - self.own_side
        if kind == kind_of(self.chosen.players[side]) == menu_kind(self.game):
            self.toggle_menu(LEVELS[side])
        elif kind == PERSON:
            self.change_and_close_menu(replace(self.chosen, players=(PERSON, PERSON)))
        else:
            self.set_player(side, players_by_kind(self.game)[kind])

    def set_player(self, side: int, player: str) -> None:
        """Choose the player of a side by name."""
        first, second = self.chosen.players
        self.change_and_close_menu(replace(self.chosen, players=(first, player) if side else (player, second)))

    def set_side(self, side: str) -> None:
        """Choose the person's side, ``0`` or ``1``, or `WATCH` for two computers."""
        if side == WATCH:
            self.set_player(self.own_side, self.chosen.players[1 - self.own_side])
        elif PERSON not in self.chosen.players:
            self.set_player(int(side), PERSON)
        elif int(side) != self.own_side:
            self.swap()
        else:
            self.change_and_close_menu(self.chosen)

    def swap(self) -> None:
        """Swap the players' sides, with their thinking times, shares of the clock and names."""
        self._names, chosen = self._names[::-1], self.chosen
        if self.people == 2 or self.record is not None:
            self._set_names(self.names[::-1])
        turned = chosen.players[::-1], chosen.seconds[::-1], chosen.divisors[::-1]
        self.change_and_close_menu(replace(chosen, players=turned[0], seconds=turned[1], divisors=turned[2]))

    def set_name(self, side: int, name: str) -> None:
        """Set the name of the person at `side`, for two people at one board."""
        first, second = self.names
        self._set_names((first, clean_name(name)) if side else (clean_name(name), second))

    def _set_names(self, names: tuple[str, str]) -> None:
        """Set the names of two people, and save them unless a game is being continued."""
        self.names = names
        if self.record is None:
            self.host.settings.board_names = names
            self.host.save_settings()

    def step_time(self, side: int, step: int) -> None:
        """Move the thinking time of `side` by `step` places in `THINKING_TIMES`."""
        seconds, last = list(self.chosen.seconds), len(THINKING_TIMES) - 1
        nearest = min(range(last + 1), key=lambda index: abs(THINKING_TIMES[index] - seconds[side]))
        seconds[side] = THINKING_TIMES[max(0, min(last, nearest + step))]
        self.change(replace(self.chosen, seconds=(seconds[0], seconds[1])))

    def set_clock(self, control: TimeControl | None) -> None:
        """Set the time control; None for none."""
        self.change(replace(self.chosen, clock=str(control or "")))

    def set_divisors(self, divisors: tuple[int, int]) -> None:
        """Choose what the clock time of each side is divided by."""
        self.change(replace(self.chosen, divisors=divisors))

    def set_opening(self, start: str) -> None:
        """Choose the start of the game, one of `starts`; or with `FORBIDDEN` the rule `BINDING` and an empty board."""
        bound = replace(self.chosen, rule=BINDING, opening="")
        self.change_and_close_menu(bound if start == FORBIDDEN else replace(self.chosen, opening=start))

    def step_size(self, step: int) -> None:
        """Change the board size by `step`, within the sizes of the game."""
        sizes = GAMES[self.game].sizes
        self.change(replace(self.chosen, size=max(sizes[0], min(sizes[-1], self.chosen.size + step))))

    def toggle_menu(self, menu: str) -> None:
        """Open the menu called `menu`, scrolled to the chosen entry; close it if it is open."""
        self.menu, self.first_row = "" if self.menu == menu else menu, None

    def leave(self, back: Callable[[], object]) -> None:
        """Close the open menu; if none is open, call `back`."""
        if self.menu:
            self.menu = ""
        else:
            back()

    # The game.

    def start(self) -> None:
        """Open the game, from its start or continued from the record. If a player cannot play by the rule, show a
        message instead."""
        rule, chosen = self.setup.rule, self.chosen
        for player in self.chosen.players:
            if player != PERSON and unable(player, rule):
                sentence = t("setup.unable", player=seat_label(self.game, player), rule=rule_name(rule))
                self.host.say(sentence, "bad", holds=lambda: self.chosen is chosen)
                return
        if any(player != PERSON and learns(player) for player in self.chosen.players):
            Habits(self.host).learn(self.game, load_profile()[0])
        if self.record is None:
            record = GameRecord(self.setup, self.seats(), control=self.chosen.control, stones=self.stones)
            if self.opening in OPENING_RULES:
                record.opening = OpeningPhase(self.opening, self.setup.size)
            for move in first_moves(self.setup, self.opening):
                record.play(move)
        else:
            record = continued_game(self.record, self.seats())
        self.host.open(screens.play, record, teaching=self.teaching)

    def seats(self) -> tuple[Seat, Seat]:
        """The seats of both sides, as chosen."""
        return self._seat(0), self._seat(1)

    def _seat(self, side: int) -> Seat:
        """Return the seat of `side`. A player of the continued game who was not replaced keeps the name; two people get
        those they chose.

        With a clock, an engine gets no thinking time for each move, since it divides the clock itself.
        """
        chosen, (stayed, name) = self.chosen, self._names[side]
        player = resolve_level(chosen.players[side], self.game)
        timed = player != PERSON and is_timed(player) and not chosen.clock
        if self.people == 2:
            name = self.names[side]
        elif not name or stayed != chosen.players[side]:
            name = self.host.settings.player_name if player == PERSON else ""
        return Seat(player, name, chosen.seconds[side] if timed else None, chosen.divisors[side] if chosen.clock else 1)


def _available_player(game: str, seat: Seat) -> str:
    """Return the player of `seat` if it is offered for `game`, else the strongest one. A level of an even match becomes
    an even match."""
    if not is_offered(game, seat.player):
        return strongest(game)
    return EVEN if seat.player.startswith(EVEN) else seat.player


def continued_game(record: GameRecord, seats: tuple[Seat, Seat]) -> GameRecord:
    """Return a new game between `seats` with the moves up to the cursor of `record` and their evaluations."""
    copy = GameRecord(record.setup, seats, stones=record.stones)
    copy.cursor.evaluation = record.root.evaluation
    for node in path(record.cursor)[1:]:
        if node.move is not None:
            copy.play(node.move, node.seconds).evaluation = node.evaluation
    return copy
