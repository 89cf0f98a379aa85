"""Openings for matches between players of any game, and the speed of players (ai/lab/PLAYERS.md).

    python -m ai.lab.players_check openings --game connect4 --plies 4 --count 50 --seed 1 > openings.txt
    python -m ai.lab.players_check speed --seconds 2 mcts alphabeta
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence

from ai.player import Limit, answer
from ai.players import Context, check, make
from games.formats.text import moves_text
from games.position import Position
from games.record import GameRecord
from games.registry import GAMES, setup


def random_opening(game: str, plies: int, dice: random.Random) -> tuple[str, Position]:
    """Return a position string of random moves after which the game goes on, and nobody can win or must block."""
    while True:
        record = GameRecord(setup(game))
        while record.position.ply < plies and record.outcome is None:
            record.play(dice.choice(record.position.legal_moves()))
        if record.outcome is None and len(record.position.candidates()) > 1:
            return moves_text(record.line()), record.position


def openings(game: str, plies: int, count: int, seed: int) -> list[str]:
    """Return openings that lead to different positions."""
    dice, found = random.Random(seed), dict[object, str]()
    while len(found) < count:
        text, position = random_opening(game, plies, dice)
        found.setdefault(position.key, text)
    return list(found.values())


def speed(name: str, game: str, seconds: float) -> str:
    """Search a position early in a game; return a row of a table, with what the processor did in a second of its time.
    """
    position = setup(game).start()
    for _ in range(2):
        position = position.play(position.candidates()[0])
    player = make(name, Context(game, seed=1))
    player.warm_up(position)
    began = time.process_time()
    info = answer(player, position, Limit(seconds=seconds))
    spent = time.process_time() - began
    player.close()
    return f"| {game} | {name} | {info.nodes:,} | {spent:.2f} | {info.nodes / spent:,.0f} |"


def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m ai.lab.players_check", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    lines = commands.add_parser("openings", help="print openings, one a line")
    lines.add_argument("--game", choices=GAMES, required=True)
    lines.add_argument("--plies", type=int, default=4)
    lines.add_argument("--count", type=int, default=50)
    lines.add_argument("--seed", type=int, default=1)
    rows = commands.add_parser("speed", help="print visits or nodes a second, in a table")
    rows.add_argument("players", nargs="+")
    rows.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args(arguments)
    if options.command == "openings":
        print(*openings(options.game, options.plies, options.count, options.seed), sep="\n")
        return
    print("| game | player | positions | processor s | a second |\n|---|---|---|---|---|")
    for game in GAMES:
        for name in options.players:
            try:
                check(name, game)
            except ValueError as error:
                print(f"{game} is left out: {error}", file=sys.stderr)
            else:
                print(speed(name, game, options.seconds))


if __name__ == "__main__":
    main(sys.argv[1:])
