"""Names of players, seats and levels."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from ai.levels.levels import EVEN, is_level, number_of
from ai.players import KINDS, kind_of, strongest
from ai.registry import opponents
from games.record import PERSON, GameRecord, Seat
from ui.toolkit.i18n import first_text, t


def seat_label(game: str, player: str) -> str:
    """What a player, or a kind of players, is called at a board of `game`."""
    if is_level(player):
        return level_label(game, player)
    if player == strongest(game):
        return t("seat.full")
    known = kind_of(player) in (PERSON, *KINDS)
    return first_text(f"seat.{kind_of(player)}" if known else "", default=t("seat.other"))


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


def with_names(record: GameRecord) -> GameRecord:
    """Return `record` with a name for every computer, in the language of the window. They share all else."""
    named = copy(record)
    seats = [
        seat if seat.player == PERSON else replace(seat, name=player_name(record.setup.game, record.seats, side))
        for side, seat in enumerate(record.seats)
    ]
    named.seats = seats[0], seats[1]
    return named


def opponent_label(game: str, opponent: str) -> str:
    """How an opponent of `games.library.library.opponents_of` is called."""
    return opponent[1:] if opponent.startswith("=") else seat_label(game, opponent)
