"""The library with its selection, its filter and what is done to games, without pixels: what the parts of its screen
share."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from games.library.index import SORTS
from games.library.library import Query
from games.library.rows import Entry
from games.registry import GAMES
from ui.library.library_files import LibraryFiles
from ui.library.library_review import LibraryReview
from ui.parts.recent import LibraryGames
from ui.toolkit.i18n import t
from ui.window.host import Host
from ui.words.file_words import given_name
from ui.words.games import game_name, opponent_label, rule_name

TOP, CURSOR = "top", "cursor"

FILTERS = ("game", "rule", "opponent", "result", "date")
RESULTS = ("won", "lost", "draw", "unfinished", "first", "second", "damaged")
DAYS = {"today": 0, "week": 7, "month": 30, "year": 365}

Pairs = Iterable[tuple[str, str]]


class LibraryState:
    """`games` are those that `filter` admits, as of the last `find`."""

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
        """Search for what the filter admits."""
        opponents = self.games.library.opponents() if self.filter.chosen["opponent"] else ()
        self.games.search(self.filter.query(opponents))
        if self._followed is not None and self.games.find(self._followed):
            self._followed, self.wanted = None, CURSOR

    def search(self, text: str) -> None:
        """Search for the words of `text`."""
        if text != self.filter.text:
            self.filter.text = text
            self.apply_filter()

    def apply_filter(self) -> None:
        """The filter was changed."""
        self.find()
        self.wanted = TOP

    def follow_changes(self, file: Path | None) -> None:
        """Files were changed; the cursor goes to `file`."""
        self._followed = file or self._followed
        self.games.library.refresh()

    def update(self) -> None:
        """Search again if the index changed, and take what the review found."""
        if self.games.changed:
            self.find()
        self.review.update()

    # The new name.

    def begin_rename(self) -> None:
        """Ask for a new name of the game at the cursor."""
        entry = self.games.current()
        if entry is not None:
            self.games.selection.move(self.games.selection.at)
            self.renaming, self.new_name = entry, given_name(entry)

    def end_rename(self) -> None:
        """Leave the renaming of a game without effect."""
        self.renaming = None

    def rename(self, title: str) -> bool:
        """Rename the game. Return False if another name is to be typed."""
        done = self.renaming is None or self.files.rename(self.renaming, title)
        if done:
            self.renaming = None
        return done


class LibraryFilter:
    """The words, filters and order of a search: `chosen` is the value of each filter, empty for any. `pairs` below are
    those of `Library.opponents`."""

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
        """Whether words or a filter exclude any game."""
        return bool(self.text or any(self.chosen.values()))

    def clear(self) -> None:
        """Remove the text and all filters."""
        self.text, self.chosen = "", dict.fromkeys(FILTERS, "")

    def set(self, name: str, value: str) -> None:
        """Set the value of a filter, or of the order, which is called ``sort``."""
        if name == "sort":
            self.sort = value
        else:
            self.chosen[name] = value

    def query(self, pairs: Pairs) -> Query:
        """The query of the index; `pairs` are the opponents there are."""
        chosen, opponent = self.chosen, self.chosen["opponent"]
        return Query(
            self.text, chosen["game"], chosen["rule"],
            _opponents(pairs).get(opponent, (("", opponent),)) if opponent else (),
            chosen["result"], _since(chosen["date"]), self.sort,
        )  # fmt: skip

    def options(self, name: str, pairs: Pairs) -> list[tuple[str, str]]:
        """Return the values of a filter, or of ``sort``, with their texts."""
        if name == "sort":
            return [(sort, t(f"library.sort.{sort}")) for sort in SORTS]
        return [("", t(f"library.any.{name}")), *_options(name, pairs)]

    def label(self, name: str) -> str:
        """Return the text of the chosen value. That of an opponent is the value itself, a name from the screen."""
        value = self.sort if name == "sort" else self.chosen[name]
        return value if name == "opponent" and value else dict(self.options(name, ()))[value]


def _options(name: str, pairs: Pairs) -> list[tuple[str, str]]:
    """The values of a filter with the words for them."""
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
    """Return the opponents by their names on the screen, since one name may stand for several kinds of player."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for pair in pairs:
        label = opponent_label(*pair)
        found[label] = (*found.get(label, ()), pair)
    return found


def _since(date: str) -> float:
    """Return the midnight, in seconds since 1970, at which the period `date` of the filter began; 0 for any date."""
    if date not in DAYS:
        return 0.0
    today = datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return (today - timedelta(days=DAYS[date])).timestamp()
