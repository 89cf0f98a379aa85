"""Play two players with limits in nodes, so that the result does not depend on how busy the machine is.

    python -m ai.lab.node_match connect4 mcts:network mcts --nodes 260 900 --games 200

A limit by the clock measures a busy machine. Give each player nodes in the proportion of their speeds
(ai/lab/PLAYERS.md). Each opening is played with both colours: random moves, or for gomoku the balanced openings of
matches, or of a file. In each further round of the same openings both have a few more nodes, so that no game is
repeated.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path

from ai.arena.arena import add_resume, add_workers, exit_on_errors
from ai.arena.journal import run_kept
from ai.core.elo import Estimate, Sprt, estimate, sprt
from ai.core.player import Limit, Player, answer
from ai.gomoku.openings import openings_of
from ai.players.opponents import first_moves, opponents
from ai.players.table import Context, make
from games.formats.text import parse
from games.position import FIRST, Position
from games.registry import GAMES, setup

Names = tuple[str, str]
Nodes = tuple[int, int]

_MORE = 50  # each round of the openings has this part more of the nodes
_LEAST_GAMES = 40  # before an SPRT may end a match


def random_opening(game: str, plies: int, dice: random.Random) -> Position:
    """Return a position after random moves in which the game goes on, and nobody can win or must block."""
    while True:
        position = setup(game).start()
        while position.ply < plies and position.outcome is None:
            position = position.play(dice.choice(position.legal_moves()))
        if position.outcome is None and len(position.candidates()) > 1:
            return position


class Scores(list[float]):
    """The scores of the first player, 1, 0.5 or 0, in pairs of games."""

    @property
    def _pairs(self) -> list[float]:
        return [sum(self[first : first + 2]) / 2 for first in range(0, len(self), 2)]

    @property
    def elo(self) -> Estimate:
        """The difference of the players."""
        return estimate(self._pairs)

    def sprt(self, elo: float) -> Sprt:
        """The SPRT of a difference of 0 against one of `elo`."""
        return sprt(self._pairs, 0.0, elo)

    @property
    def record(self) -> tuple[int, int, int]:
        """Wins, draws and losses."""
        return self.count(1), self.count(0.5), self.count(0)

    def __str__(self) -> str:
        won, drawn, lost = self.record
        score = f"+{won} ={drawn} -{lost}, {sum(self) / len(self):.0%}"
        return f"{len(self)} games: {score}, Elo {self.elo.elo:+.0f} ± {self.elo.error:.0f}"


@dataclass(frozen=True, slots=True)
class NodeMatch:
    """Two players of `game` by name, the `nodes` of each for a move, and how many random `plies` begin a game where
    there are no openings of matches; `rule`, `size` and the file of `openings` where they are not the usual ones."""

    game: str
    names: Names
    nodes: Nodes
    plies: int = 4
    seed: int = 1
    rule: str | None = None
    openings: str | None = None
    size: int | None = None

    def pair(self, position: Position, seed: int, turn: int = 0) -> list[float]:
        """Return the scores of the first player from `position`, with the colours exchanged in the second game;
        `turn` counts the rounds of the openings."""
        scores, limits = [], [more_nodes(each, turn) for each in self.nodes]
        for swapped in (False, True):
            with ExitStack() as stack:
                context = Context(self.game, seed=2 * seed + swapped)
                players = [stack.enter_context(closing(make(name, context))) for name in self.names]
                step = -1 if swapped else 1
                score = result(position, players[::step], limits[::step])
            scores.append(1 - score if swapped else score)
        return scores

    def starts(self) -> Iterator[tuple[Position, int]]:
        """Yield the openings of matches in random order, again and again, with the number of the round; or random ones
        where there are none."""
        dice, openings = random.Random(self.seed), opponents(self.game).openings
        while openings is first_moves and self.openings is None:
            yield random_opening(self.game, self.plies, dice), 0
        where = setup(self.game, self.size, self.rule)
        texts = list(openings(where)) if self.openings is None else openings_of(Path(self.openings), where)
        for turn in count():
            dice.shuffle(texts)
            yield from ((parse(text, where).position, turn) for text in texts)

    def run(
        self, games: int, workers: int | None = None, cluster: str | None = None, kept: Path | None = None
    ) -> Iterator[Scores]:
        """Yield the scores so far after each pair of games; `kept` keeps them."""
        calls = [(position, 1000 * self.seed + number, turn) for number, (position, turn) in
                 enumerate(islice(self.starts(), (games + 1) // 2))]  # fmt: skip
        scores = Scores()
        for _, both in run_kept(self.pair, calls, workers or 0, cluster, kept=kept, head=asdict(self)):
            scores += both
            yield scores


def more_nodes(nodes: int, turn: int) -> Limit:
    """Return the limit of a move in the round `turn` of the openings."""
    return Limit(nodes=nodes + turn * nodes // _MORE)


def result(position: Position, players: Sequence[Player], limits: Sequence[Limit]) -> float:
    """Play on to the end; return the score of the first side: 1, 0.5 or 0. Players and limits are by side."""
    while (outcome := position.outcome) is None:
        position = position.play(answer(players[position.turn], position, limits[position.turn]).move)
    return 0.5 if outcome.winner is None else float(outcome.winner == FIRST)


@exit_on_errors()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("players", nargs=2, metavar="PLAYER")
    parser.add_argument("--nodes", type=int, nargs=2, required=True, help="for a move of each")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plies", type=int, default=4, help="of random openings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rule", help="of gomoku")
    parser.add_argument("--openings", metavar="F", help="a file of position strings, one a line")
    parser.add_argument("--sprt", type=float, metavar="ELO", help="end when an SPRT of 0 against ELO decides")
    add_workers(parser, 1)
    add_resume(parser)
    given = parser.parse_args()
    names, nodes = tuple(given.players), tuple(given.nodes)
    match = NodeMatch(given.game, names, nodes, given.plies, given.seed, given.rule, given.openings)
    for scores in match.run(given.games, given.workers, given.cluster, given.resume):
        test = scores.sprt(given.sprt) if given.sprt else None
        print(scores, f"SPRT {test.llr:+.2f}, {test.status}" if test else "", flush=True)
        if test and test.status != "open" and len(scores) >= _LEAST_GAMES:
            break


if __name__ == "__main__":
    main()
