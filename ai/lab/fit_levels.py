"""Fit a model to each level that the gomoku engine plays, from games of the level against the levels beside it.

``python -m ai.lab.fit_levels --games 40 --seed 1`` writes ai/players/opponent/levels.json, with the number of games
and the seed of each model; the players called ``trickster:5`` read it. Other levels need no fit
(`ai.players.opponent.model`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import cycle, islice
from typing import Any

from ai.arena.arena import add_resume, add_workers, exit_on_errors
from ai.arena.journal import run_kept
from ai.core.player import Limit, answer
from ai.players.levels import LevelPlayer
from ai.players.opponent.model import LEVELS, Figure, Fitted, fit, tally_of
from ai.players.opponents import OPPONENTS, opponents
from games.formats.text import parse
from games.position import Position
from games.registry import Setup, setup
from games.storage import write_atomic

_DIGITS = 3


def moves_of(game: Setup, level: int, games: int, seed: int) -> Iterator[tuple[Position, int]]:
    """Yield the moves of a level with the positions before them, in games from the openings of matches against the
    levels beside it."""
    entry = opponents(game.game)
    others = [each for each in (level - 1, level, level + 1) if 1 <= each <= len(entry.levels)]
    for number, opening in enumerate(islice(cycle(entry.openings(game)), games)):
        position, side = parse(opening, game).position, number % 2
        numbers = (level, others[number % len(others)])
        players = [LevelPlayer(each, 1000 * seed + 2 * number + place) for place, each in enumerate(numbers)]
        while position.outcome is None:
            own = position.turn == side
            move = answer(players[not own], position, Limit()).move
            if own:
                yield position, move
            position = position.play(move)
        for player in players:
            player.close()


def measure(game: Setup, level: int, games: int, seed: int) -> tuple[str, int, str, dict[str, Any]]:
    """Return game and level, a line about the fit, and the model of the level."""
    fitted = fit(game.game, tally_of(moves_of(game, level, games, seed)))
    return game.game, level, f"{game.game} level {level}: {about(fitted)}", _rounded(asdict(fitted.model))


def about(fitted: Fitted) -> str:
    """Describe a fitted model in one line."""
    kinds = ((kind, *fitted.tally.missed.get(kind, (0, 0)), rate) for kind, rate in fitted.rates.items())
    rates = [f"{kind} {missed} of {met} {_span(rate)}" for kind, missed, met, rate in kinds]
    return f"{fitted.tally.moves} moves, depth {fitted.depth}, T {_span(fitted.temperature)}; {', '.join(rates)}"


def _span(figure: Figure) -> str:
    return f"{figure.mean:.3f} ({figure.low:.3f} to {figure.high:.3f})"


def _rounded(model: dict[str, Any]) -> dict[str, Any]:
    misses = {kind: round(rate, _DIGITS) for kind, rate in model["misses"].items()}
    return model | {"temperature": round(model["temperature"], _DIGITS), "misses": misses}


@exit_on_errors()
def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m ai.lab.fit_levels", description=__doc__.partition("\n")[0])
    parser.add_argument("--level", type=int, help="only this level (default: all)")
    parser.add_argument("--games", type=int, default=40, help="games of each level")
    parser.add_argument("--seed", type=int, default=1)
    add_workers(parser, 1)
    add_resume(parser)
    options = parser.parse_args(arguments)
    data = json.loads(LEVELS.read_text(encoding="utf-8")) if LEVELS.exists() else {"games": {}}
    calls = [
        (setup(game), number, options.games, options.seed)
        for game, entry in OPPONENTS.items()
        for number, level in enumerate(entry.levels, 1)
        if level.engine and options.level in (None, number)
    ]
    head = {"games": options.games, "seed": options.seed, "levels": [(call[0].game, call[1]) for call in calls]}
    where = options.workers, options.cluster
    for _number, (game, level, line, model) in run_kept(measure, calls, *where, kept=options.resume, head=head):
        print(line, file=sys.stderr, flush=True)
        data["games"].setdefault(game, {})[str(level)] = model | {"games": options.games, "seed": options.seed}
        write_atomic(LEVELS, (json.dumps(data, indent=1) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])
