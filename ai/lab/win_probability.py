"""Fit the curves of `ai.core.score` to self-play games, and validate them on other games.

    python -m ai.lab.win_probability play --rule freestyle --games 300 --seed 1 --out games.npz
    python -m ai.lab.win_probability fit games.npz …

`play` records each position of games from balanced openings: a third of them the engine against itself, the others
levels 5 to 8 against themselves. A search of fixed nodes evaluates every position; those with a proven result are
skipped. `fit` maximises the likelihood of the results by Newton's method, writes the curves, and prints their
calibration by cross-validation: each position is predicted by a curve that was fitted to other games.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.arena.arena import add_resume, add_workers, exit_on_errors
from ai.arena.journal import run_kept, with_meter
from ai.core.player import Info, Limit, Player, answer
from ai.core.score import CURVES, LATE, MOST, SCALE
from ai.lab.make_openings import random_opening
from ai.players.table import Context, make, strongest
from games.formats.text import parse
from games.record import GameRecord
from games.registry import GAMES, Setup, setup

JUDGE = "judge"
PLAYERS = (JUDGE, JUDGE, "level:5", "level:6", "level:7", "level:8")
"""Who plays a game against itself, in turn; the judge is the engine that evaluates the positions, too."""

STRONG = (JUDGE, "level:7", "level:8")
"""Whose games are fitted: a result between weaker players depends more on later mistakes than on the position."""

FOLDS = 4

NODES = 20_000
"""Nodes of the search that evaluates a position."""

BINS = 10

_BALANCED = 120  # largest score of an opening
_OTHER_MOVE = 0.05  # chance that the engine plays another good move, for variety
_GAMES_A_JOB = 6

Floats = npt.NDArray[np.float64]
Row = tuple[int, int, int, float]
"""Game, ply, score, result; both from the side to move."""


# Playing.


class Recorder:
    """Play games of one setup and evaluate their positions."""

    def __init__(self, chosen: Setup, seed: int) -> None:
        self.setup = chosen
        self.dice = random.Random(seed)
        self.judge = make(strongest(chosen.game), Context(chosen.game, memory_mb=16))

    def rows(self, number: int) -> list[Row]:
        """Return the positions of game `number` without a proven result."""
        name = PLAYERS[number % len(PLAYERS)]
        player = None if name == JUDGE else make(name, Context(self.setup.game, seed=self.dice.randrange(1 << 20)))
        record = self._opening()
        judged = []
        while record.outcome is None:
            position = record.position
            info = self._judged(record)
            if info.mate is None:
                judged.append((position.ply, position.turn, info.score))
            record.play(self._move(record, info, player))
        winner = record.outcome.winner
        return [
            (number, ply, score, 0.5 if winner is None else float(winner == turn)) for ply, turn, score in judged
        ]

    def _judged(self, record: GameRecord) -> Info:
        return answer(self.judge, record.position, Limit(nodes=NODES))

    def _opening(self) -> GameRecord:
        while True:
            record = parse(random_opening(self.setup, self.dice, self.dice.randint(3, 8)), self.setup)
            if record.outcome is None and abs(self._judged(record).score) <= _BALANCED:
                return record

    def _move(self, record: GameRecord, info: Info, player: Player | None) -> int:
        if player is not None:
            return answer(player, record.position, Limit()).move
        if info.mate is None and self.dice.random() < _OTHER_MOVE:
            return self.dice.choice(list(record.position.candidates())[:5])
        return info.move


def _play_some(chosen: Setup, first: int, games: int, seed: int) -> list[Row]:
    recorder = Recorder(chosen, seed * 100_003 + first)
    return [row for number in range(first, first + games) for row in recorder.rows(number)]


def play(
    chosen: Setup, games: int, seed: int, out: Path, workers: int, cluster: str | None = None, kept: Path | None = None
) -> None:
    """Play `games` on `workers` processes, or on a `cluster`, and write their rows to `out`; `kept` keeps those of
    finished games."""
    starts = range(0, games, _GAMES_A_JOB)
    calls = [(chosen, start, min(_GAMES_A_JOB, games - start), seed) for start in starts]
    head = {**asdict(chosen), "games": games, "seed": seed, "nodes": NODES}
    found = with_meter(run_kept(_play_some, calls, workers, cluster, kept=kept, head=head), len(calls))
    rows = sorted(tuple(row) for _number, part in found for row in part)
    np.savez_compressed(out, rows=np.array(rows), key=np.array(f"{chosen.game}/{chosen.rule}"))


# Fitting.


def features(ply: Floats, score: Floats) -> Floats:
    """Return the regressors, a column for each coefficient of a `WinCurve`."""
    bounded = np.clip(score / SCALE, -MOST, MOST)
    return np.column_stack([np.ones_like(score), bounded, bounded * np.minimum(ply, LATE) / LATE])


def fitted(seen: Floats, results: Floats) -> Floats:
    """Return the maximum likelihood estimate by Newton's method; a draw counts as half a win and half a loss."""
    coefficients = np.zeros(seen.shape[1])
    for _ in range(50):
        odds = predicted(seen, coefficients)
        gradient = seen.T @ (results - odds)
        curvature = (seen * (odds * (1 - odds))[:, None]).T @ seen + 1e-6 * np.eye(seen.shape[1])
        step = np.linalg.solve(curvature, gradient)
        coefficients = coefficients + step
        if np.abs(step).max() < 1e-9:
            break
    return coefficients


def predicted(seen: Floats, coefficients: Floats) -> Floats:
    odds: Floats = 1 / (1 + np.exp(-seen @ coefficients))
    return odds


def cross_validated(seen: Floats, results: Floats, fold: Floats) -> Floats:
    """Return the probability of each position by the coefficients fitted to all other folds."""
    odds = np.zeros_like(results)
    for each in np.unique(fold):
        inside = fold == each
        odds[inside] = predicted(seen[inside], fitted(seen[~inside], results[~inside]))
    return odds


def calibration(odds: Floats, results: Floats) -> Iterator[dict[str, Any]]:
    """Yield, for each bin of predicted probability, the number of positions and the mean prediction and result."""
    places = np.minimum((odds * BINS).astype(int), BINS - 1)
    for place in range(BINS):
        inside = places == place
        if inside.any():
            yield {
                "from": place / BINS,
                "positions": int(inside.sum()),
                "predicted": round(float(odds[inside].mean()), 4),
                "observed": round(float(results[inside].mean()), 4),
            }


def fit(files: Sequence[Path]) -> dict[str, Any]:
    """Return the curves of all rules in `files`, and their cross-validated calibration."""
    loaded = [np.load(file) for file in files]
    curves, checks = {}, {}
    for key in sorted({str(part["key"]) for part in loaded}):
        rows = np.concatenate([part["rows"] for part in loaded if str(part["key"]) == key])
        strong = [number for number, name in enumerate(PLAYERS) if name in STRONG]
        game, ply, score, result = rows[np.isin(rows[:, 0] % len(PLAYERS), strong)].T
        seen = features(ply, score)
        found = fitted(seen, result)
        curves[key] = dict(zip(("shift", "slope", "slope_late"), (round(float(one), 5) for one in found), strict=True))
        fold = game // len(PLAYERS) % FOLDS  # as many games of each player in each
        checks[key] = list(calibration(cross_validated(seen, result, fold), result))
    return {"curves": curves, "calibration": checks}


def _print(calibrations: dict[str, list[dict[str, Any]]]) -> None:
    for key, rows in calibrations.items():
        print(f"\n{key}\n  bin       positions  predicted  observed  difference")
        for row in rows:
            difference = row["observed"] - row["predicted"]
            print(f"  {row['from']:.1f}–{row['from'] + 1 / BINS:.1f}  {row['positions']:>9}  {row['predicted']:>9.3f}"
                  f"  {row['observed']:>8.3f}  {difference:>+10.3f}")


@exit_on_errors()
def main(arguments: Sequence[str] | None = None) -> None:
    """The command line of the tool."""
    parser = argparse.ArgumentParser(prog="python -m ai.lab.win_probability", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("--rule", choices=GAMES["gomoku"].rules, required=True)
    playing.add_argument("--games", type=int, default=300)
    playing.add_argument("--seed", type=int, default=1)
    add_workers(playing, 1)
    add_resume(playing)
    playing.add_argument("--out", type=Path, required=True)
    fitting = commands.add_parser("fit")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--out", type=Path, default=CURVES)
    options = parser.parse_args(arguments)
    if options.command == "play":
        chosen = setup("gomoku", rule=options.rule)
        where = options.workers, options.cluster, options.resume
        play(chosen, options.games, options.seed, options.out, *where)
        return
    found = fit(options.files)
    _print(found["calibration"])
    command = " ".join(["python -m ai.lab.win_probability", *(sys.argv[1:] if arguments is None else arguments)])
    head = {"command": command, "date": date.today().isoformat(), "nodes": NODES}
    options.out.write_text(json.dumps(head | found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
