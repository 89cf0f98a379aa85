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
    return ending_sentence(record.setup.game, record.seats, outcome)


def ending_sentence(game: str, seats: tuple[Seat, Seat], outcome: Outcome) -> str:
    """How a game ended, wherever a result is told: ``You lost: five in a row``, ``Black wins: White resigned``,
    ``Draw: 24 : 24``. Without the reason if a file gives one that this version does not know."""
    how = [] if outcome.score is None else [" : ".join(map(str, outcome.score))]
    if outcome.winner is None:
        result = t("library.result.draw")
    else:
        person, loser = only_person(seats), 1 - outcome.winner
        name = t("result.you") if person == loser else side_name(game, loser)
        how.insert(0, first_text(f"outcome.{outcome.reason}.{game}", f"outcome.{outcome.reason}", loser=name))
        result = t("result.side", side=side_name(game, outcome.winner))
        if person is not None:
            result = t("library.result.lost" if person == loser else "library.result.won")
    how = [each for each in how if each]
    return t("result.because", result=result, how=" · ".join(how)) if how else result
