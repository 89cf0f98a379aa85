"""The databases that a person has opened, and questions to one of them, which a thread answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Generic, TypeVar

from games.database.importer import library_database
from games.database.reader import Reader
from games.database.schema import DatabaseError
from ui.system.settings import Settings
from ui.toolkit.i18n import t
from ui.window.host import Host

Answer = TypeVar("Answer")


def database_path(name: str) -> Path:
    """Return the file of a database of the settings; the empty name is that of the saved games."""
    return Path(name) if name else library_database()


def database_name(name: str) -> str:
    """Return what a database of the settings is called."""
    return Path(name).stem if name else t("database.library")


def known_databases(settings: Settings) -> list[str]:
    """Return the databases of the settings, the saved games first."""
    return ["", *settings.databases]


class Questions(Generic[Answer]):
    """Asks the database of the settings, on a thread, one question at a time; only the last one counts."""

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
        """Whether an answer is to come."""
        return self._search is not None

    def ask(self, key: Hashable, path: Path, question: Callable[[Reader], Answer]) -> bool:
        """Ask the database at `path`, unless this was the last question; `key` identifies it. Return what `update`
        does."""
        if key != self._asked:
            self._asked, self._next = key, (path, question)
        return self.update()

    def update(self) -> bool:
        """Take the answer. Return whether there is another one than before."""
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
            self._search = self._thread.submit(_answer, path, question)
            self._search.add_done_callback(lambda _: self._host.wake())
        return news

    def close(self) -> None:
        """End the thread, when what was asked is answered, until the next question."""
        if self._thread is not None:
            self._thread.shutdown(wait=False)
        self._thread = self._search = self._next = self._asked = None


def _answer(path: Path, question: Callable[[Reader], Answer]) -> Answer:
    """Open the database for one question: another file may have taken its place since the last one, and what is open
    can be neither replaced nor removed on Windows."""
    with closing(Reader(path)) as reader:
        return question(reader)
