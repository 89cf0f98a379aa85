"""The `Player` protocol: a position and a limit in, a stream of improving answers out.

Scores are from the side to move and comparable between all players: `ai.core.score` defines their unit.

A player that is another program is `Transcribed`: its `Transcript` has the lines that it and this program exchanged.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from ai.core.score import WIN, Score
from games.evaluation import Evaluation, ScoredLine
from games.position import FIRST, Position

_DEEPEST = 10_000  # plies, the bound of the file format


class Stop:
    """A request to end a search and answer now. Any thread may set it."""

    def __init__(self) -> None:
        self._set = False
        self._lock = threading.Lock()
        self._actions: list[Callable[[], None]] = []

    def is_set(self) -> bool:
        """Whether the search is to end now."""
        return self._set

    def set(self) -> None:
        """Ask the search to end, and call the actions of `calling` on this thread. Any thread may do so."""
        with self._lock:
            self._set = True
            for action in self._actions:
                action()

    @contextmanager
    def calling(self, action: Callable[[], None]) -> Iterator[None]:
        """Inside the block, call `action` when the stop is set, on the setting thread; at once if it is set already.

        A search then need not poll. `action` must be short.
        """
        with self._lock:
            self._actions.append(action)
            if self._set:
                action()
        try:
            yield
        finally:
            with self._lock:
                self._actions.remove(action)


@dataclass(frozen=True, slots=True)
class Limit:
    """Bounds of a search, which ends at the first one reached; None is no bound.

    `seconds` of wall time, `depth` in plies, `nodes` visited. `lines` is the number of best moves wanted (multi-PV).
    `without` are moves to leave out at the root; some players ignore it.
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    lines: int = 1
    without: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """A principal variation with its score from the side to move. `exact` tells that the score is proven; a draw can
    be, too."""

    score: int
    moves: tuple[int, ...]
    exact: bool = False


@dataclass(frozen=True, slots=True)
class DepthStats:
    """One iteration of iterative deepening: the best `line` at the root, and what all threads did since the iteration
    before. `hits` are the nodes that the transposition table answered; `cuts` are beta cut-offs by a move, `first_cuts`
    those by the first move tried."""

    depth: int
    line: Line
    seconds: float
    nodes: int
    hits: int = 0
    cuts: int = 0
    first_cuts: int = 0

    @property
    def first_cut_rate(self) -> float | None:
        """Share of the cut-offs that the first move made, 0 to 1; None without any."""
        return self.first_cuts / self.cuts if self.cuts else None

    @property
    def hit_rate(self) -> float | None:
        """Share of the nodes that the table answered, 0 to 1; None without any."""
        return self.hits / self.nodes if self.nodes else None


@dataclass(frozen=True, slots=True)
class Info:
    """An answer of a search, as of now: the best `move` and its `score`. `lines` are the best moves, best first; empty
    means `move` alone.

    `stand_in` means that a weaker player answers for one that is not ready. `depths` are the iterations so far, of
    players that keep them. `complete` tells whether a search that comes to an end by itself, such as one to a depth,
    has done so; None where the player does not tell.
    """

    move: int
    score: int = 0
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    lines: tuple[Line, ...] = field(default=())
    stand_in: bool = False
    depths: tuple[DepthStats, ...] = ()
    complete: bool | None = None

    @property
    def mate(self) -> int | None:
        """Plies to the proven win (positive) or loss (negative); None if the score is neither."""
        return Score(self.score).mate

    def evaluation(self, turn: int, seconds: float = 0.0, by: str = "") -> Evaluation:
        """Return the evaluation for a game record, with all lines, from the first side's view and clamped to its
        bounds; `turn` is the side to move. Give `seconds` only for a search by the strongest player, on which others
        may rely; `by` names the player."""
        depth = max(0, min(self.depth, _DEEPEST))
        first, *rest = self.lines or (Line(self.score, self.pv),)
        others = tuple(
            ScoredLine(*_record_score(line.score, turn), depth, line.moves, exact=line.exact) for line in rest
        )
        best = (*_record_score(self.score, turn), depth, self.pv, seconds)
        return Evaluation(*best, others=others, by=by, exact=first.exact)

    @property
    def nodes_per_second(self) -> float:
        """Nodes per second of the search; 0 if no time was measured."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def pv(self) -> tuple[int, ...]:
        """The principal variation, which begins with `move`."""
        return self.lines[0].moves if self.lines else (self.move,)


def _record_score(score: int, turn: int) -> tuple[int, int | None]:
    """Convert a score from the view of the side `turn` to the score and the mate of a record, from the first side's
    view."""
    seen = Score(max(-WIN, min(WIN, score))).seen_from(FIRST, turn)
    return int(seen.bounded), seen.mate


class Player(Protocol):
    """Anything that chooses a move. Inherit from it for the defaults of `warm_up` and `close`."""

    @property
    def nodes(self) -> int:
        """Nodes of the current or last search; any thread may read it."""

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield at least one `Info`; the move of the last one is the answer.

        Respect `limit` and end soon after `stop` is set. `position` has a legal move.
        """

    def warm_up(self, position: Position) -> None:
        """Do what is done only once, such as starting a program, before a search that is timed. By default, search for
        a second at most. Raise as `think`."""
        answer(self, position, Limit(seconds=1.0, depth=1))

    def close(self) -> None:
        """Release programs, processes and tables. No search may be running, and none may follow."""
        return


class PlayerFailure(RuntimeError):
    """A player has failed in a way that a person can do something about; `str(error)` is one sentence. `problem` is a
    word for what is wrong, and `detail` what the player or the system said, for a sentence in another language."""

    def __init__(self, sentence: str, problem: str, detail: str = "") -> None:
        super().__init__(sentence, problem, detail)
        self.problem, self.detail = problem, detail

    def __str__(self) -> str:
        """Return the sentence alone."""
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """What the worker `name` is doing: it searches the moves after `line` to `depth`."""

    name: str
    line: tuple[int, ...]
    depth: int


class Crewed(Player):
    """A player whose search is shared out to workers. `lost` tells that they are gone, so that it searches alone."""

    lost = False

    @property
    def workers(self) -> tuple[WorkerRow, ...]:
        """What each busy worker is doing; empty where none is. Any thread may ask."""
        return ()


def answer(player: Player, position: Position, limit: Limit, stop: Stop | None = None) -> Info:
    """Run a whole search and return its last `Info`. Without `stop` only `limit` ends it."""
    *_, last = player.think(position, limit, stop or Stop())
    return last


class Budget:
    """Checks a `Limit` and a `Stop` during one search. Its time runs from when it is made; a limit of depth is left to
    the search."""

    def __init__(self, limit: Limit, stop: Stop) -> None:
        self.began = time.monotonic()
        self.limit = limit
        self.stop = stop

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self.began

    def share_left(self, nodes: int) -> float:
        """Return the share of the time or of the nodes that is left after visiting `nodes`, 0 to 1: the smaller one; 1
        without either bound."""
        limit, shares = self.limit, [1.0]
        if limit.seconds is not None:
            shares.append(1 - self.seconds / max(1e-9, limit.seconds))
        if limit.nodes is not None:
            shares.append(1 - nodes / limit.nodes)
        return max(0.0, min(shares))

    def spent(self, nodes: int) -> bool:
        """Return whether the search must end after visiting `nodes`: time or nodes are used up, or the stop is set."""
        limit = self.limit
        return (
            self.stop.is_set()
            or (limit.seconds is not None and time.monotonic() - self.began >= limit.seconds)
            or (limit.nodes is not None and nodes >= limit.nodes)
        )


# The options in a player's name: which there are, and how their values are read.


Value = int | float | str


def whole(allowed: range) -> Callable[[str], Value]:
    """Return a function that reads an option's value as an integer in `allowed`. It raises `ValueError` with the
    expected form."""

    def read(text: str) -> int:
        """Read an integer."""
        with contextlib.suppress(ValueError):
            if (value := int(text)) in allowed:
                return value
        raise ValueError(f"a whole number from {allowed[0]} to {allowed[-1]}")

    return read


def one_of(*names: str) -> Callable[[str], Value]:
    """Return a function that reads an option's value as one of `names`. It raises `ValueError` with the expected
    form."""

    def read(text: str) -> str:
        """Read one of the names."""
        if text in names:
            return text
        raise ValueError(f"one of {', '.join(names)}")

    return read


def decimal(least: float, most: float) -> Callable[[str], Value]:
    """Return a function that reads an option's value as a number from `least` to `most`. It raises `ValueError` with
    the expected form."""

    def read(text: str) -> float:
        """Read a number."""
        with contextlib.suppress(ValueError):
            if least <= (value := float(text)) <= most:
                return value
        raise ValueError(f"a number from {least:g} to {most:g}")

    return read


Known = Mapping[str, Callable[[str], Value]]
"""Options by their names, with what reads a value."""


def no_options(text: str) -> None:
    """Check the options of a player that has none: raise `ValueError` with a sentence unless `text` is empty."""
    if text:
        raise ValueError(f"This player has no options such as “{text}”.")


def read_options(kind: str, known: Known, text: str) -> dict[str, Value]:
    """Return the options in `text`, such as ``threads=2,NULL_BASE=0``, as a dictionary. `known` reads their values;
    `kind` is the kind of player, for a message. Raise `ValueError` with a sentence."""
    options = {}
    for part in text.split(",") if text else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and key.isidentifier()):
            raise ValueError(f"“{part}” is not an option such as {next(iter(known))}=….")
        if key not in known:
            names = ", ".join(filter(str.islower, known))
            raise ValueError(f"“{kind}” has no option {key}; it has {names}.")
        try:
            options[key] = known[key](value)
        except ValueError as error:
            raise ValueError(f"The option {key} is {error}, not “{value}”.") from error
    return options


_MOST = 400  # lines that are kept
_LONGEST = 500  # characters of a line


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """A line of a transcript. Its `kind` is ``sent`` to the program, ``heard`` from it, or a ``note`` of this program.
    `number` counts all lines from 1."""

    kind: str
    text: str
    number: int


class Transcript:
    """The last lines that were exchanged with a program, oldest first. Older ones are dropped. Any thread may add and
    read."""

    def __init__(self) -> None:
        self._lines: deque[TranscriptLine] = deque(maxlen=_MOST)
        self._lock = threading.Lock()
        self.count = 0
        """How many lines there have been."""

    def add(self, kind: str, *texts: str) -> None:
        """Add lines of one `kind` of `TranscriptLine`. Long ones are cut."""
        with self._lock:
            for text in texts:
                self.count += 1
                self._lines.append(TranscriptLine(kind, text[:_LONGEST], self.count))

    def last(self, most: int = _MOST) -> list[TranscriptLine]:
        """Return the last lines that are kept, at most `most`, oldest first."""
        with self._lock:
            return list(self._lines)[-most:] if most > 0 else []


class Transcribed(Player):
    """A player that keeps a transcript."""

    transcript: Transcript
