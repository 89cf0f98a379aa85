"""The kinds of players: one entry each, which answers all that seats, set-up, matches, files and commands ask.

A player is named ``kind`` or ``kind:options``: ``engine``, ``engine:threads=2``, ``level:3``, ``cmd:PROGRAM``. Most
players' modules are imported only when one is made, so that the window opens soon; importing that of the gomoku engine
waits for its compilation. `Options` below are what the `read` of a kind returns for its text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from ai.core.elo import Estimate
from ai.core.player import Known, Player, Value, decimal, no_options, one_of, read_options, whole
from ai.gomoku.handle import CompiledPlayer, EngineHandle
from ai.gomoku.kernels.parameters import PARAMETERS
from ai.players.levels import (
    LevelPlayer,
    elo_by_matches,
    level_elo,
    level_elos,
    level_uses_engine,
    number_of,
    read_level,
    refuse_level,
)
from ai.players.opponents import opponents
from ai.search.alphabeta import AlphaBeta, Parts
from ai.search.splitting import BROTHERS, SPLITS, WORKERS, usual_workers
from ai.search.workers import MoveSearch, TreeMoves
from ai.system.threads import processors
from games.fields import name_of


@dataclass(frozen=True, slots=True)
class Context:
    """What a player is made for: the `game`, and the threads and memory that it gets unless its name says otherwise.

    With an `engine` handle the player never waits for a compilation; without one it does. `seed` makes its random
    choices repeatable; None is a different seed each time. `book` lets it play from an opening book.
    """

    game: str
    threads: int = 1
    memory_mb: int = 64
    book: bool = False
    engine: EngineHandle | None = None
    seed: int | None = None


Options = Any
"""What the `read` of a kind returns; its other functions take it."""


@dataclass(frozen=True, kw_only=True)
class PlayerKind:
    """A kind of player. The default values are those of a search for any game, in plain Python and without options."""

    make: Callable[[Options, Context], Player]
    """Create a player. Raise `ValueError` with a sentence if that is impossible."""
    read: Callable[[str], Options] = no_options
    """Read the options, empty for none. Raise `ValueError` with a sentence."""
    refuse: Callable[[Options, str], str] = lambda _options, _game: ""
    """Return why it does not play a game, in a sentence; empty if it does."""
    needs_engine: Callable[[Options, str], bool] = lambda _options, _game: False
    """Whether it uses compiled kernels at a game, which may have to be compiled first."""
    elo: Callable[[Options, str], Estimate | None] = lambda _options, _game: None
    """Return its Elo at a game; None if results against it cannot be rated."""
    offer: Callable[[str], tuple[str, ...]] = lambda _game: ()
    """Return the names with which set-up offers it at a game; none if it does not."""
    threads: Callable[[Options, int], int] = lambda _options, _context: 1
    """How many threads it searches with, given those of the context."""
    plain: Callable[[Options], bool] = lambda options: not options
    """Whether it finds what the player without options finds."""
    seeded: bool = False
    """Whether it draws random numbers. A match uses other players for more than one game."""
    walkable: Callable[[Options, str], bool] = lambda _options, _game: False
    """Whether it is `Walkable` at a game."""
    keeps_depths: Callable[[Options, str], bool] = lambda _options, _game: False
    """Whether it tells what it does at each depth (`Info.depths`) at a game."""
    crewed: bool = False
    """Whether its search is shared out to workers of this machine, and it tells what they do (`Crewed`)."""
    traced: bool = False
    """Whether it can write down its search (`ai.search.trace.Traceable`)."""
    timed: bool = True
    """Whether it uses the time it is given."""
    ends: Callable[[Options], bool] = lambda _options: False
    """Whether its search comes to an end by itself and has no good answer before: it needs no time limit."""
    learns: Callable[[Options], bool] = lambda _options: False
    """Whether it plays by what the person's games tell."""
    share: Callable[[Options, Context], MoveSearch] | None = None
    """How a worker of a cluster searches single moves for it, if its search can be shared out; raises as `make`."""
    harmless: Callable[[Options], bool] = lambda _options: True
    """Whether a file may name it: nothing in its name is a command, reads a file or takes much memory."""
    unable: Callable[[Options, str], str] = lambda _options, _rule: ""
    """Return why it cannot play by a rule on this machine, though it plays the game, in a sentence; empty if it can.
    The rule is empty where any will do."""
    label: Callable[[Options], str] = lambda _options: ""
    """Return what a person calls it in any language; empty for a kind that locales name."""
    icon: Callable[[Options], str] = lambda _options: "computer"
    """Return the name of its icon."""
    program: bool = False
    """Whether it is another program, with scores in a unit of its own."""


_ENGINE, _SOLVER = "engine", "solver"
_ENGINE_OPTIONS: Known = {
    "threads": whole(range(1, processors() + 1)),
    "memory_mb": whole(range(1, (1 << 14) + 1)),
    "weights": str,
    "root_vcf": whole(range(2)),
    "book": whole(range(2)),
    **dict.fromkeys(PARAMETERS, whole(range(-(1 << 31), 1 << 31))),
}


_ALPHABETA, _MINIMAX, _PARALLEL = "alphabeta", "minimax", "parallel"
_ALPHABETA_OPTIONS = {part.name: whole(range(2)) for part in fields(Parts)}

_PARALLEL_OPTIONS = {
    "workers": whole(WORKERS),
    "split": one_of(*SPLITS),
    "grain": whole(range(1, 100)),
    "simulated": whole(range(2)),
    **{name: read for name, read in _ALPHABETA_OPTIONS.items() if name not in ("extension", "pvs", "quiescence")},
}

def _alphabeta_parts(options: Mapping[str, Value]) -> Parts:
    """Return which parts of alpha-beta are on: the defaults, changed by `options`."""
    return Parts(**{name: bool(value) for name, value in options.items()})


_MCTS, _NETWORK = "mcts", "network"
_MCTS_OPTIONS = {
    "c": decimal(0.0, 10.0),
    "nodes": whole(range(1000, 2_000_001)),
    "playouts": whole(range(1, 101)),
}
_NO_NETWORK = "No network has been trained for this game."


def _engine_arguments(options: Mapping[str, Value], context: Context) -> dict[str, Any]:
    """Return the arguments for `GomokuEngine`: the context's, changed by the options of the name."""
    arguments: dict[str, Any] = {"threads": context.threads, "memory_mb": context.memory_mb, "book": context.book}
    arguments |= {key: value for key, value in options.items() if key not in PARAMETERS}
    return arguments | {"parameters": {key: value for key, value in options.items() if key in PARAMETERS}}


def _make_engine(options: Mapping[str, Value], context: Context) -> Player:
    """Make the gomoku engine, by the context's handle if it has one. Raise `ValueError` if memory does not suffice."""
    arguments = _engine_arguments(options, context)
    if context.engine is not None:
        return context.engine.player(**arguments)
    from ai.gomoku.engine import GomokuEngine

    try:
        return GomokuEngine(**arguments)
    except MemoryError as error:
        raise ValueError("There is not enough memory for the engine's table.") from error


def _share_engine(options: Mapping[str, Value], context: Context) -> MoveSearch:
    """Make the gomoku engine's search of single moves, for a worker of a cluster."""
    from ai.gomoku.moves import GomokuMoves

    return GomokuMoves(**_engine_arguments(options, context))


def _make_solver(context: Context) -> Player:
    """Make the exact solver, which waits for its compilation unless the context has an engine handle."""

    def solver() -> Player:
        """Make the solver itself."""
        from ai.solvers.connect4 import Connect4Solver

        return Connect4Solver(context.memory_mb)

    return solver() if context.engine is None else CompiledPlayer(context.engine, solver)


def _make_mcts(options: Mapping[str, Value], context: Context) -> Player:
    """Make a Monte Carlo player, guided by the network or by playouts, as its options say.

    Otherwise the oracle of the game guides it, or, if there is none, static evaluation. Raise `ValueError` if the game
    has no network but one is asked for.
    """
    from ai.search.mcts import Mcts
    from ai.search.mcts_tree import uct
    from ai.search.oracles import PlayoutOracle, StaticOracle

    arguments: dict[str, Any] = {key: options[key] for key in ("c", "nodes") if key in options}
    entry = opponents(context.game)
    if "playouts" in options and _NETWORK not in options:
        return Mcts(PlayoutOracle(int(options["playouts"]), context.seed), uct, **arguments)
    oracle = entry.network if _NETWORK in options else entry.oracle or StaticOracle
    if oracle is None:
        raise ValueError(_NO_NETWORK)
    if context.engine is None or not _uses_compiled_oracle(options, context.game):
        return Mcts(oracle(), **arguments)
    return CompiledPlayer(context.engine, lambda: Mcts(oracle(), **arguments))


def _make_minimax(options: Mapping[str, Value], _context: Context) -> Player:
    """Make minimax, or expectimax if the options say with which probability the opponent errs."""
    from ai.search.minimax import Expectimax, Minimax

    distance = bool(options.get("distance", True))
    return Expectimax(float(options["expect"]), distance) if "expect" in options else Minimax(distance)


def _make_parallel(options: Mapping[str, Value], _context: Context) -> Player:
    """Make alpha-beta that is shared out to workers of this machine."""
    from ai.search.parallel import Parallel, Way

    workers, split = _worker_count(options), str(options.get("split", BROTHERS))
    parts = {name: bool(value) for name, value in options.items() if name in _ALPHABETA_OPTIONS}
    grain = int(options["grain"]) if "grain" in options else None
    return Parallel(Way(workers, split, grain, bool(options.get("simulated"))), Parts(**parts, extension=False))


def _worker_count(options: Mapping[str, Value]) -> int:
    """Return the number of workers in `options`, by default `usual_workers`."""
    return int(options.get("workers", usual_workers()))


def _read_mcts(text: str) -> dict[str, Value]:
    """Parse the options of the Monte Carlo player; ``network``, which has no value, comes first."""
    first, comma, rest = text.partition(",")
    if first.strip() != _NETWORK:
        return read_options(_MCTS, _MCTS_OPTIONS, text)
    if comma and not rest:
        raise ValueError(f"An option is missing after “{text}”.")
    return {_NETWORK: 1, **read_options(_MCTS, _MCTS_OPTIONS, rest)}


def _uses_compiled_oracle(options: Mapping[str, Value], game: str) -> bool:
    """Return whether compiled kernels guide the search."""
    return (_NETWORK in options or "playouts" not in options) and opponents(game).oracle is not None


_TRICKSTER = "trickster"


def _read_victim(text: str) -> int | None:
    """Return the number of the level whose errors Trickster expects; None, for empty text, means the person's.

    Raise `ValueError` with a sentence for any other text.
    """
    if text and not text.isdecimal():
        raise ValueError(f"“{_TRICKSTER}:{text}” is not “{_TRICKSTER}”, or “{_TRICKSTER}:3” against level 3.")
    return int(number_of(f"level:{text}")) if text else None


def _make_trickster(level: int | None, context: Context) -> Player:
    """Make the player that counts on the errors of the level, or of the person if `level` is None."""
    from ai.players.opponent import model as store
    from ai.players.opponent.trickster import Trickster

    entry = opponents(context.game)
    model = partial(store.of_level, number=level) if level else store.of_person
    return Trickster(make(entry.strongest, context), partial(model, context.game), entry.solvable)


def _if_strongest(name: str) -> Callable[[str], tuple[str, ...]]:
    """Return an `offer` of the player called `name`, for games where it is the strongest one."""
    return lambda game: (name,) if opponents(game).strongest == name else ()


def _offer_mcts(game: str) -> tuple[str, ...]:
    """Return the Monte Carlo players that set-up offers: none in a solvable game; with a network also that one."""
    entry = opponents(game)
    return () if entry.solvable else (_MCTS, f"{_MCTS}:{_NETWORK}") if entry.network else (_MCTS,)


def _read_program(text: str) -> str:
    """Return the command line after ``cmd:``, stripped. Raise `ValueError` with a sentence if it is empty."""
    if not text.strip():
        raise ValueError("A command is missing, as in “cmd:PROGRAM”.")
    return text.strip()


def _make_program(command: str, _context: Context) -> Player:
    """Make the player that runs the program of a command line."""
    from ai.pbrain.external import PbrainPlayer

    return PbrainPlayer(command)


def _refuse_program(command: str, game: str) -> str:
    """Return a sentence that tells why external programs do not play `game`; empty if they do."""
    from ai.pbrain.external import refuse_program

    return refuse_program(command, game)


def _read_engine(text: str) -> str:
    """Return the name of an engine of the settings. Raise `ValueError` with a sentence if the text is empty."""
    if not text.strip():
        raise ValueError("The name of an engine is missing, as in “external:NAME”.")
    return text.strip()


def _make_external(name: str, _context: Context) -> Player:
    """Make the player of an engine of the settings."""
    from ai.pbrain import engines

    return engines.player(name)


def _offer_external(game: str) -> tuple[str, ...]:
    """Return ``external:NAME`` for each engine of the settings; none for a game that they do not play."""
    from ai.pbrain.engines import configured

    found = configured()
    return tuple(f"external:{engine.name}" for engine in found) if found and not _refuse_program("", game) else ()


def _unable_external(name: str, rule: str) -> str:
    """Return a sentence that tells why an engine of the settings cannot play by `rule`; empty if it can."""
    from ai.pbrain.engines import find

    engine = find(name)
    if engine is None:
        return f"There is no engine “{name}” in the settings."
    return f"“{name}” does not play by the rule {rule}." if rule and rule not in engine.rules else ""


def _external_icon(name: str) -> str:
    """Return the icon of an engine of the settings, a default one if there is no such engine."""
    from ai.pbrain.engines import ICONS, find

    engine = find(name)
    return ICONS[0] if engine is None else engine.icon


def _external_threads(name: str, _context: int) -> int:
    """Return the threads of an engine of the settings; 1 if there is no such engine."""
    from ai.pbrain.engines import find

    engine = find(name)
    return 1 if engine is None else engine.threads


def _make_random(_options: None, context: Context) -> Player:
    """Make the player of random moves."""
    from ai.search.minimax import RandomPlayer

    return RandomPlayer(context.seed)


KINDS: dict[str, PlayerKind] = {
    "level": PlayerKind(
        read=read_level,
        make=lambda number, context: LevelPlayer(number, context.seed, context.engine),
        refuse=refuse_level,
        needs_engine=level_uses_engine,
        keeps_depths=level_uses_engine,
        elo=lambda number, game: level_elo(game, number) if number and level_elos(game) else None,
        offer=lambda game: (f"level:{opponents(game).friendly}",) if level_elos(game) else (),
        seeded=True,
        timed=False,
    ),
    _ENGINE: PlayerKind(
        read=partial(read_options, _ENGINE, _ENGINE_OPTIONS),
        make=_make_engine,
        needs_engine=lambda _options, _game: True,
        offer=_if_strongest(_ENGINE),
        walkable=lambda _options, _game: True,
        keeps_depths=lambda _options, _game: True,
        traced=True,
        threads=lambda options, context: options.get("threads", context),
        plain=lambda options: options.keys() <= {"threads", "memory_mb", "book"},
        share=_share_engine,
        harmless=lambda options: options.keys() <= {"threads", "book"},
    ),
    _SOLVER: PlayerKind(
        make=lambda _options, context: _make_solver(context),
        refuse=lambda _options, game: (
            "" if opponents(game).strongest == _SOLVER else f"The solver does not play {game}."
        ),
        needs_engine=lambda _options, _game: True,
        offer=_if_strongest(_SOLVER),
    ),
    _ALPHABETA: PlayerKind(
        read=partial(read_options, _ALPHABETA, _ALPHABETA_OPTIONS),
        make=lambda options, _context: AlphaBeta(_alphabeta_parts(options)),
        ends=lambda options: not _alphabeta_parts(options).deepening,
        offer=_if_strongest(_ALPHABETA),
        traced=True,
        share=lambda options, _context: TreeMoves(_alphabeta_parts(options)),
    ),
    _MINIMAX: PlayerKind(
        read=partial(read_options, _MINIMAX, {"distance": whole(range(2)), "expect": decimal(0.0, 1.0)}),
        make=_make_minimax,
        ends=lambda _options: True,
        traced=True,
    ),
    _PARALLEL: PlayerKind(
        read=partial(read_options, _PARALLEL, _PARALLEL_OPTIONS),
        make=_make_parallel,
        offer=lambda game: () if opponents(game).strongest == _ENGINE else (_PARALLEL,),
        threads=lambda options, _context: _worker_count(options),
        crewed=True,
        traced=True,
    ),
    _MCTS: PlayerKind(
        read=_read_mcts,
        make=_make_mcts,
        refuse=lambda options, game: _NO_NETWORK if _NETWORK in options and opponents(game).network is None else "",
        needs_engine=_uses_compiled_oracle,
        offer=_offer_mcts,
        seeded=True,
        traced=True,
    ),
    _TRICKSTER: PlayerKind(
        read=_read_victim,
        make=_make_trickster,
        refuse=lambda level, game: refuse_level(level, game) if level else "",
        needs_engine=lambda _level, game: needs_engine(strongest(game), game),
        keeps_depths=lambda _level, game: keeps_depths(strongest(game), game),
        threads=lambda _level, context: context,
        offer=lambda game: (_TRICKSTER,) if level_elos(game) else (),
        learns=lambda level: level is None,
    ),
    "random": PlayerKind(make=_make_random, seeded=True),
    "cmd": PlayerKind(
        read=_read_program,
        make=_make_program,
        refuse=_refuse_program,
        harmless=lambda _command: False,
        program=True,
    ),
    "external": PlayerKind(
        read=_read_engine,
        make=_make_external,
        refuse=_refuse_program,
        offer=_offer_external,
        threads=_external_threads,
        label=name_of,
        icon=_external_icon,
        unable=_unable_external,
        program=True,
    ),
}
"""By the first word of their names, in the order in which set-up offers them."""


def kinds_text(chosen: Callable[[PlayerKind], object], last: str = "and") -> str:
    """Return the keys of the kinds for which `chosen` is true, as part of a sentence: ``engine and alphabeta``.

    `last` is the word before the last one.
    """
    *keys, end = (key for key, kind in KINDS.items() if chosen(kind))
    return f"{', '.join(keys)} {last} {end}"


def kind_of(name: str) -> str:
    """Return the kind in a player's name, ``level`` for ``level:3``; it need not exist."""
    return name.partition(":")[0]


def _parse_name(name: str) -> tuple[PlayerKind, Options]:
    """Return the kind in a player's name, and its options. Raise `ValueError` with a sentence."""
    key, _, text = name.partition(":")
    if key not in KINDS:
        raise ValueError(f"There is no player “{name}”; there are {', '.join(KINDS)}, some with options as in level:3.")
    return KINDS[key], KINDS[key].read(text)


def _parse_player(name: str, game: str) -> tuple[PlayerKind, Options]:
    """Return the kind that really plays `game`, and its options. ``engine`` means the game's strongest player.

    Raise `ValueError` with a sentence.
    """
    kind, options = _parse_name(name)
    return _parse_name(strongest(game)) if kind is KINDS[_ENGINE] and strongest(game) != _ENGINE else (kind, options)


def make(name: str, context: Context) -> Player:
    """Make the player called `name`. Raise `ValueError` with a sentence for an unknown name, option or value."""
    kind, options = _parse_player(name, context.game)
    return kind.make(options, context)


def ends(name: str, game: str) -> bool:
    """Return whether the player's search ends by itself and so needs no limit. Raise `ValueError` if it is unknown."""
    kind, options = _parse_player(name, game)
    return kind.ends(options)


def share(name: str, context: Context) -> MoveSearch:
    """Make the search of single moves by which workers of a cluster search for the player. Raise `ValueError`."""
    check_shareable(name, context.game)
    kind, options = _parse_player(name, context.game)
    assert kind.share is not None
    return kind.share(options, context)


def shareable(name: str, game: str) -> bool:
    """Return whether the player can share out its search to a cluster. Raise `ValueError` if it is unknown."""
    return _parse_player(name, game)[0].share is not None


def check_shareable(name: str, game: str) -> None:
    """Raise `ValueError` with a sentence if the player cannot share out its search to a cluster."""
    if not shareable(name, game):
        raise ValueError(f"“{name}” cannot share out its search; {kinds_text(lambda kind: kind.share)} can.")


def check(name: str, game: str) -> None:
    """Raise `ValueError` with a sentence if this machine has no such player or if it does not play `game`."""
    kind, options = _parse_name(name)
    if reason := kind.refuse(options, game) or kind.unable(options, ""):
        raise ValueError(reason)


def unable(name: str, rule: str) -> str:
    """Return a sentence that tells why a player of the game cannot play by `rule` on this machine; empty if it can.

    Raise `ValueError` for an unknown player.
    """
    kind, options = _parse_name(name)
    return kind.unable(options, rule)


def label(name: str) -> str:
    """Return the name that a person gave to the player; empty if its name stands in the locales, or it is unknown."""
    try:
        kind, options = _parse_name(name)
    except ValueError:
        return ""
    return kind.label(options)


def player_icon(name: str) -> str:
    """Return the name of the player's icon, a default one if it is unknown."""
    try:
        kind, options = _parse_name(name)
    except ValueError:
        return "computer"
    return kind.icon(options)


def is_program(name: str) -> bool:
    """Return whether the player is another program, whose scores are in a unit of its own."""
    return kind_of(name) in KINDS and KINDS[kind_of(name)].program


def strongest(game: str) -> str:
    """Return the name of the strongest player of `game`."""
    return opponents(game).strongest


def is_strongest(name: str, game: str) -> bool:
    """Return whether the player finds the same as the strongest one of `game`. Raise `ValueError` if it is unknown."""
    kind, options = _parse_player(name, game)
    return kind is _parse_name(strongest(game))[0] and kind.plain(options)


def for_seat(name: str, game: str) -> str:
    """Return the player for a seat that a file names: `name`, or the strongest one instead.

    It is replaced if it does not exist, does not play `game`, or is not harmless, as a command line is.
    """
    try:
        kind, options = _parse_name(name)
    except ValueError:
        return strongest(game)
    return name if kind.harmless(options) and not kind.refuse(options, game) else strongest(game)


def offered_players(game: str) -> tuple[str, ...]:
    """Return the names of the players that set-up offers for `game`."""
    return tuple(name for kind in KINDS.values() for name in kind.offer(game))


def needs_engine(name: str, game: str) -> bool:
    """Return whether the player uses compiled kernels in `game`. Raise `ValueError` if it is unknown."""
    kind, options = _parse_player(name, game)
    return kind.needs_engine(options, game)


def walkable(name: str, game: str) -> bool:
    """Return whether the player's search tree can be read from its table in `game`. Raise `ValueError` for an unknown
    player."""
    kind, options = _parse_player(name, game)
    return kind.walkable(options, game)


def keeps_depths(name: str, game: str) -> bool:
    """Return whether the player's Infos have statistics of each depth in `game`. Raise `ValueError` for an unknown
    player."""
    kind, options = _parse_player(name, game)
    return kind.keeps_depths(options, game)


def is_crewed(name: str, game: str) -> bool:
    """Return whether the player reports what its workers do in `game`. Raise `ValueError` if it is unknown."""
    return _parse_player(name, game)[0].crewed


def threads(name: str, game: str, context: int = 1) -> int:
    """Return how many threads the player uses in `game`; `context` is that of its `Context`.

    Raise `ValueError` if it is unknown.
    """
    kind, options = _parse_player(name, game)
    return kind.threads(options, context)


def elo(name: str, game: str) -> Estimate | None:
    """Return the player's Elo in `game`, by which results against it are rated; None if it has none or is unknown."""
    try:
        kind, options = _parse_name(name)
    except ValueError:
        return None
    return kind.elo(options, game)


def measured_elo(name: str, game: str) -> Estimate | None:
    """Return the player's Elo in `game`, if it uses time at a second for each move; None if it was not measured."""
    return elo(name, game) or elo_by_matches(game, name)


def is_seeded(name: str) -> bool:
    """Return whether the player draws random numbers, so that each game of a match needs a new one."""
    return kind_of(name) in KINDS and KINDS[kind_of(name)].seeded


def is_timed(name: str) -> bool:
    """Return whether the player uses the time that it is given."""
    return kind_of(name) not in KINDS or KINDS[kind_of(name)].timed


def learns(name: str) -> bool:
    """Return whether the player's moves depend on the person's games. Raise `ValueError` if it is unknown."""
    kind, options = _parse_name(name)
    return kind.learns(options)
