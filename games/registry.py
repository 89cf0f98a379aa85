"""The registry of games. A new game is one module of rules and one entry in `GAMES`."""

from __future__ import annotations

from dataclasses import dataclass

from games import bones, connect4, line
from games.game import Game
from games.position import Position, Stones

GAMES: dict[str, Game] = {game.key: game for game in (line.GOMOKU, line.TICTACTOE, bones.BONES, connect4.CONNECT4)}


@dataclass(frozen=True, slots=True)
class Setup:
    """The game, its size and its rule. Create one with `setup`, which validates it."""

    game: str
    size: int
    rule: str

    @property
    def board(self) -> tuple[int, int]:
        """Width and height in cells; (0, 0) for a game without cells."""
        board = GAMES[self.game].board
        return (0, 0) if board is None else board(self.size)

    def start(self, stones: Stones | None = None) -> Position:
        """Return the first position, or the one set up with `stones`. Raise `ValueError` with a sentence for invalid
        stones."""
        game = GAMES[self.game]
        start = game.start(self.size, self.rule)
        if stones is None:
            return start
        if game.arrange is None:
            raise ValueError(f"Positions of {self.game} cannot be set up.")
        return game.arrange(start, stones)


def setup(game: str, size: int | None = None, rule: str | None = None) -> Setup:
    """Return a valid `Setup`; None means the game's default. Raise `ValueError` with a sentence."""
    if game not in GAMES:
        raise ValueError(f"There is no game “{game}”; there are {', '.join(GAMES)}.")
    entry = GAMES[game]
    size = entry.size if size is None else size
    rule = entry.rules[0] if rule is None else rule
    if size not in entry.sizes:
        raise ValueError(f"The size of {game} is {_sizes(entry)}, not {size}.")
    if rule not in entry.rules:
        raise ValueError(f"There is no rule “{rule}” for {game}; there is {', '.join(entry.rules)}.")
    return Setup(game, size, rule)


def _sizes(game: Game) -> str:
    """Return the sizes of a game in words, such as ``5 to 20``."""
    least, most = game.sizes[0], game.sizes[-1]
    return str(least) if least == most else f"{least} to {most}"
