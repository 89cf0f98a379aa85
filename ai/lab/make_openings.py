"""Make `ai/gomoku/openings.txt`, balanced openings of gomoku, in some minutes: `python -m ai.lab.make_openings`."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from ai.core.player import Info, Limit, Player, answer
from ai.gomoku.book import canonical
from ai.gomoku.openings import MADE_FOR, OPENINGS
from ai.players.table import Context, make
from games.formats.text import moves_text, parse
from games.line import LinePosition
from games.position import Position
from games.record import path
from games.registry import GAMES, Setup, setup

_STONES = (3, 4, 5, 6)
_HEAD = """# Balanced openings of gomoku for matches, on 15×15 (h8 is the centre): a section for each rule, an opening
# a line. Made by `python -m ai.lab.make_openings{how}`: random stones within two points
# of the centre (three from the fourth stone on), kept if the engine in {seconds:g} s finds neither a win for a side nor
# more than {bound} points of advantage for it. No two are the same turned or mirrored.
"""
"""The header of the file."""


def main(arguments: Sequence[str]) -> None:
    """Parse the command line."""
    description = "Makes the balanced openings of gomoku."
    parser = argparse.ArgumentParser(prog="python -m ai.lab.make_openings", description=description)
    parser.add_argument("--count", type=int, default=50, help="openings for each rule")
    parser.add_argument("--seconds", type=float, default=0.5, help="engine time for each opening")
    parser.add_argument("--bound", type=int, default=60, help="greatest score that counts as balanced")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--out", type=Path, default=OPENINGS)
    options = parser.parse_args(arguments)
    how = f" --seconds {options.seconds:g} --bound {options.bound} --seed {options.seed}"
    text = _HEAD.format(how=how, seconds=options.seconds, bound=options.bound)
    for rule in GAMES["gomoku"].rules:
        found = _find(setup("gomoku", MADE_FOR, rule), options)
        text += f"\n[{rule}]\n" + "".join(f"{moves}\n" for moves in found)
        options.out.write_text(text, encoding="utf-8")  # after each rule, since each takes a while


def _find(chosen: Setup, options: argparse.Namespace) -> list[str]:
    """Return distinct balanced openings, those with fewer stones first."""
    engine = make("engine", Context(chosen.game))
    dice = random.Random(f"{options.seed} {chosen.rule}")
    found: dict[str, int] = {}
    seen = set()
    while len(found) < options.count:
        moves = random_opening(chosen, dice, dice.choice(_STONES))
        position = parse(moves, chosen).position
        assert isinstance(position, LinePosition)
        shape, _ = canonical(position.cells)
        if shape in seen:
            continue
        seen.add(shape)
        score = _score(engine, position, options.seconds, options.bound)
        if score is not None:
            found[moves] = position.ply
            print(f"{chosen.rule} {len(found)}/{options.count}: {moves} {score:+d}", flush=True)
    return sorted(found, key=lambda moves: (found[moves], moves))


def _score(engine: Player, position: Position, seconds: float, bound: int) -> int | None:
    """Return the engine's score of a balanced position, or None. A short search rejects most others."""
    for time in (seconds / 10, seconds):
        info: Info = answer(engine, position, Limit(seconds=time))
        wide = bound if time == seconds else 3 * bound
        if info.mate is not None or abs(info.score) > wide:
            return None
    return info.score


def random_opening(setup: Setup, dice: random.Random, stones: int) -> str:
    """Return `stones` random legal moves within two, and later three, points of the centre."""
    record = parse("", setup)
    middle = setup.size // 2
    while record.position.ply < stones:
        reach = min(2 if record.position.ply < 3 else 3, middle)
        column, row = (middle + dice.randint(-reach, reach) for _ in range(2))
        move = min(row, setup.size - 1) * setup.size + min(column, setup.size - 1)
        if move in record.position.legal_moves():
            record.play(move)
    return moves_text(path(record.cursor))


if __name__ == "__main__":
    main(sys.argv[1:])
