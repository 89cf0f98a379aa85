"""Shared by the file formats: the error they raise, and how they play a move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import TypeVar

from games.position import IllegalMove, Outcome
from games.record import GameRecord, Node, Notice
from games.registry import GAMES

Item = TypeVar("Item")

MOST_GAMES = 2_000
"""Maximum number of games read from a collection."""

_LONGEST_QUOTE = 100  # characters

OnProgress = Callable[[float], object]
"""Called from time to time during reading with the progress from 0 to 1. An exception from it ends the reading."""

_STEP = 256  # items between two calls


def silent(_share: float) -> None:
    """Ignore the progress."""


def with_progress(items: Sequence[Item], on_progress: OnProgress, begin: float, end: float) -> Iterator[Item]:
    """Yield `items`; meanwhile report progress from `begin` to `end` from time to time."""
    for number, item in enumerate(items, 1):
        if number % _STEP == 0:
            on_progress(begin + (end - begin) * number / len(items))
        yield item


KINDS: dict[str, tuple[str, ...]] = {
    "board": ("board",),
    "damaged": (),
    "foreign": (),
    "illegal": ("ply", "move"),
    "missing": (),
    "newer": (),
    "other_game": ("game",),
    "too_large": ("most",),
    "too_long": ("most",),
    "unknown": ("kinds",),
    "unknown_encoding": (),
    "unreadable": ("reason", "number"),
    "unwritable": (),
}
"""The kinds of `FormatError`, with their parameters."""


class FormatError(ValueError):
    """A file cannot be read or a game cannot be written; `str(error)` is a sentence.

    `kind` is one of `KINDS` and `facts` has its parameters, for translation.
    """

    def __init__(self, message: str, kind: str = "damaged", **facts: object) -> None:
        super().__init__(message)
        self.kind, self.facts = kind, facts


def shortened(text: str, most: int = 20) -> str:
    """Return `text`, or its first `most` characters and “…” if it is longer."""
    return text if len(text) <= most else f"{text[:most]}…"


def quoted(text: str) -> str:
    """Quote `text`, shortened if long."""
    return f"“{shortened(text, _LONGEST_QUOTE)}”"


def play(record: GameRecord, text: str) -> Node:
    """Play the move `text` at the record's cursor.

    Raise `FormatError` with the number of the move and the reason.
    """
    position, text = record.position, shortened(text)
    try:
        return record.play(position.parse_move(text))
    except IllegalMove as error:
        message = f"Move {position.ply + 1}, “{text}”, cannot be played: {error}"
        raise FormatError(message, "illegal", ply=position.ply + 1, move=text) from error


def unicode_text(data: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark. Raise `FormatError` if the bytes are not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError("The file is not text in UTF-8.", "foreign") from error


_MOST_SAID = 5

_NOTICES = {
    "more_games": "The file has {count} more games, which were left out.",
    "other_games": "Games of the file that could not be read: {count}.",
    "shortened": "Texts that are too long were shortened.",
    "marks": "Marks that are not on the board, or too many, were left out.",
    "result": "The file names another result; the moves on the board count.",
    "rule": "Tengen does not know the rule “{written}”; the game was read as {rule}.",
    "stray": "Text that belongs to no game was left out: “{text}”.",
    "broken_off": "The file breaks off before the game ends; something may be missing.",
    "charset": "The file says that it is in the encoding {charset}, but it is not.",
    "encoding": "The file does not say in which encoding it is; it was read as {encoding}.",
    "opening": "The steps of the opening do not fit the moves and were left out.",
    "begun_later": "The game begins after move {ply}, with the stones on the board: {reason}",
    "cut": "Move {ply} and all that follows it were left out: {reason}",
}


def notice(kind: str, **facts: object) -> Notice:
    """Return the notice of a `kind` of `_NOTICES`, with the parameters of its sentence. The fact ``why`` is the reason
    of an `IllegalMove`."""
    return Notice(kind, _NOTICES[kind].format(**facts), tuple(facts.items()))


def notice_sentences(notices: Sequence[Notice]) -> list[str]:
    """Return the English sentences of the first `notices`, and one more that counts the others, if any."""
    sentences = [each.sentence for each in notices[:_MOST_SAID]]
    more = len(notices) - len(sentences)
    return [*sentences, f"Left out as well: {more} more."] if more else sentences


RULED = frozenset({"over", "overline", "double_four", "double_three"})
"""The reasons of an `IllegalMove` that depend on the rule: a row of six ends a game by one rule and not by another."""


class GivenUp(Exception):
    """The reading by this rule is abandoned, since that by another one leaves out no more moves."""


class Cuts:
    """Counts the moves that a reading by one rule leaves out. `lost` is their number; `ruled` tells that some were
    illegal by a reason that depends on the rule. Raise `GivenUp` once `most` moves are lost."""

    def __init__(self, most: float = inf) -> None:
        self.lost, self.ruled, self._most = 0, False, most

    def add(self, record: GameRecord, error: IllegalMove | FormatError, moves: int) -> None:
        """Note that the file's next move at the cursor cannot be played, so that `moves` moves are lost: it and those
        below it. Passes do not count, since no rule has them. Add a notice to `record`."""
        why = error.reason if isinstance(error, IllegalMove) else "outside"
        self.lost += moves
        self.ruled |= why in RULED
        if self.lost >= self._most:
            raise GivenUp
        record.notices.append(notice("cut", ply=record.position.ply + 1, reason=str(error), why=why))


def read_by_fitting_rule(
    read: Callable[[str, Cuts], GameRecord], game: str, rule: str | None, first: str | None = None
) -> GameRecord:
    """Return what `read` makes of a file by `rule`, or if that is None, by the rule of `game` that leaves out the
    fewest moves; of equal ones the first, `first` before all others. Rules after one that leaves out nothing because of
    the rule are not tried."""
    best, most = None, inf
    for each in sorted(GAMES[game].rules, key=lambda known: known != first) if rule is None else (rule,):
        cuts = Cuts(most)
        try:
            record = read(each, cuts)
        except GivenUp:
            continue
        best, most = record, cuts.lost
        if not cuts.ruled:
            break
    assert best is not None  # the first reading has no limit
    return best


def conclude(record: GameRecord, outcome: Outcome) -> None:
    """End the game at the cursor with the outcome that its file names. If it is over by the rules, that counts; add a
    notice if the file names another winner."""
    if record.outcome is None:
        record.end(outcome)
    elif record.outcome.winner != outcome.winner:
        record.notices.append(notice("result"))
