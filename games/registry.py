"""The games there are. A new game is one module of rules and one line in `GAMES`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.bones import LARGEST_HEAP, BonesPosition
from games.line import LinePosition
from games.position import Position


@dataclass(frozen=True)
class Game:
    """A game and the choices it offers: `sizes` (board side, or bones in the heap) and `rules`.

    The first rule is the default; `start(size, rule)` makes the first position. `sides` are the names
    of the two sides in data, the one that begins first.
    """

    key: str
    sizes: range
    size: int
    rules: tuple[str, ...]
    sides: tuple[str, str]
    start: Callable[[int, str], Position]


GAMES: dict[str, Game] = {
    game.key: game
    for game in (
        Game(
            "gomoku",
            range(5, 21),
            15,
            ("freestyle", "standard", "renju"),
            ("black", "white"),
            lambda size, rule: LinePosition.empty(size, size, 5, rule),
        ),
        Game("tictactoe", range(3, 4), 3, ("standard",), ("x", "o"), lambda _size, _rule: LinePosition.empty(3, 3, 3)),
        Game(
            "bones",
            range(1, LARGEST_HEAP + 1),
            21,
            ("standard",),
            ("first", "second"),
            lambda size, _rule: BonesPosition(size),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Setup:
    """Which game is played, how large and by which rule. Make one with `setup`, which checks it."""

    game: str
    size: int
    rule: str

    def start(self) -> Position:
        return GAMES[self.game].start(self.size, self.rule)


def setup(game: str, size: int | None = None, rule: str | None = None) -> Setup:
    """A checked `Setup`; None means the game's default. Raises `ValueError` with a sentence."""
    if game not in GAMES:
        raise ValueError(f"There is no game “{game}”; there are {', '.join(GAMES)}.")
    known = GAMES[game]
    size = known.size if size is None else size
    rule = known.rules[0] if rule is None else rule
    if size not in known.sizes:
        raise ValueError(f"The size of {game} is {known.sizes[0]} to {known.sizes[-1]}, not {size}.")
    if rule not in known.rules:
        raise ValueError(f"There is no rule “{rule}” for {game}; there is {', '.join(known.rules)}.")
    return Setup(game, size, rule)
