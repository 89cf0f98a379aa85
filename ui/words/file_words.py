"""Words on files: names of files and of the games in them, and sentences on why one cannot be read or written and on
what was left out."""

from __future__ import annotations

import errno
import re
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

from games.fields import one_line
from games.formats import FORMATS, FormatError, encoded, format_of
from games.library.index import DAMAGED, FIRST_WON, SECOND_WON, UNFINISHED, Entry
from games.position import Outcome
from games.record import PERSON, GameRecord, Notice, Seat, only_person
from games.registry import GAMES
from games.storage import Damage, saves_home, unused_path
from ui.toolkit.i18n import LANGUAGES, first_text, joined, speaking, t, texts, time_text
from ui.words.games import (
    ending_sentence,
    game_name,
    player_name,
    rule_name,
    seat_label,
    setup_name,
    side_name,
    with_names,
)
from ui.words.move_words import illegal_sentence
from ui.words.numbers import percent_text, whole_text

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def kind_name(ending: str) -> str:
    """The name of the kind of files with this `ending`: games of a format, or pictures."""
    name = next((each.name for each in FORMATS if each.extension == ending), "")
    return first_text(f"kind{ending}", default=name or ending)


def proposed_file(record: GameRecord, last: Path | None, ending: str = ".tengen.json") -> Path:
    """An unused file name with `ending`, made of the game and its day, in the folder of `last` or, if that is None, in
    that of the saved games."""
    day = record.date[:10]
    if not _DAY.fullmatch(day):  # a file may say anything
        day = date.today().isoformat()
    folder = last.parent if last is not None else saves_home()
    return unused_path(folder, f"{game_name(record.setup.game)} {day}", ending)


def study_title(record: GameRecord) -> str:
    """The title of a game that was pasted or set up: ``Gomoku position 2026-11-25``."""
    key = "replay.title_game" if record.stones is None else "replay.title_position"
    return t(key, game=game_name(record.setup.game), day=date.today().isoformat())


def encoded_for(record: GameRecord, file: Path) -> bytes:
    """Encode `record` in the format of the extension of `file`. Raise `FormatError`.

    If that format does not keep the whole record, each computer player gets a readable name.
    """
    return encoded(record if format_of(file).whole else with_names(record), file)


def file_sentence(error: FormatError | OSError, name: str) -> str:
    """The sentence that says why the file `name` cannot be read or, for an `OSError`, written. Details are left to the
    log."""
    if isinstance(error, OSError):
        return t("error.save", name=name, reason=refusal(error))
    facts = dict(error.facts)
    if error.kind == "unreadable":
        facts["reason"] = refusal(OSError(facts.get("number"), facts["reason"]))
    if "game" in facts:
        facts["game"] = _other_game(facts["game"])
    if isinstance(most := facts.get("most"), int):
        facts["most"] = whole_text(most)
    return t(f"format.{error.kind}", name=name, **facts)


def pasted_sentence(error: FormatError) -> str:
    """The sentence that says why the contents of the clipboard are not a game."""
    if error.kind == "other_game":
        return t("paste.other_game", game=_other_game(error.facts["game"]))
    return t("paste.illegal" if error.kind == "illegal" else "paste.foreign", **error.facts)


def _other_game(name: object) -> str:
    """The name of a game that Tengen does not play, in the window's language if it has one there."""
    return first_text(f"other_game.{name}", default=str(name))


def encoding_name(encoding: str) -> str:
    """The name of an encoding, such as ``Western (cp1252)``; the key itself if it has no name."""
    return first_text(f"encoding.{encoding}", default=encoding)


def notices_sentence(notices: Sequence[Notice]) -> str:
    """What was left out when a file was read: the first of the `notices`, which must not be empty, and how many more
    there are."""
    first, facts = notices[0], dict(notices[0].facts)
    if "why" in facts:
        facts["reason"] = illegal_sentence(str(facts["why"]))
    if "encoding" in facts:
        facts["encoding"] = encoding_name(str(facts["encoding"]))
    if "rule" in facts:
        facts["rule"] = rule_name(str(facts["rule"]))
    said = t(f"notice.{first.kind}", **facts)
    return said if len(notices) == 1 else joined((said, t("notice.more", count=len(notices) - 1)))


def damage_sentence(found: Sequence[Damage]) -> str:
    """What is damaged: the first of `found`, which must not be empty, and how many more there are."""
    first = found[0]
    fact = refusal(first.fact) if isinstance(first.fact, OSError) else first.fact
    said = t(f"damage.{first.kind}", name=first.file.name, fact=fact)
    return said if len(found) == 1 else joined((said, t("damage.more", count=len(found) - 1)))


_REFUSALS = {
    "EACCES": "denied", "EPERM": "denied", "EROFS": "denied", "ENOENT": "missing", "ENOTDIR": "missing",
    "ENOSPC": "full", "EDQUOT": "full", "ENAMETOOLONG": "name",
    "EILSEQ": "characters", "EISDIR": "folder", "EIO": "disk",
    "ENODEV": "special", "ENXIO": "special",
}  # fmt: skip


def refusal(error: OSError) -> str:
    """Why the system refused a file operation, in the window's language if the error is a common one, else in the
    system's words."""
    known = _REFUSALS.get(errno.errorcode.get(error.errno or 0, ""))
    return t(f"refusal.{known}") if known else error.strerror or str(error)


# How the library names its games.


_STAMPED = re.compile(r"\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d .*")


def day_text(at: float) -> str:
    """The local date of a time in seconds since 1970: ``2026-01-31``; empty where no calendar has it."""
    return time_text(at, "%Y-%m-%d")


def day_word(date: str) -> str:
    """``Today`` or ``Yesterday`` in the window's language for such an ISO date, else its day: ``2026-05-01``."""
    day, today = date[:10], datetime.now()
    before = today - timedelta(days=1)
    words = {day_text(today.timestamp()): "day.today", day_text(before.timestamp()): "day.yesterday"}
    return t(words[day]) if day in words else day


def given_name(entry: Entry) -> str:
    """The file name that a person gave to the game; empty if the file is named by its date."""
    return "" if entry.setup is not None and _STAMPED.fullmatch(entry.name) else entry.name


def entry_title(entry: Entry) -> str:
    """The name that a person gave to the file (``…`` if none of it can be shown); without one, the game, and its rule
    if the game has several."""
    if entry.setup is None or given_name(entry):
        return one_line(entry.name) or "…"
    rules = GAMES[entry.setup.game].rules
    name = game_name(entry.setup.game)
    return f"{name} · {rule_name(entry.setup.rule)}" if len(rules) > 1 else name


def entry_players(entry: Entry) -> str:
    """Both players, such as ``You – Apprentice``; ``Two people`` if they are people without names."""
    if all(seat == Seat(PERSON) for seat in entry.seats):
        return t("seat.two_people")
    game = entry.setup.game if entry.setup else ""
    return " – ".join(player_name(game, entry.seats, side) for side in (0, 1))


def entry_opponent(entry: Entry) -> str:
    """The opponent of the only person; both players if there is not exactly one person."""
    person = only_person(entry.seats)
    if person is None or entry.setup is None:
        return entry_players(entry)
    other = entry.seats[1 - person]
    return other.name or seat_label(entry.setup.game, other.player)


def entry_result(entry: Entry) -> str:
    """The result in a few words: for the only person won or lost, else which side won."""
    if entry.result in (FIRST_WON, SECOND_WON) and entry.setup is not None:
        return t("result.side", side=side_name(entry.setup.game, (FIRST_WON, SECOND_WON).index(entry.result)))
    return t(f"library.result.{entry.result}")


def entry_review(entry: Entry) -> str:
    """The accuracy and number of mistakes of the only person; both accuracies if there is not exactly one; empty
    without a review."""
    if entry.review is None:
        return ""
    person = only_person(entry.seats)
    if person is None:
        return " – ".join(map(percent_text, entry.review.accuracy))
    mistakes = t("library.mistakes", count=entry.review.mistakes[person])
    return f"{percent_text(entry.review.accuracy[person])} · {mistakes}"


def entry_ending(entry: Entry) -> str:
    """The sentence that says how the game ended; the words of `entry_result` for one that is unfinished or damaged."""
    if entry.setup is None or entry.result in (UNFINISHED, DAMAGED):
        return entry_result(entry)
    return ending_sentence(entry.setup.game, entry.seats, Outcome(entry.winner, entry.reason, score=entry.score))


def search_words(entry: Entry) -> str:
    """All texts that the library shows of a game, in every language, a line each. A search finds a game by any of them,
    and another language needs no new index."""
    shown: dict[str, None] = {}
    for code in LANGUAGES:
        with speaking(code):
            shown |= dict.fromkeys(_shown_words(entry))
    return "\n".join(shown)


def _shown_words(entry: Entry) -> Iterator[str]:
    """The texts that the library shows of a game, in the current language."""
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
    """Return a key that changes whenever a change of the locales may change `search_words`, so that the index is
    renewed."""
    return f"{zlib.crc32(repr([sorted(texts(code).items()) for code in LANGUAGES]).encode()):08x}"
