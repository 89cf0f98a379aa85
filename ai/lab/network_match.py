"""Play the tree search with a network against one without, or another player, at equal processor time, on a machine
that is busy.

    python -m ai.lab.network_match connect4 --games 200 --visits 250 --opponent-visits 900

A limit by the clock measures a busy machine. Each player therefore has visits in the proportion of their speeds
(ai/lab/PLAYERS.md). Each opening is played with both colours: random moves, or for gomoku the balanced openings of
matches.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import islice

from ai.arena.arguments import add_resume, add_workers, exiting
from ai.arena.journal import run_kept
from ai.elo import estimate
from ai.lab.players_check import random_opening
from ai.player import Limit, Player, answer
from ai.players import Context, make
from ai.registry import first_moves, opponents
from games.formats.text import parse
from games.position import FIRST, Position
from games.registry import setup

_PLIES = 4  # of an opening
_NETWORK = "mcts:network"


def result(position: Position, players: Sequence[Player], limits: Sequence[Limit]) -> float:
    """Play on to the end; return the score of the first side: 1, 0.5 or 0. Players and limits are by side."""
    while (outcome := position.outcome) is None:
        position = position.play(answer(players[position.turn], position, limits[position.turn]).move)
    return 0.5 if outcome.winner is None else float(outcome.winner == FIRST)


def pair(game: str, opponent: str, position: Position, limits: tuple[Limit, Limit]) -> list[float]:
    """Return the scores of the network in two games from `position`, with the colours exchanged in the second."""
    scores = []
    for swapped in (False, True):
        players = [make(name, Context(game)) for name in (_NETWORK, opponent)]
        step = -1 if swapped else 1
        score = result(position, players[::step], limits[::step])
        scores.append(1 - score if swapped else score)
    return scores


def starts(game: str, dice: random.Random) -> Iterator[Position]:
    """Yield the openings of the game in random order, or random ones where it has only first moves."""
    openings = opponents(game).openings
    if openings is first_moves:
        while True:
            yield random_opening(game, _PLIES, dice)[1]
    texts = list(openings(setup(game)))
    dice.shuffle(texts)
    yield from (parse(text, setup(game)).position for text in texts)


@exiting()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("connect4", "gomoku", "tictactoe"))
    parser.add_argument("--opponent", default="mcts")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--visits", type=int, default=250, help="of the search with the network")
    parser.add_argument("--opponent-visits", type=int, default=900)
    parser.add_argument("--seed", type=int, default=1)
    add_workers(parser, 1)
    add_resume(parser)
    given = parser.parse_args()
    dice, scores = random.Random(given.seed), list[float]()
    limits = Limit(nodes=given.visits), Limit(nodes=given.opponent_visits)
    openings = islice(starts(given.game, dice), (given.games + 1) // 2)
    calls = [(given.game, given.opponent, position, limits) for position in openings]
    visits = [given.visits, given.opponent_visits]
    head = {"game": given.game, "opponent": given.opponent, "visits": visits, "seed": given.seed}
    for _number, both in run_kept(pair, calls, given.workers, given.cluster, kept=given.resume, head=head):
        scores += both
        elo = estimate([sum(scores[first : first + 2]) / 2 for first in range(0, len(scores), 2)])
        won, drawn = scores.count(1), scores.count(0.5)
        print(
            f"{len(scores)} games: +{won} ={drawn} -{len(scores) - won - drawn}, {sum(scores) / len(scores):.0%}, "
            f"Elo {elo.elo:+.0f} ± {elo.error:.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
