"""Load the gomoku engine in the background, and provide players that answer while it loads.

An `EngineHandle` has one state and one thread, which loads the engine and prepares its players. It alone knows whether
the engine is ready. Until a player has its engine, alpha-beta answers instead. Precompiled kernels load so fast that
all searches wait for them.
"""

from __future__ import annotations

import logging
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple, TextIO

from ai.core.player import Budget, Info, Limit, Player, Stop, answer
from ai.gomoku import compile_kernels
from ai.search.alphabeta import AlphaBeta
from ai.search.trace import TableTree, Walkable
from ai.system.compiler.backend import precompiled
from ai.system.compiler.compilation import Report
from ai.system.threads import frozen, resting
from games.line import LinePosition
from games.position import Position
from games.registry import setup

_SIZE = 15  # the usual board; tables of other sizes are built when a game begins
_LIBRARIES = ("*.so*", "*.dylib", "*.dll", "*.pyd")
_PIECE = 1 << 20  # bytes

_SOON = 2.5  # seconds within which an engine is ready unless it must be compiled
_WAIT_SHARE = 0.5  # share of the time for a move to wait for the engine
_STAND_IN_SHARE = 0.8  # share of the time for a search that competes with the loader for the GIL
_POLL = 0.005  # seconds

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EngineState:
    """The state of an `EngineHandle`. `compiled` is the share compiled, None if nothing is being compiled; `again`
    tells that damaged kernels are compiled a second time.

    `reason` is a sentence that says why loading failed.
    """

    name: Literal["idle", "loading", "ready", "failed"]
    compiled: float | None = None
    again: bool = False
    reason: str = ""


class EngineConfiguration(NamedTuple):
    """What an engine is made for: size and rule of a board, and the `arguments` of `GomokuEngine`."""

    size: int
    rule: str
    arguments: Mapping[str, Any] = {}


Make = Callable[[EngineConfiguration], Player]
Load = Callable[[Report], Make]
"""Load the engine, reporting its compilation, and return a factory of players."""


def load_kernels(report: Report) -> Make:
    """Load the gomoku engine without tables, as quickly as possible, and return what makes engines. The tables of a
    board and a rule are built with its first engine."""
    with frozen():
        compile_kernels.load(report)
        from ai.gomoku.engine import GomokuEngine
    return lambda kind: GomokuEngine(**kind.arguments)


def load_engine(report: Report) -> Make:
    """Load the gomoku engine and the tables of the 15×15 board for all rules, without blocking a window. Return what
    makes engines."""
    if not precompiled():
        _read_ahead("llvmlite", "numba")
    with frozen():
        make = load_kernels(report)
        from ai.gomoku.engine import RULES
        from ai.gomoku.tables import build

        for rule in RULES.values():
            build(rule, _SIZE)
    return make


class EngineHandle:
    """Loads the engine in the background, by `load`, and makes the engines of its players. Any thread may call its
    methods.

    It begins with `start`, or when a player is prepared. Its thread ends when nothing is left to do: a waiting one
    would keep the handle and the memory of its engines. It calls `rest`, which may block, before each module that it
    imports.
    """

    def __init__(
        self, load: Load = load_engine, rest: Callable[[], object] = lambda: None, at_once: bool | None = None
    ) -> None:
        """`at_once`: `load` takes a moment only, so that no stand-in is needed. By default as with `load_engine`."""
        self.state = EngineState("idle")
        self.at_once = load in (load_engine, load_kernels) and precompiled() if at_once is None else at_once
        self._rest = rest
        self._load = load
        self._make: Make | None = None
        self.changed = threading.Condition()
        """Notified whenever the state, or the engine of a player, changes."""
        self._unprepared: list[EnginePlayer] = []
        self._working = False
        self.loaded_at = 0.0
        """`time.monotonic()` when the engine was loaded."""

    @property
    def busy(self) -> bool:
        """Whether the engine is being loaded."""
        return self.state.name == "loading"

    @property
    def ready(self) -> bool:
        """Whether the engine is loaded. Engines of players may still be in the making."""
        return self.state.name == "ready"

    def start(self) -> None:
        """Load the engine in the background, unless that was begun before."""
        with self.changed:
            if self.state.name == "idle":
                self._start_thread()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until loading has ended, for at most `seconds`; None for as long as it takes. Return whether the engine
        is ready."""
        with self.changed:
            self.changed.wait_for(lambda: not self.busy, seconds)
        return self.ready

    def ready_at_once(self) -> bool:
        """Return whether the engine is ready. With precompiled kernels (`at_once`), load it and wait first."""
        if self.at_once and not self.ready:
            self.start()
            self.wait()
        return self.ready

    def player(self, **arguments: Any) -> EnginePlayer:
        """Return a player that never waits for a compilation. Its engine is created with the `arguments` of
        `GomokuEngine` when it is first needed."""
        return EnginePlayer(self, EngineConfiguration(_SIZE, "freestyle", arguments))

    def prepare(self, player: EnginePlayer) -> None:
        """Create the engine of `player` in the background, after loading if need be."""
        with self.changed:
            if player not in self._unprepared:
                self._unprepared.append(player)
            self._start_thread()

    def _start_thread(self) -> None:
        """Start the loading thread unless it is running."""
        if self._working:
            return
        self._working = True
        if self._make is None:
            self.state = EngineState("loading")
        # A daemon thread: a compilation cannot be interrupted, and the program must be able to exit.
        threading.Thread(target=self._run, name="tengen-loader", daemon=True).start()

    def _run(self) -> None:
        """Be the loading thread: load the engine once, then make the engines that are asked for. A failure becomes the
        state."""
        try:
            if self._make is None:
                with resting(self._rest):
                    self._make = self._load(self._report)
                self.loaded_at = time.monotonic()
            self._set_state(EngineState("ready"))
            while (player := self._next_unprepared()) is not None:
                player.make(self._make)
        except Exception as error:
            _log.exception("The gomoku engine cannot be loaded.")
            with self.changed:
                self._working = False
                self._unprepared.clear()
            self._set_state(EngineState("failed", reason=str(error) or type(error).__name__))

    def _next_unprepared(self) -> EnginePlayer | None:
        """Return the next player to prepare; None, after which the thread ends, if there is none."""
        with self.changed:
            self._working = bool(self._unprepared)
            return self._unprepared.pop(0) if self._unprepared else None

    def _report(self, share: float, again: bool) -> None:
        """Show a compilation in the state: the share compiled, and whether it repairs damaged kernels."""
        self._set_state(EngineState("loading", share, again))

    def _set_state(self, state: EngineState) -> None:
        """Change the state and notify those who wait for `changed`."""
        with self.changed:
            self.state = state
            self.changed.notify_all()


class _StandInPlayer(Player):
    """A player whose engine may not be ready: until then alpha-beta answers, and each `Info` has `stand_in` set."""

    def __init__(self, handle: EngineHandle) -> None:
        self._handle = handle
        self._engine: Player | None = None
        self._closed = False
        self._stand_in = AlphaBeta()

    @property
    def nodes(self) -> int:
        """Nodes of the engine's search if there is an engine, else of alpha-beta."""
        return (self._engine or self._stand_in).nodes

    def _answer(self, engine: Player | None, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Search with `engine`. If that is None, search with alpha-beta and mark each `Info` as `stand_in`."""
        if engine is not None:
            yield from engine.think(position, limit, stop)
            return
        for info in self._stand_in.think(position, limit, stop):
            yield replace(info, stand_in=True)

    def close(self) -> None:
        """Close the engine, if there is one; one that is still being made is dropped."""
        with self._handle.changed:
            engine, self._engine, self._closed = self._engine, None, True
        if engine is not None:
            engine.close()


class EnginePlayer(_StandInPlayer, Walkable):
    """Plays five in a row with the handle's engine, which is made anew when the board or the rule changes.

    All methods but `make` and `table_tree` belong to one thread.
    """

    def __init__(self, handle: EngineHandle, kind: EngineConfiguration) -> None:
        super().__init__(handle)
        self._kind = kind
        self._asked_at: float | None = None

    def prepare(self, kind: EngineConfiguration) -> None:
        """Create an engine for `kind` in the background, unless it exists or is being created. Drop an engine for
        another kind at once."""
        with self._handle.changed:
            if kind != self._kind or self._asked_at is None:
                self._kind, self._asked_at = kind, time.monotonic()
                self._engine = None  # free it first: two might not fit into memory
            if self._engine is None:
                self._handle.prepare(self)

    def make(self, make: Make) -> None:
        """Create the engine by `make` and let it search once, on the handle's thread. Drop it if another kind is wanted
        by then."""
        kind = self._kind
        engine = make(kind)
        start = setup("gomoku", kind.size, kind.rule).start()
        centre = kind.size // 2 * kind.size + kind.size // 2
        answer(engine, start.play(centre), Limit(seconds=1.0, depth=1))
        with self._handle.changed:
            if kind == self._kind and not self._closed:
                self._engine = engine
            self._handle.changed.notify_all()

    def wait_until_ready(self, stop: Stop) -> None:
        """Wait for the engine, for some seconds at most, and not for a compilation. A search during loading would be
        late or weak."""
        self._wait_for_engine(self._ready_by, stop)

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Search `position`, of five in a row, as a `Player`. Wait for the engine for a part of the time before
        alpha-beta answers."""
        began = time.monotonic()
        if isinstance(position, LinePosition):
            self.prepare(self._kind._replace(size=position.rules.width, rule=position.rules.rule))
        share = self._ready_by if limit.seconds is None else began + limit.seconds * _WAIT_SHARE
        engine = self._wait_for_engine(min(self._ready_by, share), stop)
        if limit.seconds is not None:
            left = limit.seconds - (time.monotonic() - began)
            limit = replace(limit, seconds=max(0.0, left if engine else left * _STAND_IN_SHARE))
        yield from self._answer(engine, position, limit, stop)

    def table_tree(
        self, position: Position, most: int, rest: Callable[[], object] = lambda: None
    ) -> TableTree | None:
        """Return the tree of the engine's table; None while there is no engine, since alpha-beta stands in."""
        engine = self._engine
        return engine.table_tree(position, most, rest) if isinstance(engine, Walkable) else None

    @property
    def _ready_by(self) -> float:
        """The time of `time.monotonic()` by which the engine is ready unless it must be compiled."""
        return max(self._asked_at or 0.0, self._handle.loaded_at) + _SOON

    def _wait_for_engine(self, until: float, stop: Stop) -> Player | None:
        """Wait for the engine and return it; None if it is not ready at the time `until`. With precompiled kernels wait
        as long as it takes. End early if it must be compiled, has failed, or `stop` is set."""
        changed = self._handle.changed
        if self._handle.at_once:
            until = math.inf
        with changed:
            while self._engine is None and self._ready_soon() and not stop.is_set() and time.monotonic() < until:
                changed.wait(_POLL)
            return self._engine

    def _ready_soon(self) -> bool:
        """Whether the engine is worth waiting for: loading has not failed, and nothing is being compiled."""
        state = self._handle.state
        return state.name != "failed" and state.compiled is None


class CompiledPlayer(_StandInPlayer):
    """Plays with the player that `make` creates once the handle has loaded the kernels. Until then alpha-beta
    answers."""

    def __init__(self, handle: EngineHandle, make: Callable[[], Player]) -> None:
        super().__init__(handle)
        self._make = make

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Search as a `Player`. If the kernels are loaded during the search, go on with the player of `make`."""
        self._handle.start()
        budget = Budget(limit, stop)
        if self._engine is None and not self._handle.ready_at_once():
            for info in self._answer(None, position, limit, stop):
                if self._handle.ready:
                    break
                yield info
            if not self._handle.ready:
                return
        if self._engine is None:
            self._engine = self._make()
            if limit.seconds is not None:
                limit = replace(limit, seconds=max(0.0, limit.seconds - budget.seconds))
        yield from self._answer(self._engine, position, limit, stop)


# Loading without blocking the window.


def _read_ahead(*packages: str) -> None:
    """Read the packages' shared libraries into the system's file cache.

    Opening a library holds the GIL, and on a cold start it would wait for the disk meanwhile, freezing the window for
    0.1 s and more. Reading a file releases the GIL.
    """
    piece = bytearray(_PIECE)
    for spec in filter(None, map(find_spec, packages)):
        folders = map(Path, spec.submodule_search_locations or ())
        for library in (file for folder in folders for kind in _LIBRARIES for file in folder.rglob(kind)):
            with suppress(OSError), library.open("rb", buffering=0) as file:
                while file.readinto(piece):
                    pass


# Waiting on a terminal.

_QUIET = 1.0  # seconds to wait before the first message
_LINES = 10  # progress lines where the output is not a terminal


def wait_on_terminal(handle: EngineHandle, stream: TextIO | None = None) -> EngineState:
    """Start `handle`, wait until it is ready or has failed, and return its state. Show the progress of a compilation on
    `stream` (default stderr): on one line of a terminal, elsewhere on several lines."""
    out = stream or sys.stderr
    handle.start()
    began, said, tenth = time.monotonic(), False, -1
    while handle.busy:
        handle.wait(0.2)
        share = handle.state.compiled
        if share is None or time.monotonic() - began < _QUIET:
            continue
        if out.isatty() or int(share * _LINES) > tenth:
            said, tenth = True, int(share * _LINES)
            text = f"Compiling the gomoku engine, once on this machine: {share:.0%}"
            print(f"\r{text} " if out.isatty() else text, end="" if out.isatty() else "\n", file=out, flush=True)
    if said and out.isatty():
        print(f"\r{'':70}\r", end="", file=out, flush=True)
    return handle.state
