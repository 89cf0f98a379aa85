"""Fit evaluation and move ordering to self-play games.

    python -m ai.lab.tune play --rule freestyle --games 5000 --nodes 2500 --out games.npz
    python -m ai.lab.tune fit games.npz … --rule freestyle
    python -m ai.lab.tune round FOLDER --rule freestyle --games 5000 --nodes 2500 --match-games 400

`play` records positions with the score and the move of the search and the result of the game
(ai/lab/selfplay.py). `fit` writes the weights of that rule into ai/gomoku/weights.npz (ai/lab/tune_models.py).
`round` does both and plays a match of the new weights against the old ones (ai/lab/tune_round.py). `play` and
`round` go on where they were killed, when they are started again with the same options.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ai.arena.arguments import add_workers, exiting
from ai.arena.progress import Meter
from ai.gomoku.weights import FITTED
from ai.lab.selfplay import Games, joined, play
from ai.lab.tune_data import load
from ai.lab.tune_models import Fit, fit_rule
from ai.lab.weights_file import save


def _parser() -> argparse.ArgumentParser:
    from ai.gomoku.engine import RULES

    default = Fit()
    parser = argparse.ArgumentParser(prog="python -m ai.lab.tune", description="Fits the engine's weights.")
    commands = parser.add_subparsers(required=True, dest="command")
    playing, fitting, round_ = (commands.add_parser(name) for name in ("play", "fit", "round"))
    for command in (playing, round_):
        command.add_argument("--games", type=int, default=1000)
        command.add_argument("--nodes", type=int, default=2500)
        command.add_argument("--size", type=int, default=15)
        command.add_argument("--seed", type=int, default=1)
        add_workers(command, os.cpu_count())
    for command in (fitting, round_):
        command.add_argument("--share", type=float, default=default.share, help="of the search's score in the target")
        command.add_argument("--epochs", type=int, default=default.epochs)
        command.add_argument("--decay", type=float, default=default.decay)
    playing.add_argument("--out", type=Path, required=True, help="what is finished is in a folder beside it")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--out", type=Path, default=Path(FITTED))
    round_.add_argument("folder", type=Path)
    round_.add_argument("--match-games", type=int, default=200)
    round_.add_argument("--match-nodes", type=int, default=20_000, help="a move")
    for command in (playing, fitting, round_):
        command.add_argument("--rule", choices=RULES, default="freestyle")
    return parser


@exiting()
def main(arguments: list[str]) -> None:
    from ai.gomoku.engine import RULES
    from ai.lab.tune_round import Round

    options, meter = _parser().parse_args(arguments), Meter()
    rule = RULES[options.rule]
    if options.command != "fit":
        games = Games(rule, options.size, options.games, options.nodes, options.seed)
    if options.command != "play":
        how = Fit(options.share, options.epochs, options.decay)
    if options.command == "play":
        folder = options.out.with_name(f"{options.out.stem}-games")
        joined(play(games, folder, options.workers, options.cluster), options.out)
    elif options.command == "fit":
        note, colours = fit_rule(load(options.files), rule, how, meter.show)
        save(options.out, rule, note, colours)
        meter.clear()
        print(note, file=sys.stderr)
    else:
        work = Round(options.rule, games, how, options.match_games, options.match_nodes)
        print(work.run(options.folder, options.workers, options.cluster, meter.show))


if __name__ == "__main__":
    main(sys.argv[1:])
