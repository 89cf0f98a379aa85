"""The computer players of each game: one `Opponents` entry a game, with working defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ai.gomoku import openings as gomoku
from ai.search.alphabeta import AlphaBeta
from ai.search.oracles import Oracle
from ai.search.proving import Prover, SearchProver
from games.registry import GAMES, Setup

if TYPE_CHECKING:
    from ai.gomoku.threat_solver import ThreatSolver

ANCHOR_ELO = 1500.0
"""The Elo of the level that anchors a ladder."""


def first_moves(setup: Setup) -> Iterator[str]:
    """Yield the default openings, as position strings: the empty one, and each first move that does not end the
    game."""
    start = setup.start()
    yield ""
    for move in start.legal_moves():
        if start.play(move).outcome is None:
            yield start.move_text(move)


def usual_size(setup: Setup) -> bool:
    """Return whether the board has the game's default size."""
    return setup.size == GAMES[setup.game].size


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Limits that make a search weaker: `depth` in plies, `nodes`, and `breadth`, the moves tried at a node (0: all).

    The gomoku `engine` searches, else alpha-beta in Python. The evaluation gets noise of up to ± `noise`, in the unit
    of that search. A level ignores the opponent's threats in the share `error_rate` of its moves, and plays as the
    level two below in the share `lapse_rate`. `vcf` enables the engine's VCF searches.
    """

    depth: int
    nodes: int = 2_000
    breadth: int = 0
    noise: int = 0
    error_rate: float = 0.0
    lapse_rate: float = 0.0
    engine: bool = False
    vcf: bool = False


_STAND_IN = Level(depth=3, nodes=3_000, breadth=10)


@dataclass(frozen=True, kw_only=True)
class Opponents:
    """The computer players of a game, and what is known of searching it.

    `strongest` is the name of the best player in `ai.players.table`. `levels` are weaker ones, weakest first;
    `friendly` is the number, from 1, of the one offered to a newcomer, `anchor` that of the one with `ANCHOR_ELO`. The
    window offers levels once `ai.lab.ladder` has measured them. `stand_in` plays for a level whose engine is not ready.
    `openings` yields position strings for matches on a setup; `rated` tells which setups count for the rating.

    `solvable`: alpha-beta searches any position to the end at once. `few_moves`: an analysis shows every move. `oracle`
    creates a guide for Monte Carlo tree search on compiled kernels, `network` one that is a trained network (on the
    kernels, too, if there is an `oracle`), `prover` what proves wins, `threat_solver` what proves wins by threats
    without a limit of their length. None where there is none; without `oracle` the game's own evaluation guides.
    """

    strongest: str = "alphabeta"
    levels: tuple[Level, ...] = ()
    friendly: int = 1
    anchor: int = 1
    stand_in: Level = _STAND_IN
    openings: Callable[[Setup], Iterator[str]] = first_moves
    rated: Callable[[Setup], bool] = usual_size
    solvable: bool = False
    few_moves: bool = False
    oracle: Callable[[], Oracle] | None = None
    network: Callable[[], Oracle] | None = None
    prover: Callable[[], Prover] = lambda: SearchProver(AlphaBeta())
    threat_solver: Callable[[], ThreatSolver] | None = None


def _gomoku_prover() -> Prover:
    """Create the prover of wins by threats."""
    from ai.gomoku.threat_solver import ThreatProver  # late: waits for the compilation

    return ThreatProver()


def _threat_solver() -> ThreatSolver:
    """Create the solver of wins by threats."""
    from ai.gomoku.threat_solver import ThreatSolver  # late: waits for the compilation

    return ThreatSolver()


def _connect4_prover() -> Prover:
    """Create a prover on the exact solver."""
    from ai.solvers.connect4 import Connect4Solver  # late: waits for the compilation

    return SearchProver(Connect4Solver(), earliest=20)


def _gomoku_patterns() -> Oracle:
    """Create the oracle on patterns of stones."""
    from ai.gomoku.gomoku_oracles import PatternsOracle  # late: waits for the compilation

    return PatternsOracle()


def _gomoku_network() -> Oracle:
    """Create the oracle on the trained network."""
    from ai.gomoku.gomoku_oracles import GuidedNetwork  # late: waits for the compilation

    return GuidedNetwork()


def _network_loader(game: str) -> Callable[[], Oracle]:
    """Return a function that creates the oracle on the trained network of `game`."""
    def load() -> Oracle:
        """Create the oracle."""
        from ai.network.network import NetworkOracle  # late: needs NumPy

        return NetworkOracle(game)

    return load


OPPONENTS: dict[str, Opponents] = {
    "gomoku": Opponents(
        strongest="engine",
        levels=(
            Level(depth=1, breadth=12, noise=300, error_rate=0.22),
            Level(depth=1, noise=50, error_rate=0.03),
            Level(depth=2, nodes=1_000, breadth=10, noise=80, error_rate=0.03),
            Level(engine=True, depth=2, nodes=1_000, breadth=8, noise=210, lapse_rate=0.08),
            Level(engine=True, depth=3, nodes=2_000, breadth=10, noise=185),
            Level(engine=True, depth=4, nodes=3_000, breadth=10, noise=90),
            Level(engine=True, depth=6, nodes=9_000, breadth=16, noise=20),
            Level(engine=True, depth=10, nodes=22_000, breadth=22),
            Level(engine=True, depth=14, nodes=40_000, vcf=True),
            Level(engine=True, depth=90, nodes=250_000, vcf=True),
        ),
        friendly=2,
        anchor=5,
        openings=gomoku.openings,
        oracle=_gomoku_patterns,
        network=_gomoku_network,
        prover=_gomoku_prover,
        threat_solver=_threat_solver,
    ),
    "tictactoe": Opponents(
        levels=(
            Level(depth=1, noise=40, error_rate=0.75),
            Level(depth=1, noise=25, error_rate=0.2),
            Level(depth=9, nodes=200_000),
        ),
        anchor=2,
        solvable=True,
        few_moves=True,
        network=_network_loader("tictactoe"),
    ),
    "bones": Opponents(
        levels=(
            Level(depth=3, noise=10, error_rate=0.3),
            Level(depth=9, noise=10, error_rate=0.2),
            Level(depth=90, nodes=200_000),
        ),
        anchor=2,
        rated=lambda setup: setup.size >= 10,  # a game on a smaller heap is trivial
        solvable=True,
        few_moves=True,
    ),
    "connect4": Opponents(
        levels=(
            Level(depth=1, noise=150, error_rate=0.25),
            Level(depth=1, noise=40, error_rate=0.06),
            Level(depth=3, nodes=600, noise=60, error_rate=0.02),
            Level(depth=4, nodes=800, noise=40),
            Level(depth=5, nodes=1_600, noise=15),
            Level(depth=42, nodes=20_000),
        ),
        strongest="solver",
        few_moves=True,
        friendly=2,
        anchor=3,
        network=_network_loader("connect4"),
        prover=_connect4_prover,
    ),
}


def opponents(game: str) -> Opponents:
    """Return the entry of `game`; one with default values if it has none."""
    return OPPONENTS.get(game, Opponents())
