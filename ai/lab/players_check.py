"""Openings for matches between players of any game, the speed of players, and how soon they stop (ai/lab/PLAYERS.md).

    python -m ai.lab.players_check openings --game connect4 --plies 4 --count 50 --seed 1 > openings.txt
    python -m ai.lab.players_check speed --seconds 2 mcts alphabeta
    python -m ai.lab.players_check stops --game connect4 --trials 20
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections.abc import Sequence

from ai.core.player import Limit, Player, Stop, answer
from ai.players.table import Context, check, make
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


STOPS = {"grows": 0.3, "is full": 0.001, "is kept after a move": 0.001, "is kept after three": 0.001, "is left": 0.001}
"""What a tree does when the stop comes, and after how many seconds it comes, in the order in which they are tried."""

Times = tuple[float, float]
"""Milliseconds by the clock, and of processor time."""


def stops(game: str, trials: int, nodes: int) -> str:
    """Stop `mcts` with a tree of `nodes` nodes, or a little more; return rows of a table with the worst times."""
    found: dict[str, list[Times]] = {kind: [] for kind in STOPS}
    player = make(f"mcts:nodes={nodes + 2000}", Context(game))
    start = setup(game).start()
    player.warm_up(start)
    for _ in range(trials):
        player.close()
        line = answer(player, start, Limit(nodes=nodes)).pv
        last = start.play(next(move for move in start.legal_moves() if move != line[0]))
        positions = (start, start, _after(start, line[:1]), _after(start, line[:3]), last)
        for position, (kind, seconds) in zip(positions, STOPS.items(), strict=True):
            found[kind].append(_stopped(player, position, seconds))
    player.close()
    return "\n".join(_row(game, kind, times) for kind, times in found.items())


def _row(game: str, kind: str, times: Sequence[Times]) -> str:
    clock, processor = (max(each) for each in zip(*times, strict=True))
    return f"| {game} | {kind} | {clock:.1f} | {processor:.1f} |"


def _after(position: Position, moves: Sequence[int]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def _stopped(player: Player, position: Position, seconds: float) -> Times:
    """Return the time from a stop to the answer of a search that began `seconds` before."""
    stop, began = Stop(), list[Times]()

    def end() -> None:
        began.append((time.monotonic(), time.process_time()))
        stop.set()

    timer = threading.Timer(seconds, end)
    timer.start()
    answer(player, position, Limit(), stop)
    answered = time.monotonic(), time.process_time()
    timer.join()
    return max(0.0, answered[0] - began[0][0]) * 1000, max(0.0, answered[1] - began[0][1]) * 1000


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
    late = commands.add_parser("stops", help="print how long mcts takes from a stop to its answer, in a table")
    late.add_argument("--game", choices=GAMES, required=True)
    late.add_argument("--trials", type=int, default=20)
    late.add_argument("--nodes", type=int, default=98_000)
    options = parser.parse_args(arguments)
    if options.command == "openings":
        print(*openings(options.game, options.plies, options.count, options.seed), sep="\n")
        return
    if options.command == "stops":
        print("| game | the tree | worst ms | worst ms of processor time |\n|---|---|---|---|")
        print(stops(options.game, options.trials, options.nodes))
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
