"""Fit evaluation and move ordering to self-play games.

    python -m ai.lab.tune play --rule freestyle --games 1000 --nodes 20000 --leaf-nodes 5000 --out games.npz
    python -m ai.lab.tune samples ai/lab/labels/freestyle.jsonl.xz --rule freestyle --out labels.npz
    python -m ai.lab.tune fit games.npz … --rule freestyle
    python -m ai.lab.tune measure labels.npz --rule freestyle
    python -m ai.lab.tune round FOLDER --rule freestyle --games 1000 --nodes 20000 --leaf-nodes 5000 --match-games 400

`play` records positions with the score and the move of the search and the result of the game, and with
`--leaf-nodes` leaves of these searches, too (ai/lab/selfplay.py); `samples` takes them from labelled games
(ai/lab/labels, made by `ai.lab.deep_labels` and `ai.lab.label_gomoku`), and with `--nodes` labels them anew, also
under another rule. `fit` writes the weights of that rule into ai/gomoku/weights.npz (ai/lab/tune_models.py), with
`--start` beginning with known ones; `measure` tells how well weights agree with every tenth game, which no fit learns
from. `round` does both and plays a match of the new weights against the old ones (ai/lab/tune.py). `play` and `round`
go on where they were killed, when they are started again with the same options.
"""

from __future__ import annotations

import argparse
import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ai.arena.arena import add_workers, exit_on_errors
from ai.arena.journal import Journal, Meter, locked, run_kept, with_meter
from ai.core.player import Limit
from ai.gomoku.engine import GomokuEngine
from ai.gomoku.tables import FITTED
from ai.lab.deep_labels import samples
from ai.lab.gomoku_labels import games_of, save
from ai.lab.node_match import NodeMatch, Scores, more_nodes, result
from ai.lab.selfplay import Games, columns, joined, play
from ai.lab.tune_models import Fit, fit_rule, load, measured
from games.position import Position
from games.storage import write_atomic

_ELO = 30.0  # of the SPRT, against 0


def _parser() -> argparse.ArgumentParser:
    from ai.gomoku.engine import RULES

    default = Fit()
    parser = argparse.ArgumentParser(prog="python -m ai.lab.tune", description="Fits the engine's weights.")
    commands = parser.add_subparsers(required=True, dest="command")
    playing, fitting, round_, sampling, measuring = (
        commands.add_parser(name) for name in ("play", "fit", "round", "samples", "measure")
    )
    for command in (playing, round_):
        command.add_argument("--games", type=int, default=1000)
        command.add_argument("--nodes", type=int, default=2500, help="a move")
        command.add_argument("--leaf-nodes", type=int, default=0, help="for a leaf of these searches; 0 for no leaves")
        command.add_argument("--size", type=int, default=15)
        command.add_argument("--seed", type=int, default=1)
        add_workers(command, os.cpu_count())
    for command in (fitting, round_):
        command.add_argument("--share", type=float, default=default.share, help="of the search's score in the target")
        command.add_argument("--epochs", type=int, default=default.epochs)
        command.add_argument("--decay", type=float, default=default.decay)
        command.add_argument("--pace", type=float, default=default.pace, help="of the steps, relative to the usual one")
        command.add_argument("--start", metavar="FILE", help="weights to begin with, and to stay near to")
        command.add_argument("--scale", type=float, default=default.scale, help="of the evaluation, in the end")
    playing.add_argument("--out", type=Path, required=True, help="what is finished is in a folder beside it")
    fitting.add_argument("--part", type=float, default=default.part, help="of the games to learn from")
    fitting.add_argument("--weights", type=float, nargs="+", default=(), help="of each file in the loss")
    sampling.add_argument("labels", type=Path, help="games of ai/lab/labels, or like them")
    sampling.add_argument("--late", action="store_true", help="the positions after those with labels instead")
    sampling.add_argument("--nodes", type=int, default=0, help="of a search that labels a position anew; 0 for none")
    sampling.add_argument("--out", type=Path, required=True)
    measuring.add_argument("files", type=Path, nargs="+")
    measuring.add_argument("--start", metavar="FILE", default=FITTED, help="weights")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--out", type=Path, default=Path(FITTED))
    round_.add_argument("folder", type=Path)
    round_.add_argument("--match-games", type=int, default=200)
    round_.add_argument("--match-nodes", type=int, default=20_000, help="a move")
    for command in (playing, fitting, round_, sampling, measuring):
        command.add_argument("--rule", choices=RULES, default="freestyle")
    return parser


@exit_on_errors()
def main(arguments: list[str]) -> None:
    from ai.gomoku.engine import RULES

    options, meter = _parser().parse_args(arguments), Meter()
    rule = RULES[options.rule]
    if options.command in {"play", "round"}:
        games = Games(rule, options.size, options.games, options.nodes, options.seed, options.leaf_nodes)
    if options.command in {"fit", "round"}:
        how = Fit(options.share, options.epochs, options.decay, options.pace, options.start, scale=options.scale)
    if options.command == "play":
        folder = options.out.with_name(f"{options.out.stem}-games")
        joined(play(games, folder, options.workers, options.cluster), options.out)
    elif options.command == "samples":
        found = list(samples(options.rule, games_of(options.labels), options.late, options.nodes))
        np.savez_compressed(options.out, **columns(found))
    elif options.command == "measure":
        print(*measured(load(options.files), rule, options.start), sep="\n")
    elif options.command == "fit":
        data, how = load(options.files, options.weights), replace(how, part=options.part)
        note, colours = fit_rule(data, rule, how, meter.show)
        save(options.out, rule, note, colours)
        meter.clear()
        print(note, file=sys.stderr)
    else:
        work = Round(options.rule, games, how, options.match_games, options.match_nodes)
        print(work.run(options.folder, options.workers, options.cluster, meter.show))


if __name__ == "__main__":
    main(sys.argv[1:])


# A round of tuning: self-play with the engine's weights, a fit of new ones, and a match between the two.
#
# Everything that is finished is in the folder of the round, so that it goes on where it was killed:
#
# - games/ has the samples of self-play, a file for each task;
# - candidate.npz has the new weights of the rule alone, which are sent to the workers of the match; weights.npz has
# them   beside the shipped weights of the other rules, to be copied to ai/gomoku/weights.npz;
# - match.jsonl has the scores of the match.


@dataclass(frozen=True, slots=True)
class Round:
    """What a round does; `rule` is the name of that of `games`. The match has so many games and nodes a move."""

    rule: str
    games: Games
    fit: Fit
    match_games: int
    match_nodes: int

    def run(self, folder: Path, workers: int, cluster: str | None, on_progress: Callable[[str], None]) -> str:
        """Do what is missing in `folder`; return the result of the match. Raise `BadJournal` for another round."""
        with locked(folder / ".lock", f"Another process is at the round in “{folder.name}”."):
            Journal(folder / "round.jsonl", "round", asdict(self))
            files = play(self.games, folder / "games", workers, cluster)
            candidate = folder / "candidate.npz"
            if not candidate.is_file():
                self._fit(files, folder, candidate, on_progress)
            return self._match(candidate, workers, cluster)

    def _fit(self, files: list[Path], folder: Path, candidate: Path, on_progress: Callable[[str], None]) -> None:
        note, colours = fit_rule(load(files), self.games.rule, self.fit, on_progress)
        write_atomic(folder / "weights.npz", Path(FITTED).read_bytes())
        for file in (folder / "weights.npz", candidate):  # the candidate last: with it the fit is finished
            save(file, self.games.rule, note, colours)

    def _match(self, candidate: Path, workers: int, cluster: str | None) -> str:
        nodes, weights = self.match_nodes, candidate.read_bytes()
        match = NodeMatch("gomoku", ("engine", "engine"), (nodes, nodes), rule=self.rule, size=self.games.size)
        calls = [(weights, position, more_nodes(nodes, turn))
                 for position, turn in islice(match.starts(), self.match_games // 2)]  # fmt: skip
        kept: dict[str, Any] = {"kept": candidate.with_name("match.jsonl"), "head": asdict(self)}
        scores = Scores()
        for _number, both in sorted(with_meter(run_kept(pair, calls, workers, cluster, **kept), len(calls))):
            scores += both
        test = scores.sprt(_ELO)
        return f"New weights, {scores}, SPRT {test.llr:+.2f}, {test.status}"


def pair(weights: bytes, position: Position, limit: Limit) -> list[float]:
    """Return the scores of new `weights` in two games against those of the engine, one with each colour."""
    new, old = GomokuEngine(memory_mb=16, weights=_file(weights)), GomokuEngine(memory_mb=16)
    return [result(position, (new, old), (limit, limit)), 1 - result(position, (old, new), (limit, limit))]


@cache
def _file(weights: bytes) -> str:
    """Write the weights where this process finds them."""
    folder = tempfile.mkdtemp(prefix="tengen-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = Path(folder) / "weights.npz"
    file.write_bytes(weights)
    return str(file)
