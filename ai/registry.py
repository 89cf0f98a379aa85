"""The computer players of each game: one `Opponents` entry a game, with working defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ai.gomoku import openings as gomoku
from ai.levels.sight import Glance, Sight
from games.registry import GAMES, Setup

ENGINE, ALPHABETA = "engine", "alphabeta"
"""The names of the compiled gomoku engine and of the search that plays any game."""

ANCHOR_ELO = 1500.0
"""The Elo of the level that anchors a ladder."""


def first_moves(setup: Setup, _seed: int | None) -> Iterator[str]:
    """Yield the empty opening, and each first move that does not end the game."""
    start = setup.start()
    yield ""
    for move in start.legal_moves():
        if start.play(move).outcome is None:
            yield start.move_text(move)


def usual_size(setup: Setup) -> bool:
    return setup.size == GAMES[setup.game].size


_STAND_IN = Glance(depth=3, nodes=3_000, breadth=10)


@dataclass(frozen=True, kw_only=True)
class Opponents:
    """The computer players of a game.

    `strongest` is the name of the best one in `ai.players.PLAYERS`. `levels` are weaker ones, weakest first, `friendly`
    the number of the one offered to a newcomer, and `anchor` that of the one whose Elo is `ANCHOR_ELO`. The window
    offers levels once `ai.lab.ladder` has measured them. `stand_in` plays for a level whose engine is not ready.
    `openings` yields position strings for matches from a setup and a seed; `rated` tells which setups count for the
    rating. `solvable` means that alpha-beta searches any position to the end at once.
    """

    strongest: str = ALPHABETA
    levels: tuple[Glance | Sight, ...] = ()
    friendly: int = 1
    anchor: int = 1
    stand_in: Glance = _STAND_IN
    openings: Callable[[Setup, int | None], Iterator[str]] = first_moves
    rated: Callable[[Setup], bool] = usual_size
    solvable: bool = False


OPPONENTS: dict[str, Opponents] = {
    "gomoku": Opponents(
        strongest=ENGINE,
        levels=(
            Glance(depth=1, breadth=12, blur=300, careless=0.22),
            Glance(depth=1, blur=50, careless=0.03),
            Glance(depth=2, nodes=1_000, breadth=10, blur=80, careless=0.03),
            Sight(depth=2, nodes=1_000, breadth=8, blur=210, weak=0.08),
            Sight(depth=3, nodes=2_000, breadth=10, blur=185),
            Sight(depth=4, nodes=3_000, breadth=10, blur=90),
            Sight(depth=6, nodes=9_000, breadth=16, blur=20),
            Sight(depth=10, nodes=22_000, breadth=22),
            Sight(depth=14, nodes=40_000, fours=True),
            Sight(depth=90, nodes=250_000, fours=True),
        ),
        friendly=2,
        anchor=5,
        openings=gomoku.openings,
    ),
    "tictactoe": Opponents(
        levels=(
            Glance(depth=1, blur=40, careless=0.75),
            Glance(depth=1, blur=25, careless=0.2),
            Glance(depth=9, nodes=200_000),
        ),
        anchor=2,
        solvable=True,
    ),
    "bones": Opponents(
        levels=(
            Glance(depth=3, blur=10, careless=0.3),
            Glance(depth=9, blur=10, careless=0.2),
            Glance(depth=90, nodes=200_000),
        ),
        anchor=2,
        rated=lambda setup: setup.size >= 10,  # a game on a smaller heap is trivial
        solvable=True,
    ),
    "connect4": Opponents(
        levels=(
            Glance(depth=1, blur=150, careless=0.25),
            Glance(depth=1, blur=40, careless=0.06),
            Glance(depth=3, nodes=600, blur=60, careless=0.02),
            Glance(depth=4, nodes=800, blur=40),
            Glance(depth=5, nodes=1_600, blur=15),
            Glance(depth=42, nodes=20_000),
        ),
        friendly=2,
        anchor=3,
    ),
}


def opponents(game: str) -> Opponents:
    """Return the entry of `game`, or the default."""
    return OPPONENTS.get(game, Opponents())
