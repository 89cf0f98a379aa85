"""Games under way for tests, with quick players and with those that misbehave."""

from __future__ import annotations

import time
from collections.abc import Callable

from ai.core.player import Player
from ai.search.alphabeta import AlphaBeta
from ai.service.searches import Searches
from games.record import PERSON, GameRecord, Seat, moves_to
from games.registry import setup
from tests.ui.stage import wait
from ui.play.live_game import LiveGame

ENGINE = Seat("alphabeta", seconds=0.05)
HUMAN = Seat(PERSON)


def searches_of(
    make: Callable[[str], Player], now: Callable[[], float] = time.monotonic, notify: Callable[[], None] = lambda: None
) -> Searches:
    """Searches by the players that `make` makes, whatever the game."""
    return Searches(lambda name, _game, _book: make(name), notify, lambda: False, now=now)


def match_of(
    game: str, *seats: Seat, make: Callable[[str], Player] = lambda _name: AlphaBeta(), size: int | None = None
) -> LiveGame:
    record = GameRecord(setup(game, size), (seats[0], seats[1]))
    made = LiveGame(record, searches_of(make), pace=0.0)
    made.open()
    return made


def run(match: LiveGame, until: Callable[[], bool]) -> None:
    def step() -> None:
        match.searches.update()
        match.update()

    wait(until, step)


def moves(match: LiveGame) -> list[int]:
    return list(moves_to(match.record.cursor))
