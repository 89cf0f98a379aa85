"""Review games of the library in the background, and save the findings in each file."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from pathlib import Path

from ai.arena.cluster import NoExecutor, installed, open_cluster
from ai.core.player import Player, Stop
from ai.players.table import needs_engine, strongest
from ai.review.report import Reviewed, review_of, stored_review, with_review
from ai.review.review import Review, ReviewShare
from ai.system.threads import behind_window, processors
from games.formats import MOST_BYTES, FormatError, encoded, format_of, load, native
from games.library.rows import file_title
from games.record import GameRecord
from games.storage import read_regular, write_atomic
from ui.parts.practice import collect
from ui.toolkit.i18n import joined, t
from ui.window.host import Host
from ui.words.file_words import file_sentence
from ui.words.numbers import address

_POLL = 0.1  # seconds between polls

_log = logging.getLogger(__name__)


class _Refused(Exception):
    """The game cannot be reviewed or saved; with the sentence that says why."""


class LibraryReview:
    """Reviews games on a thread, and tells how far it is. `changed` is called after each game: its file has changed.

    It does not overwrite a file that was changed meanwhile. Where the settings name a cluster, its workers review one
    game each; when that is lost, what is left is reviewed here, one game after the other.
    """

    def __init__(
        self, host: Host, changed: Callable[[Path | None], object], make: Callable[[], Player] | None = None
    ) -> None:
        self.done = 0
        """The number of files that are finished, with or without a problem."""
        self.reviewed: list[Path] = []
        self.problems: list[tuple[Path, str]] = []
        """The files that were left unchanged, each with a sentence that says why."""
        self._host, self._changed, self._make = host, changed, make
        self._files: Sequence[Path] = ()
        self._announced = 0  # the files that `changed` has been called for
        self._left: dict[Path, float] = {}  # the files that are not done, with how much of each is
        self._doing: dict[str, Path] = {}  # by workers of the cluster
        self._lost = False
        self._stop = Stop()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether games are being reviewed."""
        return self._thread is not None

    def start(self, files: Sequence[Path]) -> None:
        """Review the games in `files`."""
        if files and not self.busy:
            self._host.files.settle()  # the files are read on a thread
            self._files, self.reviewed, self.problems = files, [], []
            self.done = self._announced = 0
            self._left, self._doing, self._lost = dict.fromkeys(files, 0.0), {}, False
            self._stop = Stop()
            self._thread = threading.Thread(target=self._run, name="tengen-batch-review", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the review within 0.2 s, without waiting for it. What was found in the game under review is saved."""
        self._stop.set()

    def update(self) -> None:
        """Note the games that are done. Called once a frame."""
        if self._thread is None:
            return
        over = not self._thread.is_alive()
        if self._lost:
            self._lost = False
            self._host.say(t("library.cluster_lost"), "bad")
        if self.done != self._announced or over:
            self._announced = self.done
            self._changed(None)
        if over:
            self._thread = None
            self._say_end()

    def _say_end(self) -> None:
        """Say how many games were reviewed, and the first problem."""
        said = t("library.reviewed", count=len(self.reviewed))
        if self.problems:
            self._host.say(joined((said, self.problems[0][1])), "bad")
        else:
            self._host.say(said, "info" if self._stop.is_set() else "good")

    def wake(self) -> float | None:
        """Seconds until the screen is to look again; None when idle."""
        return _POLL if self.busy else None

    @property
    def progress(self) -> dict[Path, float]:
        """How much of each game that is not done has been reviewed, from 0 to 1."""
        return dict(self._left) if self.busy else {}

    def status(self) -> str:
        """A sentence on how far the review under way is, and what each worker of a cluster does."""
        done, total = self.done, len(self._files)
        percent = round(100 * min(1.0, (done + sum(self._left.values())) / total))
        doing = [f"{address(worker)}: {file_title(file)}" for worker, file in sorted(self._doing.items())]
        text = t("library.reviewing", number=min(done + 1, total), total=total, percent=percent)
        return " · ".join((text, *doing))

    def _run(self) -> None:
        """The thread: review the files, on the cluster of the settings if it can be reached, else here."""
        behind_window.set(True)
        cluster = self._host.settings.cluster
        if cluster and installed():
            try:
                self._share_out(cluster)
            except Exception as error:  # NoExecutor, or whatever Dask raises when it is lost in the middle of a call
                _log.warning("the cluster is lost", exc_info=error)
                self._lost = True
            self._doing = {}
        for file in list(self._left):
            if self._stop.is_set():
                break
            self._finish(file, partial(self._review, file))

    def _finish(self, file: Path, review: Callable[[], object]) -> None:
        """Review a game, or note why that is impossible."""
        try:
            review()
        except _Refused as refused:
            self.problems.append((file, str(refused)))
        except (FormatError, OSError) as error:
            self.problems.append((file, file_sentence(error, file.name)))
        except NoExecutor:
            raise
        except Exception:  # whatever a player raised
            _log.exception("%s cannot be reviewed", file)
            self.problems.append((file, t("review.failed")))
        self._left.pop(file)
        self.done += 1
        self._host.wake()

    def _review(self, file: Path) -> None:
        """Review one file with spare processors, and save it if anything was searched."""
        before, record = self._load(file)
        self._await_engine(record)
        searched = False
        job = Review(record, make=self._make)
        for news in job.run(self._stop, lambda: self._host.searches.spare):
            if isinstance(news, ReviewShare):
                searched, self._left[file] = True, news.share
            self._host.rest()
        if searched:
            self._save(file, before, record)
        if not self._stop.is_set():
            self._note(file, review_of(job, record))

    def _load(self, file: Path) -> tuple[bytes | None, GameRecord]:
        """Return the contents of a file and the game in it."""
        if not format_of(file).whole:
            raise _Refused(t("review.unwritable", name=file.name))
        return _contents(file), load(file, on_progress=lambda _share: self._host.rest())

    def _save(self, file: Path, before: bytes | None, record: GameRecord) -> None:
        """Write the reviewed game, unless the file was changed meanwhile: then raise _Refused."""
        data = encoded(record, file)
        if before is None or _contents(file) != before:
            raise _Refused(t("review.changed", name=file.name))
        write_atomic(file, data)

    def _note(self, file: Path, found: Reviewed) -> None:
        """Count a reviewed game and collect its mistakes."""
        self.reviewed.append(file)
        collect(found.record, found.moves, self._host.settings.own_names)

    # On a cluster.

    def _share_out(self, address: str) -> None:
        """Have the workers of a cluster review the games. Raise `NoExecutor` when it is lost."""
        sent: dict[Future[bytes], tuple[Path, bytes | None]] = {}
        with open_cluster(address, processors()) as cluster:

            def send(file: Path) -> None:
                before, record = self._load(file)
                sent[cluster.submit(with_review, native.dumps(record))] = file, before

            for file in self._files:
                try:
                    send(file)
                except (_Refused, FormatError, OSError):
                    continue  # it is told of when it is this file's turn here
            while sent and not self._stop.is_set():
                for future in wait(sent, _POLL, FIRST_COMPLETED).done:
                    file, before = sent.pop(future)
                    self._finish(file, partial(self._take, file, before, future))
                at_work = cluster.at_work().items()
                self._doing = {worker: sent[calls[0]][0] for worker, calls in at_work if calls and calls[0] in sent}

    def _take(self, file: Path, before: bytes | None, future: Future[bytes]) -> None:
        """Save what a worker has found of a game."""
        record = native.loads(future.result())
        self._save(file, before, record)
        if (found := stored_review(record)) is not None:
            self._note(file, found)

    def _await_engine(self, record: GameRecord) -> None:
        """Wait for the engine if the game's strongest player needs it; raise _Refused if it cannot be loaded."""
        game = record.setup.game
        if not needs_engine(strongest(game), game):
            return
        engine = self._host.engine
        engine.start()
        while engine.busy and not self._stop.is_set():
            engine.wait(_POLL)
        if engine.state.name == "failed":
            raise _Refused(t("review.no_engine"))


def _contents(file: Path) -> bytes | None:
    """None if it cannot be read."""
    try:
        return read_regular(file, MOST_BYTES)
    except OSError:
        return None
