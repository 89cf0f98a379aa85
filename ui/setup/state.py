"""A game that is being set up, without pixels: what the parts of the set-up screens share."""

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


def seats_of(game: str) -> dict[str, str]:
    """The players to choose from for `game`, the person first: by their kinds, the second of a kind by its name."""
    seats: dict[str, str] = {}
    for name in (PERSON, *offered_players(game)):
        seats[name if kind_of(name) in seats else kind_of(name)] = name
    return seats


def usual_seats(game: str) -> list[str]:
    """The kinds of players that have a button of their own; the others are in the menu of levels."""
    usual = PERSON, kind_of(EVEN), kind_of(strongest(game))
    return [kind for kind in seats_of(game) if kind in usual]


def unusual_players(game: str, rule: str = "") -> list[str]:
    """The players that are offered in the menu of levels only, and play by `rule`."""
    usual = usual_seats(game)
    return [name for kind, name in seats_of(game).items() if kind not in usual and not unable(name, rule)]


def menu_kind(game: str) -> str:
    """The kind of player whose button is also that of `unusual_players`: levels if the game has them, else the kind of
    the strongest player."""
    return kind_of(EVEN if level_elos(game) else strongest(game))


def is_offered(game: str, player: str) -> bool:
    """Whether `player`, or for those in a list of their own one of its kind, can be chosen for `game`."""
    seats = seats_of(game)
    return player in seats.values() or (kind_of(player) in seats and not is_program(player))


def button_of(game: str, player: str) -> str:
    """The kind of the button that stands for `player`."""
    return kind_of(player) if kind_of(player) in usual_seats(game) else menu_kind(game)


def starts(setup: Setup) -> list[str]:
    """Return how a game can begin: on an empty board (the empty key), by an opening rule, with stones drawn by lot,
    with an opening of renju, or with a handicap."""
    if not GAMES[setup.game].openings:
        return [""]
    named = list(RENJU_OPENINGS) if setup.size % 2 else []
    return ["", *opening_rules(setup), LOT, *named, *HANDICAPS]


def less_of(divisors: tuple[int, int]) -> tuple[int, int]:
    """Return which side has less time, and by what that is divided: by 1 without a handicap."""
    return max(enumerate(divisors), key=lambda each: each[1])


def first_moves(setup: Setup, start: str) -> tuple[int, ...]:
    """Return the moves with which a game begins; those by lot are others each time."""
    if start in RENJU_OPENINGS:
        return opening_moves(start, setup.size)
    if start != LOT:
        return ()
    drawn = parse(random.choice(list(openings(setup))), setup)
    image = random.choice(images_of(setup.size, setup.size, 8))
    return tuple(image[move] for move in moves_to(drawn.cursor))


class SetUp:
    """Begins with the last choices for `game`, and keeps each change for the next time.

    With a `record`, the game goes on from its cursor between others, and nothing is kept. `names` are those of two
    people at the board, the same for all games.
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
        """Begin with another game, with the choices last made for it."""
        self.game, self.menu = game, ""
        default = default_new_game(game)
        kept = self.host.settings.new_game.get(game, default)
        known = all(is_offered(game, player) for player in kept.players)
        self.chosen = kept if known else replace(kept, players=default.players)
        self.names = self.host.settings.board_names
        self._names = (("", ""), ("", ""))  # for each side a player, and the name that it keeps
        if self.record is not None:
            self._choose_as_in(self.record)

    def _choose_as_in(self, record: GameRecord) -> None:
        """Choose players, names and clocks as in the record that is continued."""
        first, second = (_available_player(self.game, each) for each in record.seats)
        seconds = [DEFAULT_SECONDS if each.seconds is None else each.seconds for each in record.seats]
        self.chosen = NewGame(record.setup.size, record.setup.rule, (first, second), (seconds[0], seconds[1]))
        self._names = ((first, record.seats[0].name), (second, record.seats[1].name))
        mine, other = (seat.name if seat.player == PERSON else "" for seat in record.seats)
        self.names = mine, other

    @property
    def setup(self) -> Setup:
        """Game, size and rule that are chosen."""
        return setup(self.game, self.chosen.size, self.chosen.rule)

    def position(self) -> tuple[Position, tuple[int, ...]]:
        """The position at the start of the game, and the moves that led there."""
        if self.record is None:
            moves = () if self.opening == LOT else first_moves(self.setup, self.opening)
            return reduce(lambda position, move: position.play(move), moves, self.setup.start(self.stones)), moves
        return self.record.position, moves_to(self.record.cursor)

    @property
    def opening(self) -> str:
        """How the game begins, one of `starts`; where it is continued, or what was chosen does not fit, empty."""
        return self.chosen.opening if self.record is None and self.chosen.opening in starts(self.setup) else ""

    @property
    def stones(self) -> Stones | None:
        """The stones of a handicap; None without one."""
        more = HANDICAPS.get(self.opening, 0)
        return handicap_stones(self.chosen.size, more) if more else None

    @property
    def people(self) -> int:
        """How many sides are played by people."""
        return self.chosen.players.count(PERSON)

    @property
    def own_side(self) -> int:
        """The side of the person; the first if nobody or everybody is one."""
        return self.chosen.players.index(PERSON) if self.people else 0

    @property
    def teaching(self) -> bool:
        """Whether this will be a teaching game."""
        return self.chosen.teaching and self.people == 1

    # Choices.

    def change(self, chosen: NewGame) -> None:
        """Replace the choices, and save them for the next set-up unless a game is being continued."""
        self.chosen = chosen
        if self.record is None:
            self.host.settings.new_game[self.game] = chosen
            self.host.save_settings()

    def seat(self, chosen: NewGame) -> None:
        """Take new choices, and close the menu in which they were made."""
        self.menu = ""
        self.change(chosen)

    def set_opponent(self, kind: str) -> None:
        """Set the kind of player for the opponent's seat. `PERSON` makes both players people.

        If the kind is chosen already and stands for the menu of levels, open or close that menu instead.
        """
        side = 1 - self.own_side
        if kind == kind_of(self.chosen.players[side]) == menu_kind(self.game):
            self.toggle_menu(LEVELS[side])
        elif kind == PERSON:
            self.seat(replace(self.chosen, players=(PERSON, PERSON)))
        else:
            self.set_player(side, seats_of(self.game)[kind])

    def set_player(self, side: int, player: str) -> None:
        """Set the player of a side."""
        first, second = self.chosen.players
        self.seat(replace(self.chosen, players=(first, player) if side else (player, second)))

    def set_side(self, side: str) -> None:
        """Choose the person's side, or that both are computers."""
        if side == WATCH:
            self.set_player(self.own_side, self.chosen.players[1 - self.own_side])
        elif PERSON not in self.chosen.players:
            self.set_player(int(side), PERSON)
        elif int(side) != self.own_side:
            self.swap()
        else:
            self.seat(self.chosen)

    def swap(self) -> None:
        """Let the players change sides, with their clocks and names."""
        self._names, chosen = self._names[::-1], self.chosen
        if self.people == 2 or self.record is not None:
            self._set_names(self.names[::-1])
        turned = chosen.players[::-1], chosen.seconds[::-1], chosen.divisors[::-1]
        self.seat(replace(chosen, players=turned[0], seconds=turned[1], divisors=turned[2]))

    def set_name(self, side: int, name: str) -> None:
        """Set the name of the person at `side`, where two people share the board."""
        first, second = self.names
        self._set_names((first, clean_name(name)) if side else (clean_name(name), second))

    def _set_names(self, names: tuple[str, str]) -> None:
        """Take the names of two people, and keep them unless a game is being continued."""
        self.names = names
        if self.record is None:
            self.host.settings.board_names = names
            self.host.save_settings()

    def step_time(self, side: int, step: int) -> None:
        """Choose the next longer or shorter thinking time for `side`."""
        seconds, last = list(self.chosen.seconds), len(THINKING_TIMES) - 1
        nearest = min(range(last + 1), key=lambda index: abs(THINKING_TIMES[index] - seconds[side]))
        seconds[side] = THINKING_TIMES[max(0, min(last, nearest + step))]
        self.change(replace(self.chosen, seconds=(seconds[0], seconds[1])))

    def set_clock(self, control: TimeControl | None) -> None:
        """Set the time control; None for none."""
        self.change(replace(self.chosen, clock=str(control or "")))

    def set_divisors(self, divisors: tuple[int, int]) -> None:
        """Choose by what the clock of each side is divided."""
        self.change(replace(self.chosen, divisors=divisors))

    def set_opening(self, start: str) -> None:
        """Choose how the game begins, or that it binds black."""
        bound = replace(self.chosen, rule=BINDING, opening="")
        self.seat(bound if start == FORBIDDEN else replace(self.chosen, opening=start))

    def step_size(self, step: int) -> None:
        """Make the board larger or smaller by `step`, within the game's sizes."""
        sizes = GAMES[self.game].sizes
        self.change(replace(self.chosen, size=max(sizes[0], min(sizes[-1], self.chosen.size + step))))

    def toggle_menu(self, menu: str) -> None:
        """Open or close the list called `menu`."""
        self.menu, self.first_row = "" if self.menu == menu else menu, None

    def leave(self, back: Callable[[], object]) -> None:
        """Close the open menu; without one, go `back`."""
        if self.menu:
            self.menu = ""
        else:
            back()

    # The game.

    def start(self) -> None:
        """Open the game with the chosen players, from the start or from the record to continue; or say which of them
        does not play by the rule."""
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
        """The seats of both sides."""
        return self._seat(0), self._seat(1)

    def _seat(self, side: int) -> Seat:
        """Return the seat of `side`. A player who was not replaced keeps the name; two people have those they chose.

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
    """Return the player of `seat`, or the one to choose in its place."""
    if not is_offered(game, seat.player):
        return strongest(game)
    return EVEN if seat.player.startswith(EVEN) else seat.player


def continued_game(record: GameRecord, seats: tuple[Seat, Seat]) -> GameRecord:
    """Return a new game between `seats` that begins with the moves up to the cursor of `record`, and their
    evaluations."""
    copy = GameRecord(record.setup, seats, stones=record.stones)
    copy.cursor.evaluation = record.root.evaluation
    for node in path(record.cursor)[1:]:
        if node.move is not None:
            copy.play(node.move, node.seconds).evaluation = node.evaluation
    return copy
