"""Databases of games: those in the settings, questions to one of them, answered on a thread, and sentences about
databases and imports."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Generic, TypeVar

from games.database.importer import UnreadGame, library_database
from games.database.reader import Continuation, Explored, FoundGame, Reader, Results
from games.database.schema import DRAWN, DatabaseError
from games.formats.common import shortened
from games.position import Position
from games.record import PERSON, Seat
from games.registry import Setup
from ui.system.settings import Settings
from ui.toolkit.i18n import joined, t
from ui.window.background import Imports
from ui.window.host import Host
from ui.words.file_words import file_sentence
from ui.words.games import player_name, side_name
from ui.words.numbers import percent_text
from ui.words.views import move_outlook

Answer = TypeVar("Answer")


def database_path(name: str) -> Path:
    """Return the file of a database named in the settings; the empty name is the database of the saved games."""
    return Path(name) if name else library_database()


def database_name(name: str) -> str:
    """Return the display name of a database named in the settings."""
    return Path(name).stem if name else t("database.library")


def known_databases(settings: Settings) -> list[str]:
    """Return the names of the databases of the settings, that of the saved games, which is empty, first."""
    return ["", *settings.databases]


class Questions(Generic[Answer]):
    """Asks a database one question at a time on a thread, and keeps the `answer` to the last one."""

    def __init__(self, host: Host) -> None:
        self.answer: Answer | None = None
        """That to the last question that was answered."""
        self.error: DatabaseError | None = None
        """Why the last question could not be answered."""
        self._host = host
        self._thread: ThreadPoolExecutor | None = None
        self._asked: Hashable = None
        self._search: Future[Answer] | None = None
        self._next: tuple[Path, Callable[[Reader], Answer]] | None = None

    @property
    def busy(self) -> bool:
        """Whether a question is being answered. Its answer may be out of date, and is then dropped."""
        return self._search is not None

    def ask(self, key: Hashable, path: Path, question: Callable[[Reader], Answer]) -> bool:
        """Ask `question` of the database at `path`, unless `key` is that of the last question. A question under way is
        answered first, and its answer dropped. Return what `update` returns."""
        if key != self._asked:
            self._asked, self._next = key, (path, question)
        return self.update()

    def update(self) -> bool:
        """Take a finished answer, and start the next question. Return whether `answer` and `error` are new."""
        news = False
        if self._search is not None and self._search.done():
            done, self._search = self._search, None
            if self._next is None:  # else it is out of date
                news, self.error = True, None
                try:
                    self.answer = done.result()
                except DatabaseError as error:
                    self.answer, self.error = None, error
        if self._search is None and self._next is not None:
            path, question = self._next
            self._next, self._thread = None, self._thread or ThreadPoolExecutor(1, "tengen-database")
            self._search = self._thread.submit(_answer_question, path, question)
            self._search.add_done_callback(lambda _: self._host.wake())
        return news

    def close(self) -> None:
        """Drop the questions. The thread ends after the one under way; the next `ask` starts another."""
        if self._thread is not None:
            self._thread.shutdown(wait=False)
        self._thread = self._search = self._next = self._asked = None


def _answer_question(path: Path, question: Callable[[Reader], Answer]) -> Answer:
    """Open the database at `path` for one question, and close it: an open file could not be replaced on Windows."""
    with closing(Reader(path)) as reader:
        return question(reader)


_LONGEST, _LONGEST_READ = 24, 40  # characters of the name of a database, and of a file of games, in a sentence


def error_sentence(error: DatabaseError) -> str:
    """The sentence that says why a database cannot be used."""
    return t(f"database.error.{error.kind}", name=shortened(error.name, _LONGEST))


def failure_sentence(failure: UnreadGame) -> str:
    """The sentence that says why a game could not be imported."""
    name = failure.file.replace("\\", "/").rpartition("/")[2]
    if len(name) > _LONGEST_READ:  # files of one event often differ at the end
        name = f"{name[: _LONGEST_READ // 2]}…{name[-_LONGEST_READ // 2 :]}"
    return file_sentence(failure.error, f"{name} ({failure.number})" if failure.number > 1 else name)


def import_sentence(imports: Imports) -> str:
    """The sentence that says how many games an import, over or under way, has added, found twice and failed to read."""
    done = imports.progress
    said = [t("database.imported", count=done.games)]
    said += [t("database.duplicates", count=done.duplicates)] if done.duplicates else []
    said += [t("database.not_read", count=imports.failed)] if imports.failed else []
    return joined([t("database.broken"), *said] if imports.broken else said)


def results_text(game: str, results: Results) -> str:
    """``Black wins 45 % · Draw 10 % · White wins 45 %``, of the games with a result; empty if none has one."""
    decided = results.first + results.draws + results.second
    if not decided:
        return ""
    parts = [(t("result.side", side=side_name(game, 0)), results.first)]
    parts += [(t("library.result.draw"), results.draws)] if results.draws else []
    parts += [(t("result.side", side=side_name(game, 1)), results.second)]
    return " · ".join(f"{text} {percent_text(100 * count / decided)}" for text, count in parts)


def outlook_text(of: Setup, position: Position, each: Continuation) -> str:
    """The engine's score of a move, from the side that makes it; empty where there is no evaluation."""
    if each.evaluation is None:
        return ""
    return move_outlook(of, position.play(each.move), each.evaluation, position.turn, short=True)


def continuation_text(of: Setup, position: Position, each: Continuation) -> str:
    """All that is known of a move that was played: games, results, the last day, and the engine's score with its side.
    """
    last = t("database.last", day=each.last) if each.last else ""
    outlook, side = outlook_text(of, position, each), side_name(of.game, position.turn)
    count = t("database.games", count=each.results.games)
    view = t("database.engine", side=side, outlook=outlook) if outlook else ""
    said = (count, results_text(of.game, each.results), last, view)
    return " · ".join(filter(None, said))


def total_text(explored: Explored) -> str:
    """The number of games with a position."""
    return t("database.games", count=explored.results.games)


def players_text(found: FoundGame) -> str:
    """The names of both players; ``?`` for a person without a name who faces another one."""
    if found.seats == (Seat(), Seat()):
        return t("seat.two_people")
    game = found.setup.game
    unknown = [found.seats[side] == Seat() and found.seats[1 - side].player == PERSON for side in (0, 1)]
    return " – ".join("?" if unknown[side] else player_name(game, found.seats, side) for side in (0, 1))


def result_mark(found: FoundGame) -> str:
    """``1–0``, ``½–½`` or ``0–1``; ``*`` for a game without a result."""
    if found.winner is None:
        return "*"
    return "½–½" if found.winner == DRAWN else ("1–0", "0–1")[found.winner]
