"""The players, by the names that files, seats and the command line use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ai.levels.levels import EVEN, LevelPlayer, is_level, number_of
from ai.levels.profile import even_levels
from ai.options import Value, read_options
from ai.player import Info, Limit, Player, Stop
from ai.registry import ENGINE, opponents
from ai.search.alphabeta import AlphaBeta
from ai.search.minimax import Minimax
from ai.search.random_player import RandomPlayer
from games.position import Position

PLAYERS: dict[str, Callable[[int | None], Player]] = {
    "engine": lambda _seed: Engine(partial(_gomoku_engine, {})),
    "alphabeta": lambda _seed: AlphaBeta(),
    "minimax": lambda _seed: Minimax(),
    "random": RandomPlayer,
}
"""Factories that take a seed; None is a different seed each time."""


def is_known(name: str) -> bool:
    """Return whether `name` is one of our players and not another program."""
    return name in PLAYERS or is_level(name)


class Engine:
    """The strongest player there is for each game. That of gomoku is made by `gomoku` when it is first needed."""

    def __init__(self, gomoku: Callable[[], Player]) -> None:
        self._make_gomoku = gomoku
        self._gomoku: Player | None = None
        self._others: dict[str, Player] = {}
        self._at_work: Player | None = None

    @property
    def nodes(self) -> int:
        return self._at_work.nodes if self._at_work else 0

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        name = opponents(position.game).strongest
        if name != ENGINE and name not in self._others:
            self._others[name] = PLAYERS[name](None)
        self._at_work = self.load() if name == ENGINE else self._others[name]
        yield from self._at_work.think(position, limit, stop)

    def load(self) -> Player:
        """Return the gomoku player, creating it if necessary. Raise what its creation raises."""
        self._gomoku = self._gomoku or self._make_gomoku()
        return self._gomoku


def _gomoku_engine(options: dict[str, Value]) -> Player:
    """Return a loaded gomoku engine, waiting for its compilation if necessary.

    `options` are as `read_options` returns them. Raise `ValueError` with a sentence if it cannot be created.
    """
    from ai.gomoku.engine import GomokuEngine  # late: compiles the kernels

    given: dict[str, Any] = {key: value for key, value in options.items() if key.islower()}
    parameters: dict[str, Any] = {key: value for key, value in options.items() if key.isupper()}
    try:
        return GomokuEngine(**given, parameters=parameters)
    except MemoryError as error:
        raise ValueError("There is not enough memory for the engine's table.") from error


def make_player(name: str, seed: int | None = None) -> Player:
    """Create a player by name: one of `PLAYERS`, ``level:3``, ``engine:threads=2`` or ``cmd:…``.

    The options after ``engine:`` are those of `ai.options`; ``cmd:`` starts a program that speaks the Gomocup protocol.
    Raise `ValueError` with a sentence for an unknown name, option or value.
    """
    kind, colon, rest = name.partition(":")
    if kind == "cmd" and rest.strip():
        from ai.pbrain.external import PbrainPlayer

        return PbrainPlayer(rest.strip())
    if kind == "engine" and colon:
        return Engine(partial(_gomoku_engine, read_options(rest)))
    if kind == "level":
        return LevelPlayer(even_levels() if name == EVEN else number_of(name), seed)
    if name not in PLAYERS:
        raise ValueError(f"There is no player “{name}”; there are {', '.join(PLAYERS)}, “level:1” and “cmd:…”.")
    return PLAYERS[name](seed)
