"""How games, players, moves, scores and results are called on the screen."""

from __future__ import annotations

import errno
import re
import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from ai.levels.levels import EVEN, is_level, number_of
from ai.players import PLAYERS
from ai.registry import ALPHABETA, opponents
from games.clock import Face, TimeControl
from games.formats.common import FormatError
from games.library.rows import FIRST_WON, SECOND_WON, Entry
from games.position import PASS, IllegalMove, Outcome, Position
from games.record import PERSON, GameRecord, Notice, ScoredLine, Seat, only_person
from games.registry import GAMES, Setup
from ui.toolkit.i18n import LANGUAGES, first_text, speaking, t, texts


def game_name(game: str) -> str:
    return first_text(f"game.{game}", default=game.title())


def short_name(game: str) -> str:
    return first_text(f"game.{game}.short", default=game_name(game))


def game_about(game: str) -> str:
    """What one does in it, in a sentence."""
    return first_text(f"game.{game}.about")


def setup_name(setup: Setup) -> str:
    """The game with what was chosen of it: ``Gomoku · 15×15 · Freestyle``."""
    game = GAMES[setup.game]
    parts = [game_name(setup.game)]
    if len(game.sizes) > 1:
        parts.append(size_name(setup.game, setup.size))
    if len(game.rules) > 1:
        parts.append(rule_name(setup.rule))
    return " · ".join(parts)


def rule_name(rule: str) -> str:
    return first_text(f"rule.{rule}", default=rule.title())


def size_name(game: str, size: int) -> str:
    """``15×15``, ``21 bones``."""
    board = GAMES[game].board
    return first_text(f"size.{game}", default="×".join(map(str, board(size))) if board else str(size), count=size)


def side_name(game: str, side: int) -> str:
    """``Black``, ``X``, ``First``."""
    return first_text(f"side.{game}.{side}", default=GAMES[game].sides[side].title())


def short_side(game: str, side: int) -> str:
    """`side_name` for a narrow button."""
    return first_text(f"side.{game}.{side}.short", default=side_name(game, side))


def seat_label(game: str, player: str) -> str:
    """What a kind of player is called at a board of `game`; alpha-beta is the computer unless there is better."""
    if is_level(player):
        return level_label(game, player)
    if player == ALPHABETA != opponents(game).strongest:
        return t("seat.basic")
    return t(f"seat.{player}" if player in (PERSON, *PLAYERS) else "seat.other")


def level_name(game: str, number: int) -> str:
    """``Apprentice``; games with few levels have names of their own for them."""
    most = len(opponents(game).levels)
    shown = min(number, most) or number
    few = f"level.few.{shown}" if most == 3 else ""
    return first_text(f"level.{game}.{shown}", few, f"level.{shown}", default=str(shown))


def level_label(game: str, player: str) -> str:
    """``Apprentice (3)``, ``Even match (3.4)``, and ``Even match`` where no game has begun."""
    if player == EVEN:
        return t("level.even")
    number = min(number_of(player), len(opponents(game).levels) or number_of(player))
    name = t("level.even") if player.startswith(EVEN) else level_name(game, int(number))
    return t("level.label", name=name, number=f"{number:g}")


def player_name(game: str, seats: tuple[Seat, Seat], side: int) -> str:
    """The name of a player; the only person at a computer is “You”."""
    seat, other = seats[side], seats[1 - side]
    if seat.name:
        return seat.name
    if seat.player == PERSON and other.player != PERSON:
        return t("seat.you")
    if is_level(seat.player):  # without its number, for which there is little room
        even = seat.player.startswith(EVEN)
        return t("level.even") if even else level_name(game, int(number_of(seat.player)))
    return seat_label(game, seat.player)


def move_name(position: Position, move: int) -> str:
    """How `move` is written in a list."""
    return t("move.pass") if move == PASS else position.move_text(move)


def turn_sentence(record: GameRecord, thinking: bool, waiting: bool, paused: bool = False) -> str:
    """Whose turn it is, or how the game ended."""
    if record.outcome is not None:
        return outcome_sentence(record, record.outcome)
    turn = record.position.turn
    side = side_name(record.setup.game, turn)
    if paused:
        return t("play.paused")
    if waiting:
        return t("play.waiting")
    if thinking or record.seats[turn].player != PERSON:
        return t("play.thinking", side=side)
    passing = GAMES[record.setup.game].passes and list(record.position.legal_moves()) == [PASS]
    return t("play.must_pass" if passing else "play.turn", side=side)


def outcome_sentence(record: GameRecord, outcome: Outcome) -> str:
    return ending_sentence(record.setup.game, record.seats, outcome.winner, outcome.reason)


def ending_sentence(game: str, seats: tuple[Seat, Seat], winner: int | None, reason: str) -> str:
    """How a game ended, wherever a result is told: ``You lost: five in a row``, ``Black wins: White resigned``. Without
    the reason if a file gives one that this version does not know."""
    if winner is None:
        return t("library.result.draw")
    person = only_person(seats)
    result = t("result.side", side=side_name(game, winner))
    if person is not None:
        result = t("library.result.won" if person == winner else "library.result.lost")
    loser = t("result.you") if person == 1 - winner else side_name(game, 1 - winner)
    how = first_text(f"outcome.{reason}.{game}", f"outcome.{reason}", loser=loser)
    return t("result.because", result=result, how=how) if how else result


def score_text(score: int, mate: int | None) -> str:
    """A score from whoever's view it is: ``+1.2``, or ``#5`` for a win in five plies and ``−#4`` for a loss."""
    if mate is not None:
        return f"#{mate}" if mate >= 0 else f"−#{-mate}"
    if abs(score) >= 99_950:
        return f"{signed_text(score / 100_000, 1 if abs(score) < 999_500 else 0)}k"
    return signed_text(score / 100, 1)


def signed_text(number: float, places: int = 0) -> str:
    """A number with its sign, and so many decimal places: ``+1.2``, ``−0.1``, ``0.0``."""
    text = f"{number:+z.{places}f}".replace("-", "−")
    return text[1:] if float(text[1:]) == 0 else text


def evaluation_text(evaluation: ScoredLine) -> str:
    return score_text(evaluation.score, evaluation.mate)


def percent_text(number: float, places: int = 0) -> str:
    """``37 %``."""
    return t("percent", number=f"{number:.{places}f}")


def count_text(number: float) -> str:
    """A large number in two or three digits: ``870``, ``12.3k``, ``663k``, ``4.5M``."""
    if number >= 99_950_000:
        return f"{number / 1_000_000:.0f}M"
    if number >= 999_500:
        return f"{number / 1_000_000:.1f}M"
    if number >= 99_950:
        return f"{number / 1000:.0f}k"
    return f"{number / 1000:.1f}k" if number >= 999.5 else f"{number:.0f}"


def time_text(seconds: float) -> str:
    """Minutes and seconds, and hours where there are any: ``2:05``, ``1:02:05``."""
    minutes, rest = divmod(int(seconds), 60)
    hours = f"{minutes // 60}:{minutes % 60:02d}" if minutes >= 60 else str(minutes)
    return f"{hours}:{rest:02d}"


_TENTHS = 10.0  # seconds below which a clock shows tenths


def clock_text(seconds: float) -> str:
    """Time that is left; below ten seconds with tenths: ``2:05``, ``9.3``. Never more than there is."""
    return time_text(seconds) if seconds >= _TENTHS else f"{int(seconds * 10) / 10:.1f}"


def clock_changes_in(seconds: float) -> float:
    """How long `clock_text` stays as it is while the time runs down."""
    return seconds % (1.0 if seconds >= _TENTHS else 0.1)


def span_name(seconds: int) -> str:
    """A length of time: ``90 s``, ``5 min``."""
    if seconds % 60 or seconds <= 60:
        return t("clock.seconds", count=seconds)
    return t("clock.minutes", count=seconds // 60)


def control_name(control: TimeControl | None, short: bool = False) -> str:
    """A time control in words: ``No clock``, ``30 s a move``, ``5 min + 3 s a move``, ``10 min + 3×30 s``."""
    if control is None:
        return t("clock.no_clock")
    if not control.periods:
        if short:
            return str(control)
        name = "clock.name.increment" if control.increment else "clock.minutes"
        return t(name, main=_main(control), count=_main(control), seconds=control.increment)
    if control.main:
        return t("clock.name.byoyomi", main=_main(control), periods=control.periods, seconds=control.period)
    if control.periods > 1:
        return t("clock.name.periods", periods=control.periods, seconds=control.period)
    return t("clock.seconds" if short else "clock.name.move", count=control.period)


def clock_note(control: TimeControl, face: Face) -> str:
    """What a clock has besides its seconds: the periods that are left, or the increment."""
    if control.periods > 1 or (control.periods and control.main):
        return t("clock.name.periods", periods=face.periods, seconds=control.period)
    return f"+{t('clock.seconds', count=control.increment)}" if control.increment else ""


def _main(control: TimeControl) -> str:
    """The main time, in minutes also where it is no whole number of them."""
    minutes, seconds = divmod(control.main, 60)
    return f"{minutes}:{seconds:02d}" if seconds else str(minutes)


def file_sentence(error: FormatError | OSError, name: str) -> str:
    """Why the file `name` cannot be read or written. What exactly is wrong inside of it is for the log."""
    if isinstance(error, OSError):
        return t("error.save", name=name, reason=refusal(error))
    facts = dict(error.facts)
    if error.kind == "unreadable":
        facts["reason"] = refusal(OSError(facts.get("number"), facts["reason"]))
    return t(f"format.{error.kind}", name=name, **facts)


def pasted_sentence(error: FormatError) -> str:
    """Why what is on the clipboard is not a game."""
    return t("paste.illegal" if error.kind == "illegal" else "paste.foreign", **error.facts)


def notices_sentence(notices: Sequence[Notice]) -> str:
    """What the reader of a file has left out: the first of the `notices`, and how many more there are."""
    first, facts = notices[0], dict(notices[0].facts)
    if "why" in facts:
        facts["reason"] = reason_sentence(str(facts["why"]))
    said = t(f"notice.{first.kind}", **facts)
    return said if len(notices) == 1 else f"{said} {t('notice.more', count=len(notices) - 1)}"


_REFUSALS = {
    "EACCES": "denied", "EPERM": "denied", "EROFS": "denied", "ENOENT": "missing", "ENOTDIR": "missing",
    "ENOSPC": "full", "EDQUOT": "full", "ENAMETOOLONG": "name",
    "EILSEQ": "characters", "EISDIR": "folder", "EIO": "disk",
    "ENODEV": "special", "ENXIO": "special",
}  # fmt: skip


def refusal(error: OSError) -> str:
    """Why the system did not do it; in its own words, which may be English, where there are none of ours."""
    known = _REFUSALS.get(errno.errorcode.get(error.errno or 0, ""))
    return t(f"refusal.{known}") if known else error.strerror or str(error)


def illegal_sentence(error: IllegalMove) -> str:
    return reason_sentence(error.reason)


def reason_sentence(reason: str) -> str:
    """Why a move is illegal, by the key of `IllegalMove`."""
    return first_text(f"illegal.{reason}", "illegal.unreadable")


# The library.

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
        return entry.name
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
    if entry.winner is None or entry.setup is None:
        return entry_result(entry)
    return ending_sentence(entry.setup.game, entry.seats, entry.winner, entry.reason)


def opponent_label(game: str, opponent: str) -> str:
    """How an opponent of `games.library.library.opponents_of` is called."""
    return opponent[1:] if opponent.startswith("=") else seat_label(game, opponent)


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
