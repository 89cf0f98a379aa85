"""Checks reviews of games: whether planted blunders are found, and how many are found that are none.

    python -m ai.lab.review_check planted --games 30 --seed 1
    python -m ai.lab.review_check honest FOLDER

`planted` lets the engine play itself, plants one move that a long search calls a blunder, and lets the engine play on.
`honest` reviews the games in a folder, which the engine played against itself with more time than the review has.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from ai.arena.openings import openings
from ai.player import Info, Limit, Player, answer
from ai.review.kinds import BLUNDER, MISTAKES
from ai.review.report import reviewed
from ai.review.review import SECONDS, make_judge
from ai.review.win_probability import win_probability
from games.formats import load
from games.formats.text import moves_text, parse
from games.position import Position
from games.record import GameRecord
from games.registry import GAMES, Setup, setup

ALARMS = ("blunder", "missed_win")

_PLAYING, _PROVING = 0.2, 2.0  # seconds of a search
_BALANCED = (0.3, 0.7)  # win probabilities between which a blunder is planted
_EARLIEST, _LATEST = 5, 16  # plies after the opening
_AFTERWARDS = 8  # plies that follow the blunder
_OPENING = 6  # plies that nobody chose


class Planter:
    """Makes games with one blunder."""

    def __init__(self, chosen: Setup, dice: random.Random) -> None:
        self.setup, self.dice, self.player = chosen, dice, make_judge()

    def game(self, opening: str) -> tuple[GameRecord, int] | None:
        """A game with a blunder, and its ply; None where the game got decided without."""
        record = parse(opening, self.setup)
        planted = record.position.ply + self.dice.randint(_EARLIEST, _LATEST)
        while record.position.ply < planted:
            if not self._go_on(record):
                return None
        move = self._blunder(record.position)
        if move is None:
            return None
        ply = record.play(move).position.ply
        while record.position.ply < ply + _AFTERWARDS and self._go_on(record):
            pass
        return record, ply

    def _go_on(self, record: GameRecord) -> bool:
        if record.outcome is None:
            record.play(_searched(self.player, record.position, _PLAYING).move)
        return record.outcome is None

    def _blunder(self, position: Position) -> int | None:
        """A move near the stones that is searched long and loses `BLUNDER` or more, from a position in balance."""
        before = self._win(position, _searched(self.player, position, _PROVING))
        if not _BALANCED[0] <= before <= _BALANCED[1]:
            return None
        moves = list(position.candidates())
        self.dice.shuffle(moves)
        for move in moves[:6]:
            after = position.play(move)
            if after.outcome is None:
                win = 1 - self._win(after, _searched(self.player, after, _PROVING))
                if before - win >= BLUNDER:
                    return move
        return None

    def _win(self, position: Position, info: Info) -> float:
        return win_probability(self.setup, info.score, info.mate, position.ply)


def _searched(player: Player, position: Position, seconds: float) -> Info:
    return answer(player, position, Limit(seconds=seconds))


def planted(games: int, seconds: float, seed: int) -> Iterator[str]:
    """One line for each game, and the sum."""
    dice, made, found, grave, number = random.Random(seed), 0, 0, 0, 0
    rules = GAMES["gomoku"].rules
    while made < games:
        chosen = setup("gomoku", rule=rules[number % len(rules)])
        number += 1
        game = Planter(chosen, dice).game(dice.choice(openings(chosen, None, seed)))
        if game is None:
            continue
        record, ply = game
        moves = moves_text(record.line())
        kinds = {move.node.position.ply: move.kind for move in reviewed(_fresh(record), seconds).moves}
        made += 1
        found, grave = found + (kinds[ply] in MISTAKES), grave + (kinds[ply] in ALARMS)
        others = [f"{at}:{kind}" for at, kind in kinds.items() if kind in ALARMS and at != ply]
        yield f"{chosen.rule:<10} ply {ply:>3} {kinds[ply]:<10} others {' '.join(others) or '–':<30} {moves}"
    yield f"{found} of {made} planted blunders found, {grave} of them called blunder or missed_win"


def honest(folder: Path, seconds: float) -> Iterator[str]:
    """One line for each game, and the sum."""
    alarms = games = moves = 0
    for file in sorted(folder.glob("*.tengen.json")):
        began = time.monotonic()
        record = _fresh(load(file))
        judged = reviewed(record, seconds).moves
        bad = [
            f"{move.node.position.ply}:{move.kind}({move.loss:.2f})"
            for move in judged
            if move.kind in ALARMS and move.node.position.ply > _OPENING
        ]
        alarms, games, moves = alarms + len(bad), games + 1, moves + len(judged)
        yield f"{file.name} {len(judged)} moves, {time.monotonic() - began:.0f} s: {' '.join(bad) or '–'}"
    yield f"{alarms} blunders in {games} games, {moves} moves"


def _fresh(record: GameRecord) -> GameRecord:
    """The same moves without what was found of them."""
    return parse(moves_text(record.line()), record.setup)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line of the tool."""
    parser = argparse.ArgumentParser(prog="python -m ai.lab.review_check", description=__doc__.split("\n")[0])
    parser.add_argument("check", choices=("planted", "honest"))
    parser.add_argument("folder", type=Path, nargs="?", default=Path())
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="a position, of the review")
    options = parser.parse_args(arguments)
    check = options.check == "planted"
    lines = planted(options.games, options.seconds, options.seed) if check else honest(options.folder, options.seconds)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
