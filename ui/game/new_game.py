"""Choices for a new game: whom to play, and on which side. No pixels; `ui.screens.setup` shows them."""

from __future__ import annotations

from dataclasses import replace

from ai.players import is_timed, kind_of, offered
from ai.profile import resolve_level
from games.record import PERSON, Seat
from ui.system.settings import NewGame

THINKING_TIMES = (0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0)
"""Seconds a move to choose from."""


def seats_of(game: str) -> dict[str, str]:
    """The players that can be chosen for `game`, the person first: each kind with its first player."""
    return {kind_of(name): name for name in (PERSON, *offered(game))}


def own_side(new: NewGame) -> int:
    """The side of the person; the first if nobody or everybody is one."""
    return new.players.index(PERSON) if PERSON in new.players else 0


def against(new: NewGame, game: str, kind: str) -> NewGame:
    """`new` with the first opponent of that kind. A person makes it a game of two people."""
    if kind == PERSON:
        return replace(new, players=(PERSON, PERSON))
    return with_player(new, 1 - own_side(new), seats_of(game)[kind])


def with_player(new: NewGame, side: int, player: str) -> NewGame:
    first, second = new.players
    return replace(new, players=(first, player) if side else (player, second))


def watched(new: NewGame) -> NewGame:
    """`new` with the opponent on both sides."""
    own = own_side(new)
    return with_player(new, own, new.players[1 - own])


def swapped(new: NewGame) -> NewGame:
    return replace(new, players=new.players[::-1], seconds=new.seconds[::-1])


def stepped_time(new: NewGame, side: int, step: int) -> NewGame:
    """`new` with the next longer or shorter thinking time for `side`."""
    seconds = list(new.seconds)
    nearest = min(range(len(THINKING_TIMES)), key=lambda index: abs(THINKING_TIMES[index] - seconds[side]))
    seconds[side] = THINKING_TIMES[max(0, min(len(THINKING_TIMES) - 1, nearest + step))]
    return replace(new, seconds=(seconds[0], seconds[1]))


def seat(new: NewGame, game: str, side: int, name: str) -> Seat:
    """The player of `side`. Only a single person is called `name`; the engine divides the time of a clock itself."""
    player = resolve_level(new.players[side], game)
    alone = player == PERSON and new.players.count(PERSON) == 1
    timed = player != PERSON and is_timed(player) and not new.clock
    return Seat(player, name if alone else "", new.seconds[side] if timed else None)
