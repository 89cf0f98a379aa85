"""External engines as players: programs that speak the Gomocup (pbrain) protocol."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator, Sequence

from ai import programs
from ai.pbrain.boards import Refused, alternating, in_any_order
from ai.pbrain.inbox import LONGEST, lines
from ai.pbrain.manager_info import UNLIMITED
from ai.pbrain.messages import Message, read
from ai.player import Info, Limit, Line, Player, Stop
from games.line import STONES, LinePosition
from games.position import Position
from games.registry import setup

RULE_MASKS = {"freestyle": 0, "standard": 1, "renju": 4}

_FOREVER = 86_400_000  # milliseconds sent where there is no limit: a day
_START_SECONDS = 20.0  # for an engine that unpacks itself or loads networks
_GRACE = 1.0  # seconds beyond its time after which an engine is killed
_STOP_GRACE = 1.5  # seconds to answer after a stop
_LEAVE_SECONDS = 1.0  # to exit after END
_POLL = 0.02  # seconds
_MOVE = re.compile(r"(\d{1,2})\s*,\s*(\d{1,2})")
_LONGEST_QUOTE = 200


class EngineError(RuntimeError):
    """An external engine failed; `str(error)` is one sentence. The next search starts it again."""


class SlowEngine(EngineError):
    """The engine did not answer in time."""


def refuse_program(_command: str, game: str) -> str:
    """Return why no program plays `game`, in a sentence; empty if programs do."""
    try:
        _checked(setup(game).start())
    except ValueError as error:
        return str(error)
    return ""


class PbrainPlayer(Player):
    """A player that asks the program `command`, started when first needed and ended by `close`.

    It plays five in a row on square boards. Every request sends the whole position, so that moves can be taken
    back, and any position asked about.
    """

    nodes: int = 0

    def __init__(self, command: str, grace: float = _GRACE) -> None:
        self.command = command
        self._grace = grace
        self._process: _Process | None = None
        self._game: tuple[int, str] | None = None  # size and rule last sent to the engine

    def think(self, position: Position, limit: Limit, stop: Stop) -> Iterator[Info]:
        """Yield the engine's messages, as far as they are understood, and its move.

        Raise `EngineError` if the engine dies, refuses, or is too late; it has then been ended. The
        engine's move is not checked. Raise `ValueError` for a position that the protocol does not have.
        """
        self.nodes = 0
        board = _checked(position)
        try:
            process = self._ready(board)
            began = time.monotonic()
            self._ask(process, board, limit, began)
            yield from self._listen(process, board, limit, stop, began)
        except EngineError:
            self.close(kill=True)
            raise

    def warm_up(self, position: Position) -> None:
        """Start the program and the game of `position` if necessary, so that the first search loses no time.

        Raise as `think` does.
        """
        board = _checked(position)
        try:
            self._ready(board)
        except BaseException:  # including Ctrl+C
            self.close(kill=True)
            raise

    def close(self, kill: bool = False) -> None:
        """End the program, first by asking it to unless `kill`."""
        process, self._process, self._game = self._process, None, None
        if process is not None:
            process.close(kill)

    def _ready(self, board: LinePosition) -> _Process:
        """Return the running process, set up for this game."""
        if self._process is None or not self._process.alive:
            self.close(kill=True)
            self._process = _Process(self.command)
        game = (board.rules.width, board.rules.rule)
        if game != self._game:
            self._begin(self._process, *game)
            self._game = game
        return self._process

    def _begin(self, process: _Process, size: int, rule: str) -> None:
        process.send(f"INFO rule {RULE_MASKS[rule]}", f"START {size}")
        self._wait_for_ok(process)
        facts = ("timeout_match 0", "game_type 0", f"rule {RULE_MASKS[rule]}")
        process.send(*(f"INFO {fact}" for fact in facts))

    def _wait_for_ok(self, process: _Process) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while (left := deadline - time.monotonic()) > 0:
            line = process.line(left)
            if line is not None and line.upper() == "OK":
                return
            _refuse_error(line, self.command)
        raise SlowEngine(f"“{_short(self.command)}” does not answer START.")

    def _ask(self, process: _Process, board: LinePosition, limit: Limit, began: float) -> None:
        stones = list(_stones(board))
        left = _FOREVER / 1000 if limit.seconds is None else limit.seconds - (time.monotonic() - began)
        milliseconds = max(1, round(left * 1000))
        process.send(f"INFO timeout_turn {milliseconds}", f"INFO time_left {UNLIMITED}")
        if limit.depth is not None:
            process.send(f"INFO max_depth {limit.depth}")  # a Yixin extension; others ignore it
        if board.ply > 0:
            process.send("BOARD", *stones, "DONE")
            return
        # Many engines reject a BOARD without stones, and BEGIN requires an empty board.
        process.send(f"START {board.rules.width}")
        self._wait_for_ok(process)
        process.send("BEGIN")

    def _listen(
        self, process: _Process, board: LinePosition, limit: Limit, stop: Stop, began: float
    ) -> Iterator[Info]:
        deadline = None if limit.seconds is None else began + limit.seconds + self._grace
        message, stopped = Message(), False
        while True:
            if stop.is_set() and not stopped:
                stopped = True
                deadline = min(deadline or began + _FOREVER, time.monotonic() + _STOP_GRACE)
                process.send("YXSTOP")  # others answer UNKNOWN and continue
            if deadline is not None and time.monotonic() > deadline:
                raise SlowEngine(f"“{_short(self.command)}” does not answer in time.")
            line = process.line(_POLL)
            if line is None:
                continue
            if (match := _MOVE.fullmatch(line)) is not None:
                yield self._answer(board, int(match[1]), int(match[2]), message, began)
                return
            _refuse_error(line, self.command)
            new = read(line, board) if line[:7].upper() == "MESSAGE" else Message()
            message = self._merged(message, new)
            if new.pv:
                yield _info(message, message.pv, began)

    def _merged(self, message: Message, new: Message) -> Message:
        """Merge two messages: the newest of each value, but a PV only with the message it came in."""
        if new.nodes is not None:
            self.nodes = new.nodes
        return Message(
            message.depth if new.depth is None else new.depth,
            message.score if new.score is None else new.score,
            message.nodes if new.nodes is None else new.nodes,
            new.pv or message.pv,
        )

    def _answer(self, board: LinePosition, x: int, y: int, message: Message, began: float) -> Info:
        size = board.rules.width
        # A move off the board must not wrap around to one on it.
        move = y * size + x if x < size and y < size else size * size
        return _info(message, message.pv if message.pv[:1] == (move,) else (move,), began)


def _info(message: Message, moves: tuple[int, ...], began: float) -> Info:
    score = message.score or 0
    line = Line(score, moves)
    return Info(moves[0], score, message.depth or 0, message.nodes or 0, time.monotonic() - began, (line,))


def _checked(position: Position) -> LinePosition:
    """Return `position`. Raise `ValueError` with a sentence where external engines do not play."""
    if not isinstance(position, LinePosition) or position.rules.length != 5:
        raise ValueError("External engines play gomoku only.")
    if position.rules.width != position.rules.height:
        raise ValueError("External engines play on square boards only.")
    return position


def _stones(board: LinePosition) -> Iterator[str]:
    """Yield the stones as BOARD lists them: colours alternating in order of play."""
    for ply, cell in enumerate(_order(board)):
        y, x = divmod(cell, board.rules.width)
        yield f"{x},{y},{1 if ply % 2 == board.turn else 2}"


def _order(board: LinePosition) -> tuple[int, ...]:
    """Return an order in which the stones can have been played."""
    placed = [cell for cell in range(board.rules.cells) if cell != board.last]
    if board.last is not None:
        placed.append(board.last)
    cells = [[cell for cell in placed if board.cells[cell] == stone] for stone in STONES]
    moves = alternating(*cells)
    if not board.rules.forbids:
        return moves
    try:
        return in_any_order(board.rules.width, board.rules.rule, moves)
    except Refused:  # leave the decision to the engine
        return moves


def _refuse_error(line: str | None, command: str) -> None:
    if line is not None and line[:5].upper() == "ERROR":
        raise EngineError(f"“{_short(command)}” refuses: {_short(_reason(line), _LONGEST_QUOTE)}.")


def _reason(line: str) -> str:
    return line[5:].strip(" .") or "an error"


def _short(text: str, length: int = 60) -> str:
    return text if len(text) <= length else text[:length] + "…"


class _Process:
    """The program and its pipes. A thread reads its lines: not every system can wait for a pipe with a timeout."""

    def __init__(self, command: str) -> None:
        """Raise `EngineError` if it cannot be started."""
        self._command = command
        try:
            self._child = programs.start(_arguments(command))
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            raise EngineError(f"“{_short(command)}” cannot be started: {reason}.") from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=_pump, args=(self._child, self._lines), name="tengen-pbrain", daemon=True).start()
        self._end = weakref.finalize(self, _end, self._child)  # at the latest when our program exits

    @property
    def alive(self) -> bool:
        return self._child.poll() is None

    def send(self, *texts: str) -> None:
        """Raise `EngineError` if the program has exited."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.write("".join(f"{text}\r\n" for text in texts).encode())
            self._child.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._died() from error

    def line(self, seconds: float) -> str | None:
        """Return the next line, or None after `seconds`. Raise `EngineError` if the program has exited."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            raise self._died()
        return line

    def _died(self) -> EngineError:
        return EngineError(f"“{_short(self._command)}” has ended without an answer.")

    def close(self, kill: bool) -> None:
        if kill:
            programs.end(self._child)
        self._end()


def _arguments(command: str) -> str | Sequence[str]:
    """Split a command line; Windows does so itself, by its own rules."""
    return command if os.name == "nt" else shlex.split(command)


def _pump(child: subprocess.Popen[bytes], into: queue.SimpleQueue[str | None]) -> None:
    for line in lines(child.stdout):  # type: ignore[arg-type]  # a pipe of bytes is a BufferedReader
        into.put(line[:LONGEST])
    into.put(None)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ask the program to exit, and kill what is left of it."""
    assert child.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        child.stdin.write(b"END\r\n")
        child.stdin.close()  # flushes
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(_LEAVE_SECONDS)
    programs.end(child)
