"""The players there are, by the names that files, seats and the command line use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ai.levels.levels import EVEN, LevelPlayer, is_level, number_of
from ai.options import Value, read_options
from ai.player import Info, Limit, Player, Stop
from ai.search.alphabeta import AlphaBeta
from ai.search.minimax import Minimax
from ai.search.random_player import RandomPlayer
from games.line import LinePosition
from games.position import Position

PLAYERS: dict[str, Callable[[int | None], Player]] = {
    "engine": lambda _seed: Engine(partial(_gomoku_engine, {})),
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
    """The strongest player there is for each game: for five in a row the one that `gomoku` makes, when it is first
    needed, and alpha-beta for all else."""

    def __init__(self, gomoku: Callable[[], Player]) -> None:
        self._make_gomoku = gomoku
        self._general: Player = AlphaBeta()
        self._gomoku: Player | None = None
        self._at_work: Player = self._general

    @property
    def nodes(self) -> int:
        return self._at_work.nodes

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        for_gomoku = isinstance(position, LinePosition) and position.rules.length == ROW
        self._at_work = self.load() if for_gomoku else self._general
        yield from self._at_work.think(position, limit, stop)

    def load(self) -> Player:
        """The player of gomoku. Raises what making it raises."""
        self._gomoku = self._gomoku or self._make_gomoku()
        return self._gomoku


def _gomoku_engine(options: dict[str, Value]) -> Player:
    """The gomoku engine, loaded, which may have to wait for its compilation. `options` in capitals are knobs of its
    kernels (``NULL_BASE``). Raises `ValueError` with a sentence if it does not have the options."""
    from ai.gomoku.engine import GomokuEngine  # late: this compiles the kernels
    from ai.gomoku.kernels import knobs as numbers

    make: Callable[..., Player] = GomokuEngine
    given: dict[str, object] = {key: value for key, value in options.items() if not key.isupper()}
    try:
        knobs = {getattr(numbers, key): value for key, value in options.items() if key.isupper()}
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
        return Engine(partial(_gomoku_engine, read_options(rest)))
    if kind == "level":
        return LevelPlayer(None if name == EVEN else number_of(name), seed)
    if name not in PLAYERS:
        raise ValueError(f"There is no player “{name}”; there are {', '.join(PLAYERS)}, “level:1” and “cmd:…”.")
    return PLAYERS[name](seed)
