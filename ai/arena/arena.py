"""Matches between two players: which is stronger, by how much, and with what error.

Each opening is played twice with colours reversed. Games run in parallel, each as one task. A match with a file to
resume from keeps every finished game there, and continues there after it was killed. `main.py arena` is its command
line.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ai.arena.executors import NoExecutor, run_all
from ai.arena.journal import BadJournal, Journal, Meter, locked
from ai.arena.match import Fixture, Match, Played, play, played_of
from ai.core.elo import Estimate, Sprt, estimate, sprt
from ai.gomoku.handle import EngineHandle, wait_on_terminal
from ai.gomoku.openings import BadOpenings, openings_of
from ai.pbrain.external import EngineError
from ai.players.opponents import opponents
from ai.players.table import Context, check, make, needs_engine, threads
from ai.system.threads import processors
from games.registry import Setup
from games.storage import write_atomic

__all__ = ["ArenaError", "Fixture", "Match", "Options", "Played", "Standing", "fixtures", "play", "run"]


class ArenaError(Exception):
    """A match cannot be played; `str(error)` is a sentence."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to run a match. At least `games` are played; with `early` it stops as soon as the SPRT accepts a hypothesis.

    `openings` is a file, by default the game's own openings are played; `resume` the journal of finished games;
    `cluster` and `workers` are as in `open_executor`, and `workers` is chosen if None. `elo1` is that of the SPRT.
    """

    games: int = 100
    openings: Path | None = None
    resume: Path | None = None
    cluster: str | None = None
    elo1: float = 10.0
    early: bool = False
    workers: int | None = None

    @property
    def saved(self) -> str:
        """Tell where the finished games of an interrupted match are, as part of a sentence."""
        return f"“{self.resume}” has the finished games" if self.resume else "no game is saved without --resume"


class Standing:
    """The score of a match so far, from the view of player A."""

    def __init__(self, elo1: float = 10.0) -> None:
        self._elo1 = elo1
        self._scores: dict[int, float] = {}
        self.endings: dict[str, int] = {}
        self.note = ""
        """The note of the newest game."""

    def add(self, played: Played) -> None:
        """Count a finished game."""
        self._scores[played.number] = played.score
        self.endings[played.ending] = self.endings.get(played.ending, 0) + 1
        self.note = played.note

    @property
    def games(self) -> int:
        """Number of games counted."""
        return len(self._scores)

    def count(self, score: float) -> int:
        """Return how many games gave A this score: 1, 0.5 or 0."""
        return sum(1 for each in self._scores.values() if each == score)

    def independent_scores(self) -> list[float]:
        """Return scores that are independent of each other: the mean of each complete pair of games with one opening.

        Without any complete pair, return the score of every game.
        """
        pairs = [
            (score + self._scores[number + 1]) / 2
            for number, score in self._scores.items()
            if number % 2 == 0 and number + 1 in self._scores
        ]
        return pairs or list(self._scores.values())

    @property
    def elo(self) -> Estimate:
        """How much stronger A is than B, in Elo, with the error of that estimate."""
        return estimate(self.independent_scores())

    @property
    def sprt(self) -> Sprt:
        """The state of the sequential probability ratio test of an Elo difference of 0 against one of `elo1`."""
        return sprt(self.independent_scores(), 0.0, self._elo1)

    @property
    def decided(self) -> bool:
        """Whether the SPRT has accepted a hypothesis."""
        return self.sprt.status != "open"

    def document(self) -> dict[str, Any]:
        """Return the result as JSON data, for ``--json``."""
        elo, test = self.elo, self.sprt
        figures = {"wins": self.count(1), "draws": self.count(0.5), "losses": self.count(0)}
        return {"games": self.games, **figures, "elo": elo.elo, "elo_error": elo.error, "sprt": asdict(test)}

    def __str__(self) -> str:
        """Return wins, draws and losses, the Elo difference with its error, and the state of the SPRT, on one line."""
        elo, test = self.elo, self.sprt
        score = f"+{self.count(1)} ={self.count(0.5)} -{self.count(0)}"
        return f"{score}  Elo {round(elo.elo):+d} ± {elo.error:.0f}  LLR {test.llr:+.2f} ({test.status})"


def openings(setup: Setup, file: Path | None, seed: int | None) -> list[str]:
    """Return the openings in `file`, or the game's own ones if it is None, shuffled by `seed`, without one by 0.

    Raise `BadOpenings` if `file` has none, or an illegal one.
    """
    texts = list(opponents(setup.game).openings(setup)) if file is None else openings_of(file, setup)
    random.Random(seed or 0).shuffle(texts)  # a match that is resumed needs the same order
    return texts


def fixtures(texts: Sequence[str], games: int) -> Iterator[Fixture]:
    """Yield `games` games, one more if odd: each opening twice with colours reversed, from the first again after the
    last."""
    for number in range(games + games % 2):
        yield Fixture(number, texts[number // 2 % len(texts)], number % 2)


def _planned(texts: Sequence[str], games: int, kept: Sequence[Played]) -> list[Fixture]:
    """Return the `fixtures`, where a pair of which a game is kept has the opening of that one: older versions shuffled
    them anew at each start."""
    begun = {row.number // 2: row.opening for row in reversed(kept)}  # the first one counts
    return [replace(each, opening=begun.get(each.number // 2, each.opening)) for each in fixtures(texts, games)]


def run(match: Match, options: Options, on_progress: Callable[[Standing, int], None]) -> Standing:
    """Play a match, or what is left of it in the journal `options.resume`, and return its final standing.

    `on_progress` is called at the start and after each game, with the standing and the number of games planned. Raise
    `ArenaError`, also if all games crashed.
    """
    check_players(match.players, match.setup, here=options.cluster is None)
    with match_errors("match"), _locked_folder(options.resume) as folder:
        return _run(match, options, folder, on_progress)


@contextmanager
def match_errors(what: str) -> Iterator[None]:
    """Turn errors of openings, journal, files and processes into `ArenaError` with a sentence. `what` is played."""
    try:
        yield
    except (BadOpenings, BadJournal, NoExecutor) as error:
        raise ArenaError(str(error)) from error
    except BrokenProcessPool as error:
        raise ArenaError("A process that played games has died.") from error
    except OSError as error:
        raise ArenaError(f"The {what} cannot be saved: {error.strerror or error}.") from error


def _run(match: Match, options: Options, folder: Path | None, on_progress: Callable[[Standing, int], None]) -> Standing:
    """Play the fixtures that are not in the journal; return the standing. Raise ArenaError if all games crashed.

    The game files go to `folder`. Kept games that are not among the fixtures are neither counted nor deleted.
    """
    texts = openings(match.setup, options.openings, match.seed)
    journal = Journal(options.resume, "match", match.document(), played_of)
    if options.resume and not {row.opening for row in journal.rows}.issubset(texts):
        raise BadJournal(f"“{options.resume.name}” belongs to another match, begun with other openings.")
    planned = _planned(texts, options.games, journal.rows)
    standing, left = Standing(options.elo1), dict.fromkeys(planned)
    for played in journal.rows:
        if (fixture := Fixture(played.number, played.opening, played.first)) in left:
            standing.add(played)
            del left[fixture]
    on_progress(standing, len(planned))
    if options.early and standing.decided:
        left.clear()
    workers = options.workers or games_at_once(match.players, match.setup.game)
    for played in run_all(play, [(match, fixture) for fixture in left], workers, options.cluster):
        _save_game(journal, folder, played)
        standing.add(played)
        on_progress(standing, len(planned))
        if options.early and standing.decided:
            break
    if set(standing.endings) == {"crash"}:
        raise ArenaError(f"Every game ended with a crash, which says nothing about strength. {standing.note}")
    return standing


def check_players(names: Sequence[str], setup: Setup, here: bool) -> None:
    """Check that the players can play the game, and wait until the engine is ready if one needs it.

    `here`: games run on this machine, so warm the players up. Raise `ArenaError`.
    """
    game = setup.game
    for name in dict.fromkeys(names):
        try:
            check(name, game)
            if needs_engine(name, game) and (state := wait_on_terminal(EngineHandle())).name == "failed":
                raise ArenaError(state.reason)
            with closing(make(name, Context(game))) as player:
                if here:
                    player.warm_up(setup.start())
        except (ValueError, EngineError) as error:
            raise ArenaError(str(error)) from error


def games_at_once(names: Sequence[str], game: str) -> int:
    """Return how many games of these players can run at once without sharing processors; at least 1."""
    return max(1, processors() // max(threads(name, game) for name in names))


def _games_folder(path: Path) -> Path:
    """Return the folder for the game files of the match whose journal is `path`; no other journal has it.

    ``m.jsonl`` has ``m-games``, a file with another ending ``NAME.games``. Older versions cut every name at its first
    dot: a folder which they made for this journal alone stays in use.
    """
    own = path.with_name(f"{path.stem}-games" if path.suffix == ".jsonl" else f"{path.name}.games")
    begin = path.name.partition(".")[0]
    older = path.with_name(f"{begin}-games")
    alone = [file.name for file in path.parent.glob("*") if file.name.partition(".")[0] == begin] == [path.name]
    return older if alone and older.exists() and not own.exists() else own


@contextmanager
def _locked_folder(path: Path | None) -> Iterator[Path | None]:
    """Hold the lock of the match with the journal `path` within the block. The context is the folder for its game
    files; None if `path` is None.

    Raise `BadJournal` if another process plays the match.
    """
    if path is None:
        yield None
        return
    folder = _games_folder(path)
    with locked(folder / ".lock", f"The match in “{path.name}” is being played by another process."):
        yield folder


def _save_game(journal: Journal[Played], folder: Path | None, played: Played) -> None:
    """Write the game to a file in `folder`, then its result to the journal; nothing if None."""
    if folder is not None:
        write_atomic(folder / f"{played.number + 1:05}.tengen.json", played.data())
    journal.add(played.document())


class MatchProgress:
    """Callback that shows the standing on stderr: on a terminal in one line, overwritten at each call.

    Elsewhere nothing is written, but with `tenths` a line after each tenth of the games.
    """

    def __init__(self, tenths: bool = True) -> None:
        self.meter, self._tenths = Meter(), tenths and not sys.stderr.isatty()

    def __call__(self, standing: Standing, games: int) -> None:
        """Advance the meter to the games of `standing`. Print a line to stderr at each tenth of `games`, if that is
        wanted."""
        done = standing.games
        self.meter.count(done, games, str(standing))
        if self._tenths and done and 10 * done // games > 10 * (done - 1) // games:
            print(f"{done}/{games}  {standing}", file=sys.stderr, flush=True)


@contextmanager
def interruptible(meter: Meter, what: str, saved: str) -> Iterator[None]:
    """Run the block; at Ctrl+C or SIGTERM print that `what` was interrupted and the words `saved`, then raise.

    SIGTERM raises `SystemExit` within the block.
    """

    def terminated(number: int, _frame: object) -> None:
        """Raise `SystemExit` with the exit status of shells for the signal `number`."""
        raise SystemExit(128 + number)  # as shells do

    before = signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        meter.end()
        print(f"The {what} was interrupted; {saved}.", file=sys.stderr, flush=True)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def arena(match: Match, options: Options, as_json: bool) -> None:
    """Play a match, show its progress and print its result, for `tengen arena`. Raise `ArenaError`."""
    progress = MatchProgress()
    with interruptible(progress.meter, "match", options.saved):
        standing = run(match, options, progress)
    progress.meter.end()
    if as_json:
        print(json.dumps(standing.document()))
        return
    endings = ", ".join(f"{count} by {name}" for name, count in sorted(standing.endings.items()))
    print(f"{match.players[0]} against {match.players[1]}: {standing.games} games, {standing}\nendings: {endings}")


# The command line of programs that send tasks to an executor.


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add the option `--cluster`, which is the argument `cluster` of `open_executor`."""
    parser.add_argument("--cluster", metavar="ADDR|local", help="use the Dask scheduler at this address; with “local” "
                        "start a cluster on this machine, to try it out (default: processes on this machine)")


def add_workers(parser: argparse.ArgumentParser, default: int | None) -> None:
    """Add the options `--workers` and `--cluster`, which are the arguments of `open_executor`."""
    parser.add_argument("--workers", type=int, default=default, help="number of tasks at once on this machine")
    add_cluster(parser)


def add_resume(parser: argparse.ArgumentParser, what: str = "FILE") -> None:
    """Add the option `--resume`, the file of a `Journal`; `what` is its name in the help."""
    parser.add_argument("--resume", type=Path, metavar=what, help="keep finished results here, and continue with them")


@contextmanager
def exit_on_errors(*kinds: type[Exception]) -> Iterator[None]:
    """Turn errors of executors, of journals and of `kinds` into an exit with status 1 that prints their sentence."""
    known: tuple[type[Exception], ...] = (NoExecutor, BadJournal, *kinds)
    try:
        yield
    except known as error:
        raise SystemExit(str(error)) from error
