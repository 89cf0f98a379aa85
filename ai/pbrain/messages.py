"""Lines of the Gomocup protocol: search information (MESSAGE), the commands of a manager, and its settings (INFO).

MESSAGE has no standard; most resemble ``depth 12-20 ev 35 n 123456 tm 500 pv h8 i9``, as Yixin writes, or Rapfi's
``Depth 12-25 | Eval +M9 | Time 500ms | H8 I9``. Of several lines Yixin and we write ``(2)`` before each, and Rapfi
``(2) -42 | 12-25 | H8 I9``. A manager is the program that runs the games of engines.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ai.core.player import Info, Line, Stop
from ai.core.score import FARTHEST, PROVEN, Score
from ai.gomoku.handle import EngineConfiguration
from ai.system.threads import processors
from games.line import LinePosition
from games.position import IllegalMove, Position

_DEPTH = re.compile(r"\bdepth\W{0,3}(\d{1,4})", re.IGNORECASE)
_SCORE = re.compile(r"\b(?:ev|eval|evaluation|score|value)\b\s*[:=]?\s*([+-]?)(m?)(\d{1,9})", re.IGNORECASE)
_NODES = re.compile(r"\b(?:n|nodes?)\b\s*[:=]?\s*(\d{1,15})([kmg]?)\b", re.IGNORECASE)
_LINE = re.compile(r"(?:\b(?:pv|bestline)\b\s*[:=]?\s*|\|\s*)((?:[a-z]\d{1,2}[\s-]*)+)$", re.IGNORECASE)
_POINT = re.compile(r"([a-z])(\d{1,2})", re.IGNORECASE)
_PLACE = re.compile(r"^MESSAGE\s*\((\d{1,3})\)", re.IGNORECASE)
_ROW = re.compile(r"^MESSAGE\s*\(\d{1,3}\)\s*([+-]?)(m?)(\d{1,9})\s*\|\s*(\d{1,4})", re.IGNORECASE)

_LONGEST_LINE = 20  # moves of a PV
_CERTAIN = 20  # messages that tell how rows are numbered


@dataclass(frozen=True, slots=True)
class Message:
    """The content of a message; what it lacks is None or, of `pv`, empty. `score` is from the side to move.

    `place` is the rank of its line among several, from 1; 0 if the message gives none.
    """

    depth: int | None = None
    score: int | None = None
    nodes: int | None = None
    pv: tuple[int, ...] = ()
    place: int = 0


def write(info: Info, position: Position) -> Iterator[str]:
    """Yield the text of a MESSAGE for each line of `info`.

    Scores are from the side to move; ``+M5`` is a win in five plies, ``-M4`` a loss in four.
    """
    lines = info.lines or (Line(info.score, (info.move,)),)
    for number, line in enumerate(lines, 1):
        place = f"({number}) " if len(lines) > 1 else ""
        moves = " ".join(position.move_text(move) for move in line.moves[:_LONGEST_LINE])
        effort = f"n {info.nodes} tm {info.seconds * 1000:.0f}"
        yield f"{place}depth {info.depth} ev {_score_text(line.score)} {effort} pv {moves}"


def _score_text(score: int) -> str:
    """Write a score for a message: the number, or ``+M5`` for a win in five plies."""
    mate = Score(score).mate
    return str(score) if mate is None else f"{'+' if mate > 0 else '-'}M{abs(mate)}"


class MessageReader:
    """Reads the messages of one engine, and finds out whether its rows are numbered from the bottom or from the top.

    Nothing tells that. Read the wrong way, moves are illegal or far from all stones, or differ from the engine's
    answer.
    """

    def __init__(self) -> None:
        self._votes = 0  # for rows from the top
        # The first move of the newest PV, with rows from the bottom and from the top.
        self._last: tuple[int | None, int | None] = (None, None)

    def read(self, text: str, position: LinePosition) -> Message:
        """Parse the message `text` about `position`, with the numbering of rows that is more likely so far."""
        below, above = (parse_message(text, position, from_top) for from_top in (False, True))
        if below.pv or above.pv:
            self._last = (*below.pv, None)[0], (*above.pv, None)[0]
            if abs(self._votes) < _CERTAIN:
                self._votes += _sign(len(above.pv) - len(below.pv)) or self._nearer_reading(position)
        return above if self._votes > 0 else below

    def _nearer_reading(self, position: LinePosition) -> int:
        """Return 1 if the first move is a candidate only with rows from the top, -1 if only from the bottom, else 0."""
        below, above = self._last
        if below == above or position.ply == 0:
            return 0
        candidates = position.candidates()
        return (above in candidates) - (below in candidates)

    def answered(self, move: int) -> None:
        """Learn from the engine's move, which its last message should begin with."""
        below, above = self._last
        if (below == move) != (above == move):
            self._votes = _CERTAIN if above == move else -_CERTAIN


def _sign(number: int) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


def parse_message(text: str, position: LinePosition, from_top: bool = False) -> Message:
    """Parse depth, score, nodes, moves and place in a message about `position`; rows count from the bottom or
    `from_top`."""
    depth, nodes, place = _DEPTH.search(text), _NODES.search(text), _PLACE.search(text)
    row = _ROW.search(text)
    plies = row[4] if row is not None else None if depth is None else depth[1]
    return Message(
        None if plies is None else int(plies),
        _score(row or _SCORE.search(text)),
        None if nodes is None else int(nodes[1]) * 1000 ** " kmg".index(nodes[2].lower() or " "),
        _pv(text, position, from_top),
        0 if place is None else int(place[1]),
    )


def _score(match: re.Match[str] | None) -> int | None:
    """Return the score of a match (sign, ``m`` for a win in so many plies, number); None without a match."""
    if match is None:
        return None
    number = int(match[3])
    value = Score.win_in(min(number, FARTHEST)) if match[2] else Score(min(number, PROVEN - 1))
    return -value if match[1] == "-" else value


def _pv(text: str, position: LinePosition, from_top: bool) -> tuple[int, ...]:
    """Parse the moves at the end of `text`, up to the first illegal one."""
    match = _LINE.search(text.strip())
    moves: list[int] = []
    for column, number in _POINT.findall(match[1])[:_LONGEST_LINE] if match else ():
        row = position.rules.height + 1 - int(number) if from_top else int(number)
        try:
            move = position.parse_move(f"{column}{row}")
            position = position.play(move)
        except IllegalMove:
            break
        moves.append(move)
    return tuple(moves)


# Receive a manager's commands on a thread, so that a search can be stopped; split streams into lines of text.


STOPS = ("YXSTOP", "STOP")
END = "END"

LONGEST = 4096
"""Maximum bytes of a line; the rest is dropped."""

_LINE_END = re.compile(rb"[\r\n]")
MOST_COMMANDS = 4096
"""Commands that wait to be answered; then no more are read until some are, and no search lasts longer."""

LEAVE_SECONDS = 0.7  # after END or end of input, to answer earlier commands


@dataclass(frozen=True, slots=True)
class Command:
    """A line from the manager: its first word in capitals, the rest, its number from 0, and its time
    (`time.monotonic()`)."""

    word: str
    rest: str
    number: int
    arrived: float

    @property
    def text(self) -> str:
        """The command as one line."""
        return f"{self.word} {self.rest}".strip()


class Inbox:
    """Commands of the manager, read from `source` on a thread, so that a search can be stopped. Its end counts as
    END."""

    def __init__(self, source: ByteSource) -> None:
        self._commands: queue.Queue[Command] = queue.Queue(MOST_COMMANDS)
        self._lock = threading.Lock()
        self._stopped = -1  # number of the newest command that stops
        self._ended: float | None = None  # time of END
        self.ended = threading.Event()
        """Set when END has arrived."""
        self._running = (0, Stop())  # number of the command whose search began last, and its stop
        threading.Thread(target=self._read, args=(source,), name="tengen-inbox", daemon=True).start()

    def next(self) -> Command:
        """Return the next command; wait for it."""
        return self._commands.get()

    def stop(self, number: int) -> Stop:
        """Return the `Stop` for the search of command `number`. A later stop, END or too many waiting commands set it.

        If END came before the search began, as from a script piped in as a whole, the search gets a short time.
        """
        stop = Stop()
        with self._lock:
            self._running = (number, stop)
            if self._stopped > number or self._commands.full():
                stop.set()
            elif self._ended is not None:
                left = self._ended + LEAVE_SECONDS - time.monotonic()
                timer = threading.Timer(max(0.0, left / 2), stop.set)
                timer.daemon = True
                timer.start()
        return stop

    def _read(self, source: ByteSource) -> None:
        """Thread: queue each line of `source` as a command, and END after the last."""
        number = 0
        for number, line in enumerate(lines(source)):
            word, _, rest = line.replace("\t", " ").partition(" ")
            command = Command(word.upper(), rest.strip(), number, time.monotonic())
            self._put(command)
            if command.word == END:
                return
        self._put(Command(END, "", number + 1, time.monotonic()))

    def _put(self, command: Command) -> None:
        """Queue a command, and stop the running search if the command says so. Wait while the queue is full."""
        with self._lock:
            asked, stop = self._running
            if command.word in STOPS:
                self._stopped = command.number
            elif command.word == END:
                self._ended = command.arrived
                self.ended.set()
            if command.word == END or self._stopped > asked or self._commands.full():
                stop.set()
        self._commands.put(command)


class ByteSource(Protocol):
    """A stream of bytes whose `read1` waits for some and returns b"" at the end."""

    def read1(self, size: int = ..., /) -> bytes:
        """Return up to `size` bytes as soon as there are any; empty at the end of the stream."""


def lines(source: ByteSource) -> Iterator[str]:
    """Yield the lines of `source`, stripped, each as soon as it is complete, and cut to `LONGEST` bytes.

    Empty lines are skipped, so CRLF ends one line, not two. Bytes that are not UTF-8 are replaced. It ends when the
    stream ends, fails or is closed.
    """
    rest = b""
    while True:
        try:
            data = source.read1(65536)
        except (OSError, ValueError):  # closed while being read
            data = b""
        *whole, rest = _LINE_END.split(rest + data)
        if not data and rest:
            whole.append(rest)  # the last line may lack its terminator
        for line in whole:
            if text := line[:LONGEST].decode("utf-8", "replace").strip("\0 \t\ufeff"):
                yield text
        rest = rest[:LONGEST]
        if not data:
            return


# Interpret a manager's INFO lines.
#
# The rule bit 2 means two things: continuous game in Gomocup, renju in Yixin and the programs that follow it. A manager
# that has used a command or an INFO key of Yixin's in this session means renju by it, any other a continuous game,
# which is played as freestyle. Caro (8) is played as exact five, the nearest rule there is.


UNLIMITED = 2_147_483_647
"""The protocol's value for no limit, in milliseconds."""

_DEFAULT_TURN = 2.0  # seconds, unless the manager says otherwise
_AT_ONCE = 0.03  # seconds, for “as fast as possible”
_MOVES_TO_GO = 20  # moves for which the time left must last
_MARGIN = 0.03  # seconds reserved for delivering the answer
_MARGIN_SHARE = 0.01  # and this share of the time, for a busy machine
_LEAST = 0.01

_MEGABYTE = 1 << 20
_PROGRAM_MB = 220  # everything but the table: 150 measured with cached kernels, 200 after compiling them
_DEFAULT_TABLE_MB = 64
_LARGEST_TABLE_MB = 256
_SMALLEST_TABLE_MB = 1


@dataclass(slots=True)
class Clock:
    """The manager's limits of time, in milliseconds, and of memory, in bytes; None if not given.

    A `timeout_turn` of 0 means as fast as possible; `timeout_match` and `max_memory` of 0 mean unlimited.
    """

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None
    max_memory: int | None = None

    def seconds(self) -> float:
        """Return the seconds for the next move, less a margin for delivering the answer."""
        turn = _DEFAULT_TURN if self.timeout_turn is None else max(0, self.timeout_turn) / 1000
        if turn == 0:
            turn = _AT_ONCE + _MARGIN
        left = self._seconds_left()
        if left is not None:
            turn = min(turn, left / _MOVES_TO_GO)
        return max(_LEAST, turn - _MARGIN - turn * _MARGIN_SHARE)

    def _seconds_left(self) -> float | None:
        """Return the seconds left in the match: `time_left`, or `timeout_match` before that is known.
        None if the match is unlimited or neither was given."""
        if self.timeout_match == 0:
            return None
        left = self.timeout_match if self.time_left is None else self.time_left
        return None if left is None or left >= UNLIMITED else left / 1000

    def subtract(self, seconds: float) -> None:
        """Subtract the seconds of a move from the time left. A time_left that the manager sends replaces the result."""
        left = self._seconds_left()
        if left is not None:
            self.time_left = round(max(0.0, left - seconds) * 1000)

    def new_game(self) -> None:
        """Forget the time left in the game before."""
        self.time_left = None

    def table_mb(self) -> int:
        """Return the megabytes for the transposition table, so that the program keeps its memory limit if possible."""
        if self.max_memory is None:
            return _DEFAULT_TABLE_MB
        if self.max_memory <= 0:
            return _LARGEST_TABLE_MB
        room = self.max_memory // _MEGABYTE - _PROGRAM_MB
        return max(_SMALLEST_TABLE_MB, min(_LARGEST_TABLE_MB, room))


EXACT, CONTINUOUS, RENJU, CARO = 1, 2, 4, 8
"""The bits of the rule."""

_SWAPS = EXACT | RENJU, CONTINUOUS | RENJU
"""In Yixin 5 and 6 are freestyle that begins with a swap or with swap2."""

_CLOCK_KEYS = {"timeout_turn", "timeout_match", "time_left", "max_memory"}
_YIXIN_KEYS = {
    "max_depth", "max_node", "show_detail", "time_increment", "caution_factor", "thread_num", "thread_split_depth",
    "pondering", "checkmate", "nbestsym", "vcthread", "usedatabase", "hash_size", "start_depth",
}  # fmt: skip
_NUMBER = re.compile(r"[+-]?\d{1,18}", re.ASCII)


class ManagerInfo:
    """What the manager has set by INFO; `depth` and `nodes` limit a search, None if unlimited."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.yixin = False
        """Whether the manager has used Yixin's extensions."""
        self.depth: int | None = None
        self.nodes: int | None = None
        self._mask = 0
        self._threads = 1

    @property
    def rule(self) -> str:
        """The key of the gomoku rule that the manager has set."""
        if self.yixin and self._mask in _SWAPS:
            return "freestyle"
        if self._mask & RENJU or (self._mask & CONTINUOUS and self.yixin):
            return "renju"
        return "standard" if self._mask & (EXACT | CARO) else "freestyle"

    def configuration(self, size: int) -> EngineConfiguration:
        """Return the configuration of our engine for a board of `size`."""
        arguments = {"threads": self._threads, "memory_mb": self.clock.table_mb(), "book": True}
        return EngineConfiguration(size, self.rule, arguments)

    def note(self, text: str) -> None:
        """Apply an INFO ``key value``. Ignore what is not understood, without an answer.

        INFO has no reply: the manager would take an ERROR for the reply to its next command.
        """
        key, _, value = text.lower().partition(" ")
        self.yixin = self.yixin or key in _YIXIN_KEYS
        number = _NUMBER.fullmatch(value.strip())
        if number is not None:
            self._set(key, int(number[0]))

    def _set(self, key: str, value: int) -> None:
        """Apply a key with a number; ignore an unknown key."""
        if key in _CLOCK_KEYS:
            setattr(self.clock, key, value)
        elif key == "rule":
            self._mask = value & (EXACT | CONTINUOUS | RENJU | CARO)
        elif key == "thread_num":
            self._threads = max(1, min(value, processors()))
        elif key == "max_depth":
            self.depth = max(0, value) or None
        elif key == "max_node":
            self.nodes = max(0, value) or None
