"""The search of the library: its words, filters and order, and the options of each filter."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from games.library.index import SORTS
from games.library.library import Query
from games.registry import GAMES
from ui.toolkit.i18n import t
from ui.words.games import game_name, rule_name
from ui.words.players import opponent_label

FILTERS = ("game", "rule", "opponent", "result", "date")
RESULTS = ("won", "lost", "draw", "unfinished", "first", "second", "damaged")
DAYS = {"today": 0, "week": 7, "month": 30, "year": 365}

Pairs = Iterable[tuple[str, str]]


class LibraryFilter:
    """`chosen` is the value of each filter, empty for any; `pairs` below are those of `Library.opponents`."""

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
        self.text, self.chosen = "", dict.fromkeys(FILTERS, "")

    def set(self, name: str, value: str) -> None:
        """Set the value of a filter, or of the order, which is called ``sort``."""
        if name == "sort":
            self.sort = value
        else:
            self.chosen[name] = value

    def query(self, pairs: Pairs) -> Query:
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
    """Return the midnight at which that period began; 0 for any date."""
    if date not in DAYS:
        return 0.0
    today = datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return (today - timedelta(days=DAYS[date])).timestamp()
