"""Tournaments of two or more players: the schedule, the files that keep them, and the table with its Elo.

A game of a tournament is a `Fixture` of a `Match` between two of its entrants, played by `ai.arena.match`. `run` plays
all of them for `tengen arena`, `ai.arena.tournament_run` behind a window; each can resume what the other has begun.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict, dataclass
from itertools import combinations
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from ai.arena.arena import Options, check_players, fixtures, games_at_once, interruptible, match_errors
from ai.arena.executors import run_all
from ai.arena.journal import BadJournal, Journal, Meter, locked
from ai.arena.match import Fixture, Match, Played, begin, play, played_of, result_of
from ai.core.elo import Estimate, estimate
from games.fields import DecodeError, checked, decode, list_of, nested, number, one_of, parsed, text, whole
from games.formats import FormatError, load
from games.formats.text import parse
from games.record import PERSON
from games.registry import Setup, setup
from games.storage import read_regular, write_atomic

ROUND_ROBIN, GAUNTLET = "round_robin", "gauntlet"
SYSTEMS = (ROUND_ROBIN, GAUNTLET)
"""Everybody against everybody; the first entrant against each other one."""

MOST_ENTRANTS, MOST_ROUNDS = 16, 500

GRACE = 0.5
"""Seconds by which a player of a tournament may exceed its time: a window is drawn on the same machine."""

JOURNAL, GAMES, LOCK = "tournament.jsonl", "games", ".lock"
"""In the folder of a tournament: its journal, the folder of its games, and what one process holds while it plays."""

_LONGEST = 1000  # characters of a name, an opening
_MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament by its name in `KINDS` or `PERSON`, its seconds for each move, and the name on its
    seats."""

    player: str = checked(text(_LONGEST))
    seconds: float = checked(number(0.001, 1e9), 1.0)
    name: str = checked(text(_LONGEST), "")


@dataclass(frozen=True, slots=True)
class _Head:
    """The first line of a journal."""

    entrants: list[Entrant] = checked(list_of(nested(Entrant), MOST_ENTRANTS))
    game: str = checked(text(_LONGEST))
    size: int = checked(whole(0, 1000))
    rule: str = checked(text(_LONGEST))
    system: str = checked(one_of(*SYSTEMS))
    rounds: int = checked(whole(1, MOST_ROUNDS))
    openings: list[str] = checked(list_of(text(_LONGEST), MOST_ROUNDS))
    seed: int = checked(whole(0, 1 << 40))
    grace: float = checked(number(0, 1e9), GRACE)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A scheduled game of a tournament: the indices of its two entrants, which are A and B of `match`, and its
    fixture."""

    entrants: tuple[int, int]
    match: Match
    fixture: Fixture

    @property
    def number(self) -> int:
        """The number of the game in the tournament, from 0."""
        return self.fixture.number

    @property
    def sides(self) -> tuple[int, int]:
        """The indices of the entrants that play the first and the second side."""
        return self.entrants if self.fixture.first == 0 else self.entrants[::-1]

    @property
    def with_person(self) -> bool:
        """Whether one of its players is a person."""
        return PERSON in self.match.players


@dataclass(frozen=True, slots=True)
class Tournament:
    """A schedule: in each of the `rounds` every pair of the `system` plays one opening twice, with colours reversed.

    All pairs of a round play the same opening; the rounds take the `openings` in turn. Random choices depend on the
    `seed` and the number of the game.
    """

    entrants: tuple[Entrant, ...]
    setup: Setup
    system: str = ROUND_ROBIN
    rounds: int = 1
    openings: tuple[str, ...] = ("",)
    seed: int = 0
    grace: float = GRACE

    def document(self) -> dict[str, Any]:
        """Return JSON data that identifies the tournament, the first line of its journal."""
        own = {"entrants": [asdict(each) for each in self.entrants], **asdict(self.setup), "system": self.system}
        rest = {"rounds": self.rounds, "openings": [*self.openings], "seed": self.seed, "grace": self.grace}
        return {"format": "tengen-tournament", **own, **rest}

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of a round, by the indices of the entrants."""
        numbers = range(len(self.entrants))
        return [(0, other) for other in numbers[1:]] if self.system == GAUNTLET else [*combinations(numbers, 2)]

    def pairings(self) -> list[Pairing]:
        """Return all games in the order of their numbers, round by round."""
        meetings = [(pair, at) for at in range(self.rounds) for pair in self.pairs]
        texts = [self.openings[at % len(self.openings)] for _, at in meetings]
        planned = [(meetings[each.number // 2][0], each) for each in fixtures(texts, 2 * len(meetings))]
        return [Pairing(pair, self._match(pair), fixture) for pair, fixture in planned]

    def _match(self, pair: tuple[int, int]) -> Match:
        """Return the match between two entrants, given by their indices."""
        one, two = (self.entrants[each] for each in pair)
        own, names = (one.seconds, two.seconds), (one.name, two.name)
        return Match((one.player, two.player), self.setup, max(own), self.seed, self.grace, own, names)


def read_tournament(file: Path) -> Tournament:
    """Read the tournament in the first line of the journal `file`. Raise `BadJournal` with a sentence, and
    `OSError`."""
    try:
        data = parsed(read_regular(file, _MOST_BYTES).partition(b"\n")[0])
        head = decode(_Head, data, "the tournament")
        chosen = setup(head.game, head.size, head.rule)
        for opening in head.openings:
            parse(opening, chosen)
    except ValueError as error:  # a `DecodeError` and a `FormatError` are ones
        raise BadJournal(f"“{file.name}” is not the file of a tournament: {error}") from error
    if len(head.entrants) < 2:
        raise BadJournal(f"“{file.name}” is not the file of a tournament: it has fewer than two players.")
    rest = head.system, head.rounds, tuple(head.openings) or ("",), head.seed, head.grace
    return Tournament(tuple(head.entrants), chosen, *rest)


def open_journal(file: Path | None, tournament: Tournament) -> Journal[Played]:
    """Open the journal of a tournament, or create it; without `file` it keeps nothing. Raise `BadJournal` and
    `OSError`."""
    return Journal(file, "tournament", tournament.document(), played_of)


def read_played(file: Path) -> list[Played]:
    """Read the finished games of a journal, without its lock. Damaged or incomplete lines are left out. Raise
    `OSError`."""
    found = []
    for line in read_regular(file, _MOST_BYTES).decode(errors="replace").split("\n")[1:]:
        with suppress(DecodeError):
            found.append(played_of(parsed(line)))
    return found


def tournament_lock(folder: Path) -> AbstractContextManager[None]:
    """Return a context that holds the lock of the tournament in `folder`.

    Entering it raises `BadJournal` if another process plays the tournament.
    """
    return locked(folder / LOCK, f"The tournament in “{folder.name}” is being played by another process.")


def game_file(folder: Path, number: int) -> Path:
    """Return the path of a game's file, which need not exist. An existing file is found by its number alone.

    A new file is named after the folder, which may have been renamed since older ones were written.
    """
    ending = f" {number + 1:04}.tengen.json"
    known = (folder / GAMES).glob(f"*{ending}")
    return next(known, folder / GAMES / f"{folder.name}{ending}")


def finished_by_person(folder: Path, pairing: Pairing) -> Played | None:
    """Return the result of a person's game from its file in `folder`.

    Return None if there is no readable file, if it is of another game, or if the game is not over.
    """
    file, start = game_file(folder, pairing.number), begin(pairing.match, pairing.fixture)
    try:
        record = load(file)
    except FormatError:
        return None
    line = [node.position for node in record.line()]
    same = record.setup == start.setup and start.position in line
    return result_of(pairing.fixture, record) if same and record.outcome is not None else None


def collect(folder: Path) -> None:
    """Append the finished games of persons that the journal in `folder` lacks, from their files.

    Raise `BadJournal` and `OSError`.
    """
    with tournament_lock(folder):
        tournament = read_tournament(folder / JOURNAL)
        journal = open_journal(folder / JOURNAL, tournament)
        done = {row.number for row in journal.rows}
        for pairing in tournament.pairings():
            if pairing.with_person and pairing.number not in done:
                played = finished_by_person(folder, pairing)
                if played is not None:
                    journal.add(played.document())


def run(tournament: Tournament, options: Options, on_progress: Callable[[Ranking, int], None]) -> Ranking:
    """Play a tournament, or what is left of it in the folder `options.resume`, and return its table.

    `on_progress` is called at the start and after each game, with the table and the number of games planned. Raise
    `ArenaError`.
    """
    names, folder = [each.player for each in tournament.entrants], options.resume
    check_players(names, tournament.setup, here=options.cluster is None)
    with match_errors("tournament"), nullcontext() if folder is None else tournament_lock(folder):
        journal = open_journal(None if folder is None else folder / JOURNAL, tournament)
        planned, found = tournament.pairings(), {row.number: row for row in journal.rows}
        on_progress(Ranking(tournament, found.values(), planned), len(planned))
        calls = [(each.match, each.fixture) for each in planned if each.number not in found]
        workers = options.workers or games_at_once(names, tournament.setup.game)
        for played in run_all(play, calls, workers, options.cluster):
            if folder is not None:
                write_atomic(game_file(folder, played.number), played.data())
            journal.add(played.document())
            found[played.number] = played
            on_progress(Ranking(tournament, found.values(), planned), len(planned))
    return Ranking(tournament, found.values(), planned)


# The table.


Tally = tuple[int, int, int]
"""Wins, draws and losses."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of the table: an entrant by its index, and its results. `elo` is None before its first game.

    `failed` counts the games that it lost by a crash, by an illegal move or on time.
    """

    entrant: int
    tally: Tally
    failed: int
    elo: Estimate | None

    @property
    def games(self) -> int:
        """Number of games played."""
        return sum(self.tally)

    @property
    def points(self) -> float:
        """A point for each win, half a point for each draw."""
        return self.tally[0] + self.tally[1] / 2


FAILURES = ("crash", "illegal", "time")
"""The endings of games that were lost by a failing player."""

_STEPS, _NEAR = 100, 1e-6  # of the fit; the second in log strengths


class Ranking:
    """The table of a tournament. `cross[i][j]` has the results of entrant i against j, by their indices.

    `failures` are the games that an entrant lost by a crash, an illegal move or on time, each after that entrant's
    index.

    Elo is the maximum-likelihood fit of the Bradley–Terry model, with one drawn game more between any two who have
    met, and centred on 0. Its error is that of the mean score of the pairs of games, as in a match (`ai.core.elo`).
    """

    def __init__(self, tournament: Tournament, played: Iterable[Played], planned: Sequence[Pairing] = ()) -> None:
        self._planned = planned or tournament.pairings()
        count = len(tournament.entrants)
        self.cross = [[(0, 0, 0)] * count for _ in range(count)]
        self.failures: list[tuple[int, Played]] = []
        self.games = 0
        self._scores: list[dict[int, float]] = [{} for _ in range(count)]  # of each entrant by the number of the game
        self._pairs: list[list[float]] = [[] for _ in range(count)]
        self._rows: list[Ranked] = []  # empty until they are asked for
        for game in played:
            self.add(game)

    def add(self, game: Played) -> None:
        """Count a finished game; ignore one whose number is not in the tournament."""
        if not 0 <= game.number < len(self._planned):
            return
        self.games += 1
        self._rows = []
        one, two = self._planned[game.number].entrants
        for who, other, score in ((one, two, game.score), (two, one, 1 - game.score)):
            self.cross[who][other] = _with_game(self.cross[who][other], score)
            if (twin := self._scores[who].get(game.number ^ 1)) is not None:
                self._pairs[who].append((score + twin) / 2)
            self._scores[who][game.number] = score
        if game.ending in FAILURES and game.score != 0.5:
            self.failures.append((two if game.score else one, game))

    @property
    def rows(self) -> list[Ranked]:
        """The rows of the table, most points first; among equal points, fewer games first."""
        if not self._rows:
            found = map(self._row, range(len(self.cross)), _fit_elo(self.cross))
            self._rows = sorted(found, key=lambda row: (-row.points, row.games, row.entrant))
        return self._rows

    def _row(self, who: int, elo: float) -> Ranked:
        """Return the row of the entrant with index `who`, with the fitted `elo`."""
        tally, failed = _total(self.cross[who]), sum(each == who for each, _ in self.failures)
        error = estimate(self._pairs[who] or list(self._scores[who].values())).error
        return Ranked(who, tally, failed, Estimate(elo, error) if any(tally) else None)

    def document(self, tournament: Tournament) -> list[dict[str, Any]]:
        """Return the table as JSON data, most points first."""
        return [
            {"player": tournament.entrants[row.entrant].player, "games": row.games, "points": row.points,
             **dict(zip(("wins", "draws", "losses"), row.tally, strict=True)), "failures": row.failed,
             "elo": row.elo.elo if row.elo else None, "elo_error": row.elo.error if row.elo else None,
             "against": [[*tally] for tally in self.cross[row.entrant]]}
            for row in self.rows
        ]  # fmt: skip


def _with_game(tally: Tally, score: float) -> Tally:
    """Return the tally with one game more, of the given score: 1, 0.5 or 0."""
    wins, draws, losses = tally
    return wins + (score == 1), draws + (score == 0.5), losses + (score == 0)


def _total(tallies: Iterable[Tally]) -> Tally:
    """Add up tallies."""
    wins, draws, losses = zip(*tallies, strict=True)
    return sum(wins), sum(draws), sum(losses)


def play_and_print(tournament: Tournament, options: Options, as_json: bool) -> None:
    """Play a tournament, show its progress and print its table, for `tengen arena`. Raise `ArenaError`."""
    meter = Meter()

    def on_progress(ranking: Ranking, games: int) -> None:
        """Show the number of games, and who leads with how many points."""
        first = ranking.rows[0]
        meter.count(ranking.games, games, f"{tournament.entrants[first.entrant].player} {first.points:g}")

    with interruptible(meter, "tournament", options.saved):
        ranking = run(tournament, options, on_progress)
    meter.end()
    if as_json:
        print(json.dumps({"games": ranking.games, "table": ranking.document(tournament)}))
        return
    for place, row in enumerate(ranking.rows, 1):
        score = "+{} ={} -{}".format(*row.tally)
        elo = f"Elo {round(row.elo.elo):+d} ± {row.elo.error:.0f}" if row.elo else ""
        print(f"{place:2}. {tournament.entrants[row.entrant].player:<28} {row.points:6.1f}  {score:<14} {elo}".rstrip())
    for _, game in ranking.failures:
        print(f"game {game.number + 1}: {game.note}")


def _fit_elo(cross: Sequence[Sequence[Tally]]) -> list[float]:
    """Return the Elo of each entrant; 0 without games. See `Ranking` for the model and for `cross`.

    The fit is Newton's method on the log strengths, in which the log-likelihood is concave. Steps in which the distance
    of two who have met changes by more than 1 are shortened, which makes each step an improvement: such a distance
    changes the second derivatives by a factor of e at most.
    """
    wins, draws, losses = np.moveaxis(np.array(cross, dtype=float), -1, 0)
    met = wins + draws + losses > 0
    games = (wins + draws + losses + 1) * met
    points = (wins + (draws + 1) / 2).sum(axis=1, where=met)
    strength = np.zeros(len(cross))  # its logarithm
    for _ in range(_STEPS):
        scores = 1 / (1 + np.exp(strength - strength[:, np.newaxis]))
        surplus = points - (games * scores).sum(axis=1)
        weights = games * scores * (1 - scores)
        curvature = np.diag(weights.sum(axis=1)) - weights
        step = np.linalg.lstsq(curvature, surplus)[0]  # the shortest, since only differences have an effect
        longest = np.abs(step - step[:, np.newaxis]).max(where=met, initial=0)
        strength += step / max(1, longest)
        if longest < _NEAR:
            break
    playing = met.any(axis=1)
    mean = strength.sum(where=playing) / max(1, playing.sum())
    return [float(each) for each in (strength - mean) * playing * 400 / log(10)]
