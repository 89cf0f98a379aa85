"""External engines as players: programs that speak the Gomocup (pbrain) protocol."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import signal
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from typing import IO

from ai.core.player import Info, Limit, Line, PlayerFailure, Stop, Transcribed, Transcript
from ai.pbrain.boards import Refused, alternating, in_any_order
from ai.pbrain.messages import LONGEST, UNLIMITED, Message, MessageReader, lines
from ai.system.programs import Program
from games.line import STONES, LinePosition
from games.position import IllegalMove, Position
from games.registry import setup

# The process of an external engine: lines to it and from it, neither of which it can make us wait for.


_MOST_LINES = 1000  # that wait to be taken; then the program has to wait
_MOST_UNREAD = 64  # texts that wait to be read by the program
_READ_SECONDS = 20.0  # for the program to read a text
_LEAVE_SECONDS = 1.0  # to exit after END
_LAST_LINES_SECONDS = 1.0  # to read what a program has written before it ended
_JOIN_SECONDS = 2.0  # for the threads to notice that the program has ended
_READ_POLL = 0.01
_LONGEST_COMMAND = 60


PROBLEMS = ("absent", "start", "ended", "closed", "deaf", "silent", "slow", "refused", "illegal", "missing", "rule")
"""What can be wrong with an engine: there is no such program, it cannot be started, has ended, has closed its output,
does not read, does not answer START, does not answer in time, refuses, answers with an illegal move, is not known here,
or does not play the rule of the game."""


class EngineError(PlayerFailure):
    """An external engine failed; `problem` is one of `PROBLEMS`. The player starts it again for the next search."""


class SlowEngine(EngineError):
    """The engine did not answer in time."""


class IllegalAnswer(EngineError):
    """The engine answered with a move that the rules do not allow."""


class EngineProcess:
    """A running program, to which lines are sent and from which lines are read; no call waits without limit.

    One thread writes and one reads: a program may not read its input, or may print without end.
    """

    def __init__(self, command: str, name: str, transcript: Transcript, folder: str | None = None) -> None:
        """Start it in `folder`, by default in ours. It is called `name` in sentences. Raise `EngineError` if it cannot
        be started."""
        self.name, self._transcript = name, transcript
        transcript.add("note", command)
        try:
            self._program = Program(_arguments(command), folder)
        except FileNotFoundError as error:
            raise EngineError(*_not_found_error(command)) from error
        except (OSError, ValueError) as error:
            reason = str((error.strerror if isinstance(error, OSError) else None) or error)
            raise EngineError(f"“{self.name}” cannot be started: {reason}.", "start", reason) from error
        self._writer, self._reader = _Writer(self._program.stdin), _Reader(self._program.stdout)
        # At the latest when our program exits.
        self._end = weakref.finalize(self, _end, self._program, self._writer, self._reader)

    @property
    def alive(self) -> bool:
        """Whether the program runs and its output is open."""
        return self._program.status is None and self._reader.is_alive()

    def send(self, *texts: str) -> None:
        """Queue lines for the program. Raise `SlowEngine` if too many wait to be read by it."""
        self._transcript.add("sent", *texts)
        if not self._writer.put("".join(f"{text}\r\n" for text in texts).encode()):
            raise self._deaf_error()

    def line(self, seconds: float) -> str | None:
        """Return the next line, or None if there is none within `seconds`.

        Raise `EngineError` if the program has ended or closed its output, `SlowEngine` if it does not read its input.
        """
        line = self._next_line(seconds)
        if line is not None:
            return line
        if self._program.status is not None:
            self._reader.join(_LAST_LINES_SECONDS)  # not for ever: something else may hold the pipe
        if not self.alive and (line := self._next_line(0)) is None:
            raise self._exit_error()
        if self._writer.waiting > _READ_SECONDS:
            raise self._deaf_error()
        return line

    def _next_line(self, seconds: float) -> str | None:
        """Return the next line, also for the transcript; None if there is none within `seconds`."""
        line = self._reader.next(seconds)
        if line is not None:
            self._transcript.add("heard", line)
        return line

    def _deaf_error(self) -> SlowEngine:
        """Return the error for a program that does not read its input."""
        return SlowEngine(f"“{self.name}” does not read what it is sent.", "deaf")

    def _exit_error(self) -> EngineError:
        """Return the error for a program that has ended, or has closed its output."""
        status = self._program.wait(_LEAVE_SECONDS)
        if status is None:
            return EngineError(f"“{self.name}” has closed its output without an answer.", "closed")
        ending = _exit_text(status)
        return EngineError(f"“{self.name}” has ended without an answer ({ending}).", "ended", ending)

    def close(self, kill: bool) -> None:
        """End the program, all that it started, and the threads. Unless `kill`, ask it to end and wait a moment
        first."""
        if kill:
            self._program.end()
        self._end()


def _end(program: Program, writer: _Writer, reader: _Reader) -> None:
    """Ask the program to end, kill it if it does not, and wait a moment for the threads of its pipes."""
    if program.status is None and writer.put(b"END\r\n"):
        program.wait(_LEAVE_SECONDS)
    program.end()
    deadline = time.monotonic() + _JOIN_SECONDS
    while (writer.is_alive() or reader.is_alive()) and time.monotonic() < deadline:
        writer.put(None)
        reader.next(_READ_POLL)


class _Writer(threading.Thread):
    """Thread that writes queued texts to the program's input, until it gets None or the pipe is closed."""

    def __init__(self, stdin: IO[bytes]) -> None:
        super().__init__(name="tengen-pbrain-writer", daemon=True)
        self._stdin = stdin
        self._texts: queue.Queue[bytes | None] = queue.Queue(_MOST_UNREAD)
        self._began: float | None = None
        self.start()

    def put(self, text: bytes | None) -> bool:
        """Queue a text; None ends the thread. Return False if the queue is full."""
        with contextlib.suppress(queue.Full):
            self._texts.put_nowait(text)
            return True
        return False

    @property
    def waiting(self) -> float:
        """Seconds for which the current text has waited to be read by the program; 0 without one."""
        began = self._began
        return 0.0 if began is None else time.monotonic() - began

    def run(self) -> None:
        """Write queued texts until None comes or the pipe breaks."""
        with contextlib.suppress(OSError, ValueError), self._stdin:
            while (text := self._texts.get()) is not None:
                self._began = time.monotonic()
                self._stdin.write(text)
                self._stdin.flush()
                self._began = None
        self._began = None


class _Reader(threading.Thread):
    """Thread that queues the lines of the program's output. While the queue is full, it does not read."""

    def __init__(self, stdout: IO[bytes]) -> None:
        super().__init__(name="tengen-pbrain", daemon=True)
        self._stdout = stdout
        self._lines: queue.Queue[str] = queue.Queue(_MOST_LINES)
        self.start()

    def next(self, seconds: float) -> str | None:
        """Return the next line, or None if there is none within `seconds`."""
        with contextlib.suppress(queue.Empty):
            return self._lines.get(timeout=seconds)
        return None

    def run(self) -> None:
        """Queue the lines, each cut to `LONGEST`."""
        with self._stdout as stdout:
            for line in lines(stdout):  # type: ignore[arg-type]  # a pipe of bytes is a BufferedReader
                self._lines.put(line[:LONGEST])


def _arguments(command: str) -> str | Sequence[str]:
    """Split a command line for `Program`; on Windows return it unchanged. Raise `ValueError` if it is empty or
    misquoted."""
    if not command.strip():
        raise ValueError("the command is empty")
    return command if os.name == "nt" else shlex.split(command)


def _exit_text(status: int) -> str:
    """Describe how a program ended: `status` is its exit status, or minus the number of the signal that killed it."""
    if status >= 0:
        return f"exit status {status if status < 1 << 16 else hex(status)}"  # Windows has codes such as 0xc0000005
    with contextlib.suppress(ValueError):
        return f"killed by {signal.Signals(-status).name}"
    return f"killed by signal {-status}"


def _not_found_error(command: str) -> tuple[str, str, str]:
    """Return the arguments of an `EngineError` for a command whose program the system has not found.

    The sentence suggests quotes if a path with spaces seems to lack them.
    """
    parts = command.split(" ")
    tried = parts[0].strip('"') if os.name == "nt" else shlex.split(command)[0]
    if os.path.isfile(tried):  # noqa: PTH113  (`Path.is_file` raises for a name that is too long)
        reason = "what runs it, such as the interpreter that its first line names"
        return f"“{short(tried)}” is there, but not {reason}.", "start", f"“{short(tried)}” is there, but not {reason}"
    sentence = f"“{short(tried)}” cannot be started: there is no such program"
    if os.path.basename(tried) == tried:  # noqa: PTH119
        sentence += " on the PATH"
    longer = (" ".join(parts[:count]) for count in range(2, len(parts) + 1))
    if found := next((path for path in longer if os.path.isfile(path)), ""):  # noqa: PTH113
        sentence = f"{sentence}; put a path with spaces in quotes: “\"{found}\"”"
    elif len(parts) > 1 and tried == parts[0]:
        sentence = f"{sentence}; a path with spaces needs quotes"
    return f"{sentence}.", "absent", short(tried)


def short(text: str, length: int = _LONGEST_COMMAND) -> str:
    """Return `text`, or, if it is longer, its first `length` characters and an ellipsis."""
    return text if len(text) <= length else text[:length] + "…"


__all__ = [
    "GRACE", "PATIENCE", "PROBLEMS", "RULE_MASKS", "EngineError", "IllegalAnswer", "PbrainPlayer", "SlowEngine",
    "refuse_program",
]  # fmt: skip

RULE_MASKS = {"freestyle": 0, "standard": 1, "renju": 4}

_DAY = 86_400.0  # seconds sent where there is no limit
PATIENCE = 20.0
"""Seconds to answer START, for an engine that unpacks itself or loads networks."""

GRACE = 1.0
"""Seconds beyond its time after which an engine is killed."""

_STOP_GRACE = 1.5  # seconds to answer after a stop
_POLL = 0.02  # seconds
_TELL_EVERY = 0.02  # seconds between two infos, however many an engine prints
_PROBE_SECONDS = 1.0  # to answer whether it has extensions
_MOVE = re.compile(r"([+-]?\d{1,3})\s*,\s*([+-]?\d{1,3})")
_UNKNOWN = "unknown command"
_NEEDED = re.compile(r"\b(?:START|BOARD|YXBOARD|BEGIN|DONE|YXNBEST)\b", re.IGNORECASE)
_ASIDE = ("MESSAGE", "DEBUG", "UNKNOWN", "ERROR", "OK")
_LONGEST_QUOTE = 200


def refuse_program(_command: str, game: str) -> str:
    """Return a sentence that tells why external engines cannot play `game`; empty if they can. `_command` is
    ignored."""
    try:
        _require_gomoku(setup(game).start())
    except ValueError as error:
        return str(error)
    return ""


class PbrainPlayer(Transcribed):
    """A player that runs the program `command`: started when needed first, and ended by `close`.

    It plays five in a row on square boards. Every search sends the whole position, so positions need not follow each
    other. A limit of several lines works only with programs that know Yixin's extensions.
    """

    nodes: int = 0

    def __init__(
        self, command: str, grace: float = GRACE, patience: float = PATIENCE, name: str = "", folder: str | None = None,
        facts: Sequence[str] = (), rules: Sequence[str] = (*RULE_MASKS,),
    ) -> None:  # fmt: skip
        """The program has `patience` seconds to start, and `grace` seconds beyond the time of a move. It is called
        `name` in sentences, by default as its command; it starts in `folder`, by default in ours, and is told `facts`,
        such as ``thread_num 2``, before the first game. It plays by the `rules` with these keys."""
        self.command, self.name = command, name or short(command)
        self.transcript = Transcript()
        self._grace, self._patience, self._folder = grace, patience, folder
        self._facts, self._rules = facts, rules
        self._process: EngineProcess | None = None
        self._game: tuple[int, str] | None = None  # size and rule last sent to the engine
        self._reader = MessageReader()
        self._extended: bool | None = None  # whether it has Yixin's extensions; None while that is not known

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield an Info for each message of the engine that can be read, and its move at last.

        Raise `EngineError` if the engine dies, refuses, is too late, or answers with an illegal move. Raise
        `ValueError` for a position that the protocol does not have. After any error, or if the generator is closed
        early, the program is killed.
        """
        self.nodes = 0
        board = _require_gomoku(position)
        try:
            process = self._ready_process(board, stop)
            began = time.monotonic()
            due = _Due(None if limit.seconds is None else began + limit.seconds + self._grace, stop)
            self._send_search(process, board, limit, due, began)
            yield from self._listen(process, board, due, began, limit.lines)
        except BaseException as error:  # including Ctrl+C, and a search that is left: its answer may still come
            self._kill(error)
            raise

    def warm_up(self, position: Position) -> None:
        """Start the program and a game like that of `position` if necessary, so that the first search loses no time.

        Raise as `think` does.
        """
        board = _require_gomoku(position)
        try:
            self._ready_process(board, Stop())
        except BaseException as error:  # including Ctrl+C
            self._kill(error)
            raise

    def about(self, stop: Stop) -> str:
        """Return the program's answer to ABOUT, such as ``name="Rapfi", version="0.43"``. Raise `EngineError`."""
        try:
            process, due = self._running_process(), self._start_deadline(stop)
            process.send("ABOUT")
            while not due.over():
                line = process.line(_POLL)
                if line is not None and not line.upper().startswith(_ASIDE):
                    return line
            raise SlowEngine(f"“{process.name}” does not answer ABOUT.", "silent", "ABOUT")
        except BaseException as error:
            self._kill(error)
            raise

    def _kill(self, error: BaseException) -> None:
        """Kill the program because of `error`, and add an `EngineError` to the transcript."""
        if isinstance(error, EngineError):
            self.transcript.add("note", str(error))
        self.close(kill=True)

    def close(self, kill: bool = False) -> None:
        """End the program, and wait a moment for it; with `kill` at once, without asking it to end."""
        process, self._process, self._game = self._process, None, None
        if process is not None:
            process.close(kill)

    def _running_process(self) -> EngineProcess:
        """Return the process of the program; start it if it is not alive. Raise `EngineError`."""
        if self._process is None or not self._process.alive:
            self.close(kill=True)
            self._process = EngineProcess(self.command, self.name, self.transcript, self._folder)
        return self._process

    def _ready_process(self, board: LinePosition, stop: Stop) -> EngineProcess:
        """Return the process, with a game of the board's size and rule begun. Raise `EngineError`."""
        game = (board.rules.width, board.rules.rule)
        if game[1] not in self._rules:
            raise EngineError(f"“{self.name}” does not play by the rule {game[1]}.", "rule", game[1])
        process = self._running_process()
        if game != self._game:
            self._begin_game(process, *game, self._start_deadline(stop))
            self._game = game
        return process

    def _start_deadline(self, stop: Stop) -> _Due:
        """Return the deadline for a program that starts."""
        return _Due(time.monotonic() + self._patience, stop)

    def _begin_game(self, process: EngineProcess, size: int, rule: str, due: _Due) -> None:
        """Begin a game: send rule, facts and board size, wait for OK, and send the limits. Raise `EngineError`."""
        process.send(f"INFO rule {RULE_MASKS[rule]}", *(f"INFO {fact}" for fact in self._facts), f"START {size}")
        self._wait_for_ok(process, due)
        facts = ("timeout_match 0", "game_type 0", f"rule {RULE_MASKS[rule]}")
        process.send(*(f"INFO {fact}" for fact in facts))

    def _wait_for_ok(self, process: EngineProcess, due: _Due) -> None:
        """Read lines until ``OK``. Raise `EngineError` for an error, or when `due` is over."""
        while not due.over():
            line = process.line(_POLL)
            if line is not None and line.upper() == "OK":
                return
            _raise_error_line(line, process.name)
        raise SlowEngine(f"“{process.name}” does not answer START.", "silent", "START")

    def _send_search(self, process: EngineProcess, board: LinePosition, limit: Limit, due: _Due, began: float) -> None:
        """Send limits and position, so that the engine begins to search; the time counts from `began`."""
        stones = list(_board_lines(board))
        left = _DAY if limit.seconds is None else limit.seconds - (time.monotonic() - began)
        process.send(f"INFO timeout_turn {max(1, round(1000 * left))}", f"INFO time_left {UNLIMITED}")
        if limit.depth is not None:
            process.send(f"INFO max_depth {limit.depth}")  # a Yixin extension; others ignore it
        several = limit.lines > 1 and self._has_extensions(process, due)
        if stones and not several:
            process.send("BOARD", *stones, "DONE")
            return
        if not stones:  # many engines reject a BOARD without stones, and BEGIN requires an empty board
            process.send(f"START {board.rules.width}")
            self._wait_for_ok(process, self._start_deadline(due.stop) if due.at is None else due)
        else:
            process.send("YXBOARD", *stones, "DONE")
        process.send(f"YXNBEST {limit.lines}" if several else "BEGIN")

    def _has_extensions(self, process: EngineProcess, due: _Due) -> bool:
        """Return whether the program knows Yixin's extensions, and remember it: whether it answers ``YXSHOWFORBID``."""
        if self._extended is None:
            self._extended, end = False, time.monotonic() + _PROBE_SECONDS
            process.send("YXSHOWFORBID")
            while time.monotonic() < end and not due.over():
                line = (process.line(_POLL) or "").upper()
                if line.startswith(("FORBID", "UNKNOWN", "ERROR")):
                    self._extended = line.startswith("FORBID")
                    break
        return self._extended

    def _listen(
        self, process: EngineProcess, board: LinePosition, due: _Due, began: float, lines: int
    ) -> Iterator[Info]:
        """Yield an Info for messages of the engine, at intervals, and one for its move. Send YXSTOP when stopped.

        `began` is when the search began, `lines` the most lines of an Info. Raise `EngineError`, also when `due` is
        over.
        """
        found, reported, stopped = Findings(lines), 0.0, False
        while not due.over():
            if due.stop.is_set() and not stopped:
                stopped = True
                process.send("YXSTOP")  # others answer UNKNOWN or ERROR, and continue
            line = process.line(_POLL)
            if line is None:
                continue
            if (match := _MOVE.fullmatch(line)) is not None:
                move = _parse_move(board, match, process.name)
                self._reader.answered(move)
                yield found.info(began, move)
                return
            if not stopped:
                _raise_error_line(line, process.name)
            if line[:7].upper() == "MESSAGE" and found.take(self._reader.read(line, board)):
                self.nodes = found.nodes
                if time.monotonic() - reported >= _TELL_EVERY:
                    reported = time.monotonic()
                    yield found.info(began)
        raise SlowEngine(f"“{process.name}” does not answer in time.", "slow")


class Findings:
    """What the messages of an engine have told of one search: depth, nodes, and its best lines, at most `lines`."""

    def __init__(self, lines: int) -> None:
        self.nodes = 0
        self._most = lines
        self._depth = self._score = 0
        self._lines: dict[int, Line] = {}  # by their places in the newest list of several, 0 for a single one

    def take(self, new: Message) -> bool:
        """Take over the values of a message; what it lacks stays as it was. Return whether it has a line of moves."""
        self.nodes = self.nodes if new.nodes is None else new.nodes
        self._depth = self._depth if new.depth is None else new.depth
        if new.place == 0 and new.score is not None:
            self._score = new.score
        if not new.pv:
            return False
        same = {place: line for place, line in self._lines.items() if line.moves[0] == new.pv[0]}
        known = {place: line for place, line in self._lines.items() if place not in same}
        place, line = next(iter(same.items()), (0, Line(self._score, new.pv)))
        score = line.score if new.score is None else new.score
        if new.place > 0:
            place = new.place
            known.pop(0, None)
        elif max(known, default=place) == 0:
            known.clear()
        self._lines = {**known, place: Line(score, new.pv)}
        return True

    def info(self, began: float, move: int | None = None) -> Info:
        """Return what is known so far, the line with the best score first. `began` is when the search began.

        With the engine's `move`, its line is first, even if no message had it. Without one, a message must have had a
        line.
        """
        lines = sorted(self._lines.values(), key=lambda line: -line.score)
        if move is not None:
            chosen = next((line for line in lines if line.moves[0] == move), Line(self._score, (move,)))
            lines = [chosen, *(line for line in lines if line.moves[0] != move)]
        lines = lines[: self._most]
        seconds = time.monotonic() - began
        return Info(lines[0].moves[0], lines[0].score, self._depth, self.nodes, seconds, tuple(lines))


def _parse_move(board: LinePosition, point: re.Match[str], name: str) -> int:
    """Return the move at the matched x and y. Raise `IllegalAnswer`; `name` is the engine's."""
    x, y = int(point[1]), int(point[2])
    size = board.rules.width
    try:
        # A point beside the board must not wrap around to one on it.
        board.play(move := y * size + x if 0 <= x < size and 0 <= y < size else size * size)
    except IllegalMove as error:
        reason = str(error)
        answer = f"“{name}” has answered {point[0]}: {reason[0].lower()}{reason[1:]}"
        raise IllegalAnswer(answer, "illegal", point[0]) from error
    return move


def _require_gomoku(position: Position) -> LinePosition:
    """Return `position`. Raise `ValueError` with a sentence if it is not of five in a row on a square board."""
    if not isinstance(position, LinePosition) or position.rules.length != 5:
        raise ValueError("External engines play gomoku only.")
    if position.rules.width != position.rules.height:
        raise ValueError("External engines play on square boards only.")
    return position


def _board_lines(board: LinePosition) -> Iterator[str]:
    """Yield the stones as lines ``x,y,field`` of a BOARD, in an order of play; field 1 is the side to move."""
    for cell in _possible_order(board):
        y, x = divmod(cell, board.rules.width)
        yield f"{x},{y},{1 if board.cells[cell] == STONES[board.turn] else 2}"


def _possible_order(board: LinePosition) -> tuple[int, ...]:
    """Return the stones in an order in which they can have been played, the last move last; a legal one if possible."""
    placed = [cell for cell in range(board.rules.cells) if cell != board.last and board.cells[cell]]
    if board.last is not None:
        placed.append(board.last)
    first, second = ([cell for cell in placed if board.cells[cell] == stone] for stone in STONES)
    if len(first) - len(second) != board.turn:  # set up, or after a pass: no order of play
        return tuple(placed)
    moves = alternating(first, second)
    try:
        return in_any_order(board.rules.width, board.rules.rule, moves)
    except Refused:  # leave the decision to the engine
        return moves


def _raise_error_line(line: str | None, name: str) -> None:
    """Raise EngineError if `line` reports an error. An unknown command is no error, unless a search needs it.

    Rapfi takes the first word after its move for part of a search, and does not know the rest of that line.
    """
    if line is not None and line[:5].upper() == "ERROR" and (_UNKNOWN not in line.lower() or _NEEDED.search(line)):
        quote = short(line[5:].strip(" .") or "an error", _LONGEST_QUOTE)
        raise EngineError(f"“{name}” refuses: {quote}.", "refused", quote)


class _Due:
    """A deadline: `at` is a time of `time.monotonic()`, None for none. Once `stop` is set it is at most a moment
    ahead."""

    def __init__(self, at: float | None, stop: Stop) -> None:
        self.at, self.stop = at, stop

    def over(self) -> bool:
        """Return whether the deadline has passed."""
        now = time.monotonic()
        if self.stop.is_set():
            self.at = now + _STOP_GRACE if self.at is None else min(self.at, now + _STOP_GRACE)
        return self.at is not None and now > self.at
