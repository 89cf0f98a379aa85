"""Whose turn it is, and how a game ended."""

from __future__ import annotations

from games.position import PASS, Outcome
from games.record import PERSON, GameRecord, Seat, only_person
from games.registry import GAMES
from ui.toolkit.i18n import first_text, t
from ui.words.games import side_name


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
