"""Names of games, sides, rules and players, and sentences on whose turn it is and how a game ended."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from ai.core.player import PlayerFailure
from ai.players.levels import EVEN, is_level, number_of
from ai.players.opponents import opponents
from ai.players.table import KINDS, kind_of, label, strongest
from games.position import Outcome, must_pass
from games.record import PERSON, GameRecord, Seat, only_person
from games.registry import GAMES, Setup
from ui.toolkit.i18n import first_text, t


def game_name(game: str) -> str:
    """The name of a game by its key; the key itself where no locale has it."""
    return first_text(f"game.{game}", default=game.title())


def short_name(game: str) -> str:
    """The name where there is little room."""
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
    """The name of a rule by its key; the key itself where no locale has it."""
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
    """What a player, or a kind of players, is called at a board of `game`."""
    if is_level(player):
        return level_label(game, player)
    if player == strongest(game):
        return t("seat.full")
    if name := label(player):
        return name
    known = kind_of(player) in (PERSON, *KINDS)
    keys = (f"seat.{player}", f"seat.{kind_of(player)}") if known else ()
    return first_text(*keys, default=t("seat.other"))


def seat_about(player: str) -> str:
    """How a player plays, in a sentence; empty where its name says enough."""
    return first_text(f"seat.{player}.about", f"seat.{kind_of(player)}.about", default="")


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
    return t("level.label", name=_level_title(game, player), number=f"{number:g}")


def _level_title(game: str, player: str) -> str:
    """``Apprentice``, ``Even match``: for where there is little room, or the number follows."""
    return t("level.even") if player.startswith(EVEN) else level_name(game, int(number_of(player)))


def player_name(game: str, seats: tuple[Seat, Seat], side: int) -> str:
    """The name of a player; the only person at a computer is “You”."""
    seat, other = seats[side], seats[1 - side]
    if seat.name:
        return seat.name
    if seat.player == PERSON and other.player != PERSON:
        return t("seat.you")
    return _level_title(game, seat.player) if is_level(seat.player) else seat_label(game, seat.player)


def failure_sentence(error: Exception, name: str, other: str = "error.player") -> str:
    """Why the player called `name` has failed: what is wrong with an engine, or the text `other`."""
    if not isinstance(error, PlayerFailure):
        return t(other)
    detail = rule_name(error.detail) if error.problem == "rule" else error.detail
    return t(f"engine.{error.problem}", name=name, detail=detail)


def side_label(record: GameRecord, side: int) -> str:
    """The name of the player of `side`, else the side."""
    return record.seats[side].name or side_name(record.setup.game, side)


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
    """How an opponent of `games.library.library.opponent_tokens` is called."""
    return opponent[1:] if opponent.startswith("=") else seat_label(game, opponent)


def turn_sentence(record: GameRecord, thinking: bool, waiting: bool, paused: bool = False) -> str:
    """Whose turn it is, or how the game ended."""
    if record.outcome is not None:
        return outcome_sentence(record, record.outcome)
    turn = record.turn
    side = side_name(record.setup.game, turn)
    if paused:
        return t("play.paused")
    if waiting:
        return t("play.waiting")
    if thinking or record.seats[turn].player != PERSON:
        return t("play.thinking", side=side)
    if record.demand is not None:
        return t("begin.turn", side=side)
    return t("play.must_pass" if must_pass(record.position) else "play.turn", side=side)


def outcome_sentence(record: GameRecord, outcome: Outcome) -> str:
    """How the game of `record` ended."""
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
        how.append(first_text(f"outcome.{outcome.reason}.{game}", f"outcome.{outcome.reason}", loser=name))
        result = t("result.side", side=side_name(game, outcome.winner))
        if person is not None:
            result = t("library.result.lost" if person == loser else "library.result.won")
    how = [each for each in how if each]
    return t("result.because", result=result, how=" · ".join(how)) if how else result


def outcome_colour(record: GameRecord, outcome: Outcome) -> str:
    """The name of the colour of the result, from the only person's view if there is one."""
    person = only_person(record.seats)
    return "accent" if None in (outcome.winner, person) else "good" if outcome.winner == person else "bad"
