"""What the screen of the databases shows, without pixels."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from games.database.importer import import_games
from games.database.reader import RESULTS, FoundGame, GameQuery, Reader, Summary
from games.database.schema import EXTENSION, DatabaseError, reported
from games.formats import FormatError
from games.library.index import remove
from games.position import Position
from games.record import GameRecord, path
from games.registry import GAMES, Setup
from ui.parts.databases import Questions, database_name, database_path, error_sentence, known_databases
from ui.toolkit.i18n import t
from ui.window.host import Host, Job
from ui.words.file_words import file_sentence
from ui.words.games import game_name, rule_name

MOST = 500
"""Games that are listed."""

FILTERS = ("game", "rule", "result", "since")
YEARS = (1, 5, 20)


@dataclass(frozen=True, slots=True)
class GameList:
    """The answer of a database: how much is in it, how many games match, and the first of them."""

    summary: Summary
    count: int
    games: list[FoundGame]


class DatabaseState:
    """What the screen of the databases shows: the games of the chosen database that match `text` and the `chosen`
    filters. If `here`, also only those with the `position`, of a game of `of`."""

    def __init__(self, host: Host, of: Setup | None, position: Position | None) -> None:
        self.host, self.of, self.position = host, of, position
        self.here = position is not None
        self.text = ""
        self.chosen = dict.fromkeys(FILTERS, "")
        self.questions: Questions[GameList] = Questions(host)

    @property
    def name(self) -> str:
        """The name of the chosen database, as in the settings: a path, or empty for that of the saved games."""
        return self.host.settings.database

    @property
    def names(self) -> list[str]:
        """The names of all databases, as in the settings."""
        return known_databases(self.host.settings)

    @property
    def games(self) -> list[FoundGame]:
        """The games of the list; empty until there is an answer."""
        answer = self.questions.answer
        return answer.games if answer is not None else []

    def search(self) -> GameQuery:
        """Return the query for the words, filters and position."""
        chosen = self.chosen
        game = GAMES.get(chosen["game"])
        since = f"{date.today().year - int(chosen['since']) + 1}" if chosen["since"] else ""
        found = GameQuery(text=self.text.strip(), rule=chosen["rule"], result=chosen["result"], since=since)
        if self.here:
            return replace(found, position=self.position, setup=self.of)
        return found if game is None else replace(found, game=game.key)

    def update(self) -> bool:
        """Ask the database on a thread, if what is searched for or its contents have changed. Return whether there is a
        new answer. Begin to bring the database of the saved games up to date, if that is chosen and was not done on
        this screen."""
        imports = self.host.imports
        if not self.name and not imports.mirrored:
            imports.mirror()
        search = self.search()

        def question(reader: Reader) -> GameList:
            """Return what the screen shows of the database."""
            return GameList(reader.summary(), reader.count(search), reader.search(search, MOST))

        key = search, self.name, imports.version
        return self.questions.ask(key, database_path(self.name), question)

    # Filters.

    def options(self, name: str) -> list[tuple[str, str]]:
        """Return the values of a filter, each with its text; the empty one is any."""
        found = [("", t(f"library.any.{'date' if name == 'since' else name}"))]
        if name == "game":
            return found + [(game, game_name(game)) for game in GAMES]
        if name == "rule":
            rules = dict.fromkeys(rule for game in GAMES.values() if len(game.rules) > 1 for rule in game.rules)
            return found + [(rule, rule_name(rule)) for rule in rules]
        if name == "result":
            return found + [(each, t("database.result.unknown") if winner is None else t(f"library.result.{each}"))
                            for each, winner in RESULTS.items()]  # fmt: skip
        return found + [(str(years), t("database.years", count=years)) for years in YEARS]

    def label(self, name: str) -> str:
        """Return the text of the chosen value of a filter."""
        return dict(self.options(name))[self.chosen[name]]

    # Databases.

    def choose(self, name: str) -> None:
        """Choose another database, by its name in the settings, and save them. `update` then asks it."""
        self.host.settings.database = name
        self.host.save_settings()

    def open_database(self, file: Path) -> None:
        """Add the database in `file` to the list and choose it; if it is none, say why."""
        try:
            Reader(file).close()
        except DatabaseError as error:
            self.host.say(error_sentence(error), "bad")
            return
        self.host.settings.remember_database(file.absolute())
        self.host.save_settings()

    def create(self, file: Path) -> None:
        """Create an empty database in `file`, in the place of any file there, and open it; if that fails, say why."""
        if self.host.imports.database == file.absolute():
            self.host.imports.stop()  # it would fill the new one
        try:
            with reported(file):
                remove(file)
            list(import_games(file, []))
        except DatabaseError as error:
            self.host.say(error_sentence(error), "bad")
            return
        self.questions.close()  # the answer was that of the file before
        self.open_database(file)

    def forget(self) -> None:
        """Remove the chosen database from the list; its file stays."""
        settings = self.host.settings
        settings.databases = [name for name in settings.databases if name != self.name]
        self.host.say(t("database.forgotten", name=database_name(self.name)))
        settings.database = ""
        self.host.save_settings()

    def import_from(self, chosen: Path) -> None:
        """Start the import of a file or folder into the chosen database. Refuse a file that is itself a database, and
        say so. Do nothing for the database of the saved games."""
        if not self.name:
            return
        if chosen.name.lower().endswith(EXTENSION):
            self.host.say(t("database.no_games"), "bad")
            return
        self.host.files.settle()
        self.host.imports.start(database_path(self.name), [chosen])

    # Games.

    def open(self, number: int) -> OpeningGame | None:
        """Return a job that reads a game of the list, to be started by the caller; None for an empty list."""
        return OpeningGame(self.host, database_path(self.name), self.games[number]) if self.games else None

    def close(self) -> None:
        """End the thread that asks the database."""
        self.questions.close()


class OpeningGame(Job[GameRecord]):
    """A job that reads a game from a database, with the cursor at the position that was searched for. The owner sets
    `then`, which is called with the game."""

    at_once = True

    def __init__(self, host: Host, database: Path, found: FoundGame) -> None:
        def work(_on_progress: object) -> GameRecord:
            """Read the game, with the cursor at the position."""
            with closing(Reader(database)) as reader:
                record = reader.record(found.id)
            record.go_to(path(record.line()[-1])[: found.ply + 1][-1])
            return record

        name = database.name
        super().__init__(host, t("opening.title"), name, t("opening.stopped", name=name), work, lambda _record: None)

    def fail(self, error: BaseException) -> None:
        """Say why the game cannot be read."""
        if isinstance(error, DatabaseError):
            self._host.say(error_sentence(error), "bad")
        elif isinstance(error, FormatError):
            self._host.say(file_sentence(error, self.name), "bad")
        else:
            super().fail(error)
