"""Make `assets/demos.json`, the attacks that play on the home screen, in some minutes: `python -m ai.lab.make_demos`.
With `--game NAME` only those of one game are made.

Each ends a game in which one side has a proven win: at gomoku a victory by continuous fours (VCF), found by the engine
in self-play games; elsewhere the win of alpha-beta against an opponent that often plays at random.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ai.core.player import Limit, answer
from ai.gomoku.engine import GomokuEngine
from ai.lab.make_openings import random_opening
from ai.search.alphabeta import AlphaBeta
from games.formats.text import moves_text, parse
from games.line import LinePosition
from games.record import GameRecord
from games.registry import GAMES, setup

Demo = tuple[str, int]
"""The moves of a whole game, and the plies after which its attack begins."""

FILE = Path(__file__).parents[2] / "assets" / "demos.json"

_LEAST_FOURS = 11  # plies of the attacks at gomoku
_SHORT = 12  # plies: a game as short is shown from its first move
_ERROR_RATE = 0.4  # probability that the loser plays at random
SEARCH = Limit(depth=8, nodes=1_000)  # of the winner: some minutes for six games of any kind
_MOST_TRIES = 50  # for each attack that is wanted
_OTHER_MOVE = 0.15  # probability of a move other than the best at gomoku
_QUICK = Limit(nodes=2_000)


def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m ai.lab.make_demos", description="Makes the games of home.")
    parser.add_argument("--game", choices=tuple(GAMES), help="make those of one game only, and keep the others")
    parser.add_argument("--count", type=int, default=6, help="attacks for each game")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args(arguments)
    games = [options.game] if options.game else list(GAMES)
    demos = json.loads(FILE.read_text(encoding="utf-8")) if options.game else {}
    for game in games:
        attack = _fours(options.seed) if game == "gomoku" else _wins(game, options.seed)
        demos[game] = distinct(attack, options.count)
        print(game, *(f"{plies}: {moves}" for moves, plies in demos[game]), sep="\n  ", flush=True)
    options.out.write_text(json.dumps(demos, indent=1) + "\n", encoding="utf-8")


def distinct(attacks: Callable[[], Demo | None], count: int) -> list[Demo]:
    """Return `count` attacks, or as many as are found in that many tries."""
    found: dict[Demo, None] = {}
    for _ in range(_MOST_TRIES * count):
        if (attack := attacks()) is not None:
            found[attack] = None
        if len(found) == count:
            break
    return list(found)


def _fours(seed: int) -> Callable[[], Demo | None]:
    chosen, dice = setup("gomoku"), random.Random(seed)
    solver, player = GomokuEngine(memory_mb=16), GomokuEngine(memory_mb=16, root_vcf=False)

    def attack() -> Demo | None:
        record = parse(random_opening(chosen, dice, 5), chosen)
        while isinstance(position := record.position, LinePosition) and position.outcome is None:
            won = solver.vcf(position)
            if won is not None:
                begun = position.ply
                for move in won.pv if len(won.pv) >= _LEAST_FOURS else ():
                    record.play(move)
                return (moves_text(record.line()), begun) if record.outcome is not None else None
            other = dice.random() < _OTHER_MOVE
            record.play(dice.choice(position.candidates()[:5]) if other else answer(player, position, _QUICK).move)
        return None

    return attack


def _wins(game: str, seed: int) -> Callable[[], Demo | None]:
    dice, player = random.Random(f"{seed} {game}"), AlphaBeta()

    def attack() -> Demo | None:
        winner, record, proven = dice.randrange(2), GameRecord(setup(game)), None
        while record.outcome is None:
            position = record.position
            if (position.turn != winner and dice.random() < _ERROR_RATE) or not position.ply:
                record.play(dice.choice(position.candidates()))
                continue
            info = answer(player, position, SEARCH)
            if position.turn == winner and proven is None and info.mate is not None and info.mate > 0:
                proven = position.ply
            record.play(info.move)
        if record.outcome.winner != winner or proven is None:
            return None
        plies = record.position.ply
        return moves_text(record.line()), 0 if plies <= _SHORT else proven

    return attack


if __name__ == "__main__":
    main(sys.argv[1:])
