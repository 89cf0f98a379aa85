"""A round of tuning: self-play with the engine's weights, a fit of new ones, and a match between the two.

Everything that is finished is in the folder of the round, so that it goes on where it was killed:

- games/ has the samples of self-play, a file for each task;
- candidate.npz has the new weights of the rule alone, which are sent to the workers of the match; weights.npz has them
  beside the shipped weights of the other rules, to be copied to ai/gomoku/weights.npz;
- match.jsonl has the scores of the match.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ai.arena.journal import Journal, locked, run_kept
from ai.arena.progress import shown
from ai.gomoku.engine import GomokuEngine
from ai.gomoku.weights import FITTED
from ai.lab.features import both_ways, meetings, row
from ai.lab.selfplay import Games, play
from ai.lab.tune_data import load
from ai.lab.tune_models import Fit, fit_rule
from ai.lab.weights_file import save
from games.registry import Setup, setup
from games.storage import write_atomic


@dataclass(frozen=True, slots=True)
class Round:
    """What a round does; `rule` is the name of that of `games`. The match has so many games and nodes a move."""

    rule: str
    games: Games
    fit: Fit
    match_games: int
    match_nodes: int

    def run(self, folder: Path, workers: int, cluster: str | None, tell: Callable[[str], None]) -> str:
        """Do what is missing in `folder`; return the result of the match. Raise `BadJournal` for another round."""
        with locked(folder / ".lock", f"Another process is at the round in “{folder.name}”."):
            Journal(folder / "round.jsonl", "round", asdict(self))
            files = play(self.games, folder / "games", workers, cluster)
            candidate = folder / "candidate.npz"
            if not candidate.is_file():
                self._fit(files, folder, candidate, tell)
            return self._match(candidate, workers, cluster)

    def _fit(self, files: list[Path], folder: Path, candidate: Path, tell: Callable[[str], None]) -> None:
        note, colours = fit_rule(load(files), self.games.rule, self.fit, tell)
        write_atomic(folder / "weights.npz", Path(FITTED).read_bytes())
        for file in (folder / "weights.npz", candidate):  # the candidate last: with it the fit is finished
            save(file, self.games.rule, note, colours)

    def _match(self, candidate: Path, workers: int, cluster: str | None) -> str:
        where, weights = setup("gomoku", self.games.size, self.rule), candidate.read_bytes()
        calls = [(weights, *each) for each in meetings(where, self.match_games, self.match_nodes)]
        kept: dict[str, Any] = {"kept": candidate.with_name("match.jsonl"), "head": asdict(self)}
        found = shown(run_kept(pair, calls, workers, cluster, **kept), len(calls))
        return row("new weights", [scores for _number, scores in sorted(found)])


def pair(weights: bytes, opening: str, where: Setup, nodes: int) -> list[float]:
    """Return the scores of new `weights` in two games against those of the engine, one with each colour."""
    new, old = GomokuEngine(memory_mb=16, weights=_file(weights)), GomokuEngine(memory_mb=16)
    return both_ways(new, old, opening, where, nodes)


@cache
def _file(weights: bytes) -> str:
    """Write the weights where this process finds them."""
    folder = tempfile.mkdtemp(prefix="tengen-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = Path(folder) / "weights.npz"
    file.write_bytes(weights)
    return str(file)
