"""Make `ai/gomoku/openings.txt`, balanced openings of gomoku, in some minutes: `python -m ai.lab.make_openings`."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ai.gomoku.openings import MADE_FOR, OPENINGS, random_opening
from ai.player import Info, Limit, Player, answer
from ai.players import Context, make
from games.formats.text import parse
from games.position import Position
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
    """Yield distinct balanced openings, those with fewer stones first."""
    engine = make("engine", Context(chosen.game))
    dice = random.Random(f"{options.seed} {chosen.rule}")
    found: dict[str, int] = {}
    seen: set[frozenset[tuple[int, int]]] = set()
    while len(found) < options.count:
        moves = random_opening(chosen, dice, dice.choice(_STONES))
        position = parse(moves, chosen).position
        shape = _shape(position, chosen.size)
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


def _shape(position: Position, size: int) -> frozenset[tuple[int, int]]:
    """Return the stones of `position` in canonical form: the least of the eight symmetries."""
    stones = [(cell, content) for cell, content in enumerate(getattr(position, "cells", b"")) if content]
    shapes = ([(turn(cell, size), content) for cell, content in stones] for turn in _symmetries())
    return frozenset(min(sorted(shape) for shape in shapes))


def _symmetries() -> Iterator[_Turn]:
    for transposed in (False, True):
        for down in (False, True):
            for right in (False, True):
                yield _Turn(transposed, down, right)


class _Turn:
    """Return `cell` in one of the eight symmetries of the square."""

    def __init__(self, transposed: bool, down: bool, right: bool) -> None:
        self._how = transposed, down, right

    def __call__(self, cell: int, size: int) -> int:
        transposed, down, right = self._how
        row, column = divmod(cell, size)
        if transposed:
            row, column = column, row
        return (size - 1 - row if down else row) * size + (size - 1 - column if right else column)


if __name__ == "__main__":
    main(sys.argv[1:])
