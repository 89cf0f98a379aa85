"""Matches between two players: which is stronger, by how much, and with what error.

Each opening is played twice with colours reversed. Games run in parallel, one a task; a match that is given a
file to resume from keeps every finished game there and goes on where it was killed. `main.py arena` is its
command line.
"""

from __future__ import annotations

import json
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ai.arena.cluster import NoExecutor
from ai.arena.executors import run_all
from ai.arena.match import Fixture, Match, Played, play
from ai.elo import Estimate, Sprt, estimate, sprt
from ai.engine_handle import EngineHandle, wait_on_terminal
from ai.openings import BadOpenings, openings_of
from ai.pbrain.external import EngineError
from ai.players import Context, check, make, needs_engine, threads
from ai.registry import opponents
from ai.threads import processors
from games.registry import Setup
from games.storage import lock, read_regular, write_atomic

__all__ = ["ArenaError", "Fixture", "Match", "Options", "Played", "Standing", "fixtures", "play", "run"]

_MOST_BYTES = 1 << 30


class ArenaError(Exception):
    """A match cannot be played; `str(error)` is a sentence."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to run a match: play at least `games`; with `early` stop as soon as the SPRT decides."""

    games: int = 100
    openings: Path | None = None
    resume: Path | None = None
    cluster: str | None = None
    elo1: float = 10.0
    early: bool = False
    workers: int | None = None


class Standing:
    """The score of a match so far, from A's view."""

    def __init__(self, elo1: float = 10.0) -> None:
        self._elo1 = elo1
        self._scores: dict[int, float] = {}
        self.endings: dict[str, int] = {}
        self.note = ""
        """The note of the newest game."""

    def add(self, played: Played) -> None:
        self._scores[played.number] = played.score
        self.endings[played.ending] = self.endings.get(played.ending, 0) + 1
        self.note = played.note

    @property
    def games(self) -> int:
        return len(self._scores)

    def count(self, score: float) -> int:
        """Count the games with this score for A: 1, 0.5 or 0."""
        return sum(1 for each in self._scores.values() if each == score)

    def independent(self) -> list[float]:
        """Return the mean score of each complete pair; the score of every game if there is no such pair."""
        pairs = [
            (score + self._scores[number + 1]) / 2
            for number, score in self._scores.items()
            if number % 2 == 0 and number + 1 in self._scores
        ]
        return pairs or list(self._scores.values())

    @property
    def elo(self) -> Estimate:
        return estimate(self.independent())

    @property
    def sprt(self) -> Sprt:
        return sprt(self.independent(), 0.0, self._elo1)

    def document(self) -> dict[str, Any]:
        """Return the data of ``--json``."""
        elo, test = self.elo, self.sprt
        figures = {"wins": self.count(1), "draws": self.count(0.5), "losses": self.count(0)}
        return {"games": self.games, **figures, "elo": elo.elo, "elo_error": elo.error, "sprt": asdict(test)}

    def __str__(self) -> str:
        elo, test = self.elo, self.sprt
        score = f"+{self.count(1)} ={self.count(0.5)} -{self.count(0)}"
        return f"{score}  Elo {round(elo.elo):+d} ± {elo.error:.0f}  LLR {test.llr:+.2f} ({test.status})"


def openings(setup: Setup, file: Path | None, seed: int | None) -> list[str]:
    """Return openings for `setup` in an order that depends on `seed`: those of `file`, or else our own.

    Raise `BadOpenings` if `file` has none, or an illegal one.
    """
    texts = list(opponents(setup.game).openings(setup)) if file is None else openings_of(file, setup)
    random.Random(seed).shuffle(texts)
    return texts


def fixtures(texts: Sequence[str], games: int) -> Iterator[Fixture]:
    """Yield the games of a match, an even number: each opening twice with colours reversed."""
    for number in range(games + games % 2):
        yield Fixture(number, texts[number // 2 % len(texts)], number % 2)


def run(match: Match, options: Options, tell: Callable[[Standing, int], None]) -> Standing:
    """Play a match and return its final standing.

    `tell` is called after each game with the standing and the number of games to be played. A match that is
    interrupted has its finished games in `options.resume`. Raise `ArenaError`.
    """
    _check(match, here=options.cluster is None)
    try:
        with _locked(options.resume):
            return _run(match, options, tell)
    except (BadOpenings, NoExecutor) as error:
        raise ArenaError(str(error)) from error
    except BrokenProcessPool as error:
        raise ArenaError("A process that played games has died.") from error
    except OSError as error:
        raise ArenaError(f"The match cannot be saved: {error.strerror or error}.") from error


def _run(match: Match, options: Options, tell: Callable[[Standing, int], None]) -> Standing:
    planned = list(fixtures(openings(match.setup, options.openings, match.seed), options.games))
    journal = _Journal(match, options.resume)
    standing = Standing(options.elo1)
    for played in journal.played:
        standing.add(played)
    tell(standing, len(planned))
    left = [fixture for fixture in planned if fixture.number not in {each.number for each in journal.played}]
    for played in run_all(play, [(match, fixture) for fixture in left], _workers(match, options), options.cluster):
        journal.add(played)
        standing.add(played)
        tell(standing, len(planned))
        if options.early and standing.sprt.status != "open":
            break
    if set(standing.endings) == {"crash"}:
        raise ArenaError(f"Every game ended with a crash, which says nothing about strength. {standing.note}")
    return standing


def _check(match: Match, here: bool) -> None:
    """Check that the players can play the game, waiting for the engine; warm them up if games run `here`.

    Raise `ArenaError`.
    """
    game = match.setup.game
    for name in dict.fromkeys(match.players):
        try:
            check(name, game)
            if needs_engine(name, game) and (state := wait_on_terminal(EngineHandle())).name == "failed":
                raise ArenaError(state.reason)
            with closing(make(name, Context(game))) as player:
                if here:
                    player.warm_up(match.setup.start())
        except (ValueError, EngineError) as error:
            raise ArenaError(str(error)) from error


def _workers(match: Match, options: Options) -> int:
    """Return how many games to run at once: unless chosen, as many as need not share processors."""
    return options.workers or max(1, processors() // max(map(threads, match.players)))


class _Journal:
    """The file of a match: a JSON line for the match, then one for each game.

    The game records are in a folder beside it. Without a path nothing is saved.
    """

    def __init__(self, match: Match, path: Path | None) -> None:
        self._path = path
        self.played: list[Played] = []
        if path is None:
            return
        head = match.document()
        if path.exists() and path.stat().st_size > 0:
            self._read(path, head)
        lines = [head, *(played.document() for played in self.played)]
        # Rewrite it: a match that was killed may have left an incomplete last line.
        write_atomic(path, "".join(f"{json.dumps(line)}\n" for line in lines).encode())

    def _read(self, path: Path, head: dict[str, Any]) -> None:
        lines = read_regular(path, _MOST_BYTES).decode(errors="replace").splitlines()
        try:
            saved = json.loads(lines[0])
        except ValueError as error:
            raise ArenaError(f"“{path.name}” is not the file of a match.") from error
        if saved != head:
            raise ArenaError(f"“{path.name}” belongs to another match; its players, times or rules differ.")
        for line in lines[1:]:
            try:
                self.played.append(Played(**json.loads(line)))
            except (ValueError, TypeError):  # incomplete when the match was killed
                continue

    def add(self, played: Played) -> None:
        if self._path is None:
            return
        write_atomic(_games_folder(self._path) / f"{played.number + 1:05}.tengen.json", played.data())
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(played.document())}\n")


def _games_folder(path: Path) -> Path:
    """Return the folder for the games of the match in `path`."""
    return path.with_name(f"{path.name.partition('.')[0]}-games")


@contextmanager
def _locked(path: Path | None) -> Iterator[None]:
    """Hold the lock file of the match in `path`, where files can be locked.

    The lock is not that file itself, which is replaced. Raise `ArenaError` if another process plays the match.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            held = None if path is None else lock(_games_folder(path) / ".lock")
            if held is not None:
                stack.callback(held.release)
            elif path is not None:
                raise ArenaError(f"The match in “{path.name}” is being played by another process.")
        yield


def progress(standing: Standing, games: int) -> None:
    """Draw a progress bar on stderr: one line on a terminal, elsewhere a line for each tenth of the match."""
    done = standing.games
    if sys.stderr.isatty():
        bar = "#" * (20 * done // games)
        end = "\n" if done >= games else ""
        print(f"\r[{bar:<20}] {done}/{games}  {standing}  ", end=end, file=sys.stderr, flush=True)
    elif done and (done == games or 10 * done // games > 10 * (done - 1) // games):
        print(f"{done}/{games}  {standing}", file=sys.stderr, flush=True)


@contextmanager
def _interruptible(options: Options) -> Iterator[None]:
    """Print one line when the match is interrupted by Ctrl+C or SIGTERM, which raises `SystemExit` here."""

    def terminated(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)  # as shells do

    before = signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        saved = f"“{options.resume}” has the finished games" if options.resume else "no game is saved without --resume"
        line = "\n" if sys.stderr.isatty() else ""  # ends the progress bar
        print(f"{line}The match was interrupted; {saved}.", file=sys.stderr, flush=True)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def arena(match: Match, options: Options, as_json: bool) -> None:
    """Play a match and print its result, for `tengen arena`. Raise `ArenaError`."""
    with _interruptible(options):
        standing = run(match, options, progress)
    if as_json:
        print(json.dumps(standing.document()))
        return
    endings = ", ".join(f"{count} by {name}" for name, count in sorted(standing.endings.items()))
    print(f"{match.players[0]} against {match.players[1]}: {standing.games} games, {standing}\nendings: {endings}")
