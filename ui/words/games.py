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
    """The name of a game by its key; the key in title case if no locale has it."""
    return first_text(f"game.{game}", default=game.title())


def short_name(game: str) -> str:
    """The name of a game for a narrow place."""
    return first_text(f"game.{game}.short", default=game_name(game))


def game_about(game: str) -> str:
    """The aim of a game, in a sentence."""
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
    """The name of a rule by its key; the key in title case if no locale has it."""
    return first_text(f"rule.{rule}", default=rule.title())


def size_name(game: str, size: int) -> str:
    """The size of a board: ``15×15``, ``21 bones``."""
    board = GAMES[game].board
    return first_text(f"size.{game}", default="×".join(map(str, board(size))) if board else str(size), count=size)


def side_name(game: str, side: int) -> str:
    """The name of a side: ``Black``, ``X``, ``First``."""
    return first_text(f"side.{game}.{side}", default=GAMES[game].sides[side].title())


def short_side(game: str, side: int) -> str:
    """The name of a side for a narrow place."""
    return first_text(f"side.{game}.{side}.short", default=side_name(game, side))


def seat_label(game: str, player: str) -> str:
    """The name of a player, or of a kind of players, in a game of `game`."""
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
    """How a player plays, in a sentence; empty if its name says enough."""
    return first_text(f"seat.{player}.about", f"seat.{kind_of(player)}.about", default="")


def level_name(game: str, number: int) -> str:
    """The name of a level, such as ``Apprentice``; games with three levels have names of their own."""
    most = len(opponents(game).levels)
    shown = min(number, most) or number
    few = f"level.few.{shown}" if most == 3 else ""
    return first_text(f"level.{game}.{shown}", few, f"level.{shown}", default=str(shown))


def level_label(game: str, player: str) -> str:
    """The name of a level with its number: ``Apprentice (3)``; for an even match ``Even match (3.4)``, without a number
    before the game has begun."""
    if player == EVEN:
        return t("level.even")
    number = min(number_of(player), len(opponents(game).levels) or number_of(player))
    return t("level.label", name=_short_level_label(game, player), number=f"{number:g}")


def _short_level_label(game: str, player: str) -> str:
    """The name of a level without its number: ``Apprentice``, ``Even match``."""
    return t("level.even") if player.startswith(EVEN) else level_name(game, int(number_of(player)))


def player_name(game: str, seats: tuple[Seat, Seat], side: int) -> str:
    """The name of the player of `side`. Without a name, the only person is “You”, and a computer has the label of its
    seat."""
    seat, other = seats[side], seats[1 - side]
    if seat.name:
        return seat.name
    if seat.player == PERSON and other.player != PERSON:
        return t("seat.you")
    return _short_level_label(game, seat.player) if is_level(seat.player) else seat_label(game, seat.player)


def failure_sentence(error: Exception, name: str, other: str = "error.player") -> str:
    """Why the player called `name` has failed: the problem of a `PlayerFailure`, for any other error the text with the
    key `other`."""
    if not isinstance(error, PlayerFailure):
        return t(other)
    detail = rule_name(error.detail) if error.problem == "rule" else error.detail
    return t(f"engine.{error.problem}", name=name, detail=detail)


def side_label(record: GameRecord, side: int) -> str:
    """The name in the record of the player of `side`; the name of the side if there is none."""
    return record.seats[side].name or side_name(record.setup.game, side)


def with_names(record: GameRecord) -> GameRecord:
    """Return a copy of `record` in which every computer has a name, in the window's language. It shares the tree with
    the record."""
    named = copy(record)
    seats = [
        seat if seat.player == PERSON else replace(seat, name=player_name(record.setup.game, record.seats, side))
        for side, seat in enumerate(record.seats)
    ]
    named.seats = seats[0], seats[1]
    return named


def opponent_label(game: str, opponent: str) -> str:
    """The name of an opponent by its token of `games.library.library.opponent_tokens`."""
    return opponent[1:] if opponent.startswith("=") else seat_label(game, opponent)


def turn_sentence(record: GameRecord, thinking: bool, waiting: bool, paused: bool = False) -> str:
    """Whose turn it is, or how the game ended; that it is `paused` or `waiting`, or that a computer is `thinking`."""
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
    """The sentence that says how the game of `record` ended by `outcome`."""
    return ending_sentence(record.setup.game, record.seats, outcome)


def ending_sentence(game: str, seats: tuple[Seat, Seat], outcome: Outcome) -> str:
    """How a game ended: ``You lost: five in a row``, ``Black wins: White resigned``, ``Draw: 24 : 24``. A reason that
    this version does not know is left out."""
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
    """The name of a palette colour for the result: ``good`` or ``bad`` for the only person, ``accent`` for a draw or
    without exactly one person."""
    person = only_person(record.seats)
    return "accent" if None in (outcome.winner, person) else "good" if outcome.winner == person else "bad"
