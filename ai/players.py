"""The players there are, by the names that files, seats and the command line use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ai.alphabeta import AlphaBeta
from ai.levels import EVEN, LevelPlayer, is_level, number_of
from ai.minimax import Minimax
from ai.options import Value, read_options
from ai.player import Info, Limit, Player, Stop
from ai.random_player import RandomPlayer
from games.line import LinePosition
from games.position import Position

if TYPE_CHECKING:
    from ai.pbrain.brain import Brain

PLAYERS: dict[str, Callable[[int | None], Player]] = {
    "engine": lambda _seed: Engine(),
    "alphabeta": lambda _seed: AlphaBeta(),
    "minimax": lambda _seed: Minimax(),
    "random": RandomPlayer,
}
"""Makes a player from a seed; None is a seed of its own each time."""


def is_known(name: str) -> bool:
    """Whether `name` is that of a player of ours, and not of another program."""
    return name in PLAYERS or is_level(name)



def default_player(game: str) -> str:
    """The name of the computer player that a game is offered first."""
    return "engine" if game == "gomoku" else "alphabeta"


ROW = 5
"""The row that the gomoku engine plays for; of every other game it knows nothing."""


class Engine:
    """The strongest player there is for each game: the gomoku engine, and alpha-beta for all else.

    `options` are for the gomoku engine; those in capitals are knobs of its kernels (``NULL_BASE``). It is loaded
    by the first search that needs it, which may have to wait for its compilation; with `stand_in`, alpha-beta
    answers in the meantime.
    """

    def __init__(self, stand_in: bool = False, **options: Value) -> None:
        self._options = options
        self._stand_in = stand_in
        self._brain: Brain | None = None
        self._general: Player = AlphaBeta()
        self._gomoku: Player | None = None
        self._at_work: Player = self._general

    @property
    def nodes(self) -> int:
        return self._at_work.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        for_gomoku = isinstance(position, LinePosition) and position.rules.length == ROW
        if not for_gomoku:
            self._at_work = self._general
        elif self._stand_in and isinstance(position, LinePosition):
            self._at_work = self._prepared(position)
        else:
            self._at_work = self.load()
        yield from self._at_work.think(position, limit, stop)

    def _prepared(self, position: LinePosition) -> Brain:
        from ai.pbrain.brain import Brain, Kind, gomoku_engine

        self._brain = self._brain or Brain(partial(gomoku_engine, bool(self._options.get("book"))))
        threads, memory_mb = int(self._options.get("threads", 1)), int(self._options.get("memory_mb", 64))
        self._brain.prepare(Kind(position.rules.width, position.rules.rule, threads, memory_mb))
        return self._brain

    def load(self) -> Player:
        """The gomoku engine. Raises `ValueError` with a sentence if it does not have the options."""
        if self._gomoku is None:
            self._gomoku = _gomoku_engine(self._options)
        return self._gomoku


def _gomoku_engine(options: dict[str, Value]) -> Player:
    from ai.gomoku import kernels  # late: they compile themselves when they are imported
    from ai.gomoku.engine import GomokuEngine

    make: Callable[..., Player] = GomokuEngine
    given: dict[str, object] = {key: value for key, value in options.items() if not key.isupper()}
    try:
        knobs = {getattr(kernels, key): value for key, value in options.items() if key.isupper()}
        return make(**given, **({"knobs": knobs} if knobs else {}))
    except (TypeError, AttributeError) as error:
        raise ValueError(f"The engine has no such option: {error}.") from error
    except MemoryError as error:
        raise ValueError("There is not as much memory as the engine is to have.") from error


def make_player(name: str, seed: int | None = None) -> Player:
    """A new player: one of `PLAYERS`, ``level:3``, ``engine:threads=2,memory_mb=128`` with options of the gomoku
    engine, or ``cmd:…`` for another program that speaks the Gomocup protocol.

    Raises `ValueError` with a sentence for an unknown name or option, and for a value that an option cannot have.
    """
    kind, colon, rest = name.partition(":")
    if kind == "cmd" and rest.strip():
        from ai.pbrain.external import PbrainPlayer

        return PbrainPlayer(rest.strip())
    if kind == "engine" and colon:
        return Engine(False, **read_options(rest))
    if kind == "level":
        return LevelPlayer(None if name == EVEN else number_of(name), seed)
    if name not in PLAYERS:
        raise ValueError(f"There is no player “{name}”; there are {', '.join(PLAYERS)}, “level:1” and “cmd:…”.")
    return PLAYERS[name](seed)
