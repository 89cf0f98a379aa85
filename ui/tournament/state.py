"""The state of the screens of tournaments, without pixels: the list of tournaments, the shown one, and a new one that
is set up."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ai.arena.arena import openings
from ai.arena.journal import BadJournal
from ai.arena.match import Played, begin
from ai.arena.tournament import (
    JOURNAL,
    MOST_ENTRANTS,
    MOST_ROUNDS,
    ROUND_ROBIN,
    Entrant,
    Pairing,
    Ranking,
    Tournament,
    collect,
    game_file,
    open_journal,
    read_played,
    read_tournament,
)
from ai.arena.tournament_run import TournamentRun
from ai.core.player import PlayerFailure
from ai.players.levels import level_elos
from ai.players.table import is_timed, offered_players, unable
from ai.system.threads import processors
from games.fields import name_of
from games.formats import FormatError, load
from games.library.file_actions import discard
from games.record import PERSON, GameRecord
from games.registry import GAMES, Setup, setup
from games.storage import name_problem, saves_home, unused_path
from ui.parts.ratings import follow_rename, forget_help
from ui.toolkit.i18n import t
from ui.window.host import Host
from ui.words.file_words import refusal
from ui.words.games import failure_sentence, seat_label

TABLE, CROSS, GAMES_TAB, BOARD = "table", "cross", "games", "board"
"""What is shown of a tournament: its table, who has done what against whom, its finished games, a game under way."""

SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0)
"""Seconds a move to choose from."""

LONGEST_NAME = 60
"""Characters of the name of a tournament."""

_ROUNDS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200, MOST_ROUNDS)
_MOST_GAMES = 5_000
_FORBIDDEN = '/\\:*?"<>|'
_SEEDS = 1 << 31


def tournaments_home() -> Path:
    """Return the folder that has a folder for each tournament."""
    return saves_home() / "tournaments"


def kept_names() -> list[str]:
    """Return the names of the tournaments, the newest first; empty if they cannot be read."""
    try:
        found = [each for each in tournaments_home().iterdir() if (each / JOURNAL).is_file()]
        return [each.name for each in sorted(found, key=lambda each: (-each.stat().st_ctime, each.name))]
    except OSError:
        return []


def folder_name(text: str) -> str:
    """Return `text` as the name of a folder, without forbidden characters; empty if nothing is left of it."""
    name = "".join(each for each in name_of(text) if each not in _FORBIDDEN)[:LONGEST_NAME].strip(" .")
    return "" if name_problem(name) else name


def entrant_name(tournament: Tournament, number: int) -> str:
    """Return the name of an entrant; with its time for each move if the same player takes part more than once."""
    entrant = tournament.entrants[number]
    if entrant.name:
        return entrant.name
    if entrant.player == PERSON:
        return t("seat.you")
    name = seat_label(tournament.setup.game, entrant.player)
    twins = sum(each.player == entrant.player for each in tournament.entrants) > 1
    return f"{name} · {t('clock.seconds', count=f'{entrant.seconds:g}')}" if twins else name


def failure_text(tournament: Tournament, who: int, game: Played) -> str:
    """Return a sentence on why entrant `who` has lost a game by a failure of its program."""
    name = entrant_name(tournament, who)
    if game.problem:
        why = failure_sentence(PlayerFailure(game.note, game.problem, game.detail), name)
    else:
        why = t(f"tournament.lost.{game.ending}", name=name)
    return t("tournament.failure", number=game.number + 1, why=why)


def step_at_once(host: Host, step: int) -> None:
    """Play `step` more games at a time, at most one for each processor. This takes effect when a tournament is started
    next."""
    host.tournaments.at_once = max(1, min(processors(), host.tournaments.at_once + step))


class TournamentsState:
    """The state of the screen of tournaments. `name` is the shown tournament, empty if there is none; `tab` is what is
    shown of it."""

    def __init__(self, host: Host, name: str = "") -> None:
        self.host = host
        self.names: list[str] = []
        self.name = ""
        self.tab = TABLE
        self.tournament: Tournament | None = None
        self.planned: list[Pairing] = []
        self.played: dict[int, Played] = {}
        self.waiting: list[Pairing] = []
        """The games of persons that are not over."""
        self.can_run: bool
        """Whether there are games for computers to play."""
        self.followed: int | None = None
        """The number of the game that is shown large."""
        self.last: GameRecord | None = None
        """That game, also once it is over."""
        self._seen: int | None = None
        self.refresh(name)

    def refresh(self, name: str = "") -> None:
        """Read the list of tournaments again and show one of them: the first there is of `name`, the shown one, the one
        that is being played, and the newest."""
        self.names = kept_names()
        run = self.run
        wanted = (name, self.name, run.folder.name if run is not None else "", *self.names)
        self.show(next((each for each in wanted if each in self.names), ""))

    @property
    def folder(self) -> Path:
        """The folder of the shown tournament."""
        return tournaments_home() / self.name

    @property
    def run(self) -> TournamentRun | None:
        """The tournament that is being played, shown or not; None if there is none."""
        return self.host.tournaments.run

    @property
    def own_run(self) -> TournamentRun | None:
        """The run of the shown tournament; None if it is not being played."""
        run = self.run
        return run if run is not None and run.folder == self.folder else None

    def show(self, name: str) -> None:
        """Show the tournament with this name, empty for none, and read its games, including those that persons have
        finished."""
        if name != self.name:
            self.followed, self.last, self.tab = None, None, TABLE
        self.name, self.tournament, self.planned, self.played = name, None, [], {}
        self._personal: list[Pairing] = []
        if name:
            self._read_games()
        self._rank()

    def _read_games(self) -> None:
        """Read the shown tournament and its games from its run, or else from its journal; report what fails."""
        try:
            if (run := self.own_run) is not None:
                run.collect()
                self.tournament, self.planned, self.played = run.tournament, run.planned, run.played
                self._personal = [each for each in self.planned if each.with_person]
            else:
                self.tournament = read_tournament(self.folder / JOURNAL)
                self.planned = self.tournament.pairings()
                self._personal = [each for each in self.planned if each.with_person]
                self.host.files.settle()
                if any(game_file(self.folder, each.number).exists() for each in self._personal):
                    collect(self.folder)
                found = read_played(self.folder / JOURNAL)
                self.played = {game.number: game for game in found if game.number < len(self.planned)}
        except BadJournal:
            self.host.say(t("tournament.unreadable", name=self.name), "bad")
        except OSError as error:
            self.host.say(t("tournament.unsaved", name=self.name, reason=refusal(error)), "bad")

    def _rank(self) -> None:
        """Compute the ranking from all finished games."""
        found = Tournament((), setup(next(iter(GAMES)))) if self.tournament is None else self.tournament
        self.ranking = Ranking(found, self.played.values(), self.planned)
        self._find_unplayed()

    def _find_unplayed(self) -> None:
        """Find what is still to be played, by persons (`waiting`) and by computers (`can_run`)."""
        self.waiting = [each for each in self._personal if each.number not in self.played]
        self.can_run = any(not each.with_person and each.number not in self.played for each in self.planned)

    def update(self) -> None:
        """Take over newly finished games and moves."""
        tournaments = self.host.tournaments
        if tournaments.version == self._seen:
            return
        self._seen = tournaments.version
        run = self.own_run
        if run is not None:
            self.played = run.played
            self.last = run.live.get(self.followed, self.last) if self.followed is not None else None
        if self.ranking.games != len(self.played):
            for game in islice(self.played.values(), self.ranking.games, None):
                self.ranking.add(game)
            self._find_unplayed()

    # What it says.

    @property
    def over(self) -> bool:
        """Whether all games were played."""
        return len(self.played) >= len(self.planned)

    @property
    def live(self) -> list[tuple[Pairing, GameRecord]]:
        """The games of the shown tournament that are under way."""
        run = self.own_run
        return [] if run is None else [(run.planned[number], record) for number, record in sorted(run.live.items())]

    @property
    def finished(self) -> list[Played]:
        """The finished games, the newest first."""
        return list(reversed(self.played.values()))

    def names_of(self, number: int) -> tuple[str, str]:
        """Return the names of the players of a game, first side first."""
        assert self.tournament is not None
        first, second = self.planned[number].sides
        return entrant_name(self.tournament, first), entrant_name(self.tournament, second)

    # What can be done.

    def start(self) -> None:
        """Start or continue the shown tournament, if there are games for computers to play; if that fails, say why."""
        if not (self.name and self.can_run):
            return
        try:
            self.host.tournaments.start(self.folder)
        except BadJournal:
            self.host.say(t("tournament.held", name=self.name), "bad")
        except OSError as error:
            self.host.say(t("tournament.unsaved", name=self.name, reason=refusal(error)), "bad")

    def stop(self) -> None:
        """Stop the shown tournament, if it is being played."""
        if self.own_run is not None:
            self.host.tournaments.stop()
            self.followed = None
            self.tab = TABLE if self.tab == BOARD else self.tab
            self.host.say(t("tournament.stopped"))

    def start_or_stop(self) -> None:
        """Stop the shown tournament if it is being played, else start or continue it."""
        if self.own_run is not None:
            self.stop()
        else:
            self.start()

    def follow(self, number: int) -> None:
        """Show the game with this number large, if it is under way."""
        run = self.own_run
        if run is not None and number in run.live:
            self.followed, self.last, self.tab = number, run.live[number], BOARD

    def rename(self, old: str, text: str) -> None:
        """Rename the tournament `old` to `text`, or say why that is not possible. Do nothing if `text` is no name or
        the same."""
        name, run = folder_name(text), self.run
        if not name or name == old:
            return
        if run is not None and run.folder.name == old:
            self.host.say(t("tournament.stop_first"), "bad")
            return
        self.host.files.settle()  # what is still to be written there would come back under the old name
        folder, to = tournaments_home() / old, tournaments_home() / name
        try:
            if to.exists():
                self.host.say(t("tournament.taken", name=name), "bad")
                return
            folder.rename(to)
        except OSError as error:
            self.host.say(t("tournament.unsaved", name=old, reason=refusal(error)), "bad")
            return
        follow_rename(self.host, folder, to)
        if self.name == old:
            self.name = ""
            self.refresh(name)
        else:
            self.refresh()

    def delete(self) -> None:
        """Stop the shown tournament, and move it with all its games to the trash."""
        self.stop()
        failed = discard([self.folder]).failed
        if failed:
            self.host.say(t("tournament.unsaved", name=self.name, reason=refusal(failed[0][1])), "bad")
        else:
            self.host.say(t("tournament.deleted", name=self.name))
        self.name = ""
        self.refresh()

    def own_game(self) -> tuple[GameRecord, Path, bool] | None:
        """Return the next game that a person has to play, its file, and whether it is new; None if there is none. If
        its file cannot be read, a new game replaces it and a message says so."""
        if not self.waiting:
            return None
        pairing = self.waiting[0]
        file = game_file(self.folder, pairing.number)
        if file.exists():
            try:
                return load(file), file, False
            except FormatError:
                self.host.say(t("tournament.unreadable", name=file.name), "bad")
        forget_help(self.host, file)
        return begin(pairing.match, pairing.fixture), file, True


# A tournament that is set up.


class NewTournament:
    """A tournament that is set up, at first without entrants. `chosen` is the number of the entrant that buttons act
    on, None for none."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.name = ""
        self.system, self.rounds, self.with_openings = ROUND_ROBIN, 1, True
        self.chosen: int | None = None
        self.seconds = 1.0
        self.choose_game(next(iter(host.settings.new_game), next(iter(GAMES))))

    def choose_game(self, game: str) -> None:
        """Choose a game, with its default size and rule; this removes all entrants."""
        self.game, self.size, self.rule = game, GAMES[game].size, GAMES[game].rules[0]
        self.entrants: list[Entrant] = []
        self.chosen = None

    @property
    def setup(self) -> Setup:
        """Game, size and rule."""
        return setup(self.game, self.size, self.rule)

    @property
    def offered(self) -> list[str]:
        """The players to choose from: the person, the levels, and all others that play by the rule."""
        levels = [f"level:{number}" for number in range(1, len(level_elos(self.game)) + 1)]
        others = [name for name in offered_players(self.game) if not name.startswith("level:")]
        return [PERSON, *levels, *(name for name in others if not unable(name, self.rule))]

    def add(self, player: str) -> None:
        """Add an entrant and choose it. A person or level may take part once, another player once with each time; if it
        does already, or there are too many, say so."""
        if len(self.entrants) >= MOST_ENTRANTS:
            self.host.say(t("tournament.most", count=MOST_ENTRANTS), "bad")
            return
        seconds = self.seconds
        alike = [each.seconds for each in self.entrants if each.player == player]
        if alike and (player == PERSON or not is_timed(player)):
            self.host.say(t("tournament.twice"), "bad")
            return
        if seconds in alike:
            seconds = next((each for each in SECONDS if each not in alike), seconds)
        name = self.host.settings.player_name if player == PERSON else ""
        self.entrants.append(Entrant(player, seconds, name))
        self.chosen = len(self.entrants) - 1

    def remove(self) -> None:
        """Remove the chosen entrant."""
        if self.chosen is not None:
            del self.entrants[self.chosen]
            self.chosen = min(self.chosen, len(self.entrants) - 1) if self.entrants else None

    def lead(self) -> None:
        """Move the chosen entrant to the top: in a gauntlet it plays all others."""
        if self.chosen:
            self.entrants.insert(0, self.entrants.pop(self.chosen))
            self.chosen = 0

    def timed(self, number: int) -> bool:
        """Return whether an entrant's play depends on the time it has for a move."""
        player = self.entrants[number].player
        return player != PERSON and is_timed(player)

    def step_seconds(self, step: int) -> None:
        """Give the chosen entrant, or else those to be added, the next longer (1) or shorter (-1) time for a move."""
        if self.chosen is None or not self.timed(self.chosen):
            self.seconds = _stepped(SECONDS, self.seconds, step)
            return
        entrant = self.entrants[self.chosen]
        self.entrants[self.chosen] = replace(entrant, seconds=_stepped(SECONDS, entrant.seconds, step))
        self.seconds = self.entrants[self.chosen].seconds

    def step_rounds(self, step: int) -> None:
        """Choose the next larger (1) or smaller (-1) number of rounds."""
        self.rounds = int(_stepped(_ROUNDS, self.rounds, step))

    def step_size(self, step: int) -> None:
        """Enlarge the board by `step`, which may be negative, within the sizes of the game."""
        sizes = GAMES[self.game].sizes
        self.size = max(sizes[0], min(sizes[-1], self.size + step))

    def set_rule(self, rule: str) -> None:
        """Choose a rule; entrants that do not play by it are removed."""
        self.rule = rule
        self.entrants = [each for each in self.entrants if each.player == PERSON or not unable(each.player, rule)]
        self.chosen = None

    @property
    def tournament(self) -> Tournament:
        """The tournament as it is set up, still without openings."""
        return Tournament(tuple(self.entrants), self.setup, self.system, self.rounds)

    @property
    def games(self) -> int:
        """How many games there will be."""
        return 2 * self.rounds * len(self.tournament.pairs)

    @property
    def problem(self) -> str:
        """A sentence on why the tournament cannot begin; empty if it can."""
        if len(self.entrants) < 2:
            return t("tournament.too_few")
        if len({(each.player, each.seconds) for each in self.entrants}) < len(self.entrants):
            return t("tournament.twice")
        return t("tournament.too_many", count=_MOST_GAMES) if self.games > _MOST_GAMES else ""

    @property
    def proposed(self) -> str:
        """The name of the tournament if nobody types one."""
        return t("tournament.proposed")

    def begin(self) -> str:
        """Save the tournament in a folder of its own and return its name; if that fails, say why and return an empty
        text."""
        if self.problem:
            self.host.say(self.problem, "bad")
            return ""
        seed = random.randrange(_SEEDS)
        texts = openings(self.setup, None, seed)[: self.rounds] if self.with_openings else [""]
        made = replace(self.tournament, openings=tuple(texts), seed=seed)
        folder = unused_path(tournaments_home(), folder_name(self.name) or self.proposed, "")
        try:
            folder.mkdir(parents=True)
            open_journal(folder / JOURNAL, made)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            self.host.say(t("tournament.unsaved", name=folder.name, reason=refusal(error)), "bad")
            return ""
        return folder.name


def _stepped(values: tuple[float, ...] | tuple[int, ...], value: float, step: int) -> float:
    """Return the value `step` places after that closest to `value`, within the sorted `values`."""
    at = min(range(len(values)), key=lambda index: abs(values[index] - value))
    return values[max(0, min(len(values) - 1, at + step))]
