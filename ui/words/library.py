"""How the library names its games."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from datetime import datetime, timedelta

from games.fields import one_line
from games.library.rows import DAMAGED, FIRST_WON, SECOND_WON, UNFINISHED, Entry
from games.position import Outcome
from games.record import PERSON, Seat, only_person
from games.registry import GAMES
from ui.toolkit.i18n import LANGUAGES, speaking, t, texts
from ui.words.files import file_sentence
from ui.words.games import ending_sentence, game_name, player_name, rule_name, seat_label, setup_name, side_name
from ui.words.numbers import percent_text

_STAMPED = re.compile(r"\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d .*")


def day_text(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d")


def day_word(date: str) -> str:
    """The day of an ISO date in a word where there is one: ``Today``, ``2026-05-01``."""
    day, today = date[:10], datetime.now()
    before = today - timedelta(days=1)
    words = {day_text(today.timestamp()): "day.today", day_text(before.timestamp()): "day.yesterday"}
    return t(words[day]) if day in words else day


def given_name(entry: Entry) -> str:
    """The name that a person gave to the file; empty if it is called by its date."""
    return "" if entry.setup is not None and _STAMPED.fullmatch(entry.name) else entry.name


def entry_title(entry: Entry) -> str:
    """The name that a person gave to the file; else the game, with its rule if there is more than one."""
    if entry.setup is None or given_name(entry):
        return one_line(entry.name)
    rules = GAMES[entry.setup.game].rules
    name = game_name(entry.setup.game)
    return f"{name} · {rule_name(entry.setup.rule)}" if len(rules) > 1 else name


def entry_players(entry: Entry) -> str:
    """Both players: ``You – Apprentice``, ``Two people`` if nobody has a name."""
    if all(seat == Seat(PERSON) for seat in entry.seats):
        return t("seat.two_people")
    game = entry.setup.game if entry.setup else ""
    return " – ".join(player_name(game, entry.seats, side) for side in (0, 1))


def entry_opponent(entry: Entry) -> str:
    """Who the only person played against, or both players."""
    person = only_person(entry.seats)
    if person is None or entry.setup is None:
        return entry_players(entry)
    other = entry.seats[1 - person]
    return other.name or seat_label(entry.setup.game, other.player)


def entry_result(entry: Entry) -> str:
    """In a few words how the game ended; for the only person at the board, whether it was won."""
    if entry.result in (FIRST_WON, SECOND_WON) and entry.setup is not None:
        return t("result.side", side=side_name(entry.setup.game, (FIRST_WON, SECOND_WON).index(entry.result)))
    return t(f"library.result.{entry.result}")


def entry_review(entry: Entry) -> str:
    """How accurate the only person was, with the number of mistakes, or both sides; empty without a review."""
    if entry.review is None:
        return ""
    person = only_person(entry.seats)
    if person is None:
        return " – ".join(map(percent_text, entry.review.accuracy))
    mistakes = t("library.mistakes", count=entry.review.mistakes[person])
    return f"{percent_text(entry.review.accuracy[person])} · {mistakes}"


def entry_ending(entry: Entry) -> str:
    """How the game ended, in a sentence."""
    if entry.setup is None or entry.result in (UNFINISHED, DAMAGED):
        return entry_result(entry)
    return ending_sentence(entry.setup.game, entry.seats, Outcome(entry.winner, entry.reason, score=entry.score))


def search_words(entry: Entry) -> str:
    """All that the library shows of a game, in every language, so that it is found by what is on the screen and
    another language needs no other index."""
    shown: dict[str, None] = {}
    for code in LANGUAGES:
        with speaking(code):
            shown |= dict.fromkeys(_shown_words(entry))
    return "\n".join(shown)


def _shown_words(entry: Entry) -> Iterator[str]:
    yield from (entry_title(entry), entry_players(entry), entry_result(entry))
    if entry.problem is not None:
        yield file_sentence(entry.problem, entry.path.name)
    if entry.setup is None:
        return
    game = entry.setup.game
    yield from (setup_name(entry.setup), entry_ending(entry), t("library.moves", count=entry.plies), day_text(entry.at))
    for side, seat in enumerate(entry.seats):
        yield from (player_name(game, entry.seats, side), seat_label(game, seat.player), side_name(game, side))


def words_edition() -> str:
    """Another one after any change of what `search_words` may answer."""
    return f"{zlib.crc32(repr([sorted(texts(code).items()) for code in LANGUAGES]).encode()):08x}"
