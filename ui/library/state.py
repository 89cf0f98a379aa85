"""The library with its selection, its filter and what is done to games, without pixels: what the parts of its screen
share."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from ai.arena.executors import NoExecutor, installed, open_cluster
from ai.core.player import Player, Stop
from ai.players.table import needs_engine, strongest
from ai.review.report import Reviewed, review_of, stored_review, with_review
from ai.review.review import Review, ReviewShare
from ai.system.threads import behind_window, processors
from games.formats import MOST_BYTES, FormatError, encoded, file_title, format_of, load, tengen
from games.library.index import SORTS, Entry
from games.library.library import Query
from games.record import GameRecord
from games.registry import GAMES
from games.storage import read_regular, write_atomic
from ui.library.library_files import LibraryFiles
from ui.parts.practice import collect
from ui.parts.recent import LibraryGames
from ui.toolkit.i18n import joined, t
from ui.window.host import Host
from ui.words.file_words import file_sentence, given_name
from ui.words.games import game_name, opponent_label, rule_name
from ui.words.numbers import address

# Review games of the library in the background, and save the findings in each file.


_POLL = 0.1  # seconds between polls

_log = logging.getLogger(__name__)


class _Refused(Exception):
    """A game cannot be reviewed or saved. `str(error)` is a sentence that says why."""


class LibraryReview:
    """Reviews games on a thread, and saves the findings in their files. `changed` is called with None whenever files
    have been changed. `make` creates another player than the strongest one.

    It does not overwrite a file that was changed meanwhile. If the settings name a cluster, its workers review one game
    each; if that is lost, the remaining ones are reviewed here, one after the other.
    """

    def __init__(
        self, host: Host, changed: Callable[[Path | None], object], make: Callable[[], Player] | None = None
    ) -> None:
        self._host, self._changed, self._make = host, changed, make
        self._thread: threading.Thread | None = None
        self._reset(())

    def _reset(self, files: Sequence[Path]) -> None:
        """Forget the last review; `files` are those of the next."""
        self.done = 0
        """The number of files that are finished, with or without a problem."""
        self.reviewed: list[Path] = []
        self.problems: list[tuple[Path, str]] = []
        """The files that were left unchanged, each with a sentence that says why."""
        self._files = files
        self._announced = 0  # the files that `changed` has been called for
        self._left = dict.fromkeys(files, 0.0)  # the files that are not done, with how much of each is
        self._doing: dict[str, Path] = {}  # by workers of the cluster
        self._lost = False
        self._stop = Stop()

    @property
    def busy(self) -> bool:
        """Whether games are being reviewed."""
        return self._thread is not None

    def start(self, files: Sequence[Path]) -> None:
        """Review the games in `files`. Do nothing while a review is under way."""
        if files and not self.busy:
            self._host.files.settle()  # the files are read on a thread
            self._reset(files)
            self._thread = threading.Thread(target=self._run, name="tengen-batch-review", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end, without waiting for it: it does within 0.2 s. What was found in the game under review
        is saved."""
        self._stop.set()

    def update(self) -> None:
        """Report finished games and the end of the review. Call it once a frame."""
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
        """Return the seconds until `update` is to be called again; None when idle."""
        return _POLL if self.busy else None

    @property
    def progress(self) -> dict[Path, float]:
        """The share, from 0 to 1, of each unfinished game that has been reviewed; empty when idle."""
        return dict(self._left) if self.busy else {}

    def status(self) -> str:
        """Return a sentence on how far the review under way is, and what each worker of a cluster does."""
        done, total = self.done, len(self._files)
        percent = round(100 * min(1.0, (done + sum(self._left.values())) / total))
        doing = [f"{address(worker)}: {file_title(file)}" for worker, file in sorted(self._doing.items())]
        text = t("library.reviewing", number=min(done + 1, total), total=total, percent=percent)
        return " · ".join((text, *doing))

    def _run(self) -> None:
        """Body of the thread: review the files, on the cluster of the settings if it can be reached, else here."""
        behind_window.set(True)
        cluster = self._host.settings.cluster
        if cluster and installed():
            try:
                self._review_on_cluster(cluster)
            except Exception as error:  # NoExecutor, or whatever Dask raises when it is lost in the middle of a call
                _log.warning("the cluster is lost", exc_info=error)
                self._lost = True
            self._doing = {}
        for file in list(self._left):
            if self._stop.is_set():
                break
            self._run_review(file, partial(self._review, file))

    def _run_review(self, file: Path, review: Callable[[], object]) -> None:
        """Run `review` for a file and count the file as done. Note a problem instead of raising, except
        `NoExecutor`."""
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
        """Review one file with spare processors, and save it if anything was searched. Raise `_Refused`, `FormatError`
        or `OSError`."""
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
            self._count_reviewed(file, review_of(job, record))

    def _load(self, file: Path) -> tuple[bytes | None, GameRecord]:
        """Return the contents of a file, None if unreadable, and the game in it. Raise `_Refused` if its format cannot
        hold a review, and `FormatError`."""
        if not format_of(file).whole:
            raise _Refused(t("review.unwritable", name=file.name))
        return _read_contents(file), load(file, on_progress=lambda _share: self._host.rest())

    def _save(self, file: Path, before: bytes | None, record: GameRecord) -> None:
        """Write the reviewed game. Raise `_Refused` if the file has other contents than `before`, and `OSError`."""
        data = encoded(record, file)
        if before is None or _read_contents(file) != before:
            raise _Refused(t("review.changed", name=file.name))
        write_atomic(file, data)

    def _count_reviewed(self, file: Path, found: Reviewed) -> None:
        """Count a reviewed game, and add its mistakes to the exercises."""
        self.reviewed.append(file)
        collect(found.record, found.moves, self._host.settings.own_names)

    # On a cluster.

    def _review_on_cluster(self, address: str) -> None:
        """Have the workers of the cluster at `address` review the games. Raise `NoExecutor` when it is lost."""
        sent: dict[Future[bytes], tuple[Path, bytes | None]] = {}
        with open_cluster(address, processors()) as cluster:

            def send(file: Path) -> None:
                """Send a game to the cluster."""
                before, record = self._load(file)
                sent[cluster.submit(with_review, tengen.dumps(record))] = file, before

            for file in self._files:
                try:
                    send(file)
                except (_Refused, FormatError, OSError):
                    continue  # it is told of when it is this file's turn here
            while sent and not self._stop.is_set():
                for future in wait(sent, _POLL, FIRST_COMPLETED).done:
                    file, before = sent.pop(future)
                    self._run_review(file, partial(self._save_result, file, before, future))
                at_work = cluster.at_work().items()
                self._doing = {worker: sent[calls[0]][0] for worker, calls in at_work if calls and calls[0] in sent}

    def _save_result(self, file: Path, before: bytes | None, future: Future[bytes]) -> None:
        """Save what a worker has found in a game. `before` are the contents of the file when it was sent."""
        record = tengen.loads(future.result())
        self._save(file, before, record)
        if (found := stored_review(record)) is not None:
            self._count_reviewed(file, found)

    def _await_engine(self, record: GameRecord) -> None:
        """Wait until the engine is ready, if the strongest player of the game needs it. Raise `_Refused` if it cannot
        be loaded."""
        game = record.setup.game
        if not needs_engine(strongest(game), game):
            return
        engine = self._host.engine
        engine.start()
        while engine.busy and not self._stop.is_set():
            engine.wait(_POLL)
        if engine.state.name == "failed":
            raise _Refused(t("review.no_engine"))


def _read_contents(file: Path) -> bytes | None:
    """Return the contents of a file; None if it cannot be read."""
    try:
        return read_regular(file, MOST_BYTES)
    except OSError:
        return None


TOP, CURSOR = "top", "cursor"

FILTERS = ("game", "rule", "opponent", "result", "date")
RESULTS = ("won", "lost", "draw", "unfinished", "first", "second", "damaged")
DAYS = {"today": 0, "week": 7, "month": 30, "year": 365}

Pairs = Iterable[tuple[str, str]]


class LibraryState:
    """What the parts of the library's screen share: the `games` that `filter` admits, as of the last `find`, and what
    is done to them."""

    def __init__(self, host: Host) -> None:
        self.games, self.filter = LibraryGames(host), LibraryFilter()
        self.files = LibraryFiles(host, self.games, self.follow_changes)
        self.review = LibraryReview(host, self.follow_changes)
        self.renaming: Entry | None = None
        """The game for which a name is typed."""
        self.new_name = ""
        self.wanted = ""
        """What is to be brought into sight: `TOP`, `CURSOR`, or nothing."""
        self._followed: Path | None = None  # where the cursor goes once it is in the library

    def find(self) -> None:
        """Search for the games that the filter admits."""
        opponents = self.games.library.opponents() if self.filter.chosen["opponent"] else ()
        self.games.search(self.filter.query(opponents))
        if self._followed is not None and self.games.find(self._followed):
            self._followed, self.wanted = None, CURSOR

    def search(self, text: str) -> None:
        """Set the search words, and search again if they differ."""
        if text != self.filter.text:
            self.filter.text = text
            self.apply_filter()

    def apply_filter(self) -> None:
        """Search again after a change of the filter, and show the top."""
        self.find()
        self.wanted = TOP

    def follow_changes(self, file: Path | None) -> None:
        """Read the folder again after a change of files. The cursor goes to `file`, once it is in the library; None
        leaves it."""
        self._followed = file or self._followed
        self.games.library.refresh()

    def update(self) -> None:
        """Search again if the index has changed, and report what the review has finished."""
        if self.games.changed:
            self.find()
        self.review.update()

    # The new name.

    def begin_rename(self) -> None:
        """Let a new name be typed for the game at the cursor, which alone stays selected."""
        entry = self.games.current()
        if entry is not None:
            self.games.selection.move(self.games.selection.at)
            self.renaming, self.new_name = entry, given_name(entry)

    def end_rename(self) -> None:
        """End the typing of a name without renaming."""
        self.renaming = None

    def rename(self, title: str) -> bool:
        """Rename the game to `title`. Return False if that is not a possible name, so that another one is to be
        typed."""
        done = self.renaming is None or self.files.rename(self.renaming, title)
        if done:
            self.renaming = None
        return done


class LibraryFilter:
    """Words, filters and order of a search. `chosen` is the value of each filter, empty for any. The parameter `pairs`
    of methods is what `GameLibrary.opponents` returns."""

    def __init__(self) -> None:
        self.text = ""
        self.sort = "newest"
        self.chosen = dict.fromkeys(FILTERS, "")

    @property
    def choices(self) -> tuple[str, ...]:
        """The order, and the value of each filter."""
        return (self.sort, *self.chosen.values())

    @property
    def active(self) -> bool:
        """Whether there are words, or a filter has a value."""
        return bool(self.text or any(self.chosen.values()))

    def clear(self) -> None:
        """Remove the words and all filters; keep the order."""
        self.text, self.chosen = "", dict.fromkeys(FILTERS, "")

    def set(self, name: str, value: str) -> None:
        """Set the value of a filter, or of the order, which is called ``sort``."""
        if name == "sort":
            self.sort = value
        else:
            self.chosen[name] = value

    def query(self, pairs: Pairs) -> Query:
        """Return the query of the index for these words, filters and order."""
        chosen, opponent = self.chosen, self.chosen["opponent"]
        return Query(
            self.text, chosen["game"], chosen["rule"],
            _opponents(pairs).get(opponent, (("", opponent),)) if opponent else (),
            chosen["result"], _since(chosen["date"]), self.sort,
        )  # fmt: skip

    def options(self, name: str, pairs: Pairs) -> list[tuple[str, str]]:
        """Return the values of a filter, or of the order for ``sort``, each with its text."""
        if name == "sort":
            return [(sort, t(f"library.sort.{sort}")) for sort in SORTS]
        return [("", t(f"library.any.{name}")), *_options(name, pairs)]

    def label(self, name: str) -> str:
        """Return the text of the chosen value of a filter, or of the order for ``sort``."""
        value = self.sort if name == "sort" else self.chosen[name]
        return value if name == "opponent" and value else dict(self.options(name, ()))[value]


def _options(name: str, pairs: Pairs) -> list[tuple[str, str]]:
    """Return the values of a filter other than empty, each with its text."""
    if name == "game":
        return [(game, game_name(game)) for game in GAMES]
    if name == "rule":
        rules = dict.fromkeys(rule for game in GAMES.values() if len(game.rules) > 1 for rule in game.rules)
        return [(rule, rule_name(rule)) for rule in rules]
    if name == "opponent":
        return [(label, label) for label in _opponents(pairs)]
    values = RESULTS if name == "result" else DAYS
    return [(value, t(f"library.{name}.{value}")) for value in values]


def _opponents(pairs: Pairs) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the pairs of `GameLibrary.opponents` by the name that is shown: several kinds of player may share one."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for pair in pairs:
        label = opponent_label(*pair)
        found[label] = (*found.get(label, ()), pair)
    return found


def _since(date: str) -> float:
    """Return when a period of the date filter began, in seconds since 1970: a midnight, or 0 for any date."""
    if date not in DAYS:
        return 0.0
    today = datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return (today - timedelta(days=DAYS[date])).timestamp()
